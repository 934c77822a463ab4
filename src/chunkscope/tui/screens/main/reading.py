"""What the screen does while documents are read: names, progress, a document wanted before all."""

from functools import partial

from textual import on

from chunkscope.text.document import Corpus, Document
from chunkscope.tui import messages
from chunkscope.tui.aheadmessages import AheadCut, CorpusListed, DocumentAhead, LoadStopped
from chunkscope.tui.literal import literal
from chunkscope.tui.screens.main.base import PATIENCE_SECONDS
from chunkscope.tui.screens.main.reloading import ReloadActions
from chunkscope.tui.views import status
from chunkscope.tui.views.documents import DocumentLines, twin_names
from chunkscope.tui.views.reading import UNREAD, reading_text
from chunkscope.tui.widgets.document_list import DocumentList
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine

_FRAMES_SECONDS = 0.04
_LAYOUT_SECONDS = 0.01


class ReadingActions(ReloadActions):
    """Reading all documents, and opening one before that is done."""

    lines_ahead: DocumentLines | None = None
    """The names of what is being read."""

    wanted: int | None = None
    """Position in `lines_ahead` of the document that is to be opened as soon as it is read."""

    chosen_early = False
    """Whether a person chose a document before all were read."""

    read_so_far = (0, 0)
    """Files read, of how many."""

    stopped = False

    home = 0
    """Where the cursor stood when the first document was opened."""

    @property
    def is_reading(self) -> bool:
        """Whether documents are being read for the first time."""
        return self.session.corpus is None and not self.stopped

    # --- progress --------------------------------------------------------------------------------

    @on(messages.LoadProgress)
    def _load_progress(self, event: messages.LoadProgress) -> None:
        if self.is_reading:
            self.read_so_far = (event.done, event.total)
            self._show_progress()

    @on(LoadStopped)
    def _load_stopped(self, event: LoadStopped) -> None:
        if self.session.corpus is None:
            self.read_so_far, self.stopped = (event.done, event.total), True
            self._show_progress()

    def _show_progress(self) -> None:
        """How far reading is: above everything, and beneath it where that has no room."""
        marks = self.options.ascii_marks
        self.load_note = reading_text(*self.read_so_far, stopped=self.stopped, ascii_marks=marks)
        session = self.session
        self.query_one("#title", OneLine).show(status.title_line(session, self.load_note))
        if self.compact:
            caution = status.caution_line(session, short=True)
            said = (f" {self.load_note} ·", "warn")
            self.query_one("#caution", OneLine).show([said, *caution])

    def show_lines(self) -> None:
        """While documents are read, how far that is."""
        super().show_lines()
        if self.session.corpus is None:
            self._show_progress()

    def show_lists(self) -> None:
        """While documents are read, their names."""
        super().show_lists()
        if self.session.corpus is None:
            if self.lines_ahead is not None:
                opened = self.session.document
                self.query_one("#documents", DocumentList).show_names(self.lines_ahead, opened)
            self.say_unread()

    def say_unread(self) -> None:
        """Nothing is missed, measured or unmeasured before all documents are read."""
        for name in ("#questions", "#metrics"):
            self.query_one(name, LineList).show([], empty=UNREAD)

    def action_reload(self) -> None:
        """Read again; while documents are read: stop, then go on."""
        if self.session.corpus is not None:
            super().action_reload()
        elif self.stopped:
            self.stopped = False
            self._show_progress()
            self.start(partial(self.engine.load, self.opening_first()), "load")
        else:
            self.engine.ahead.stop_reading()

    # --- a document before all are read ----------------------------------------------------------

    @on(CorpusListed)
    def _corpus_listed(self, event: CorpusListed) -> None:
        if self.session.corpus is None:
            self.lines_ahead, self.wanted = event.lines, event.wanted
            self.query_one("#documents", DocumentList).show_names(event.lines, event.wanted)

    def open_document(self, position: int) -> None:
        """Open a document; before all are read, by its position among the files."""
        session = self.session
        if session.corpus is not None:
            super().open_document(position)
        elif self.lines_ahead is not None:
            self.chosen_early = True
            self.wanted = position
            self.start(partial(self.engine.ahead.open, position), "ahead")
            self.set_timer(PATIENCE_SECONDS, partial(self._tell_wanted, position))

    def _tell_wanted(self, position: int) -> None:
        if self.wanted == position and self.session.corpus is None and self.lines_ahead is not None:
            name = literal(self.lines_ahead.id_of(position))
            self.show_notice(f"{name}: being read …", instead=True)

    @on(DocumentAhead)
    def _document_ahead(self, event: DocumentAhead) -> None:
        session, listed = self.session, self.lines_ahead
        if session.corpus is not None or listed is None:
            return
        first = session.ahead is None and not self.chosen_early
        if not first and event.position != self.wanted:
            return
        self.wanted = None
        if isinstance(event.found, str):
            self._tell_left_out(listed.id_of(event.position), event.found)
            return
        self.show_notice("")
        if event.found is session.ahead:
            return
        self._show_ahead(event.position, event.found)
        if first:
            self._return_to_left(event.found)
            self.call_after_refresh(self._first_shown)
        else:
            self.request()

    def _show_ahead(self, position: int, document: Document) -> None:
        self.session.open_ahead(position, document)
        self.found, self.found_at = (), -1
        self.document_view.show_document(document)
        self.show_document()
        self.show_lists()

    def _return_to_left(self, document: Document) -> None:
        left = self.options.left
        if left is not None and left.document == document.id:
            self.home = self.session.offset = min(left.offset, len(document.text))
            self.document_view.scroll_to_offset(self.home, center=True)

    def _first_shown(self) -> None:
        self.engine.painted()
        self.set_timer(_FRAMES_SECONDS, self._begin_ahead)

    async def _begin_ahead(self) -> None:
        self.request()
        await self.furnish()

    def _tell_left_out(self, name: str, reason: str) -> None:
        said = f"{literal(name)} is not among the documents: {reason}"
        self.show_notice(f"{said}\n\nEscape goes back to the document.", instead=True)

    def request(self) -> None:
        """Before all documents are read, have the open one cut."""
        session = self.session
        if session.corpus is None and session.ahead is not None:
            configurations = dict(session.configurations)
            work = partial(self.engine.ahead.cut, session.generation, session.ahead, configurations)
            self.start(work, "answer")
        else:
            super().request()

    @on(AheadCut)
    def _ahead_cut(self, event: AheadCut) -> None:
        if self.session.keep_ahead_cuts(event.generation, event.document, event.cuts):
            self.show_document()

    # --- all are read ----------------------------------------------------------------------------

    @on(messages.CorpusLoaded)
    def _corpus_loaded(self, event: messages.CorpusLoaded) -> None:
        session = self.session
        if session.corpus is not None:
            self.reloaded(event)
            return
        stays = session.take_read(event.corpus)
        session.golden, session.located = event.golden, event.located
        session.golden_digest = event.golden.digest if event.golden is not None else ""
        session.brought, session.log = event.brought, event.log
        if event.asked is not None:
            session.ask(event.asked)
        elif self.opening.brought is not None:
            session.question = len(session.questions) - len(session.brought)
        self.restore()
        moved = stays and self._moved()
        self._settle_document(event.corpus, stays=stays, moved=moved)
        self.query_one("#metrics", LineList).show([], empty="Measuring …")
        self.remember_files()
        self.show_all()
        self._open_wanted(event.corpus)
        self._begin_when_painted()
        self._tell_how_read()
        self.tell_places()
        if session.question is not None and (event.asked or self.opening.brought) and not moved:
            self.choose_question(session.question)

    def _moved(self) -> bool:
        """Whether a person has gone elsewhere than where the first document was opened."""
        view = self.document_view
        scrolled = not self.home and view.top_row > 0
        return self.chosen_early or scrolled or view.cursor_offset != self.home

    def _settle_document(self, corpus: Corpus, *, stays: bool, moved: bool) -> None:
        """The document on the screen stays where a person looks at it; else that of last time."""
        session, left = self.session, self.options.left
        before = corpus.position(left.document) if left is not None else None
        if stays and (moved or before in (None, session.document)):
            return
        session.document = before or 0
        document = session.open_document
        if document is None:
            return
        session.visible_cuts = {}
        self.document_view.show_document(document)
        session.offset = 0
        if before is not None and left is not None:
            session.offset = min(left.offset, len(document.text))
            self.document_view.scroll_to_offset(session.offset, center=True)

    def _open_wanted(self, corpus: Corpus) -> None:
        """What was chosen and not yet there when the last document was read."""
        listed, wanted, self.wanted, self.lines_ahead = self.lines_ahead, self.wanted, None, None
        if wanted is None or listed is None or not self.chosen_early:
            return
        self.show_notice("")
        name = listed.id_of(wanted)
        # Of a file of records it is the first.
        held = (corpus.position(each) for each in (name, f"{name}:1"))
        position = next((each for each in held if each is not None), None)
        reasons = [entry.reason for entry in corpus.skipped if entry.path == name]
        if position is not None:
            self.open_document(position)
        elif reasons:
            self._tell_left_out(name, reasons[0])

    def _begin_when_painted(self, tries: int = 50) -> None:
        """The text is on the screen before the rest takes its share of the interpreter."""
        laid_out = self.query_one("#keys").size.width > 0
        if laid_out or not tries:
            self.set_timer(_FRAMES_SECONDS, self._begin)
        else:
            self.set_timer(_LAYOUT_SECONDS, partial(self._begin_when_painted, tries - 1))

    async def _begin(self) -> None:
        self.request()
        await self.furnish()

    async def furnish(self) -> None:
        """Mount what can wait until the text is on the screen."""

    def _tell_how_read(self) -> None:
        corpus = self.session.corpus
        if corpus is None:
            return
        notes = [f"{doc.id}: {note}" for doc in corpus.documents for note in doc.notes]
        twins = twin_names(corpus)
        if twins:
            more = f", and so in {len(twins) - 1} more cases" if len(twins) > 1 else ""
            self.say(
                f"{' and '.join(twins[0][:3])} hold the same text{more}: their chunks compete",
                "warning",
            )
        if notes:
            more = f"\nand {len(notes) - 4} more" if len(notes) > 4 else ""
            self.say("\n".join(notes[:4]) + more, "warning")
