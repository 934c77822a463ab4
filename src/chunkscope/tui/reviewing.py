"""The review on its own, as `chunkscope golden review` opens it."""

import gc

from textual.app import App

from chunkscope.golden.reviewfile import ReviewFile
from chunkscope.text.document import Corpus
from chunkscope.tui.app import theme_name
from chunkscope.tui.screens.review.screen import ReviewScreen
from chunkscope.tui.theme import THEMES


class ReviewApp(App[int]):
    """Shows one review, and ends with it."""

    TITLE = "chunkscope"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, review: ReviewScreen, *, ascii_marks: bool = False, theme: str | None = None
    ) -> None:
        super().__init__()
        self.review = review
        self.set_class(ascii_marks, "-ascii")
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme_name(theme)

    def on_mount(self) -> None:
        """The review, at once."""
        self.push_screen(self.review, self._end)

    def _end(self, _left: None) -> None:
        self.exit(0)


def run_review(
    file: ReviewFile,
    corpus: Corpus,
    *,
    everything: bool = False,
    encoding: str = "cl100k_base",
    ascii_marks: bool = False,
    theme: str | None = None,
) -> int:
    """Review the golden set in the terminal; the process's exit code.

    Args:
        file: the golden set; what is to be reviewed in it must not be nothing.
        corpus: the documents.
        everything: also questions written by hand and reviewed ones.
        encoding: counts tokens for flags.
        ascii_marks: marks of plain ASCII.
        theme: dark, light or contrast.

    Raises:
        InputError: for an unknown theme.
    """
    review = ReviewScreen(
        file, corpus, everything=everything, encoding=encoding, ascii_marks=ascii_marks
    )
    app = ReviewApp(review, ascii_marks=ascii_marks, theme=theme)
    gc.freeze()
    return int(app.run() or app.return_code or 0)
