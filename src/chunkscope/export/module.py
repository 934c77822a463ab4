"""A Python module around code that cuts: header, imports, `split`, and a way to run it."""

from collections.abc import Sequence

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import Cutter
from chunkscope.export.header import header, left_out, retriever_comment

_SPLIT = '''\
def split(text: str) -> list[str]:
    """The chunks of one document's text."""
    return {chunks}
'''

_SPLIT_DEDUPE = '''\
def split_all(texts: list[str]) -> list[list[str]]:
    """The chunks of each text, without those whose text an earlier chunk has."""
    seen: set[str] = set()
    kept: list[list[str]] = []
    for text in texts:
        chunks: list[str] = []
        for chunk in {chunks}:
            if chunk not in seen:
                seen.add(chunk)
                chunks.append(chunk)
        kept.append(chunks)
    return kept


def split(text: str) -> list[str]:
    """The chunks of one document; split_all also drops repeats across documents."""
    return split_all([text])[0]
'''

_MAIN = '''\
def main() -> None:
    """Print the chunks of the files named, one JSON string a line."""
    # Bytes decoded, not text read: line ends must stay as they stand in the file.
    texts = [Path(name).read_bytes().decode("utf-8") for name in sys.argv[1:]]
    for chunks in {all}:
        for chunk in chunks:
            print(json.dumps(chunk))


if __name__ == "__main__":
    main()
'''


def write_module(
    configuration: Configuration,
    note: str,
    cutter: Cutter,
    *,
    chunks: str = "",
    remarks: Sequence[str] = (),
) -> str:
    """The module's text.

    Args:
        configuration: what it cuts as.
        note: what a reader must know, or empty.
        cutter: its code.
        chunks: the expression for the chunks of `text`, where it is not the cutter's call.
        remarks: comment lines on the target, without their `#`.
    """
    dedupe = configuration.splitter.dedupe
    comments = [*header(configuration, note, cutter.packages), "#"]
    comments += [f"# {line}" for line in remarks]
    comments += ["#"] if remarks else []
    comments += [*left_out(configuration), *retriever_comment(configuration)]
    standard = {"import json", "import sys", "from pathlib import Path", *cutter.standard}
    imports = sorted(standard, key=_import_order)
    if cutter.imports:
        imports += ["", *sorted(cutter.imports, key=_import_order)]
    # Two blank lines before a definition, as formatters have it.
    gap = [""] if cutter.definition.startswith(("def ", "class ")) else []
    split = (_SPLIT_DEDUPE if dedupe else _SPLIT).format(chunks=chunks or f"{cutter.call}(text)")
    parts = [
        "\n".join(comments),
        "",
        "\n".join(imports),
        "",
        *gap,
        cutter.definition,
        "",
        split,
        "",
        _MAIN.format(all="split_all(texts)" if dedupe else "map(split, texts)"),
    ]
    return "\n".join(parts)


def _import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line
