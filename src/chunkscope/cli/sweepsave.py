"""The file of `sweep --save`: read before the sweep, kept up to date while it runs."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chunkscope.cli.output import say
from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.sweepresults import Sweep, SweepRow
from chunkscope.evaluation.sweepstore import (
    SweepStore,
    read_store,
    store_to_json,
    unfinished,
    with_rows_of,
)
from chunkscope.golden.atomic import update_file
from chunkscope.golden.model import GoldenSet, LocatedQuestion

_PAUSE_SECONDS = 1.0
_PAUSE_WRITES = 20
"""Between two writes pass at least so many seconds, and so many times what the last one took."""


class SavedSweep:
    """The rows in a file, and those that come.

    Attributes:
        store: the rows.
        rows: those of this run, as they came.
    """

    def __init__(
        self,
        path: Path | None,
        index: CorpusIndex,
        golden: GoldenSet,
        questions: Sequence[LocatedQuestion],
        seed: int,
    ) -> None:
        """Read the file, if there is one; `path` None: nothing is saved.

        Raises:
            InputError: when the file cannot be read, or is no saved sweep.
            NotComparableError: when it is one of another corpus or golden set.
        """
        self._path = path
        self._golden = golden
        self._questions = questions
        self._seed = seed
        self.rows: list[SweepRow] = []
        self._next = time.monotonic() + _PAUSE_SECONDS
        self._failed = False
        self.store = SweepStore()
        data = b"" if path is None else _read(path)
        if data.strip():
            self.store = read_store(
                data,
                str(path),
                corpus=index.corpus,
                golden=golden,
                questions=questions,
                table=index.evidence(questions),
                seed=seed,
            )
            if self.store.taken:
                rows = f"{self.store.taken} row{'s' * (self.store.taken != 1)}"
                say(f"{path}: {rows} measured before, taken over where the sweep has them")
        self.store.on_change = self._changed

    def add(self, row: SweepRow) -> None:
        """Keep a row that came; the file follows at a sensible rate."""
        self.rows.append(row)
        self._changed()

    def finish(self, sweep: Sweep) -> None:
        """Write the whole sweep; raises what `keep` does."""
        if self._path is not None:
            self._write(self._path, sweep)
            say(f"written: {self._path}")

    def keep(self) -> None:
        """Write what is there, whatever else went wrong.

        Raises:
            InputError: when it cannot be written.
            NotComparableError: when the file holds a sweep of something else by now.
        """
        if self._path is not None and self.rows:
            self._write(self._path, unfinished(self.rows))

    def _changed(self) -> None:
        if self._path is None or time.monotonic() < self._next:
            return
        began = time.monotonic()
        try:
            self._write(self._path, unfinished(self.rows))
        except InputError as error:
            # A full disk may have room again later: the rows so far are not given up for it.
            if not self._failed:
                say(f"warning: {error}; the sweep goes on, and is written when that is possible")
            self._failed = True
        ended = time.monotonic()
        self._next = ended + max(_PAUSE_SECONDS, _PAUSE_WRITES * (ended - began))

    def _write(self, path: Path, sweep: Sweep) -> None:
        report = store_to_json(self.store, sweep, self._golden, self._questions, self._seed)

        def change(before: bytes | None) -> bytes:
            # Rows that this sweep does not ask for stay, and those of another at work on the file.
            whole = with_rows_of(report, before or b"", str(path))
            return _row_by_row(whole).encode("ascii")

        update_file(path, change)


def _row_by_row(report: Mapping[str, Any]) -> str:
    """The report as JSON, a line a row: an indented one would take a second to write."""
    parts = [
        f"{_json(name)}: [\n{rows}\n]"
        if (rows := _lines(value))
        else f"{_json(name)}: {_json(value)}"
        for name, value in report.items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


def _lines(value: Any) -> str:
    """The lines of a list of objects; empty for anything else."""
    if not isinstance(value, list) or not all(isinstance(row, Mapping) for row in value):
        return ""
    return ",\n".join(map(_json, value))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise InputError(
            f"--save {path}: cannot be read ({error.strerror}); name another file"
        ) from None
