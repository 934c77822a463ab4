"""Documents in temporary files, given back in the order of their ids: none of them is held."""

import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from chunkscope.text.document import Document
from chunkscope.text.temporary import opened_temporary, temporary_unwritable

_NAMES = tuple(one.name for one in fields(Document) if one.name != "path")
_CACHE = 16_384
"""Kilobytes of ids and places that are held."""


class KeptDocuments:
    """Documents by their ids; first all are added, then they are read.

    Raises:
        NoRoomError: here and by `add`, when the folder for temporary files cannot be written.
    """

    def __init__(self) -> None:
        self._count = self._end = 0
        # Many documents are of one file.
        self._paths: dict[Path | None, int] = {}
        self._ordered: list[Path | None] = []
        with _written():
            self._file = opened_temporary()
            # A file without a name, too: it is written where the ids do not fit into the cache.
            self._ids = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._ids.execute("PRAGMA journal_mode = OFF")
            self._ids.execute(f"PRAGMA cache_size = -{_CACHE}")
            # Bytes of UTF-8 are in the order of their code points.
            self._ids.execute("CREATE TABLE kept (id BLOB PRIMARY KEY, place INT) WITHOUT ROWID")
            self._ids.execute("BEGIN")

    def close(self) -> None:
        """Let go of everything."""
        self._file.close()
        self._ids.close()

    def __len__(self) -> int:
        return self._count

    def __contains__(self, document_id: str) -> bool:
        return self._count > 0 and self._place(document_id) is not None

    def add(self, document: Document) -> bool:
        """Keep a document; False where one with its id is kept already."""
        row = (_key(document.id), self._end)
        with _written():
            if not self._ids.execute("INSERT OR IGNORE INTO kept VALUES (?, ?)", row).rowcount:
                return False
            number = self._paths.setdefault(document.path, len(self._paths))
            values = [getattr(document, name) for name in _NAMES]
            pickle.dump((number, values), self._file, pickle.HIGHEST_PROTOCOL)
            self._end = self._file.tell()
        self._count += 1
        return True

    def mark(self) -> int:
        """What `forget` takes to forget all that is added from now on."""
        return self._end

    def forget(self, mark: int) -> None:
        """Let go of all that was added since `mark` was given."""
        with _written():
            gone = self._ids.execute("DELETE FROM kept WHERE place >= ?", (mark,)).rowcount
            self._file.seek(mark)
            self._file.truncate()
        self._count -= gone
        self._end = mark

    def ids(self) -> Iterator[str]:
        """Every id, in code-point order."""
        for (key,) in self._ids.execute("SELECT id FROM kept ORDER BY id"):
            yield key.decode("utf-8", "surrogatepass")

    def read(self, document_id: str) -> Document:
        """The document with this id.

        Raises:
            KeyError: when there is none.
        """
        place = self._place(document_id)
        if place is None:
            raise KeyError(document_id)
        if len(self._ordered) < len(self._paths):
            self._ordered = list(self._paths)
        self._file.seek(place)
        number, values = pickle.load(self._file)
        return Document(**dict(zip(_NAMES, values, strict=True)), path=self._ordered[number])

    def _place(self, document_id: str) -> int | None:
        found = self._ids.execute("SELECT place FROM kept WHERE id = ?", (_key(document_id),))
        row = found.fetchone()
        return None if row is None else int(row[0])


def _key(document_id: str) -> bytes:
    return document_id.encode("utf-8", "surrogatepass")


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise temporary_unwritable(error) from None
