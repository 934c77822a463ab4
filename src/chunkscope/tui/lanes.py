"""Threads that work one job after the other and never hold up the end of the program."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_Job = tuple[Future[Any], Callable[[], Any]]


class Lane(Executor):
    """One daemon thread, started with the first job.

    `concurrent.futures` joins its threads when the interpreter ends, so that leaving the
    inspector would wait for the running job; this executor does not.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue a job behind the others."""
        future: Future[T] = Future()
        self._jobs.put((future, lambda: fn(*args, **kwargs)))
        if self._thread is None:
            self._thread = Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no further jobs; the running one is left to itself."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, call = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - the future carries it to who waits
                future.set_exception(error)
            else:
                future.set_result(result)


class Inline(Executor):
    """Runs each job where it is submitted; for tests that want no threads."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the job now."""
        future: Future[T] = Future()
        try:
            result = fn(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - the future carries it to who waits
            future.set_exception(error)
        else:
            future.set_result(result)
        return future
