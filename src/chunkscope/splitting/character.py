"""`character`: LangChain's CharacterTextSplitter, text for text, with true spans."""

from chunkscope.splitting.checking import SEPARATOR_SETTINGS, check_unit
from chunkscope.splitting.cutting import TreeText
from chunkscope.splitting.separators import (
    PATTERN_TEXT,
    check_separators,
    compile_separators,
    is_lookaround,
)
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.tree import SplitTree
from chunkscope.splitting.units import UNITS, length_function


class CharacterSplitter:
    """Splits by the first separator alone; a piece longer than the size stays whole."""

    unit: str | None = None
    uses = SEPARATOR_SETTINGS

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings; see `Splitter`."""
        check_unit(settings, UNITS)
        check_separators(
            settings.separators[:1], regex=settings.regex, keep=settings.keep_separator
        )
        if _puts_pattern_text(settings):
            return [PATTERN_TEXT]
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> TreeText:
        """The text split by its separator, once it is cut; see `Splitter`."""
        keep = settings.keep_separator
        separators = compile_separators(settings.separators[:1], regex=settings.regex, keep=keep)
        separator = settings.separators[0]
        dropped = keep == "none" and not (settings.regex and is_lookaround(separator))
        length = (
            None
            if settings.unit == "characters"
            else length_function(settings.unit, settings.encoding)
        )
        tree = SplitTree(text, separators, keep, [separator if dropped else ""], length)
        return TreeText(tree, strip=settings.strip, recursive=False)


def _puts_pattern_text(settings: SplitterSettings) -> bool:
    separator = settings.separators[0]
    return (
        settings.regex
        and settings.keep_separator == "none"
        and bool(separator)
        and not is_lookaround(separator)
    )
