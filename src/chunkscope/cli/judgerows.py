"""Which configurations `judge` takes: sizes, files, or the best rows of a saved sweep."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.cli.configure import build_configuration, given_settings, with_effective_unit
from chunkscope.errors import InputError, NotComparableError
from chunkscope.evaluation.configfile import (
    check_configuration,
    configuration_from_mapping,
    read_configuration,
    read_given,
)
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.sweepplan import parse_sizes, parse_vary, plan_sweep, unused_settings
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet
from chunkscope.llm.judging_results import FEWEST, MOST
from chunkscope.text.document import Corpus

_KINDS = frozenset({"splitter", "retriever", "embedder"})
"""Flags that stand beside files: they allow code that a file names."""


@dataclass(frozen=True)
class Rows:
    """Configurations to judge.

    Attributes:
        configurations: two or three of them.
        notes: lines to show.
        made_with: fingerprints of the corpus and golden set they were chosen on; empty: none.
    """

    configurations: tuple[Configuration, ...]
    notes: tuple[str, ...] = ()
    made_with: tuple[str, str] | None = None

    def check(self, corpus: Corpus, golden: GoldenSet) -> None:
        """Refuse a corpus or golden set that the configurations were not chosen on.

        Raises:
            NotComparableError: naming which.
        """
        if self.made_with is None:
            return
        for name, before, now in zip(
            ("corpus", "golden set"),
            self.made_with,
            (corpus.fingerprint, fingerprint(golden)),
            strict=True,
        ):
            if before != now:
                raise NotComparableError(
                    f"--from: the sweep was made over another {name}; give the same PATHs and "
                    "--golden, or sweep again"
                )


def rows_of(arguments: argparse.Namespace) -> Rows:
    """The configurations that the flags name.

    Raises:
        InputError: when they are fewer than two or more than three, or cannot run.
    """
    files = [(name, getattr(arguments, name)) for name in ("a", "b", "c")]
    given = [file for _, file in files if file is not None]
    ways = [bool(arguments.sizes or arguments.vary), bool(given), arguments.source is not None]
    if sum(ways) != 1:
        raise InputError(
            "judge: say which configurations, in one way: --sizes 128,256, or --a A.toml --b "
            "B.toml, or --from SWEEP.json"
        )
    if ways[0]:
        rows = _planned(arguments)
    else:
        _refuse_settings(arguments, "--from" if ways[2] else "--a and --b")
        rows = _saved(arguments) if ways[2] else _read(arguments, given)
    _check_number(len(rows.configurations))
    if len({one.hash for one in rows.configurations}) < len(rows.configurations):
        raise InputError("judge: two of the configurations are the same; leave one out")
    return rows


def _check_number(count: int) -> None:
    if count < FEWEST:
        raise InputError(f"judge: {count} configuration; give two or three to compare")
    if count > MOST:
        raise InputError(
            f"judge: {count} configurations; give two or three: every question is paid for in "
            "each, and among more of them some win by chance (sweep, then --from its file)"
        )


def _planned(arguments: argparse.Namespace) -> Rows:
    configuration, notes = build_configuration(arguments)
    vary = dict(map(parse_vary, arguments.vary))
    size = configuration.splitter.size
    sizes = parse_sizes(arguments.sizes) if arguments.sizes is not None else (size,)
    plan = plan_sweep(configuration, sizes, (configuration.splitter.overlap,), vary)
    if plan.skipped:
        left = plan.skipped[0]
        raise InputError(f"judge: {left.configuration.label} cannot run: {left.reason}")
    notes += [f"warning: {line}" for line in unused_settings(plan, vary)]
    return Rows(plan.rows, tuple(notes))


def _read(arguments: argparse.Namespace, files: Sequence[Path]) -> Rows:
    made, notes = [], []
    for file in files:
        configuration = read_configuration(file, flags=_allowed(arguments))
        warnings = check_configuration(configuration, read_given(file))
        notes += [f"warning: {file}: {line}" for line in warnings]
        made.append(with_effective_unit(configuration))
    return Rows(tuple(made), tuple(notes))


def _saved(arguments: argparse.Namespace) -> Rows:
    """The pick of a saved sweep and the best rows that are not ruled out, cheapest first."""
    where = f"--from {arguments.source}"
    report = _report(arguments.source, where)
    try:
        picked, others, corpus, golden = _chosen(report, where)
        entries = sorted([picked, *others[: MOST - 1]], key=_tokens)
        configs = [dict(entry["config"]) for entry in entries]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, StopIteration):
        raise InputError(f"{where}: not a sweep; give what `sweep --save` wrote") from None
    if not others:
        raise InputError(
            f"{where}: every row but the pick is ruled out, so there is nothing to judge; name "
            "others by --sizes"
        )
    made = [configuration_from_mapping(one, where, flags=_allowed(arguments)) for one in configs]
    for one in made:
        check_configuration(one)
    place = "ABC"[entries.index(picked)]
    notes = [f"{where}: {place} is its pick; beside it the best rows that are not ruled out"]
    left = len(others) - (len(entries) - 1)
    if left:
        notes.append(f"{left} more row{'s' * (left != 1)} not ruled out, with less recall")
    return Rows(tuple(made), tuple(notes), (corpus, golden))


def _chosen(
    report: Mapping[str, Any], where: str
) -> tuple[Mapping[str, Any], list[Mapping[str, Any]], str, str]:
    """The pick's row, the other rows worth judging, best first, and what they were made with."""
    rows: list[Mapping[str, Any]] = report["rows"]
    pick = report["advice"]["pick"]
    if pick is None:
        raise InputError(f"{where}: it advises no row: {'; '.join(report['advice']['reasons'])}")
    picked = next(row for row in rows if row["config"] == pick)
    others = [
        row
        for row in rows
        if row is not picked
        and row["same_as"] is None
        and not row["saturated"]
        and not row["one_chunk_a_document"]
        and not row.get("ruled_out", True)
    ]
    others.sort(key=lambda row: (-round(_recall(row), 12), _tokens(row)))
    return picked, others, picked["corpus"]["fingerprint"], picked["golden"]["fingerprint"]


def _recall(row: Mapping[str, Any]) -> float:
    """The recall a row is judged by: over boundary phases where there is one."""
    metrics = row["metrics"]
    luck = metrics.get("recall_luck")
    return float(metrics["recall"] if luck is None else luck)


def _tokens(row: Mapping[str, Any]) -> float:
    return float(row["metrics"]["context_tokens"])


def _report(path: Path, where: str) -> Mapping[str, Any]:
    try:
        report = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror}); check the path") from None
    except (ValueError, RecursionError):
        raise InputError(f"{where}: not JSON; give what `sweep --save` wrote") from None
    if not isinstance(report, dict):
        raise InputError(f"{where}: not a sweep; give what `sweep --save` wrote")
    return report


def _allowed(arguments: argparse.Namespace) -> frozenset[str]:
    named = (arguments.splitter, arguments.retriever, arguments.embedder)
    return frozenset(value for value in named if value is not None)


def _refuse_settings(arguments: argparse.Namespace, flag: str) -> None:
    """Settings beside files would be taken to change them."""
    names = sorted(given_settings(arguments) - _KINDS)
    names += [name for name in ("config", "preset") if getattr(arguments, name) is not None]
    if names:
        shown = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise InputError(f"{shown}: {flag} hold whole configurations; write it there")
