"""The main screen: its parts, its layout at every size, the engine's answers."""

from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.geometry import Size

from chunkscope.tui import messages
from chunkscope.tui.keymap import bindings
from chunkscope.tui.literal import literal
from chunkscope.tui.screens.main.here import HereActions
from chunkscope.tui.screens.main.models import ModelActions
from chunkscope.tui.screens.main.offering import OfferActions
from chunkscope.tui.screens.main.reading import ReadingActions
from chunkscope.tui.screens.main.reviewing import ReviewActions
from chunkscope.tui.screens.main.sizing import SizeActions
from chunkscope.tui.views.metrics import COLUMNS as METRIC_COLUMNS
from chunkscope.tui.views.questions import COLUMNS as QUESTION_COLUMNS
from chunkscope.tui.widgets.document_list import DocumentList
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.find_bar import FindBar
from chunkscope.tui.widgets.key_bar import KeyBar
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.minimap import Minimap
from chunkscope.tui.widgets.notice import Notice
from chunkscope.tui.widgets.one_line import OneLine
from chunkscope.tui.widgets.panel_tabs import PanelTabs
from chunkscope.tui.widgets.settings_panel import SettingsPanel
from chunkscope.tui.widgets.texts import Texts

_FURNISH_SECONDS = 1.0
"""Where no text comes so long, fields and panels do not wait for it."""

_WIDE, _HIGH = 110, 34
_LARGE_WIDE, _LARGE_HIGH = 160, 50


class MainScreen(
    ModelActions, ReviewActions, OfferActions, ReadingActions, HereActions, SizeActions
):
    """Documents, running text, settings, metrics, panels."""

    CSS_PATH = "main.tcss"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings())
    AUTO_FOCUS = "#document"
    _furnishing = False

    def compose(self) -> ComposeResult:
        """Everything there is; the size decides what is seen."""
        marks = self.options.ascii_marks
        self._arrange(self.app.size)
        yield OneLine(id="title")
        with Horizontal(id="body"):
            yield DocumentList(id="documents")
            with Vertical(id="centre"):
                with Horizontal(id="upper"):
                    with Texts(id="texts"), Vertical(id="document-frame"):
                        yield Notice(id="notice")
                        with Horizontal(id="document-row"):
                            view = DocumentView(id="document")
                            view.ascii_marks = marks
                            yield view
                            yield Minimap(view, id="minimap")
                        yield OneLine(id="place")
                    with Vertical(id="side"):
                        yield SettingsPanel(id="settings")
                        yield LineList(
                            METRIC_COLUMNS, id="metrics", empty="Measuring …", quiet=True
                        )
                yield OneLine(id="variant-A", classes="variant")
                yield OneLine(id="variant-B", classes="variant")
                yield OneLine(id="question")
                with Vertical(id="bottom"):
                    yield PanelTabs(id="tabs")
                    yield LineList(QUESTION_COLUMNS, id="questions", classes="panel")
                    yield LineList(id="chunks", classes="panel")
        yield FindBar()
        yield OneLine(id="caution")
        bar = [key for key in self.options.keys if not key.letter]
        yield KeyBar(bar, id="keys")

    def on_mount(self) -> None:
        """Paint first, then read the documents."""
        self.query_one("#documents").border_title = "documents"
        self.query_one("#document-frame").border_title = "document"
        self.query_one("#settings").border_title = "settings      A             B"
        self.query_one("#metrics").border_title = "metrics"
        self.show_panel(self.panel)
        self.lay_out()
        self.show_lines()
        self.engine.attach(self.post_message)
        self.say_unread()
        self.restore_settings()
        self.start(partial(self.engine.load, self.opening_first()), "load")
        self.set_timer(_FURNISH_SECONDS, self.furnish)
        if self.options.poll_seconds:
            self.set_interval(self.options.poll_seconds, self.check_files)

    async def furnish(self) -> None:
        """Mount what can wait until the text is on the screen: fields and hidden panels."""
        bottom, settings = self.query_one("#bottom"), self.query_one("#settings", SettingsPanel)
        if self._furnishing or not bottom.is_attached:
            return
        self._furnishing = True
        from chunkscope.tui.widgets.compare_panel import ComparePanel
        from chunkscope.tui.widgets.diagnosis_panel import DiagnosisPanel
        from chunkscope.tui.widgets.health_panel import HealthPanel
        from chunkscope.tui.widgets.retrieved_panel import RetrievedPanel
        from chunkscope.tui.widgets.sweep_panel import SweepPanel

        marks = self.options.ascii_marks
        await bottom.mount(
            RetrievedPanel(id="retrieved", classes="panel"),
            SweepPanel(id="sweep", classes="panel", ascii_marks=marks),
            DiagnosisPanel(id="diagnosis", classes="panel", ascii_marks=marks),
            HealthPanel(id="health", classes="panel"),
            ComparePanel(id="compare", classes="panel"),
        )
        if not settings.is_attached:
            # Whoever quits at once leaves nothing to furnish.
            return
        await settings.fill()
        self.furnished = True
        self.show_panel(self.panel)
        self.propose_sweep()
        self.show_settings()
        self.show_lines()
        self.show_retrieved()
        self.post_message(messages.Furnished())

    def _arrange(self, size: Size) -> None:
        """One pane, all panels, or all panels with more of each."""
        width, height = size
        self.set_class(width < _WIDE or height < _HIGH, "-compact")
        self.set_class(width >= _LARGE_WIDE and height >= _LARGE_HIGH, "-large")

    def on_resize(self, event: Resize) -> None:
        """Another size may show other parts."""
        self._arrange(event.size)
        self.lay_out()
        self.call_after_refresh(self.show_place)
        if self.session.corpus is not None:
            self.show_numbers()
        else:
            self.show_lines()

    # --- answers of the engine -------------------------------------------------------------------

    @on(messages.LoadFailed)
    def _load_failed(self, event: messages.LoadFailed) -> None:
        if self.session.corpus is not None:
            self.not_reloaded(event.reason)
            return
        self.load_note = literal(event.reason)
        self.show_lines()
        self.engine.stop()
        self.app.exit(2, return_code=2, message=literal(event.reason))

    @on(messages.CutProgress)
    def _cut_progress(self, event: messages.CutProgress) -> None:
        if event.generation == self.session.generation:
            self.covered = (event.done, event.total)
            self.show_covered()

    @on(messages.ChunksReady)
    def _chunks_ready(self, event: messages.ChunksReady) -> None:
        if self.session.keep_cuts(event.generation, event.document, event.cuts):
            self.show_document()
        self.call_after_refresh(self.engine.painted)

    @on(messages.CorpusCut)
    def _corpus_cut(self, event: messages.CorpusCut) -> None:
        if self.session.keep_chunk_sets(event.generation, event.chunk_sets):
            self.covered = (self.covered[1], self.covered[1])
            self.show_covered()
            self.show_document()
            self.show_lists()

    @on(messages.NumbersReady)
    def _numbers_ready(self, event: messages.NumbersReady) -> None:
        if not self.session.keep_numbers(event.numbers):
            return
        self.request_terms()
        self.request_study()
        with self.app.batch_update():
            self.show_document()
            self.show_numbers()

    @on(messages.WorkFailed)
    def _work_failed(self, event: messages.WorkFailed) -> None:
        if event.generation == self.session.generation:
            self.refuse(event.variant, event.reason)

    @on(messages.Explained)
    def _explained(self, event: messages.Explained) -> None:
        session = self.session
        if (event.generation, event.question) == (session.generation, session.question):
            self.terms = event.terms
            self.show_retrieved()
