"""Worker processes that keep what they work on, and answer one task after another."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from chunkscope.cancel import CancelToken
from chunkscope.errors import ChunkscopeError

Resident = TypeVar("Resident")
Task = TypeVar("Task")
Answer = TypeVar("Answer")

_POLL_SECONDS = 0.05
_MOST_WORKERS = 8


class WorkerLostError(ChunkscopeError):
    """A worker process ended before it answered, most often for want of memory."""


@dataclass(frozen=True)
class _Failure:
    error: ChunkscopeError


def sensible_workers(work: int) -> int:
    """How many processes `work` (characters to be read, all in all) is worth.

    One means: in this process. Processes that are started afresh begin with nothing, and cost
    about as much as a small sweep; forked ones are cheap.
    """
    if work < (_WORTH_A_FORK if may_fork() else _WORTH_A_START):
        return 1
    return max(1, min(_cores(), _MOST_WORKERS))


_WORTH_A_FORK = 20_000_000
_WORTH_A_START = 150_000_000


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def may_fork() -> bool:
    """Only from the main thread, where nobody else is in the middle of something."""
    main = threading.current_thread() is threading.main_thread()
    return main and sys.platform == "linux"


class WorkerPool(Generic[Resident, Task, Answer]):
    """Processes that share out tasks; a context manager.

    Where it may, it forks: workers then see what they work on as it stands, without a copy.
    Elsewhere they are started afresh, and get it once.
    """

    def __init__(
        self,
        resident: Resident,
        workers: int,
        answer: Callable[[Resident, Task], Answer],
    ) -> None:
        """Start the processes.

        Args:
            resident: what tasks are answered from; pickled where processes cannot be forked.
            workers: how many processes.
            answer: the work, a function of a module; raises only what can be pickled.
        """
        forks = may_fork()
        context = multiprocessing.get_context("fork" if forks else "spawn")
        self._connections: list[Connection] = []
        self._processes: list[multiprocessing.process.BaseProcess] = []
        for _ in range(workers):
            ours, theirs = context.Pipe()
            # A forked process has our ends of the pipes too, and would wait for itself for ever
            # once we are gone.
            inherited = (*self._connections, ours) if forks else ()
            process = context.Process(  # type: ignore[attr-defined]
                target=_work, args=(theirs, inherited, resident, answer), daemon=True
            )
            _start(process)
            theirs.close()
            self._connections.append(ours)
            self._processes.append(process)

    def __enter__(self) -> "WorkerPool[Resident, Task, Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes at once, whatever they are doing."""
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def answers(
        self, tasks: Sequence[Task], cancel: CancelToken | None = None
    ) -> Iterator[tuple[int, Answer]]:
        """(number of the task, answer), as they come.

        Raises:
            ChunkscopeError: what a task raised.
            WorkerLostError: when a process ended.
            CancelledError: when `cancel` was raised meanwhile.
        """
        waiting = deque(enumerate(tasks))
        busy: dict[Connection, int] = {}
        for connection in self._connections:
            self._give(connection, waiting, busy)
        while busy:
            if cancel is not None:
                cancel.check()
            ready = wait(list(busy), timeout=_POLL_SECONDS)
            for connection in [one for one in busy if one in ready]:
                number = busy.pop(connection)
                try:
                    answer = connection.recv()
                except EOFError:
                    raise WorkerLostError(
                        "sweep: a worker process ended unexpectedly, most often for want of "
                        "memory; try fewer sizes or a sample"
                    ) from None
                if isinstance(answer, _Failure):
                    raise answer.error
                self._give(connection, waiting, busy)
                yield number, answer

    def _give(
        self,
        connection: Connection,
        waiting: deque[tuple[int, Task]],
        busy: dict[Connection, int],
    ) -> None:
        if waiting:
            number, task = waiting.popleft()
            connection.send(task)
            busy[connection] = number


def _start(process: multiprocessing.process.BaseProcess) -> None:
    """Start a process.

    Raises:
        WorkerLostError: when the system gives none.
    """
    try:
        # The number of the error stream is handed on; what a screen puts in its place has none.
        with redirect_stderr(sys.__stderr__):
            process.start()
    except OSError as error:
        raise WorkerLostError(
            f"sweep: no worker process could be started ({error.strerror}); close other programs, "
            "or try fewer sizes or a sample"
        ) from None


def _work(
    connection: Connection,
    inherited: Sequence[Connection],
    resident: Resident,
    answer: Callable[[Resident, Task], Answer],
) -> None:
    """One worker's life: until the other end of its pipe closes."""
    # Ctrl-C is the parent's to answer; it ends the workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in inherited:
        other.close()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        try:
            result: object = answer(resident, task)
        except ChunkscopeError as error:
            result = _Failure(error)
        try:
            connection.send(result)
        except OSError:
            return
