"""Replies of models kept on disk, by request: what was answered once is not asked again.

The store is one SQLite file: several processes may use it, and a process that is killed loses
nothing that it had put. Only a digest of each request is kept, but replies
quote documents, so the file is its owner's alone.
"""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from chunkscope.embedding.keptfile import (
    alone,
    connected,
    is_empty,
    lay_out,
    layout_of,
    write_ahead,
)
from chunkscope.endpoint.client import Reply
from chunkscope.endpoint.cost import Usage
from chunkscope.errors import InputError

_KNOWN_LAYOUT = 1
_LAYOUT = "CREATE TABLE IF NOT EXISTS replies (request BLOB PRIMARY KEY, reply BLOB NOT NULL)"


@dataclass(frozen=True)
class ChatRequest:
    """All that decides a reply.

    Attributes:
        url: the endpoint's base address.
        model: the model's name there.
        messages: what is sent.
        max_tokens: most tokens of the reply.
        seed: sent along.
    """

    url: str
    model: str
    messages: Sequence[Mapping[str, str]]
    max_tokens: int
    seed: int

    @property
    def key(self) -> bytes:
        """SHA-256 over all of it."""
        whole = {
            "url": self.url.rstrip("/"),
            "model": self.model,
            "messages": [dict(message) for message in self.messages],
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode("ascii")).digest()


def default_reply_path() -> Path:
    """The file in the user's cache folder (`XDG_CACHE_HOME` on Linux)."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "judge.sqlite3"


class ReplyCache:
    """The replies in one file; threads may share an object.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it with its folder.

        Raises:
            InputError: when it cannot be used, or is no such cache.
        """
        self.path = path
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
        except OSError as error:
            raise self._failed(error.strerror or "no file can be made") from None
        try:
            self._connection = connected(path)
            layout = self._begin()
        except sqlite3.Error as error:
            raise self._failed(str(error)) from None
        if layout != _KNOWN_LAYOUT:
            self._connection.close()
            raise self._failed("of another version or another program")

    def _begin(self) -> int:
        """Make the table in a new file; the layout of the one there is, 0 of another's."""
        try:
            self._connection.execute("PRAGMA synchronous = FULL")
            # One of several that may begin the file at once.
            with alone(self._connection):
                layout = layout_of(self._connection)
                if not layout and is_empty(self._connection):
                    layout = _KNOWN_LAYOUT
                    lay_out(self._connection, _LAYOUT, _KNOWN_LAYOUT)
            if layout == _KNOWN_LAYOUT:
                write_ahead(self._connection)
        except sqlite3.Error:
            self._connection.close()
            raise
        return layout

    def get(self, request: ChatRequest) -> Reply | None:
        """The reply kept of a request, if there is one.

        Raises:
            InputError: when the file cannot be read.
        """
        query = "SELECT reply FROM replies WHERE request = ?"
        with self._lock:
            try:
                row = self._connection.execute(query, (request.key,)).fetchone()
            except sqlite3.Error as error:
                raise self._failed(str(error)) from None
        return None if row is None else _read(row[0])

    def put(self, request: ChatRequest, reply: Reply) -> None:
        """Keep a reply in place of any other; when this returns, it is on disk.

        Raises:
            InputError: when the file cannot be written.
        """
        usage = reply.usage
        value = {
            "text": reply.text,
            "model": reply.model,
            "cut": reply.cut,
            "usage": [usage.requests, usage.tokens_in, usage.tokens_out],
        }
        data = json.dumps(value, ensure_ascii=True).encode("ascii")
        with self._lock:
            try:
                self._connection.execute(
                    "INSERT OR REPLACE INTO replies (request, reply) VALUES (?, ?)",
                    (request.key, data),
                )
            except sqlite3.Error as error:
                raise self._failed(str(error)) from None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    def _failed(self, why: str) -> InputError:
        return InputError(
            f"--cache {self.path}: cannot be used ({why}); name another file, or remove it"
        )


def _read(data: bytes) -> Reply | None:
    """The reply in a row; None where another program wrote it."""
    try:
        value = json.loads(data)
        requests, tokens_in, tokens_out = value["usage"]
        return Reply(
            str(value["text"]),
            Usage(int(requests), int(tokens_in), int(tokens_out)),
            str(value["model"]),
            bool(value["cut"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
