"""One process at a time changes a file: whoever does holds the file's lock meanwhile.

The lock is the system's own (`flock`, on Windows `msvcrt.locking`) on a small file beside the one
that is written: the system lets go of it when the holder ends, however it ends, so that no lock
outlives its process. The content of that small file, process, machine and time, is for messages
alone. A library for locks would be one more dependency of every install and says neither who
holds a lock nor since when.

A folder that knows no locks (some network folders) or takes no new file is used without one: a
write is whole even then, only two writers at the very same moment would not see each other.
"""

import hashlib
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chunkscope.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import errno
    import fcntl

_WAIT_SECONDS = 10.0
_PAUSE_SECONDS = 0.02
_NOTE_BYTES = 500
# Beyond the note: Windows lets nobody read the bytes that are locked.
_LOCKED_BYTE = 1 << 20


def mark_of(target: Path) -> str:
    """What the names of the files beside `target` have in common; as short for any name."""
    name = os.fsencode(target.name)
    return f".chunkscope-{hashlib.sha256(name).hexdigest()[:16]}"


@contextmanager
def holding(
    target: Path,
    *,
    seconds: float = _WAIT_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[bool]:
    """Hold the lock of `target` within it; False where the folder knows none.

    Args:
        target: the file, links resolved; it need not be there.
        seconds: how long to wait for another process.
        clock: seconds that pass.
        sleep: waits.

    Raises:
        InputError: when another process holds it; it is named.
    """
    path = target.with_name(f"{mark_of(target)}.lock")
    end = clock() + seconds
    while (taken := _take(path)) is None:
        if clock() >= end:
            raise InputError(
                f"{target}: is being written by {_holder(path)}; nothing was changed: wait until "
                "it is done or end it, or give another file"
            )
        sleep(_PAUSE_SECONDS)
    if taken < 0:
        yield False
        return
    try:
        yield True
    finally:
        # Removed while it is held: who waits for it looks whether it still stands.
        with suppress(OSError):
            path.unlink()
        _let_go(taken)


def _take(path: Path) -> int | None:
    """A descriptor that holds the lock; None when another has it, -1 where there are no locks."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError:
        return -1
    try:
        got = _lock(descriptor)
        if got and not _stands(path, descriptor):
            # The holder before removed it between our opening and our locking.
            _let_go(descriptor)
            return None
    except OSError:
        os.close(descriptor)
        return -1
    if not got:
        os.close(descriptor)
        return None
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.write(descriptor, _note().encode("utf-8", "replace"))
    return descriptor


def _stands(path: Path, descriptor: int) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    ours = os.fstat(descriptor)
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


if sys.platform == "win32":

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

    def _let_go(descriptor: int) -> None:
        with suppress(OSError):
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        os.close(descriptor)

else:

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            raise
        return True

    def _let_go(descriptor: int) -> None:
        # A forked process shares the lock: closing alone would leave it held there.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _note() -> str:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    return json.dumps({"process": os.getpid(), "machine": socket.gethostname(), "since": since})


def _holder(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            note = json.loads(stream.read(_NOTE_BYTES))
        process, machine, since = int(note["process"]), str(note["machine"]), str(note["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
    return f"process {process} on {machine} since {since}"
