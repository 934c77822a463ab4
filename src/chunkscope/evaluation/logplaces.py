"""What a real system retrieved, put in its place in the corpus."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.logfile import LogChunk, LogEntry
from chunkscope.evaluation.logletters import Letters
from chunkscope.golden.asking import find_everywhere
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, LocatedEvidence, LocatedQuestion, Place, Question
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

MOST_PLACES = 64
"""Further places of one text are not looked for: it is ambiguous long before."""

WITHOUT_FIRST_LINE = "without its first line"
_LEAST_LEFT = 20
_STEP = 64


@dataclass(frozen=True)
class PlacedChunk:
    """One retrieved thing and where it stands.

    Attributes:
        given: as the log has it.
        places: none: in no document; several: the text repeats, and which it was is not guessed.
    """

    given: LogChunk
    places: tuple[Place, ...]

    @property
    def certain(self) -> bool:
        """Whether it has exactly one place."""
        return len(self.places) == 1

    @property
    def place(self) -> Place | None:
        """Its place where that is certain."""
        return self.places[0] if self.certain else None


@dataclass(frozen=True)
class PlacedEntry:
    """A log's entry with everything in its place.

    Attributes:
        entry: the entry.
        chunks: what was retrieved, best first.
        located: the question with what should have come back, located; None: not said.
    """

    entry: LogEntry
    chunks: tuple[PlacedChunk, ...]
    located: LocatedQuestion | None


@dataclass(frozen=True, slots=True)
class LaneChunk:
    """A retrieved chunk to be drawn in the text beside A and B.

    Attributes:
        doc: its document.
        span: its range.
        rank: from 1.
        certain: whether its text stands only there.
    """

    doc: str
    span: Span
    rank: int
    certain: bool


def lane_of(entry: PlacedEntry) -> tuple[LaneChunk, ...]:
    """Everything that came back for one question, as it is drawn; what has no place is left out."""
    return tuple(
        LaneChunk(place.doc, place.span, rank, chunk.certain)
        for rank, chunk in enumerate(entry.chunks, start=1)
        for place in chunk.places
    )


def place_log(
    entries: Sequence[LogEntry],
    corpus: Corpus,
    *,
    golden: Sequence[LocatedQuestion] = (),
    cancel: CancelToken | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[PlacedEntry, ...]:
    """Put retrieved and expected texts in their places.

    A text is looked for as it is, then in the golden set's looser tiers, then without its first
    line, which may be a title that was put before it.

    Args:
        entries: the log.
        corpus: the documents.
        golden: questions whose evidence is expected where an entry of the same words says nothing.
        cancel: looked at between texts.
        progress: hears (texts looked for, texts to look for).

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    wanted = list(
        dict.fromkeys(
            chunk.text for entry in entries for chunk in entry.retrieved if chunk.text is not None
        )
    )
    found = _find_texts(wanted, corpus, cancel, progress)
    expected = _find_expected(entries, corpus, cancel)
    known = {_plain(located.question.question): located for located in golden}
    return tuple(
        PlacedEntry(
            entry,
            tuple(PlacedChunk(chunk, _of(chunk, found, corpus)) for chunk in entry.retrieved),
            _located(entry, corpus, expected, known.get(_plain(entry.question))),
        )
        for entry in entries
    )


def _plain(question: str) -> str:
    return " ".join(question.casefold().split())


def _find_texts(
    wanted: Sequence[str],
    corpus: Corpus,
    cancel: CancelToken | None,
    progress: Callable[[int, int], None] | None,
) -> dict[str, tuple[Place, ...]]:
    found: dict[str, tuple[Place, ...]] = {}
    for number, text in enumerate(wanted):
        if cancel is not None and number % _STEP == 0:
            cancel.check()
        found[text] = _exact(text, corpus) or _exact(text.strip(), corpus)
        if progress is not None:
            progress(number + 1, len(wanted))
    missing = [text for text in wanted if not found[text]]
    letters = Letters(corpus, cancel) if missing else None
    loose = [text for text in missing if letters is not None and letters.may_hold(text)]
    for text, places in find_everywhere(loose, corpus, cancel).items():
        found[text] = tuple(places[:MOST_PLACES])
    for text in missing:
        _title, mark, rest = text.strip().partition("\n")
        if not found[text] and mark and len(rest.strip()) >= _LEAST_LEFT:
            found[text] = tuple(
                replace(place, tier=WITHOUT_FIRST_LINE) for place in _exact(rest.strip(), corpus)
            )
    return found


def _exact(text: str, corpus: Corpus) -> tuple[Place, ...]:
    """Every place, those that part a word too: a chunk may."""
    places: list[Place] = []
    for document in corpus.documents:
        at = document.text.find(text)
        while at >= 0 and len(places) < MOST_PLACES:
            places.append(Place(document.id, Span(at, at + len(text)), "exact"))
            at = document.text.find(text, at + 1)
    return tuple(places)


def _of(chunk: LogChunk, found: dict[str, tuple[Place, ...]], corpus: Corpus) -> tuple[Place, ...]:
    if chunk.text is not None:
        places = found[chunk.text]
        named = tuple(place for place in places if place.doc == chunk.doc)
        return named or places
    position = corpus.position(chunk.doc or "")
    if position is None or chunk.start is None or chunk.end is None:
        return ()
    if chunk.end > len(corpus.documents[position].text):
        return ()
    return (Place(corpus.documents[position].id, Span(chunk.start, chunk.end), "given"),)


def _find_expected(
    entries: Sequence[LogEntry], corpus: Corpus, cancel: CancelToken | None
) -> dict[str, list[Place]]:
    texts = [item.text.strip() for entry in entries for item in entry.expected or ()
             if item.doc is None]  # fmt: skip
    return find_everywhere(list(dict.fromkeys(texts)), corpus, cancel)


def _located(
    entry: LogEntry,
    corpus: Corpus,
    found: dict[str, list[Place]],
    known: LocatedQuestion | None,
) -> LocatedQuestion | None:
    if entry.expected is None:
        if known is None:
            return None
        return replace(known, question=replace(known.question, id=entry.id))
    items: list[LocatedEvidence] = []
    for item in entry.expected:
        if item.doc is not None:
            asked = Question(entry.id, entry.question, item.doc, (item,))
            items += locate_question(asked, corpus).items
        else:
            places = tuple(found[item.text.strip()])
            items.append(LocatedEvidence(item, places, ambiguous=len(places) > 1))
    docs = [place.doc for item in items for place in item.places]
    doc = docs[0] if docs else corpus.documents[0].id
    evidence: tuple[Evidence, ...] = tuple(item.evidence for item in items)
    question = Question(entry.id, entry.question, doc, evidence, answer=entry.answer)
    return LocatedQuestion(question, tuple(items))
