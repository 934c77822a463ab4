"""Texts that are not held in memory: in a temporary file, each read when it is looked at."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from typing import Any

from chunkscope.text.document import Corpus, Document
from chunkscope.text.temporary import Spill

_HELD = 16_000_000
"""Characters of texts that were read last, held for whoever asks again."""


class TextStore(AbstractContextManager["TextStore"]):
    """Documents whose texts are in a temporary file; a context manager."""

    def __init__(self) -> None:
        """An empty one.

        Raises:
            NoRoomError: when no temporary file can be made.
        """
        self._spill = Spill()
        self._held: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._characters = 0

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the room back; texts can no longer be read."""
        self._spill.close()

    def keep(self, document: Document) -> "StoredDocument":
        """The same document, its text in the file.

        Raises:
            NoRoomError: when there is no room.
        """
        data = document.text.encode("utf-8", "surrogatepass")
        place = self._spill.put(data)
        digest = hashlib.sha256(data).hexdigest()
        return StoredDocument(document, self, place, digest)

    def text(self, place: tuple[int, int]) -> str:
        """The text that stands there."""
        known = self._held.get(place)
        if known is not None:
            self._held.move_to_end(place)
            return known
        text = self.text_apart(place)
        self._held[place] = text
        self._characters += len(text)
        while self._characters > _HELD and len(self._held) > 1:
            self._characters -= len(self._held.popitem(last=False)[1])
        return text

    def text_apart(self, place: tuple[int, int]) -> str:
        """The same, held by nobody here."""
        return self._spill.get(place).decode("utf-8", "surrogatepass")


class StoredDocument(Document):
    """A document whose text is read from a `TextStore` whenever it is asked for."""

    def __init__(
        self, document: Document, store: TextStore, place: tuple[int, int], digest: str
    ) -> None:
        """As `document`, its text standing at `place`; `digest` is its SHA-256."""
        values: dict[str, Any] = {
            one.name: getattr(document, one.name) for one in fields(document) if one.name != "text"
        }
        values |= {"_store": store, "_at": place, "_length": document.length, "sha256": digest}
        self.__dict__.update(values)

    @property
    def text(self) -> str:
        """The text, read anew unless it was looked at lately."""
        text: str = self.__dict__["_store"].text(self.__dict__["_at"])
        return text

    @property
    def length(self) -> int:
        """Code points of the text, which is not read for it."""
        length: int = self.__dict__["_length"]
        return length

    def held(self) -> Document:
        """The document with its text."""
        values = {
            one.name: self.__dict__[one.name] for one in fields(Document) if one.name != "text"
        }
        return Document(text=self.__dict__["_store"].text_apart(self.__dict__["_at"]), **values)


def held_part(corpus: Corpus, first: int, last: int) -> Corpus:
    """The documents `[first, last)` of a corpus as one of their own, their texts in memory."""
    part = corpus.documents[first:last]
    return Corpus(tuple(one.held() if isinstance(one, StoredDocument) else one for one in part))


def is_stored(corpus: Corpus) -> bool:
    """Whether the texts of a corpus are in a `TextStore`."""
    return any(isinstance(document, StoredDocument) for document in corpus.documents)


def parts_of(lengths: Sequence[int], most: int, documents: int) -> list[tuple[int, int]]:
    """Ranges `[first, last)` of neighbours with about `most` characters, the last one over.

    Args:
        lengths: characters of each document.
        most: characters of a range.
        documents: how many a range has at most.
    """
    found: list[tuple[int, int]] = []
    first = characters = 0
    for number, length in enumerate(lengths):
        characters += length
        if characters >= most or number + 1 - first >= documents:
            found.append((first, number + 1))
            first, characters = number + 1, 0
    if first < len(lengths):
        found.append((first, len(lengths)))
    return found
