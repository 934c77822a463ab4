"""The top-k of A and of B side by side, with why the first chunk won."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize

from chunkscope.evaluation.results import QuestionResult
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.tui.messages import RetrievedPicked
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.places import chunks_have_places
from chunkscope.tui.views.retrieved import (
    COLUMNS,
    PLACED_COLUMNS,
    Terms,
    chunk_lines,
    listed_chunks,
    retrieved_rows,
    why_text,
)
from chunkscope.tui.views.verdicts import ROLES, verdict_text
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine

_TALL = 14
_PLACED = 110
"""Cells from which there is room for a column of places on both sides."""


class RetrievedPanel(Horizontal):
    """Two lists of chunks."""

    DEFAULT_CSS = """
    RetrievedPanel Vertical { width: 1fr; }
    RetrievedPanel #retrieved-side-B { border-left: vkey $border; }
    RetrievedPanel LineList { height: 1fr; }
    RetrievedPanel .text { display: none; height: 55%; border-top: hkey $border; padding: 0 1; }
    RetrievedPanel.-tall .text { display: block; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._shown: dict[Variant, tuple[QuestionResult, ChunkSet]] = {}
        self._stale: dict[Variant, bool] = {}
        self._terms: Terms = {}

    def compose(self) -> ComposeResult:
        """A verdict line and a list a variant."""
        for variant in VARIANTS:
            with Vertical(id=f"retrieved-side-{variant}"):
                yield OneLine(id=f"retrieved-verdict-{variant}")
                yield LineList(COLUMNS, id=f"retrieved-{variant}", heading=False)
                yield OneLine(id=f"retrieved-text-{variant}", classes="text")

    def show(
        self,
        variant: Variant,
        result: QuestionResult | None,
        chunks: ChunkSet | None,
        terms: Terms,
        *,
        stale: bool,
        ascii_marks: bool,
        empty: str,
    ) -> None:
        """Replace one variant's side."""
        rows = self.query_one(f"#retrieved-{variant}", LineList)
        line = self.query_one(f"#retrieved-verdict-{variant}", OneLine)
        head = (f" {variant} ", variant.lower())
        self._shown.pop(variant, None)
        if result is None or chunks is None:
            self._show_text(variant)
            line.show([head])
            rows.show([], empty=empty)
            return
        why = why_text(variant, result, terms)
        line.show(
            [
                head,
                (verdict_text(result.verdict, ascii_marks=ascii_marks), ROLES[result.verdict]),
                (f" · {why}" if why else "", "dim"),
            ]
        )
        self._shown[variant] = (result, chunks)
        self._terms = terms
        self._show_rows(variant, stale=stale)
        self._show_text(variant)

    def on_resize(self, event: Resize) -> None:
        """Where there is room, the chunk under the cursor stands whole beneath the list."""
        self.set_class(event.size.height >= _TALL, "-tall")
        for variant in VARIANTS:
            self._show_rows(variant)
            self._show_text(variant)

    def _show_rows(self, variant: Variant, *, stale: bool | None = None) -> None:
        """One variant's list, with a column of places where there is room and there are any."""
        if stale is not None:
            self._stale[variant] = stale
        if variant not in self._shown:
            return
        result, chunks = self._shown[variant]
        listed = (chunk for _rank, chunk in listed_chunks(result))
        places = self.size.width >= _PLACED and chunks_have_places(chunks, listed)
        self.query_one(f"#retrieved-{variant}", LineList).show(
            retrieved_rows(result, chunks, variant, self._terms, places=places),
            columns=PLACED_COLUMNS if places else COLUMNS,
            empty="Nothing is retrieved for this question.",
            dimmed=self._stale.get(variant, False),
        )

    def _show_text(self, variant: Variant) -> None:
        pane = self.query_one(f"#retrieved-text-{variant}", OneLine)
        if variant not in self._shown:
            pane.show()
            return
        result, chunks = self._shown[variant]
        number = self.query_one(f"#retrieved-{variant}", LineList).cursor
        width = max(2, self.size.width // 2 - 4)
        listed = listed_chunks(result)
        if number >= len(listed):
            pane.show()
            return
        explained = self._terms.get((variant, listed[number][1]), ())
        pane.show(*chunk_lines(listed[number], chunks, explained, width)[:200])

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        variant: Variant = "A" if event.list.id == "retrieved-A" else "B"
        self._show_text(variant)
        self.post_message(RetrievedPicked(variant, event.index, peek=True))

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        variant: Variant = "A" if event.list.id == "retrieved-A" else "B"
        self.post_message(RetrievedPicked(variant, event.index))
