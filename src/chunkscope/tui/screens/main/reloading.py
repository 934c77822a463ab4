"""Files that change outside are read again with the place kept; a session is taken up again."""

import os
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from chunkscope.text.document import Corpus
from chunkscope.tui import messages
from chunkscope.tui.keeping import kept_place
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.here import HereActions

Stamp = tuple[int, int] | None
"""A file's time of change and size, or a folder's names; None: it is not there."""

_LOOKED_AT = 2000
_FOLDERS = 100
"""How many files and folders are looked at in one go; the others have their turn."""


class ReloadActions(HereActions):
    """Reload, by key or because a file changed; restore."""

    stamps: dict[Path, Stamp] = {}  # noqa: RUF012 - replaced whole, never changed
    listed: tuple[Corpus | None, list[Path]] | None = None
    """Files and folders to look at, found once a corpus."""

    looked_at = 0

    # --- files -----------------------------------------------------------------------------------

    def remember_files(self) -> None:
        """What stands on the disk is what is on the screen."""
        session = self.session
        corpus = session.corpus
        # Of many files, what each is like is first seen when its turn comes.
        many = corpus is not None and len(corpus.documents) > _LOOKED_AT
        self.stamps = {path: stamp(path) for path in (self._first() if many else self._files())}

    def _first(self) -> list[Path]:
        """The golden set, the open document, what a real system returned."""
        session, document = self.session, self.session.open_document
        found = [session.golden_path, document.path if document is not None else None]
        return [path for path in (*found, self.opening.log) if path is not None]

    def _files(self) -> list[Path]:
        """The golden set, the open document, then all others and the folders they are from."""
        corpus = self.session.corpus
        if self.listed is None or self.listed[0] is not corpus:
            self.listed = (corpus, self._others())
        return [*dict.fromkeys(self._first()), *self.listed[1]]

    def _others(self) -> list[Path]:
        """The documents' files and the folders they are from."""
        session, corpus = self.session, self.session.corpus
        documents = corpus.documents if corpus is not None else ()
        paths = dict.fromkeys(one.path for one in documents if one.path is not None)
        folders = dict.fromkeys(path for path in session.paths if path.is_dir())
        if folders:
            inside = {os.path.dirname(path): path for path in paths}  # noqa: PTH120 - of 100,000
            folders.update(dict.fromkeys(path.parent for path in inside.values()))
        return [*paths, *islice(folders, _FOLDERS)]

    def check_files(self) -> None:
        """Read again when a document, the golden set or a folder is another on the disk."""
        if self.session.corpus is None or self.reloading:
            return
        files = self._files()
        self.looked_at = 0 if self.looked_at >= len(files) else self.looked_at
        turn = files[self.looked_at : self.looked_at + _LOOKED_AT]
        self.looked_at += _LOOKED_AT
        now = {path: stamp(path) for path in dict.fromkeys((*files[:2], *turn))}
        changed = [path for path in now if path in self.stamps and self.stamps[path] != now[path]]
        self.stamps = {**self.stamps, **now}
        if changed:
            others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            self.say(f"{changed[0].name}{others} changed on the disk: reading again …")
            self.action_reload()

    def action_reload(self) -> None:
        """Read documents and golden set again."""
        self.reloading = True
        self.start(partial(self.engine.load, self.opening_now()), "load")

    def not_reloaded(self, reason: str) -> None:
        """What stood before stays on the screen, and above it why."""
        self.reloading = False
        self.show_notice(f"not read again: {reason}\nWhat is shown is what was read before.")
        self.say(f"not read again: {reason}", "error")

    def reloaded(self, event: messages.CorpusLoaded) -> None:
        """Documents as they are now; document, cursor and question stay where they can."""
        from chunkscope.golden.locating import locate_question

        session, self.reloading = self.session, False
        self.show_notice("")
        same_log = event.log == session.log
        session.golden_digest = event.golden.digest if event.golden is not None else ""
        if event.corpus is session.corpus and event.golden == session.golden and same_log:
            self.remember_files()
            self.say("read again: nothing changed")
            return
        self.close_beside()
        before, chosen, known = session.open_document, session.chosen, session.corpus
        offset, top = self.document_view.cursor_offset, self.document_view.top_offset
        asked = tuple(locate_question(line.question, event.corpus) for line in session.asked)
        session.brought, session.log = event.brought, event.log
        session.take_corpus(event.corpus, event.golden, event.located, asked)
        same = event.corpus.position(before.id) if before is not None else None
        session.document = same or 0
        ids = [line.question.id for line in session.questions]
        wanted = chosen.question.id if chosen is not None else None
        session.question = ids.index(wanted) if wanted in ids else None
        self.found, self.found_at, self.marks = (), -1, []
        document = session.open_document
        if document is not None:
            self.document_view.show_document(document)
            if same is not None and before is not None:
                old, new = before.text, document.text
                self.document_view.scroll_to_offset(kept_place(old, new, top), center=False)
                self.document_view.scroll_to_offset(kept_place(old, new, offset), center=True)
        self.outlined = ("", [])
        self.remember_files()
        self.show_all()
        self.request()
        self._tell_reloaded(known, event.corpus)

    def _tell_reloaded(self, before: Corpus | None, after: Corpus) -> None:
        known = {document.id for document in before.documents} if before is not None else set()
        now = {document.id for document in after.documents}
        count = len(now)
        said = [f"read again: {count} document{'s' * (count != 1)}"]
        said += [f"{len(now - known)} new"] if now - known else []
        said += [f"{len(known - now)} gone"] if known - now else []
        lines = self.session.questions
        gone = sum(not line.measured and not line.unanswerable for line in lines)
        said += [f"evidence of {gone} questions stands nowhere"] if gone else []
        self.tell_places()
        self.say(" · ".join(said), "warning" if gone else "information")

    def tell_places(self) -> None:
        """Say whose evidence is not where it was."""

    # --- sessions --------------------------------------------------------------------------------

    def opening_first(self) -> Opening:
        """What is to be opened, the document that was left open before the others."""
        left = self.options.left
        return replace(self.opening, first=left.document if left is not None else "")

    def restore_settings(self) -> None:
        """The variants as they were left, before anything is cut."""
        left, session = self.options.left, self.session
        if left is None:
            return
        found = left.configurations() if self.options.restore_settings else None
        if found is not None:
            a, b = found
            if session.change_both({"A": a, "B": b}):
                self.say("A and B are as you left them; u gives the defaults")
        if left.shown in ("A", "B", "both"):
            session.shown = left.shown  # type: ignore[assignment]

    def restore(self) -> None:
        """Begin where these documents were left."""
        super().restore()
        left, session = self.options.left, self.session
        if left is None:
            return
        ids = [line.question.id for line in session.questions]
        if left.question in ids and session.question is None:
            session.question = ids.index(left.question)


def stamp(path: Path) -> Stamp:
    """A file's stamp; a folder's: of the names in it that are not hidden."""
    try:
        status = path.stat()
        if path.is_dir():
            names = frozenset(
                entry.name
                for entry in path.iterdir()
                if not entry.name.startswith(".") and not entry.name.endswith("~")
            )
            return hash(names), len(names)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
