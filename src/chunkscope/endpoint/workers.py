"""Several jobs at once, in threads that never keep the process from ending."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_jobs(
    take: Callable[[], Job | None], work: Callable[[Job], Result], workers: int
) -> Iterator[tuple[Job, Result]]:
    """Each job with its result, as they come; the first exception of a job is raised here.

    Left early, jobs under way are let go of, not waited for.

    Args:
        take: gives the next job when a thread is free; None: none for now. It is asked again
            after each result, and when it has none while nothing is under way, that is the end.
        work: done in a thread.
        workers: most jobs at once.
    """
    waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Job, Result | None, BaseException | None]] = queue.SimpleQueue()

    def serve() -> None:
        while (job := waiting.get()) is not None:
            try:
                done.put((job, work(job), None))
            except BaseException as error:  # noqa: BLE001 - it is raised where the jobs come from
                done.put((job, None, error))

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    running = 0
    try:
        while True:
            while running < workers:
                job = take()
                if job is None:
                    break
                waiting.put(job)
                running += 1
            if not running:
                return
            # With a time-out, so that Ctrl-C is noticed on every system.
            try:
                finished, result, error = done.get(timeout=0.5)
            except queue.Empty:
                continue
            running -= 1
            if error is not None:
                raise error
            yield finished, cast(Result, result)
    finally:
        for _ in threads:
            waiting.put(None)


class _Stop(CancelToken):
    """Raised by itself, or with another."""

    def __init__(self, other: CancelToken | None) -> None:
        super().__init__()
        self._other = other

    @property
    def cancelled(self) -> bool:
        return super().cancelled or (self._other is not None and self._other.cancelled)

    def check(self) -> None:
        if self.cancelled:
            raise CancelledError


def run_all(
    take: Callable[[], Job | None],
    work: Callable[[Job, CancelToken], Result],
    workers: int,
    cancel: CancelToken | None = None,
) -> Iterator[tuple[Job, Result]]:
    """Each job with its result, as they come; when one fails, those under way are waited for.

    So no result that came is lost: the first failure is raised after all others were given, and
    no job is begun after it.

    Args:
        take: gives the next job, as for `run_jobs`.
        work: done in a thread; its token is raised when a job failed or `cancel` was raised, and
            ends what only waits.
        workers: most jobs at once.
        cancel: raised, no further job is begun.

    Raises:
        ChunkscopeError: the first that `work` raised.
        CancelledError: when `cancel` was raised meanwhile.
    """
    stop = _Stop(cancel)
    failures: list[ChunkscopeError | CancelledError] = []

    def take_on() -> Job | None:
        return None if stop.cancelled else take()

    def attempt(job: Job) -> tuple[Result | None, ChunkscopeError | CancelledError | None]:
        try:
            return work(job, stop), None
        except (ChunkscopeError, CancelledError) as error:
            stop.cancel()
            return None, error

    for job, (result, failure) in run_jobs(take_on, attempt, workers):
        if failure is None:
            yield job, cast(Result, result)
        else:
            failures.append(failure)
    # Those that only waited were called off by the one that failed.
    for failure in failures:
        if isinstance(failure, ChunkscopeError):
            raise failure
    if failures:
        raise failures[0]
    if cancel is not None:
        cancel.check()
