"""What the fault tests share: children that are killed, and calls of the system that fail.

`python -m pytest tests/faults` runs them all, and says at its end how many faults it injected.
`CHUNKSCOPE_KILLS=10` makes every loop of kills ten times as long; `CHUNKSCOPE_SEED=7` moves the
moments.
"""

import errno
import os
import random
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

FAULTS: Counter[str] = Counter()

Report = Callable[[int], None]
Work = Callable[[Report], object]


@dataclass(frozen=True)
class Ended:
    """How a child ended.

    Attributes:
        killed: whether it was killed; else it had done all its work.
        reported: the numbers it had reported.
    """

    killed: bool
    reported: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last number reported, -1 for none."""
        return self.reported[-1] if self.reported else -1


@dataclass
class Child:
    """A forked process that does some work and reports what is done."""

    process: int
    pipe: int
    data: bytes = b""
    open: bool = True

    def read(self) -> bool:
        """Take what was reported; False once there is nothing more to come."""
        piece = os.read(self.pipe, 65536)
        self.data += piece
        self.open = bool(piece)
        return self.open

    def wait_for(self, reports: int, seconds: float) -> None:
        """Until so many reports came, and so much longer."""
        while self.open and self.data.count(b"\n") < reports:
            self.read()
        end = time.perf_counter() + seconds
        while self.open and (left := end - time.perf_counter()) > 0:
            if select.select([self.pipe], [], [], left)[0]:
                self.read()

    def kill(self) -> Ended:
        """Kill it, wherever it is."""
        os.kill(self.process, signal.SIGKILL)
        return self.ended()

    def ended(self) -> Ended:
        """Wait for its end."""
        while self.open:
            self.read()
        os.close(self.pipe)
        status = os.waitpid(self.process, 0)[1]
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert killed or os.waitstatus_to_exitcode(status) == 0, "the child failed: see stderr"
        whole = self.data[: self.data.rfind(b"\n") + 1]
        return Ended(killed, tuple(map(int, whole.split())))


@dataclass
class Killer:
    """Starts children and kills them at random moments.

    Attributes:
        chance: where the moments come from.
        times: by how much loops are longer than usual.
    """

    chance: random.Random
    times: int = 1

    def start(self, work: Work) -> Child:
        """A forked child that does `work`."""
        inner, outer = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(inner)
            code = 70
            try:
                work(lambda number: (os.write(outer, b"%d\n" % number), None)[1])
                code = 0
            except BaseException:  # noqa: BLE001 - the parent tells of it
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(code)
        os.close(outer)
        return Child(process, inner)

    def killed(self, work: Work, most: int, seconds: float = 0.003) -> Ended:
        """The child, killed up to `most` reports and `seconds` after its start."""
        child = self.start(work)
        child.wait_for(self.chance.randrange(most + 1), self.chance.random() * seconds)
        ended = child.kill()
        FAULTS["kills"] += ended.killed
        return ended


@pytest.fixture
def killer(request: pytest.FixtureRequest) -> Killer:
    if not hasattr(os, "fork"):
        pytest.skip("this system forks no processes")
    seed = os.environ.get("CHUNKSCOPE_SEED", "0")
    chance = random.Random(f"{seed} {request.node.name}")
    return Killer(chance, int(os.environ.get("CHUNKSCOPE_KILLS", "1")))


@dataclass
class Failing:
    """Stand-ins for calls of the system, of which the n-th fails.

    Attributes:
        fail_at: number of the call that fails, from 1; 0: none.
        code: the error it fails with.
        calls: names of the calls made so far.
    """

    fail_at: int = 0
    code: int = errno.ENOSPC
    calls: list[str] = field(default_factory=list)

    def patch(self, patched: pytest.MonkeyPatch) -> None:
        """Put the stand-ins into `os`."""
        for name in ("open", "write", "fsync", "replace", "unlink", "chmod", "ftruncate", "mkdir"):
            patched.setattr(os, name, self._stand_in(name, getattr(os, name)))

    def _stand_in(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) == self.fail_at:
                FAULTS["failing calls"] += 1
                if name == "write" and len(arguments[1]) > 1:
                    # A disk that fills up takes a part first.
                    real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                raise OSError(self.code, os.strerror(self.code))
            return real(*arguments, **named)

        return call


def nothing() -> None:
    pass


@pytest.fixture
def each_failure() -> Callable[..., Iterator[tuple[str, object]]]:
    """Runs an action again and again, its first, second … call of the system failing.

    Gives the name of the call that failed and what came of the action (an exception, or what it
    returned), until no call is left to fail. Before each run, without faults, comes `prepare`.
    """

    def run(
        code: int, action: Callable[[], object], prepare: Callable[[], object] = nothing
    ) -> Iterator[tuple[str, object]]:
        number = 0
        while True:
            number += 1
            prepare()
            failing = Failing(number, code)
            outcome: object
            with pytest.MonkeyPatch.context() as patched:
                failing.patch(patched)
                try:
                    outcome = action()
                except Exception as error:  # noqa: BLE001 - judged by the test
                    outcome = error
            if len(failing.calls) < number:
                return
            yield failing.calls[number - 1], outcome

    return run


@pytest.fixture
def in_child(killer: Killer) -> Callable[[Callable[[], object]], None]:
    """Does something in a forked process, whose limits and user may be changed."""

    def run(work: Callable[[], object]) -> None:
        ended = killer.start(lambda _report: work()).ended()
        assert not ended.killed

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if FAULTS:
        said = ", ".join(f"{count} {name}" for name, count in sorted(FAULTS.items()))
        terminalreporter.write_line(f"faults injected: {said}")
