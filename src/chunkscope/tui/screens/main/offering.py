"""Actions around places of evidence that are in doubt."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from chunkscope.golden.model import LocatedQuestion
from chunkscope.tui import messages
from chunkscope.tui.screens.main.editing import EditActions

if TYPE_CHECKING:
    from chunkscope.golden.places import Choice, Offer


class OfferActions(EditActions):
    """Moved evidence is offered its new place; evidence in several places is asked about."""

    def action_places(self) -> None:
        """Look for every piece of evidence whose place is in doubt."""
        session = self.session
        if not session.questions:
            self.say("there are no questions yet: a asks one", "warning")
            return
        self.say("looking for places of evidence …")
        from chunkscope.tui.lanestudies import Doubting

        wanted = Doubting(session.questions, session.question or 0)
        self.start(partial(self.engine.study, wanted), "places")

    @on(messages.PlacesReady)
    def _places_ready(self, event: messages.PlacesReady) -> None:
        event.stop()
        session = self.session
        if event.questions is not session.questions or session.corpus is None:
            return
        if not event.offers:
            self.say("all evidence stands in exactly one place")
            return
        from chunkscope.tui.screens.places import PlacesScreen

        marks = self.options.ascii_marks
        self.app.push_screen(PlacesScreen(event.offers, session.corpus, ascii_marks=marks))

    @on(messages.PlacesTaken)
    def _places_taken(self, event: messages.PlacesTaken) -> None:
        event.stop()
        session = self.session
        lines = dict(enumerate(session.questions))
        for offer, choice in event.taken:
            lines[offer.question] = self._with_place(lines[offer.question], offer, choice)
        changed = {n: line for n, line in lines.items() if line is not session.questions[n]}
        golden, written = session.golden, len(session.located)
        if golden is not None and any(number < written for number in changed):
            kept = tuple(lines[n].question for n in range(written))
            golden = replace(golden, questions=kept)
            if not self._write(golden):
                return
        located = tuple(lines[n] for n in range(written))
        unsaved = written + len(session.asked)
        wanted = [*range(written, unsaved), *(n for n in sorted(changed) if n >= unsaved)]
        asked = tuple(lines[n] for n in wanted)
        session.rewrite(golden, located, asked)
        count = len(event.taken)
        self.say(f"{count} place{'s' * (count != 1)} taken (u takes it back)")
        self.show_all()
        self.request()
        if session.question in changed:
            self.choose_question(session.question)

    def _with_place(
        self, located: LocatedQuestion, offer: "Offer", choice: "Choice"
    ) -> LocatedQuestion:
        from chunkscope.golden.locating import locate_question
        from chunkscope.golden.places import taken

        corpus = self.session.corpus
        question = taken(located.question, offer, choice)
        return locate_question(question, corpus) if corpus is not None else located

    @on(messages.AskAnswered)
    def _say_several(self, event: messages.AskAnswered) -> None:
        """An asked passage that stands in several documents is never taken silently."""
        for item in event.located.items:
            documents = list(dict.fromkeys(place.doc for place in item.places))
            if len(documents) > 1:
                named = ", ".join(documents[:3]) + (" …" if len(documents) > 3 else "")
                self.say(
                    f"the evidence stands in {len(documents)} documents ({named}): "
                    "any of them serves; t v lists the places to take one",
                    "warning",
                )

    def tell_places(self) -> None:
        """Say how many questions have evidence that is not where their offsets say."""
        moved = sum(any(item.drifted for item in line.items) for line in self.session.questions)
        if moved:
            self.say(
                f"evidence of {moved} question{'s' * (moved != 1)} is not where it was: "
                "t v offers the new place",
                "warning",
            )
