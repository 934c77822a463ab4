"""Run in a process of its own: a file on stdin to JSON on stdout, by markitdown or openpyxl.

It imports nothing of chunkscope, so that it starts isolated; it reaches no network, and a file
that asks for too much memory or time ends this process alone.
"""

import io
import json
import socket
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import Any, NoReturn

MEMORY_BYTES = 4_000_000_000
CPU_SECONDS = 120
_SHOWN = 200


def _offline(*_: object, **__: object) -> NoReturn:
    raise OSError("no network while a file is converted")


def _limit() -> None:
    try:
        import resource
    except ImportError:
        # Not on this system; the time limit of the caller still holds.
        return
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def _markdown(data: bytes, ending: str) -> dict[str, Any]:
    from markitdown import MarkItDown, StreamInfo

    converted = MarkItDown(enable_plugins=False).convert_stream(
        io.BytesIO(data), stream_info=StreamInfo(extension=f".{ending}")
    )
    answer: dict[str, Any] = {"text": converted.markdown}
    if ending == "pptx":
        from pptx import Presentation

        # The text of a slide may look like the mark before one.
        answer["slides"] = len(Presentation(io.BytesIO(data)).slides)
    return answer


def _workbook(data: bytes) -> dict[str, Any]:
    """Each sheet's name, and number and cells of its rows that are not blank."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheets = []
    for sheet in book.worksheets:
        # What a file says of a sheet's size may be wrong.
        sheet.reset_dimensions()
        rows = []
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            cells = [_shown(value) for value in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                rows.append([number, cells])
        sheets.append([sheet.title, rows])
    return {"sheets": sheets}


def _shown(value: object) -> str:
    """A cell's value on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).removesuffix(" 00:00:00").split())


def main() -> None:
    """Convert; prints `{"text"}` (of presentations also `slides`), `{"sheets"}` or `{"error"}`."""
    ending = sys.argv[1]
    data = sys.stdin.buffer.read()
    _limit()
    socket.socket.connect = _offline  # type: ignore[method-assign]
    socket.getaddrinfo = _offline
    answer: dict[str, Any]
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            answer = _workbook(data) if ending == "xlsx" else _markdown(data, ending)
    except ImportError as error:
        answer = {"error": str(error)[:_SHOWN], "missing": True}
    except Exception as error:  # noqa: BLE001 - whatever a converter raises is the file's reason
        first = str(error).strip().split("\n", 1)[0]
        answer = {"error": f"{type(error).__name__}: {first}"[:_SHOWN]}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
