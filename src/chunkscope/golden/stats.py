"""What a golden set consists of, in numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.golden.model import LocatedQuestion
from chunkscope.golden.reviewing import status
from chunkscope.golden.suspects import quoting, shared_words, source_of
from chunkscope.splitting.units import BatchLength
from chunkscope.text.document import Corpus

QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class GoldenStatistics:
    """Counts of a located golden set.

    Attributes:
        questions: all of them; `measured`, `unmeasured` and `unanswerable` add up to it.
        measured: questions whose every evidence item has a place.
        unmeasured: questions with an item that was not found.
        unanswerable: questions without evidence.
        evidence: evidence items of all questions.
        ambiguous: items found several times with no offset to decide.
        drifted: items whose offsets held other text.
        types: questions by type; those without one under the empty text.
        review: questions by what is known of their review: `by hand`, `new`, `edited`, `accepted`.
        documents: questions by document.
        tiers: items by the tier of their first place.
        lengths: evidence lengths in code points at `QUANTILES`; empty without evidence.
    """

    questions: int
    measured: int
    unmeasured: int
    unanswerable: int
    evidence: int
    ambiguous: int
    drifted: int
    types: Mapping[str, int]
    review: Mapping[str, int]
    documents: Mapping[str, int]
    tiers: Mapping[str, int]
    lengths: tuple[float, ...]


def golden_statistics(located: Sequence[LocatedQuestion]) -> GoldenStatistics:
    """Counts of a located golden set."""
    items = [item for one in located for item in one.items]
    measured = sum(one.measured for one in located)
    unanswerable = sum(one.unanswerable for one in located)
    lengths = [len(item.evidence.text) for item in items]
    return GoldenStatistics(
        questions=len(located),
        measured=measured,
        unmeasured=len(located) - measured - unanswerable,
        unanswerable=unanswerable,
        evidence=len(items),
        ambiguous=sum(item.ambiguous for item in items),
        drifted=sum(item.drifted for item in items),
        types=dict(Counter(one.question.type or "" for one in located)),
        review=dict(Counter(status(one.question) for one in located)),
        documents=dict(Counter(one.question.doc for one in located)),
        tiers=dict(Counter(item.places[0].tier for item in items if item.places)),
        lengths=tuple(float(value) for value in np.quantile(lengths, QUANTILES)) if lengths else (),
    )


FLOOR_SHARE = 0.95
"""Share of the evidence that the size floor lets a chunk hold whole."""

SIZE_QUANTILES = (0.5, 0.75, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class EvidenceSizes:
    """Evidence lengths in the unit that sizes of chunks count, over items that have a place.

    Attributes:
        items: evidence items counted.
        quantiles: lengths at `SIZE_QUANTILES`, each that of a real item; empty without items.
        floor: the smallest size at which a chunk can hold `FLOOR_SHARE` of the items whole; None
            without items.
    """

    items: int
    quantiles: tuple[int, ...]
    floor: int | None


def evidence_sizes(
    located: Sequence[LocatedQuestion], corpus: Corpus, length: BatchLength
) -> EvidenceSizes:
    """Lengths of the evidence as it stands in the documents; of several places the first.

    Args:
        located: the questions with their places.
        corpus: the documents.
        length: from texts to their lengths, as `length_function` gives it for a unit.
    """
    texts = [
        source_of(item.places[0], corpus) for one in located for item in one.items if item.places
    ]
    if not texts:
        return EvidenceSizes(0, (), None)
    counts = np.array(length(texts))
    # An item of its own, not a mean of two: a size between them would hold neither more.
    values = np.quantile(counts, SIZE_QUANTILES, method="inverted_cdf")
    floor = int(np.quantile(counts, FLOOR_SHARE, method="inverted_cdf"))
    return EvidenceSizes(len(texts), tuple(int(value) for value in values), floor)


@dataclass(frozen=True)
class WordOverlap:
    """Words that questions share with their evidence.

    Attributes:
        questions: questions with evidence.
        mean: mean share of a question's words that stand in its evidence; None without any.
        quoting: questions that quote their evidence, as `validate` says.
    """

    questions: int
    mean: float | None
    quoting: int


def word_overlap(located: Sequence[LocatedQuestion]) -> WordOverlap:
    """How much of their evidence's words the questions use."""
    asked = [one for one in located if one.items]
    shares = [
        shared_words(one.question.question, [item.evidence.text for item in one.items]).share
        for one in asked
    ]
    mean = float(np.mean(shares)) if shares else None
    return WordOverlap(len(asked), mean, sum(any(quoting(one)) for one in asked))
