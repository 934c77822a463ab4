"""What a run has done so far, a line each, on disk before the next begins."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from chunkscope.errors import InputError


class Checkpoint:
    """Outcomes by passage number; appended and synced one by one.

    The first line holds the settings. A last line that was not written whole is dropped.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        """Open or begin the file.

        Raises:
            InputError: when it belongs to other settings, or cannot be read or written.
        """
        self.path = path
        self.outcomes: dict[int, dict[str, Any]] = {}
        self._stream: BinaryIO | None = None
        try:
            known = b"" if restart or not path.exists() else path.read_bytes()
            whole = known[: known.rfind(b"\n") + 1]
            if whole:
                self._take(whole.decode("utf-8"), settings)
            stream = path.open("r+b") if whole else path.open("wb")
            self._stream = stream
            stream.seek(len(whole))
            stream.truncate()
            if not whole:
                self._append(settings)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be used ({error.strerror}); give another --out"
            ) from None
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{path}: not a record of a run; remove it, or give --restart"
            ) from None

    def _take(self, text: str, settings: Mapping[str, Any]) -> None:
        header, *lines = [json.loads(line) for line in text.split("\n") if line]
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
        """Append one outcome; when this returns, it is on disk."""
        self._append(outcome)
        self.outcomes[int(outcome["passage"])] = outcome

    def _append(self, value: Mapping[str, Any]) -> None:
        if self._stream is None:
            raise InputError(f"{self.path}: is closed")
        try:
            self._stream.write(json.dumps(value, ensure_ascii=True).encode("ascii") + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror}); check the space "
                             "left, and run again") from None  # fmt: skip

    def close(self) -> None:
        """Let go of the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def remove(self) -> None:
        """Delete the file: what it was for is done."""
        self.close()
        self.path.unlink(missing_ok=True)
