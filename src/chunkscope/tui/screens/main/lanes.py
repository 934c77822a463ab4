"""Actions around what stands beside A and B: the log's lane, the first of two stages."""

from functools import partial
from typing import TYPE_CHECKING

from textual import on

from chunkscope.tui import messages
from chunkscope.tui.screens.main.cases import CaseActions
from chunkscope.tui.screens.main.studying import StudyActions
from chunkscope.tui.session import VARIANTS
from chunkscope.tui.views.layers import has_two_stages

if TYPE_CHECKING:
    from chunkscope.evaluation.configuration import Configuration


class LaneActions(CaseActions, StudyActions):
    """Asks for what the lanes need as soon as it is needed, and once."""

    sections_wanted: tuple[str, str, int] = ("", "", -1)
    """Document, kind and change for which sections were asked last."""

    def show_document(self) -> None:
        """The document; its sections are found behind it."""
        super().show_document()
        session = self.session
        document = session.open_document
        if document is None or session.stale:
            return
        for variant in VARIANTS:
            kind = session.configurations[variant].splitter.kind
            wanted = (document.id, kind, session.generation)
            known = (document.id, kind) in session.sections
            drawn = session.shown in ("both", variant)
            if drawn and has_two_stages(kind) and not known and wanted != self.sections_wanted:
                from chunkscope.tui.lanestudies import Staging

                self.sections_wanted = wanted
                asked = Staging(session.document, kind, session.generation)
                self.start(partial(self.engine.study, asked), "sections")
                return

    @on(messages.SectionsReady)
    def _sections_ready(self, event: messages.SectionsReady) -> None:
        event.stop()
        self.session.sections[(event.document, event.splitter)] = event.sections
        self.show_document()

    def request_study(self) -> None:
        """The panel's question, and how far A's retriever agrees with the log."""
        super().request_study()
        session = self.session
        if session.log is None or session.stale:
            return
        a: Configuration = session.configurations["A"]
        if session.agreement is None or session.agreement[0] != a:
            from chunkscope.tui.lanestudies import Agreeing

            asked = Agreeing(session.log, a, session.generation)
            self.start(partial(self.engine.study, asked), "log")

    @on(messages.AgreementReady)
    def _agreement_ready(self, event: messages.AgreementReady) -> None:
        event.stop()
        self.session.agreement = (event.configuration, event.agreement)
        self.show_lines()
