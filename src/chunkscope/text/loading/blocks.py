"""A file that is read block by block, as often as needed, and noticed when it changes."""

import os
import re
from collections.abc import Iterator
from typing import IO

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.decode import DecodeError

CHANGED = "it changed while it was read; run again when it is at rest"
BLOCK = 1 << 18
"""Bytes of a block; divisible by 4."""

_HIGH = re.compile(rb"[\x80-\xff]")


class FileBlocks:
    """The bytes of an open file; one that has another length than it had is refused.

    Args:
        stream: the file, without a buffer of its own.
        before: what the system said of it when it was opened.
        cancel: looked at before each block.
    """

    def __init__(
        self, stream: IO[bytes], before: os.stat_result, cancel: CancelToken | None = None
    ) -> None:
        self._stream, self._before, self._cancel = stream, before, cancel
        self.length = before.st_size

    def blocks(self, start: int = 0) -> Iterator[bytes]:
        """The bytes from `start` on, in blocks.

        Raises:
            DecodeError: when they are not as many as there were.
            OSError: when they cannot be read.
            CancelledError: when the token was raised meanwhile.
        """
        at = start
        while True:
            if self._cancel is not None:
                self._cancel.check()
            block = self.read(at, at + BLOCK)
            at += len(block)
            if at > self.length or (not block and at < self.length):
                raise DecodeError(CHANGED)
            if not block:
                return
            yield block

    def read(self, start: int, end: int) -> bytes:
        """The bytes of a stretch; fewer where the file ends before."""
        self._stream.seek(start)
        parts = []
        while start < end:
            part = self._stream.read(end - start)
            if not part:
                break
            parts.append(part)
            start += len(part)
        return b"".join(parts)

    def next_high(self, position: int) -> int | None:
        """Place of the first byte beyond ASCII at or behind `position`."""
        for block in self.blocks(position):
            match = _HIGH.search(block)
            if match is not None:
                return position + match.start()
            position += len(block)
        return None

    def check_unchanged(self) -> None:
        """Make sure that the file is still as it was when it was opened.

        Raises:
            DecodeError: when it is not.
        """
        after = os.fstat(self._stream.fileno())
        if is_changed(self._before, after):
            raise DecodeError(CHANGED)


def is_changed(before: os.stat_result, after: os.stat_result) -> bool:
    """Whether a file is another one now, by its length and its time."""
    return (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
