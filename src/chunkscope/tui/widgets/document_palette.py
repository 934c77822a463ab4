"""Styles of the document view: component classes by name, looks and gutter parts to styles."""

from functools import lru_cache

from rich.style import Style
from textual.color import Color
from textual.widget import Widget

from chunkscope.tui.painting.bands import Band
from chunkscope.tui.painting.gutter import GutterCell, Part
from chunkscope.tui.painting.layers import EvidenceState
from chunkscope.tui.painting.looks import Ink, Look

_PREFIX = "document-view--"
_EVIDENCE: dict[EvidenceState, str] = {
    "whole": "whole",
    "cut": "cut",
    "not retrieved": "not-retrieved",
    "unmeasured": "unmeasured",
}

COMPONENTS = frozenset(
    _PREFIX + name
    for name in (
        *(band.value for band in Band),
        *_EVIDENCE.values(),
        *(f"gutter-{part.value}" for part in Part),
        "boundary",
        "boundary-other",
        "cursor",
        "found",
        "mark",
        "scissors",
        "selected",
    )
)

CSS = """
DocumentView {
    background: $surface;
    color: $foreground;
    overflow-x: auto;
    overflow-y: scroll;
    scrollbar-size: 1 1;
    scrollbar-background: $surface;
    scrollbar-background-hover: $surface;
    scrollbar-background-active: $surface;
    scrollbar-corner-color: $surface;
    &.-mapped { scrollbar-size-vertical: 0; }
    & .document-view--gap { color: $text-muted; }
    & .document-view--even { background: $primary 9%; }
    & .document-view--odd { background: $primary 22%; }
    & .document-view--overlap-even { background: $secondary 22%; }
    & .document-view--overlap-odd { background: $secondary 36%; }
    & .document-view--boundary { background: $primary 60%; text-style: bold; }
    & .document-view--boundary-other { background: $secondary 60%; text-style: italic; }
    & .document-view--whole { color: $text-success; text-style: bold; }
    & .document-view--cut { color: $text-error; text-style: bold; }
    & .document-view--not-retrieved { color: $text-warning; text-style: italic; }
    & .document-view--unmeasured { color: $text-muted; text-style: italic; }
    & .document-view--scissors {
        color: $surface; background: $error; text-style: bold;
    }
    & .document-view--found { background: $accent 55%; text-style: bold; }
    & .document-view--mark { color: $text-muted; text-style: dim; }
    & .document-view--selected {
        background: $input-selection-background; color: $foreground;
    }
    & .document-view--cursor { text-style: reverse; }
    & .document-view--gutter-number { color: $text-primary; text-style: bold; }
    & .document-view--gutter-above { color: $text-muted; text-style: italic; }
    & .document-view--gutter-tokens { color: $text-muted; }
    & .document-view--gutter-warning { color: $text-warning; text-style: bold; }
    & .document-view--gutter-rank { color: $text-success; text-style: bold; }
    & .document-view--gutter-line { color: $text-primary; }
    & .document-view--gutter-line-retrieved { color: $text-success; text-style: bold; }
    & .document-view--gutter-line-shared { color: $text-secondary; }
    & .document-view--gutter-other { color: $text-secondary; text-style: italic; }
    & .document-view--gutter-difference { color: $text-accent; text-style: bold; }
    & .document-view--gutter-returned { color: $text-accent; text-style: bold; }
    & .document-view--gutter-section { color: $text-warning; }
    & .document-view--gutter-text-line { color: $text-muted; text-style: dim; }
    & .document-view--gutter-evidence { text-style: bold; }
    & .document-view--gutter-space { color: $text-muted; }
}
"""

_UNDERLINE = Style(underline=True)
_DIM = Style(dim=True)
_ITALIC = Style(italic=True)
_TWICE_UNDERLINED = Style(underline2=True)
_REVERSE = Style(reverse=True)


class Palette:
    """Styles of one view under one theme; make a new one when the theme changes.

    Args:
        widget: has the component classes.
        stale: what is drawn is about to be replaced.
        colourless: there are no colours to tell boundaries and selection by.
    """

    def __init__(self, widget: Widget, *, stale: bool, colourless: bool) -> None:
        self._widget = widget
        self._stale = stale
        self._colourless = colourless
        self.base = widget.rich_style
        self._bands = {band: self._band(band) for band in Band}
        self.style = lru_cache(maxsize=512)(self._style)
        self.gutter = lru_cache(maxsize=64)(self._gutter)

    def _full(self, name: str) -> Style:
        return self._widget.get_component_rich_style(_PREFIX + name)

    def _band(self, band: Band) -> Style:
        """What is about to be replaced is shaded half as strongly; the text stays as it is."""
        style = self._full(band.value)
        ground = self.base.bgcolor
        if not self._stale or style.bgcolor is None or ground is None:
            return style
        half = Color.from_rich_color(style.bgcolor).blend(Color.from_rich_color(ground), 0.5)
        return style + Style(bgcolor=half.rich_color)

    def _ink(self, name: str) -> Style:
        """Letters only: the band's background stays."""
        style = self._widget.get_component_rich_style(_PREFIX + name)
        return Style(
            color=style.color, bold=style.bold, italic=style.italic, dim=style.dim,
            reverse=style.reverse,
        )  # fmt: skip

    def _back(self, name: str) -> Style:
        """Background and weight only: the letters keep their colour."""
        style = self._widget.get_component_rich_style(_PREFIX + name)
        return Style(bgcolor=style.bgcolor, bold=style.bold, reverse=style.reverse)

    def _other(self, *, also: bool) -> Style:
        """A boundary of the other variant; `also`: it is one of the variant drawn as bands, too."""
        if self._colourless:
            return _ITALIC if also else _TWICE_UNDERLINED
        return _ITALIC if also else self._back("boundary-other") + _ITALIC

    def _style(self, look: Look) -> Style:
        if look.ink is Ink.SCISSORS:
            return self._full("scissors")
        style = self._bands[look.band]
        if look.boundary and not self._stale:
            style += _REVERSE if self._colourless else self._back("boundary")
        if look.other and not self._stale:
            style += self._other(also=look.boundary)
        if look.found:
            style += self._back("found")
            if self._colourless:
                style += _REVERSE
        if look.ink is Ink.MARK:
            style += self._ink("mark")
        if look.evidence is not None:
            style += self._ink(_EVIDENCE[look.evidence])
            if self._stale:
                style += _DIM
        if look.underlined:
            style += _UNDERLINE
        if look.selected:
            style += _REVERSE if self._colourless else self._back("selected")
        if look.cursor:
            style += _REVERSE
        return style

    def _gutter(self, part: Part, evidence: EvidenceState | None) -> Style:
        style = self.base + self._ink(f"gutter-{part.value}")
        if evidence is not None:
            style += self._ink(_EVIDENCE[evidence])
        if self._stale:
            style += _DIM
        return style

    def of_cell(self, cell: GutterCell) -> Style:
        """The style of one cell of the gutter."""
        return self.gutter(cell.part, cell.evidence)
