"""Several jobs at once, in threads that never keep the process from ending."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

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
