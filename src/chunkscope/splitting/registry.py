"""The kinds of splitter, and the check of a splitter's settings."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from chunkscope.errors import InputError
from chunkscope.splitting.character import CharacterSplitter
from chunkscope.splitting.checking import check_choices, check_size
from chunkscope.splitting.code import CODE_SPLITTERS, unknown_language
from chunkscope.splitting.foreign import ForeignSplitter
from chunkscope.splitting.foreign_code import GROUP, load_object, load_offered, offered
from chunkscope.splitting.html import HtmlSplitter
from chunkscope.splitting.langchain_markdown import KIND as LANGCHAIN_MARKDOWN
from chunkscope.splitting.langchain_markdown import LangchainMarkdownSplitter
from chunkscope.splitting.markdown import MarkdownSplitter
from chunkscope.splitting.packages import FAMILIES, PackageSplitter, family_kinds
from chunkscope.splitting.protocol import Splitter
from chunkscope.splitting.recursive import RecursiveSplitter
from chunkscope.splitting.semantic import SemanticSplitter
from chunkscope.splitting.sentence import SentenceSplitter
from chunkscope.splitting.sentence_transformers import (
    SentenceTransformersSplitter,
    length_warnings,
)
from chunkscope.splitting.settings import SplitterSettings, second_stage
from chunkscope.splitting.staged import StagedSplitter
from chunkscope.splitting.token import TokenSplitter
from chunkscope.splitting.words import WordsSplitter
from chunkscope.text.tokens import get_token_counter

_PLAIN: Mapping[str, Splitter] = MappingProxyType(
    {
        "recursive": RecursiveSplitter(),
        "character": CharacterSplitter(),
        "token": TokenSplitter(),
        "words": WordsSplitter(),
        "sentence": SentenceSplitter(),
        "markdown": MarkdownSplitter(),
        LANGCHAIN_MARKDOWN: LangchainMarkdownSplitter(),
        "html": HtmlSplitter(),
        "semantic": SemanticSplitter(),
        "sentence-transformers": SentenceTransformersSplitter(),
    }
)

_STAGED = (
    "langchain-markdown+recursive", "langchain-markdown:kept+recursive", "markdown+recursive",
    "markdown+token", "markdown+sentence", "html+recursive",
)  # fmt: skip
"""Two stages that are listed; any others can be named."""

_SPLITTERS: Mapping[str, Splitter] = MappingProxyType({**_PLAIN, **CODE_SPLITTERS})


def splitter_kinds() -> tuple[str, ...]:
    """Names of the kinds, as `kind` takes them; those of installed packages last.

    `module:object` is a kind too, though none that could be listed, and so are other two stages
    with a plus between them.
    """
    others = (*family_kinds(), *offered(GROUP))
    own = (*_PLAIN, *_STAGED, *CODE_SPLITTERS)
    return (*own, *(name for name in others if name not in _SPLITTERS))


def get_splitter(kind: str) -> Splitter:
    """The splitter of this kind; `module:object` is imported. `FIRST+SECOND` is two stages.

    Raises:
        InputError: when there is none; the message names those there are.
        MissingPackageError: when foreign code needs a package that is not installed.
    """
    splitter = _SPLITTERS.get(kind)
    if splitter is not None:
        return splitter
    first, plus, second = kind.partition("+")
    if plus:
        if "+" in second:
            raise InputError(f"splitter: {kind!r} has more than two stages; give FIRST+SECOND")
        return StagedSplitter(first, get_splitter(second))
    if kind.startswith(f"{LANGCHAIN_MARKDOWN}:"):
        return LangchainMarkdownSplitter(kind)
    if kind.startswith("code:"):
        raise unknown_language(kind)
    if kind.partition(":")[0] in FAMILIES:
        return PackageSplitter(kind)
    packaged = offered(GROUP)
    if kind in packaged:
        return ForeignSplitter(kind, load_offered(packaged[kind]))
    if ":" in kind:
        return ForeignSplitter(kind, load_object(kind))
    known = ", ".join(
        (
            *_PLAIN,
            "code:LANG",
            "chonkie:NAME",
            "llama-index:NAME",
            *packaged,
            "module:object",
            "FIRST+SECOND",
        )
    )
    raise InputError(f"splitter: {kind!r} is not known; give one of {known}")


def effective_unit(settings: SplitterSettings) -> str:
    """The unit that `size` really counts: the splitter's own, or that of the settings."""
    return get_splitter(settings.kind).unit or settings.unit


def check_settings(settings: SplitterSettings, given: Collection[str] = ()) -> list[str]:
    """Everything that can be said of the settings before a text is seen.

    Args:
        settings: the settings.
        given: names of those a person set; one that the splitter does not use is warned about.

    Returns:
        Warnings.

    Raises:
        InputError: when they cannot work.
    """
    splitter = get_splitter(settings.kind)
    check_size(settings)
    check_choices(settings)
    get_token_counter(settings.encoding)
    warnings = splitter.check(settings)
    if (splitter.unit or settings.unit) == "tokens":
        warnings += length_warnings(settings)
    for name in sorted(set(given) - splitter.uses - {"kind"}):
        if name == "unit" and splitter.unit == settings.unit:
            continue
        fixed = f"; it always counts {splitter.unit}" if name == "unit" else ""
        warnings.append(f"{name}: not used by splitter {settings.kind!r}{fixed}")
    if (
        second_stage(settings).kind == "character"
        and "separators" in given
        and len(settings.separators) > 1
    ):
        warnings.append("separators: splitter 'character' uses the first alone")
    return warnings


def preparation(settings: SplitterSettings) -> SplitterSettings:
    """The settings with all that a prepared text does not depend on at its default.

    Settings with the same preparation share one prepared text a document.
    """
    used = get_splitter(settings.kind).uses - {"size", "overlap", "dedupe"}
    kept = {name: getattr(settings, name) for name in used}
    if second_stage(settings).kind == "character":
        kept["separators"] = settings.separators[:1]
    if effective_unit(settings) != "tokens":
        kept.pop("encoding", None)
    return SplitterSettings(kind=settings.kind, **kept)
