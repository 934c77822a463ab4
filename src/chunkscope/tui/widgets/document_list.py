"""The documents with their chunk and miss count."""

from collections.abc import Mapping

from textual import on

from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Corpus
from chunkscope.tui.messages import DocumentChosen, SkippedChosen
from chunkscope.tui.views.documents import COLUMNS, DocumentLines, DocumentRows, corpus_lines
from chunkscope.tui.widgets.line_list import LineList


class DocumentList(LineList):
    """Folders and documents; standing on a document opens it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(COLUMNS, id=id, empty="Reading documents …")
        self._corpus: Corpus | None = None
        self._lines = DocumentLines(())

    def show_names(self, lines: DocumentLines, opened: int) -> None:
        """Show the documents' names while they are read; the cursor stands on the open one."""
        self._lines = lines
        self.show(DocumentRows(lines, None, None, opened), cursor=self._row_of(opened))

    def show_documents(
        self,
        corpus: Corpus,
        chunks: ChunkSet | None,
        misses: Mapping[int, int] | None,
        opened: int,
    ) -> None:
        """Replace the rows; the cursor stands on the open document."""
        if corpus is not self._corpus:
            self._corpus = corpus
            self._lines = corpus_lines(corpus)
        cross = "x" if self.app.has_class("-ascii") else "✗"
        rows = DocumentRows(self._lines, chunks, misses, opened, cross)
        self.show(rows, cursor=self._row_of(opened))

    def _row_of(self, opened: int) -> int:
        here = self._lines[self.cursor] if self.cursor < len(self._lines) else None
        if self.has_focus and here is not None and here.position is None:
            # A person stands on a folder, or reads why a file was left out.
            return self.cursor
        return self._lines.row_of(opened) or 0

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._open(event.index)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._open(event.index)

    def _open(self, index: int) -> None:
        line = self._lines[index]
        if line.position is not None:
            self.post_message(DocumentChosen(line.position, self._lines.id_of(line.position)))
        elif line.reason:
            self.post_message(SkippedChosen(line.name, line.reason))
