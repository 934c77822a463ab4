"""Texts that were extracted from files, kept on disk: by content, so that none is ever stale."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.text.loading.reading import Extracted
from chunkscope.text.origin import Origin, Part

_FORMAT = 1
_ENDING = ".json"
_UNFINISHED = ".new-"
_ABANDONED_SECONDS = 3600
"""Age from which a file that is not whole was left by a process that is gone."""


def default_extractions_path() -> Path:
    """The folder in the user's cache folder (`XDG_CACHE_HOME` on Linux)."""
    from platformdirs import user_cache_path

    return user_cache_path("chunkscope") / "extractions"


def default_extractions() -> "ExtractionCache":
    """The cache in the user's cache folder."""
    return ExtractionCache(default_extractions_path())


def extraction_key(data: bytes, extractor: str, options: Mapping[str, Any]) -> str:
    """What a text is kept under: the file's bytes, the extractor with its version, its options."""
    described = json.dumps([_FORMAT, extractor, dict(sorted(options.items()))])
    digest = hashlib.sha256(described.encode("ascii"))
    digest.update(b"\0")
    digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


@dataclass(frozen=True)
class HeldExtractions:
    """How many texts are kept, and their bytes on disk."""

    entries: int
    size: int


class ExtractionCache:
    """Extracted texts in a folder, one file each.

    A file is written whole or not at all, and read only where its checksum is right: processes may
    share a folder and be ended at any time. What cannot be kept is made anew the next time.

    Attributes:
        folder: made when the first text is kept; only its owner may read it.
    """

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._now = now

    def get(self, key: str) -> Extracted | None:
        """The text kept under a key; None where there is none, or a damaged one."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        mark, _, content = data.partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode("ascii") != mark:
            return None
        extracted = _from_json(content)
        if extracted is not None:
            # What is used stays longest; it matters to nothing else.
            with suppress(OSError):
                os.utime(path, (self._now(), self._now()))
        return extracted

    def put(self, key: str, extracted: Extracted) -> None:
        """Keep a text, unless it is secret; a folder that cannot be written is left as it is."""
        if extracted.secret:
            return
        content = _to_json(extracted)
        mark = hashlib.sha256(content).hexdigest().encode("ascii")
        unfinished = ""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, unfinished = tempfile.mkstemp(prefix=_UNFINISHED, dir=self.folder)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(mark + b"\n" + content)
            Path(unfinished).replace(self._path(key))
        except OSError:
            if unfinished:
                with suppress(OSError):
                    Path(unfinished).unlink()

    def held(self) -> HeldExtractions:
        """What is kept now."""
        sizes = [size for _, size, _ in self._files(_ENDING)]
        return HeldExtractions(len(sizes), sum(sizes))

    def prune(self, size: int) -> int:
        """Drop the texts longest unused until the others take at most `size` bytes; how many."""
        for path, _, changed in self._files(""):
            if path.name.startswith(_UNFINISHED) and changed < self._now() - _ABANDONED_SECONDS:
                with suppress(OSError):
                    path.unlink()
        files = sorted(self._files(_ENDING), key=lambda file: (file[2], file[0]))
        total = sum(file[1] for file in files)
        dropped = 0
        for path, taken, _ in files:
            if total <= size:
                break
            with suppress(OSError):
                path.unlink()
                dropped += 1
            total -= taken
        return dropped

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_ENDING}"

    def _files(self, ending: str) -> list[tuple[Path, int, float]]:
        """Path, size and last use of each file; one that vanishes meanwhile is left out."""
        found = []
        with suppress(OSError), os.scandir(self.folder) as listing:
            for entry in listing:
                if not entry.name.endswith(ending):
                    continue
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((Path(entry.path), status.st_size, status.st_mtime))
        return found


def _to_json(extracted: Extracted) -> bytes:
    origin = extracted.origin
    value = {
        "text": extracted.text,
        "notes": extracted.notes,
        "origin": origin
        and {
            "format": origin.format,
            "parts": [[part.name, part.start, part.end] for part in origin.parts],
            "pieces": origin.pieces,
            "headings": origin.headings,
        },
    }
    return json.dumps(value, ensure_ascii=True).encode("ascii")


def _from_json(content: bytes) -> Extracted | None:
    """What `_to_json` wrote; None for anything else."""
    try:
        value = json.loads(content)
        origin = value["origin"]
        return Extracted(
            value["text"],
            origin
            and Origin(
                origin["format"],
                tuple(Part(name, start, end) for name, start, end in origin["parts"]),
                tuple((place, source) for place, source in origin["pieces"]),
                tuple(
                    (level, title, start, end) for level, title, start, end in origin["headings"]
                ),
            ),
            tuple(value["notes"]),
        )
    except (ValueError, TypeError, KeyError):
        return None
