"""The cells of a Jupyter notebook."""

import json
from collections.abc import Iterator
from typing import Any

from chunkscope.text.loading.reading import Extracted
from chunkscope.text.markdown import markdown_headings
from chunkscope.text.origin import Origin, joined


def extract_notebook(source: str) -> Extracted | None:
    """The source of every cell, a blank line between two; None when this is no notebook."""
    try:
        cells = _cells(json.loads(source.removeprefix("\ufeff")))
    except (ValueError, RecursionError):
        return None
    if cells is None:
        return None
    named = [(f"cell {number} ({kind})", text) for number, (kind, text) in enumerate(cells, 1)]
    text, parts = joined(named, "\n\n")
    headings = tuple(
        (level, title, part.start + start, part.start + end)
        for (kind, source), part in zip(cells, parts, strict=True)
        for level, title, start, end in _headings(kind, source)
    )
    count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
    note = f"{count} of a notebook, outputs left out: offsets refer to the extracted text"
    return Extracted(text, Origin("notebook", parts, headings=headings), (note,))


def _headings(kind: str, source: str) -> Iterator[tuple[int, str, int, int]]:
    """(level, title, start, end) of the headings in a cell."""
    if kind == "markdown":
        yield from markdown_headings(source)
    elif kind == "heading" and source.strip():
        # Only format 3 has cells of this kind.
        yield 1, " ".join(source.split()), 0, len(source)


def _cells(notebook: Any) -> list[tuple[str, str]] | None:
    """(kind, source) of each cell, of format 4 or of the sheets of format 3."""
    if not isinstance(notebook, dict) or "nbformat" not in notebook:
        return None
    sheets = [notebook] if "cells" in notebook else notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    found: list[tuple[str, str]] = []
    for sheet in sheets:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            return None
        for cell in cells:
            if not isinstance(cell, dict):
                return None
            source = cell.get("source", cell.get("input", ""))
            lines: list[Any] = source if isinstance(source, list) else [source]
            if not all(isinstance(line, str) for line in lines):
                return None
            found.append((str(cell.get("cell_type", "raw")), "".join(lines)))
    return found
