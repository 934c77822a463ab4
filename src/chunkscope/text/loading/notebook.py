"""The cells of a Jupyter notebook."""

import json
from typing import Any

from chunkscope.text.loading.reading import Extracted
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
    count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
    note = f"{count} of a notebook, outputs left out: offsets refer to the extracted text"
    return Extracted(text, Origin("notebook", parts), (note,))


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
