"""`langchain-markdown`: LangChain's MarkdownHeaderTextSplitter, text for text, with true spans.

A kind of its own, beside `markdown`, because the two differ in what they are for: this one shows
what that class really makes of a text (lines trimmed, tabs and no-break spaces deleted, sections
of a heading alone lost, comments in indented code taken for headings), and knows no size.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.checking import check_unit
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.sections import Section
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import UNITS
from chunkscope.splitting.whitespace import Offsets
from chunkscope.text.headings import Heading
from chunkscope.text.spans import Span

KIND = "langchain-markdown"

_LEVELS = 6
_HEADINGS = [re.compile(rf"(#{{1,{level}}})(?= |\Z)") for level in range(1, _LEVELS + 1)]
_LINES_PER_CHECK = 1 << 12


class SectionsWanted(NamedTuple):
    """Which of LangChain's sections are wanted.

    Attributes:
        levels: headings of levels 1 to this part them.
        strip_headers: headings are dropped, as they are by default.
    """

    levels: int = _LEVELS
    strip_headers: bool = True


def sections_wanted(kind: str) -> SectionsWanted:
    """What `langchain-markdown:3,kept` or the like asks for; each option may be missing.

    Raises:
        InputError: for an option that is neither a level nor `kept`.
    """
    levels, strip_headers = _LEVELS, True
    for option in kind.removeprefix(KIND).removeprefix(":").split(",") if ":" in kind else ():
        if option == "kept":
            strip_headers = False
        elif len(option) == 1 and option in "123456":
            levels = int(option)
        else:
            raise InputError(
                f"splitter: {kind!r} has an option {option!r} that is not known; give the level "
                f"down to which headings count, 1 to {_LEVELS}, and kept to keep them in their "
                f"sections, as in {KIND}:3,kept"
            )
    return SectionsWanted(levels, strip_headers)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as LangChain sees it.

    Attributes:
        text: trimmed, characters that are not printable left out.
        start: offset of its first kept character, or of the line where none is kept.
        end: one past its last.
        heading: what it is as a heading, or None.
        code: whether it stands in a code block (its last line does not count).
    """

    text: str
    start: int
    end: int
    heading: re.Match[str] | None
    code: bool


@dataclass(slots=True)
class _Lines:
    """Lines that make a section, or a part of one.

    Attributes:
        path: level and title of each heading above.
        texts: what is put together for the section's text.
        starts: where each of these begins in the source, -1 for what was put in.
        spans: source ranges of the lines; one, until a dropped heading lies between.
        after_drop: whether a heading was dropped right before it.
        last: its last line.
    """

    path: tuple[tuple[int, str], ...]
    texts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    after_drop: bool = False
    last: str = ""

    def add(self, line: _Line) -> None:
        """Put a line below."""
        if self.texts:
            self.texts.append("\n")
            self.starts.append(-1)
            self.spans[-1] = Span(self.spans[-1].start, line.end)
        else:
            self.spans.append(Span(line.start, line.end))
        self.texts.append(line.text)
        self.starts.append(line.start)
        self.last = line.text

    def join(self, other: "_Lines") -> None:
        """Put others below, their range joined unless a heading was dropped between them."""
        self.texts += ["  \n", *other.texts]
        self.starts += [-1, *other.starts]
        self.last = other.last
        if not other.after_drop:
            self.spans[-1] = Span(self.spans[-1].start, other.spans[0].end)
        self.spans.extend(other.spans[0 if other.after_drop else 1 :])

    def offsets(self, source: str) -> Offsets:
        """Where each character of the text stands in the source, -1 for one that was put in."""
        parts = []
        for text, start in zip(self.texts, self.starts, strict=True):
            if start < 0:
                parts.append(np.full(len(text), -1, dtype=np.int32))
            elif source.startswith(text, start):
                parts.append(np.arange(start, start + len(text), dtype=np.int32))
            else:
                # Characters that are not printable were left out between those that are.
                places: list[int] = []
                place = start
                while len(places) < len(text):
                    if source[place].isprintable():
                        places.append(place)
                    place += 1
                parts.append(np.array(places, dtype=np.int32))
        return np.concatenate(parts)


class LangchainMarkdownText:
    """A text cut into LangChain's sections, whatever the size."""

    def __init__(self, text: str, wanted: SectionsWanted) -> None:
        self._text = text
        self._wanted = wanted
        self._cuts: Cuts | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks, the same at every size and overlap; see `PreparedText`."""
        if self._cuts is None:
            self._cuts = self._made(cancel)
        return self._cuts

    def _made(self, cancel: CancelToken | None) -> Cuts:
        starts: list[int] = []
        ends: list[int] = []
        altered: dict[int, str] = {}
        spans: dict[int, tuple[Span, ...]] = {}
        for section in _sections(self._text, self._wanted, cancel):
            start, end = section.spans[0].start, section.spans[-1].end
            text = "".join(section.texts)
            if text != self._text[start:end]:
                altered[len(starts)] = text
            if len(section.spans) > 1:
                spans[len(starts)] = tuple(section.spans)
            starts.append(start)
            ends.append(end)
        return Cuts(
            np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64), altered, spans
        )


class LangchainMarkdownSplitter:
    """A chunk a section, under the headings of all six levels or of the first so many.

    The option `kept`, or `keep_separator` start, keeps headings in their sections (LangChain's
    strip_headers=False); else they are dropped, as LangChain does by default.
    """

    unit: str | None = None
    uses = frozenset({"keep_separator", "unit", "encoding", "dedupe"})

    def __init__(self, kind: str = KIND) -> None:
        """Take in the options of a kind.

        Raises:
            InputError: for one that is not known.
        """
        self._wanted = sections_wanted(kind)

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        check_unit(settings, UNITS)
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> LangchainMarkdownText:
        """The text, yet to be cut; see `Splitter`."""
        strip_headers = self._wanted.strip_headers and settings.keep_separator != "start"
        return LangchainMarkdownText(text, self._wanted._replace(strip_headers=strip_headers))


def langchain_sections(
    text: str, wanted: SectionsWanted, cancel: CancelToken | None = None
) -> Iterator[Section]:
    """The sections with their texts, for a splitter that cuts them further.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    for section in _sections(text, wanted, cancel):
        yield Section("".join(section.texts), tuple(section.spans), section.offsets(text))


def langchain_headings(text: str) -> list[Heading]:
    """What LangChain takes for headings, each with its line: comments in indented code too."""
    return [
        Heading(
            len(line.heading[1]),
            line.text[line.heading.end() :].strip(),
            Span(line.start, line.end),
        )
        for line in _lines(text, _LEVELS, None)
        if line.heading
    ]


def _lines(text: str, levels: int, cancel: CancelToken | None) -> Iterator[_Line]:
    position = 0
    fence = ""
    heading = _HEADINGS[levels - 1]
    for number, source in enumerate(text.split("\n")):
        if cancel is not None and number % _LINES_PER_CHECK == 0:
            cancel.check()
        kept, start, end = _kept(source, position)
        position += len(source) + 1
        if fence:
            if kept.startswith(fence):
                fence = ""
        elif kept.startswith("```") and kept.count("```") == 1:
            fence = "```"
        elif kept.startswith("~~~"):
            fence = "~~~"
        yield _Line(kept, start, end, None if fence else heading.match(kept), bool(fence))


def _kept(source: str, position: int) -> tuple[str, int, int]:
    """What is kept of a line at `position`, and from where to where it stands."""
    stripped = source.strip()
    if not stripped:
        return "", position, position
    start = position + len(source) - len(source.lstrip())
    if stripped.isprintable():
        return stripped, start, start + len(stripped)
    places = [place for place, character in enumerate(stripped) if character.isprintable()]
    if not places:
        return "", position, position
    text = "".join(filter(str.isprintable, stripped))
    return text, start + places[0], start + places[-1] + 1


def _paragraphs(text: str, wanted: SectionsWanted, cancel: CancelToken | None) -> Iterator[_Lines]:
    """Lines up to the next blank line or heading; code goes on over both."""
    open_headings: list[tuple[int, str]] = []
    # The headings that count are those above the line before.
    path: tuple[tuple[int, str], ...] = ()
    section = _Lines(path)
    for line in _lines(text, wanted.levels, cancel):
        if line.code:
            section.add(line)
            continue
        if line.heading or not line.text:
            if section.texts:
                section.path = path
                yield section
                section = _Lines(())
            if line.heading:
                level = len(line.heading[1])
                while open_headings and open_headings[-1][0] >= level:
                    open_headings.pop()
                open_headings.append((level, line.text[level:].strip()))
                if wanted.strip_headers:
                    section.after_drop = True
                else:
                    section.add(line)
        else:
            section.add(line)
        path = tuple(open_headings)
    if section.texts:
        section.path = path
        yield section


def _sections(text: str, wanted: SectionsWanted, cancel: CancelToken | None) -> Iterator[_Lines]:
    """Paragraphs that follow each other under the same headings, put together."""
    above: _Lines | None = None
    for section in _paragraphs(text, wanted, cancel):
        if above is None:
            above = section
        elif above.path == section.path:
            above.join(section)
        elif (
            not wanted.strip_headers
            and above.last[0] == "#"
            and len(above.path) < len(section.path)
        ):
            above.join(section)
            above.path = section.path
        else:
            yield above
            above = section
    if above is not None:
        yield above
