"""A row's pieces: every code point of it drawn once, with the layers' looks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from chunkscope.text.spans import Span
from chunkscope.tui.painting.bands import Band, ChunkBands
from chunkscope.tui.painting.cells import drawn
from chunkscope.tui.painting.columns import Atom, Columns, Kind
from chunkscope.tui.painting.evidence import EvidenceIndex, FoundIndex, underline_runs
from chunkscope.tui.painting.layers import EvidenceState
from chunkscope.tui.painting.looks import Ink, Look, Piece
from chunkscope.tui.painting.marks import Marks
from chunkscope.tui.painting.rows import RowIndex

T = TypeVar("T")


class Overlay(NamedTuple):
    """What is painted over the text, indexed.

    Attributes:
        bands: the chunks, or None while there are none.
        evidence: the evidence.
        found: the matches of the search.
        selection: the selected range; empty when nothing is.
        cursor: offset of the cursor, or -1 while it is not shown.
        other: the other variant's chunks, where both are drawn.
    """

    bands: ChunkBands | None
    evidence: EvidenceIndex
    found: FoundIndex
    selection: Span
    cursor: int
    other: ChunkBands | None = None


class PaintedRow(NamedTuple):
    """Pieces of a row, left to right, the first beginning at `column`.

    Attributes:
        pieces: the pieces.
        column: where the first one begins; at most the first column asked for.
        rest: the look of the columns right of the text.
    """

    pieces: list[Piece]
    column: int
    rest: Look


class _Run(NamedTuple):
    start: int
    end: int
    look: Look


def paint_row(
    columns: Columns,
    row: int,
    overlay: Overlay,
    marks: Marks,
    *,
    first: int = 0,
    last: int | None = None,
) -> PaintedRow:
    """The pieces of the row that touch columns `[first, last)`."""
    rows = columns.rows
    atoms = columns.atoms(row, first, last)
    rest = _rest(rows, row, overlay)
    if not atoms:
        return PaintedRow([], first, rest)
    runs = _runs(rows, row, Span(atoms[0].start, atoms[-1].end), overlay, rest.band)
    pieces: list[Piece] = []
    position = 0
    for atom in atoms:
        while position < len(runs) - 1 and runs[position].end <= atom.start:
            position += 1
        if atom.kind is Kind.TEXT:
            _draw_text(rows, atom, runs, position, pieces)
        elif atom.kind is Kind.SCISSORS:
            band = _band_before(overlay, atom.start)
            look = Look(band=band, evidence="cut", ink=Ink.SCISSORS)
            pieces.append(Piece(marks.scissors, look, atom.start, atom.start))
        elif atom.kind is Kind.LINE_END:
            _draw_line_end(rows, atom, runs, position, pieces)
        else:
            look = runs[position].look
            if atom.kind is Kind.BASE:
                look = look._replace(ink=Ink.MARK)
            text = " " * atom.cells if atom.kind is Kind.TAB else marks.base
            pieces.append(Piece(text, look, atom.start, atom.end))
    return PaintedRow(pieces, atoms[0].column, rest)


def _draw_text(
    rows: RowIndex, atom: Atom, runs: list[_Run], position: int, pieces: list[Piece]
) -> None:
    text = rows.cells.text
    while position < len(runs) and runs[position].start < atom.end:
        run = runs[position]
        start, end = max(run.start, atom.start), min(run.end, atom.end)
        if start < end:
            source = text[start:end]
            shown = drawn(source)
            if shown is source or shown == source:
                pieces.append(Piece(shown, run.look, start, end))
            else:
                _draw_marks(source, shown, run.look, start, pieces)
        position += 1


def _draw_marks(source: str, shown: str, look: Look, start: int, pieces: list[Piece]) -> None:
    """Part what stands for itself from the marks that stand for hidden characters."""
    hidden = look._replace(ink=Ink.MARK)
    at = 0
    while at < len(source):
        same = source[at] == shown[at]
        stop = at + 1
        while stop < len(source) and (source[stop] == shown[stop]) is same:
            stop += 1
        pieces.append(Piece(shown[at:stop], look if same else hidden, start + at, start + stop))
        at = stop


def _draw_line_end(
    rows: RowIndex, atom: Atom, runs: list[_Run], position: int, pieces: list[Piece]
) -> None:
    # A lone carriage return is shown: nobody expects it to end a line.
    lone = rows.cells.text[atom.start : atom.end] == "\r"
    for offset in range(atom.start, atom.end):
        while position < len(runs) - 1 and runs[position].end <= offset:
            position += 1
        look = runs[position].look._replace(underlined=False)
        if lone:
            look = look._replace(ink=Ink.MARK)
        pieces.append(Piece(drawn("\r") if lone else " ", look, offset, offset + 1))


def _runs(rows: RowIndex, row: int, span: Span, overlay: Overlay, rest: Band) -> list[_Run]:
    """The range in runs of one look."""
    start, end = span
    content = rows.content(row)
    bands = _Track(
        [(piece.start, piece.end, piece.band) for piece in overlay.bands.pieces(start, end)]
        if overlay.bands is not None
        else []
    )
    evidence: _Track[tuple[EvidenceState | None, bool]] = _Track(
        [
            (low, high, (piece.state, underlined))
            for piece in overlay.evidence.pieces(start, end)
            for low, high, underlined in underline_runs(piece, rows.cells.text)
        ]
    )
    boundaries = _boundaries(rows, row, span, overlay.bands)
    others = _boundaries(rows, row, span, overlay.other)
    found = _Track([(low, high, True) for low, high in overlay.found.pieces(start, end)])
    selected = _Track([(*overlay.selection, True)])
    cursor = _Track([(*_at_cursor(rows, overlay.cursor, content.end), True)])
    edges = {start, end}
    for track in (bands, evidence, boundaries, others, found, selected, cursor):
        edges.update(track.edges(start, end))
    points = sorted(edges)
    runs: list[_Run] = []
    for low, high in pairwise(points):
        state, underlined = evidence.at(low, (None, False))
        look = Look(
            # Right of the text the last character's band goes on, line end or not.
            band=rest if low >= content.end else bands.at(low, Band.GAP),
            evidence=state,
            underlined=underlined,
            found=found.at(low, False),
            boundary=boundaries.at(low, False),
            other=others.at(low, False),
            selected=selected.at(low, False),
            cursor=cursor.at(low, False),
        )
        runs.append(_Run(low, high, look))
    return runs or [_Run(start, end, Look(band=rest))]


def _boundaries(rows: RowIndex, row: int, span: Span, bands: ChunkBands | None) -> "_Track[bool]":
    """The first character of each chunk that begins within the row; the gutter tells the rest."""
    if bands is None:
        return _Track([])
    content = rows.content(row)
    return _Track(
        [
            (offset, rows.cells.after_joined(offset + 1, max(content.end, offset + 1)), True)
            for offset in bands.start_offsets(max(span.start, content.start + 1), span.end)
        ]
    )


class _Track(Generic[T]):
    """Ascending disjoint ranges with a value each, asked from left to right."""

    def __init__(self, ranges: Sequence[tuple[int, int, T]]) -> None:
        self._ranges = ranges
        self._next = 0

    def edges(self, start: int, end: int) -> list[int]:
        return [
            edge
            for low, high, _ in self._ranges
            if low < high
            for edge in (low, high)
            if start < edge < end
        ]

    def at(self, offset: int, otherwise: T) -> T:
        ranges = self._ranges
        while self._next < len(ranges) and ranges[self._next][1] <= offset:
            self._next += 1
        if self._next < len(ranges) and ranges[self._next][0] <= offset:
            return ranges[self._next][2]
        return otherwise


def _at_cursor(rows: RowIndex, cursor: int, content_end: int) -> Span:
    if cursor < 0:
        return Span(0, 0)
    return Span(cursor, rows.cells.after_joined(cursor + 1, max(content_end, cursor + 1)))


def _rest(rows: RowIndex, row: int, overlay: Overlay) -> Look:
    start, end = rows.content(row)
    return Look(band=_band_at(overlay, max(start, end - 1)))


def _band_before(overlay: Overlay, offset: int) -> Band:
    return _band_at(overlay, max(0, offset - 1))


def _band_at(overlay: Overlay, offset: int) -> Band:
    if overlay.bands is None:
        return Band.GAP
    return overlay.bands.pieces(offset, offset + 1)[0].band
