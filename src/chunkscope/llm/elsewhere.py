"""Other passages that may answer a question too: found by words, cheaply; a model decides."""

import threading
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.llm.passages import Passage, shown_text
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus
from chunkscope.text.headings import heading_paths, headings
from chunkscope.text.spans import Span

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex

_WINDOWS = SplitterSettings(size=1200, overlap=200, unit="characters")
_WORDS = RetrieverSettings(kind="bm25")
_LEAST = 0.35
"""Share of what the evidence's own surroundings score that another passage has to reach."""

Taken = Sequence[tuple[str, Span]]


class Elsewhere:
    """Passages of a corpus by the words they share with a text; shared by threads."""

    def __init__(self, corpus: Corpus) -> None:
        """Nothing is indexed before the first question."""
        self._corpus = corpus
        self._index: CorpusIndex | None = None
        self._sections: dict[int, tuple[list[int], Sequence[tuple[str, ...]]]] = {}
        self._lock = threading.Lock()

    def passages(self, text: str, taken: Taken, most: int) -> tuple[Passage, ...]:
        """Up to `most` passages that share the most with `text`, best first.

        Args:
            text: a question and its answer.
            taken: places of the answer that are known: no passage touches one of them.
            most: how many.
        """
        if most < 1:
            return ()
        with self._lock:
            if self._index is None:
                # Only what really looks for passages pays for loading this.
                from chunkscope.evaluation.index import CorpusIndex

                self._index = CorpusIndex(self._corpus)
            return self._passages(self._index, text, taken, most)

    def _passages(
        self, index: "CorpusIndex", text: str, taken: Taken, most: int
    ) -> tuple[Passage, ...]:
        windows = index.chunk_set(_WINDOWS, EnrichSettings())
        (matches,) = index.retriever(_WORDS, windows).match([text])
        order = np.lexsort((matches.chunks, -matches.scores))
        best = 0.0
        near = list(taken)
        found: list[Passage] = []
        for place in order.tolist():
            number, score = int(matches.chunks[place]), float(matches.scores[place])
            position = int(windows.documents[number])
            document = self._corpus.documents[position]
            cuts, within = windows.cuts[position], number - int(windows.first[position])
            span = Span(int(cuts.starts[within]), int(cuts.ends[within]))
            if any(doc == document.id and span.overlap(known) for doc, known in taken):
                best = max(best, score)
                continue
            best = best or score
            if len(found) == most or score < _LEAST * best:
                break
            if not any(doc == document.id and span.overlap(known) for doc, known in near):
                near.append((document.id, span))
                found.append(self._passage(position, span))
        return tuple(found)

    def _passage(self, position: int, span: Span) -> Passage:
        document = self._corpus.documents[position]
        if position not in self._sections:
            known = headings(document.text, document_id=document.id)
            self._sections[position] = [one.span.start for one in known], heading_paths(known)
        starts, paths = self._sections[position]
        above = bisect_right(starts, span.start) - 1
        path = tuple(paths[above]) if above >= 0 else ()
        return Passage(document.id, span, path, shown_text(document, span))
