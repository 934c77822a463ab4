"""`recursive`: LangChain's RecursiveCharacterTextSplitter, text for text, with true spans."""

from chunkscope.splitting.checking import SEPARATOR_SETTINGS, check_unit
from chunkscope.splitting.cutting import TreeText
from chunkscope.splitting.protocol import PreparedText
from chunkscope.splitting.separators import PATTERN_TEXT, check_separators, compile_separators
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.short import MOST_SEPARATORS, SHORT, ShortText
from chunkscope.splitting.tree import SplitTree
from chunkscope.splitting.units import UNITS, length_function
from chunkscope.text.vocabularies import VOCABULARIES


class RecursiveSplitter:
    """Splits by the first separator that occurs; pieces still too long by those after it."""

    unit: str | None = None
    uses = SEPARATOR_SETTINGS

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings; see `Splitter`."""
        check_unit(settings, UNITS)
        keep = settings.keep_separator
        check_separators(settings.separators, regex=settings.regex, keep=keep)
        warnings = []
        if "" in settings.separators[:-1]:
            warnings.append('separators: those after "" are never reached')
        if settings.regex and keep == "none" and any(settings.separators):
            warnings.append(PATTERN_TEXT)
        return warnings

    def prepare(self, text: str, settings: SplitterSettings) -> PreparedText:
        """The text's split tree, yet to be built; see `Splitter`."""
        if len(text) > SHORT or not _is_simple(settings):
            return _tree_text(text, settings)
        return ShortText(
            text,
            settings.separators,
            at_end=settings.keep_separator == "end",
            length=length_function(settings.unit, settings.encoding),
            strip=settings.strip,
            tree=lambda: _tree_text(text, settings),
        )


def _is_simple(settings: SplitterSettings) -> bool:
    """Whether these settings are those of a text that is cut without a tree."""
    return (
        settings.keep_separator != "none"
        and not settings.regex
        and len(settings.separators) <= MOST_SEPARATORS
        and (settings.unit != "tokens" or settings.encoding in VOCABULARIES)
    )


def _tree_text(text: str, settings: SplitterSettings) -> TreeText:
    keep = settings.keep_separator
    separators = compile_separators(settings.separators, regex=settings.regex, keep=keep)
    joiners = ["" if keep != "none" else separator.text for separator in separators]
    length = (
        None if settings.unit == "characters" else length_function(settings.unit, settings.encoding)
    )
    tree = SplitTree(text, separators, keep, joiners, length)
    return TreeText(tree, strip=settings.strip, recursive=True)
