"""Evidence in doubt and the places it could take; nothing is taken by itself."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from chunkscope.golden.places import Choice, Offer
from chunkscope.text.document import Corpus
from chunkscope.tui.messages import PlacesTaken
from chunkscope.tui.views.offers import COLUMNS, OfferLine, offer_lines, offer_row
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine

_KEYS = "Enter takes a place · a takes every place that moved and is sure · Escape leaves"


class PlacesScreen(ModalScreen[None]):
    """The list; taking one leaves the rest."""

    CSS = """
    PlacesScreen { align: center middle; }
    PlacesScreen #places {
        width: 96%; max-width: 150; height: 80%; border: round $primary; background: $surface;
    }
    PlacesScreen LineList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "take_sure", "take all that are sure", id="places.all"),
        Binding("escape,q", "close", "close", id="places.close"),
    ]

    def __init__(self, offers: Sequence[Offer], corpus: Corpus, *, ascii_marks: bool) -> None:
        super().__init__()
        self._offers = tuple(offers)
        self._corpus = corpus
        self._ascii_marks = ascii_marks
        self._lines: tuple[OfferLine, ...] = ()

    def compose(self) -> ComposeResult:
        """The list and its keys."""
        with Vertical(id="places"):
            yield LineList(
                COLUMNS, id="places-list", empty="All evidence stands in exactly one place."
            )
            yield OneLine(id="places-keys")

    def on_mount(self) -> None:
        """Stand on the first choice."""
        self.query_one("#places").border_title = "Places of evidence"
        self.query_one("#places-keys", OneLine).show([(f" {_KEYS}", "dim")])
        self._show(1)
        self.query_one(LineList).focus()

    def _show(self, cursor: int) -> None:
        self._lines = offer_lines(self._offers)
        marks = self._ascii_marks
        rows = [offer_row(line, self._corpus, ascii_marks=marks) for line in self._lines]
        self.query_one(LineList).show(rows, cursor=cursor)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        line = self._lines[event.index]
        if line.choice is not None:
            self._take([(line.offer, line.choice)])

    def action_take_sure(self) -> None:
        """Every piece that moved to the only place that holds it."""
        self._take([(offer, offer.choices[0]) for offer in self._offers if offer.sure])

    def _take(self, taken: list[tuple[Offer, Choice]]) -> None:
        # A key typed ahead may come when this is closed already.
        if not taken or not self.is_current:
            return
        self.app.screen_stack[-2].post_message(PlacesTaken(tuple(taken)))
        done = {id(offer) for offer, _choice in taken}
        self._offers = tuple(offer for offer in self._offers if id(offer) not in done)
        if self._offers:
            self._show(self.query_one(LineList).cursor)
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        """Back; what was not taken stays as it is."""
        self.dismiss(None)
