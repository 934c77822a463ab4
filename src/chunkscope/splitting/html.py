"""`html`: sections by the headings of a page, on its source; nothing is dropped or moved."""

from chunkscope.cancel import CancelToken
from chunkscope.splitting.markdown import check_walk, walk_length
from chunkscope.splitting.packing import PackedText, Parts, section_parts
from chunkscope.splitting.recursive import RecursiveSplitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.html import html_blocks


class HtmlSplitter:
    """Cuts before h1 to h6; a section that is too long is cut between its block elements.

    Chunks are slices of the source, tags included, so that each place is known: splitters that
    give the text alone move it, and then no place can be promised. A heading with nothing but
    deeper headings below it goes with the first of them. Tables and preformatted text are whole
    where they fit; a block that alone is too long is cut by the separators, as `recursive` does.
    Overlap stays within a section.
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


def find_sections(text: str, cancel: CancelToken | None) -> Parts:
    """The blocks of a page as parts, its sections those of its headings."""
    if cancel is not None:
        cancel.check()
    return section_parts(text, [(block.start, block.level) for block in html_blocks(text)])
