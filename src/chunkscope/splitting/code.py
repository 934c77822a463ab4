"""`code:LANG`: LangChain's RecursiveCharacterTextSplitter.from_language, with true spans."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from chunkscope.errors import InputError
from chunkscope.splitting.checking import check_unit
from chunkscope.splitting.protocol import PreparedText
from chunkscope.splitting.recursive import RecursiveSplitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import UNITS

# Names as LangChain has them, so that they can be listed without loading it.
CODE_LANGUAGES = (
    *("c", "cobol", "cpp", "csharp", "elixir", "go", "haskell", "html", "java", "js", "kotlin"),
    *("latex", "lua", "markdown", "php", "powershell", "proto", "python", "r", "rst", "ruby"),
    *("rust", "scala", "sol", "swift", "ts", "visualbasic6"),
)
"""What may stand for LANG."""


def language_separators(language: str) -> tuple[str, ...]:
    """The patterns that LangChain, as installed, splits a language by.

    Raises:
        InputError: when it has none; the message names the languages there are.
    """
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    try:
        of_langchain = Language(language)
        return tuple(RecursiveCharacterTextSplitter.get_separators_for_language(of_langchain))
    except ValueError:
        raise unknown_language(f"code:{language}") from None


def unknown_language(kind: str) -> InputError:
    """The error for a `code:LANG` whose LANG is none; it names those there are."""
    return InputError(
        f"splitter: {kind!r} is not known; LANG is one of {', '.join(CODE_LANGUAGES)}"
    )


def as_recursive(settings: SplitterSettings) -> SplitterSettings:
    """The settings of `recursive` that cut as these of a `code:LANG` do.

    Raises:
        InputError: when there is no such language.
    """
    return replace(
        settings,
        kind="recursive",
        separators=language_separators(settings.kind.partition(":")[2]),
        regex=True,
        keep_separator="start",
    )


class CodeSplitter:
    """Splits by what a language's definitions begin with, then by lines, words, characters.

    The separators are regular expressions, and each stays with the text after it.
    """

    unit: str | None = None
    uses = frozenset({"size", "overlap", "unit", "encoding", "strip", "dedupe"})

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        check_unit(settings, UNITS)
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> PreparedText:
        """The text's split tree, yet to be built; see `Splitter`."""
        return RecursiveSplitter().prepare(text, as_recursive(settings))


CODE_SPLITTERS: Mapping[str, CodeSplitter] = MappingProxyType(
    {f"code:{language}": CodeSplitter() for language in CODE_LANGUAGES}
)
"""One a language, by kind."""
