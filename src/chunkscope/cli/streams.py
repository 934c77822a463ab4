"""stdin, stdout and stderr, whatever they are connected to: a pipe, a full disk, nothing."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from chunkscope.errors import InputError


def prepare_streams() -> None:
    """Closed streams become the null device, and what an encoding lacks is escaped."""
    for name in ("stdin", "stdout", "stderr"):
        # In the order of their numbers: each null device takes the lowest one that is free.
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - kept open
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


@contextmanager
def to_stdout() -> Iterator[None]:
    """Within it data is written to stdout, which is flushed at the end.

    When whoever read it has gone, the rest is dropped without an error: a command's exit code
    is its own, however much of its output was read.

    Raises:
        InputError: when stdout cannot be written.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        raise InputError(
            f"standard output: cannot be written ({error.strerror or error}); "
            "check where it leads and the space left"
        ) from None


def write_out(text: str) -> bool:
    """Write data to stdout at once; whether somebody still reads it.

    Raises:
        InputError: when stdout cannot be written.
    """
    gone = True
    with to_stdout():
        sys.stdout.write(text)
        sys.stdout.flush()
        gone = False
    return not gone


def _drop_stdout() -> None:
    """Let the null device take what is still buffered, and all that follows."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, sys.stdout.fileno())
    finally:
        os.close(sink)
