"""A golden set under review: each step written at once, taken back to the byte.

What is rejected leaves the golden set, so that no reader counts it, and stands in a golden set of
its own beside it. A question that moves is first written where it goes, then taken from where it
was: whatever ends the program in between, it stands in one of them.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from chunkscope.errors import InputError
from chunkscope.golden.atomic import ABSENT, ChangedError, digest
from chunkscope.golden.lock import holding
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.reviewing import TO_REVIEW, Reviewer, status
from chunkscope.golden.writing import write_golden
from chunkscope.text.loading.discover import REJECTED_ENDING

__all__ = ["ChangedError", "ReviewFile", "rejected_path"]


def rejected_path(path: Path) -> Path:
    """Where what is rejected from the golden set at `path` is kept."""
    return path.with_name(f"{path.name.removesuffix('.jsonl')}{REJECTED_ENDING}")


@dataclass(frozen=True)
class _Change:
    """One place of a file: what stood there (None: nothing) and what stands there after it."""

    at: int
    before: Question | None
    after: Question | None

    @property
    def inverse(self) -> "_Change":
        return _Change(self.at, self.after, self.before)

    def applied(self, golden: GoldenSet) -> GoldenSet:
        questions = list(golden.questions)
        stop = self.at + (self.before is not None)
        questions[self.at : stop] = [self.after] if self.after is not None else []
        return replace(golden, questions=tuple(questions))


@dataclass(frozen=True)
class _Step:
    """One step: the question it is about, changes of both files, and which is written first."""

    id: str
    golden: tuple[_Change, ...] = ()
    rejected: tuple[_Change, ...] = ()
    golden_first: bool = True

    @property
    def inverse(self) -> "_Step":
        return _Step(
            self.id,
            tuple(change.inverse for change in reversed(self.golden)),
            tuple(change.inverse for change in reversed(self.rejected)),
            not self.golden_first,
        )

    def then(self, step: "_Step") -> "_Step":
        """Both, one after the other, as one."""
        golden, rejected = self.golden + step.golden, self.rejected + step.rejected
        return _Step(step.id, golden, rejected, step.golden_first)


@dataclass(frozen=True)
class _Sets:
    """What both files hold."""

    golden: GoldenSet
    rejected: GoldenSet

    def after(self, step: _Step) -> "_Sets":
        golden, rejected = self.golden, self.rejected
        for change in step.golden:
            golden = change.applied(golden)
        for change in step.rejected:
            rejected = change.applied(rejected)
        return _Sets(golden, rejected)


class _Kept:
    """A file of questions as it was last read or written."""

    def __init__(self, path: Path, *, optional: bool) -> None:
        self.path = path
        there = not optional or path.exists()
        self.golden = read_golden(path) if there else GoldenSet((), path)
        self._digest = self.golden.digest if there else ABSENT
        self._stays = there and not (optional and (self.golden.questions or self.golden.tail))

    def check(self) -> None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            data = None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror})") from None
        if digest(data) != self._digest:
            raise ChangedError(
                f"{self.path}: another program changed it since it was read; nothing was written"
            )

    def write(self, golden: GoldenSet) -> None:
        if golden.questions or golden.tail or self._stays:
            self._digest = write_golden(golden, self.path, known=self._digest).after
        elif self._digest != ABSENT:
            with holding(Path(os.path.realpath(self.path))):
                self.check()
                try:
                    self.path.unlink()
                except OSError as error:
                    raise InputError(f"{self.path}: cannot be removed ({error.strerror})") from None
            self._digest = ABSENT
        self.golden = golden


class ReviewFile:
    """The golden set at a path and, beside it, what was rejected from it.

    Args:
        path: the golden set.
        reviewer: whose verdicts they are.

    Raises:
        InputError: when a file cannot be read.
    """

    def __init__(self, path: Path, reviewer: Reviewer) -> None:
        self.path = path
        self.reviewer = reviewer
        self._past: list[_Step] = []
        self._known: tuple[GoldenSet, GoldenSet, Mapping[str, Question], frozenset[str]] | None = (
            None
        )
        self.read_again()

    def read_again(self) -> None:
        """Both files as they are now; steps before that cannot be taken back any more."""
        golden = _Kept(self.path, optional=False)
        rejected = _Kept(rejected_path(self.path), optional=True)
        self._golden, self._rejected = golden, rejected
        self._past.clear()
        known = [*self._golden.golden.questions, *self._rejected.golden.questions]
        self._order = {question.id: number for number, question in reversed([*enumerate(known)])}

    @property
    def golden(self) -> GoldenSet:
        """What counts."""
        return self._golden.golden

    @property
    def rejected(self) -> GoldenSet:
        """What does not."""
        return self._rejected.golden

    @property
    def steps(self) -> int:
        """How many steps can be taken back."""
        return len(self._past)

    @property
    def questions(self) -> Mapping[str, Question]:
        """All by id, rejected or not; the golden set's where both have one of an id."""
        return self._by_id()[0]

    def counts(self, id: str) -> bool:
        """Whether a question of that id stands in the golden set."""
        return id in self._by_id()[1]

    def _by_id(self) -> tuple[Mapping[str, Question], frozenset[str]]:
        sets = (self.golden, self.rejected)
        if self._known is None or self._known[0] is not sets[0] or self._known[1] is not sets[1]:
            inside = {question.id: question for question in self.golden.questions}
            others = {question.id: question for question in self.rejected.questions}
            self._known = (*sets, {**others, **inside}, frozenset(inside))
        return self._known[2:]

    def find(self, id: str) -> Question | None:
        """The question of that id, rejected or not, or None."""
        return self.questions.get(id)

    def queue(self, *, everything: bool = False) -> tuple[str, ...]:
        """Ids of what is to be reviewed, in file order; `everything`: of all, rejected ones last.

        Without `everything`, neither questions written by hand nor reviewed ones are there.
        """
        ids = [
            question.id for question in self.golden.questions if everything or _is_open(question)
        ]
        if everything:
            ids += [question.id for question in self.rejected.questions]
        return tuple(dict.fromkeys(ids))

    def is_open(self, id: str) -> bool:
        """Whether a question still waits for a verdict."""
        return self.counts(id) and _is_open(self.questions[id])

    # --- steps -----------------------------------------------------------------------------------

    def accept(self, *ids: str) -> None:
        """They count; what was rejected goes back to where it stood. All is written at once.

        Raises:
            ChangedError: when a file is another than the one read; nothing was written.
            InputError: when there is no such question, or a file cannot be written.
        """
        self._judge(ids, self._accepting)

    def reject(self, *ids: str) -> None:
        """They count no more, and stand among what was rejected; raises as `accept` does."""
        self._judge(ids, self._rejecting)

    def edit(self, question: Question) -> bool:
        """This form of the question of its id, still to be accepted; False when nothing changed.

        Raises as `accept` does.
        """
        before = self._named(question.id)
        if question == before:
            return False
        made = question
        if status(before) != "rejected":
            made = self.reviewer.judge(question, "edited")
        at = _position(self.golden.questions, question.id)
        there = _position(self.rejected.questions, question.id)
        if at is not None:
            self._do(_Step(question.id, (_Change(at, before, made),)))
        elif there is not None:
            self._do(_Step(question.id, (), (_Change(there, before, made),)))
        return True

    def edit_anew(self, before: Question, question: Question) -> str:
        """The same after another program wrote, and the files were read again.

        Where it changed the question, too, or took it away, its form stays and this one is a
        question beside it. Gives the id under which this form stands; raises as `accept` does.
        """
        now = self.find(before.id)
        if now is not None and replace(now, line=before.line) == before:
            self.edit(replace(question, line=now.line, raw=now.raw))
            return before.id
        id = question.id if now is None else _free_id(question.id, [*self.questions.values()])
        kept = self.reviewer.judge(replace(question, id=id, line=0, raw=""), "edited")
        self._order.setdefault(id, len(self._order))
        self._do(_Step(id, (_Change(len(self.golden.questions), None, kept),)))
        return id

    def undo(self) -> str | None:
        """Take back the last step; gives the question's id, or None when there is none.

        Raises as `accept` does; the step can then still be taken back.
        """
        if not self._past:
            return None
        step = self._past[-1]
        self._write(step.inverse)
        self._past.pop()
        return step.id

    def _judge(self, ids: Sequence[str], judging: Callable[[_Sets, Question], _Step]) -> None:
        sets, whole = self._sets, _Step("")
        for question in [self._named(id) for id in dict.fromkeys(ids)]:
            step = judging(sets, question)
            sets, whole = sets.after(step), whole.then(step)
        if whole.golden or whole.rejected:
            self._do(whole)

    def _accepting(self, sets: _Sets, question: Question) -> _Step:
        id, judged = question.id, self.reviewer.judge(question, "accepted")
        kept = sets.rejected.questions
        at, there = _position(sets.golden.questions, id), _position(kept, id)
        if at is not None:
            # What a program that ended in between left among the rejected goes, too.
            left = (
                ()
                if there is None or not _same(kept[there], question)
                else (_Change(there, kept[there], None),)
            )
            return _Step(id, (_Change(at, question, judged),), left)
        there = there or 0
        back = _Change(self._place(sets.golden, id), None, judged)
        return _Step(id, (back,), (_Change(there, question, None),))

    def _rejecting(self, sets: _Sets, question: Question) -> _Step:
        id, judged = question.id, self.reviewer.judge(question, "rejected")
        kept = sets.rejected.questions
        at, there = _position(sets.golden.questions, id), _position(kept, id)
        if at is None:
            return _Step(id, (), (_Change(there or 0, question, judged),), golden_first=False)
        if there is not None and _same(kept[there], question):
            # It was left in both files by a program that ended in between.
            goes = _Change(there, kept[there], judged)
        else:
            if there is not None:
                # Another question of that id was rejected before: neither may be lost.
                judged = replace(judged, id=_free_id(id, [*kept, *sets.golden.questions]))
            goes = _Change(len(kept), None, judged)
        return _Step(id, (_Change(at, question, None),), (goes,), golden_first=False)

    @property
    def _sets(self) -> _Sets:
        return _Sets(self.golden, self.rejected)

    def _do(self, step: _Step) -> None:
        self._write(step)
        self._past.append(step)

    def _write(self, step: _Step) -> None:
        """What puts a question somewhere is written before what takes it from elsewhere."""
        made = self._sets.after(step)
        changed = [(self._golden, made.golden)] if step.golden else []
        changed += [(self._rejected, made.rejected)] if step.rejected else []
        if not step.golden_first:
            changed.reverse()
        self._golden.check()
        self._rejected.check()
        done: list[tuple[_Kept, GoldenSet]] = []
        try:
            for kept, golden in changed:
                before = kept.golden
                kept.write(golden)
                done.append((kept, before))
        except InputError:
            for kept, before in done:
                # It stands in both files then, and is lost from none.
                with suppress(InputError):
                    kept.write(before)
            raise

    def _named(self, id: str) -> Question:
        question = self.find(id)
        if question is None:
            raise InputError(f"{self.path}: no question {id!r}; --list names those to review")
        return question

    def _place(self, golden: GoldenSet, id: str) -> int:
        """Where a rejected question goes back to: before what came after it."""
        own = self._order.get(id, len(self._order))
        later = (
            at
            for at, question in enumerate(golden.questions)
            if self._order.get(question.id, own) > own
        )
        return next(later, len(golden.questions))


def _position(questions: Sequence[Question], id: str) -> int | None:
    return next((at for at, question in enumerate(questions) if question.id == id), None)


def _is_open(question: Question) -> bool:
    """Of a question of the golden set: one that says it was rejected counts, and so waits too."""
    return status(question) in TO_REVIEW or status(question) == "rejected"


def _same(first: Question, second: Question) -> bool:
    """Whether two lines ask the same of the same evidence, whatever was said of them."""
    one = (first.question, first.doc, first.evidence)
    return one == (second.question, second.doc, second.evidence)


def _free_id(id: str, questions: Sequence[Question]) -> str:
    taken = {question.id for question in questions}
    number = 2
    while f"{id}-{number}" in taken:
        number += 1
    return f"{id}-{number}"
