"""`sentence`: whole sentences, a number of them or up to a size."""

from collections.abc import Callable

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.checking import check_unit
from chunkscope.splitting.chunks import Cuts, IntArray
from chunkscope.splitting.cutting import TreeText
from chunkscope.splitting.packing import PackedText, Parts
from chunkscope.splitting.protocol import PreparedText
from chunkscope.splitting.separators import Separator
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.tree import SplitTree
from chunkscope.splitting.units import UNITS, BatchLength, length_function
from chunkscope.splitting.whitespace import Offsets, SpaceRuns
from chunkscope.splitting.words import windows

_WITHIN = ("\n\n", "\n", "; ", "；", "، ", ", ", "，", "、", " ", "")
"""Where a sentence that alone is too long is cut: at its clauses, its words, anywhere."""


class SentencesText:
    """A text whose sentences are found once; a chunk is a window of them.

    Attributes:
        text: the text.
    """

    def __init__(self, text: str, *, strip: bool) -> None:
        self.text = text
        self._strip = strip
        self._sentences: tuple[IntArray, IntArray] | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this many sentences and this overlap; see `PreparedText`."""
        if self._sentences is None:
            self._sentences = self._found(cancel)
        starts, ends = self._sentences
        first, last = windows(len(starts), size, overlap)
        return Cuts(starts[first], ends[last - 1], sizes=last - first)

    def _found(self, cancel: CancelToken | None) -> tuple[IntArray, IntArray]:
        bounds = find_sentences(self.text, cancel).bounds.astype(np.int32)
        starts: Offsets = bounds[:-1]
        ends: Offsets = bounds[1:]
        if self._strip:
            starts, ends = SpaceRuns(self.text).strip(starts, ends)
            held = starts < ends
            starts, ends = starts[held], ends[held]
        return starts.astype(np.int64), ends.astype(np.int64)


class SentenceSplitter:
    """Chunks of whole sentences; one that alone is too long is cut at its clauses."""

    unit: str | None = None
    uses = frozenset({"size", "overlap", "unit", "encoding", "strip", "dedupe"})

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        check_unit(settings, (*UNITS, "sentences"))
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> PreparedText:
        """The text, its sentences yet to be found; see `Splitter`."""
        if settings.unit == "sentences":
            return SentencesText(text, strip=settings.strip)
        length = (
            None
            if settings.unit == "characters"
            else length_function(settings.unit, settings.encoding)
        )
        walk = clause_walk(length, strip=settings.strip)
        return PackedText(text, find_sentences, walk, length, strip=settings.strip)


def clause_walk(length: BatchLength | None, *, strip: bool) -> Callable[[str], TreeText]:
    """What prepares a sentence that alone is too long to be cut at its clauses."""

    def walk(part: str) -> TreeText:
        separators = [Separator(separator) for separator in _WITHIN]
        tree = SplitTree(part, separators, "end", [""] * len(separators), length)
        return TreeText(tree, strip=strip, recursive=True)

    return walk


def find_sentences(text: str, cancel: CancelToken | None) -> Parts:
    """The sentences of a text as parts of one section."""
    # The segmenter is loaded when a text is cut by it, not when the splitters are listed.
    from chunkscope.splitting.sentences import sentence_starts

    starts = sentence_starts(text, cancel)
    count = len(starts)
    starts.append(len(text))
    bounds = np.array(starts, dtype=np.int64)
    first = np.zeros(min(count, 1), dtype=np.int64)
    return Parts(bounds, first, np.zeros(count, dtype=np.bool_))
