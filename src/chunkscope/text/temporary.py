"""Temporary files without a name: gone when the process is, however it ends."""

import os
import sqlite3
import tempfile
from typing import IO

from chunkscope.errors import InputError


class NoRoomError(InputError):
    """The folder for temporary files takes no more, or cannot be written at all."""


def temporary_unwritable(error: OSError | sqlite3.OperationalError) -> NoRoomError:
    """What to say where a temporary file cannot be made or written."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return NoRoomError(
        f"the folder for temporary files cannot be written ({reason}); "
        "make room there, or name another in TMPDIR"
    )


def opened_temporary() -> IO[bytes]:
    """A new temporary file, to be written and read.

    Raises:
        NoRoomError: when none can be made.
    """
    try:
        return tempfile.TemporaryFile(prefix="chunkscope-")
    except OSError as error:
        raise temporary_unwritable(error) from None


class Spill:
    """Bytes in a temporary file, written one after another and read in any order."""

    def __init__(self) -> None:
        """An empty one.

        Raises:
            NoRoomError: when no temporary file can be made.
        """
        self._file = opened_temporary()
        self._end = 0

    @property
    def size(self) -> int:
        """Bytes written."""
        return self._end

    def put(self, data: bytes) -> tuple[int, int]:
        """Write; gives the place to read from.

        Raises:
            NoRoomError: when there is no room.
        """
        try:
            self._file.seek(self._end)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise temporary_unwritable(error) from None
        place = (self._end, len(data))
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        """What was written there."""
        start, size = place
        if not hasattr(os, "pread"):
            self._file.seek(start)
            return self._file.read(size)
        # A forked process shares the file's position with this one.
        parts: list[bytes] = []
        while size > 0:
            part = os.pread(self._file.fileno(), size, start)
            if not part:
                break
            parts.append(part)
            start, size = start + len(part), size - len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Give the room back."""
        self._file.close()
