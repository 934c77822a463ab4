"""The headings of a document, and the path of them that leads to a place."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.lines import LineIndex
from chunkscope.text.markdown import markdown_headings
from chunkscope.text.origin import Origin
from chunkscope.text.rst import rst_headings
from chunkscope.text.spans import Span

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd")
_HTML = (".html", ".htm", ".xhtml")
_RST = (".rst", ".rest")

# Whatever stands in these is not markup of the page.
_HTML_OPENER = re.compile(
    r"<(?:!--|(?:(script|style|textarea|template|title)|h([1-6]))(?=[\s/>]))", re.I
)
_HTML_HEADING_TAG = re.compile(r"</?h[1-6](?=[\s/>]|\Z)", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")

_SHOWN = 60
"""Characters of a pattern that an error repeats."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading.

    Attributes:
        level: 1 for the highest.
        title: its text, without marks and on one line.
        span: its source: from its first mark to its last, line end left out.
    """

    level: int
    title: str
    span: Span


def headings(
    text: str, *, document_id: str, pattern: str = "", origin: Origin | None = None
) -> list[Heading]:
    """The headings of a document in order; the ending of `document_id` says how they are written.

    An extracted text has those that its file marks, by its `origin`. Markdown: `#` and underlined
    headings outside code, HTML and comments, at the top level only. HTML: `h1` to `h6`.
    reStructuredText: its section titles. All else: in each line the first match of `pattern`, at
    level 1; none without a pattern. A leading U+FEFF is passed over.

    Raises:
        InputError: when `pattern` is not a regular expression.
    """
    # The text that is taken out of a page holds no markup.
    page_text = origin is not None and origin.format == "HTML"
    if origin is not None and origin.headings:
        found: Iterator[tuple[int, str, int, int]] = iter(origin.headings)
    elif is_markdown(document_id):
        found = markdown_headings(text)
    elif is_html(document_id) and not page_text:
        found = _html_headings(text)
    elif document_id.lower().endswith(_RST):
        found = rst_headings(text)
    elif pattern:
        found = _pattern_headings(text, compile_heading_pattern(pattern))
    else:
        return []
    return [Heading(level, title, Span(start, end)) for level, title, start, end in found]


def is_markdown(document_id: str) -> bool:
    """Whether the document is Markdown, by the ending of its id."""
    return document_id.lower().endswith(_MARKDOWN)


def is_html(document_id: str) -> bool:
    """Whether the document is HTML, by the ending of its id."""
    return document_id.lower().endswith(_HTML)


def compile_heading_pattern(pattern: str) -> re.Pattern[str]:
    """The compiled `heading_pattern`.

    Raises:
        InputError: when it is not a regular expression.
    """
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        shown = visible(pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…")
        raise InputError(
            f"heading_pattern: {shown!r} is not a regular expression: {error}"
        ) from error


def heading_paths(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """For each heading, the titles from the highest that holds it down to itself."""
    paths: list[tuple[str, ...]] = []
    open_headings: list[Heading] = []
    for heading in headings:
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        paths.append(tuple(one.title for one in open_headings))
    return paths


def heading_path(headings: Sequence[Heading], offset: int) -> tuple[str, ...]:
    """The titles of the sections that hold the character at `offset`, highest first.

    A heading belongs to the section it opens. For many offsets take `heading_paths` once.
    """
    last = bisect_right(headings, offset, key=lambda heading: heading.span.start)
    path: list[str] = []
    level: int | None = None
    for index in range(last - 1, -1, -1):
        heading = headings[index]
        if level is None or heading.level < level:
            path.append(heading.title)
            level = heading.level
            if level == 1:
                break
    return tuple(reversed(path))


def _pattern_headings(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, str, int, int]]:
    lines = LineIndex(text)
    for line in range(lines.count):
        start, end = lines.span(line)
        if start == 0 and text.startswith("\ufeff"):
            start = 1
        source = text[start:end]
        match = pattern.search(source)
        title = " ".join(match[0].split()) if match else ""
        if match and title:
            yield 1, title, start + match.start(), start + match.end()


def _html_headings(text: str) -> Iterator[tuple[int, str, int, int]]:
    position = 0
    while match := _HTML_OPENER.search(text, position):
        raw, level = match[1], match[2]
        if level is None:
            position = _end_of_raw(text, match.end(), raw)
            continue
        opened = text.find(">", match.end()) + 1
        if not opened:
            return
        # Any heading's end closes it, and so does the next heading's start.
        closing = _HTML_HEADING_TAG.search(text, opened)
        inner_end = position = end = closing.start() if closing else len(text)
        if closing and text.startswith("/", closing.start() + 1):
            end = position = text.find(">", closing.end()) + 1 or len(text)
        yield int(level), _html_title(text[opened:inner_end]), match.start(), end


def _end_of_raw(text: str, start: int, element: str | None) -> int:
    if element is None:
        end = text.find("-->", start)
        return len(text) if end < 0 else end + 3
    match = re.compile(f"</{element}(?=[\\s/>])", re.IGNORECASE).search(text, start)
    return match.end() if match else len(text)


def _html_title(source: str) -> str:
    # The sign many generators hang on a heading as a link to itself is not its text.
    return " ".join(html.unescape(_TAG.sub("", source)).split()).rstrip("¶ ")
