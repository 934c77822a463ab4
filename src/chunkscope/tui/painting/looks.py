"""How one piece of a row looks, by name; a widget turns the names into styles."""

from enum import Enum
from typing import NamedTuple

from chunkscope.tui.painting.bands import Band
from chunkscope.tui.painting.layers import EvidenceState


class Ink(Enum):
    """What a piece is, apart from the text's own characters."""

    TEXT = "text"
    MARK = "mark"
    SCISSORS = "scissors"


class Look(NamedTuple):
    """One piece's look.

    Attributes:
        band: its shading.
        evidence: the state of the evidence it belongs to.
        underlined: by evidence; the pattern of it tells the state without colour.
        found: part of a match of the search.
        boundary: the first character of a chunk.
        other: the first character of a chunk of the other variant.
        selected: by the mouse.
        cursor: the character at the cursor.
        ink: text, a visible mark for a hidden character, or a scissors.
    """

    band: Band = Band.GAP
    evidence: EvidenceState | None = None
    underlined: bool = False
    found: bool = False
    boundary: bool = False
    other: bool = False
    selected: bool = False
    cursor: bool = False
    ink: Ink = Ink.TEXT


class Piece(NamedTuple):
    """Drawn text and its look; `[start, end)` is the text it stands for, empty for a scissors."""

    text: str
    look: Look
    start: int
    end: int
