"""Why each bad question failed: one signature a question, with its proof."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.diagnosis_proofs import (
    MENDABLE,
    SIGNATURES,
    Proof,
    Signature,
    UnmeasuredProof,
)
from chunkscope.evaluation.diagnosis_ranks import RankExaminer
from chunkscope.evaluation.diagnosis_split import split_proof
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, QuestionResult

_BAD = frozenset(("partial", "split", "missed", "unmeasured"))


@dataclass(frozen=True)
class ItemDiagnosis:
    """One evidence item that was not retrieved whole.

    Attributes:
        item: its number in the question, from 0.
        signature: why.
        proof: what shows it.
    """

    item: int
    signature: Signature
    proof: Proof


@dataclass(frozen=True)
class QuestionDiagnosis:
    """One bad question.

    Attributes:
        result: its line in the run.
        items: one for each evidence item that failed, in order; never empty.
    """

    result: QuestionResult
    items: tuple[ItemDiagnosis, ...]

    @property
    def decisive(self) -> ItemDiagnosis:
        """The item whose signature stands first in precedence; the first such."""
        return min(self.items, key=lambda item: SIGNATURES.index(item.signature))

    @property
    def signature(self) -> Signature:
        """The question's signature: that of its decisive item."""
        return self.decisive.signature

    @property
    def mendable(self) -> bool:
        """Whether other chunks can mend every item that failed."""
        return all(item.signature in MENDABLE for item in self.items)

    @property
    def sentence(self) -> str:
        """The proof in one sentence; says which item where there are several."""
        decisive = self.decisive
        count = len(self.result.located.items)
        if count <= 1:
            return decisive.proof.sentence
        return f"item {decisive.item + 1} of {count}: {decisive.proof.sentence}"


@dataclass(frozen=True)
class Diagnosis:
    """Every bad question of one run.

    Attributes:
        evaluation: the run.
        questions: the bad ones, in the golden set's order.
    """

    evaluation: Evaluation
    questions: tuple[QuestionDiagnosis, ...]

    @property
    def totals(self) -> Mapping[Signature, int]:
        """Questions by signature, every signature named."""
        counts = Counter(question.signature for question in self.questions)
        return {signature: counts[signature] for signature in SIGNATURES}

    @property
    def mendable(self) -> int:
        """Bad questions that chunking can mend."""
        return sum(question.mendable for question in self.questions)

    @property
    def mendable_share(self) -> float | None:
        """Share of the measured failures that chunking can mend; None without a failure."""
        failures = sum(question.signature != "unmeasured" for question in self.questions)
        return self.mendable / failures if failures else None


def diagnose(
    index: CorpusIndex, evaluation: Evaluation, cancel: CancelToken | None = None
) -> Diagnosis:
    """Find why each bad question of a run failed.

    A question is bad when it is partial, split, missed or unmeasured. Each of its failed
    evidence items gets the first signature, in this order, whose proof holds:

    1. unmeasured: the evidence was not found in the corpus.
    2. split: no chunk of the set holds it whole.
    3. crowded: with each passage counted once (same text, or half of the shorter chunk shared)
       its chunk would be taken.
    4. orphaned: query words that its chunk lacks stand in its heading or a chunk beside it, they
       weigh at least what its chunk's own do, and with them it would score above the last chunk
       taken. The score is an estimate: what the words add where they stand.
    5. vocabulary: its chunk has no telling query word, one that at most half of all chunks have.
    6. diluted: at three quarters, half or a quarter of the size it is whole and taken.
    7. outranked: none of these; other chunks score higher.

    The question's signature is the first of its items' in the same order.

    Args:
        index: the corpus.
        evaluation: a run over it made by `evaluate`, with a line a question.
        cancel: looked at between questions.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    bad = [result for result in evaluation.questions if result.verdict in _BAD]
    not_retrieved = [
        (result, item)
        for result in bad
        for item, outcome in enumerate(result.outcomes)
        if outcome.state == "not retrieved"
    ]
    ranked = RankExaminer(index, evaluation, cancel).examine(not_retrieved)
    found: list[QuestionDiagnosis] = []
    for result in bad:
        if cancel is not None:
            cancel.check()
        items: list[ItemDiagnosis] = []
        for item, outcome in enumerate(result.outcomes):
            if result.verdict == "unmeasured":
                if not result.located.items[item].places:
                    text = result.located.items[item].evidence.text
                    items.append(ItemDiagnosis(item, "unmeasured", UnmeasuredProof(text)))
            elif outcome.state == "cut":
                proof = split_proof(index, evaluation, outcome)
                items.append(ItemDiagnosis(item, "split", proof))
            elif outcome.state == "not retrieved":
                signature, ranks = ranked[result.located.question.id, item]
                items.append(ItemDiagnosis(item, signature, ranks))
        found.append(QuestionDiagnosis(result, tuple(items) or _unplaced(result)))
    return Diagnosis(evaluation, tuple(found))


def _unplaced(result: QuestionResult) -> tuple[ItemDiagnosis, ...]:
    """An unmeasured question whose places are all in documents that the corpus has not."""
    text = result.located.items[0].evidence.text if result.located.items else ""
    return (ItemDiagnosis(0, "unmeasured", UnmeasuredProof(text)),)
