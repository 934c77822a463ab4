"""The passages of a corpus that resemble a text most, for evidence that stands nowhere."""

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from chunkscope.cancel import CancelToken
from chunkscope.golden.borders import UNSPACED
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
_SLACK = 1.25


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that shares words with a text.

    Attributes:
        doc: the document's id.
        span: its range, from word to word.
        score: weight of the text's words it holds, from 0 to 1; rarer words weigh more.
    """

    doc: str
    span: Span
    score: float


@dataclass(frozen=True)
class _Hits:
    """The words of a document that also stand in the text: ranges and word numbers."""

    starts: "array[int]"
    ends: "array[int]"
    words: "array[int]"


def nearest_passages(
    text: str, corpus: Corpus, n: int = 3, cancel: CancelToken | None = None
) -> tuple[Passage, ...]:
    """The `n` passages that share most with `text`, best first, none overlapping another.

    A passage is about as long as the text. Linear in the corpus.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    wanted = Counter(word.casefold() for word in _WORD.findall(text))
    numbers = {word: number for number, word in enumerate(wanted)}
    needs = list(wanted.values())
    counts = [0] * len(numbers)
    total = 0
    hits: list[_Hits] = []
    for document in corpus.documents:
        if cancel is not None:
            cancel.check()
        found, words = _hits(document.text, numbers)
        hits.append(found)
        total += words
        for number in found.words:
            counts[number] += 1
    weights = [math.log((total + 2) / (count + 1)) for count in counts]
    longest = int(len(text) * _SLACK) + 1

    passages: list[Passage] = []
    for document, found in zip(corpus.documents, hits, strict=True):
        if cancel is not None:
            cancel.check()
        passages.extend(
            Passage(document.id, span, score)
            for span, score in _windows(found, needs, weights, longest)
        )
    return _best(passages, n)


def _hits(text: str, numbers: Mapping[str, int]) -> tuple[_Hits, int]:
    hits = _Hits(array("q"), array("q"), array("q"))
    words = 0
    for match in _WORD.finditer(text):
        words += 1
        number = numbers.get(match.group().casefold())
        if number is not None:
            hits.starts.append(match.start())
            hits.ends.append(match.end())
            hits.words.append(number)
    return hits, words


def _windows(
    hits: _Hits, needs: list[int], weights: list[float], longest: int
) -> list[tuple[Span, float]]:
    """The best window that begins in each stretch of `longest` characters, and its score."""
    whole = sum(need * weight for need, weight in zip(needs, weights, strict=True))
    inside = [0] * len(needs)
    best: dict[int, tuple[float, int, int]] = {}
    gain = 0.0
    first = 0
    for last, word in enumerate(hits.words):
        if inside[word] < needs[word]:
            gain += weights[word]
        inside[word] += 1
        # What is too far back leaves, and so does a first word that stands again later.
        while first < last and (
            hits.ends[last] - hits.starts[first] > longest
            or inside[hits.words[first]] > needs[hits.words[first]]
        ):
            left = hits.words[first]
            inside[left] -= 1
            if inside[left] < needs[left]:
                gain -= weights[left]
            first += 1
        start, end = hits.starts[first], hits.ends[last]
        block = start // longest
        if block not in best or gain > best[block][0] + 1e-9:
            best[block] = (gain, start, end)
    return [(Span(start, end), min(1.0, gain / whole)) for gain, start, end in best.values()]


def _best(passages: list[Passage], n: int) -> tuple[Passage, ...]:
    chosen: list[Passage] = []
    for passage in sorted(
        passages, key=lambda passage: (-passage.score, passage.doc, passage.span)
    ):
        if len(chosen) >= n:
            break
        if not any(
            passage.doc == other.doc and passage.span.overlap(other.span) for other in chosen
        ):
            chosen.append(passage)
    return tuple(chosen)
