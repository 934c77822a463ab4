"""The words of many questions as term numbers, looked up once."""

from collections.abc import Mapping, Sequence

import numpy as np

from chunkscope.splitting.chunks import IntArray


class Queries:
    """The words of some questions, one after another.

    Attributes:
        terms: the term number of each word, -1 where the text has no such word, shape (q,).
        questions: which question each is of, ascending, shape (q,).
        count: how many questions.
        places: where `terms` is -1, shape (u,).
        unknown: the words there.
    """

    def __init__(self, words: Sequence[tuple[str, ...]], vocabulary: Mapping[str, int]) -> None:
        """Look every word up; `words` are those of each question in order."""
        flat = [word for each in words for word in each]
        known = vocabulary.get
        self.terms: IntArray = np.array([known(word, -1) for word in flat], dtype=np.int64)
        lengths = np.array([len(each) for each in words], dtype=np.int64)
        self.questions: IntArray = np.repeat(np.arange(len(words)), lengths)
        self.count = len(words)
        self.places: IntArray = np.flatnonzero(self.terms < 0)
        self.unknown = [flat[place] for place in self.places.tolist()]
