"""Actions about where one is: the place line, boundary differences, back, editor, panel size."""

import os
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

from textual.app import SuspendNotSupported

from chunkscope.errors import InputError
from chunkscope.golden.atomic import replace_file
from chunkscope.text.headings import Heading, heading_path, headings
from chunkscope.text.lines import LineIndex
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.moving import MoveActions
from chunkscope.tui.views import status
from chunkscope.tui.views.place import (
    boundary_differences,
    boundary_text,
    place_lines,
    whereabouts,
)
from chunkscope.tui.widgets.one_line import OneLine

_LONGEST_OUTLINED = 4_000_000
_PLACES_KEPT = 100


class PlaceActions(MoveActions):
    """The place line, and what needs to know where the cursor is."""

    outlined: tuple[str, list[Heading]] = ("", [])
    """Document id and its headings, found once a document."""

    def show_place(self) -> None:
        """Chunk, section and boundary at the cursor."""
        view, document = self.document_view, self.session.open_document
        line = self.query_one("#place", OneLine)
        if document is None:
            line.show()
            return
        offset = view.cursor_offset
        titles = heading_path(self.outline(), offset)
        reason = boundary_text(self.session, view.cursor_chunk)
        said = (view.describe(line=False), view.describe(line=False, short=True), reason)
        width, height = max(20, line.size.width), max(1, line.size.height)
        number = view.page.line_of(offset) + 1
        place = whereabouts(self.session, offset, number, titles, said)
        line.show(*place_lines(place, width, height))

    # --- how far the work is ---------------------------------------------------------------------

    covered = (0, 0)
    """How many documents are cut for the newest change, of how many."""

    def request(self) -> None:
        """From here on nothing is covered yet."""
        corpus = self.session.corpus
        self.covered = (0, len(corpus.documents) if corpus is not None else 0)
        super().request()

    def show_numbers(self) -> None:
        """The numbers, and how much of the corpus they cover."""
        super().show_numbers()
        self.show_covered()

    def show_changed(self) -> None:
        """What changed, and that nothing is covered yet."""
        super().show_changed()
        self.show_covered()

    def show_lists(self) -> None:
        """The lists, and whose chunks and misses stand beside the documents."""
        super().show_lists()
        self.query_one("#documents").border_title = f"documents · in {self.session.active}"

    def show_covered(self) -> None:
        """How much of the corpus the coming numbers cover, until they cover all of it."""
        said = self.covered_text() if self.session.stale and self.covered[1] else ""
        self.query_one("#metrics").border_subtitle = said
        if said and self.compact:
            caution = status.caution_line(self.session, short=True)
            self.query_one("#caution", OneLine).show([(f" {said} ·", "warn"), *caution])

    def covered_text(self) -> str:
        """How far the work on the newest change is."""
        done, total = self.covered
        return f"cut {done} of {total} documents" if done < total else "measuring"

    # --- the place line --------------------------------------------------------------------------

    def outline(self) -> list[Heading]:
        """The open document's headings."""
        document = self.session.open_document
        if document is None or len(document.text) > _LONGEST_OUTLINED:
            return []
        if self.outlined[0] != document.id:
            pattern = self.session.configurations["A"].enrich.heading_pattern
            found = headings(
                document.text, document_id=document.id, origin=document.origin, pattern=pattern
            )
            self.outlined = (document.id, found)
        return self.outlined[1]

    # --- boundaries ------------------------------------------------------------------------------

    def action_boundary_difference(self, by: int) -> None:
        """The next or previous boundary that only one variant has."""
        alone = boundary_differences(self.session)
        if not alone:
            self.say("A and B cut this document alike")
            return
        at = self.document_view.cursor_offset
        later = [offset for offset in alone if offset > at]
        earlier = [offset for offset in alone if offset < at]
        if by > 0:
            target = later[0] if later else alone[0]
        else:
            target = earlier[-1] if earlier else alone[-1]
        in_a = target in self.session.visible_cuts["A"].starts
        if self.session.shown != "both":
            self.session.shown = "both"
            self.show_all()
        self.document_view.scroll_to_offset(target, center=True)
        number = alone.index(target) + 1
        self.say(f"difference {number} of {len(alone)}: a chunk begins here in "
                 f"{'A' if in_a else 'B'} alone")  # fmt: skip

    # --- back ------------------------------------------------------------------------------------

    def leave_mark(self) -> None:
        """Remember where the cursor is, before a jump."""
        place = (self.session.document, self.document_view.cursor_offset)
        if self.session.corpus is not None and self.marks[-1:] != [place]:
            self.marks.append(place)
            del self.marks[:-_PLACES_KEPT]

    def action_back(self) -> None:
        """Where the cursor was before the last jump."""
        if not self.marks:
            self.say("there is nowhere to go back to")
            return
        document, offset = self.marks.pop()
        self.open_document(document)
        self.document_view.scroll_to_offset(offset, center=True)
        self.set_focus(self.document_view)

    # --- the document outside --------------------------------------------------------------------

    def action_editor(self) -> None:
        """Open the document's file in $EDITOR, at the cursor's line; read it again after."""
        document = self.session.open_document
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
        if document is None or document.path is None:
            self.say("no file is open", "warning")
            return
        if not command.strip():
            self.say("no editor is named; set EDITOR, such as EDITOR=vi", "warning")
            return
        line = LineIndex(document.text).line_of(self.document_view.cursor_offset) + 1
        try:
            with self.app.suspend():
                done = subprocess.run(editor_command(command, document.path, line), check=False)
        except SuspendNotSupported:
            self.say("this terminal cannot be left to an editor", "warning")
            return
        except (OSError, ValueError) as error:
            self.say(f"{command}: cannot be started: {error}", "error")
            return
        if done.returncode:
            self.say(f"{command}: ended with {done.returncode}", "warning")
        self.check_files()

    def check_files(self) -> None:
        """Read again what has changed outside."""

    def opening_now(self) -> Opening:
        """What is open now, the golden set that was written here included."""
        return replace(
            self.opening, golden=self.session.golden_path, corpus=None, question=None, evidence=()
        )

    # --- the screen ------------------------------------------------------------------------------

    def action_wrap(self) -> None:
        """Long lines wrapped, or not."""
        view = self.document_view
        view.wrap = not view.wrap
        self.say("long lines are wrapped" if view.wrap else "long lines run on")

    def action_save_screenshot(self) -> None:
        """The screen as SVG, in the working folder."""
        names = (f"chunkscope{'' if n == 1 else f'-{n}'}.svg" for n in range(1, 10_000))
        path = next(path for name in names if not (path := Path.cwd() / name).exists())
        try:
            replace_file(path, self.app.export_screenshot(title="chunkscope").encode("utf-8"))
        except InputError as error:
            self.say(str(error), "error")
        else:
            self.say(f"saved to {path}")


def editor_command(command: str, path: Path, line: int) -> list[str]:
    """The words that open `path` at `line` in an editor."""
    words = shlex.split(command)
    name = Path(words[0]).name
    if name in {"code", "codium", "cursor"}:
        return [*words, "--wait", "--goto", f"{path}:{line}"]
    if name in {"subl", "zed", "hx", "helix", "micro"}:
        return [*words, f"{path}:{line}"]
    return [*words, f"+{line}", str(path)]
