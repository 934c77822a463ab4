"""Evidence of the measured questions as flat arrays, on one axis for the whole corpus."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunkscope.golden.model import LocatedQuestion
from chunkscope.splitting.chunks import IntArray
from chunkscope.text.document import Corpus


def document_bases(corpus: Corpus) -> IntArray:
    """Where each document begins on the corpus axis, and the axis's end: (documents + 1,).

    Documents follow one another with one unused place between, so that ranges of two documents
    never touch.
    """
    lengths = np.array([0, *(document.length + 1 for document in corpus.documents)], np.int64)
    return np.cumsum(lengths)


@dataclass(frozen=True)
class EvidenceTable:
    """Evidence of the measured questions; rows 0…m-1 are those questions in their order.

    Places of one item stand together, items of one question too.

    Attributes:
        questions: position of each measured question in the sequence given, shape (m,).
        item_question: row of each evidence item, ascending, shape (i,).
        place_item: item of each place, ascending, shape (p,).
        low: first code point of each place on the corpus axis, shape (p,).
        high: one past the last, shape (p,).
        core_low: the same without white space and punctuation at the place's ends, shape (p,);
            the whole place where nothing else is in it.
        core_high: one past the last of it, shape (p,).
        span: length of the corpus axis.
    """

    questions: IntArray
    item_question: IntArray
    place_item: IntArray
    low: IntArray
    high: IntArray
    core_low: IntArray
    core_high: IntArray
    span: int

    @property
    def rows(self) -> int:
        """Number of measured questions."""
        return len(self.questions)

    @cached_property
    def place_question(self) -> IntArray:
        """Row of each place, shape (p,)."""
        return self.item_question[self.place_item]

    @cached_property
    def items_of(self) -> IntArray:
        """Evidence items of each row, shape (m,); at least 1."""
        return np.bincount(self.item_question, minlength=self.rows).astype(np.int64)

    @cached_property
    def first_item(self) -> IntArray:
        """First item of each row, shape (m,)."""
        return np.cumsum(self.items_of) - self.items_of

    @cached_property
    def first_place(self) -> IntArray:
        """First place of each item, shape (i,)."""
        counts = np.bincount(self.place_item, minlength=len(self.item_question))
        return (np.cumsum(counts) - counts).astype(np.int64)

    @cached_property
    def single(self) -> bool:
        """Whether every item has exactly one place."""
        return len(self.place_item) == len(self.item_question)


def evidence_table(corpus: Corpus, questions: Sequence[LocatedQuestion]) -> EvidenceTable:
    """The evidence of those `questions` that are measured in `corpus`."""
    bases = document_bases(corpus)
    rows: list[int] = []
    item_question: list[int] = []
    place_item: list[int] = []
    low: list[int] = []
    high: list[int] = []
    core: list[tuple[int, int]] = []
    for number, located in enumerate(questions):
        if not is_measured(located, corpus):
            continue
        for item in located.items:
            for place in item.places:
                position = corpus.position(place.doc)
                if position is None:
                    continue
                place_item.append(len(item_question))
                low.append(int(bases[position]) + place.span.start)
                high.append(int(bases[position]) + place.span.end)
                text = corpus.documents[position].text
                start, end = without_edges(text, place.span.start, place.span.end)
                core.append((int(bases[position]) + start, int(bases[position]) + end))
            item_question.append(len(rows))
        rows.append(number)
    return EvidenceTable(
        questions=np.array(rows, np.int64),
        item_question=np.array(item_question, np.int64),
        place_item=np.array(place_item, np.int64),
        low=np.array(low, np.int64),
        high=np.array(high, np.int64),
        core_low=np.array([start for start, _ in core], np.int64),
        core_high=np.array([end for _, end in core], np.int64),
        span=int(bases[-1]) + 1,
    )


def without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without white space and punctuation at its ends; as it is if that is all."""
    first, last = start, end
    while first < last and _is_edge(text[first]):
        first += 1
    while first < last and _is_edge(text[last - 1]):
        last -= 1
    return (first, last) if first < last else (start, end)


def _is_edge(character: str) -> bool:
    return character.isspace() or unicodedata.category(character).startswith("P")


def is_measured(located: LocatedQuestion, corpus: Corpus) -> bool:
    """Whether every evidence item has a place in this corpus (and there is one)."""
    return located.measured and all(
        any(corpus.position(place.doc) is not None for place in item.places)
        for item in located.items
    )
