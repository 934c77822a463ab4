"""Rows of a sweep kept beside its report, so that another run of it takes them over."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from chunkscope.errors import InputError, NotComparableError
from chunkscope.evaluation.budget import BudgetCurve
from chunkscope.evaluation.configfile import configuration_from_mapping
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.metrics import NOWHERE, FloatArray
from chunkscope.evaluation.report import sweep_to_json, versions
from chunkscope.evaluation.results import ChunkStatistics, Evaluation, GoldenCounts
from chunkscope.evaluation.summary import rows_of_type
from chunkscope.evaluation.sweepresults import Advice, Sweep, SweepRow
from chunkscope.evaluation.sweeprow import RowOutcome, no_chunks
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.retrieval.registry import calls_models
from chunkscope.splitting.chunks import IntArray
from chunkscope.text.document import Corpus

LATE_METRICS = ("recall_at_budget", "recall_luck")
"""Metrics that a row has only once all rows are there."""

_KEY = "resume"
_OTHERS = "other_rows"
_UNFINISHED = "the sweep is not finished: run it again with the same --save to go on"


@dataclass
class StoredRow:
    """A row that was measured.

    Attributes:
        chunk_set: a digest, equal for equal chunk sets.
        outcome: its numbers, without those that come once all rows are there.
        phases: recall of each question at the boundary phases that were tried.
    """

    chunk_set: bytes
    outcome: RowOutcome
    phases: dict[int, FloatArray] = field(default_factory=dict)


class SweepStore:
    """The rows of a sweep by configuration: those of an earlier run, and new ones as they come.

    Attributes:
        taken: how many rows of an earlier run it holds.
    """

    def __init__(self, rows: Mapping[str, StoredRow] | None = None) -> None:
        """A store with these rows, by the configuration's hash."""
        self._rows = dict(rows or {})
        self.taken = len(self._rows)
        self.on_change: Callable[[], None] = lambda: None

    def get(self, configuration: Configuration) -> StoredRow | None:
        """The row of a configuration."""
        return self._rows.get(configuration.hash)

    def put(self, configuration: Configuration, chunk_set: bytes, outcome: RowOutcome) -> None:
        """Keep a row that has just been measured."""
        self._rows.setdefault(configuration.hash, StoredRow(chunk_set, outcome))

    def put_phase(self, configuration: Configuration, phase: int, recall: FloatArray) -> None:
        """Keep the recall of a row at one boundary phase."""
        self._rows[configuration.hash].phases[phase] = recall
        self.on_change()


def store_to_json(
    store: SweepStore,
    sweep: Sweep,
    golden: GoldenSet,
    questions: Sequence[LocatedQuestion],
    seed: int,
) -> dict[str, Any]:
    """The report of a sweep, with what another run needs under `resume` in each row.

    Args:
        store: the rows.
        sweep: what to report.
        golden: the golden set.
        questions: its questions, located.
        seed: of the bootstrap.
    """
    report = sweep_to_json(sweep, golden)
    mark = _mark(questions)
    for row, entry in zip(sweep.rows, report["rows"], strict=True):
        stored = store.get(row.configuration)
        if stored is not None:
            entry[_KEY] = {"seed": seed, "questions": mark, **_stored_to_json(stored)}
    return report


def with_rows_of(report: dict[str, Any], data: bytes, where: str) -> dict[str, Any]:
    """The report, and under `other_rows` what the file holds and this sweep has not.

    Rows of another version are left out, for no sweep of this one can take them over.

    Args:
        report: of `store_to_json`.
        data: what the file holds now; blank: nothing.
        where: what messages call it.

    Raises:
        InputError: when it has become something else than a saved sweep.
        NotComparableError: when it has become one of another corpus or golden set.
    """
    entries = _entries(data, where) if data.strip() else []
    if report["rows"]:
        marks = report["rows"][0]
        _check_marks(entries, marks["corpus"]["fingerprint"], marks["golden"]["fingerprint"], where)
    own = {_written(row) for row in report["rows"]}
    others: dict[str, Any] = {}
    for entry in entries:
        name = _written(entry)
        if (
            name not in own
            and isinstance(entry.get(_KEY), dict)
            and entry.get("versions") == dict(versions())
        ):
            others[name] = entry
    return {**report, _OTHERS: list(others.values())} if others else report


def _written(entry: Mapping[str, Any]) -> str:
    """Equal for rows that say the same thing: of one configuration, seed and set of places."""
    kept = entry.get(_KEY)
    marks = [kept.get("seed"), kept.get("questions")] if isinstance(kept, dict) else []
    return json.dumps([entry.get("config"), *marks], sort_keys=True)


def _check_marks(
    entries: Sequence[Mapping[str, Any]], corpus: str, golden: str, where: str
) -> None:
    for entry in entries:
        for name, mark in (("corpus", corpus), ("golden", golden)):
            if entry[name]["fingerprint"] != mark:
                other = "corpus" if name == "corpus" else "golden set"
                raise NotComparableError(
                    f"--save {where}: holds a sweep of another {other}; name another file"
                )


def unfinished(rows: Sequence[SweepRow]) -> Sweep:
    """The sweep of which only these rows are there yet."""
    return Sweep(tuple(rows), (), Advice(None, (_UNFINISHED,)), stopped=True)


def read_store(
    data: bytes,
    where: str,
    *,
    corpus: Corpus,
    golden: GoldenSet,
    questions: Sequence[LocatedQuestion],
    table: EvidenceTable,
    seed: int,
) -> SweepStore:
    """The rows of a saved sweep that a new run need not measure again.

    Rows of another version of anything that numbers may depend on, of another seed or without
    what is needed are left out.

    Args:
        data: the file's content.
        where: what messages call it.
        corpus: the documents of the new run.
        golden: its golden set.
        questions: the questions of that, located.
        table: their evidence.
        seed: of the bootstrap.

    Raises:
        InputError: when it is no saved sweep.
        NotComparableError: when it is one of another corpus or golden set.
    """
    entries = _entries(data, where)
    _check_marks(entries, corpus.fingerprint, fingerprint(golden), where)
    reader = _Reader(corpus, questions, table)
    mark = _mark(questions)
    rows: dict[str, StoredRow] = {}
    for entry in entries:
        kept = entry.get(_KEY)
        if (
            entry.get("versions") != dict(versions())
            or not isinstance(kept, dict)
            or (kept.get("seed"), kept.get("questions")) != (seed, mark)
        ):
            continue
        try:
            configuration = configuration_from_mapping(entry["config"], where)
            if calls_models(configuration.retriever):
                # A model of that name may be another by now; its vectors are kept by revision,
                # so that ranking by them again costs little.
                continue
            rows[configuration.hash] = reader.row(configuration, entry, kept)
        except (KeyError, TypeError, ValueError, IndexError, InputError):
            # A row that was tampered with is measured again.
            continue
    return SweepStore(rows)


def _entries(data: bytes, where: str) -> list[dict[str, Any]]:
    wrong = InputError(
        f"--save {where}: is there and is no saved sweep; name another file or remove it"
    )
    try:
        report = json.loads(data)
        entries: list[dict[str, Any]] = [*report["rows"], *report.get(_OTHERS, [])]
        for entry in entries:
            if not all(
                isinstance(entry[name]["fingerprint"], str) for name in ("corpus", "golden")
            ):
                raise wrong
    except (ValueError, KeyError, TypeError, RecursionError):
        raise wrong from None
    return entries


def _mark(questions: Sequence[LocatedQuestion]) -> str:
    """Equal where every question has its type and its evidence its places."""
    listed = [
        [
            located.question.id,
            located.question.type,
            [
                [[place.doc, place.span.start, place.span.end] for place in item.places]
                for item in located.items
            ],
        ]
        for located in questions
    ]
    return hashlib.sha256(json.dumps(listed).encode("ascii")).hexdigest()


def _stored_to_json(stored: StoredRow) -> dict[str, Any]:
    outcome, curve = stored.outcome, stored.outcome.curve
    per_question = outcome.evaluation.per_question
    return {
        "chunk_set": stored.chunk_set.hex(),
        "sizes": outcome.sizes.tolist(),
        "size_counts": outcome.size_counts.tolist(),
        "recall": per_question["recall"].tolist() if "recall" in per_question else [],
        "budget": {
            "item_tokens": [
                None if tokens == NOWHERE else tokens for tokens in curve.item_tokens.tolist()
            ],
            "first": curve.first.tolist(),
            "last": curve.last.tolist(),
            "complete": curve.complete.astype(np.int64).tolist(),
        },
        "phases": {str(phase): recall.tolist() for phase, recall in stored.phases.items()},
    }


class _Reader:
    """Makes rows of a report's entries again."""

    def __init__(
        self, corpus: Corpus, questions: Sequence[LocatedQuestion], table: EvidenceTable
    ) -> None:
        measured = [questions[number].question for number in table.questions.tolist()]
        self._corpus = corpus
        self._rows = table.rows
        self._items = len(table.item_question)
        self._ids = tuple(question.id for question in measured)
        self._types = rows_of_type([question.type for question in measured])

    def row(
        self, configuration: Configuration, entry: Mapping[str, Any], kept: Mapping[str, Any]
    ) -> StoredRow:
        budget = kept["budget"]
        items = [NOWHERE if tokens is None else tokens for tokens in budget["item_tokens"]]
        curve = BudgetCurve(
            item_tokens=_whole(items, self._items),
            first=_whole(budget["first"], self._rows),
            last=_whole(budget["last"], self._rows),
            complete=_whole(budget["complete"], self._rows) > 0,
        )
        sizes = _whole(kept["sizes"], len(kept["sizes"]))
        outcome = RowOutcome(
            evaluation=self._evaluation(configuration, entry, kept),
            curve=curve,
            sizes=sizes,
            size_counts=_whole(kept["size_counts"], len(sizes)),
            one_chunk=bool(entry["one_chunk_a_document"]),
            saturated=bool(entry["saturated"]),
        )
        phases = {
            int(phase): _recall(recall, self._rows) for phase, recall in kept["phases"].items()
        }
        return StoredRow(bytes.fromhex(kept["chunk_set"]), outcome, phases)

    def _evaluation(
        self, configuration: Configuration, entry: Mapping[str, Any], kept: Mapping[str, Any]
    ) -> Evaluation:
        counts = {name: value for name, value in entry["golden"].items() if name != "fingerprint"}
        low, high = entry["recall_range"]
        return Evaluation(
            configuration=configuration,
            chunks=no_chunks(self._corpus, configuration.splitter.size),
            statistics=ChunkStatistics(**entry["chunks"]),
            questions=(),
            metrics=_early(entry["metrics"]),
            sd=_early(entry["sd"]),
            intervals={
                name: (ends[0], ends[1])
                for name, ends in entry["intervals"].items()
                if name not in LATE_METRICS
            },
            recall_range=(low, high),
            by_type={name: _early(found) for name, found in entry["by_type"].items()},
            warnings=tuple(
                line for line in entry["warnings"] if not line.startswith("recall_at_budget:")
            ),
            counts=GoldenCounts(**counts),
            measured=self._ids,
            per_question={"recall": _recall(kept["recall"], self._rows)},
            corpus_tokens=entry["corpus"]["tokens"],
            rows_of_type=self._types,
        )


def _early(metrics: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: None if name in LATE_METRICS else value for name, value in metrics.items()}


def _whole(values: Sequence[int], length: int) -> IntArray:
    array = np.array(values, np.int64)
    if array.shape != (length,):
        raise ValueError(f"{array.shape} in place of {length} numbers")
    return array


def _recall(values: Sequence[float], length: int) -> FloatArray:
    array = np.array(values, np.float64)
    if array.shape != (length,) or not ((array >= 0) & (array <= 1)).all():
        raise ValueError("no recall of each question")
    return array


def with_configuration(outcome: RowOutcome, configuration: Configuration) -> RowOutcome:
    """The outcome under the configuration as it is written now: `10%` is not 25 of 256."""
    return replace(outcome, evaluation=replace(outcome.evaluation, configuration=configuration))
