"""What a report says of a corpus, counted document by document."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from chunkscope.text.document import Document


class CorpusCounts:
    """Counts of the documents so far, the same as those of a `Corpus` that holds them all.

    Attributes:
        documents: how many.
        characters: their code points.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.characters = 0
        self._digest = hashlib.sha256()
        self._formats: Counter[str] = Counter()

    def take(self, document: Document) -> None:
        """Count the next document in the corpus's order."""
        self.documents += 1
        self.characters += len(document.text)
        self._digest.update(document.id.encode("utf-8", "surrogatepass"))
        self._digest.update(b"\0")
        self._digest.update(bytes.fromhex(document.sha256))
        if document.origin is not None:
            self._formats[document.origin.format] += 1

    @property
    def fingerprint(self) -> str:
        """As `Corpus.fingerprint`."""
        return self._digest.hexdigest()

    def read_as(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        """As `Corpus.read_as`, given its `reading`."""
        if not reading:
            return {}
        return {"reading": {**reading, "extracted": dict(sorted(self._formats.items()))}}
