"""Replacing a file whole or not at all."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from chunkscope.errors import InputError


def replace_file(path: Path, data: bytes) -> None:
    """Make `data` the content of `path`; until that is done the previous version stands.

    The data goes to a temporary file in the same folder, is synced and renamed. Permission
    bits are kept; of a symbolic link the target is written.

    Raises:
        InputError: when it cannot be written; nothing is left half written.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target, path)
        temporary = target.with_name(f".chunkscope-{secrets.token_hex(8)}.tmp")
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
    except ValueError as error:
        raise InputError(f"{path}: not a usable path ({error}); give another") from None


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
    with temporary.open("xb") as stream:
        if mode is not None:
            temporary.chmod(mode)
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    # Some file systems and systems sync no folders; the file itself is safe by then.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
