"""Compare: what differs between A and B, what a move costs, the steps between them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from chunkscope.evaluation.results import Evaluation
from chunkscope.tui.messages import ConfigurationTaken
from chunkscope.tui.views import comparison as rows
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from chunkscope.evaluation.compare import Comparison


class ComparePanel(Vertical):
    """Sentences above, a row a step beneath."""

    DEFAULT_CSS = """
    ComparePanel #compared { max-height: 60%; background: $panel; }
    ComparePanel LineList { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._runs: tuple[Evaluation, ...] = ()

    def compose(self) -> ComposeResult:
        """Sentences and rows."""
        yield Paragraph(id="compared")
        yield LineList(rows.COLUMNS, id="steps", empty="A and B are compared once measured.")

    def show(
        self,
        comparison: "Comparison | None",
        between: Sequence[Evaluation],
        reason: str,
        *,
        stale: bool,
    ) -> None:
        """Replace everything; without a comparison, `reason` says why."""
        table = self.query_one("#steps", LineList)
        lines = self.query_one("#compared", Paragraph)
        if comparison is None:
            self._runs = ()
            lines.say()
            table.show([], empty=reason or "A and B are compared once measured.")
            return
        self._runs = (comparison.a, *between, comparison.b)
        lines.say(*rows.comparison_lines(comparison))
        table.show(rows.step_rows(comparison, between), dimmed=stale)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.index < len(self._runs):
            self.post_message(ConfigurationTaken(self._runs[event.index].configuration))

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
