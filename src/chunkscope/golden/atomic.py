"""Replacing a file whole or not at all, one process at a time."""

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chunkscope.errors import InputError
from chunkscope.golden.lock import holding, mark_of

ABSENT = ""
"""The digest of a file that is not there."""

_BINARY = getattr(os, "O_BINARY", 0)


class ChangedError(InputError):
    """A file that is not what it was when it was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """Digests of a file's content.

    Attributes:
        before: of what was replaced; `ABSENT` where there was no file.
        after: of what stands there now.
    """

    before: str
    after: str


def digest(data: bytes | None) -> str:
    """SHA-256 of a file's content, in hex; `ABSENT` for None."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


def replace_file(path: Path, data: bytes) -> None:
    """Make `data` the content of `path`; until that is done the previous version stands.

    The data goes to a temporary file in the same folder, is synced and renamed. Permission
    bits are kept; of a symbolic link the target is written.

    Raises:
        InputError: when it cannot be written, or another process is at it; nothing is left half
            written.
    """
    _replace(path, lambda _target: data)


def update_file(path: Path, change: Callable[[bytes | None], bytes]) -> Replaced:
    """Make what `change` gives the content of `path`, as `replace_file` does.

    `change` is given what the file holds (None: there is no file), and no other process writes
    it between that and the end. What it raises ends the update, with nothing written.

    Raises:
        InputError: when it cannot be read or written, or another process is at it.
    """
    digests = [ABSENT, ABSENT]

    def make(target: Path) -> bytes:
        before = _content(target)
        after = change(before)
        digests[:] = [digest(before), digest(after)]
        return after

    _replace(path, make)
    return Replaced(*digests)


def _replace(path: Path, make: Callable[[Path], bytes]) -> None:
    target = _resolved(path)
    try:
        with holding(target) as held:
            data = make(target)
            mode = _mode(target, path)
            # Held, the name is ours alone: what a killed process left under it goes, too.
            ending = "" if held else f"-{secrets.token_hex(8)}"
            temporary = target.with_name(f"{mark_of(target)}{ending}.tmp")
            if held:
                temporary.unlink(missing_ok=True)
            try:
                _write_synced(temporary, data, mode)
                temporary.replace(target)
            except BaseException:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
        _sync_folder(target.parent)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); nothing was changed: "
            "check the folder, its permissions and the space left"
        ) from None


def _resolved(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise InputError(f"{path}: not a usable path ({error}); give another") from None


def _content(target: Path) -> bytes | None:
    try:
        return target.read_bytes() if stat.S_ISREG(target.stat().st_mode) else None
    except FileNotFoundError:
        return None


def _mode(target: Path, path: Path) -> int | None:
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: not a regular file; give another path to write to")
    if not os.access(target, os.W_OK):
        raise InputError(f"{path}: is write-protected; nothing was changed: unlock it first")
    return stat.S_IMODE(status.st_mode)


def _write_synced(temporary: Path, data: bytes, mode: int | None) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        if mode is not None:
            temporary.chmod(mode)
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    # Some file systems and systems sync no folders; the file itself is safe by then.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
