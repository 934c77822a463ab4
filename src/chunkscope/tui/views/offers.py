"""The rows of the list of places: evidence in doubt, and beneath it what could be taken."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from chunkscope.golden.places import RESEMBLES, Choice, Offer
from chunkscope.text.document import Corpus
from chunkscope.text.lines import LineIndex
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.widgets.line_list import Cell, Column, Row

COLUMNS = (Column("", 1), Column("where", 24), Column("found", 10), Column("text"))

_SHOWN = 400
_WORD = re.compile(r"\w+|[^\w\s]")
_WORDS_COMPARED = 300

_SAID = {
    "moved": "was",
    "several": "several places, any of which serves",
    "nowhere": "stands in no document",
}


@dataclass(frozen=True)
class OfferLine:
    """A row: an offer's heading, or one of its choices (`choice` is None for the heading)."""

    offer: Offer
    choice: Choice | None


def offer_lines(offers: Sequence[Offer]) -> tuple[OfferLine, ...]:
    """A heading an offer, its choices beneath it."""
    return tuple(OfferLine(offer, choice) for offer in offers for choice in (None, *offer.choices))


def offer_row(line: OfferLine, corpus: Corpus, *, ascii_marks: bool) -> Row:
    """One row of the list."""
    offer, choice = line.offer, line.choice
    if choice is None:
        where = f"question {offer.question + 1}"
        if offer.evidence.start is not None:
            where += f": {offer.evidence.start}–{offer.evidence.end}"
        said = _SAID[offer.doubt] if offer.choices else f"{_SAID['nowhere']}, nor anything like it"
        text = flattened(offer.evidence.text[:_SHOWN])
        return (
            Cell("?" if ascii_marks else "◌", "warn"),
            Cell(where, "strong"),
            Cell(offer.doubt, "warn"),
            Cell(f"{said}: {text}", "strong"),
        )
    text = flattened(choice.text[:_SHOWN])
    return (
        Cell(""),
        Cell(f"  {where_of(choice, corpus)}"),
        Cell(choice.tier, "warn" if choice.tier == RESEMBLES else "good"),
        Cell(text, "", changed_words(flattened(offer.evidence.text[:_SHOWN]), text)),
    )


def where_of(choice: Choice, corpus: Corpus) -> str:
    """Document and line, for a person."""
    position = corpus.position(choice.doc)
    if position is None:
        return literal(choice.doc)
    document = corpus.documents[position]
    line = LineIndex(document.text).line_of(choice.span.start) + 1
    name = choice.doc.rpartition("/")[2]
    place = document.place(*choice.span)
    return literal(f"{name}:{line}{f' {place}' if place else ''}")


def changed_words(before: str, after: str) -> tuple[tuple[int, int], ...]:
    """Ranges of `after` whose words `before` does not have at that place."""
    old = _WORD.findall(before)[:_WORDS_COMPARED]
    new = list(_WORD.finditer(after))[:_WORDS_COMPARED]
    matcher = difflib.SequenceMatcher(None, old, [match.group() for match in new], autojunk=False)
    return tuple(
        (new[low].start(), new[high - 1].end())
        for tag, _a, _b, low, high in matcher.get_opcodes()
        if tag in {"replace", "insert"} and high > low
    )
