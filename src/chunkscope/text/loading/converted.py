"""Presentations and e-books as markitdown converts them to Markdown; workbooks row by row.

A workbook is read by openpyxl, so that each row has the number that its sheet shows.
"""

import importlib.util
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.packed import check_part
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.markdown import markdown_headings
from chunkscope.text.origin import Origin, Part

NAMES = {"pptx": "a presentation", "xlsx": "a workbook", "epub": "an EPUB"}
"""What each format is called, by its usual ending."""

PACKAGES = {"pptx": "markitdown", "xlsx": "openpyxl", "epub": "markitdown"}
"""What reads each of them."""

_MISSING = {
    "pptx": "pip install 'chunkscope[markitdown]' reads it, or save it as PDF",
    "xlsx": "pip install 'chunkscope[xlsx]' reads it, or save its sheets as CSV",
    "epub": "pip install 'chunkscope[markitdown]' reads it",
}

MAX_BYTES = 500_000_000
"""Unpacked bytes of a whole archive beyond which it is refused."""

MAX_PARTS = 50_000
SECONDS = 120.0
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
    """The text of a file of one of the formats in `NAMES`, with slides, rows or sections as parts.

    Presentations and e-books are Markdown; of a workbook each sheet is its name, then a line a row,
    cells parted by tabs, blank rows left out.

    Raises:
        DecodeError: the package that reads it is not installed or cannot, or it takes more memory
            or time than it may.
        CancelledError: when `cancel` was raised meanwhile.
    """
    name = NAMES[kind]
    version = package_version(PACKAGES[kind])
    if version is None:
        raise DecodeError(f"{name}: {_MISSING[kind]}")
    check_archive(data)
    until = now() + seconds
    answer = _convert(data, kind, worker, lambda: now() > until, cancel)
    how = f"{name} read by {PACKAGES[kind]} {version}: offsets refer to the extracted text"
    if kind == "xlsx":
        text, origin = _workbook(answer.get("sheets", []))
        notes: tuple[str, ...] = (how, "formulas are their saved values")
    else:
        text = str(answer.get("text", ""))
        headings = tuple(markdown_headings(text))
        slides = answer.get("slides")
        parts = _slides(text, slides) if kind == "pptx" else _sections(text, headings)
        origin = Origin(kind.upper(), tuple(parts), headings=headings)
        notes = (how,)
    if not text.strip():
        raise DecodeError(f"{name} without text")
    return Extracted(text, origin, notes)


def package_version(package: str) -> str | None:
    """The version of a package; None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package) if importlib.util.find_spec(package) else None
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
) -> dict[str, Any]:
    name = NAMES[kind]
    # From a file, as what is left of a pipe is not written once the first wait is over.
    with tempfile.TemporaryFile() as given:
        given.write(data)
        given.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-I", str(worker), kind],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    try:
        while True:
            try:
                out, _ = process.communicate(timeout=_POLL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                if cancel is not None:
                    cancel.check()
                if expired():
                    raise DecodeError(f"{name} that takes too long to convert") from None
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return _answer(out, kind)


def _answer(out: bytes, kind: str) -> dict[str, Any]:
    name = NAMES[kind]
    try:
        answer: dict[str, Any] = json.loads(out)
    except ValueError:
        raise DecodeError(f"{name} that takes too much memory or time to convert") from None
    if answer.get("missing") or "MissingDependency" in answer.get("error", ""):
        raise DecodeError(f"{name}: {_MISSING[kind]}")
    if "error" in answer:
        said = " ".join(visible(answer["error"]).split())
        raise DecodeError(f"{name} that {PACKAGES[kind]} cannot read: {said}")
    return answer


def _slides(text: str, count: int | None) -> list[Part]:
    """The slides, by the comment before each; none where these are not 1, 2, 3 and so on.

    `count` is how many slides there are, where that is known: a slide may hold such a comment.
    """
    marks = list(_SLIDE.finditer(text))
    wanted = len(marks) if count is None else count
    if [int(mark[1]) for mark in marks] != list(range(1, wanted + 1)):
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        Part(f"slide {number}", mark.start(), end)
        for number, (mark, end) in enumerate(zip(marks, ends, strict=True), 1)
    ]


def _workbook(sheets: list[tuple[str, list[tuple[int, list[str]]]]]) -> tuple[str, Origin]:
    """The text of sheets and their rows, with each row as a part and each name as a heading."""
    lines: list[str] = []
    parts: list[Part] = []
    headings: list[tuple[int, str, int, int]] = []
    at = 0

    def add(line: str, part: str) -> None:
        nonlocal at
        lines.append(line)
        parts.append(Part(part, at, at + len(line)))
        at += len(line) + 1

    for name, rows in sheets:
        if not rows:
            continue
        if lines:
            lines.append("")
            at += 1
        title = " ".join(name.split())
        headings.append((1, title, at, at + len(title)))
        add(title, f"sheet {name!r}")
        for number, cells in rows:
            add("\t".join(cells), f"sheet {name!r}, row {number}")
    return "\n".join(lines), Origin("XLSX", tuple(parts), headings=tuple(headings))


def _sections(text: str, headings: tuple[tuple[int, str, int, int], ...]) -> list[Part]:
    """What stands from each heading of the highest level to the next."""
    if not headings:
        return []
    highest = min(level for level, *_ in headings)
    tops = [(title, start) for level, title, start, _ in headings if level == highest]
    ends = [*(start for _, start in tops[1:]), len(text)]
    return [
        Part(f"section {title!r}", start, end)
        for (title, start), end in zip(tops, ends, strict=True)
    ]
