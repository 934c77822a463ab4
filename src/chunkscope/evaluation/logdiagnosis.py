"""A log of a real system, told apart: what failed, where, and what a stand-in can say of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import Diagnosis, diagnose
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logagreement import (
    Agreement,
    CarryOver,
    agreement,
    carry_over,
    usual_depth,
)
from chunkscope.evaluation.loginference import Inference, infer_chunking
from chunkscope.evaluation.logoutcomes import FAILURES, LogOutcome, failure_totals, log_outcomes
from chunkscope.evaluation.logplaces import PlacedEntry, lane_of
from chunkscope.evaluation.places import with_places
from chunkscope.evaluation.report import versions
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import LocatedQuestion, Question
from chunkscope.retrieval.settings import RetrieverSettings


@dataclass(frozen=True)
class LogDiagnosis:
    """Everything a log tells.

    Attributes:
        outcomes: one a question, in the log's order.
        inference: the chunking in use.
        configuration: what the stand-in ran with.
        inferred: whether its splitter is the inferred one.
        run: the stand-in's run, a line a question in the same order.
        diagnosis: signatures of the questions that failed in retrieval and under the stand-in.
        agreement: the stand-in against the real retriever.
        carried: which findings hold for the real system.
    """

    outcomes: tuple[LogOutcome, ...]
    inference: Inference
    configuration: Configuration
    inferred: bool
    run: Evaluation
    diagnosis: Diagnosis
    agreement: Agreement
    carried: tuple[CarryOver, ...]

    @property
    def questions(self) -> tuple[LocatedQuestion, ...]:
        """The questions as the stand-in was asked them."""
        return tuple(line.located for line in self.run.questions)

    def carries(self, signature: str) -> bool:
        """Whether a signature of the stand-in's run holds for the real system."""
        holds = {entry.finding: entry.holds for entry in self.carried}
        return signature == "unmeasured" or holds["cuts" if signature == "split" else "ranks"]


def diagnose_log(
    index: CorpusIndex,
    placed: Sequence[PlacedEntry],
    configuration: Configuration,
    *,
    infer: bool = True,
    stand_ins: Sequence[RetrieverSettings] = (),
    keep_depth: bool = False,
    seed: int = 0,
    cancel: CancelToken | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LogDiagnosis:
    """Judge a log by what came back, and examine its failures with a stand-in retriever.

    Args:
        index: the corpus.
        placed: the log, put in its places.
        configuration: the stand-in's.
        infer: take the splitter that the log shows, where it shows one, in its place.
        stand_ins: retrievers to try as well; the one that agrees most with the log is taken.
        keep_depth: keep the cut-offs; otherwise the first is how many chunks mostly came back.
        seed: of the bootstrap.
        cancel: looked at between guesses, documents and questions.
        progress: hears (chunkings tried, chunkings to try).

    Raises:
        InputError: when the configuration cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    outcomes = log_outcomes(placed)
    inference = infer_chunking(index, placed, cancel=cancel, progress=progress)
    best = inference.best
    inferred = infer and best is not None and inference.certainty != "unknown"
    if inferred and best is not None:
        configuration = replace(configuration, splitter=best.splitter)
    depth = max([1, *(len(entry.chunks) for entry in placed)])
    k = (
        configuration.retriever.k
        if keep_depth
        else tuple(dict.fromkeys([usual_depth(placed), depth]))
    )
    questions = tuple(entry.located or _unsaid(entry, index) for entry in placed)
    tried: list[tuple[Evaluation, Agreement]] = []
    for retriever in dict.fromkeys([configuration.retriever, *stand_ins]):
        settings = replace(configuration, retriever=replace(retriever, k=k))
        one = evaluate(index, settings, questions, cancel=cancel)
        tried.append((one, agreement(placed, one, seed=seed)))
    run, found = max(tried, key=lambda pair: pair[1].mean or 0.0)
    failed = {outcome.placed.entry.id for outcome in outcomes if outcome.failure == "retrieval"}
    diagnosis = diagnose(index, run, cancel)
    kept = tuple(
        question
        for question in diagnosis.questions
        if question.result.located.question.id in failed
    )
    return LogDiagnosis(
        outcomes=outcomes,
        inference=inference,
        configuration=run.configuration,
        inferred=inferred,
        run=run,
        diagnosis=Diagnosis(run, kept),
        agreement=found,
        carried=carry_over(inference, found),
    )


def _unsaid(entry: PlacedEntry, index: CorpusIndex) -> LocatedQuestion:
    """A question that is ranked, and nothing more: what should come back is not said."""
    doc = index.corpus.documents[0].id
    return LocatedQuestion(Question(entry.entry.id, entry.entry.question, doc, ()), ())


def log_to_json(found: LogDiagnosis) -> dict[str, Any]:
    """A log's diagnosis as `diagnose --log` writes it."""
    corpus = found.run.chunks.corpus
    signatures = {
        question.result.located.question.id: question for question in found.diagnosis.questions
    }
    placed = [chunk for outcome in found.outcomes for chunk in outcome.placed.chunks]
    guess = found.inference.best
    return {
        "config": found.configuration.to_mapping(),
        "versions": dict(versions()),
        "corpus": {
            "documents": len(corpus.documents),
            "characters": corpus.characters,
            "fingerprint": corpus.fingerprint,
        },
        **corpus.read_as,
        "log": {
            "questions": len(found.outcomes),
            "retrieved": len(placed),
            "placed": sum(chunk.certain for chunk in placed),
            "ambiguous": sum(len(chunk.places) > 1 for chunk in placed),
            "not_found": sum(not chunk.places for chunk in placed),
        },
        "failures": [
            {"name": name, "meaning": FAILURES[name], "questions": count}
            for name, count in failure_totals(found.outcomes).items()
        ],
        "chunking": {
            "certainty": found.inference.certainty,
            "sentence": found.inference.sentence,
            "observed": found.inference.observed,
            "matched": 0 if guess is None else guess.matched,
            "tried": found.inference.tried,
            "splitter": None if guess is None else _splitter(found.configuration, guess.splitter),
            "alike": [
                _splitter(found.configuration, other.splitter) for other in found.inference.alike
            ],
            "used": found.inferred,
        },
        "agreement": {
            "stand_in": found.agreement.stand_in,
            "questions": found.agreement.questions,
            "mean": found.agreement.mean,
            "interval": None
            if found.agreement.low is None
            else [found.agreement.low, found.agreement.high],
            "sentence": found.agreement.sentence,
        },
        "carries_over": [
            {"finding": entry.finding, "holds": entry.holds, "sentence": entry.sentence}
            for entry in found.carried
        ],
        "questions": [
            _question(found, outcome, number, signatures.get(outcome.placed.entry.id))
            for number, outcome in enumerate(found.outcomes)
        ],
    }


def _splitter(configuration: Configuration, splitter: Any) -> dict[str, Any]:
    mapping: dict[str, Any] = replace(configuration, splitter=splitter).to_mapping()["splitter"]
    return mapping


def _question(
    found: LogDiagnosis, outcome: LogOutcome, number: int, diagnosed: Any
) -> dict[str, Any]:
    line, corpus = found.run.questions[number], found.run.chunks.corpus
    said = outcome.placed.located is not None
    return {
        "id": outcome.placed.entry.id,
        "line": outcome.placed.entry.line,
        "verdict": outcome.verdict,
        "failure": outcome.failure,
        "sentence": outcome.sentence,
        "rank": outcome.rank,
        "coverage": outcome.coverage,
        "cuts": [{"doc": doc, "at": at} for doc, at in outcome.cuts],
        "retrieved": with_places([
            {
                "places": [
                    {"doc": place.doc, "start": place.span.start, "end": place.span.end,
                     "tier": place.tier}
                    for place in chunk.places
                ],
                "certain": chunk.certain,
                "score": chunk.given.score,
            }
            for chunk in outcome.placed.chunks
        ], corpus),
        "lane": with_places([
            {"doc": chunk.doc, "start": chunk.span.start, "end": chunk.span.end,
             "rank": chunk.rank, "certain": chunk.certain}
            for chunk in lane_of(outcome.placed)
        ], corpus),
        "agreement": found.agreement.per_question.get(outcome.placed.entry.id),
        "stand_in": {
            "verdict": line.verdict if said else None,
            "rank": line.rank,
            "signature": None if diagnosed is None else diagnosed.signature,
            "sentence": None if diagnosed is None else diagnosed.sentence,
            "carries_over": None if diagnosed is None else found.carries(diagnosed.signature),
        },
    }  # fmt: skip
