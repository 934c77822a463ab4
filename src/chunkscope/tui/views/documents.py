"""The rows of the document list: folders, and documents with their chunk and miss count."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Corpus, Skipped
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


class DocumentLines(Sequence[Line]):
    """Folders and documents in the order of their ids; each folder once above its documents.

    A line is made when it is looked at, so that 100,000 documents take no time to list.

    Args:
        ids: the documents' ids.
        left_out: what is no document, listed below them.
    """

    def __init__(self, ids: Sequence[str], left_out: Sequence[Skipped] = ()) -> None:
        self._ids = ids
        self._left_out = left_out
        # Runs of documents in one folder: the first one's row and position, depth, and how much
        # of the id is the folder's. A folder's own line is a run with its name in place of those.
        self._rows: list[int] = []
        self._runs: list[tuple[int, int, int] | tuple[str, int]] = []
        self._firsts: list[int] = []
        self._first_rows: list[int] = []
        row = 0
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
                        self._rows.append(row)
                        self._runs.append((folder, depth))
                        row += 1
                above = folders
                self._rows.append(row)
                self._runs.append((position, len(folders), at))
                self._firsts.append(position)
                self._first_rows.append(row)
            row += 1
        self._listed = row

    def __len__(self) -> int:
        return self._listed + (1 + len(self._left_out) if self._left_out else 0)

    def __getitem__(self, index: int) -> Line:  # type: ignore[override]
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index > self._listed:
            entry = self._left_out[index - self._listed - 1]
            return Line(1, entry.path, None, entry.reason)
        if index == self._listed:
            return Line(0, "skipped", None)
        number = bisect_right(self._rows, index) - 1
        run = self._runs[number]
        if len(run) == 2:
            return Line(run[1], run[0], None)
        first, depth, at = run
        position = first + index - self._rows[number]
        return Line(depth, self._ids[position][at:], position)

    def id_of(self, position: int) -> str:
        """The id of the document at `position`."""
        return self._ids[position]

    def row_of(self, position: int) -> int | None:
        """The line of the document at `position`; None where there is none."""
        if not 0 <= position < len(self._ids):
            return None
        number = bisect_right(self._firsts, position) - 1
        return self._first_rows[number] + position - self._firsts[number]


def corpus_lines(corpus: Corpus) -> DocumentLines:
    """Folders and documents in the corpus's order, then what was left out."""
    return DocumentLines([document.id for document in corpus.documents], corpus.skipped)


@dataclass(frozen=True)
class DocumentRows(Sequence[Row]):
    """One row a line, made when it is drawn; without `misses` nothing is said of them."""

    lines: Sequence[Line]
    chunks: ChunkSet | None
    misses: Mapping[int, int] | None
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
        misses = self.misses.get(line.position, 0) if self.misses is not None else 0
        none = Cell("·" if self.misses is not None else "", "dim")
        return (
            Cell(f"{indent}{literal(line.name)}", "strong" if line.position == self.opened else ""),
            Cell(chunks),
            Cell(f"{self.cross}{misses}", "bad") if misses else none,
        )


def miss_counts(session: Session) -> dict[int, int] | None:
    """Questions that the active variant misses, by the position of their document.

    None before there are numbers.
    """
    counts: dict[int, int] = {}
    corpus = session.corpus
    if corpus is None or session.numbers is None:
        return None
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
