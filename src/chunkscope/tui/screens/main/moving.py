"""Actions that move about: panels, drawers, find, go to."""

import re
from typing import TYPE_CHECKING

from textual import on

from chunkscope.text.headings import Heading
from chunkscope.text.lines import LineIndex
from chunkscope.text.spans import Span
from chunkscope.tui import messages
from chunkscope.tui.screens.main.asking import QuestionActions
from chunkscope.tui.session import Variant
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.find_bar import FindBar
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.notice import Notice
from chunkscope.tui.widgets.panel_tabs import PANELS, PanelTabs

if TYPE_CHECKING:
    from chunkscope.tui.widgets.sweep_panel import SweepPanel

_MOST_FOUND = 100_000


class MoveActions(QuestionActions):
    """Panels, drawers, find, go to, Escape."""

    # --- panels ----------------------------------------------------------------------------------

    def show_panel(self, name: str, *, focus: bool = False) -> None:
        """Show one bottom panel."""
        self.session.panel = name
        self.query_one("#tabs", PanelTabs).shown = name
        for other in self.query("#bottom > .panel"):
            other.display = other.id == name
        if focus and self.furnished:
            self._focus_panel()

    def _focus_panel(self) -> None:
        lists = {
            "retrieved": f"#retrieved-{self.session.active}",
            "diagnosis": "#diagnosed",
            "health": "#findings",
            "compare": "#steps",
        }
        if self.panel == "sweep":
            self.set_focus(self.sweep_panel.entry)
        else:
            self.set_focus(self.query_one(lists.get(self.panel, f"#{self.panel}")))

    @property
    def sweep_panel(self) -> "SweepPanel":
        """The Sweep panel."""
        from chunkscope.tui.widgets.sweep_panel import SweepPanel

        return self.query_one("#sweep", SweepPanel)

    def action_panel(self, name: str) -> None:
        """Show and enter a bottom panel; the Sweep panel's key again: table or map."""
        if name == self.panel == "sweep" and self.furnished and self.sweep_panel.entry.has_focus:
            self.sweep_panel.switch()
        self.show_panel(name, focus=True)

    def action_next_panel(self) -> None:
        """The next bottom panel."""
        names = [name for name, _title in PANELS]
        following = names[(names.index(self.panel) + 1) % len(names)]
        inside = self.focused is not None and self.query_one("#bottom") in self.focused.ancestors
        tabs = isinstance(self.focused, PanelTabs)
        self.show_panel(following, focus=inside and not tabs)

    @on(messages.PanelChosen)
    def _panel_chosen(self, event: messages.PanelChosen) -> None:
        event.stop()
        self.show_panel(event.panel)

    def action_zoom(self) -> None:
        """The bottom panel on the whole screen, or back."""
        if not self.furnished:
            return
        self.remove_class("-alone")
        self.toggle_class("-zoomed")
        self.lay_out()
        if self.has_class("-zoomed"):
            self._focus_panel()
        else:
            self.set_focus(self.document_view)

    # --- drawers ---------------------------------------------------------------------------------

    def action_documents(self) -> None:
        """To the list of documents, or back from it."""
        self._drawer("#documents", "-documents")

    def action_settings(self) -> None:
        """To the settings, or back from them."""
        self._drawer("#side", "-side")

    def _drawer(self, selector: str, name: str) -> None:
        if not self.furnished and name == "-side":
            # Its fields are not there yet; the list of documents always is.
            return
        target = self.query_one(selector)
        focused = self.focused
        inside = focused is not None and (focused is target or target in focused.ancestors)
        self.remove_class("-zoomed")
        self.lay_out()
        if inside:
            self.action_leave()
            return
        self.remove_class("-documents", "-side")
        self.add_class(name)
        if name == "-side":
            target = self.query_one(f"#splitter-size-{self.session.active}")
        # At once, not behind the keys that are typed ahead.
        self.set_focus(target)

    def action_leave(self) -> None:
        """Close what is open, then go back to the document."""
        if self.document_view.end_selection():
            return
        closed = self.query_one(FindBar).close()
        if closed:
            self.found, self.found_at = (), -1
            self.show_document()
        self.remove_class("-documents", "-side", "-zoomed")
        self.lay_out()
        self.show_notice("")
        self.set_focus(self.document_view)

    # --- documents and chunks --------------------------------------------------------------------

    @on(messages.DocumentChosen)
    def _document_chosen(self, event: messages.DocumentChosen) -> None:
        event.stop()
        self.show_notice("")
        corpus = self.session.corpus
        # The list may have been that of the files when it was chosen there.
        position = corpus.position(event.id) if corpus is not None else event.position
        if position is not None:
            self.leave_mark()
            self.open_document(position)

    @on(messages.SkippedChosen)
    def _skipped_chosen(self, event: messages.SkippedChosen) -> None:
        event.stop()
        said = f"{event.path} is not among the documents: {event.reason}"
        self.show_notice(f"{said}\n\nEscape goes back to the document.", instead=True)

    def show_notice(self, text: str, *, instead: bool = False) -> None:
        """Say something above the open document, or in its place; nothing: the text alone."""
        self.query_one(Notice).tell(text)
        self.query_one("#document-frame").set_class(instead, "-instead")

    @on(DocumentView.CursorMoved, "#document")
    def _cursor_moved(self, event: DocumentView.CursorMoved) -> None:
        event.stop()
        self.session.offset = event.offset
        self.show_place()
        if event.chunk is not None and self.session.active == self.variant_shown():
            self.query_one("#chunks", LineList).place_cursor(event.chunk)

    @on(LineList.Highlighted, "#chunks")
    def _chunk_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._go_to_cut(event.index)

    @on(LineList.Chosen, "#chunks")
    def _chunk_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.leave_mark()
        self._go_to_cut(event.index)
        self.set_focus(self.document_view)

    def _go_to_cut(self, index: int) -> None:
        cuts = self.session.visible_cuts.get(self.session.active)
        if cuts is not None and 0 <= index < len(cuts):
            self.document_view.scroll_to_offset(int(cuts.starts[index]), center=True)

    # --- find ------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Type what is to be found."""
        self.query_one(FindBar).open()

    @on(FindBar.Wanted)
    def _find_wanted(self, event: FindBar.Wanted) -> None:
        event.stop()
        document = self.session.open_document
        if document is None:
            return
        if event.done and self.found:
            self.set_focus(self.document_view)
            return
        self.found = find_all(document.text, event.text)
        self.found_at = -1
        self.show_document()
        if self.found:
            start = self.document_view.cursor_offset
            later = (n for n, span in enumerate(self.found) if span.start >= start)
            self._go_to_match(next(later, 0))
        else:
            bar = self.query_one(FindBar)
            bar.show_count("not in this document" if event.text else "")

    def action_find_step(self, by: int) -> None:
        """The next or the previous match."""
        if not self.found:
            self.action_find()
            return
        self._go_to_match((self.found_at + by) % len(self.found))

    def _go_to_match(self, number: int) -> None:
        self.found_at = number
        self.query_one(FindBar).show_count(f"{number + 1} of {len(self.found)}")
        self.document_view.scroll_to_offset(self.found[number].start, center=True)

    # --- go to -----------------------------------------------------------------------------------

    def action_goto(self) -> None:
        """Ask where to."""
        from chunkscope.tui.screens.goto import GotoScreen

        self.app.push_screen(GotoScreen(self.outline()), self._go_to)

    def outline(self) -> list[Heading]:
        """The open document's headings."""
        return []

    def _go_to(self, target: tuple[str, int] | None) -> None:
        document = self.session.open_document
        if target is None or document is None:
            return
        self.leave_mark()
        kind, number = target
        variant: Variant = self.session.active
        cuts = self.session.visible_cuts.get(variant)
        if kind == "question":
            if 1 <= number <= len(self.session.questions):
                self.choose_question(number - 1)
            else:
                self.say(f"there is no question {number}", "warning")
        elif kind == "chunk":
            if cuts is not None and number < len(cuts):
                self._go_to_cut(number)
            else:
                self.say(f"there is no chunk {number} in {variant}", "warning")
        elif kind == "line":
            lines = LineIndex(document.text)
            line = max(0, min(number, lines.count) - 1)
            self.document_view.scroll_to_offset(lines.start(line), center=True)
        else:
            self.document_view.scroll_to_offset(min(number, len(document.text)), center=True)


def find_all(text: str, wanted: str) -> tuple[Span, ...]:
    """Where `wanted` stands, whatever its case; disjoint, ascending, a bounded number."""
    if not wanted:
        return ()
    found = []
    for match in re.finditer(re.escape(wanted), text, re.IGNORECASE):
        found.append(Span(*match.span()))
        if len(found) == _MOST_FOUND:
            break
    return tuple(found)
