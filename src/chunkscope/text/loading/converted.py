"""Presentations, workbooks and e-books, as markitdown converts them to Markdown."""

import importlib.util
import io
import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.lines import LineIndex
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.packed import check_part
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.markdown import markdown_headings
from chunkscope.text.origin import Origin, Part

NAMES = {"pptx": "a presentation", "xlsx": "a workbook", "epub": "an EPUB"}
"""What each format is called, by its usual ending."""

_MISSING = "pip install 'chunkscope[markitdown]' reads it"
_INSTEAD = {
    "pptx": f"{_MISSING}, or save it as PDF",
    "xlsx": f"{_MISSING}, or save its sheets as CSV",
    "epub": _MISSING,
}

MAX_BYTES = 500_000_000
"""Unpacked bytes of a whole archive beyond which it is refused."""

MAX_PARTS = 50_000
SECONDS = 60.0
"""Time that one file may take."""

_POLL_SECONDS = 0.1
_SLIDE = re.compile(r"^<!-- Slide number: ([0-9]+) -->$", re.MULTILINE)
_WORKER = Path(__file__).with_name("convert_worker.py")


def extract_converted(
    data: bytes,
    kind: str,
    *,
    cancel: CancelToken | None = None,
    worker: Path = _WORKER,
    seconds: float = SECONDS,
    now: Callable[[], float] = time.monotonic,
) -> Extracted:
    """The Markdown of a file of one of the formats in `NAMES`, with slides or rows as parts.

    Raises:
        DecodeError: markitdown is not installed or cannot convert the file, or it takes more
            memory or time than it may.
        CancelledError: when `cancel` was raised meanwhile.
    """
    name = NAMES[kind]
    version = converter_version()
    if version is None:
        raise DecodeError(f"{name}: {_INSTEAD[kind]}")
    check_archive(data)
    until = now() + seconds
    text = _convert(data, kind, worker, lambda: now() > until, cancel)
    if not text.strip():
        raise DecodeError(f"{name} without text")
    note = f"{name} converted by markitdown {version}: offsets refer to the converted text"
    headings = tuple(markdown_headings(text))
    parts: list[Part] = []
    if kind == "pptx":
        parts = _slides(text)
    elif kind == "xlsx":
        parts = _rows(text)
    elif headings:
        parts = _sections(text, headings)
    return Extracted(text, Origin(kind.upper(), tuple(parts), headings=headings), (note,))


def converter_version() -> str | None:
    """The version of markitdown; None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("markitdown") if importlib.util.find_spec("markitdown") else None
    except PackageNotFoundError:
        return None


def check_archive(data: bytes) -> None:
    """Look at what an archive declares before anything is unpacked.

    Raises:
        DecodeError: when it is damaged or encrypted, or unpacks to more than is read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise DecodeError(f"a damaged or truncated zip archive: {visible(str(error))}") from error
    if len(parts) > MAX_PARTS:
        raise DecodeError(f"an archive of {len(parts):,} parts: more than is read")
    for part in parts:
        check_part(part)
    total = sum(part.file_size for part in parts)
    if total > MAX_BYTES:
        raise DecodeError(f"an archive that unpacks to {total:,} bytes: more than is read")


def _convert(
    data: bytes,
    kind: str,
    worker: Path,
    expired: Callable[[], bool],
    cancel: CancelToken | None,
) -> str:
    name = NAMES[kind]
    process = subprocess.Popen(
        [sys.executable, "-I", str(worker), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    given: bytes | None = data
    try:
        while True:
            try:
                out, _ = process.communicate(given, timeout=_POLL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                given = None
                if cancel is not None:
                    cancel.check()
                if expired():
                    raise DecodeError(f"{name} that takes too long to convert") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return _answer(out, kind)


def _answer(out: bytes, kind: str) -> str:
    name = NAMES[kind]
    try:
        answer = json.loads(out)
    except ValueError:
        raise DecodeError(f"{name} that takes too much memory or time to convert") from None
    if answer.get("missing") or "MissingDependency" in answer.get("error", ""):
        raise DecodeError(f"{name}: {_INSTEAD[kind]}")
    if "error" in answer:
        said = " ".join(visible(answer["error"]).split())
        raise DecodeError(f"{name} that markitdown cannot convert: {said}")
    text = answer["text"]
    return text if isinstance(text, str) else ""


def _slides(text: str) -> list[Part]:
    """The slides, by the comment before each; none where these are not 1, 2, 3 and so on."""
    marks = list(_SLIDE.finditer(text))
    if [int(mark[1]) for mark in marks] != list(range(1, len(marks) + 1)):
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        Part(f"slide {number}", mark.start(), end)
        for number, (mark, end) in enumerate(zip(marks, ends, strict=True), 1)
    ]


def _rows(text: str) -> list[Part]:
    """The rows of each sheet: a title, then a table whose second line parts its head off."""
    lines = LineIndex(text)
    parts: list[Part] = []
    sheet, row = "", 0
    for number in range(lines.count):
        start, end = lines.span(number)
        line = text[start:end]
        if line.startswith("## "):
            sheet, row = line.removeprefix("## "), 0
            parts.append(Part(f"sheet {sheet!r}", start, end))
        elif line.startswith("|") and sheet:
            row += 1
            if row != 2:
                parts.append(
                    Part(f"sheet {sheet!r}, row {row if row == 1 else row - 1}", start, end)
                )
    return parts


def _sections(text: str, headings: tuple[tuple[int, str, int, int], ...]) -> list[Part]:
    """What stands from each heading of the highest level to the next."""
    highest = min(level for level, *_ in headings)
    tops = [(title, start) for level, title, start, _ in headings if level == highest]
    ends = [*(start for _, start in tops[1:]), len(text)]
    return [
        Part(f"section {title!r}", start, end)
        for (title, start), end in zip(tops, ends, strict=True)
    ]
