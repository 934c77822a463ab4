"""Python code on langchain-text-splitters that cuts as the configuration does."""

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.header import header, retriever_comment
from chunkscope.export.literals import literal
from chunkscope.splitting.code import as_recursive
from chunkscope.splitting.settings import SplitterSettings

_PACKAGE = "langchain-text-splitters"

_VOCABULARY = """\
    # tiktoken downloads it once; offline, name a folder that has it in TIKTOKEN_CACHE_DIR.
"""

_SPECIAL = """\
    # Text such as <|endoftext|> is counted as plain text, not as a special token.
    allowed_special=set(),
    disallowed_special=(),
"""

_COUNT_WORDS = '''\
def count_words(text: str) -> int:
    """Words between white space."""
    return len(text.split())
'''

_WORDS = '''\
def windows(text: str) -> list[str]:
    """Windows of SIZE words, each STEP words after the one before."""
    words = [match.span() for match in re.finditer(r"\\S+", text)]
    chunks: list[str] = []
    first = 0
    while words:
        window = words[first : first + SIZE]
        chunks.append(text[window[0][0] : window[-1][1]])
        if first + SIZE >= len(words):
            break
        first += STEP
    return chunks
'''

_SPLIT = '''\
def split(text: str) -> list[str]:
    """The chunks of one document's text."""
    return {call}(text)
'''

_SPLIT_DEDUPE = '''\
def split_all(texts: list[str]) -> list[list[str]]:
    """The chunks of each text, without those whose text an earlier chunk has."""
    seen: set[str] = set()
    kept: list[list[str]] = []
    for text in texts:
        chunks: list[str] = []
        for chunk in {call}(text):
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


def export(configuration: Configuration, note: str = "") -> str:
    """A module that defines `split(text) -> list[str]`, every setting written out.

    Raises:
        InputError: for a splitter that LangChain does not have.
    """
    settings = configuration.splitter
    make = {
        "recursive": _recursive,
        "character": _character,
        "token": _token,
        "words": _words,
        "code": _code,
    }
    family = "code" if settings.kind.startswith("code:") else settings.kind
    if family not in make:
        raise InputError(
            f"target: langchain has no splitter that cuts as {settings.kind!r} does; "
            "export to toml or json"
        )
    imports, definition, call = make[family](settings)
    comments = [*header(configuration, note, _packages(settings)), "#"]
    comments += [*_left_out(configuration), *retriever_comment(configuration)]
    split_all = "split_all(texts)" if settings.dedupe else "map(split, texts)"
    parts = [
        "\n".join(comments),
        "",
        "\n".join(imports),
        "",
        definition,
        "",
        (_SPLIT_DEDUPE if settings.dedupe else _SPLIT).format(call=call),
        "",
        _MAIN.format(all=split_all),
    ]
    return "\n".join(parts)


def _packages(settings: SplitterSettings) -> tuple[str, ...]:
    if settings.kind == "words":
        return ()
    counts_tokens = settings.kind == "token" or settings.unit == "tokens"
    return (_PACKAGE, "tiktoken") if counts_tokens else (_PACKAGE,)


def _left_out(configuration: Configuration) -> list[str]:
    prefix = configuration.enrich.prefix
    if prefix == "none":
        return []
    pattern = configuration.enrich.heading_pattern
    headings = f" (heading_pattern {literal(pattern)})" if pattern else ""
    return [
        f"# Measured with prefix {prefix}{headings}: the retriever saw each chunk after its",
        "# title or headings. The chunks below are without; put them before indexing.",
        "#",
    ]


def _imports(*names: str, own: str = "") -> list[str]:
    lines = sorted(f"import {name}" for name in ("json", "sys", *names))
    lines.append("from pathlib import Path")
    return [*lines, "", own] if own else lines


def _recursive(settings: SplitterSettings) -> tuple[list[str], str, str]:
    separators = "".join(f"        {literal(text)},\n" for text in settings.separators)
    return _text_splitter(
        "RecursiveCharacterTextSplitter", f"    separators=[\n{separators}    ],\n", settings
    )


def _code(settings: SplitterSettings) -> tuple[list[str], str, str]:
    from langchain_text_splitters import Language

    member = Language(settings.kind.partition(":")[2]).name
    separators = (
        "    separators=RecursiveCharacterTextSplitter.get_separators_for_language(\n"
        f"        Language.{member}\n"
        "    ),\n"
    )
    return _text_splitter(
        "RecursiveCharacterTextSplitter", separators, as_recursive(settings), "Language, "
    )


def _character(settings: SplitterSettings) -> tuple[list[str], str, str]:
    separator = f"    separator={literal(settings.separators[0])},\n"
    return _text_splitter("CharacterTextSplitter", separator, settings)


def _text_splitter(
    name: str, separators: str, settings: SplitterSettings, beside: str = ""
) -> tuple[list[str], str, str]:
    keep = "False" if settings.keep_separator == "none" else f'"{settings.keep_separator}"'
    rest = (
        f"    chunk_size={settings.size},\n"
        f"    chunk_overlap={settings.overlap_size},\n"
        f"{separators}"
        f"    is_separator_regex={settings.regex},\n"
        f"    keep_separator={keep},\n"
        f"    strip_whitespace={settings.strip},\n"
        ")\n"
    )
    before = ""
    if settings.unit == "tokens":
        start = (
            f"splitter = {name}.from_tiktoken_encoder(\n"
            f"    # Sizes are tokens of {settings.encoding}.\n{_VOCABULARY}"
            f"    encoding_name={literal(settings.encoding)},\n{_SPECIAL}"
        )
    elif settings.unit == "words":
        before = f"\n{_COUNT_WORDS}\n\n"
        start = f"splitter = {name}(\n    # Sizes are words.\n    length_function=count_words,\n"
    else:
        start = f"splitter = {name}(\n    # Sizes are characters.\n    length_function=len,\n"
    imports = _imports(own=f"from langchain_text_splitters import {beside}{name}")
    return imports, f"{before}{start}{rest}", "splitter.split_text"


def _token(settings: SplitterSettings) -> tuple[list[str], str, str]:
    definition = (
        "splitter = TokenTextSplitter(\n"
        f"    # Sizes are tokens of {settings.encoding}.\n{_VOCABULARY}"
        f"    encoding_name={literal(settings.encoding)},\n{_SPECIAL}"
        f"    chunk_size={settings.size},\n"
        f"    chunk_overlap={settings.overlap_size},\n"
        ")\n"
    )
    imports = _imports(own="from langchain_text_splitters import TokenTextSplitter")
    return imports, definition, "splitter.split_text"


def _words(settings: SplitterSettings) -> tuple[list[str], str, str]:
    size, overlap = settings.size, settings.overlap_size
    definition = (
        f"# Sizes are words between white space; each window shares {overlap} with the next.\n"
        f"SIZE = {size}\n"
        f"STEP = {size - overlap}\n\n\n{_WORDS}"
    )
    return _imports("re"), definition, "windows"
