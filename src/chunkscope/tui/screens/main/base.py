"""What all action groups of the main screen share: state, engine, and pushing values down."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual.content import Content
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.spans import Span
from chunkscope.tui.engine import Engine, Wanted
from chunkscope.tui.keymap import KEYS, TOOLS, Key
from chunkscope.tui.literal import literal
from chunkscope.tui.reading import Opening
from chunkscope.tui.session import VARIANTS, Session, Variant
from chunkscope.tui.views import status
from chunkscope.tui.views.chunks import COLUMNS as CHUNK_COLUMNS
from chunkscope.tui.views.chunks import ChunkRows, chunk_columns
from chunkscope.tui.views.documents import miss_counts
from chunkscope.tui.views.hints import overlap_facts
from chunkscope.tui.views.layers import layers_of
from chunkscope.tui.views.metrics import WIDE_METRICS, metric_columns, metric_rows
from chunkscope.tui.views.questions import NO_GOLDEN, question_table
from chunkscope.tui.views.retrieved import Terms
from chunkscope.tui.widgets.document_list import DocumentList
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine
from chunkscope.tui.widgets.panel_tabs import PanelTabs
from chunkscope.tui.widgets.paragraph import broken
from chunkscope.tui.widgets.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from chunkscope.tui.remembered import Remembered

PATIENCE_SECONDS = 0.2
"""An answer within that time comes without everything being dimmed for it."""

_VERDICT_LINES = 3
"""Lines that one variant's verdict may take."""
_LEAST_LINE = 40

Severity = Literal["information", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Options:
    """How the screen is drawn and begun.

    Attributes:
        ascii_marks: replaces ✂ and the like.
        keys: every action with its keys.
        left: how these documents were left the last time.
        restore_settings: the variants, too, are taken from `left`.
        keep: writes down how the session stands, so that a terminal that closes loses nothing.
        poll_seconds: how often files are looked at for changes; 0: never.
    """

    ascii_marks: bool = False
    keys: tuple[Key, ...] = (*KEYS, *TOOLS)
    left: "Remembered | None" = None
    restore_settings: bool = False
    keep: "Callable[[], None] | None" = None
    poll_seconds: float = 2.0


class MainBase(Screen[None]):
    """State and painting; a mixin of it a group of actions."""

    def __init__(
        self, session: Session, engine: Engine, opening: Opening, options: Options
    ) -> None:
        super().__init__(id="main")
        self.session = session
        self.engine = engine
        self.opening = opening
        self.options = options
        self.load_note = "reading documents …"
        self.terms: Terms = {}
        self.found: tuple[Span, ...] = ()
        self.found_at = -1
        self.marks: list[tuple[int, int]] = []
        self.furnished = False
        self.reloading = False
        self.kept: tuple[LocatedQuestion, ...] = ()
        self.verdict_rows = len(VARIANTS)
        self.failures: list[BaseException | None] = []

    @property
    def panel(self) -> str:
        """The bottom panel shown."""
        return self.session.panel

    # --- asking the engine -------------------------------------------------------------------

    def request(self) -> None:
        """Have the session as it is now cut and measured; replaces an older request."""
        session = self.session
        if session.corpus is None or not session.corpus.documents:
            return
        wanted = Wanted(
            session.generation,
            session.document,
            dict(session.configurations),
            session.questions,
            session.baseline,
        )
        self.start(partial(self.engine.answer, wanted), "answer")

    def request_terms(self) -> None:
        """Have the chosen question's ranking explained."""
        session = self.session
        self.terms = {}
        numbers, chosen = session.numbers, session.chosen
        if numbers is None or chosen is None or session.question is None or session.stale:
            return
        work = partial(
            self.engine.explain,
            session.generation,
            session.question,
            chosen.question.question,
            numbers.evaluations,
        )
        self.start(work, "explain")

    def start(self, work: Callable[[], Coroutine[None, None, None]], group: str) -> None:
        """Run the engine's work beside the screen, the newest of its group only."""
        _worker: Worker[None] = self.run_worker(
            work, group=group, exclusive=True, exit_on_error=False
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A defect of ours must not take the screen, and the unsaved questions, with it."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.failures.append(error)
            self.say(f"internal error, please report it: {error!r}", "error")

    def say(self, text: str, severity: Severity = "information") -> None:
        """A toast, literally."""
        lines = "\n".join(literal(line) for line in text.split("\n"))
        self.notify(lines, severity=severity, markup=False)

    def menu(self, title: str, entries: Sequence[Key]) -> None:
        """Offer actions, a letter each."""
        from chunkscope.tui.screens.menu import MenuScreen

        async def run(action: str | None) -> None:
            if action is not None:
                await self.run_action(action)

        self.app.push_screen(MenuScreen(title, entries), run)

    # --- pushing values down -------------------------------------------------------------------

    @property
    def document_view(self) -> DocumentView:
        """The running text."""
        return self.query_one("#document", DocumentView)

    @property
    def compact(self) -> bool:
        """Whether there is room for one pane only."""
        return self.has_class("-compact")

    def show_all(self) -> None:
        """Everything, after a change of the session."""
        with self.app.batch_update():
            self.show_document()
            self.show_numbers()
            self.show_settings()

    def show_changed(self) -> None:
        """What a change says at once; all is dimmed where its answer keeps one waiting."""
        with self.app.batch_update():
            self.show_settings()
            self.show_lines()
            metrics = self.query_one("#metrics", LineList)
            metrics.border_title = Content(status.metrics_title(self.session))
        generation = self.session.generation
        self.set_timer(PATIENCE_SECONDS, lambda: self._show_waiting(generation))

    def _show_waiting(self, generation: int) -> None:
        if generation == self.session.generation and self.session.stale:
            self.show_all()

    def show_document(self) -> None:
        """Layers of the open document, its title and its chunks."""
        self.document_view.show_layers(layers_of(self.session, self.found))
        frame = self.query_one("#document-frame")
        frame.border_title = Content(status.document_title(self.session))
        self.show_chunks()
        self.show_place()

    def show_place(self) -> None:
        """What stands at the cursor."""

    def remember_files(self) -> None:
        """The files on the disk are those on the screen."""

    def action_reload(self) -> None:
        """Read documents and golden set again."""

    def keep_asked(self) -> None:
        """Questions that are not written yet outlast whatever ends the program."""
        if self.options.keep is not None and self.kept is not self.session.asked:
            self.kept = self.session.asked
            self.options.keep()

    def leave_mark(self) -> None:
        """Remember the place before a jump."""

    def show_numbers(self) -> None:
        """Everything that follows from the numbers and the chosen question."""
        session = self.session
        metrics = self.query_one("#metrics", LineList)
        wide = metrics.size.width >= WIDE_METRICS
        metrics.show(
            metric_rows(session.numbers, session.baseline, wide=wide),
            columns=metric_columns(session.baseline, wide=wide),
            dimmed=session.stale,
        )
        metrics.border_title = Content(status.metrics_title(session))
        self.show_lists()
        self.show_lines()
        self.show_retrieved()
        self.show_study()

    def show_study(self) -> None:
        """The panel of a study, if one is shown."""

    def show_lists(self) -> None:
        """Documents and questions."""
        session = self.session
        if session.corpus is not None:
            self.query_one("#documents", DocumentList).show_documents(
                session.corpus,
                session.chunk_sets.get(session.active),
                miss_counts(session),
                session.document,
            )
        table = self.query_one("#questions", LineList)
        marks = self.options.ascii_marks
        rows, columns = question_table(
            session, ascii_marks=marks, narrow=self.compact, width=self.app.size.width
        )
        table.show(
            rows,
            columns=columns,
            cursor=session.question,
            empty=NO_GOLDEN,
            dimmed=session.stale and session.numbers is not None,
        )

    def show_lines(self) -> None:
        """Title, variants, question, caution."""
        session, marks = self.session, self.options.ascii_marks
        self.query_one("#title", OneLine).show(status.title_line(session, self.load_note))
        for variant in VARIANTS:
            width = self.app.size.width
            line = status.variant_line(session, variant, ascii_marks=marks, width=width)
            self.query_one(f"#variant-{variant}", OneLine).show(line)
        question = self.query_one("#question", OneLine)
        if self.compact:
            width = self.app.size.width
            question.show(status.compact_question_line(session, width, ascii_marks=marks))
        elif session.chosen is None:
            question.show(
                status.question_line(session, session.active, ascii_marks=marks),
                *(
                    status.variant_line(
                        session, v, ascii_marks=marks, width=max(_LEAST_LINE, question.size.width)
                    )
                    for v in VARIANTS
                ),
            )
        else:
            lines = [status.question_line(session, v, ascii_marks=marks) for v in VARIANTS]
            width = max(_LEAST_LINE, question.size.width)
            wrapped = [row for line in lines for row in broken(line, width)[:_VERDICT_LINES]]
            question.show(status.question_text(session), *wrapped)
            # It grows and never shrinks: stepping through questions must not move the text.
            self.verdict_rows = max(self.verdict_rows, len(wrapped))
            question.styles.height = 1 + self.verdict_rows
        self.query_one("#caution", OneLine).show(status.caution_line(session, short=self.compact))
        panel = self.query_one("#settings", SettingsPanel)
        panel.show_warnings(status.warning_lines(session))
        known = session.chunk_sets if session.chunk_sets_generation == session.generation else {}
        panel.show_facts({variant: overlap_facts(known.get(variant)) for variant in VARIANTS})
        tabs = self.query_one("#tabs", PanelTabs)
        tabs.note = status.tabs_note(session, short=self.compact)

    def show_retrieved(self) -> None:
        """The ranking of the chosen question in A and B."""
        if not self.furnished:
            return
        from chunkscope.tui.widgets.retrieved_panel import RetrievedPanel

        session = self.session
        panel = self.query_one("#retrieved", RetrievedPanel)
        for variant in VARIANTS:
            numbers = session.numbers
            panel.show(
                variant,
                session.result(variant),
                numbers.evaluations[variant].chunks if numbers is not None else None,
                self.terms,
                stale=session.stale,
                ascii_marks=self.options.ascii_marks,
                empty="Choose a question to see what is retrieved for it.",
            )

    def show_chunks(self) -> None:
        """The open document's chunks in the active variant."""
        session = self.session
        document, cuts = session.open_document, session.visible_cuts.get(session.active)
        table = self.query_one("#chunks", LineList)
        if document is None or cuts is None:
            table.show([], columns=CHUNK_COLUMNS, empty="Cutting …")
            return
        chunks = session.chunk_sets.get(session.active)
        known = chunks is not None and session.holds(session.active, chunks)
        table.show(
            ChunkRows(document, session.document, cuts, chunks if known else None),
            columns=chunk_columns(document, narrow=self.compact),
            empty="This document gives no chunk.",
        )

    def lay_out(self) -> None:
        """How much room the parts have."""

    def show_settings(self) -> None:
        """Both configurations."""
        self.query_one("#settings", SettingsPanel).show(self.session.configurations)

    # --- moving in the document ------------------------------------------------------------------

    def open_document(self, position: int) -> None:
        """Open a document unless it is open already."""
        session = self.session
        if session.corpus is None or position == session.document:
            return
        session.open(position)
        self.found, self.found_at = (), -1
        document = session.open_document
        if document is not None:
            self.document_view.show_document(document)
        self.show_document()
        self.show_lists()
        if session.chunks_generation != session.generation:
            self.request()

    def variant_shown(self) -> Variant:
        """The variant whose chunks are the bands."""
        return "B" if self.session.shown == "B" else "A"
