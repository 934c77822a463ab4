"""The main text of an HTML page, with the place in the source of every character.

A scan of tags, as in `chunkscope.text.html`: no tree, so that pages that are not well formed are
read too.
"""

import re
from bisect import bisect_right
from html import unescape

from chunkscope.text.html import Markup, html_markup
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.origin import Origin

_AROUND = frozenset({"nav", "header", "footer", "aside"})
"""What stands around a page's main text; inside what is marked as main it is kept."""

_UNSEEN = frozenset({"template", "noscript", "svg", "math"})
"""Not shown as text; scripts, styles and titles never are."""

_RAW_SHOWN = frozenset({"textarea", "xmp"})
_LINES = frozenset({"br", "tr", "li", "dt", "dd", "option", "caption", "summary", "figcaption"})
_BLOCK_NAMES = (
    "address article aside blockquote body center details dialog div dl fieldset figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr html legend main menu nav ol p pre search section table ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_ROLE = re.compile(r"""\srole\s*=\s*["']?main["'\s/>]""", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS = frozenset({"td", "th"})
_TOKEN = re.compile(
    r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});?|[ \t\n\r\f]+"
)


def extract_html(source: str) -> Extracted:
    """The text of what is marked as main, else of `<article>`, else of the page without its frame.

    White space is folded except in `<pre>`; blocks are parted by a blank line, items and rows by a
    line end, cells by a tab.
    """
    tags = list(html_markup(source))
    what, ranges = _main(source, tags)
    scan = _Scan(source, ranges)
    end = 0
    for tag in tags:
        scan.text(end, tag.start)
        scan.tag(tag)
        end = tag.end
    scan.text(end, len(source))
    scan.close()
    notes = [f"the text of {what}an HTML page: offsets refer to the extracted text"]
    left = sorted(_AROUND & {tag.name for tag in tags if not tag.closes})
    if left and not ranges:
        notes.append(f"left out: {', '.join(left)}")
    text = "".join(scan.out)
    headings = tuple(
        (level, title, start, end)
        for level, start, end in scan.headings
        if (title := " ".join(text[start:end].split()).rstrip("¶ "))
    )
    return Extracted(text, Origin("HTML", (), tuple(scan.pieces), headings), tuple(notes))


def _main(source: str, tags: list[Markup]) -> tuple[str, list[tuple[int, int]]]:
    """What is marked as a page's main text, and where it stands; nothing where nothing is."""
    for what, name, pattern in (
        ("<main> in ", "main", None),
        ("role=main in ", "", _ROLE),
        ("<article> in ", "article", None),
    ):
        ranges: list[tuple[int, int]] = []
        opened, start, depth = name, 0, 0
        for tag in tags:
            if depth and tag.name == opened:
                depth += -1 if tag.closes else 1
                if not depth:
                    ranges.append((start, tag.start))
            elif (
                not depth
                and tag.name
                and not tag.closes
                and tag.name == (name or tag.name)
                and (pattern is None or pattern.search(source, tag.start, tag.end))
            ):
                opened, start, depth = tag.name, tag.end, 1
        if depth:
            ranges.append((start, len(source)))
        if ranges:
            return what, ranges
    return "", []


class _Scan:
    """The text so far, and which elements the scan is in."""

    def __init__(self, source: str, ranges: list[tuple[int, int]]) -> None:
        self._source = source
        self._ranges = ranges
        self._depth: dict[str, int] = {}
        self._gap = ""
        self._length = 0
        self.out: list[str] = []
        self.pieces: list[tuple[int, int]] = []
        # Level, start and end of headings; the last one has no end yet while it is open.
        self.headings: list[tuple[int, int, int]] = []
        self._level = 0

    def text(self, start: int, end: int) -> None:
        """Take in what stands between two tags."""
        if start >= end or not self._shown(start):
            return
        if self._depth.get("pre"):
            for match in re.finditer(r"&[^&]*|[^&]+", self._source[start:end]):
                self._preformatted(match[0], start + match.start())
            return
        at = start
        for match in _TOKEN.finditer(self._source, start, end):
            self._add(self._source[at : match.start()], at)
            if match[0][0] == "&":
                self._reference(match[0], match.start())
            else:
                self._part(" ")
            at = match.end()
        self._add(self._source[at:end], at)

    def tag(self, tag: Markup) -> None:
        """Take in a tag, a comment or a raw element."""
        name = tag.name
        if name in _HEADINGS:
            # Any heading's end closes it, and so does the next heading's start.
            self._close_heading()
            self._level = 0 if tag.closes else int(name[1])
        if name in _BLOCKS:
            self._part("\n\n")
        elif name in _LINES:
            self._part("\n")
        elif name in _CELLS:
            self._part("\t")
        if name in _UNSEEN or name in _AROUND or name == "pre":
            # Only foreign elements close themselves.
            if name not in ("svg", "math") or not self._source.endswith("/>", 0, tag.end):
                step = -1 if tag.closes else 1
                self._depth[name] = max(0, self._depth.get(name, 0) + step)
        elif name in _RAW_SHOWN and not tag.closes:
            opened = self._source.find(">", tag.start, tag.end) + 1
            self.text(opened, max(opened, self._source.rfind("</", opened, tag.end)))

    def _close_heading(self) -> None:
        """An open heading that has text ends here."""
        if self._level and self.headings and self.headings[-1][2] < 0:
            level, start, _ = self.headings[-1]
            self.headings[-1] = level, start, self._length

    def close(self) -> None:
        """The page ends, and with it a heading that is still open."""
        self._close_heading()

    def _shown(self, place: int) -> bool:
        depth = self._depth
        if any(depth.get(name) for name in _UNSEEN):
            return False
        if self._ranges:
            index = bisect_right(self._ranges, (place, len(self._source))) - 1
            return index >= 0 and place < self._ranges[index][1]
        return not any(depth.get(name) for name in _AROUND)

    def _preformatted(self, text: str, at: int) -> None:
        token = _TOKEN.match(text)
        if token and text[0] == "&":
            self._reference(token[0], at)
            text, at = text[token.end() :], at + token.end()
        self._add(text, at)

    def _reference(self, token: str, at: int) -> None:
        # Where the name has no semicolon, letters that follow stand for themselves.
        text = unescape(token)
        own = 0
        while own < min(len(text), len(token)) and text[-1 - own] == token[-1 - own]:
            own += 1
        for character in text[: len(text) - own]:
            self._add(character, at)
        self._add(text[len(text) - own :], at + len(token) - own)

    def _part(self, gap: str) -> None:
        # The widest of several gaps stands; none stands at the beginning.
        order = ("", " ", "\t", "\n", "\n\n")
        if self._length and order.index(gap) > order.index(self._gap):
            self._gap = gap

    def _add(self, text: str, at: int) -> None:
        if not text:
            return
        if self._gap:
            self.out.append(self._gap)
            self._length += len(self._gap)
            self._gap = ""
        if self._level and not (self.headings and self.headings[-1][2] < 0):
            self.headings.append((self._level, self._length, -1))
        if not self.pieces or self.pieces[-1][0] - self.pieces[-1][1] != self._length - at:
            self.pieces.append((self._length, at))
        self.out.append(text)
        self._length += len(text)
