"""What the engine's threads do beside cutting and measuring: ask, mend, study, sweep, export."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import Evidence, LocatedQuestion, Question
from chunkscope.tui import messages
from chunkscope.tui.modelmessages import ConsentWanted
from chunkscope.tui.returned import near_passage, returned_sentence
from chunkscope.tui.session import Variant

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.evaluation.results import Evaluation
    from chunkscope.evaluation.sweep import SweepRow
    from chunkscope.tui.modelwork import ModelWork

_EXAMPLES = 50

Grid = tuple[Configuration, tuple[int, ...], tuple[int | str, ...]]
"""A configuration, and the sizes and overlaps to put into it."""


@dataclass(frozen=True)
class Asking:
    """What a person asks: the question, what should have come back, what came back.

    Attributes:
        taken: ids that the new golden line must not have.
        type: a free label; empty: none.
        known: evidence with offsets, which decide where a text of `evidence` is theirs.
        edited: the golden question that this is the new form of.
    """

    question: str
    evidence: tuple[str, ...]
    returned: tuple[str, ...]
    taken: frozenset[str]
    type: str = ""
    known: tuple[Evidence, ...] = ()
    edited: Question | None = None


def ask(
    index: "CorpusIndex", asking: Asking, configurations: Mapping[Variant, Configuration]
) -> Message:
    """`AskAnswered`, or `AskFailed` with the reason."""
    from chunkscope.evaluation.run import evaluate
    from chunkscope.golden.asking import ask as locate_asked
    from chunkscope.golden.locating import locate_question
    from chunkscope.golden.passages import nearest_passages

    try:
        located = locate_asked(asking.question, asking.evidence, index.corpus, taken=asking.taken)
        located = locate_question(golden_line(located.question, asking), index.corpus)
        said: dict[str, list[str]] = {}
        for variant, configuration in configurations.items():
            line = evaluate(index, configuration, (located,)).questions[0]
            said.setdefault(f"{line.verdict}: {line.reason}", []).append(variant)
        sentences = [f"{' and '.join(names)}: {sentence}" for sentence, names in said.items()]
        if asking.returned:
            sentences.append(returned_sentence(located, asking.returned, index.corpus))
        passages = [
            near_passage(item.evidence.text, passage, index.corpus)
            for item in located.items
            if not item.places
            for passage in nearest_passages(item.evidence.text, index.corpus)
        ]
    except ChunkscopeError as error:
        return messages.AskFailed(str(error))
    return messages.AskAnswered(located, tuple(sentences), tuple(passages))


def golden_line(asked: Question, asking: Asking) -> Question:
    """The question as a golden line: type, selected offsets, and what an edited one keeps."""
    old = asking.edited
    known = {_folded(item.text): item for item in (*asking.known, *(old.evidence if old else ()))}
    doc = old.doc if old is not None else asked.doc
    items: list[Evidence] = []
    for item in asked.evidence:
        kept = known.get(_folded(item.text))
        if kept is not None:
            own = kept in asking.known and kept.doc == doc
            items.append(replace(kept, doc=None) if own else kept)
            continue
        # Beside an edited question's own document, evidence must name the one it is in.
        items.append(replace(item, doc=item.doc or asked.doc) if doc != asked.doc else item)
    line = replace(asked, doc=doc, evidence=tuple(items), type=asking.type.strip() or None)
    if old is None:
        return line
    return replace(old, question=line.question, evidence=line.evidence, type=line.type)


def _folded(text: str) -> str:
    """A field of several lines has its own line ends; the words are the same."""
    return " ".join(text.split())


def mend(
    index: "CorpusIndex",
    question: int,
    configuration: Configuration,
    questions: tuple[LocatedQuestion, ...],
    token: CancelToken,
) -> Message:
    """`MendsReady` with the settings near by under which one question is hit."""
    from chunkscope.evaluation.mending import mend as find_mends

    wanted = questions[question].question.id
    try:
        mends = find_mends(index, configuration, questions, wanted, token)
    except CancelledError:
        return messages.MendsReady(question, (), "mending was called off by a newer change")
    except ChunkscopeError as error:
        return messages.MendsReady(question, (), str(error))
    return messages.MendsReady(question, mends)


class Wish(Protocol):
    """Something to be worked out when the numbers stand, one of a kind at a time."""

    @property
    def kind(self) -> str:
        """A newer one of the same kind calls it off."""

    def answer(self, index: "CorpusIndex", token: CancelToken) -> Message | None:
        """The message that answers it; None when it was called off."""


@dataclass(frozen=True)
class Study:
    """What a panel wants to know about the runs on the screen.

    Attributes:
        kind: diagnosis, health or compare.
        generation: the change that the runs answer.
        runs: one a variant.
        questions: what they were measured on.
    """

    kind: str
    generation: int
    runs: "Mapping[Variant, Evaluation]"
    questions: tuple[LocatedQuestion, ...]

    def answer(self, index: "CorpusIndex", token: CancelToken) -> Message | None:
        """What `study` gives."""
        return study(index, self, token)


def study(index: "CorpusIndex", wanted: Study, token: CancelToken) -> Message | None:
    """`DiagnosisReady`, `HealthReady` or `ComparisonReady`; None when called off."""
    made = {"diagnosis": _diagnose, "health": _health, "compare": _compare}[wanted.kind]
    try:
        return made(index, wanted, token)
    except CancelledError:
        return None
    except ChunkscopeError as error:
        return messages.StudyFailed(wanted.generation, wanted.kind, str(error))


def _diagnose(index: "CorpusIndex", wanted: Study, token: CancelToken) -> Message:
    from chunkscope.evaluation.diagnosis import diagnose

    found = {variant: diagnose(index, run, token) for variant, run in wanted.runs.items()}
    return messages.DiagnosisReady(wanted.generation, found)


def _health(_index: "CorpusIndex", wanted: Study, token: CancelToken) -> Message:
    from chunkscope.evaluation.health import check_health

    found = {
        variant: check_health(run.chunks, run.configuration, examples=_EXAMPLES, cancel=token)
        for variant, run in wanted.runs.items()
    }
    return messages.HealthReady(wanted.generation, found)


def _compare(index: "CorpusIndex", wanted: Study, token: CancelToken) -> Message:
    from chunkscope.evaluation.compare import compare
    from chunkscope.evaluation.run import evaluate

    found = compare(wanted.runs["A"], wanted.runs["B"])
    between = [evaluate(index, step, wanted.questions, cancel=token) for step in found.steps]
    return messages.ComparisonReady(wanted.generation, found, tuple(between))


def sweep(
    index: "CorpusIndex",
    run: int,
    grid: Grid,
    questions: tuple[LocatedQuestion, ...],
    *,
    token: CancelToken,
    post: Callable[[Message], object],
    models: "ModelWork",
    agreed: bool,
) -> Message:
    """`SweepEnded`, after a `SweepRowReady` a row through `post`.

    Where endpoints would be sent texts and nobody `agreed`, `ConsentWanted` goes through it.
    """
    from chunkscope.evaluation.sweep import plan_sweep, run_sweep

    try:
        plan = plan_sweep(*grid)
        what, endpoints = models.consent(index, plan.rows, questions, token)
        if what and not agreed:
            post(ConsentWanted(what, endpoints, run))
            return messages.SweepEnded(run, None, "nothing was sent")
        models.allow(endpoints)

        def hand_out(row: "SweepRow") -> None:
            post(messages.SweepRowReady(run, row, len(plan.rows)))

        done = run_sweep(index, plan, questions, on_row=hand_out, cancel=token)
    except CancelledError:
        return messages.SweepEnded(run, None, "stopped")
    except ChunkscopeError as error:
        return messages.SweepEnded(run, None, str(error))
    return messages.SweepEnded(run, done)


def export(
    index: "CorpusIndex", configuration: Configuration, target: str, note: str
) -> Iterator[Message]:
    """`ExportReady` as soon as there is a text, and again when it is proven or not."""
    from chunkscope.export.proof import verify
    from chunkscope.export.targets import export as export_text

    try:
        text = export_text(configuration, target, note=note)
    except ChunkscopeError as error:
        yield messages.ExportReady(target, "", str(error), proven=False)
        return
    yield messages.ExportReady(target, text, "proving on the open documents …", proven=False)
    try:
        wrong = verify(configuration, target, index.corpus, index, text=text)
    except ChunkscopeError as error:
        yield messages.ExportReady(target, text, f"not proven: {error}", proven=False)
        return
    count = len(index.corpus.documents)
    proof = f"proven: the same chunks on {count} open document{'s' * (count != 1)}"
    if wrong:
        proof = f"differs: {wrong[0].doc}, chunk {wrong[0].index} ({len(wrong)} in all)"
    yield messages.ExportReady(target, text, proof, proven=not wrong)


def explain(
    index: "CorpusIndex", question: int, text: str, wanted: "Mapping[Variant, Evaluation]"
) -> "dict[tuple[Variant, int], tuple[tuple[str, float], ...]]":
    """On which words the chunks that were sent and those with evidence rank, by variant."""
    terms: dict[tuple[Variant, int], tuple[tuple[str, float], ...]] = {}
    for variant, run in wanted.items():
        line = run.questions[question]
        retriever = index.retriever(run.configuration.retriever, run.chunks)
        numbers = [entry.chunk for entry in line.retrieved[: max(1, line.context)]]
        numbers += [outcome.chunk for outcome in line.outcomes if outcome.chunk is not None]
        for chunk in dict.fromkeys(numbers):
            terms[(variant, chunk)] = tuple(retriever.explain(text, chunk))
    return terms
