"""What stands left of a row: line, chunk number, tokens, marks, the chunk's line, evidence.

With both variants drawn there is a gutter for each, and a sign between them and the text where
the two differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.bands import ChunkBands
from chunkscope.tui.painting.lane import ReturnedIndex, SpanIndex, section_text
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceState, Layers
from chunkscope.tui.painting.marks import Marks

# Widths from which a view has room for all of the gutter, and for tokens.
_WIDE, _NARROW = 96, 48
# Widths of an index in decimal digits, at least.
_DIGITS = 3


class Part(Enum):
    """A part of the gutter, by which it is styled."""

    TEXT_LINE = "text-line"
    NUMBER = "number"
    ABOVE = "above"
    TOKENS = "tokens"
    WARNING = "warning"
    RANK = "rank"
    LINE = "line"
    LINE_RETRIEVED = "line-retrieved"
    LINE_SHARED = "line-shared"
    OTHER = "other"
    DIFFERENCE = "difference"
    RETURNED = "returned"
    SECTION = "section"
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
        lines: the number of the text's line.
        number: the chunk's number.
        tokens: its tokens.
        warnings: oversize and altered: both, or the weightier one in a single cell.
        rank: its rank among the retrieved.
        other_number: the other variant's chunk number; its line and the sign follow it.
        other_tokens: the tokens of that chunk.
        returned: letter and rank of what a real system returned, a gap before them included.
        sections: where the first of two stages cuts.
    """

    lines: int
    number: int
    tokens: int
    warnings: int
    rank: int
    other_number: int
    other_tokens: int
    returned: int = 0
    sections: int = 0

    @property
    def chunk(self) -> int:
        """Columns of number, tokens and marks."""
        return self.number + _with_gap(self.tokens) + self.warnings + self.rank

    @property
    def other(self) -> int:
        """Columns of the other variant: number, tokens, line, sign."""
        if not self.other_number:
            return 0
        return self.other_number + _with_gap(self.other_tokens) + 2

    @property
    def width(self) -> int:
        """Columns of the whole gutter."""
        lines = self.lines + 1 if self.lines else 0
        return lines + self.sections + self.chunk + 1 + self.other + self.returned + 2


def _with_gap(width: int) -> int:
    return width + 1 if width else 0


def plan_gutter(
    view_width: int, layers: Layers, before: GutterPlan | None, lines: int = 1
) -> GutterPlan:
    """Widths for a view of so many columns over a text of so many `lines`.

    No part becomes narrower than in `before`, so that the text does not move to and fro while
    settings change; pass None for another document or another width.
    """
    chunks, other = layers.chunks, layers.other
    wide, narrow = view_width >= _WIDE, view_width < _NARROW
    count = max((len(layer) for layer in (chunks, other) if layer is not None), default=0)
    number = max(_DIGITS, len(str(max(0, count - 1))))
    plan = GutterPlan(
        lines=max(_DIGITS, len(str(lines))) if wide else 0,
        number=number,
        tokens=0 if narrow else _token_digits(chunks),
        warnings=2 if wide else 1,
        rank=3 if wide else 0,
        other_number=0 if other is None else number,
        other_tokens=0 if other is None or not wide else _token_digits(other),
        returned=0 if layers.returned is None else layers.returned.digits + 2,
        sections=0 if layers.sections is None else 1,
    )
    if before is None:
        return plan
    plan = replace(plan, number=max(number, before.number), tokens=max(plan.tokens, before.tokens))
    if other is None:
        return plan
    return replace(
        plan,
        other_number=max(number, before.other_number),
        other_tokens=max(plan.other_tokens, before.other_tokens),
    )


def _token_digits(layer: ChunkLayer | None) -> int:
    tokens = layer.tokens if layer is not None else None
    return max(4, len(str(int(tokens.max())))) if tokens is not None and len(tokens) else 4


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
    line: int | None = None,
    returned: ReturnedIndex | None = None,
    sections: SpanIndex | None = None,
) -> list[GutterCell]:
    """The gutter of the row `span` (line end included), `plan.width` cells in all.

    Args:
        plan: the widths.
        layers: what is painted.
        span: the row's range.
        marks: the glyphs.
        bands: the chunks drawn as bands.
        other: the other variant's chunks.
        evidence: state of the evidence in the row.
        top: it is the first visible row, which names the chunk that began above it.
        line: number of the text's line that begins in the row, from 1.
        returned: what a real system returned.
        sections: the first stage's sections.
    """
    cells = []
    if plan.lines:
        text = "" if line is None else str(line)
        cells.append(GutterCell(f"{text.rjust(plan.lines)} ", Part.TEXT_LINE))
    if plan.sections:
        text = section_text(sections, span, marks) if sections is not None else " "
        cells.append(GutterCell(text, Part.SECTION))
    cells += _chunk_cells(plan, layers, bands, span, marks, top=top)
    cells.append(_line(bands, span, marks))
    if plan.other:
        cells += _other_cells(plan, layers, other, span, marks)
        cells.append(GutterCell(_difference(bands, other, span, marks), Part.DIFFERENCE))
    if plan.returned:
        text = returned.text(span, marks, plan.returned) if returned is not None else ""
        cells.append(GutterCell(text.rjust(plan.returned), Part.RETURNED))
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
    blank = [GutterCell(" " * plan.chunk, Part.SPACE)]
    if layer is None or bands is None:
        return blank
    if not starting:
        chunk = bands.chunk_at(span.start) if top else None
        if chunk is None:
            return blank
        number = f"{marks.above}{chunk}"[-plan.number :].rjust(plan.number)
        rest = plan.chunk - plan.number
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


def _other_cells(
    plan: GutterPlan, layers: Layers, other: ChunkBands | None, span: Span, marks: Marks
) -> list[GutterCell]:
    starting = other.starting(*span) if other is not None else []
    text = str(starting[0]) if starting else ""
    cells = [GutterCell(text.rjust(plan.other_number), Part.OTHER)]
    if plan.other_tokens:
        tokens = other.layer.tokens if other is not None else None
        text = ""
        if starting:
            known = tokens is not None and not layers.stale
            text = str(int(tokens[starting[0]])) if tokens is not None and known else marks.pending
        cells.append(GutterCell(" " + text.rjust(plan.other_tokens), Part.TOKENS))
    return [*cells, GutterCell(_shape(other, span, marks.light), Part.OTHER)]


def _difference(
    bands: ChunkBands | None, other: ChunkBands | None, span: Span, marks: Marks
) -> str:
    """Whose boundaries stand in the row: one variant's letter, equal, or unequal."""
    if bands is None or other is None:
        return " "
    own, others = bands.start_offsets(*span), other.start_offsets(*span)
    if own == others:
        return "=" if own else " "
    if own and others:
        return marks.unequal
    return bands.layer.variant if own else other.layer.variant


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
