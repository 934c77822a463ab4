"""Texts made alike for a looser search, each with a map back to the original's offsets."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunkscope.golden.borders import IGNORABLE, UNSPACED, inside_word
from chunkscope.text.spans import Span

Tier = Literal["whitespace", "typography", "hyphenation"]

TIERS: tuple[Tier, ...] = ("whitespace", "typography", "hyphenation")
"""Looser tiers, strictest first; each makes alike what those before it do, and more."""

_Offsets = npt.NDArray[np.int32]

_SAME = {
    **dict.fromkeys("‘’‚‛′´`ʼʻ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),
}
_COMPATIBLE = (
    *("<compat>", "<wide>", "<narrow>", "<noBreak>", "<vertical>", "<small>"),
    *("<initial>", "<medial>", "<final>", "<isolated>"),
)
_SOFT_HYPHEN = "\u00ad"

_SPACE = re.compile(r"\s+")
_SPACE_IN_UNSPACED = re.compile(rf"(?<=[{UNSPACED}])\s+(?=[{UNSPACED}])")
_LINE_END = r"[^\S\r\n]*(?:\r\n|\n|\r)\s*"
_HYPHEN_IN_WORD = re.compile(rf"(?<=[^\W\d_]|[\u0300-\u036f])-(?:{_LINE_END})?(?=[^\W\d_])")
_LINE_END_AFTER_HYPHEN = re.compile(rf"(?<=\w-){_LINE_END}(?=\w)")

_HYPHEN_AT_LINE_END = re.compile(r"[-\u00ad\u2010\u2011][^\S\r\n]*[\r\n]")

_FEW = 100
"""Characters up to which replacing one after the other is faster than translating."""

_PATIENCE = 16
"""Characters that may be compared again after refused matches, per character of the text."""


@dataclass(frozen=True)
class Folded:
    """A folded text and, per folded character, the range of the original behind it.

    Attributes:
        text: the folded text.
        original: the text it was made of.
        starts: first original code point behind each folded character, shape (len(text),).
        ends: one past the last, shape (len(text),).
    """

    text: str
    original: str
    starts: _Offsets
    ends: _Offsets

    def find(self, folded: str) -> list[Span]:
        """Original ranges of every place of `folded` that parts no word, in order."""
        return [
            Span(int(self.starts[place.start]), int(self.ends[place.end - 1]))
            for place in places(self.text, folded, self._parts_nothing)
        ]

    def _parts_nothing(self, start: int, end: int) -> bool:
        # Half a ligature, or a letter without its accent, is another text.
        if start > 0 and self.starts[start - 1] == self.starts[start]:
            return False
        if end < len(self.ends) and self.ends[end] == self.ends[end - 1]:
            return False
        return not (
            inside_word(self.original, int(self.starts[start]))
            or inside_word(self.original, int(self.ends[end - 1]))
        )


def fold(text: str, tier: Tier) -> Folded:
    """`text` as this tier sees it; linear in its length."""
    if tier == "whitespace":
        offsets = np.arange(len(text), dtype=np.int32)
        return _fold_space(Folded(text, text, offsets, offsets + 1))
    folded = _fold_characters(text, keep_soft_hyphens=tier == "hyphenation")
    if tier == "hyphenation":
        folded = _without(folded, _HYPHEN_IN_WORD)
        folded = _without(folded, _LINE_END_AFTER_HYPHEN)
    return _fold_space(_without(folded, _SPACE_IN_UNSPACED))


def fold_text(text: str, tier: Tier) -> str:
    """The text of `fold`, without white space at its ends; several times faster."""
    if tier != "whitespace":
        table = _table(text, keep_soft_hyphens=tier == "hyphenation")
        text = _order_marks(_replaced(text, table))
        if tier == "hyphenation":
            text = _HYPHEN_IN_WORD.sub("", text)
            text = _LINE_END_AFTER_HYPHEN.sub("", text)
        text = _SPACE_IN_UNSPACED.sub("", text)
    return " ".join(text.split())


def has_parted_words(text: str) -> bool:
    """Whether a hyphen stands at the end of a line, so that `hyphenation` can differ."""
    return _HYPHEN_AT_LINE_END.search(text) is not None


def places(text: str, part: str, accept: Callable[[int, int], bool]) -> list[Span]:
    """Ranges of `part` in `text` that `accept` takes, in order, none overlapping another."""
    found: list[Span] = []
    patience = _PATIENCE * len(text)
    at = text.find(part) if part else -1
    while at >= 0:
        end = at + len(part)
        if accept(at, end):
            found.append(Span(at, end))
            at = text.find(part, end)
            continue
        # In a text that repeats itself, refused matches overlap each other: looking behind
        # each of them grows with the square, so it ends when patience does.
        patience -= len(part)
        at = text.find(part, at + 1 if patience > 0 else end)
    return found


def _fold_characters(text: str, *, keep_soft_hyphens: bool) -> Folded:
    distinct = set(text)
    changed = _table(text, keep_soft_hyphens=keep_soft_hyphens)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    highest = max(map(ord, distinct), default=0)

    lengths = np.ones(highest + 2, dtype=np.int32)
    combining = np.zeros(highest + 2, dtype=np.bool_)
    for character in distinct:
        lengths[ord(character)] = len(changed.get(ord(character), " "))
        combining[ord(character)] = unicodedata.combining(character) > 0

    starts = np.arange(len(text), dtype=np.int32)
    ends = starts + 1
    follows = combining[codes]
    if follows.any():
        starts = np.maximum.accumulate(np.where(follows, 0, starts)).astype(np.int32)
        next_base = np.append(np.where(follows[1:], len(text), ends[:-1]), len(text))
        ends = np.minimum.accumulate(next_base[::-1])[::-1].astype(np.int32)
    repeats = lengths[codes]
    folded = _order_marks(_replaced(text, changed))
    return Folded(folded, text, np.repeat(starts, repeats), np.repeat(ends, repeats))


def _table(text: str, *, keep_soft_hyphens: bool) -> dict[int, str]:
    """What each character of `text` folds to, by code point, those left out that stay."""
    if text.isascii():
        return _ASCII
    table = {ord(character): fold_character(character) for character in set(text)}
    if keep_soft_hyphens:
        table[ord(_SOFT_HYPHEN)] = "-"
    return {code: new for code, new in table.items() if new != chr(code)}


def _replaced(text: str, table: Mapping[int, str]) -> str:
    # Folded characters fold to themselves, so the order of the replacements is free; for few
    # of them they are several times faster than a translation.
    if len(table) > _FEW:
        return text.translate(table)
    for code, new in table.items():
        text = text.replace(chr(code), new)
    return text


def fold_character(character: str) -> str:
    """What one character is folded to by `typography`; characters of the result stay as is."""
    return "".join(map(_fold_once, _fold_once(character)))


def _fold_once(character: str) -> str:
    if character in IGNORABLE:
        return ""
    same = _SAME.get(character)
    if same is not None:
        return same
    if character.isspace():
        return character if character in "\r\n" else " "
    plain = unicodedata.normalize("NFD", _compatible(character).casefold())
    return "".join(_SAME.get(part, part) for part in plain)


def _compatible(character: str) -> str:
    # Superscripts and fractions stay what they are: 10² is not 102.
    kind = unicodedata.decomposition(character).partition(" ")[0]
    form: Literal["NFKD", "NFD"] = "NFKD" if kind in _COMPATIBLE else "NFD"
    return unicodedata.normalize(form, character)


def _order_marks(text: str) -> str:
    marks = "".join(sorted(mark for mark in set(text) if unicodedata.combining(mark)))
    if not marks:
        return text
    return re.sub(f"[{marks}]{{2,}}", lambda run: unicodedata.normalize("NFD", run.group()), text)


def _fold_space(folded: Folded) -> Folded:
    rests = (
        (match.start() + 1, match.end())
        for match in _SPACE.finditer(folded.text)
        if match.end() - match.start() > 1
    )
    kept = _dropped(folded, rests)
    return replace(kept, text=_SPACE.sub(" ", folded.text))


def _without(folded: Folded, pattern: re.Pattern[str]) -> Folded:
    kept = _dropped(folded, (match.span() for match in pattern.finditer(folded.text)))
    return replace(kept, text=pattern.sub("", folded.text))


def _dropped(folded: Folded, ranges: Iterable[tuple[int, int]]) -> Folded:
    keep = np.ones(len(folded.starts), dtype=np.bool_)
    for start, end in ranges:
        keep[start:end] = False
    if keep.all():
        return folded
    return replace(folded, starts=folded.starts[keep], ends=folded.ends[keep])


_ASCII = {code: new for code in range(128) if (new := fold_character(chr(code))) != chr(code)}
