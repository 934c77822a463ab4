"""Vectors kept on disk, by model, revision and text: what was paid for once is not paid again.

The store is one SQLite file with a write-ahead log: several processes may use it, and a process
that is killed loses at most what it had not yet put. Texts themselves are not kept.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.keptfile import alone, connected, lay_out, layout_of, write_ahead
from chunkscope.embedding.protocol import Vectors
from chunkscope.errors import InputError

_ASKED_AT_ONCE = 500
_KNOWN_LAYOUT = 1

_LAYOUT = """
CREATE TABLE IF NOT EXISTS models (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, revision TEXT NOT NULL,
    dimensions INTEGER NOT NULL, UNIQUE (name, revision, dimensions));
CREATE TABLE IF NOT EXISTS vectors (
    number INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, text BLOB NOT NULL,
    vector BLOB NOT NULL, UNIQUE (model, text));
"""


@dataclass(frozen=True, slots=True)
class Held:
    """What the cache holds of one model.

    Attributes:
        name: the model.
        revision: its revision.
        vectors: how many.
        size: bytes of the vectors alone.
    """

    name: str
    revision: str
    vectors: int
    size: int


def default_cache_path() -> Path:
    """The file in the user's cache folder (`XDG_CACHE_HOME` on Linux)."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "embeddings.sqlite3"


class VectorCache:
    """The cache in one file. Threads and forked processes may share an object.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it with its folder.

        Raises:
            InputError: when it cannot be written, or is no such cache.
        """
        self.path = path
        self._locks: dict[int, Lock] = {}
        self._filling: dict[tuple[int, str, str], Lock] = {}
        self._connection: sqlite3.Connection | None = None
        self._process = -1
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._failed(error.strerror or "no folder can be made") from error
        with self._used(), self._used_connection():
            pass

    def get(self, name: str, revision: str, dimensions: int, texts: Sequence[str]) -> Vectors:
        """The vectors kept of `texts`, shape (n, dimensions); rows of NaN where there is none.

        Raises:
            InputError: when the file cannot be read.
        """
        found = np.full((len(texts), dimensions), np.nan, dtype=np.float32)
        rows: dict[bytes, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(_key(text), []).append(row)
        keys = list(rows)
        with self._used(), self._used_connection() as connection:
            model = self._model(connection, name, revision, dimensions)
            if model is not None:
                for key, vector in _rows(connection, "text, vector", model, keys):
                    if len(vector) == 4 * dimensions:
                        found[rows[key]] = np.frombuffer(vector, dtype="<f4")
        return found

    def holds(
        self, name: str, revision: str, dimensions: int, texts: Sequence[str]
    ) -> npt.NDArray[np.bool_]:
        """Whether there is a vector of each of `texts`, shape (n,); none is read.

        Raises:
            InputError: when the file cannot be read.
        """
        keys = [_key(text) for text in texts]
        asked = list(dict.fromkeys(keys))
        held: set[bytes] = set()
        with self._used(), self._used_connection() as connection:
            model = self._model(connection, name, revision, dimensions)
            if model is not None:
                what = f"text, LENGTH(vector) = {4 * dimensions}"
                held.update(key for key, whole in _rows(connection, what, model, asked) if whole)
        return np.array([key in held for key in keys], np.bool_)

    def dimensions(self, name: str, revision: str) -> int | None:
        """Length of the vectors kept of a model, the newest of several; None: none are kept.

        Raises:
            InputError: when the file cannot be read.
        """
        query = (
            "SELECT dimensions FROM models WHERE name = ? AND revision = ? ORDER BY id DESC LIMIT 1"
        )
        with self._used(), self._used_connection() as connection:
            row = connection.execute(query, (name, revision)).fetchone()
        return None if row is None else int(row[0])

    def filling(self, name: str, revision: str) -> Lock:
        """Held by whoever adds vectors of a model, so that no other thread pays for them too.

        It binds the threads of one process; a forked process has its own.
        """
        return self._filling.setdefault((os.getpid(), name, revision), Lock())

    def put(self, name: str, revision: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep the vectors of `texts`, all of them or, when killed meanwhile, none.

        Raises:
            InputError: when the file cannot be written.
        """
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        dimensions = int(rows.shape[1])
        with self._used(), self._used_connection() as connection, alone(connection):
            connection.execute(
                "INSERT OR IGNORE INTO models (name, revision, dimensions) VALUES (?, ?, ?)",
                (name, revision, dimensions),
            )
            model = self._model(connection, name, revision, dimensions)
            connection.executemany(
                "INSERT OR REPLACE INTO vectors (model, text, vector) VALUES (?, ?, ?)",
                [(model, _key(text), row.tobytes()) for text, row in zip(texts, rows, strict=True)],
            )

    def held(self) -> list[Held]:
        """What is kept, by model.

        Raises:
            InputError: when the file cannot be read.
        """
        query = (
            "SELECT name, revision, COUNT(number), COALESCE(SUM(LENGTH(vector)), 0) "
            "FROM models LEFT JOIN vectors ON model = id GROUP BY id ORDER BY name, revision"
        )
        with self._used(), self._used_connection() as connection:
            return [Held(*row) for row in connection.execute(query)]

    def file_size(self) -> int:
        """Bytes that the file and its log take on disk."""
        log = self.path.with_name(self.path.name + "-wal")
        return sum(path.stat().st_size for path in (self.path, log) if path.exists())

    def prune(self, most: int = 0) -> int:
        """Drop the vectors put first until the others take at most `most` bytes; how many.

        Raises:
            InputError: when the file cannot be written.
        """
        with self._used(), self._used_connection() as connection:
            with alone(connection):
                before = connection.execute("SELECT COUNT(*) FROM vectors").fetchone()[0]
                connection.execute(
                    "DELETE FROM vectors WHERE number IN (SELECT number FROM (SELECT number, "
                    "SUM(LENGTH(vector)) OVER (ORDER BY number DESC) AS newer FROM vectors) "
                    "WHERE newer > ?)",
                    (most,),
                )
                after = connection.execute("SELECT COUNT(*) FROM vectors").fetchone()[0]
                connection.execute(
                    "DELETE FROM models WHERE id NOT IN (SELECT DISTINCT model FROM vectors)"
                )
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(before - after)

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        with self._lock():
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _lock(self) -> Lock:
        # A lock that another thread held while a process forked would never be let go there.
        return self._locks.setdefault(os.getpid(), Lock())

    @contextmanager
    def _used(self) -> Iterator[None]:
        with self._lock():
            try:
                yield
            except sqlite3.Error as error:
                raise self._failed(str(error)) from error

    @contextmanager
    def _used_connection(self) -> Iterator[sqlite3.Connection]:
        # A connection must not be taken along into a forked process.
        if self._connection is None or self._process != os.getpid():
            self._connection = self._connected()
            self._process = os.getpid()
        yield self._connection

    def _connected(self) -> sqlite3.Connection:
        connection = connected(self.path)
        write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        layout = layout_of(connection)
        if layout not in (0, _KNOWN_LAYOUT):
            connection.close()
            raise self._failed(f"it is of a newer kind ({layout})")
        if layout == 0:
            with alone(connection):
                lay_out(connection, _LAYOUT, _KNOWN_LAYOUT)
        return connection

    def _model(
        self, connection: sqlite3.Connection, name: str, revision: str, dimensions: int
    ) -> int | None:
        row = connection.execute(
            "SELECT id FROM models WHERE name = ? AND revision = ? AND dimensions = ?",
            (name, revision, dimensions),
        ).fetchone()
        return None if row is None else int(row[0])

    def _failed(self, reason: str) -> InputError:
        return InputError(
            f"embedding cache {self.path}: {reason}; delete the file, or point XDG_CACHE_HOME to "
            "a folder that can be written"
        )


def _rows(
    connection: sqlite3.Connection, what: str, model: int, keys: Sequence[bytes]
) -> Iterator[tuple[bytes, Any]]:
    for begin in range(0, len(keys), _ASKED_AT_ONCE):
        asked = keys[begin : begin + _ASKED_AT_ONCE]
        marks = ",".join("?" * len(asked))
        query = f"SELECT {what} FROM vectors WHERE model = ? AND text IN ({marks})"
        yield from connection.execute(query, (model, *asked))


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
