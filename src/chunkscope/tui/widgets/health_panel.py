"""Health: what is wrong with the chunks themselves, its examples, the setting that mends it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from chunkscope.tui.messages import PlaceWanted
from chunkscope.tui.session import Variant
from chunkscope.tui.views import health as rows
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from chunkscope.evaluation.health import Example, Health

_EMPTY = "The chunks are checked as soon as they are cut."


class HealthPanel(Widget):
    """Checks at the left, counted in A and B; the places of one at the right."""

    DEFAULT_CSS = """
    HealthPanel { layout: horizontal; }
    HealthPanel #findings { width: 1fr; height: 1fr; border-right: vkey $border; }
    HealthPanel Vertical { width: 1fr; }
    HealthPanel #health-mend { max-height: 3; background: $panel; }
    HealthPanel #examples { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._health: Mapping[Variant, Health] | None = None
        self._variant: Variant = "A"
        self._examples: tuple[Example, ...] = ()
        self._visited = -1

    def compose(self) -> ComposeResult:
        """Checks, the mend, places."""
        yield LineList(rows.COLUMNS, id="findings", empty=_EMPTY)
        with Vertical():
            yield Paragraph(id="health-mend")
            yield LineList(rows.EXAMPLE_COLUMNS, id="examples", empty="Nothing found.")

    def show(
        self, health: "Mapping[Variant, Health] | None", variant: Variant, *, stale: bool
    ) -> None:
        """Replace everything; `variant` is the one whose places are listed."""
        self._health, self._variant = health, variant
        table = self.query_one("#findings", LineList)
        if health is None:
            table.show([])
        else:
            table.show(rows.finding_rows(health), dimmed=stale)
        self._show_examples()

    def _show_examples(self) -> None:
        self._visited = -1
        table = self.query_one("#examples", LineList)
        mend = self.query_one("#health-mend", Paragraph)
        if self._health is None:
            self._examples = ()
            mend.say()
            table.show([], empty="")
            return
        name = rows.finding_names(self._health)[self.query_one("#findings", LineList).cursor]
        health = self._health[self._variant]
        finding = health.finding(name)
        self._examples = finding.examples
        mend.say((rows.share_text(finding, self._variant), ""))
        found = rows.example_rows(finding.examples, health.chunks.corpus)
        table.show(found, cursor=0, empty="Nothing found.")

    @on(LineList.Highlighted, "#findings")
    def _finding_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._show_examples()

    @on(LineList.Chosen, "#findings")
    def _finding_chosen(self, event: LineList.Chosen) -> None:
        """Enter goes to the first place, Enter again to the next."""
        event.stop()
        if self._examples:
            self._visited = (self._visited + 1) % len(self._examples)
            self.query_one("#examples", LineList).place_cursor(self._visited)
            self._want(self._visited, leave=False)

    @on(LineList.Highlighted, "#examples")
    def _example_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._want(event.index, leave=False)

    @on(LineList.Chosen, "#examples")
    def _example_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._want(event.index, leave=True)

    def _want(self, index: int, *, leave: bool) -> None:
        if index < len(self._examples):
            example = self._examples[index]
            self.post_message(PlaceWanted(example.doc, example.at, leave))
