"""The glyphs that carry meaning where colour cannot, in two sets: box drawing and ASCII."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marks:
    """One set of one-cell glyphs.

    Attributes:
        scissors: drawn inside the text where a boundary cuts evidence.
        whole: evidence whole in a retrieved chunk.
        cut: a row of evidence that no chunk holds; the cut itself is a scissors.
        not_retrieved: evidence that a chunk holds which was not retrieved.
        unmeasured: evidence with no verdict.
        light: gutter line of a chunk by variant: starts, runs on, ends, ends and starts, and
            starts and ends, in one row.
        heavy: the same for a retrieved chunk.
        double: the same in a row that two chunks share.
        base: carries a combining character that has nothing before it to combine with.
        pending: a number that is being counted anew.
        above: the chunk began above the first visible row.
        found: a match, in the minimap.
        view: the visible part, in the minimap.
        boundary: a chunk begins here, in the minimap.
        returned: what really came back runs on in this row.
        section_start: a section of the first of two stages begins in this row.
        section: it runs on.
        unequal: in this row chunks begin in both variants, at different places.
    """

    scissors: str
    whole: str
    cut: str
    not_retrieved: str
    unmeasured: str
    light: Mapping[str, str]
    heavy: Mapping[str, str]
    double: Mapping[str, str]
    base: str
    pending: str
    above: str
    found: str
    view: str
    boundary: str
    unequal: str
    returned: str
    section_start: str
    section: str

    def of_evidence(self, state: str) -> str:
        """The glyph of an evidence state."""
        return {
            "whole": self.whole,
            "cut": self.cut,
            "not retrieved": self.not_retrieved,
        }.get(state, self.unmeasured)


BOX = Marks(
    scissors="✂",
    whole="●",
    cut="◖",
    not_retrieved="○",
    unmeasured="?",
    light={"A": "┌│└├╶", "B": "╭┊╰┝╌"},
    heavy={"A": "┏┃┗┣╺", "B": "┏┋┗┣╍"},
    double={"A": "╓║╙╟╞", "B": "╒╏╘╞═"},
    base="◌",
    pending="…",
    above="↑",
    found="•",
    view="▐",
    boundary="╶",
    unequal="≠",
    returned="┆",
    section_start="§",
    section="╎",
)

ASCII = Marks(
    scissors="%",
    whole="*",
    cut="(",
    not_retrieved="o",
    unmeasured="?",
    light={"A": "/|\\+-", "B": ",:'+-"},
    heavy={"A": "/I\\#=", "B": ",;'#="},
    double={"A": "/H\\#=", "B": ",h'#="},
    base="o",
    pending=".",
    above="^",
    found=".",
    view="]",
    boundary="-",
    unequal="#",
    returned=".",
    section_start="S",
    section=";",
)
