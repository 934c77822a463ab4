"""Work that looks at no token itself, and yet stops holding up who waits for it."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

from chunkscope.cancel import CancelToken

_Value = TypeVar("_Value")
_LOOK_SECONDS = 0.05


def watched(work: Callable[[], _Value], cancel: CancelToken) -> _Value:
    """What `work` gives, done in a thread of its own; what it raises is raised.

    Raises:
        CancelledError: when `cancel` was raised meanwhile. The thread is left to itself: it goes
            on until `work` ends, and keeps no program from ending.
    """
    done: Future[_Value] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised by who waits
            done.set_exception(error)

    Thread(target=run, name="watched", daemon=True).start()
    while True:
        try:
            return done.result(timeout=_LOOK_SECONDS)
        except TimeoutError:
            if done.done():
                return done.result()
            cancel.check()
