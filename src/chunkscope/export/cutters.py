"""Code that cuts a text as a splitter does: what each target puts its own form around."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from chunkscope.export.literals import literal
from chunkscope.export.refusals import no_such_splitter, other_encoding
from chunkscope.splitting.code import as_recursive
from chunkscope.splitting.langchain_markdown import KIND as LANGCHAIN_MARKDOWN
from chunkscope.splitting.langchain_markdown import sections_wanted
from chunkscope.splitting.settings import SplitterSettings, second_stage
from chunkscope.text.hf_tokens import (
    counts_specials,
    is_tokenizer_file,
    pinned_encoding,
    tokenizer_path,
)
from chunkscope.text.vocabularies import VOCABULARIES

LANGCHAIN = "langchain-text-splitters"

VOCABULARY_COMMENT = (
    "# tiktoken downloads it once; offline, name a folder that has it in TIKTOKEN_CACHE_DIR."
)
SPECIAL_COMMENT = "# Text such as <|endoftext|> is counted as plain text, not as a special token."

_VOCABULARY = f"    {VOCABULARY_COMMENT}\n"
_SPECIAL = f"    {SPECIAL_COMMENT}\n    allowed_special=set(),\n    disallowed_special=(),\n"

COUNT_WORDS = '''\
def count_words(text: str) -> int:
    """Words between white space."""
    return len(text.split())
'''

_FILE_TOKENS = '''\
# Sizes are tokens of this tokenizer file, which must stand beside this module.
TOKENIZER = Path(__file__).with_name({name})
if not sha256(TOKENIZER.read_bytes()).hexdigest().startswith("{digest}"):
    raise ValueError(f"{{TOKENIZER}} is another tokenizer than that of the configuration")

tokenizer = Tokenizer.from_file(str(TOKENIZER))
tokenizer.no_truncation()
tokenizer.no_padding()
# Text such as [CLS] or </s> is counted as plain text, not as a special token.
tokenizer.encode_special_tokens = True

# Half a surrogate pair has no UTF-8; it is counted as U+FFFD.
HALVES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


def count_tokens(text: str) -> int:
    """Tokens, {with_or_without} those that a model puts around a text."""
    return len(tokenizer.encode(text.translate(HALVES), add_special_tokens={specials}))
'''

_WINDOWS = '''\
def windows(text: str) -> list[tuple[int, int]]:
    """Where windows of SIZE words start and end, each STEP words after the one before."""
    words = [match.span() for match in re.finditer(r"\\S+", text)]
    spans: list[tuple[int, int]] = []
    first = 0
    while words:
        window = words[first : first + SIZE]
        spans.append((window[0][0], window[-1][1]))
        if first + SIZE >= len(words):
            break
        first += STEP
    return spans
'''

_CUT_WINDOWS = '''\
def cut(text: str) -> list[str]:
    """The windows of one text."""
    return [text[start:end] for start, end in windows(text)]
'''

_SECTIONS = '''\
def cut(text: str) -> list[str]:
    """The sections of one text."""
    return [section.page_content for section in headers.split_text(text)]
'''

_STAGES = '''\
def cut(text: str) -> list[str]:
    """Sections by their headings, then each of them cut."""
    sections = [section.page_content for section in headers.split_text(text)]
    return [chunk for section in sections for chunk in {call}(section)]
'''


@dataclass(frozen=True, slots=True)
class Cutter:
    """Source code that defines what can be called with a text and gives its chunks.

    Attributes:
        definition: the source, without imports.
        call: the expression to call.
        standard: its import lines from the standard library.
        imports: its other import lines.
        packages: the packages that it needs, as pip names them.
    """

    definition: str
    call: str
    standard: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def is_splitter(self) -> bool:
        """Whether it is one of LangChain's text splitters, by the name `splitter`."""
        return self.call == "splitter.split_text"

    def as_function(self) -> "Cutter":
        """The same as a plain function named `cut`."""
        if self.call == "cut":
            return self
        function = (
            "def cut(text: str) -> list[str]:\n"
            '    """The chunks of one text."""\n'
            f"    return {self.call}(text)\n"
        )
        return replace(self, definition=f"{self.definition}\n\n{function}", call="cut")


def make_cutter(settings: SplitterSettings, target: str) -> Cutter:
    """Code that cuts as these settings do, by LangChain's splitters or none at all.

    Args:
        settings: the splitter's settings.
        target: whose file it is for; named in what is refused.

    Raises:
        InputError: for a splitter that has no such code.
    """
    if counts_tokens(settings) and settings.encoding not in VOCABULARIES:
        windows = second_stage(settings).kind == "token"
        if windows or not is_tokenizer_file(settings.encoding):
            raise other_encoding(target, settings.encoding)
    kind = settings.kind
    first, plus, _ = kind.partition("+")
    if not plus and not _is_langchain_markdown(kind):
        return _one_stage(settings, target)
    if not _is_langchain_markdown(first):
        raise no_such_splitter(target, kind)
    if not plus:
        return _sections(kind, strip=settings.keep_separator != "start")
    return _two_stages(first, _one_stage(second_stage(settings), target, whole=kind))


def counts_tokens(settings: SplitterSettings) -> bool:
    """Whether a splitter's code needs a token vocabulary."""
    kind = second_stage(settings).kind
    if kind == "words" or _is_langchain_markdown(kind):
        return False
    return kind == "token" or settings.unit == "tokens"


def language_member(kind: str) -> str:
    """The name that LangChain's `Language` has for a `code:LANG`."""
    from langchain_text_splitters import Language

    return Language(kind.partition(":")[2]).name


def _is_langchain_markdown(kind: str) -> bool:
    return kind.partition(":")[0] == LANGCHAIN_MARKDOWN


def _one_stage(settings: SplitterSettings, target: str, whole: str = "") -> Cutter:
    family = "code" if settings.kind.startswith("code:") else settings.kind
    make = _FAMILIES.get(family)
    if make is None:
        raise no_such_splitter(target, whole or settings.kind)
    return make(settings)


def _recursive(settings: SplitterSettings) -> Cutter:
    separators = "".join(f"        {literal(text)},\n" for text in settings.separators)
    return _text_splitter(
        "RecursiveCharacterTextSplitter", f"    separators=[\n{separators}    ],\n", settings
    )


def _code(settings: SplitterSettings) -> Cutter:
    separators = (
        "    separators=RecursiveCharacterTextSplitter.get_separators_for_language(\n"
        f"        Language.{language_member(settings.kind)}\n"
        "    ),\n"
    )
    name = "RecursiveCharacterTextSplitter"
    return _text_splitter(name, separators, as_recursive(settings), "Language, ")


def _character(settings: SplitterSettings) -> Cutter:
    separator = f"    separator={literal(settings.separators[0])},\n"
    return _text_splitter("CharacterTextSplitter", separator, settings)


def _text_splitter(
    name: str, separators: str, settings: SplitterSettings, beside: str = ""
) -> Cutter:
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
    packages: tuple[str, ...] = (LANGCHAIN,)
    standard: tuple[str, ...] = ()
    imports = [f"from langchain_text_splitters import {beside}{name}"]
    if settings.unit == "tokens" and is_tokenizer_file(settings.encoding):
        packages = (LANGCHAIN, "tokenizers")
        standard = ("from hashlib import sha256",)
        imports.append("from tokenizers import Tokenizer")
        specials = counts_specials(settings.encoding)
        tokens = _FILE_TOKENS.format(
            name=literal(Path(tokenizer_path(settings.encoding)).name),
            digest=pinned_encoding(settings.encoding).partition("#")[2],
            specials=specials,
            with_or_without="with" if specials else "without",
        )
        before = f"{tokens}\n\n"
        start = f"splitter = {name}(\n    length_function=count_tokens,\n"
    elif settings.unit == "tokens":
        packages = (LANGCHAIN, "tiktoken")
        start = (
            f"splitter = {name}.from_tiktoken_encoder(\n"
            f"    # Sizes are tokens of {settings.encoding}.\n{_VOCABULARY}"
            f"    encoding_name={literal(settings.encoding)},\n{_SPECIAL}"
        )
    elif settings.unit == "words":
        before = f"{COUNT_WORDS}\n\n"
        start = f"splitter = {name}(\n    # Sizes are words.\n    length_function=count_words,\n"
    else:
        start = f"splitter = {name}(\n    # Sizes are characters.\n    length_function=len,\n"
    return Cutter(
        definition=f"{before}{start}{rest}",
        call="splitter.split_text",
        standard=standard,
        imports=tuple(imports),
        packages=packages,
    )


def _token(settings: SplitterSettings) -> Cutter:
    definition = (
        "splitter = TokenTextSplitter(\n"
        f"    # Sizes are tokens of {settings.encoding}.\n{_VOCABULARY}"
        f"    encoding_name={literal(settings.encoding)},\n{_SPECIAL}"
        f"    chunk_size={settings.size},\n"
        f"    chunk_overlap={settings.overlap_size},\n"
        ")\n"
    )
    return Cutter(
        definition=definition,
        call="splitter.split_text",
        imports=("from langchain_text_splitters import TokenTextSplitter",),
        packages=(LANGCHAIN, "tiktoken"),
    )


def make_windows(settings: SplitterSettings) -> Cutter:
    """Code that defines `windows`, which gives the ranges of the chunks of `words`."""
    size, overlap = settings.size, settings.overlap_size
    definition = (
        f"# Sizes are words between white space; each window shares {overlap} with the next.\n"
        f"SIZE = {size}\n"
        f"STEP = {size - overlap}\n\n\n{_WINDOWS}"
    )
    return Cutter(definition, "windows", standard=("import re",))


def _words(settings: SplitterSettings) -> Cutter:
    made = make_windows(settings)
    return replace(made, definition=f"{made.definition}\n\n{_CUT_WINDOWS}", call="cut")


def _headers(kind: str, *, strip: bool = True) -> str:
    wanted = sections_wanted(kind)
    levels = "".join(
        f'        ("{"#" * level}", "h{level}"),\n' for level in range(1, wanted.levels + 1)
    )
    return (
        "headers = MarkdownHeaderTextSplitter(\n"
        f"    headers_to_split_on=[\n{levels}    ],\n"
        f"    strip_headers={wanted.strip_headers and strip},\n"
        ")\n"
    )


def _sections(kind: str, *, strip: bool) -> Cutter:
    return Cutter(
        definition=f"{_headers(kind, strip=strip)}\n\n{_SECTIONS}",
        call="cut",
        imports=("from langchain_text_splitters import MarkdownHeaderTextSplitter",),
        packages=(LANGCHAIN,),
    )


def _two_stages(first: str, second: Cutter) -> Cutter:
    call = second.call
    definition = second.definition
    if call == "cut":
        # The name is that of the whole.
        call = "cut_section"
        definition = definition.replace("def cut(", "def cut_section(")
    stages = _STAGES.format(call=call)
    return Cutter(
        definition=f"{_headers(first)}\n{definition}\n\n{stages}",
        call="cut",
        standard=second.standard,
        imports=_joined_imports("MarkdownHeaderTextSplitter", second.imports),
        packages=(LANGCHAIN, *(name for name in second.packages if name != LANGCHAIN)),
    )


def _joined_imports(name: str, imports: tuple[str, ...]) -> tuple[str, ...]:
    start = "from langchain_text_splitters import "
    names = [name]
    others = tuple(line for line in imports if not line.startswith(start))
    for line in imports:
        if line not in others:
            names += line.removeprefix(start).split(", ")
    line = start + ", ".join(sorted(names))
    if len(line) <= 88:
        return (line, *others)
    inside = "".join(f"    {one},\n" for one in sorted(names))
    return (f"{start}(\n{inside})", *others)


_FAMILIES: Mapping[str, Callable[[SplitterSettings], Cutter]] = MappingProxyType(
    {
        "recursive": _recursive,
        "character": _character,
        "token": _token,
        "words": _words,
        "code": _code,
    }
)
