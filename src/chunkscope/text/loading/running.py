"""Lines that stand at the head or foot of page after page: titles, dates, page numbers."""

import re
from collections import Counter
from collections.abc import Sequence

_DEEPEST = 3
"""Lines from a page's edge that may be running ones."""

_LONGEST = 120
"""Characters beyond which a line is text."""

_FEWEST_PAGES = 3
_DIGITS = re.compile(r"\d+")
_SHOWN = 3


def without_running(pages: Sequence[str]) -> tuple[list[str], list[str]]:
    """The pages without their running lines, and what those were, commonest first.

    A line runs when the same one stands at the same place from the page's edge, numbers apart, on
    at least three pages and at least a third of those that have text. Blank lines at the edge go
    with it.
    """
    lines = [page.split("\n") for page in pages]
    least = max(_FEWEST_PAGES, -(-sum(bool(page.strip()) for page in pages) // 3))
    found: Counter[str] = Counter()
    for backwards in (False, True):
        turned = [page[::-1] if backwards else page for page in lines]
        kept = _from_edge(turned, least, found)
        lines = [page[::-1] if backwards else page for page in kept]
    return ["\n".join(page) for page in lines], [line for line, _ in found.most_common()]


def running_note(found: Sequence[str]) -> str:
    """What to say of the lines that were left out."""
    shown = ", ".join(repr(line) for line in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"running lines left out: {shown}{more}" if found else "no running lines found"


def _from_edge(pages: list[list[str]], least: int, found: Counter[str]) -> list[list[str]]:
    """The pages without the running lines at their beginning."""
    for _ in range(_DEEPEST):
        edges = [_edge(page) for page in pages]
        counts = Counter(edge[1] for edge in edges if edge is not None)
        running = {line for line, count in counts.items() if count >= least}
        if not running:
            return pages
        kept = []
        for page, edge in zip(pages, edges, strict=True):
            if edge is not None and edge[1] in running:
                found[edge[1]] += 1
                after = edge[0] + 1
                while after < len(page) and not page[after].strip():
                    after += 1
                kept.append(page[after:])
            else:
                kept.append(page)
        pages = kept
    return pages


def _edge(page: list[str]) -> tuple[int, str] | None:
    """Place and form of a page's first line that is not blank; None where it is long."""
    for number, line in enumerate(page):
        if line.strip():
            form = _DIGITS.sub("#", " ".join(line.split()))
            return (number, form) if len(form) <= _LONGEST else None
    return None
