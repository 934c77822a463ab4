"""`FIRST+SECOND`: sections by their headings, then each of them cut by another splitter.

LangChain's two steps, MarkdownHeaderTextSplitter and then RecursiveCharacterTextSplitter, are
`langchain-markdown+recursive`, text for text. `markdown` and `html` before the plus give their
sections as slices of the text.
"""

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting import html, markdown
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.langchain_markdown import langchain_sections, sections_wanted
from chunkscope.splitting.protocol import PreparedText, Splitter
from chunkscope.splitting.sections import Section, one_after_another, slice_sections
from chunkscope.splitting.settings import SplitterSettings, second_stage
from chunkscope.text.spans import Span

_SECTIONS_PER_CHECK = 64

_LANGCHAIN = "langchain-markdown"
FIRST_STAGES = ("markdown", "html", _LANGCHAIN)
"""What may stand before the plus; the last takes its options there too."""


class StagedText:
    """A text whose sections are found once and cut at any size and overlap."""

    def __init__(self, text: str, first: str, second: Splitter, settings: SplitterSettings) -> None:
        """Prepare a text of which no section is known yet; `settings` are the second splitter's."""
        self._text = text
        self._first = first
        self._second = second
        self._settings = settings
        self._sections: list[tuple[Section, PreparedText]] | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks; see `PreparedText`."""
        if self._sections is None:
            self._sections = [
                (section, self._second.prepare(section.text, self._settings))
                for section in find_first(self._text, self._first, cancel)
            ]
        cuts = []
        for number, (section, prepared) in enumerate(self._sections):
            if cancel is not None and number % _SECTIONS_PER_CHECK == 0:
                cancel.check()
            cuts.append(section.placed(self._text, prepared.cut(size, overlap, cancel)))
        return one_after_another(cuts)


class StagedSplitter:
    """Two stages: no chunk reaches over a boundary of the first."""

    def __init__(self, first: str, second: Splitter) -> None:
        """Put two stages together.

        Raises:
            InputError: when the first is none that finds sections.
        """
        if first not in FIRST_STAGES and not first.startswith(f"{_LANGCHAIN}:"):
            raise InputError(
                f"splitter: {first!r} cannot be the first of two stages; give one of "
                f"{', '.join(FIRST_STAGES)}"
            )
        if first.startswith(_LANGCHAIN):
            sections_wanted(first)
        self._first = first
        self._second = second
        self.unit = second.unit
        self.uses = second.uses

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings of the second stage; see `Splitter`."""
        return self._second.check(second_stage(settings))

    def prepare(self, text: str, settings: SplitterSettings) -> StagedText:
        """The text, its sections yet to be found; see `Splitter`."""
        return StagedText(text, self._first, self._second, second_stage(settings))


def find_first(text: str, first: str, cancel: CancelToken | None = None) -> list[Section]:
    """The sections that a first stage makes of a text, in order.

    Raises:
        InputError: for options that LangChain's Markdown splitter has not.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if first == "markdown":
        return slice_sections(text, markdown.find_sections(text, cancel))
    if first == "html":
        return slice_sections(text, html.find_sections(text, cancel))
    return list(langchain_sections(text, sections_wanted(first), cancel))


def first_stage(
    text: str, settings: SplitterSettings, cancel: CancelToken | None = None
) -> tuple[tuple[Span, ...], ...] | None:
    """Source ranges of each section that chunks are cut in; None where there is one stage.

    There are two in `FIRST+SECOND`, and in `markdown` and `html`, whose chunks are cut by size
    within the sections that their headings make.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    first, plus, _ = settings.kind.partition("+")
    if not plus and first not in ("markdown", "html"):
        return None
    return tuple(section.spans for section in find_first(text, first, cancel))
