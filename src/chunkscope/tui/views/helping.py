"""What keys do in the part of the screen that has the focus."""

from collections.abc import Iterable

Entry = tuple[str, str]
"""Key and sentence."""

_LIST = ("up down", "To the row before or after; Page Up, Page Down, Home, End, too.")

HERE: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "document": (
        "The document",
        (
            ("arrows", "Move the cursor; Page Up and Page Down by pages, Home and End in a line."),
            ("enter", "Say everything about the cursor's place."),
            ("t m", "Begin a selection; a asks about it, t n adds it to the chosen question."),
            ("mouse", "Drag to select; rest on a gutter for what made the boundary."),
        ),
    ),
    "documents": (
        "The list of documents",
        (_LIST, ("enter", "Go to the document; d or Escape goes back.")),
    ),
    "settings": (
        "The settings",
        (
            ("up down", "To the setting above or beneath, of the same variant; Tab: the other."),
            ("left right", "Step through the values of a field with ▾."),
            ("enter", "The next value; where there are many, a list to narrow down by typing."),
            ("escape", "Back to the document; what cannot be used is dropped."),
            ("–", "Not used by the splitter that is chosen."),
        ),
    ),
    "metrics": (
        "The metrics",
        (
            _LIST,
            ("Δ ±", "B less A, with half of its 95 % interval; noise: the interval holds 0."),
            ("0", "Pin A's numbers as the baseline P; A and B are then shown less P."),
        ),
    ),
    "questions": (
        "Questions",
        (
            _LIST,
            ("enter", "Go to the evidence in the document."),
            ("m", "Mend the question: settings near A that hit it, the cheapest in B."),
            ("t g", "Edit it; t x deletes it; t n and t o add the selection to it."),
        ),
    ),
    "retrieved": (
        "Retrieved",
        (_LIST, ("enter", "Go to the chunk."), ("tab", "From A's ranking to B's.")),
    ),
    "sweep": (
        "Sweep",
        (
            ("r", "Sweep these sizes and overlaps, or stop; the rows that are done stay."),
            ("arrows", "Over the map: the cell under the cursor is B at once."),
            ("enter", "Take the row into B; on the map, go to the document."),
            ("3", "The table in place of the map, or back, where both do not fit."),
            ("◆", "The knee: the cheapest row that is not worse beyond noise."),
            ("older", "A or the questions changed since; r sweeps again."),
        ),
    ),
    "chunks": ("Chunks", (_LIST, ("enter", "Go to the chunk in the document."))),
    "diagnosis": (
        "Diagnosis",
        (
            _LIST,
            ("tab", "From the signatures to their questions, and to what mends one."),
            ("enter", "Go to the question's evidence; on a mend: take it into B."),
        ),
    ),
    "health": (
        "Health",
        (_LIST, ("enter", "On a check: its next place; on a place: into the document.")),
    ),
    "compare": ("Compare", (_LIST, ("enter", "Take the step into B."))),
    "tabs": ("The panels' names", (("left right", "The panel before or after; 1 to 7, too."),)),
}


def here(names: Iterable[str]) -> tuple[str, tuple[Entry, ...]] | None:
    """The first of the focused widget's and its ancestors' ids that has help of its own."""
    return next((HERE[name] for name in names if name in HERE), None)
