"""Looking for a text in one document, tier by tier, strictest first."""

import re
from functools import cached_property
from typing import Literal, cast

from chunkscope.golden.borders import inside_word
from chunkscope.golden.folding import (
    TIERS,
    Folded,
    Tier,
    fold,
    fold_text,
    has_parted_words,
    places,
)
from chunkscope.golden.model import Place
from chunkscope.golden.rendering import (
    Shown,
    citation_signs,
    may_cite,
    shown_document,
    shown_evidence,
)
from chunkscope.text.document import Document
from chunkscope.text.spans import Span

ShownTier = Literal["markup", "citations"]
AnyTier = Literal["exact"] | Tier | ShownTier

ALL_TIERS: tuple[AnyTier, ...] = ("exact", *TIERS, "markup", "citations")
"""Every tier that finds a text as one range, strictest first."""

_WORD = re.compile(r"[^\W_]{2,}")
_WORDS_TRIED = 24
_MISSING = 0.25
_MISSING_ANYWAY = 2
"""How many of a text's words, and which share, a document may lack before its markup is looked
through: markup may part words of the source, but not many."""


class Finder:
    """One document's text, folded when first needed, to look for evidence in."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._folds = _Folds(document.text)
        self._shown: dict[ShownTier, tuple[Shown, _Folds]] = {}

    def find(self, text: "str | Sought") -> tuple[Place, ...]:
        """All places of `text` in the strictest tier that finds any."""
        sought = text if isinstance(text, Sought) else Sought(text)
        for tier in ALL_TIERS:
            found = self.find_in_tier(sought, tier)
            if found:
                return found
        return ()

    def find_in_tier(self, text: "str | Sought", tier: AnyTier) -> tuple[Place, ...]:
        """All places of `text` in one tier."""
        sought = text if isinstance(text, Sought) else Sought(text)
        if tier == "exact":
            spans = find_exact(self._document.text, sought.text)
        elif tier in TIERS:
            spans = self._folds.find(sought, tier)
        else:
            spans = self._find_shown(sought, cast(ShownTier, tier))
        return tuple(Place(self._document.id, span, tier) for span in spans)

    def _find_shown(self, sought: "Sought", tier: ShownTier) -> list[Span]:
        citations = tier == "citations"
        if citations and not (sought.may_cite or self._may_cite):
            return []
        if not self._holds_words_of(sought):
            return []
        if tier not in self._shown:
            made = shown_document(self._document.text, self._document.id, citations=citations)
            self._shown[tier] = made, _Folds(made.text.text)
        shown, folds = self._shown[tier]
        signs = sought.signs if citations else ()
        for form in sought.forms(tier):
            spans = [
                span
                for place in folds.find_loosely(form)
                if (span := shown.text.original(place)) is not None
                # Text that cites another source is another text.
                and _agree(shown.signs_in(span), signs)
            ]
            if spans:
                return spans
        return []

    @cached_property
    def _may_cite(self) -> bool:
        return may_cite(self._document.text)

    def _holds_words_of(self, sought: "Sought") -> bool:
        whole = self._folds.text("typography")
        missing = 0
        for word in sought.telling_words:
            missing += word not in whole
            if missing > max(_MISSING_ANYWAY, _MISSING * len(sought.telling_words)):
                return False
        return True


class Sought:
    """A text to look for, made alike once however many documents it is looked for in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: dict[Tier, str] = {}
        self._forms: dict[ShownTier, tuple[Sought, ...]] = {}

    def folded(self, tier: Tier) -> str:
        """The text as this tier sees it."""
        if tier not in self._folded:
            self._folded[tier] = fold_text(self.text, tier)
        return self._folded[tier]

    def forms(self, tier: ShownTier) -> "tuple[Sought, ...]":
        """What the text may have been copied from."""
        if tier not in self._forms:
            forms = shown_evidence(self.text, citations=tier == "citations")
            self._forms[tier] = tuple(Sought(form) for form in forms)
        return self._forms[tier]

    @cached_property
    def has_parted_words(self) -> bool:
        """Whether a hyphen stands at the end of a line of it."""
        return has_parted_words(self.text)

    @cached_property
    def may_cite(self) -> bool:
        """Whether anything in it looks like a citation mark."""
        return may_cite(self.text)

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """The signs of its citation marks."""
        return citation_signs(self.text)

    @cached_property
    def telling_words(self) -> tuple[str, ...]:
        """Some of its words, spread over it, the longest first."""
        words = _WORD.findall(self.folded("typography"))
        tried = dict.fromkeys(words[:: max(1, len(words) // _WORDS_TRIED)])
        return tuple(sorted(tried, key=len, reverse=True))


class _Folds:
    """One text, folded for a tier when first needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._texts: dict[Tier, str] = {}
        self._folded: dict[Tier, Folded] = {}

    def text(self, tier: Tier) -> str:
        """The folded text."""
        if tier not in self._texts:
            self._texts[tier] = fold_text(self._text, tier)
        return self._texts[tier]

    def find(self, sought: Sought, tier: Tier) -> list[Span]:
        """All places of a text in one tier."""
        if tier == "hyphenation" and not (sought.has_parted_words or self._has_parted_words):
            return []
        folded = sought.folded(tier)
        # The map back to the offsets costs more than the folded text, and most often there
        # is nothing to map.
        if not folded or folded not in self.text(tier):
            return []
        if tier not in self._folded:
            self._folded[tier] = fold(self._text, tier)
        return self._folded[tier].find(folded)

    def find_loosely(self, sought: Sought) -> list[Span]:
        """All places of a text when typography, and else words at line ends, are made alike."""
        return self.find(sought, "typography") or self.find(sought, "hyphenation")

    @cached_property
    def _has_parted_words(self) -> bool:
        return has_parted_words(self._text)


def find_exact(text: str, part: str) -> list[Span]:
    """Ranges where `part` stands in `text`: those that part no word, or else all."""

    def whole_words(start: int, end: int) -> bool:
        return not (inside_word(text, start) or inside_word(text, end))

    return places(text, part, whole_words) or places(text, part, lambda _start, _end: True)


def _agree(found: tuple[str, ...], given: tuple[str, ...]) -> bool:
    """Whether two texts cite alike: one of them not at all, or both the same signs.

    A mark at the end of the given text stands behind the range that was found.
    """
    return not given or found == given[: len(found)]
