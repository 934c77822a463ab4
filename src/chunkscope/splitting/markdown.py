"""`markdown`: sections by their headings, then by size; nothing is dropped or moved."""

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.packing import PackedText, Parts, section_parts
from chunkscope.splitting.recursive import RecursiveSplitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import BatchLength, length_function
from chunkscope.text.markdown import markdown_blocks


class MarkdownSplitter:
    """Cuts before headings; a section that is too long is cut between its blocks.

    A heading with nothing but deeper headings below it goes with the first of them. Code fences,
    tables, front matter and paragraphs are whole where they fit; one that alone is too long is
    cut by the separators, as `recursive` does. Overlap stays within a section.
    """

    unit: str | None = None
    uses = RecursiveSplitter.uses

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings; see `Splitter`."""
        return check_walk(settings)

    def prepare(self, text: str, settings: SplitterSettings) -> PackedText:
        """The text, its sections yet to be found; see `Splitter`."""
        return PackedText(
            text,
            find_sections,
            lambda part: RecursiveSplitter().prepare(part, settings),
            walk_length(settings),
            strip=settings.strip,
        )


def check_walk(settings: SplitterSettings) -> list[str]:
    """Warnings for settings by which long parts are cut, when nothing may be dropped.

    Raises:
        InputError: when they cannot work, or drop separators.
    """
    if settings.keep_separator == "none":
        raise InputError(
            f"keep_separator: none drops separators, and splitter {settings.kind!r} drops "
            "nothing; give end or start"
        )
    return RecursiveSplitter().check(settings)


def walk_length(settings: SplitterSettings) -> BatchLength | None:
    """What measures texts in the settings' unit; None: every character counts one."""
    if settings.unit == "characters":
        return None
    return length_function(settings.unit, settings.encoding)


def find_sections(text: str, cancel: CancelToken | None) -> Parts:
    """The blocks of a Markdown text as parts, its sections those of its headings."""
    if cancel is not None:
        cancel.check()
    return section_parts(text, [(block.start, block.level) for block in markdown_blocks(text)])
