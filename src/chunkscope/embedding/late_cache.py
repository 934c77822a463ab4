"""Token vectors of whole texts kept on disk, one file a text: float16, read as they are needed.

A file is numpy's .npy with a checksum of its numbers behind it. It is written under another name,
synced and renamed, so that a file of the right name is whole; one that was damaged later is made
anew. Texts themselves are not kept.
"""

import hashlib
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from chunkscope.errors import InputError

Halves = npt.NDArray[np.float16]

_UNFINISHED = ".part"
_LEFT_SECONDS = 86_400.0
_CHECK_BYTES = 4
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class HeldTexts:
    """What is kept of one model.

    Attributes:
        name: the model.
        revision: its revision.
        texts: how many.
        size: bytes of their files.
    """

    name: str
    revision: str
    texts: int
    size: int


def default_late_folder() -> Path:
    """The folder in the user's cache folder (`XDG_CACHE_HOME` on Linux)."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "late"


class LateCache:
    """The files of one model and one rule of windows.

    Attributes:
        folder: where they stand.
    """

    def __init__(self, folder: Path, name: str, revision: str, rule: str) -> None:
        """Files in a folder of that model inside `folder`; nothing is made yet."""
        self.folder = folder / f"{quote(name, safe='')}@{revision}@{rule}"

    def path(self, text: str) -> Path:
        """The file of a text."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{key}.npy"

    def whole(self, text: str, shape: tuple[int, int]) -> bool:
        """Whether the file of a text is there, of that shape and undamaged."""
        path = self.path(text)
        try:
            vectors = _opened(path)
            if vectors.shape != shape or vectors.dtype != np.float16:
                return False
            held = vectors.offset + vectors.nbytes
            with path.open("rb") as stream:
                if stream.seek(0, os.SEEK_END) != held + _CHECK_BYTES:
                    return False
                stream.seek(held)
                return _checksum(vectors) == stream.read()
        # numpy says ValueError or EOFError of a file that is cut short or is none of its own.
        except (OSError, ValueError, EOFError):
            return False

    @contextmanager
    def writing(self, text: str, shape: tuple[int, int]) -> Iterator[Halves]:
        """An array to fill, which becomes the file of a text when the block ends without an error.

        The text has a token at least.

        Raises:
            InputError: when the file cannot be written.
        """
        path = self.path(text)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, suffix=_UNFINISHED, delete=False) as stream:
                part = Path(stream.name)
        except OSError as error:
            raise self._failed(error) from error
        try:
            made = np.lib.format.open_memmap(part, "w+", np.float16, shape)
            yield made
            made.flush()
            with part.open("r+b") as stream:
                check = _checksum(made)
                stream.seek(0, os.SEEK_END)
                stream.write(check)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(path)
        except OSError as error:
            raise self._failed(error) from error
        finally:
            part.unlink(missing_ok=True)

    def _failed(self, error: OSError) -> InputError:
        return InputError(
            f"token vectors in {self.folder}: cannot be written ({error.strerror or error}); make "
            "room, or point XDG_CACHE_HOME to a folder that can be written"
        )


class FileRows:
    """The vectors in a file, read row by row as they are asked for.

    Attributes:
        shape: tokens and dimensions.
    """

    def __init__(self, path: Path) -> None:
        """The vectors of an undamaged file.

        Raises:
            InputError: when it is not there any more.
        """
        self._path = path
        self.shape: tuple[int, int] = self._open().shape

    @property
    def size(self) -> int:
        """Bytes of the vectors."""
        return 2 * self.shape[0] * self.shape[1]

    def __getitem__(self, rows: npt.NDArray[np.integer[Any]]) -> Halves:
        """The vectors of some tokens, (n, d).

        Raises:
            InputError: when the file is not there any more.
        """
        # Nothing stays open: a corpus may have more documents than a process may have files.
        return np.asarray(self._open()[rows])

    def _open(self) -> "np.memmap[tuple[int, int], np.dtype[np.float16]]":
        try:
            return _opened(self._path)
        except (OSError, ValueError, EOFError) as error:
            raise InputError(
                f"{self._path}: was removed or changed while it was in use; start again"
            ) from error


def _opened(path: Path) -> "np.memmap[tuple[int, int], np.dtype[np.float16]]":
    return np.lib.format.open_memmap(path, mode="r")


def held_texts(folder: Path) -> list[HeldTexts]:
    """What is kept, by model and revision."""
    found: dict[tuple[str, str], list[int]] = {}
    for path in _files(folder):
        name, revision, _ = path.parent.name.rsplit("@", 2)
        found.setdefault((unquote(name), revision), []).append(path.stat().st_size)
    return [HeldTexts(*key, len(sizes), sum(sizes)) for key, sizes in sorted(found.items())]


def prune_texts(folder: Path, most: int = 0) -> int:
    """Drop the files written first until the others take at most `most` bytes; how many.

    Raises:
        InputError: when a file cannot be removed.
    """
    try:
        # A process that was killed left these; a young one may still be written.
        for path in folder.glob(f"*/*{_UNFINISHED}"):
            if path.stat().st_mtime < time.time() - _LEFT_SECONDS:
                path.unlink(missing_ok=True)
        files = [(path.stat().st_mtime_ns, path.stat().st_size, path) for path in _files(folder)]
        room, dropped = most, 0
        for _, size, path in sorted(files, reverse=True):
            room -= size
            if room < 0:
                path.unlink(missing_ok=True)
                dropped += 1
        for inner in folder.glob("*/"):
            if not any(inner.iterdir()):
                inner.rmdir()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"token vectors in {folder}: cannot be removed ({reason})") from error
    return dropped


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*/*.npy")) if path.parent.name.count("@") >= 2]


def _checksum(vectors: Halves) -> bytes:
    check = 0
    rows = max(1, _BLOCK // max(1, vectors.shape[1] * 2))
    for begin in range(0, len(vectors), rows):
        check = zlib.crc32(vectors[begin : begin + rows].tobytes(), check)
    return check.to_bytes(_CHECK_BYTES, "little")
