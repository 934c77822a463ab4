"""A golden set written by a model: passages asked about, answers checked, reasons counted."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.workers import run_jobs
from chunkscope.errors import InputError
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.llm.keeping import Keeper, Outcome
from chunkscope.llm.passages import Passage, sample_passages
from chunkscope.llm.plan import Generated, Plan
from chunkscope.llm.prompts import Messages
from chunkscope.llm.writing import CHECKED_TOKENS, GRADED_TOKENS, WRITTEN_TOKENS, Limits, Writer
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import TokenCounter

__all__ = ["Generated", "Generator", "Plan", "checkpoint_path"]

MORE_PASSAGES = "the corpus has no more passages to ask about"
OVER_COST = "the most it may cost is reached"

_TYPICAL_TOKENS = 200
_TYPICAL_CHECK_TOKENS = 60
_USEFUL = 0.5
_FAILURES = 3
"""Passages in a row that the endpoint fails at, after which the run stops."""

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class _Job:
    number: int
    passage: Passage


class Generator:
    """One run over one corpus with one model."""

    def __init__(self, corpus: Corpus, client: Client, counter: TokenCounter, plan: Plan) -> None:
        if plan.max_cost is not None and cost(Usage(1, 1, 1), client.settings) is None:
            raise InputError("max cost: needs both prices; give --price-in and --price-out")
        self._corpus = corpus
        self._client = client
        self._counter = counter
        self._plan = plan
        self.passages = sample_passages(corpus, plan.count, seed=plan.seed)
        if not self.passages:
            raise InputError("corpus: no passage with enough text to ask about")
        sent = [self._sent(passage) for passage in self.passages]
        self._written = [written for written, _checking in sent]
        written = plan.tokens or WRITTEN_TOKENS
        self._limits = Limits(
            written,
            plan.tokens or GRADED_TOKENS,
            plan.tokens or CHECKED_TOKENS,
            max(checking for _written, checking in sent) + written,
        )

    @property
    def estimate(self) -> Usage:
        """Tokens to expect, when about half of what is written is kept."""
        plan = self._plan
        pairs = min(len(self.passages), round(plan.count / _USEFUL))
        checks = min(plan.count, pairs) * plan.alternatives
        check = self._limits.checking - self._limits.written + _TYPICAL_CHECK_TOKENS
        return Usage(
            2 * pairs + checks,
            sum(self._written[:pairs]) + _TYPICAL_TOKENS * pairs + check * checks,
            _TYPICAL_TOKENS * pairs + _TYPICAL_CHECK_TOKENS * checks,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """What a run must share with the one that it goes on with."""
        plan = self._plan
        return {
            "kind": "chunkscope golden generate",
            "corpus": self._corpus.fingerprint,
            "model": self._client.settings.model,
            "count": plan.count,
            "seed": plan.seed,
            "least-score": plan.least,
            "alternatives": plan.alternatives,
            "answer-tokens": plan.tokens,
            "prompts": plan.prompts.fingerprint,
        }

    def run(
        self,
        checkpoint: Checkpoint,
        told: Told | None = None,
        cancel: CancelToken | None = None,
    ) -> Generated:
        """Ask until enough questions are kept; passages known to `checkpoint` are not asked again.

        Raises:
            EndpointError: when the endpoint fails at several passages in a row, or at all there
                are; what was done is in the checkpoint.
            CancelledError: when `cancel` was raised meanwhile.
        """
        keeper = Keeper(self._corpus, self._plan, self._client.settings.model)
        writer = Writer(self._corpus, self._client, self._counter, self._plan, self._limits)
        spent = _usage(checkpoint)
        stopped = ""
        failures = 0
        under_way = 0
        failed: EndpointError | None = None
        answered = bool(checkpoint.outcomes)

        waiting = [
            _Job(number, passage)
            for number, passage in enumerate(self.passages)
            if number not in checkpoint.outcomes
        ]
        waiting.reverse()

        def next_job() -> _Job | None:
            nonlocal stopped, under_way
            if keeper.enough or not waiting or failures >= _FAILURES:
                return None
            if not self._affordable(spent, under_way + 1):
                stopped = OVER_COST
                return None
            stopped = ""
            under_way += 1
            return waiting.pop()

        keeper.take(checkpoint.outcomes, self.passages)
        jobs = run_jobs(next_job, lambda job: writer.ask(job.number, job.passage, cancel),
                        self._client.settings.concurrency)  # fmt: skip
        for job, (outcome, error) in jobs:
            under_way -= 1
            # What was paid before it failed counts, though nothing came of it.
            spent = spent + _usage_of(outcome)
            if error is not None:
                failed = error
                failures += 1
                keeper.fail(job.number)
            else:
                # What is still under way after the last failure is kept, though nothing is begun.
                failures = 0 if failures < _FAILURES else failures
                answered = True
                checkpoint.add(outcome)
            keeper.take(checkpoint.outcomes, self.passages)
            if told is not None:
                told(len(keeper.kept), self._plan.count)
        gone = failures >= _FAILURES or not answered
        if failed is not None and gone and not keeper.enough:
            raise failed
        if not keeper.enough and not stopped:
            stopped = MORE_PASSAGES
        refused = "" if failed is None else str(failed)
        return keeper.result(spent, "" if keeper.enough else stopped, refused)

    def _affordable(self, spent: Usage, passages: int) -> bool:
        """Whether so many passages more, each as dear as any, stay within the most it may cost."""
        if self._plan.max_cost is None:
            return True
        checks = self._plan.alternatives
        limits = self._limits
        most = Usage(
            2 + checks,
            max(self._written) + limits.written + checks * limits.checking,
            limits.written + limits.graded + checks * limits.checked,
        )
        for _ in range(passages):
            spent = spent + most
        price = cost(spent, self._client.settings)
        return price is not None and price <= self._plan.max_cost

    def _sent(self, passage: Passage) -> tuple[int, int]:
        """Tokens of what asks for a question and its grades, and of what asks about a passage."""
        prompts, seed = self._plan.prompts, self._plan.seed
        written, graded, checking = self._counter.count(
            [
                _text(prompts.writing(passage, seed)),
                _text(prompts.grading(passage, seed, "", "", ())),
                _text(prompts.checking(passage, seed, "", "")),
            ]
        )
        return written + graded, checking


def _text(messages: Messages) -> str:
    return "\n".join(message["content"] for message in messages)


def _usage(checkpoint: Checkpoint) -> Usage:
    whole = Usage()
    for outcome in checkpoint.outcomes.values():
        whole = whole + _usage_of(outcome)
    return whole


def _usage_of(outcome: Outcome) -> Usage:
    return Usage(outcome["requests"], outcome["tokens_in"], outcome["tokens_out"])


def checkpoint_path(out: Path) -> Path:
    """Where a run that writes `out` keeps what it has done so far."""
    return out.with_name(f"{out.name}.progress")
