"""A golden set written by a model: passages asked about, answers checked, reasons counted."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.client import Client, Reply
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.workers import run_jobs
from chunkscope.errors import InputError
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.llm.answers import Pair, UnusableError, read_pair, read_scores
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.llm.filtering import (
    LEAST_SCORE,
    Asked,
    evidence_at,
    locate_in,
    low_score,
    speaks_of_passage,
)
from chunkscope.llm.passages import Passage, sample_passages
from chunkscope.llm.prompts import Messages, Prompts
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.text.tokens import TokenCounter

WRITTEN_TOKENS = 800
"""Most tokens of a written question, its answer and evidence."""

GRADED_TOKENS = 100
_TYPICAL_TOKENS = 200
_USEFUL = 0.5
_FAILURES = 3
"""Passages in a row that the endpoint fails at, after which the run stops."""

Told = Callable[[int, int], None]

_Outcome = tuple[dict[str, Any], EndpointError | None]


@dataclass(frozen=True)
class Plan:
    """What is to be generated.

    Attributes:
        count: questions wanted.
        seed: of the passages drawn, and sent to the model.
        least: lowest score that is kept, of 1 to 5.
        max_cost: nothing is begun that could cost more in all, by our count of tokens; None: no
            limit.
        prompts: what the model is asked.
    """

    count: int
    seed: int = 0
    least: int = LEAST_SCORE
    max_cost: float | None = None
    prompts: Prompts = field(default_factory=Prompts)

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"count: {self.count}; ask for at least 1 question")
        if not 1 <= self.least <= 5:
            raise InputError(f"least score: {self.least}; give 1 to 5")
        if self.max_cost is not None and self.max_cost < 0:
            raise InputError(f"max cost: {self.max_cost:g}; give 0 or more")


@dataclass(frozen=True)
class Generated:
    """What came of it.

    Attributes:
        golden: the questions kept, in the order of their passages.
        reasons: passages by what became of them: `kept`, or why not.
        usage: tokens of all requests, those of earlier runs included.
        stopped: why there are fewer questions than wanted; empty when there are not.
        models: names of the models that answered.
    """

    golden: GoldenSet
    reasons: Mapping[str, int]
    usage: Usage
    stopped: str
    models: tuple[str, ...]


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
        self._most = self._largest(self.passages)

    @property
    def estimate(self) -> Usage:
        """Tokens to expect, when about half of what is written is kept."""
        pairs = min(len(self.passages), round(self._plan.count / _USEFUL))
        sent = self._sent(self.passages[:pairs])
        return Usage(2 * pairs, sum(sent), _TYPICAL_TOKENS * pairs)

    @property
    def settings(self) -> dict[str, Any]:
        """What a run must share with the one that it goes on with."""
        return {
            "kind": "chunkscope golden generate",
            "corpus": self._corpus.fingerprint,
            "model": self._client.settings.model,
            "count": self._plan.count,
            "seed": self._plan.seed,
            "prompts": self._plan.prompts.fingerprint,
        }

    def run(
        self,
        checkpoint: Checkpoint,
        told: Told | None = None,
        cancel: CancelToken | None = None,
    ) -> Generated:
        """Ask until enough questions are kept; passages known to `checkpoint` are not asked again.

        Raises:
            EndpointError: when the endpoint fails at several passages in a row; what was done is
                in the checkpoint.
            CancelledError: when `cancel` was raised meanwhile.
        """
        keeper = _Keeper(self._corpus, self._plan, self._client.settings.model)
        stopped = ""
        failures = 0
        under_way = 0
        lost = Usage()

        waiting = [
            _Job(number, passage)
            for number, passage in enumerate(self.passages)
            if number not in checkpoint.outcomes
        ]
        waiting.reverse()

        def next_job() -> _Job | None:
            nonlocal stopped, under_way
            if keeper.enough or not waiting:
                return None
            if not self._affordable(_usage(checkpoint) + lost, under_way + 1):
                stopped = "the most it may cost is reached"
                return None
            stopped = ""
            under_way += 1
            return waiting.pop()

        keeper.take(checkpoint.outcomes, self.passages)
        jobs = run_jobs(next_job, lambda job: self._ask(job, cancel),
                        self._client.settings.concurrency)  # fmt: skip
        for job, (outcome, error) in jobs:
            under_way -= 1
            if error is not None:
                # What was paid before it failed counts, though nothing came of it.
                lost = lost + _usage_of(outcome)
                failures += 1
                if failures >= _FAILURES:
                    raise error
                keeper.fail(job.number)
            else:
                failures = 0
                checkpoint.add(outcome)
            keeper.take(checkpoint.outcomes, self.passages)
            if told is not None:
                told(len(keeper.kept), self._plan.count)
        if not keeper.enough and not stopped:
            stopped = "the corpus has no more passages to ask about"
        return keeper.result(_usage(checkpoint) + lost, "" if keeper.enough else stopped)

    def _affordable(self, spent: Usage, passages: int) -> bool:
        """Whether so many passages more, each as dear as any, stay within the most it may cost."""
        if self._plan.max_cost is None:
            return True
        for _ in range(passages):
            spent = spent + self._most
        price = cost(spent, self._client.settings)
        return price is not None and price <= self._plan.max_cost

    def _largest(self, passages: Sequence[Passage]) -> Usage:
        sent = max(self._sent(passages)) + WRITTEN_TOKENS
        return Usage(2, sent, WRITTEN_TOKENS + GRADED_TOKENS)

    def _sent(self, passages: Sequence[Passage]) -> list[int]:
        plan = self._plan
        texts = [
            "\n".join(
                message["content"]
                for messages in (
                    plan.prompts.writing(passage, plan.seed),
                    plan.prompts.grading(passage, plan.seed, "", "", ()),
                )
                for message in messages
            )
            for passage in passages
        ]
        return [tokens + _TYPICAL_TOKENS for tokens in self._counter.count(texts)]

    def _ask(self, job: _Job, cancel: CancelToken | None) -> _Outcome:
        if cancel is not None:
            cancel.check()
        passage = job.passage
        outcome: dict[str, Any] = {
            "passage": job.number,
            "doc": passage.doc,
            "start": passage.span.start,
            "end": passage.span.end,
            "tokens_in": 0,
            "tokens_out": 0,
            "requests": 0,
        }
        try:
            self._fill(outcome, passage, cancel)
        except UnusableError as reason:
            outcome["reason"] = str(reason)
        except EndpointError as error:
            return outcome, error
        return outcome, None

    def _fill(self, outcome: dict[str, Any], passage: Passage, cancel: CancelToken | None) -> None:
        prompts, seed = self._plan.prompts, self._plan.seed
        reply = self._chat(prompts.writing(passage, seed), WRITTEN_TOKENS, outcome, cancel)
        pair = read_pair(reply.text)
        outcome["model"] = reply.model
        document = self._document(passage)
        spans = locate_in(passage, document, pair.evidence)
        if speaks_of_passage(pair.question):
            raise UnusableError("speaks of the passage")
        if spans is None:
            raise UnusableError("evidence not in the passage")
        outcome.update(_pair_fields(pair, spans))
        texts = tuple(document.text[span.start : span.end] for span in spans)
        messages = prompts.grading(passage, seed, pair.question, pair.answer, texts)
        outcome["scores"] = read_scores(self._chat(messages, GRADED_TOKENS, outcome, cancel).text)

    def _chat(
        self, messages: Messages, most: int, outcome: dict[str, Any], cancel: CancelToken | None
    ) -> Reply:
        reply = self._client.chat(messages, max_tokens=most, seed=self._plan.seed, cancel=cancel)
        counted = reply.usage
        if not counted.tokens_in:
            sent = "\n".join(message["content"] for message in messages)
            own = self._counter.count([sent, reply.text])
            counted = Usage(1, own[0], own[1])
        outcome["requests"] += 1
        outcome["tokens_in"] += counted.tokens_in
        outcome["tokens_out"] += counted.tokens_out
        return reply

    def _document(self, passage: Passage) -> Document:
        position = self._corpus.position(passage.doc)
        if position is None:
            raise InputError(f"document {passage.doc!r} is not in the corpus")
        return self._corpus.documents[position]


def _pair_fields(pair: Pair, spans: Sequence[Span]) -> dict[str, Any]:
    return {
        "question": pair.question,
        "answer": pair.answer,
        "type": pair.type,
        "evidence": [[span.start, span.end] for span in dict.fromkeys(sorted(spans))],
    }


def _usage(checkpoint: Checkpoint) -> Usage:
    whole = Usage()
    for outcome in checkpoint.outcomes.values():
        whole = whole + _usage_of(outcome)
    return whole


def _usage_of(outcome: Mapping[str, Any]) -> Usage:
    return Usage(outcome["requests"], outcome["tokens_in"], outcome["tokens_out"])


class _Keeper:
    """Decides passage by passage, in their order, so that no race decides what is kept."""

    def __init__(self, corpus: Corpus, plan: Plan, model: str) -> None:
        self._corpus = corpus
        self._plan = plan
        self._model = model
        self._next = 0
        self._failed: set[int] = set()
        self._asked = Asked()
        self._reasons: Counter[str] = Counter()
        self._models: dict[str, None] = {}
        self.kept: list[Question] = []

    @property
    def enough(self) -> bool:
        return len(self.kept) >= self._plan.count

    def fail(self, number: int) -> None:
        self._failed.add(number)

    def take(self, outcomes: Mapping[int, dict[str, Any]], passages: Sequence[Passage]) -> None:
        while not self.enough and self._next < len(passages):
            if self._next in outcomes:
                self._decide(outcomes[self._next])
            elif self._next in self._failed:
                self._reasons["refused by the endpoint"] += 1
            else:
                return
            self._next += 1

    def _decide(self, outcome: dict[str, Any]) -> None:
        reason = outcome.get("reason") or low_score(outcome["scores"], self._plan.least)
        if reason is None and self._asked.holds(outcome["question"]):
            reason = "duplicate"
        self._reasons[reason or "kept"] += 1
        if outcome.get("model"):
            self._models[outcome["model"]] = None
        if reason is None:
            self._asked.add(outcome["question"])
            self.kept.append(self._question(outcome))

    def _question(self, outcome: dict[str, Any]) -> Question:
        position = self._corpus.position(outcome["doc"])
        if position is None:
            raise InputError(f"document {outcome['doc']!r} is not in the corpus")
        document = self._corpus.documents[position]
        evidence = tuple(
            evidence_at(Span(*span), document, self._corpus) for span in outcome["evidence"]
        )
        whole = f"{outcome['question']}\0{outcome['doc']}\0{outcome['evidence']}"
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        return Question(
            f"gen-{digest[:10]}",
            outcome["question"],
            outcome["doc"],
            evidence,
            outcome["answer"],
            outcome["type"],
            {
                "generated": {
                    "model": outcome.get("model") or self._model,
                    "seed": self._plan.seed,
                    "scores": outcome["scores"],
                    "passage": [outcome["start"], outcome["end"]],
                    "reviewed": False,
                }
            },
        )

    def result(self, usage: Usage, stopped: str) -> Generated:
        return Generated(
            GoldenSet(tuple(self.kept)), dict(self._reasons), usage, stopped, tuple(self._models)
        )


def checkpoint_path(out: Path) -> Path:
    """Where a run that writes `out` keeps what it has done so far."""
    return out.with_name(f"{out.name}.progress")
