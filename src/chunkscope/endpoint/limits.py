"""How many requests begin when, and how long to wait before another try."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from chunkscope.cancel import CancelToken

Clock = Callable[[], float]
Sleep = Callable[[float], None]

_MINUTE = 60.0
_FIRST_WAIT = 0.5
LONGEST_WAIT = 60.0
_SLICE = 0.1


@dataclass
class Pace:
    """Lets requests begin: so many a minute, so many tokens a minute; shared by threads.

    Attributes:
        requests_per_minute: 0: no limit.
        tokens_per_minute: 0: no limit.
        clock: seconds.
        sleep: waits so many seconds.
    """

    requests_per_minute: int
    tokens_per_minute: int = 0
    clock: Clock = time.monotonic
    sleep: Sleep = time.sleep
    _begun: deque[tuple[float, int]] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, cancel: CancelToken | None = None, tokens: int = 0) -> None:
        """Return when one more request, of so many tokens, may begin.

        One of more tokens than a minute has begins when no other did for a minute.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        while True:
            with self._lock:
                now = self.clock()
                while self._begun and self._begun[0][0] <= now - _MINUTE:
                    self._begun.popleft()
                if not self._begun or self._has_room(tokens):
                    self._begun.append((now, tokens))
                    return
                until = self._begun[0][0] + _MINUTE - now
            pause(until, self.sleep, cancel)

    def _has_room(self, tokens: int) -> bool:
        if self.requests_per_minute and len(self._begun) >= self.requests_per_minute:
            return False
        sent = sum(begun for _, begun in self._begun) + tokens
        return not self.tokens_per_minute or sent <= self.tokens_per_minute


def backoff(tries: int, asked: float | None, chance: random.Random) -> float:
    """Seconds to wait after so many failed tries: doubling, a part of it at random.

    What the endpoint asks for is kept to, up to `LONGEST_WAIT`.
    """
    own = min(LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(tries - 1, 10))
    own *= 0.5 + 0.5 * chance.random()
    return own if asked is None else min(LONGEST_WAIT, max(own, asked))


def pause(seconds: float, sleep: Sleep, cancel: CancelToken | None) -> None:
    """Wait in slices, so that a raised `cancel` ends it soon.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    if cancel is None:
        sleep(seconds)
        return
    cancel.check()
    while seconds > 0:
        sleep(min(_SLICE, seconds))
        seconds -= _SLICE
        cancel.check()
