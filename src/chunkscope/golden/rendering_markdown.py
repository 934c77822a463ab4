"""Markdown as it is shown: which ranges of the source are left out or replaced.

Blocks are told apart line by line, as far as their marks go; what is within them by one scan.
"""

import html
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from chunkscope.golden.mapped import Edit
from chunkscope.golden.rendering_html import known_tag
from chunkscope.text.lines import LineIndex

_FENCE = re.compile(r"[\s>]*(?:[-+*][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_PREFIX = re.compile(
    r"(?:[ \t]*(?:>[ \t]?|[-+*•◦▪‣●○][ \t]+(?:\[[ xX]\][ \t]+)?))+|[ \t]+", re.UNICODE
)
_ATX = re.compile(r"[ \t]*#{1,6}(?:[ \t]+|$)")
_ATX_END = re.compile(r"(?:[ \t]+#+)?(?:[ \t]*\{[#.:][^{}]*\})?[ \t]*$")
_RULE = re.compile(r"[\s>]*(?:={2,}|-{2,}|(?:[-*_][ \t]*){3,})[ \t]*$")
_DELIMITER_ROW = re.compile(r"[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*$")
_DEFINITION = re.compile(r"[ \t]{0,3}\[(?!\^)([^\[\]]{1,200})\]:[ \t]*\S")
_FOOTNOTE = re.compile(r"[ \t]{0,3}\[\^[^\[\]\s]{1,60}\]:[ \t]*")
_PIPE = re.compile(r"(?<!\\)\|")

_MARK = re.compile(
    r"""\\[!-/:-@\[-`{-~]          # an escaped mark
    |`+|\*+|_+|~~                 # code, emphasis
    |!?\[|\]                      # links
    |<!--                         # comments
    |<[^<>\n]{1,2000}>            # tags
    |&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});""",
    re.VERBOSE | re.DOTALL,
)
_TARGET = re.compile(
    r"""\(\s{0,80}+(?:<[^<>\n]{0,2000}>|[^\s()<]{0,2000}+(?:\([^\s()]{0,500}+\)[^\s()]{0,500}+)?)
    (?:\s{1,80}+(?:"[^"]{0,500}+"|'[^']{0,500}+'|\([^()]{0,500}+\)))?\s{0,80}+\)""",
    re.VERBOSE,
)
_LABEL = re.compile(r"\[([^\[\]]{0,200})\]")
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[^\s<>@]+@[^\s<>@]+>")


def markdown_edits(text: str, *, mark_superscripts: bool) -> list[Edit]:
    """Edits that take the marks out of a Markdown text."""
    scan = _Lines(text)
    blocks = scan.blocks()
    labels = frozenset(scan.labels)
    for start, end in blocks:
        scan.edits.extend(_Inline(text[start:end], start, labels, mark_superscripts).edits())
    return scan.edits


def without_pipes(text: str) -> str:
    """`text` with a space for each pipe, as the cells of a row follow each other."""
    return _PIPE.sub(" ", text)


class _Lines:
    """The lines of a text: marks at their beginnings, and the blocks without code."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._index = LineIndex(text)
        self.edits: list[Edit] = []
        self.labels: list[str] = []
        self._found: list[tuple[int, int]] = []
        self._first: int | None = None
        self._fence = ""
        self._table = False

    def blocks(self) -> list[tuple[int, int]]:
        """Ranges within which marks belong together."""
        before = (0, 0)
        for number in range(self._index.count):
            start, end = self._index.span(number)
            line = self._text[start:end]
            mark = _FENCE.match(line)
            if self._fence:
                if mark and mark[1].startswith(self._fence) and not line[mark.end() :].strip():
                    self._drop(start, end)
                    self._fence = ""
            elif mark:
                self._end_at(start)
                self._drop(start, end)
                self._fence = mark[1]
            elif not line.strip():
                self._end_at(start)
                self._table = False
            else:
                self._take(line, start, end, before)
            before = (start, end)
        self._end_at(len(self._text))
        return self._found

    def _take(self, line: str, start: int, end: int, before: tuple[int, int]) -> None:
        if "|" in line and _DELIMITER_ROW.match(line):
            if not self._table:
                self._drop_pipes(*before)
            self._drop(start, end)
            self._table = True
            return
        definition = _DEFINITION.match(line)
        if definition or _RULE.match(line):
            self._end_at(start)
            self._drop(start, end)
            if definition:
                self.labels.append(_label(definition[1]))
            return
        start, heading = self._drop_marks(line, start, end)
        if self._table or line.lstrip(" \t>").startswith("|"):
            self._drop_pipes(start, end)
        if heading:
            self._end_at(start)
        if self._first is None:
            self._first = start
        if heading:
            self._end_at(end)

    def _end_at(self, place: int) -> None:
        if self._first is not None and place > self._first:
            self._found.append((self._first, place))
        self._first = None

    def _drop_marks(self, line: str, start: int, end: int) -> tuple[int, bool]:
        """Drop what begins a line; where the rest begins, and whether it is a heading."""
        at = 0
        for pattern in (_FOOTNOTE, _PREFIX):
            found = pattern.match(line, at)
            at = found.end() if found else at
        self._drop(start, start + at)
        heading = _ATX.match(line, at)
        if heading:
            self._drop(start + at, start + heading.end())
            at = heading.end()
            closing = _ATX_END.search(line, at)
            if closing:
                self._drop(start + closing.start(), end)
        return start + at, heading is not None

    def _drop_pipes(self, start: int, end: int) -> None:
        for pipe in _PIPE.finditer(self._text, start, end):
            self.edits.append((pipe.start(), pipe.end(), " "))

    def _drop(self, start: int, end: int) -> None:
        if start < end:
            self.edits.append((start, end, ""))


@dataclass
class _Run:
    """A run of emphasis marks that is still open: where its unused marks begin and end."""

    start: int
    end: int


@dataclass
class _Inline:
    """The marks within one block."""

    text: str
    base: int
    labels: Collection[str]
    mark_superscripts: bool
    _edits: list[Edit] = field(default_factory=list)
    _open: dict[str, list[_Run]] = field(default_factory=dict)
    _brackets: list[tuple[int, int]] = field(default_factory=list)
    _may_close: bool = True

    def edits(self) -> Iterator[Edit]:
        """Edits in code points of the document."""
        code = self._code_ends()
        at = 0
        while found := _MARK.search(self.text, at):
            mark, start, at = found.group(), found.start(), found.end()
            if mark[0] == "`":
                if start in code:
                    closing = code[start]
                    self._edit(start, at, "")
                    self._edit(closing, closing + len(mark), "")
                    at = closing + len(mark)
            elif mark[0] in "*_~":
                self._emphasis(mark, start, at)
            elif mark in ("[", "!["):
                self._brackets.append((start, at))
            elif mark == "]":
                at = self._close_bracket(start)
            elif mark[0] == "\\":
                self._edit(start, start + 1, "")
            elif mark == "<!--":
                at = self._comment(start, at)
            elif mark[0] == "&":
                self._edit(start, at, html.unescape(mark))
            else:
                self._tag(mark, start, at)
        return ((start + self.base, end + self.base, new) for start, end, new in self._edits)

    def _edit(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, new))

    def _code_ends(self) -> dict[int, int]:
        """Where each run of backticks is closed by the next of the same length."""
        ends: dict[int, int] = {}
        later: dict[int, int] = {}
        for run in reversed(list(re.finditer("`+", self.text))):
            length = run.end() - run.start()
            if length in later:
                ends[run.start()] = later[length]
            later[length] = run.start()
        return ends

    def _emphasis(self, mark: str, start: int, end: int) -> None:
        before = self.text[start - 1 : start] or " "
        after = self.text[end : end + 1] or " "
        left = not after.isspace() and (after.isalnum() or not before.isalnum())
        right = not before.isspace() and (before.isalnum() or not after.isalnum())
        opens, closes = left, right
        if mark[0] == "_":
            opens = left and not before.isalnum()
            closes = right and not after.isalnum()
        stack = self._open.setdefault(mark[0], [])
        run = _Run(start, end)
        while closes and stack and run.start < run.end:
            opener = stack[-1]
            count = min(opener.end - opener.start, run.end - run.start)
            self._edit(opener.end - count, opener.end, "")
            self._edit(run.start, run.start + count, "")
            opener.end -= count
            run.start += count
            if opener.start == opener.end:
                stack.pop()
        if opens and run.start < run.end:
            stack.append(run)

    def _close_bracket(self, place: int) -> int:
        after = place + 1
        if not self._brackets:
            return after
        opened, inside = self._brackets.pop()
        content = self.text[inside:place] if place - inside <= 200 else ""
        if content.startswith("^") and " " not in content:
            # A note's mark: its own sign where marks are looked for, else as it is shown.
            if not self.mark_superscripts:
                self._edit(opened, inside + 1, "")
                self._edit(place, after, "")
            return after
        end = self._target_end(content, after)
        if end is None:
            return after
        self._edit(opened, inside, "")
        self._edit(place, end, "")
        return end

    def _target_end(self, content: str, after: int) -> int | None:
        target = _TARGET.match(self.text, after)
        if target:
            return target.end()
        label = _LABEL.match(self.text, after)
        if label and _label(label[1] or content) in self.labels:
            return label.end()
        return after if _label(content) in self.labels else None

    def _comment(self, start: int, after: int) -> int:
        end = self.text.find("-->", after) if self._may_close else -1
        self._may_close = end >= 0
        if end < 0:
            return after
        self._edit(start, end + 3, "")
        return end + 3

    def _tag(self, mark: str, start: int, end: int) -> None:
        if _AUTOLINK.fullmatch(mark):
            self._edit(start, start + 1, "")
            self._edit(end - 1, end, "")
        else:
            shown = known_tag(mark, mark_superscripts=self.mark_superscripts)
            if shown is not None:
                self._edit(start, end, shown)


def _label(text: str) -> str:
    return " ".join(text.casefold().split())
