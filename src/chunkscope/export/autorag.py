"""A YAML file for AutoRAG's chunker, where its modules cut as the configuration does."""

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.header import header, left_out, retriever_comment
from chunkscope.export.literals import double_quoted, literal
from chunkscope.export.refusals import no_such_splitter, refused
from chunkscope.splitting.code import as_recursive

_PACKAGES = ("AutoRAG", "langchain-text-splitters")

_REMARKS = (
    "# AutoRAG makes corpus files of this: Chunker.from_parquet(…).start_chunking(this file).",
    "# The separators stand in a list of one list: AutoRAG tries each member of a list by itself.",
    "# Its start_end_idx is found by searching for a chunk's text: wrong where that stands twice.",
    "#",
)

_PROOF = '''\
from pathlib import Path

# The first, so that it is the package named where it is missing.
from autorag.data.utils.util import get_param_combinations, load_yaml
import pandas

CONFIG = {config}


def split_all(texts: list[str]) -> list[list[str]]:
    """The chunks that AutoRAG makes of each text."""
    Path("chunk.yaml").write_bytes(CONFIG.encode("utf-8"))
    [module], [settings] = get_param_combinations(load_yaml("chunk.yaml"))
    numbers = [str(number) for number in range(len(texts))]
    parsed = pandas.DataFrame({{"texts": texts, "path": numbers}})
    made = module(parsed_result=parsed, **settings)
    chunks: list[list[str]] = [[] for _ in texts]
    for number, text in zip(made["path"], made["contents"], strict=True):
        chunks[int(number)].append(text)
    return chunks
'''


def export(configuration: Configuration, note: str = "") -> str:
    """A YAML file that makes AutoRAG's `langchain_chunk` module cut the same.

    Raises:
        InputError: where AutoRAG cannot: it counts characters, drops no repeats, and has
            LangChain's recursive and character splitters alone.
    """
    settings = configuration.splitter
    if settings.kind.startswith("code:"):
        settings = as_recursive(settings)
    if settings.kind not in ("recursive", "character"):
        raise _no_splitter(settings.kind)
    if settings.unit != "characters":
        reason = f"counts characters in LangChain's splitters, not {settings.unit}"
        raise refused("autorag", reason, instead="set unit characters, or export to langchain")
    if settings.dedupe:
        raise refused("autorag", "drops no repeated chunks", instead="switch dedupe off")
    if settings.kind == "recursive":
        method = "recursivecharacter"
        listed = ", ".join(map(double_quoted, settings.separators))
        separators = f"    separators: [[{listed}]]"
    else:
        method = "character"
        separators = f"    separator: {double_quoted(settings.separators[0])}"
    keep = "false" if settings.keep_separator == "none" else settings.keep_separator
    lines = [
        *header(configuration, note, _PACKAGES),
        "#",
        *_REMARKS,
        *left_out(configuration),
        *retriever_comment(configuration),
        "modules:",
        "  - module_type: langchain_chunk",
        f"    chunk_method: {method}",
        "    # Sizes are characters.",
        f"    chunk_size: {settings.size}",
        f"    chunk_overlap: {settings.overlap_size}",
        separators,
        f"    is_separator_regex: {str(settings.regex).lower()}",
        f"    keep_separator: {keep}",
        f"    strip_whitespace: {str(settings.strip).lower()}",
        "",
    ]
    return "\n".join(lines)


def proof_code(text: str) -> str:
    """A module that has AutoRAG read the file and cut texts, for the proof."""
    return _PROOF.format(config=literal(text))


def _no_splitter(kind: str) -> Exception:
    if kind == "token":
        reason = "has no splitter that cuts as 'token' does: its own ends at spaces"
        return refused("autorag", reason, instead="export to langchain, llama-index or haystack")
    if kind == "words" or kind.startswith("langchain-markdown"):
        reason = f"has no splitter that cuts as {kind!r} does"
        return refused("autorag", reason, instead="export to langchain, llama-index or haystack")
    return no_such_splitter("autorag", kind)
