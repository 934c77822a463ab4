"""Requests of a judging run: from the cache where they were made before, and within a cost."""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.client import Client, Reply
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.limits import Pace
from chunkscope.errors import InputError
from chunkscope.llm.judging_cache import ChatRequest, ReplyCache
from chunkscope.llm.prompts import Messages
from chunkscope.text.tokens import TokenCounter

Role = Literal["answer", "grade"]

_LOOK_SECONDS = 0.1
_FRAME_TOKENS = 16
"""What a model may count around two messages."""
_UNSURE = 2.0
"""So many times our count of tokens is put aside until the first reply says how a model counts."""


class UnaffordableError(Exception):
    """A request that could cost more in all than it may."""


class UnknownReplyError(Exception):
    """A reply that is not in the cache."""


@dataclass(frozen=True)
class Asked:
    """One model in one role.

    Attributes:
        client: how it is called.
        max_tokens: most tokens of its reply.
    """

    client: Client
    max_tokens: int


class Asking(Protocol):
    """Gives replies; `turn` 1 asks anew what turn 0 got no use of."""

    def __call__(self, role: Role, messages: Messages, turn: int) -> Reply:
        """The reply to `messages`."""
        ...


@dataclass
class Deposit:
    """What is put aside for a pair's grade while its answer is asked for.

    Attributes:
        most: tokens that the grade may take.
        held: what is put aside at the moment; None: nothing, which a free grade's 0 is not.
    """

    most: Usage
    held: float | None = None


@dataclass
class Purse:
    """What a run may cost; shared by threads.

    Attributes:
        limit: None: no limit.
        spent: what it has cost so far.
    """

    limit: float | None
    spent: float = 0.0
    _held: float = 0.0
    _holders: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def hold(
        self, *amounts: float, back: float | None = None, cancel: CancelToken | None = None
    ) -> None:
        """Put amounts aside; while others hold some that they may give back, wait for it.

        Args:
            amounts: each is to be settled by itself.
            back: what was held before, and is given back first, whether or not this can be held:
                who waits holds nothing, so that not all wait for each other.
            cancel: looked at while waiting.

        Raises:
            UnaffordableError: when they are more than what is left.
            CancelledError: when `cancel` was raised meanwhile.
        """
        with self._changed:
            if back is not None:
                self._give_back(back)
            while self.limit is not None and self.spent + self._held + sum(amounts) > self.limit:
                if not self._holders:
                    raise UnaffordableError
                self._changed.wait(_LOOK_SECONDS)
                if cancel is not None:
                    cancel.check()
            self._held += sum(amounts)
            self._holders += len(amounts)

    def settle(self, held: float, spent: float) -> None:
        """Give back what was held, and count what was spent of it."""
        with self._changed:
            self._give_back(held)
            self.spent += spent

    def _give_back(self, held: float) -> None:
        self._holders -= 1
        # What parts add up to and are taken off again need not come to nothing by itself.
        self._held = self._held - held if self._holders else 0.0
        self._changed.notify_all()


class Asker:
    """Asks the models of a run, each request once; shared by threads."""

    def __init__(
        self,
        roles: Mapping[Role, Asked],
        cache: ReplyCache,
        counter: TokenCounter,
        *,
        seed: int = 0,
        max_cost: float | None = None,
        restart: bool = False,
    ) -> None:
        """Nothing is asked yet.

        Args:
            roles: who answers and who grades.
            cache: replies of earlier runs.
            counter: counts tokens ahead, and where the endpoint does not.
            seed: sent along.
            max_cost: no request is begun that could cost more in all; None: no limit.
            restart: what the cache holds is asked again, and replaced.

        Raises:
            InputError: for a limit without prices.
        """
        for asked in roles.values():
            if max_cost is not None and cost(Usage(1, 1, 1), asked.client.settings) is None:
                raise InputError("--max-cost: needs both prices; give --price-in and --price-out")
        self.roles = roles
        self._cache = cache
        self._counter = counter
        self._seed = seed
        self._purse = Purse(max_cost)
        self._restart = restart
        self._lock = threading.Lock()
        self._locks: dict[bytes, threading.Lock] = {}
        self._fresh: set[bytes] = set()
        self._scale: dict[Role, float] = {}
        self._usage = {role: Usage() for role in roles}
        clients = {id(asked.client): asked.client for asked in roles.values()}
        # Of two models on one endpoint each client keeps a pace of its own: this is that of both.
        self._pace = None
        if len(clients) > 1:
            first = next(iter(clients.values()))
            self._pace = Pace(first.settings.requests_per_minute, sleep=first.sleep)

    @property
    def usage(self) -> dict[Role, Usage]:
        """Tokens of the requests made so far, by role; of the cache, none."""
        with self._lock:
            return dict(self._usage)

    def request(self, role: Role, messages: Messages, turn: int) -> ChatRequest:
        """The request that `ask` makes."""
        asked = self.roles[role]
        settings = asked.client.settings
        return ChatRequest(
            settings.url, settings.model, messages, asked.max_tokens, self._seed + turn
        )

    def known(self, role: Role, messages: Messages, turn: int) -> Reply:
        """The reply in the cache.

        Raises:
            UnknownReplyError: when there is none.
        """
        reply = self._kept(self.request(role, messages, turn))
        if reply is None:
            raise UnknownReplyError
        return reply

    def ask(
        self,
        role: Role,
        messages: Messages,
        turn: int,
        *,
        deposit: Deposit | None = None,
        cancel: CancelToken | None = None,
    ) -> Reply:
        """The reply, from the cache or the model; when this returns, it is on disk.

        With a deposit no answer is begun whose grade cannot be paid for; who gave it gets it back
        by `close`.

        Raises:
            UnaffordableError: when it could cost more in all than it may.
            EndpointError: when it cannot be had.
            CancelledError: when `cancel` was raised meanwhile.
        """
        request = self.request(role, messages, turn)
        with self._lock:
            own = self._locks.setdefault(request.key, threading.Lock())
        with own:
            reply = self._kept(request)
            if reply is None:
                reply = self._call(role, request, deposit, cancel)
                self._cache.put(request, reply)
                self._fresh.add(request.key)
        return reply

    def close(self, deposit: Deposit) -> None:
        """Give back what a deposit still holds."""
        if deposit.held is not None:
            self._purse.settle(deposit.held, 0.0)
            deposit.held = None

    def _kept(self, request: ChatRequest) -> Reply | None:
        if self._restart and request.key not in self._fresh:
            return None
        return self._cache.get(request)

    def price(self, role: Role, usage: Usage) -> float:
        """What so many tokens of a role cost; 0 without prices."""
        return cost(usage, self.roles[role].client.settings) or 0.0

    def _call(
        self,
        role: Role,
        request: ChatRequest,
        deposit: Deposit | None,
        cancel: CancelToken | None,
    ) -> Reply:
        if cancel is not None:
            cancel.check()
        asked = self.roles[role]
        sent = self._counter.count_one(sent_text(request.messages))
        held = self._most(role, Usage(1, sent, asked.max_tokens))
        self._hold(role, held, deposit, cancel)
        # A request that fails may have been paid for.
        spent = held
        try:
            if self._pace is not None:
                self._pace.wait(cancel)
            reply = asked.client.chat(
                request.messages, max_tokens=asked.max_tokens, seed=request.seed, cancel=cancel
            )
            usage = reply.usage
            if not usage.tokens_in:
                usage = Usage(1, sent, self._counter.count_one(reply.text), sent)
            spent = self.price(role, usage)
        finally:
            self._purse.settle(held, spent)
        with self._lock:
            self._usage[role] = self._usage[role] + usage
            # The model's own tokens may be more than ours.
            seen = usage.tokens_in / max(1, sent)
            self._scale[role] = max(1.0, self._scale.get(role, 0.0), seen)
        return Reply(reply.text, usage, reply.model, reply.cut)

    def _most(self, role: Role, usage: Usage) -> float:
        """The price of a request, if the model counts as it has counted so far."""
        scale = self._scale.get(role, _UNSURE)
        sent = math.ceil(usage.tokens_in * scale) + _FRAME_TOKENS
        return self.price(role, Usage(usage.requests, sent, usage.tokens_out))

    def _hold(
        self, role: Role, held: float, deposit: Deposit | None, cancel: CancelToken | None
    ) -> None:
        if deposit is None:
            self._purse.hold(held, cancel=cancel)
            return
        back, deposit.held = deposit.held, None
        if role == "grade":
            self._purse.hold(held, back=back, cancel=cancel)
            return
        following = self._most("grade", deposit.most)
        self._purse.hold(held, following, back=back, cancel=cancel)
        deposit.held = following


def sent_text(messages: Sequence[Mapping[str, str]]) -> str:
    """The texts of messages as one, to count its tokens."""
    return "\n".join(message["content"] for message in messages)
