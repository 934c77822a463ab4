"""Ctrl-C during long work: the first one asks it to stop, the second one ends the program."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from chunkscope.cancel import CancelToken


@contextmanager
def cancelled_by_ctrl_c(token: CancelToken) -> Iterator[None]:
    """Within it, Ctrl-C raises `token` instead of `KeyboardInterrupt`; a second one does both."""

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        token.cancel()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
