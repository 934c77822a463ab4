"""Which chunking a real system uses, as far as the chunks it returned tell.

Every usual splitter, unit, size and overlap is tried on the documents that chunks came from; a
guess is worth as many of the returned ranges as it makes exactly.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Literal

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logplaces import PlacedEntry
from chunkscope.splitting.chunks import IntArray
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import length_function
from chunkscope.splitting.whitespace import SpaceRuns
from chunkscope.text.spans import Span

Certainty = Literal["certain", "likely", "unknown"]

ENOUGH = 10
"""Different chunks that must be matched, all of them, before a guess is certain."""

_LIKELY = 0.6
_LEAST = 5
_CHARACTERS = 400_000
"""Documents are tried up to so many characters, those with most chunks first."""

_ALIKE_SHOWN = 8
_USUAL = (
    32, 50, 64, 96, 100, 128, 150, 192, 200, 250, 256, 300, 350, 384, 400, 450, 500, 512, 600,
    640, 700, 750, 768, 800, 900, 1000, 1024, 1200, 1250, 1280, 1500, 1536, 1600, 1800, 2000,
    2048, 2500, 3000, 4000, 4096, 5000, 6000, 8000, 8192,
)  # fmt: skip
_SIZE_SLACK = 1.6
"""No usual size beyond so many times the longest chunk seen is tried."""

_OVERLAPS = (20, 25, 32, 50, 64, 100, 128, 150, 200, 256, 400, 500)
_SHARES = ("10%", "15%", "20%", "25%", "50%")
_SENTENCES = (1, 2, 3, 4, 5, 6, 8, 10)

_LANGCHAIN = ("\n\n", "\n", " ", "")
_FAMILIES: tuple[dict[str, Any], ...] = (
    {"kind": "recursive", "separators": _LANGCHAIN, "keep_separator": "start"},
    {"kind": "recursive"},
    {"kind": "recursive", "separators": ("\n\n", "\n", ".", " ", ""), "keep_separator": "start"},
    {"kind": "character", "separators": ("\n\n",), "keep_separator": "none"},
    {"kind": "token"},
    {"kind": "words"},
    {"kind": "sentence"},
)
_MEASURES = (("characters", "cl100k_base"), ("tokens", "cl100k_base"), ("tokens", "o200k_base"))


@dataclass(frozen=True, slots=True)
class Guess:
    """One chunking.

    Attributes:
        splitter: its settings.
        matched: how many of the returned ranges it makes exactly.
    """

    splitter: SplitterSettings
    matched: int

    @property
    def label(self) -> str:
        """The settings in a few words."""
        splitter = self.splitter
        unit = f"{splitter.encoding} tokens" if splitter.unit == "tokens" else splitter.unit
        return f"{splitter.kind} {splitter.size}/{splitter.overlap_size} {unit}"


@dataclass(frozen=True)
class Inference:
    """What the returned chunks tell of the chunking in use.

    Attributes:
        best: the guess that makes most of them, or None: none makes any.
        alike: other guesses that make as many, but other chunks elsewhere.
        observed: different ranges that were returned, of the documents tried.
        tried: guesses tried.
        certainty: `certain`: all of at least 10 ranges, and no other guess; `likely`: most;
            `unknown`.
    """

    best: Guess | None
    alike: tuple[Guess, ...]
    observed: int
    tried: int
    certainty: Certainty

    @property
    def sentence(self) -> str:
        """The guess and how sure it is, in words."""
        if self.best is None or self.certainty == "unknown":
            most = 0 if self.best is None else self.best.matched
            return (
                f"the chunking in use is not known: of {self.observed} different chunks that came "
                f"back the best of {self.tried} guesses makes {most}"
            )
        said = (
            f"the chunking in use is {'certainly' if self.certainty == 'certain' else 'likely'} "
            f"{self.best.label}: it makes {self.best.matched} of {self.observed} different chunks "
            "that came back exactly"
        )
        if self.alike:
            few = ", ".join(guess.label for guess in self.alike[:_ALIKE_SHOWN])
            more = len(self.alike) - _ALIKE_SHOWN
            said += f"; as many are made by {few}" + (f" and {more} more" if more > 0 else "")
        return said


def infer_chunking(
    index: CorpusIndex,
    placed: Sequence[PlacedEntry],
    *,
    cancel: CancelToken | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Inference:
    """The chunking that makes most of what was returned.

    Args:
        index: the corpus.
        placed: the log; only chunks with exactly one place count.
        cancel: looked at between guesses.
        progress: hears (guesses tried, guesses to try).

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    seen = _observed(index, placed)
    count = sum(len(spans) for spans in seen.values())
    if not count:
        return Inference(None, (), 0, 0, "unknown")
    wanted = {position: _keys(np.array(spans)) for position, spans in seen.items()}
    runs = {position: SpaceRuns(index.corpus.documents[position].text) for position in seen}
    guesses = list(_guesses(index, seen))
    found: list[tuple[int, bytes, SplitterSettings]] = []
    for number, splitter in enumerate(guesses):
        if cancel is not None:
            cancel.check()
        made = _made(index, splitter, runs, cancel)
        if made is not None:
            matched = sum(int(np.isin(wanted[at], keys).sum()) for at, keys in made.items())
            found.append((matched, _digest(made), splitter))
        if progress is not None:
            progress(number + 1, len(guesses))
    return _judged(found, count, len(guesses))


def _judged(
    found: Sequence[tuple[int, bytes, SplitterSettings]], count: int, tried: int
) -> Inference:
    most = max((matched for matched, _digest, _splitter in found), default=0)
    if not most:
        return Inference(None, (), count, tried, "unknown")
    top = [(digest, splitter) for matched, digest, splitter in found if matched == most]
    best = Guess(top[0][1], most)
    # Guesses with the same chunks everywhere are one guess, named by its first settings.
    others = {digest: splitter for digest, splitter in reversed(top) if digest != top[0][0]}
    alike = tuple(Guess(splitter, most) for splitter in reversed(others.values()))
    certainty: Certainty = "unknown"
    if most == count and count >= ENOUGH and not alike:
        certainty = "certain"
    elif most >= _LIKELY * count and count >= _LEAST:
        certainty = "likely"
    return Inference(best, alike, count, tried, certainty)


def _observed(
    index: CorpusIndex, placed: Sequence[PlacedEntry]
) -> dict[int, list[tuple[int, int]]]:
    """Different ranges, trimmed, by document; documents up to a limit of text."""
    spans: dict[int, set[tuple[int, int]]] = {}
    for entry in placed:
        for chunk in entry.chunks:
            position = None if chunk.place is None else index.corpus.position(chunk.place.doc)
            if chunk.place is None or position is None:
                continue
            text = index.corpus.documents[position].text
            span = _trimmed(text, chunk.place.span)
            if span.length:
                spans.setdefault(position, set()).add((span.start, span.end))
    kept: dict[int, list[tuple[int, int]]] = {}
    left = _CHARACTERS
    for position in sorted(spans, key=lambda position: (-len(spans[position]), position)):
        length = len(index.corpus.documents[position].text)
        if kept and length > left:
            continue
        kept[position] = sorted(spans[position])
        left -= length
    return kept


def _trimmed(text: str, span: Span) -> Span:
    own = text[span.start : span.end]
    start = span.start + len(own) - len(own.lstrip())
    return Span(start, max(start, span.end - len(own) + len(own.rstrip())))


def _guesses(
    index: CorpusIndex, seen: dict[int, list[tuple[int, int]]]
) -> Iterator[SplitterSettings]:
    texts = [
        index.corpus.documents[position].text[start:end]
        for position, spans in seen.items()
        for start, end in spans
    ]
    longest = {
        (unit, encoding): max(length_function(unit, encoding)(texts))
        for unit, encoding in (*_MEASURES, ("words", "cl100k_base"))
    }
    for family in _FAMILIES:
        kind = family["kind"]
        measures: tuple[tuple[str, str], ...] = _MEASURES
        if kind == "token":
            measures = _MEASURES[1:]
        elif kind == "words":
            measures = (("words", "cl100k_base"),)
        elif kind == "sentence":
            measures = (("sentences", "cl100k_base"),)
        for unit, encoding in measures:
            base = SplitterSettings(**family, unit=unit, encoding=encoding)  # type: ignore[arg-type]
            sizes = _SENTENCES if unit == "sentences" else _sizes(longest[unit, encoding])
            for size in sizes:
                for overlap in _overlaps(size):
                    yield replace(base, size=size, overlap=overlap)


def _sizes(longest: int) -> list[int]:
    """Usual sizes that would hold the longest chunk seen, then its own length."""
    usual = [size for size in _USUAL if longest <= size <= longest * _SIZE_SLACK]
    return usual if longest in usual else [*usual, longest]


def _overlaps(size: int) -> list[int]:
    shares = [int(size * int(share.rstrip("%")) / 100) for share in _SHARES]
    usual = [overlap for overlap in _OVERLAPS if overlap <= size / 2]
    return list(dict.fromkeys([0, *shares, *usual]))


def _made(
    index: CorpusIndex,
    splitter: SplitterSettings,
    runs: dict[int, SpaceRuns],
    cancel: CancelToken | None,
) -> dict[int, IntArray] | None:
    """Keys of the trimmed ranges of a guess by document; None where it cannot cut them."""
    made: dict[int, IntArray] = {}
    for position, spaces in runs.items():
        try:
            cuts = index.cuts(position, splitter, cancel)
        except InputError:
            return None
        starts, ends = spaces.strip(cuts.starts.astype(np.int32), cuts.ends.astype(np.int32))
        made[position] = _keys(np.column_stack([starts, ends]))
    return made


def _keys(spans: Any) -> IntArray:
    """One number a range: (n, 2) becomes (n,)."""
    pairs = np.asarray(spans, np.int64).reshape(-1, 2)
    return (pairs[:, 0] << 32) + pairs[:, 1]


def _digest(made: dict[int, IntArray]) -> bytes:
    digest = blake2b(digest_size=16)
    for position, keys in sorted(made.items()):
        digest.update(f"{position}:{len(keys)} ".encode())
        digest.update(keys.tobytes())
    return digest.digest()
