"""What a run has done so far, a line each, on disk before the next begins."""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError
from chunkscope.golden.lock import holding

_BINARY = getattr(os, "O_BINARY", 0)


class Checkpoint:
    """Outcomes by passage number; appended and synced one by one, by one process at a time.

    The first line holds the settings. A last line that was not written whole is dropped.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        """Open or begin the file.

        Raises:
            InputError: when it belongs to other settings, is in use by another process, or cannot
                be read or written.
        """
        self.path = path
        self.outcomes: dict[int, dict[str, Any]] = {}
        self._descriptor: int | None = None
        self._size = 0
        self._held = ExitStack()
        self._held.enter_context(holding(path, seconds=0))
        try:
            self._open(settings, restart)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise InputError(
                    f"{path}: cannot be used ({error.strerror}); give another --out"
                ) from None
            if isinstance(error, ValueError | KeyError | TypeError):
                raise InputError(
                    f"{path}: not a record of a run; remove it, or give --restart"
                ) from None
            raise

    def _open(self, settings: Mapping[str, Any], restart: bool) -> None:
        path = self.path
        known = b"" if restart or not path.exists() else path.read_bytes()
        whole = known[: known.rfind(b"\n") + 1]
        if whole:
            self._take(whole.decode("utf-8"), settings)
        elif known and not json.dumps(settings).encode("ascii").startswith(known):
            raise ValueError("a line that is no beginning of ours")
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666)
        self._size = len(whole)
        self._cut(self._descriptor)
        if not whole:
            self._append(settings)

    def _take(self, text: str, settings: Mapping[str, Any]) -> None:
        header, *lines = [json.loads(line) for line in text.split("\n") if line]
        if not isinstance(header, dict):
            raise TypeError("settings are an object")
        if header != json.loads(json.dumps(settings)):
            differing = sorted(
                key for key in {*header, *settings} if header.get(key) != settings.get(key)
            )
            raise InputError(
                f"{self.path}: was begun with another {', '.join(differing)}; run with the same, "
                "or give --restart to begin anew"
            )
        for line in lines:
            self.outcomes[int(line["passage"])] = line

    def add(self, outcome: dict[str, Any]) -> None:
        """Append one outcome; when this returns, it is on disk.

        Raises:
            InputError: when it cannot be written; the lines before it stand.
        """
        self._append(outcome)
        self.outcomes[int(outcome["passage"])] = outcome

    def _append(self, value: Mapping[str, Any]) -> None:
        descriptor = self._descriptor
        if descriptor is None:
            raise InputError(f"{self.path}: is closed")
        line = json.dumps(value, ensure_ascii=True).encode("ascii") + b"\n"
        try:
            left = memoryview(line)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        except OSError as error:
            # A part of a line must not stand before the next one.
            with suppress(OSError):
                self._cut(descriptor)
            raise InputError(
                f"{self.path}: cannot be written ({error.strerror}); check the space left, and "
                "run again"
            ) from None
        self._size += len(line)

    def _cut(self, descriptor: int) -> None:
        os.ftruncate(descriptor, self._size)
        os.lseek(descriptor, self._size, os.SEEK_SET)

    def close(self) -> None:
        """Let go of the file."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)
        self._held.close()

    def remove(self) -> None:
        """Delete the file: what it was for is done."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
        # Still held: nobody else begins what is removed here.
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self._held.close()
