"""What stands left of a row: chunk number, tokens, marks, the chunk's line, evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.bands import ChunkBands
from chunkscope.tui.painting.layers import EvidenceState, Layers
from chunkscope.tui.painting.marks import Marks

# Widths from which a view has room for all of the gutter, and for tokens.
_WIDE, _NARROW = 96, 48


class Part(Enum):
    """A part of the gutter, by which it is styled."""

    NUMBER = "number"
    ABOVE = "above"
    TOKENS = "tokens"
    WARNING = "warning"
    RANK = "rank"
    LINE = "line"
    LINE_RETRIEVED = "line-retrieved"
    LINE_SHARED = "line-shared"
    OTHER = "other"
    EVIDENCE = "evidence"
    SPACE = "space"


class GutterCell(NamedTuple):
    """A few cells of the gutter."""

    text: str
    part: Part
    evidence: EvidenceState | None = None


@dataclass(frozen=True, slots=True)
class GutterPlan:
    """How wide each part is; 0 leaves it out.

    Attributes:
        number: the chunk's number.
        tokens: its tokens.
        warnings: oversize and altered: both, or the weightier one in a single cell.
        rank: its rank among the retrieved.
        other: the other variant's line.
    """

    number: int
    tokens: int
    warnings: int
    rank: int
    other: int

    @property
    def width(self) -> int:
        """Columns of the whole gutter."""
        tokens = self.tokens + 1 if self.tokens else 0
        return self.number + tokens + self.warnings + self.rank + 1 + self.other + 1 + 1


def plan_gutter(view_width: int, layers: Layers, before: GutterPlan | None) -> GutterPlan:
    """Widths for a view of so many columns.

    No part becomes narrower than in `before`, so that the text does not move to and fro while
    settings change; pass None for another document or another width.
    """
    chunks = layers.chunks
    count = max((len(layer) for layer in (chunks, layers.other) if layer is not None), default=0)
    most = 0
    if chunks is not None and chunks.tokens is not None and len(chunks.tokens):
        most = int(chunks.tokens.max())
    number = max(3, len(str(max(0, count - 1))))
    plan = GutterPlan(
        number=number,
        tokens=max(4, len(str(most))) if view_width >= _NARROW else 0,
        warnings=2 if view_width >= _WIDE else 1,
        rank=3 if view_width >= _WIDE else 0,
        other=0 if layers.other is None else 1,
    )
    if before is None:
        return plan
    return GutterPlan(
        number=max(plan.number, before.number),
        tokens=max(plan.tokens, before.tokens),
        warnings=plan.warnings,
        rank=plan.rank,
        other=max(plan.other, before.other),
    )


def gutter_cells(
    plan: GutterPlan,
    layers: Layers,
    span: Span,
    marks: Marks,
    *,
    bands: ChunkBands | None,
    other: ChunkBands | None,
    evidence: EvidenceState | None,
    top: bool = False,
) -> list[GutterCell]:
    """The gutter of the row `span` (line end included), `plan.width` cells in all.

    `top`: it is the first visible row, which names the chunk that began above it.
    """
    cells = _chunk_cells(plan, layers, bands, span, marks, top=top)
    cells.append(_line(bands, span, marks))
    if plan.other:
        cells.append(GutterCell(_shape(other, span, marks.light), Part.OTHER))
    glyph = marks.of_evidence(evidence) if evidence is not None else " "
    cells.append(GutterCell(glyph, Part.EVIDENCE, evidence))
    cells.append(GutterCell(" ", Part.SPACE))
    return cells


def _chunk_cells(
    plan: GutterPlan,
    layers: Layers,
    bands: ChunkBands | None,
    span: Span,
    marks: Marks,
    *,
    top: bool,
) -> list[GutterCell]:
    layer = layers.chunks
    starting = bands.starting(*span) if bands is not None else []
    blank = [GutterCell(" " * (plan.width - 3 - plan.other), Part.SPACE)]
    if layer is None or bands is None:
        return blank
    if not starting:
        chunk = bands.chunk_at(span.start) if top else None
        if chunk is None:
            return blank
        number = f"{marks.above}{chunk}"[-plan.number :].rjust(plan.number)
        rest = plan.width - 3 - plan.other - plan.number
        return [GutterCell(number, Part.ABOVE), GutterCell(" " * rest, Part.SPACE)]
    chunk = starting[0]
    cells = [GutterCell(str(chunk).rjust(plan.number), Part.NUMBER)]
    if plan.tokens:
        if len(starting) > 1:
            text = f"+{len(starting) - 1}"
        elif layer.tokens is None or layers.stale:
            text = marks.pending
        else:
            text = str(int(layer.tokens[chunk]))
        cells.append(GutterCell(" " + text.rjust(plan.tokens), Part.TOKENS))
    cells.append(GutterCell(_warnings(plan, layers, starting), Part.WARNING))
    if plan.rank:
        ranks = [layer.retrieved[index] for index in starting if index in layer.retrieved]
        text = f"#{min(ranks)}" if ranks else ""
        cells.append(GutterCell(text[: plan.rank].rjust(plan.rank), Part.RANK))
    return cells


def _warnings(plan: GutterPlan, layers: Layers, starting: list[int]) -> str:
    layer = layers.chunks
    if layer is None:
        return " " * plan.warnings
    over = any(index in layer.oversize for index in starting)
    altered = any(index in layer.altered for index in starting)
    if plan.warnings == 1:
        return "!" if over else "~" if altered else " "
    return ("!" if over else " ") + ("~" if altered else " ")


def _line(bands: ChunkBands | None, span: Span, marks: Marks) -> GutterCell:
    if bands is None:
        return GutterCell(" ", Part.LINE)
    if any(piece.band.shared for piece in bands.pieces(*span)):
        return GutterCell(_shape(bands, span, marks.double), Part.LINE_SHARED)
    retrieved = bands.layer.retrieved
    if retrieved:
        touching = {*bands.starting(*span), bands.chunk_at(span.start)}
        if any(index in retrieved for index in touching):
            return GutterCell(_shape(bands, span, marks.heavy), Part.LINE_RETRIEVED)
    return GutterCell(_shape(bands, span, marks.light), Part.LINE)


def _shape(bands: ChunkBands | None, span: Span, glyphs: Mapping[str, str]) -> str:
    """Starts, runs on, ends, ends and starts, or starts and ends, in this row."""
    if bands is None:
        return " "
    starts, runs_on, ends, both, alone = tuple(glyphs[bands.layer.variant])
    begins = bands.starts_within(*span)
    before = bands.runs_into(span.start)
    after = bands.runs_into(span.end)
    if begins:
        if before:
            return both
        return starts if after else alone
    if before:
        return runs_on if after else ends
    return " "
