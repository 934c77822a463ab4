"""Questions that flatter or repeat: quoted evidence, near-duplicates, evidence too long."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunkscope.golden.borders import UNSPACED
from chunkscope.golden.folding import fold_text
from chunkscope.golden.model import LocatedEvidence, LocatedQuestion, Place, Question
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import TokenCounter

TYPICAL_TOKENS = 512
"""Tokens that chunks commonly stay below."""

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
_QUOTED_RUN = 6
"""So many words in a row that also stand in a row in the evidence are a quotation."""

_QUOTED_SHARE, _QUOTED_WORDS = 0.8, 6
_ALIKE = 0.7
_BUCKET = 64
"""Earlier questions compared for each word; a word of more is too common to tell by."""


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Words of a question that stand in its evidence.

    Attributes:
        words: words of the question.
        shared: how many of them the evidence holds.
        run: most of them in a row that stand in a row in the evidence.
    """

    words: int
    shared: int
    run: int

    @property
    def share(self) -> float:
        """Share of the question's words that stand in the evidence; 0 without any."""
        return self.shared / self.words if self.words else 0.0


def words_of(text: str) -> list[str]:
    """The words of a text, case and typography made alike; a character each where unspaced."""
    return _WORD.findall(fold_text(text, "typography"))


def shared_words(question: str, evidence: Iterable[str]) -> SharedWords:
    """The words that a question shares with its evidence; linear in both."""
    asked = words_of(question)
    held: set[str] = set()
    runs: set[tuple[str, ...]] = set()
    longest = 0
    texts = [words_of(text) for text in evidence]
    for words in texts:
        held.update(words)
    for length in range(1, min(len(asked), _QUOTED_RUN) + 1):
        runs = {
            tuple(words[at : at + length])
            for words in texts
            for at in range(len(words) - length + 1)
        }
        if not any(tuple(asked[at : at + length]) in runs for at in range(len(asked) - length + 1)):
            break
        longest = length
    return SharedWords(len(asked), sum(word in held for word in asked), longest)


def quoting(one: LocatedQuestion) -> Iterator[str]:
    """What to say of a question that quotes its evidence."""
    shared = shared_words(one.question.question, [item.evidence.text for item in one.items])
    whole = shared.words >= _QUOTED_WORDS and shared.share >= _QUOTED_SHARE
    if whole or shared.run >= _QUOTED_RUN:
        run = f", {shared.run} or more in a row" if shared.run >= _QUOTED_RUN else ""
        yield (
            f"quotes its evidence: {shared.share:.0%} of its words ({shared.shared} of "
            f"{shared.words}) stand there{run}"
        )


def named_items(items: Sequence[LocatedEvidence]) -> Iterator[tuple[str, LocatedEvidence]]:
    """Each item with its name in the golden set; parts around an ellipsis are numbered."""
    number = -1
    for item in items:
        number += item.part < 2
        part = f", part {item.part}" if item.part else ""
        yield f"evidence[{number}]{part}", item


def too_long(
    located: Sequence[LocatedQuestion], corpus: Corpus, counter: TokenCounter
) -> Mapping[str, list[str]]:
    """By question id, what to say of evidence that is longer than a typical chunk."""
    said: dict[str, list[str]] = {}
    places = [
        (one.question.id, name, item.places[0])
        for one in located
        for name, item in named_items(one.items)
        if item.places
    ]
    counts = counter.count([source_of(place, corpus) for _id, _name, place in places])
    for (identity, name, _place), tokens in zip(places, counts, strict=True):
        if tokens > TYPICAL_TOKENS:
            said.setdefault(identity, []).append(
                f"{name}: {tokens} tokens, more than a typical chunk's {TYPICAL_TOKENS}: keep what "
                "answers the question, or make several items of it"
            )
    return said


def source_of(place: Place, corpus: Corpus) -> str:
    """The document's own text at a place."""
    position = corpus.position(place.doc)
    if position is None:
        return ""
    return corpus.documents[position].text[place.span.start : place.span.end]


def same_words(located: Sequence[LocatedQuestion]) -> Mapping[str, str]:
    """By id, what to say of a question that asks an earlier one's evidence in much its words.

    Two are compared when they share evidence, their numbers, and a word that is rare among the
    questions.
    """
    words = [frozenset(words_of(one.question.question)) for one in located]
    counts = Counter(word for own in words for word in own)
    buckets: dict[str, list[int]] = {}
    said: dict[str, str] = {}
    for number, own in enumerate(words):
        rarest = sorted(own, key=lambda word: (counts[word], word))
        # Sets this much alike share one of these words at the least.
        telling = rarest[: len(own) - int(_ALIKE * len(own)) + 1]
        earlier = sorted({at for word in telling for at in buckets.get(word, ())})
        for at in earlier:
            if _alike(own, words[at]) and _share_evidence(located[number], located[at]):
                said[located[number].question.id] = (
                    f"asks much the same as {_quote(located[at].question.id)}, of the same "
                    "evidence; keep one of them"
                )
                break
        for word in telling:
            bucket = buckets.setdefault(word, [])
            if len(bucket) < _BUCKET:
                bucket.append(number)
    return said


def near_identical(questions: Iterable[Question]) -> Mapping[str, str]:
    """By id, what to say of a question that an earlier one of the same document nearly is.

    Two questions are nearly identical when their words are the same, or when one has a word
    more than the other.
    """
    whole: dict[tuple[str, tuple[str, ...]], str] = {}
    shorter: dict[tuple[str, tuple[str, ...]], str] = {}
    said: dict[str, str] = {}
    for question in questions:
        words = tuple(re.findall(r"\w+", question.question.casefold()))
        key = (question.doc, words)
        cuts = range(len(words)) if 3 < len(words) <= 60 else ()
        keys = [(question.doc, words[:cut] + words[cut + 1 :]) for cut in cuts]
        twin = whole.get(key) or shorter.get(key)
        twin = twin or next((whole[less] for less in keys if less in whole), None)
        if twin is not None and words:
            said[question.id] = f"nearly the same question as {_quote(twin)}; keep one of them"
        whole.setdefault(key, question.id)
        for less in keys:
            shorter.setdefault(less, question.id)
    return said


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    if len(first & second) < _ALIKE * len(first | second):
        return False
    return not any(word.isdigit() for word in first ^ second)


def _share_evidence(first: LocatedQuestion, second: LocatedQuestion) -> bool:
    here = [item.places[0] for item in first.items if item.places]
    there = [item.places[0] for item in second.items if item.places]
    return any(
        one.doc == other.doc and one.span.overlap(other.span) for one in here for other in there
    )


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
