"""Actions around the second document: a chunk that won stands beside the evidence."""

from textual import on

from chunkscope.tui import messages
from chunkscope.tui.screens.main.placing import PlaceActions
from chunkscope.tui.views.beside import Beside, beside_head, beside_of, evidence_document
from chunkscope.tui.views.layers import layers_beside
from chunkscope.tui.views.retrieved import first_place, listed_chunks
from chunkscope.tui.widgets.find_bar import FindBar
from chunkscope.tui.widgets.texts import BesideFrame, Texts


class BesideActions(PlaceActions):
    """Open beside, follow the ranking, go back."""

    beside: Beside | None = None

    @on(messages.RetrievedPicked)
    async def _retrieved_picked(self, event: messages.RetrievedPicked) -> None:
        event.stop()
        session = self.session
        result = session.result(event.variant)
        listed = listed_chunks(result) if result is not None else []
        if session.numbers is None or event.place >= len(listed):
            return
        if event.peek and self.beside is None:
            return
        chunks = session.numbers.evaluations[event.variant].chunks
        entry = listed[event.place]
        document, _index = chunks.locate(entry[1])
        evidence = evidence_document(session)
        if self.beside is None and evidence in (None, document):
            self.leave_mark()
            if session.shown != "both":
                session.shown = event.variant
            self.open_document(document)
            self.show_all()
            self.document_view.scroll_to_offset(int(chunks.starts[entry[1]]), center=True)
            return
        terms = [term for term, _share in self.terms.get((event.variant, entry[1]), ())]
        await self._open_beside(beside_of(chunks, event.variant, entry, terms), evidence)

    async def _open_beside(self, beside: Beside, evidence: int | None) -> None:
        session = self.session
        if self.beside is None:
            self.leave_mark()
        if session.shown not in {"both", beside.variant}:
            session.shown = beside.variant
            self.show_all()
        if evidence is not None and evidence != session.document:
            self.open_document(evidence)
            place = first_place(session.chosen) if session.chosen is not None else None
            if place is not None:
                self.go_to_evidence(place[1])
        frames = self.query(BesideFrame)
        if not frames:
            frame = BesideFrame(ascii_marks=self.options.ascii_marks, id="beside")
            await self.query_one(Texts).mount(frame)
        before, self.beside = self.beside, beside
        frame = self.query_one(BesideFrame)
        frame.display = True
        corpus = session.corpus
        if corpus is None:
            return
        document = corpus.documents[beside.document]
        if before is None or frame.view.document is not document:
            frame.view.show_document(document)
        self.show_beside()
        frame.view.scroll_to_offset(beside.span.start, center=True)
        # The open document has another width once both are laid out.
        self.call_after_refresh(self.show_place)

    def show_document(self) -> None:
        """Both documents follow a change of the session."""
        super().show_document()
        self.show_beside()

    def show_beside(self) -> None:
        """Chunks, evidence and the question's words of the document beside."""
        beside, corpus = self.beside, self.session.corpus
        if beside is None or corpus is None or beside.document >= len(corpus.documents):
            return
        frame = self.query_one(BesideFrame)
        words = beside.words if not self.session.stale else ()
        frame.view.show_layers(layers_beside(self.session, beside.variant, beside.document, words))
        self._show_beside_head()

    @on(BesideFrame.Moved)
    def _show_beside_head(self) -> None:
        if self.beside is not None:
            frame = self.query_one(BesideFrame)
            described = frame.view.describe(line=False, short=True)
            frame.head.show(beside_head(self.session, self.beside, described))

    def close_beside(self) -> bool:
        """One document again; False when there was one."""
        if self.beside is None:
            return False
        self.beside = None
        frame = self.query_one(BesideFrame)
        inside = self.focused is not None and frame in self.focused.ancestors
        frame.display = False
        self.call_after_refresh(self.show_place)
        if inside:
            self.set_focus(self.document_view)
        return True

    def action_open_beside(self) -> None:
        """The document beside becomes the open one, at the same place."""
        beside = self.beside
        if beside is None:
            return
        offset = self.query_one(BesideFrame).view.cursor_offset
        self.close_beside()
        self.leave_mark()
        self.open_document(beside.document)
        self.document_view.scroll_to_offset(offset, center=True)
        self.set_focus(self.document_view)

    def choose_question(self, position: int) -> None:
        """Another question's evidence has nothing to do with what stands beside."""
        if position != self.session.question:
            self.close_beside()
        super().choose_question(position)

    def action_back(self) -> None:
        """First the document beside goes."""
        self.close_beside()
        super().action_back()

    def action_leave(self) -> None:
        """What was opened last goes first: the find bar, then the document beside."""
        if self.query_one(FindBar).has_class("-open") or not self.close_beside():
            super().action_leave()
