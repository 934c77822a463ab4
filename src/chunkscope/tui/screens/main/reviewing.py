"""The review of generated questions, opened over the main screen."""

from chunkscope.errors import InputError
from chunkscope.tui.screens.main.ownsplitters import OwnSplitterActions


class ReviewActions(OwnSplitterActions):
    """Opens the review; what it wrote is read when it is left."""

    reviewing = False

    def action_review(self) -> None:
        """Review the golden set's generated questions; all of its questions where none are."""
        session = self.session
        if session.corpus is None or self.reloading:
            self.say("the documents are still being read", "warning")
            return
        if session.golden_path is None or not session.golden_path.exists():
            self.say("there is no golden set yet: a asks a question, w writes it", "warning")
            return
        from chunkscope.golden.reviewfile import ReviewFile
        from chunkscope.golden.reviewing import Reviewer, login_name
        from chunkscope.tui.screens.review.screen import ReviewScreen

        try:
            file = ReviewFile(session.golden_path, Reviewer(login_name()))
        except InputError as error:
            self.say(str(error), "error")
            return
        everything = not file.queue()
        if not file.queue(everything=everything):
            self.say("the golden set has no questions: a asks one", "warning")
            return
        if everything:
            self.say("nothing generated is left to review: these are all questions")
        self.reviewing = True
        screen = ReviewScreen(
            file, session.corpus, everything=everything, ascii_marks=self.options.ascii_marks
        )
        self.app.push_screen(screen, self._reviewed)

    def _reviewed(self, _left: None) -> None:
        self.reviewing = False
        self.check_files()

    def check_files(self) -> None:
        """Not while the review writes: what it wrote is read again once, when it is left."""
        if not self.reviewing:
            super().check_files()
