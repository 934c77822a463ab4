"""The rows of the document list: folders, and documents with their chunk and miss count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Corpus
from chunkscope.tui.literal import literal
from chunkscope.tui.session import Session
from chunkscope.tui.views.verdicts import is_miss
from chunkscope.tui.widgets.line_list import Cell, Column, Row

COLUMNS = (
    Column("document"),
    Column("chunks", 6, right=True, role="dim"),
    Column("miss", 4, right=True),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the list: a folder's name, a document's position, or what was left out."""

    depth: int
    name: str
    position: int | None
    reason: str = ""


def corpus_lines(corpus: Corpus | None) -> tuple[Line, ...]:
    """Folders and documents in the corpus's order, then what was left out."""
    if corpus is None:
        return ()
    lines = document_lines([document.id for document in corpus.documents])
    if corpus.skipped:
        left_out = (Line(1, entry.path, None, entry.reason) for entry in corpus.skipped)
        lines = (*lines, Line(0, "skipped", None), *left_out)
    return lines


def document_lines(ids: Sequence[str]) -> tuple[Line, ...]:
    """Folders and documents in the order of their ids; each folder once above its documents."""
    lines: list[Line] = []
    above: tuple[str, ...] = ()
    before: str | None = None
    for position, document_id in enumerate(ids):
        at = document_id.rfind("/") + 1
        # Most documents stand in the folder of the one before.
        if document_id[:at] != before:
            before = document_id[:at]
            folders = tuple(before.split("/")[:-1])
            for depth, folder in enumerate(folders):
                if folders[: depth + 1] != above[: depth + 1]:
                    lines.append(Line(depth, folder, None))
            above = folders
        lines.append(Line(len(above), document_id[at:], position))
    return tuple(lines)


@dataclass(frozen=True)
class DocumentRows(Sequence[Row]):
    """One row a line, made when it is drawn."""

    lines: tuple[Line, ...]
    chunks: ChunkSet | None
    misses: Mapping[int, int]
    opened: int
    cross: str = "✗"

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]
        line = self.lines[index]
        indent = "  " * line.depth
        if line.reason:
            text = f"{indent}{literal(line.name)}: {literal(line.reason)}"
            return (Cell(text, "dim"), Cell(""), Cell(""))
        if line.position is None:
            return (Cell(f"{indent}{literal(line.name)}/", "dim"), Cell(""), Cell(""))
        chunks = "…"
        if self.chunks is not None and line.position < len(self.chunks.cuts):
            chunks = str(len(self.chunks.cuts[line.position]))
        misses = self.misses.get(line.position, 0)
        return (
            Cell(f"{indent}{literal(line.name)}", "strong" if line.position == self.opened else ""),
            Cell(chunks),
            Cell(f"{self.cross}{misses}", "bad") if misses else Cell("·", "dim"),
        )


def miss_counts(session: Session) -> dict[int, int]:
    """Questions that the active variant misses, by the position of their document."""
    counts: dict[int, int] = {}
    corpus = session.corpus
    if corpus is None:
        return counts
    for index, located in enumerate(session.questions):
        if not is_miss(session.result(session.active, index)):
            continue
        for doc in {place.doc for item in located.items for place in item.places}:
            position = corpus.position(doc)
            if position is not None:
                counts[position] = counts.get(position, 0) + 1
    return counts


def twin_names(corpus: Corpus) -> list[tuple[str, ...]]:
    """Ids of documents that hold the same text, a tuple for each such text that is not blank."""
    held: dict[str, list[str]] = {}
    for document in corpus.documents:
        if document.text and not document.text.isspace():
            held.setdefault(document.sha256, []).append(document.id)
    return [tuple(names) for names in held.values() if len(names) > 1]


def twins_of(corpus: Corpus, position: int) -> list[str]:
    """Ids of the other documents that hold the same text as this one."""
    document = corpus.documents[position]
    return [
        other.id
        for other in corpus.documents
        if other is not document
        and len(other.text) == len(document.text)
        and other.text == document.text
    ]
