"""Files that change outside are read again with the place kept; a session is taken up again."""

from functools import partial
from pathlib import Path

from chunkscope.tui import messages
from chunkscope.tui.screens.main.beside import BesideActions

Stamp = tuple[int, int] | None
"""A file's time of change and size; None: it is not there."""


class ReloadActions(BesideActions):
    """Reload, by key or because a file changed; restore."""

    stamps: dict[Path, Stamp] = {}  # noqa: RUF012 - replaced whole, never changed
    reloading = False

    # --- files -----------------------------------------------------------------------------------

    def remember_files(self) -> None:
        """What stands on the disk is what is on the screen."""
        self.stamps = {path: stamp(path) for path in self._files()}

    def _files(self) -> list[Path]:
        session = self.session
        document = session.open_document
        found = [document.path if document is not None else None, session.golden_path]
        return [path for path in found if path is not None]

    def check_files(self) -> None:
        """Read again when the open document or the golden set is another on the disk."""
        if self.session.corpus is None or self.reloading:
            return
        now = {path: stamp(path) for path in self._files()}
        changed = [path for path in now if path in self.stamps and self.stamps[path] != now[path]]
        self.stamps = {**self.stamps, **now}
        if changed:
            self.say(f"{changed[0].name} changed on the disk: reading again …")
            self.action_reload()

    def action_reload(self) -> None:
        """Read documents and golden set again."""
        if self.session.corpus is None:
            self.say("the documents are still being read", "warning")
            return
        self.reloading = True
        self.start(partial(self.engine.load, self.opening_now()), "load")

    def reloaded(self, event: messages.CorpusLoaded) -> None:
        """Documents as they are now; document, cursor and question stay where they can."""
        from chunkscope.golden.locating import locate_question

        session, self.reloading = self.session, False
        before, chosen = session.open_document, session.chosen
        offset, top = self.document_view.cursor_offset, self.document_view.top_offset
        asked = tuple(locate_question(line.question, event.corpus) for line in session.asked)
        session.take_corpus(event.corpus, event.golden, event.located)
        session.asked = asked
        same = event.corpus.position(before.id) if before is not None else None
        session.document = same or 0
        ids = [line.question.id for line in session.questions]
        wanted = chosen.question.id if chosen is not None else None
        session.question = ids.index(wanted) if wanted in ids else None
        self.found, self.found_at, self.marks = (), -1, []
        document = session.open_document
        if document is not None:
            self.document_view.show_document(document)
            if same is not None:
                self.document_view.scroll_to_offset(top, center=False)
                self.document_view.scroll_to_offset(offset, center=True)
        self.outlined = ("", [])
        self.remember_files()
        self.show_all()
        self.request()
        moved = sum(any(item.drifted for item in line.items) for line in session.questions)
        gone = sum(not line.measured and not line.unanswerable for line in session.questions)
        said = [f"read again: {len(event.corpus.documents)} documents"]
        said += [f"evidence of {moved} questions stands elsewhere now"] if moved else []
        said += [f"evidence of {gone} questions stands nowhere"] if gone else []
        self.say(" · ".join(said), "warning" if gone else "information")

    # --- sessions --------------------------------------------------------------------------------

    def restore(self) -> None:
        """Begin where these documents were left."""
        left, session = self.options.left, self.session
        corpus = session.corpus
        if left is None or corpus is None:
            return
        found = left.configurations() if self.options.restore_settings else None
        if found is not None:
            a, b = found
            if session.change_both({"A": a, "B": b}):
                self.say("A and B are as you left them; u gives the defaults")
        position = corpus.position(left.document)
        if position is not None:
            session.document = position
            session.offset = min(left.offset, len(corpus.documents[position].text))
        if left.shown in ("A", "B", "both"):
            session.shown = left.shown  # type: ignore[assignment]
        ids = [line.question.id for line in session.questions]
        if left.question in ids and session.question is None:
            session.question = ids.index(left.question)


def stamp(path: Path) -> Stamp:
    """A file's stamp."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
