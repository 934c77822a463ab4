"""Run in a process of its own: a file on stdin to Markdown on stdout, by markitdown.

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


def main() -> None:
    """Convert; prints `{"text"}` or `{"error"}`."""
    ending = sys.argv[1]
    data = sys.stdin.buffer.read()
    _limit()
    socket.socket.connect = _offline  # type: ignore[method-assign]
    socket.getaddrinfo = _offline
    answer: dict[str, Any]
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            from markitdown import MarkItDown, StreamInfo

            converted = MarkItDown(enable_plugins=False).convert_stream(
                io.BytesIO(data), stream_info=StreamInfo(extension=f".{ending}")
            )
        answer = {"text": converted.markdown}
    except ImportError as error:
        answer = {"error": str(error)[:_SHOWN], "missing": True}
    except Exception as error:  # noqa: BLE001 - whatever a converter raises is the file's reason
        first = str(error).strip().split("\n", 1)[0]
        answer = {"error": f"{type(error).__name__}: {first}"[:_SHOWN]}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
