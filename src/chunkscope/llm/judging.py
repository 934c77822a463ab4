"""Questions answered from each configuration's retrieved chunks, and graded by a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.endpoint.client import Reply
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.workers import run_jobs
from chunkscope.llm.judging_asking import (
    Asker,
    Asking,
    Deposit,
    Role,
    UnaffordableError,
    UnknownReplyError,
    sent_text,
)
from chunkscope.llm.judging_grades import Grade, read_grade, without_thought
from chunkscope.llm.judging_prompts import REMINDER, JudgePrompts
from chunkscope.llm.prompts import Messages
from chunkscope.text.tokens import TokenCounter

ANSWER_TOKENS = 500
GRADE_TOKENS = 300
OVER_COST = "the most it may cost is reached"
INTERRUPTED = "stopped by hand"

_TYPICAL_TOKENS: dict[Role, int] = {"answer": 120, "grade": 60}
_LONGEST_ANSWER = 20_000
"""Characters of an answer that are graded: an endpoint need not keep to the limit it is given."""
_FAILURES = 3
"""Pairs in a row that the endpoint fails at, after which the run stops."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Pair:
    """One question with the chunks retrieved for it, as one text."""

    question: str
    reference: str
    context: str


@dataclass(frozen=True)
class Outcome:
    """What became of a pair.

    Attributes:
        grade: None: ungraded.
        answer: what the model answered; empty where there is none.
        ungraded: why there is no grade; empty where there is one.
        cut: the answer stopped at the limit of its length.
        models: names of the models that replied, as the endpoint gives them.
    """

    grade: Grade | None
    answer: str = ""
    ungraded: str = ""
    cut: bool = False
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class Expected:
    """What a run is going to ask.

    Attributes:
        pairs: different pairs of question and context.
        known: pairs that the cache holds whole.
        usage: tokens to expect by role; each grade is taken to be usable at once.
        cost: their price; 0 without prices.
    """

    pairs: int
    known: int
    usage: dict[Role, Usage]
    cost: float


@dataclass(frozen=True)
class Graded:
    """What a run came to.

    Attributes:
        outcomes: by pair, in their order; pairs that were not reached are not in it.
        stopped: why some were not reached; empty when all were.
    """

    outcomes: dict[Pair, Outcome]
    stopped: str = ""


class Judge:
    """One run over pairs of question and context."""

    def __init__(
        self, pairs: Sequence[Pair], asker: Asker, prompts: JudgePrompts, counter: TokenCounter
    ) -> None:
        """Nothing is asked yet; pairs given several times are asked about once."""
        self.pairs = tuple(dict.fromkeys(pairs))
        self._asker = asker
        self._prompts = prompts
        self._counter = counter

    def expect(self) -> Expected:
        """What is still to be asked; nothing is called."""
        texts: dict[Role, list[str]] = {"answer": [], "grade": []}
        known = 0
        for pair in self.pairs:
            answer = None
            try:
                answer = _answer(self._asker.known, self._prompts, pair)[0]
                if answer:
                    _grade(self._asker.known, self._prompts, pair, answer)
                known += 1
            except UnknownReplyError:
                texts["grade"].append(sent_text(self._grading(pair, answer or "")))
                if answer is None:
                    messages = self._prompts.answering(pair.question, pair.context)
                    texts["answer"].append(sent_text(messages))
        usage = {role: self._usage(role, listed) for role, listed in texts.items()}
        price = sum(self._asker.price(role, used) for role, used in usage.items())
        return Expected(len(self.pairs), known, usage, price)

    def _grading(self, pair: Pair, answer: str) -> Messages:
        return self._prompts.grading(pair.question, pair.reference, answer, pair.context)

    def _usage(self, role: Role, texts: Sequence[str]) -> Usage:
        sent = sum(self._counter.count(texts))
        if role == "grade":
            sent += _TYPICAL_TOKENS["answer"] * len(texts)
        return Usage(len(texts), sent, _TYPICAL_TOKENS[role] * len(texts))

    def run(
        self, workers: int, told: Told | None = None, cancel: CancelToken | None = None
    ) -> Graded:
        """Ask about every pair that the cache does not hold, in order.

        Ctrl-C, or `cancel`, ends it with what is done.

        Args:
            workers: pairs under way at once.
            told: gets the number of pairs done, and of all.
            cancel: looked at between requests.

        Raises:
            EndpointError: when the endpoint fails at several pairs in a row; what was done is in
                the cache.
        """
        cancel = cancel or CancelToken()
        outcomes: dict[Pair, Outcome] = {}
        stopped = ""
        failures = 0
        try:
            waiting = self._resolve(outcomes)
            jobs = run_jobs(
                lambda: waiting.pop() if waiting and not stopped else None,
                lambda pair: self._work(pair, cancel),
                workers,
            )
            for pair, (outcome, error) in jobs:
                if outcome is None:
                    stopped = OVER_COST
                    continue
                failures = failures + 1 if error is not None else 0
                if error is not None and failures >= _FAILURES:
                    cancel.cancel()
                    raise error
                outcomes[pair] = outcome
                if told is not None:
                    told(len(outcomes), len(self.pairs))
        except (KeyboardInterrupt, CancelledError):
            # What is under way in threads must not begin a further request.
            cancel.cancel()
            stopped = INTERRUPTED
        return Graded({pair: outcomes[pair] for pair in self.pairs if pair in outcomes}, stopped)

    def _resolve(self, outcomes: dict[Pair, Outcome]) -> list[Pair]:
        """Put what the cache holds whole in `outcomes`; the other pairs, last one first."""
        waiting = []
        for pair in self.pairs:
            try:
                outcomes[pair] = judge_pair(self._asker.known, self._prompts, pair)
            except UnknownReplyError:
                waiting.append(pair)
        return waiting[::-1]

    def _work(self, pair: Pair, cancel: CancelToken) -> tuple[Outcome | None, EndpointError | None]:
        most = self._usage("grade", [sent_text(self._grading(pair, ""))])
        longest = self._asker.roles["answer"].max_tokens, self._asker.roles["grade"].max_tokens
        deposit = Deposit(Usage(1, most.tokens_in + longest[0], longest[1]))

        def ask(role: Role, messages: Messages, turn: int) -> Reply:
            return self._asker.ask(role, messages, turn, deposit=deposit, cancel=cancel)

        try:
            return judge_pair(ask, self._prompts, pair), None
        except UnaffordableError:
            return None, None
        except EndpointError as error:
            return Outcome(None, ungraded=f"the endpoint failed: {error}"), error
        finally:
            self._asker.close(deposit)


def judge_pair(ask: Asking, prompts: JudgePrompts, pair: Pair) -> Outcome:
    """The outcome of one pair; an empty answer and an unusable grade are asked for again once.

    Raises:
        UnaffordableError, UnknownReplyError, EndpointError: as `ask` does.
    """
    answer, answers = _answer(ask, prompts, pair)
    grade: Grade | None = None
    grades: list[Reply] = []
    ungraded = "no answer: the model's reply was empty, twice"
    if answer:
        grade, grades = _grade(ask, prompts, pair, answer)
        ungraded = "" if grade else "no usable grade: the reply was not as asked, twice"
    return Outcome(
        grade,
        answer,
        ungraded,
        cut=answers[-1].cut or len(answers[-1].text.strip()) > _LONGEST_ANSWER,
        models=tuple(dict.fromkeys(reply.model for reply in (*answers, *grades) if reply.model)),
    )


def _answer(ask: Asking, prompts: JudgePrompts, pair: Pair) -> tuple[str, list[Reply]]:
    messages = prompts.answering(pair.question, pair.context)
    replies: list[Reply] = []
    answer = ""
    while not answer and len(replies) < 2:
        replies.append(ask("answer", messages, len(replies)))
        answer = _said(replies[-1].text)
    return answer, replies


def _grade(
    ask: Asking, prompts: JudgePrompts, pair: Pair, answer: str
) -> tuple[Grade | None, list[Reply]]:
    messages = prompts.grading(pair.question, pair.reference, answer, pair.context)
    replies: list[Reply] = []
    grade: Grade | None = None
    while grade is None and len(replies) < 2:
        replies.append(ask("grade", messages, len(replies)))
        grade = read_grade(replies[-1].text)
        *others, last = messages
        messages = [*others, {**last, "content": last["content"] + REMINDER}]
    return grade, replies


def _said(text: str) -> str:
    return without_thought(text).strip()[:_LONGEST_ANSWER].rstrip()
