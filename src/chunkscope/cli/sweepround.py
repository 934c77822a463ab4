"""The second round of `sweep --validate`: its questions, and what they say."""

from dataclasses import dataclass
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.progress import progress
from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.secondround import SecondRound, confirm_by_halves, confirm_on
from chunkscope.evaluation.sweep import run_sweep
from chunkscope.evaluation.sweepplan import SweepPlan
from chunkscope.evaluation.sweepresults import Sweep
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.locating import locate
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.golden.reading import read_golden
from chunkscope.text.document import Corpus

HALVES = "halves"


@dataclass(frozen=True)
class SecondQuestions:
    """The other golden set, located; None where halves are asked for, or nothing is."""

    golden: GoldenSet | None = None
    questions: tuple[LocatedQuestion, ...] = ()


def second_file(value: str | None) -> list[Path]:
    """The file that `--validate` names, if it names one; it is no document."""
    return [] if value is None or value == HALVES else [Path(value)]


def read_second(value: str | None, corpus: Corpus) -> SecondQuestions:
    """The golden set that `--validate` names.

    Raises:
        InputError: when it cannot be read.
    """
    if value is None or value == HALVES:
        return SecondQuestions()
    if not value:
        raise InputError("--validate: empty; give a golden set, or halves")
    golden = read_golden(Path(value))
    with progress("locating evidence") as advance:
        return SecondQuestions(golden, locate(golden, corpus, progress=advance))


def second_round(
    sweep: Sweep, index: CorpusIndex, plan: SweepPlan, other: SecondQuestions, seed: int
) -> SecondRound:
    """Confirm the pick; Ctrl-C ends the second round alone."""
    if other.golden is None:
        return confirm_by_halves(sweep, seed=seed)
    token = CancelToken()
    with cancelled_by_ctrl_c(token), progress("second round") as advance:
        done = 0

        def on_row(_row: object) -> None:
            nonlocal done
            done += 1
            advance(done, len(plan.rows))

        second = run_sweep(index, plan, other.questions, on_row=on_row, cancel=token, seed=seed)
    return confirm_on(sweep, second, fingerprint(other.golden))
