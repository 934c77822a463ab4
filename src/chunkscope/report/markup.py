"""HTML made of outside text: nothing in it is ever read as markup."""

import html
from collections.abc import Iterable, Sequence

from chunkscope.text.display import visible

LINE_END = '<span class="mark">↵</span>\n'


def literal(text: str) -> str:
    """Outside text on one line, as HTML: every hidden character has a mark."""
    return html.escape(visible(text), quote=True)


def running(text: str) -> str:
    """Outside text over several lines, as HTML: each line end is marked and kept."""
    return LINE_END.join(literal(line) for line in text.split("\n"))


def element(name: str, inside: str, css: str = "") -> str:
    """An element around HTML, with a class of our own."""
    opening = f'<{name} class="{css}">' if css else f"<{name}>"
    return f"{opening}{inside}</{name}>"


def listing(sentences: Iterable[str]) -> str:
    """Sentences of outside text as a list; nothing where there are none."""
    items = "".join(element("li", literal(sentence)) for sentence in sentences)
    return element("ul", items) if items else ""


def table(
    caption: str, headings: Sequence[tuple[str, bool]], rows: Iterable[str], css: str = ""
) -> str:
    """A table with a caption that may scroll sideways.

    Args:
        caption: what it shows, outside text.
        headings: heading and whether its column holds numbers.
        rows: made by `row`.
        css: a class of our own.
    """
    head = "".join(
        f'<th scope="col"{" class=num" if numeric else ""}>{literal(heading)}</th>'
        for heading, numeric in headings
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{literal(caption)}">'
        f'<table class="{css}"><caption>{literal(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def row(cells: Sequence[str], *, numbers: Sequence[bool] = (), attributes: str = "") -> str:
    """A row of cells that are HTML already; its first cell is its heading.

    Args:
        cells: HTML.
        numbers: which cells are numbers.
        attributes: of the row, made by `data`.
    """
    made = []
    for at, cell in enumerate(cells):
        css = " class=num" if at < len(numbers) and numbers[at] else ""
        made.append(f'<th scope="row"{css}>{cell}</th>' if at == 0 else f"<td{css}>{cell}</td>")
    return f"<tr{attributes}>{''.join(made)}</tr>"


def data(**values: str) -> str:
    """Attributes `data-NAME` with outside text."""
    return "".join(f' data-{name}="{literal(value)}"' for name, value in values.items())


def number(value: float | None, digits: int = 3) -> str:
    """A measured number; a dash for what was not measured."""
    return "–" if value is None else f"{value:,.{digits}f}"
