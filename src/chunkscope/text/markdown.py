"""Headings of Markdown: the blocks of CommonMark, as far as they decide what a heading is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chunkscope.text.lines import LineIndex

_ATX = re.compile(r" {0,3}(#{1,6})(?= |$)")
_ATX_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_SETEXT = re.compile(r" {0,3}(?:(=+)|-+) *$")
_BREAK = re.compile(r" {0,3}(?:(?:\* *){3,}|(?:_ *){3,}|(?:- *){3,})$")
_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})")
_FENCE_END = re.compile(r" {0,3}(`{3,}|~{3,}) *$")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r"( {0,3})([-+*]|(\d{1,9})[.)])( +|$)")

# What opens a block of HTML, and what ends it (None: a blank line).
_HTML_ENDS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (
        re.compile(r" {0,3}<(?:script|pre|style|textarea)(?=\s|>|$)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile(r" {0,3}<!--"), re.compile(r"-->")),
    (re.compile(r" {0,3}<\?"), re.compile(r"\?>")),
    (re.compile(r" {0,3}<![A-Za-z]"), re.compile(r">")),
    (re.compile(r" {0,3}<!\[CDATA\["), re.compile(r"\]\]>")),
    (
        re.compile(
            r" {0,3}</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col"
            r"|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form"
            r"|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem"
            r"|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot"
            r"|th|thead|title|tr|track|ul)(?=\s|/?>|$)",
            re.I,
        ),
        None,
    ),
)
# Any other tag alone on its line opens one too, though not in the middle of a paragraph.
_LONE_TAG = re.compile(
    r" {0,3}<(?:/[A-Za-z][A-Za-z0-9-]*\s*"
    r"|[A-Za-z][A-Za-z0-9-]*"
    r"""(?:\s+[A-Za-z_:][A-Za-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*+\s*/?)> *$"""
)
_DELIMITER_ROW = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$")
_PLAIN = re.compile(r"[^\W\d_]")
# Settings above the text, by their first line: YAML and TOML.
_FRONT_MATTER = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(r"[\w\"'.-]+[ \t]*[:=]|\[")
# Deeper than this nobody nests; what stands there is text.
_DEEPEST = 50


@dataclass
class _State:
    """What is open at the end of a line.

    Attributes:
        containers: block quotes (0) and list items (the columns of their content's indent).
        leaf: `""`, `paragraph`, `fence` or `html`.
        first: line on which an open paragraph begins.
        fence: the open fence's run of marks.
        html_end: what ends the open block of HTML; None: a blank line.
    """

    containers: list[int] = field(default_factory=list)
    leaf: str = ""
    first: int = 0
    fence: str = ""
    html_end: re.Pattern[str] | None = None


def markdown_headings(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Level, title, start and end of each heading outside lists and quotes, in order."""
    lines = LineIndex(text)
    state = _State()
    begin = 1 if text.startswith("\ufeff") else 0
    for number in range(_after_front_matter(text, lines, begin), lines.count):
        start, end = lines.span(number)
        if number == 0:
            start = begin
        line = text[start:end]
        if not state.containers and state.leaf in ("", "paragraph") and _PLAIN.match(line):
            # The common line; the rest is for those that begin with a mark or a space.
            if not state.leaf:
                state.leaf, state.first = "paragraph", number
            continue
        level = _take(state, line.expandtabs(4), number)
        if level > 0:
            indent = len(line) - len(line.lstrip(" \t"))
            yield level, _atx_title(line), start + indent, start + len(line.rstrip())
        elif level < 0:
            first = begin if state.first == 0 else lines.start(state.first)
            source = text[first : lines.span(number - 1).end]
            first += len(source) - len(source.lstrip())
            yield -level, " ".join(source.split()), first, start + len(line.rstrip())


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of whole lines.

    Attributes:
        kind: `front matter`, `heading`, `fence`, `table`, or `text` for all else.
        start: its first character; it ends where the next block starts.
        level: of a heading, 1 for the highest; else 0.
    """

    kind: str
    start: int
    level: int = 0


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a text, without gaps: blank lines go with what stands above them.

    Headings are those of `markdown_headings`. A fence runs from its opening line to its closing
    one, in lists and quotes too; a table from its header row on. A blank line ends a block of
    text, so that a list with blank lines is several.
    """
    lines = LineIndex(text)
    state = _State()
    begin = 1 if text.startswith("\ufeff") else 0
    first = _after_front_matter(text, lines, begin)
    # Line, kind and level of each block.
    found: list[tuple[int, str, int]] = [(0, "front matter", 0)] if first else []
    ended = True
    for number in range(first, lines.count):
        start, end = lines.span(number)
        line = text[begin if number == 0 else start : end]
        before = state.leaf
        deep = len(state.containers)
        level = _take(state, line.expandtabs(4), number)
        blank = not line.strip(" \t")
        left = before == "fence" and len(state.containers) < deep
        if level:
            opening = number if level > 0 else state.first
            while found and found[-1][0] >= opening:
                found.pop()
            found.append((opening, "heading", abs(level)))
        elif state.leaf == "fence" and (before != "fence" or left):
            found.append((number, "fence", 0))
        elif before == state.leaf == "paragraph" and found[-1][1] != "table":
            if not state.containers and _heads_table(text, lines, number):
                if found[-1][0] == number - 1:
                    found.pop()
                found.append((number - 1, "table", 0))
        elif (ended or left) and not blank:
            found.append((number, "text", 0))
        closed = before == "fence" and state.leaf != "fence" and not left
        ended = bool(level) or closed or (blank and (ended or not state.leaf))
    if not found and text:
        found.append((0, "text", 0))
    return [
        Block(kind, lines.start(line) if number else 0, level)
        for number, (line, kind, level) in enumerate(found)
    ]


def _heads_table(text: str, lines: LineIndex, number: int) -> bool:
    """Whether this line of a paragraph parts a table's header row, the line above, from it."""
    row = text[slice(*lines.span(number))]
    if "|" not in row or not _DELIMITER_ROW.match(row):
        return False
    above = text[slice(*lines.span(number - 1))]
    return "|" in above and _cells(row) == _cells(above)


def _cells(row: str) -> int:
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return inner.count("|") - inner.count("\\|") + 1


def _after_front_matter(text: str, lines: LineIndex, begin: int) -> int:
    # Its comments look like headings, and its last line would underline the one above.
    closings = _FRONT_MATTER.get(text[begin : lines.span(0).end].rstrip())
    if closings is None or lines.count < 3 or not _KEY.match(text, lines.start(1)):
        return 0
    for number in range(2, lines.count):
        start, end = lines.span(number)
        if text[start:end].rstrip() in closings:
            return number + 1
    return 0


def _atx_title(line: str) -> str:
    inner = line.strip(" \t").lstrip("#").strip(" \t")
    return " ".join(_ATX_CLOSING.sub("", inner).split())


def _take(state: _State, line: str, number: int) -> int:
    """Take one line in; the level of the heading it is, negative when it underlines one, or 0."""
    rest, matched = _inside(state.containers, line)
    blank = not rest.strip(" ")
    if matched < len(state.containers):
        if state.leaf == "paragraph" and not blank and not _begins_block(rest):
            return 0
        del state.containers[matched:]
        state.leaf = ""
    if state.leaf == "fence":
        close = _FENCE_END.match(rest)
        if close and close[1].startswith(state.fence):
            state.leaf = ""
        return 0
    if state.leaf == "html":
        if state.html_end.search(rest) if state.html_end else blank:
            state.leaf = ""
        return 0
    if blank:
        state.leaf = ""
        return 0
    return _open(state, rest, number)


def _inside(containers: list[int], line: str) -> tuple[str, int]:
    """The line without the marks of the open containers, and how many of them go on."""
    position = 0
    for count, content in enumerate(containers):
        if content:
            if line[position : position + content].strip(" ") and line[position:].strip(" "):
                return line[position:], count
            position += content
        else:
            quote = _QUOTE.match(line, position)
            if quote is None:
                return line[position:], count
            position = quote.end()
    return line[position:], len(containers)


def _begins_block(line: str) -> bool:
    """Whether a line cannot go on with a paragraph of the container that it left."""
    return bool(
        _ATX.match(line)
        or _FENCE.match(line)
        or _BREAK.match(line)
        or _QUOTE.match(line)
        or _ITEM.match(line)
        or any(opener.match(line) for opener, _ in _HTML_ENDS)
    )


def _interrupting_item(line: str) -> bool:
    item = _ITEM.match(line)
    return bool(item and line[item.end() :].strip(" ") and item[3] in (None, "1"))


def _open(state: _State, line: str, number: int) -> int:
    """Open what a line begins, its containers first."""
    position = 0
    while True:
        paragraph = state.leaf == "paragraph"
        rest = line[position:]
        underline = _SETEXT.match(rest) if paragraph else None
        if underline:
            state.leaf = ""
            level = 1 if underline[1] else 2
            return 0 if state.containers else -level
        if _BREAK.match(rest):
            state.leaf = ""
            return 0
        if len(state.containers) >= _DEEPEST:
            return _open_leaf(state, rest, number)
        if quote := _QUOTE.match(rest):
            state.containers.append(0)
            state.leaf = ""
            position += quote.end()
            continue
        item = _ITEM.match(rest)
        if item and (not paragraph or _interrupting_item(rest)):
            state.leaf = ""
            spaces = len(item[4])
            # Five spaces or more, or none at all, leave one to the mark.
            taken = spaces if 1 <= spaces <= 4 and rest[item.end() :].strip(" ") else 1
            width = len(item[1]) + len(item[2]) + taken
            state.containers.append(width)
            position += width
            if not line[position:].strip(" "):
                return 0
            continue
        return _open_leaf(state, rest, number)


def _open_leaf(state: _State, line: str, number: int) -> int:
    if not line.strip(" "):
        state.leaf = ""
        return 0
    paragraph = state.leaf == "paragraph"
    if line.startswith("    "):
        return 0
    if heading := _ATX.match(line):
        state.leaf = ""
        return 0 if state.containers else len(heading[1])
    if fence := _FENCE.match(line):
        state.leaf, state.fence = "fence", fence[2]
        return 0
    for opener, ender in _HTML_ENDS:
        if opener.match(line):
            closed = ender is not None and ender.search(line)
            state.leaf, state.html_end = ("" if closed else "html"), ender
            return 0
    if not paragraph:
        if _LONE_TAG.match(line):
            state.leaf, state.html_end = "html", None
        else:
            state.leaf, state.first = "paragraph", number
    return 0
