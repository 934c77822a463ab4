"""The block elements of an HTML text, by where their tags stand in the source.

A scan of tags, not a tree: elements that are never closed, or closed twice, do no harm, and no
character is moved. A tag, comment or raw element that never ends takes in the rest of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLOCK_NAMES = (
    "address article aside blockquote body caption center colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html "
    "legend li link main menu meta nav noscript ol optgroup option p pre search section select "
    "summary table tbody td template tfoot th thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_WHOLE = frozenset({"pre", "table", "svg", "math"})
"""Elements inside which no block begins."""

_RAW = frozenset({"script", "style", "textarea", "title", "iframe", "noframes", "xmp"})
"""Elements whose content is no markup."""

_SHOWN = frozenset({"img", "input", "embed", "object", "audio", "video", "canvas"})
"""Elements that show something without any text in them."""

_MARKUP = re.compile(r"<(?:(!--)|(/?)([A-Za-z][^\s/>]*)|[!?/])")
# A > within a quoted value ends no tag.
_TAG_REST = re.compile(r"""(?:[^>"'=]|=\s*+(?:"[^"]*"|'[^']*')?|["'])*+>""")


@dataclass(frozen=True, slots=True)
class Markup:
    """A tag; a raw element from its start tag to its end tag; or a comment or declaration.

    Attributes:
        name: the element's name in lower case; empty for comments and declarations.
        closes: whether it is an end tag.
        start: its first character.
        end: one past its last.
    """

    name: str
    closes: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """A stretch of source that shows one block, with the tags that open and close it.

    Attributes:
        start: its first character; it ends where the next block starts.
        level: 1 to 6 for a heading, else 0.
    """

    start: int
    level: int = 0


def html_markup(text: str) -> Iterator[Markup]:
    """The tags, comments and raw elements of a text, in order."""
    position = 0
    while match := _MARKUP.search(text, position):
        start = match.start()
        name = (match[3] or "").lower()
        if match[1]:
            # The comments <!--> and <!---> are whole.
            close = text.find("-->", start + 2)
            position = len(text) if close < 0 else close + 3
        elif not name:
            position = text.find(">", start) + 1 or len(text)
        else:
            rest = _TAG_REST.match(text, match.end())
            position = rest.end() if rest else len(text)
            if name in _RAW and not match[2]:
                close_tag = re.compile(f"</{name}(?=[\\s/>])", re.IGNORECASE)
                closing = close_tag.search(text, position)
                position = text.find(">", closing.end()) + 1 if closing else 0
                position = position or len(text)
        yield Markup(name, bool(match[2]), start, position)


def html_blocks(text: str) -> list[HtmlBlock]:
    """The blocks of a text, without gaps.

    A block begins with the tags that open it and ends with those that close it and the white
    space after them. Tables and preformatted text are one block each.
    """
    scan = _Scan(text)
    end = 0
    for markup in html_markup(text):
        scan.between(end, markup.start)
        scan.take(markup)
        end = markup.end
    scan.between(end, len(text))
    return scan.blocks if text else []


class _Scan:
    """What is known of the block that a scan is in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.blocks = [HtmlBlock(0)]
        # Whether the block shows anything yet, and whether it has been closed since.
        self._filled = False
        self._closed = False
        self._whole = ""
        self._depth = 0

    def between(self, start: int, end: int) -> None:
        """Take in what stands between two tags."""
        source = self._text[start:end]
        if source.strip():
            if self._closed:
                self._begin(start + len(source) - len(source.lstrip()))
            self._filled = True

    def take(self, markup: Markup) -> None:
        """Take in a tag, a comment or a raw element."""
        name = markup.name
        if self._whole:
            self._nest(markup)
        elif name in _RAW and not markup.closes:
            self._begin_next(markup.start)
            self._filled = self._closed = True
        elif name in _BLOCKS or name in _WHOLE:
            if markup.closes:
                self._closed = self._filled
                return
            self._begin_next(markup.start)
            if len(name) == 2 and name[0] == "h" and name[1].isdecimal():
                self.blocks[-1] = HtmlBlock(self.blocks[-1].start, int(name[1]))
            if name in _WHOLE:
                self._whole, self._depth = name, 1
                self._filled = True
        else:
            if self._closed:
                self._begin(markup.start)
            self._filled = self._filled or name in _SHOWN

    def _nest(self, markup: Markup) -> None:
        """Follow the tags of the element in which no block begins."""
        if markup.name == self._whole:
            self._depth += -1 if markup.closes else 1
            if not self._depth:
                self._whole, self._closed = "", True

    def _begin_next(self, place: int) -> None:
        if self._filled:
            self._begin(place)

    def _begin(self, place: int) -> None:
        if place > self.blocks[-1].start:
            self.blocks.append(HtmlBlock(place))
        self._filled = self._closed = False
