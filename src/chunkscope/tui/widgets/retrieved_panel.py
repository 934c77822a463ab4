"""The top-k of A and of B side by side, with why the first chunk won."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from chunkscope.evaluation.results import QuestionResult
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.tui.messages import ChunkChosen
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.retrieved import COLUMNS, Terms, retrieved_rows, why_text
from chunkscope.tui.views.verdicts import ROLES, verdict_text
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine


class RetrievedPanel(Horizontal):
    """Two lists of chunks."""

    DEFAULT_CSS = """
    RetrievedPanel Vertical { width: 1fr; }
    RetrievedPanel #retrieved-side-B { border-left: vkey $border; }
    RetrievedPanel LineList { height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """A verdict line and a list a variant."""
        for variant in VARIANTS:
            with Vertical(id=f"retrieved-side-{variant}"):
                yield OneLine(id=f"retrieved-verdict-{variant}")
                yield LineList(COLUMNS, id=f"retrieved-{variant}", heading=False)

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
        if result is None or chunks is None:
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
        empty = "Nothing is retrieved: no chunk shares a word with the question."
        rows.show(retrieved_rows(result, chunks), empty=empty, dimmed=stale)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        variant: Variant = "A" if event.list.id == "retrieved-A" else "B"
        self.post_message(self.Picked(variant, event.index))

    class Picked(ChunkChosen):
        """A retrieved chunk by its place in the ranking (`chunk` counts from 0)."""
