"""A smaller corpus that still holds all evidence."""

import random
from collections.abc import Sequence
from dataclasses import replace

from chunkscope.errors import InputError
from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus


def sample_corpus(
    corpus: Corpus, questions: Sequence[LocatedQuestion], size: int, *, seed: int = 0
) -> Corpus:
    """Every document that holds evidence, filled up at random to `size` documents.

    More than `size` when more hold evidence. The same seed draws the same documents.

    Raises:
        InputError: when `size` is less than 1.
    """
    if size < 1:
        raise InputError(f"--sample: {size} is not a number of documents; give at least 1")
    needed = {
        place.doc for question in questions for item in question.items for place in item.places
    }
    others = [document.id for document in corpus.documents if document.id not in needed]
    count = min(len(others), max(0, size - len(needed)))
    kept = needed.union(random.Random(seed).sample(others, count))
    documents = tuple(document for document in corpus.documents if document.id in kept)
    return replace(corpus, documents=documents)
