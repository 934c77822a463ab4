"""What a real system returned, by question: the third lane beside A and B."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.golden.model import LocatedQuestion, Question
from chunkscope.text.document import Corpus

if TYPE_CHECKING:
    from chunkscope.evaluation.logplaces import LaneChunk, PlacedEntry


@dataclass(frozen=True)
class RealLog:
    """A log with everything that came back in its place.

    Attributes:
        name: the file's name.
        placed: its entries, in order.
        questions: what they ask, a line an entry.
        lanes: what came back by the words of the question; of several entries, the last.
        unsaid: words of the questions for which nothing says what should have come back.
    """

    name: str
    placed: "tuple[PlacedEntry, ...]"
    questions: tuple[LocatedQuestion, ...]
    lanes: "Mapping[str, tuple[LaneChunk, ...]]"
    unsaid: frozenset[str]

    @property
    def digits(self) -> int:
        """Digits of the highest rank."""
        return len(str(max((len(entry.chunks) for entry in self.placed), default=1)))

    def lane(self, question: str) -> "tuple[LaneChunk, ...]":
        """What came back for a question; nothing where the log has it not, or it has no place."""
        return self.lanes.get(words_of(question), ())

    def says(self, question: str) -> bool:
        """Whether the log has this question."""
        return words_of(question) in self.lanes


def words_of(question: str) -> str:
    """A question's words, by which the same one is known again."""
    return " ".join(question.casefold().split())


def joined(
    located: tuple[LocatedQuestion, ...],
    asked: tuple[LocatedQuestion, ...],
    brought: tuple[LocatedQuestion, ...],
) -> tuple[LocatedQuestion, ...]:
    """All questions; one that was brought is left out where a golden line asks it."""
    lines = located + asked
    if not brought:
        return lines
    known = {words_of(line.question.question) for line in lines}
    return lines + tuple(line for line in brought if words_of(line.question.question) not in known)


def read_real_log(
    path: Path, corpus: Corpus, golden: Sequence[LocatedQuestion]
) -> tuple[RealLog, tuple[LocatedQuestion, ...]]:
    """The log in its places, and its questions that are none of the golden set's.

    Raises:
        InputError: when the file cannot be read, or a line is bad.
    """
    from chunkscope.evaluation.logfile import read_log
    from chunkscope.evaluation.logplaces import lane_of, place_log

    placed = place_log(read_log(path), corpus, golden=golden)
    lanes = {words_of(entry.entry.question): lane_of(entry) for entry in placed}
    taken = {located.question.id for located in golden}
    known = {words_of(located.question.question) for located in golden}
    brought: dict[str, LocatedQuestion] = {}
    said: set[str] = set()
    asked = tuple(entry.located or _unsaid(entry, corpus) for entry in placed)
    for entry, located in zip(placed, asked, strict=True):
        words = words_of(entry.entry.question)
        if entry.located is not None:
            said.add(words)
        elif words in said:
            continue
        if words not in known:
            brought[words] = located
    unsaid = frozenset(set(brought) - said)
    return RealLog(path.name, placed, asked, lanes, unsaid), tuple(_with_own_ids(brought, taken))


def _unsaid(entry: "PlacedEntry", corpus: Corpus) -> LocatedQuestion:
    """A question of which nothing more is known than that it was asked."""
    doc = corpus.documents[0].id
    return LocatedQuestion(Question(entry.entry.id, entry.entry.question, doc, ()), ())


def _with_own_ids(brought: Mapping[str, LocatedQuestion], taken: set[str]) -> list[LocatedQuestion]:
    """An id that another question has is changed: questions are told apart by it."""
    found = []
    for located in brought.values():
        name = located.question.id
        while name in taken:
            name = f"log-{name}"
        taken.add(name)
        found.append(replace(located, question=replace(located.question, id=name)))
    return found
