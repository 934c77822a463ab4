"""The rows of the Chunks panel: the open document's chunks in the active variant."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Document
from chunkscope.tui.literal import flattened
from chunkscope.tui.widgets.line_list import Cell, Column, Row

COLUMNS = (
    Column("chunk", 6, right=True),
    Column("start", 8, right=True, role="dim"),
    Column("end", 8, right=True, role="dim"),
    Column("tokens", 6, right=True),
    Column("overlap", 7, right=True),
    Column("marks", 8),
    Column("text"),
)

_PLACE, _NARROW_PLACE = (Column("place", width, role="dim") for width in (14, 9))

_SHOWN_CHARACTERS = 300


def chunk_columns(document: Document, *, narrow: bool) -> tuple[Column, ...]:
    """The columns of a document's chunks; one of places where it has any."""
    if not document.has_places:
        return COLUMNS
    return (*COLUMNS[:-1], _NARROW_PLACE if narrow else _PLACE, COLUMNS[-1])


@dataclass(frozen=True)
class ChunkRows(Sequence[Row]):
    """One row a chunk, made when it is drawn; tokens once the whole corpus is cut."""

    document: Document
    position: int
    cuts: Cuts
    chunks: ChunkSet | None

    def __len__(self) -> int:
        return len(self.cuts)

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]
        cuts = self.cuts
        start, end = int(cuts.starts[index]), int(cuts.ends[index])
        shared = max(0, int(cuts.ends[index - 1]) - start) if index else 0
        marks = ["altered"] if index in cuts.altered else []
        tokens = ""
        if self.chunks is not None:
            number = int(self.chunks.first[self.position]) + index
            tokens = str(int(self.chunks.tokens[number]))
            if int(self.chunks.sizes[number]) > self.chunks.size_limit:
                marks.append("oversize")
        text = cuts.altered.get(index) or self.document.text[start : min(end, start + 300)]
        blank = not text.strip()
        place: tuple[Cell, ...] = ()
        if self.document.has_places:
            place = (Cell(flattened(self.document.short_place(start, end))),)
        return (
            Cell(f"{index}"),
            Cell(f"{start}"),
            Cell(f"{end}"),
            Cell(tokens),
            Cell(f"{shared}" if shared else "·", "" if shared else "dim"),
            Cell("+".join(marks) or ("blank" if blank else ""), "warn"),
            *place,
            Cell(flattened(text[:_SHOWN_CHARACTERS])),
        )
