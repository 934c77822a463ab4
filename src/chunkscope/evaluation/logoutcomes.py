"""Each logged question: whether retrieval failed or what came after it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkscope.evaluation.logplaces import PlacedChunk, PlacedEntry
from chunkscope.golden.borders import inside_word
from chunkscope.golden.model import LocatedEvidence, Place
from chunkscope.text.spans import Span, covered_length

Failure = Literal["retrieval", "generation", "none", "unknown"]
LogVerdict = Literal["hit", "partial", "split", "missed", "unmeasured", "unanswerable", "not said"]

FAILURES: Mapping[Failure, str] = {
    "retrieval": "what should have come back did not come back whole",
    "generation": "it came back whole, and the answer was wrong all the same",
    "none": "the answer was right",
    "unknown": "the log does not say enough: expected, or ok, is missing",
}


@dataclass(frozen=True)
class LogOutcome:
    """One question of a log.

    Attributes:
        placed: the question, what came back and what should have.
        verdict: by what really came back. `split` here: some of it came back, cut by a boundary
            of the real chunks; `not said`: the log has no `expected`.
        failure: where it went wrong.
        sentence: why, for a person.
        rank: rank of the first chunk that holds a whole item, or None.
        coverage: share of the expected characters in the union of what came back; None: not
            measured.
        cuts: boundaries of the real chunks inside what was expected, with their documents.
    """

    placed: PlacedEntry
    verdict: LogVerdict
    failure: Failure
    sentence: str
    rank: int | None = None
    coverage: float | None = None
    cuts: tuple[tuple[str, int], ...] = ()


def log_outcomes(placed: Sequence[PlacedEntry]) -> tuple[LogOutcome, ...]:
    """Every question of a log, judged by what really came back."""
    return tuple(_outcome(entry) for entry in placed)


def failure_totals(outcomes: Sequence[LogOutcome]) -> dict[Failure, int]:
    """Questions by where they went wrong, every kind named."""
    counts = Counter(outcome.failure for outcome in outcomes)
    return {name: counts[name] for name in FAILURES}


def _outcome(placed: PlacedEntry) -> LogOutcome:
    ok = placed.entry.ok
    if placed.located is None:
        failure: Failure = "none" if ok else "unknown"
        said = (
            "the answer was right" if ok else "what should have come back is not said: add expected"
        )
        return LogOutcome(placed, "not said", failure, said)
    if placed.located.unanswerable:
        if ok is False:
            said = "nothing in the documents answers it, and the answer was wrong"
            return LogOutcome(placed, "unanswerable", "generation", said)
        return LogOutcome(placed, "unanswerable", "none" if ok else "unknown",
                          "nothing in the documents answers it")  # fmt: skip
    if not placed.located.measured:
        said = "what should have come back was not found in the documents"
        return LogOutcome(placed, "unmeasured", "none" if ok else "unknown", said)
    return _measured(placed, ok)


def _measured(placed: PlacedEntry, ok: bool | None) -> LogOutcome:
    assert placed.located is not None
    items = placed.located.items
    ranks = [_rank(item, placed.chunks) for item in items]
    held = [rank for rank in ranks if rank is not None]
    parts = [_part(item, placed.chunks) for item in items]
    whole = sum(place.span.length for place, _shared in parts)
    coverage = sum(shared for _place, shared in parts) / whole
    cuts = tuple(
        dict.fromkeys(
            cut
            for (place, _shared), rank in zip(parts, ranks, strict=True)
            if rank is None
            for cut in _cuts(place, placed.chunks)
        )
    )
    verdict: LogVerdict
    if len(held) == len(items):
        verdict = "hit"
    elif held:
        verdict = "partial"
    else:
        verdict = "split" if cuts else "missed"
    came = _came(verdict, f"{len(held)} of {len(items)}", coverage, cuts)
    rank = min(held, default=None)
    failure, sentence = _failure(ok, came, rank if verdict == "hit" else None)
    return LogOutcome(placed, verdict, failure, sentence, rank, coverage, cuts)


def _failure(ok: bool | None, came: str, hit: int | None) -> tuple[Failure, str]:
    """Where it went wrong; `hit`: the first rank, where all came back whole."""
    if hit is not None:
        came = f"all of it came back whole, first at rank {hit}"
        if ok is None:
            return "unknown", f"{came}; whether the answer was right is not said: add ok"
        return ("none", came) if ok else ("generation", f"{came}, yet the answer was wrong")
    if ok:
        return "none", f"{came}; the answer was right all the same"
    return "retrieval", came


def _came(verdict: LogVerdict, held: str, coverage: float, cuts: Sequence[tuple[str, int]]) -> str:
    if cuts:
        doc, at = cuts[0]
        came = f"{coverage:.0%} of it came back, cut by a boundary at {doc} {at}"
    elif coverage:
        came = f"{coverage:.0%} of it came back"
    else:
        came = "none of it came back"
    return f"{held} pieces came back whole; {came}" if verdict == "partial" else came


def _rank(item: LocatedEvidence, chunks: Sequence[PlacedChunk]) -> int | None:
    for rank, chunk in enumerate(chunks, start=1):
        # A text that stands in several places holds what it holds in each of them.
        if any(
            place.doc == wanted.doc and place.span.contains(wanted.span)
            for place in chunk.places
            for wanted in item.places
        ):
            return rank
        if not chunk.places and _says(chunk, item):
            return rank
    return None


def _says(chunk: PlacedChunk, item: LocatedEvidence) -> bool:
    """Whether a text that stands in no document has the item's words in it all the same.

    Where offsets were given they decide, and words alone say nothing.
    """
    text, wanted = chunk.given.text, item.evidence.text.strip()
    if text is None or item.evidence.start is not None:
        return False
    at = text.find(wanted)
    while at >= 0:
        if not (inside_word(text, at) or inside_word(text, at + len(wanted))):
            return True
        at = text.find(wanted, at + 1)
    return False


def _part(item: LocatedEvidence, chunks: Sequence[PlacedChunk]) -> tuple[Place, int]:
    """The place of the item that came back most, and how many characters of it did."""
    best = (item.places[0], -1)
    for wanted in item.places:
        spans = [place.span for chunk in chunks for place in chunk.places
                 if place.doc == wanted.doc]  # fmt: skip
        shared = covered_length([wanted.span], spans)
        if _rank(item, chunks) is not None:
            shared = max(shared, wanted.span.length)
        if shared > best[1]:
            best = (wanted, shared)
    return best


def _cuts(wanted: Place, chunks: Sequence[PlacedChunk]) -> list[tuple[str, int]]:
    """Boundaries of certain chunks inside a place."""
    cuts: set[int] = set()
    for chunk in chunks:
        place = chunk.place
        if place is not None and place.doc == wanted.doc and place.span.overlap(wanted.span):
            cuts |= {at for at in _ends(place.span) if wanted.span.start < at < wanted.span.end}
    return [(wanted.doc, at) for at in sorted(cuts)]


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
