"""What stands above the open document, or in its place: why something is not shown."""

from textual.widgets import Static

from chunkscope.tui.literal import content


class Notice(Static):
    """Literal text, broken at spaces; takes no room while there is none."""

    DEFAULT_CSS = """
    Notice {
        display: none; height: auto; max-height: 10; padding: 0 1;
        color: $text-warning; background: $warning-muted;
    }
    Notice.-said { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)

    def tell(self, text: str) -> None:
        """Replace the text; an empty one hides the widget."""
        self.update(content(text))
        self.set_class(bool(text), "-said")
