"""A case: one question as it was answered, kept so that it can be seen and tried again."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.report import versions
from chunkscope.evaluation.results import Evaluation, QuestionResult, Verdict
from chunkscope.golden.model import LocatedEvidence, Place
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Corpus
from chunkscope.text.loading.reading import Reading

CONTEXT = 120
"""Characters kept before and after each place of evidence."""


@dataclass(frozen=True)
class CaseChunk:
    """One retrieved chunk.

    Attributes:
        doc: its document's id.
        start: first code point.
        end: one past the last.
        score: the retriever's.
        sent: within the first cut-off, or the budget.
        sha256: of what the retriever saw, prefix included.
        text: the same; None where texts are left out.
    """

    doc: str
    start: int
    end: int
    score: float
    sent: bool
    sha256: str
    text: str | None


@dataclass(frozen=True)
class CaseVariant:
    """What one configuration gave.

    Attributes:
        reason: why, in one sentence; it quotes the document, so None where texts are left out.
        rank: rank of the first chunk that holds an item whole in the full ranking, or None.
        recall: None: not measured.
        coverage: None: not measured.
        retrieved: the ranking down to the largest cut-off.
    """

    configuration: Configuration
    verdict: Verdict
    reason: str | None
    rank: int | None
    recall: float | None
    coverage: float | None
    retrieved: tuple[CaseChunk, ...]


@dataclass(frozen=True)
class CasePlace:
    """One place of a piece of evidence.

    Attributes:
        tier: how it was located.
        sha256: of the text there.
        text: that text; None where texts are left out, as are the next two.
        before: up to `CONTEXT` characters before it.
        after: up to `CONTEXT` characters after it.
    """

    doc: str
    start: int
    end: int
    tier: str
    sha256: str
    text: str | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class CaseEvidence:
    """One evidence item: any of its places serves; none: it was not found.

    Attributes:
        text: as it was given; None where texts are left out.
    """

    text: str | None
    places: tuple[CasePlace, ...]


@dataclass(frozen=True)
class CaseDocument:
    """A document that holds evidence or a retrieved chunk."""

    id: str
    sha256: str
    characters: int


@dataclass(frozen=True)
class Case:
    """One question, kept.

    Attributes:
        id: the question's.
        question: what was asked; it stays where texts are left out, as it is asked again.
        doc: the document the question names.
        type: the question's.
        answer: the question's; None where texts are left out.
        evidence: its items as they were located.
        a: variant A.
        b: variant B, if there was one.
        documents: those that hold evidence or retrieved chunks, by id.
        corpus: fingerprint of all documents.
        corpus_documents: how many there were.
        versions: of everything that a number may depend on.
        paths: where the documents are, relative to the case's file.
        golden: the golden set's file, named likewise, which is no document; None: there was none.
        reading: how the files were read; never with passwords.
        texts: whether texts of documents are kept.
    """

    id: str
    question: str
    doc: str
    evidence: tuple[CaseEvidence, ...]
    a: CaseVariant
    b: CaseVariant | None
    documents: tuple[CaseDocument, ...]
    corpus: str
    corpus_documents: int
    type: str | None = None
    answer: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    golden: str | None = None
    reading: Reading = field(default_factory=Reading)
    texts: bool = True

    @property
    def variants(self) -> tuple[tuple[str, CaseVariant], ...]:
        """The variants there are, each with its letter."""
        return (("A", self.a),) if self.b is None else (("A", self.a), ("B", self.b))


def make_case(
    question_id: str,
    a: Evaluation,
    b: Evaluation | None = None,
    *,
    texts: bool = True,
    paths: Sequence[str] = (),
    golden: str | None = None,
    reading: Reading | None = None,
) -> Case:
    """The case of one question.

    Args:
        question_id: the question.
        a: a run of variant A made by `evaluate`, with a line a question.
        b: the same of variant B over the same corpus and questions, if any.
        texts: keep texts of documents; without them ranges and SHA-256 sums stay.
        paths: where the documents are, as the case's file shall name them (`relative_paths`).
        golden: the golden set's file, named likewise.
        reading: how the files were read; None: as usual.

    Raises:
        InputError: when a run has no such question.
    """
    line = _line(a, question_id)
    corpus = a.chunks.corpus
    question = line.located.question
    variants = [_variant(run, _line(run, question_id), texts) for run in (a, b) if run is not None]
    evidence = tuple(_evidence(item, corpus, texts) for item in line.located.items)
    held = {place.doc for item in evidence for place in item.places}
    held |= {chunk.doc for variant in variants for chunk in variant.retrieved} | {question.doc}
    return Case(
        id=question.id,
        question=question.question,
        doc=question.doc,
        type=question.type,
        answer=question.answer if texts else None,
        evidence=evidence,
        a=variants[0],
        b=variants[1] if len(variants) > 1 else None,
        documents=tuple(
            CaseDocument(document.id, document.sha256, len(document.text))
            for document in corpus.documents
            if document.id in held
        ),
        corpus=corpus.fingerprint,
        corpus_documents=len(corpus.documents),
        versions=dict(versions()),
        paths=tuple(paths),
        golden=golden,
        reading=replace(reading or Reading(), passwords=()),
        texts=texts,
    )


def sha256_of(text: str) -> str:
    """SHA-256 of a text's UTF-8 (surrogatepass), in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def case_file_name(question_id: str) -> str:
    """A file name for a question's case: plain letters, and told apart by a part of a hash."""
    kept = "".join(letter if _is_plain(letter) else "-" for letter in question_id)[:60].strip("-.")
    if kept == question_id:
        return f"{kept}.case.json"
    return f"{kept or 'case'}-{sha256_of(question_id)[:8]}.case.json"


def relative_paths(paths: Sequence[Path], folder: Path) -> tuple[str, ...]:
    """Paths as a case in `folder` names them: relative to it where that can be, `/` between."""
    named = []
    base = folder.resolve()
    for path in paths:
        whole = path.resolve()
        try:
            named.append(Path(os.path.relpath(whole, base)).as_posix())
        except ValueError:  # another drive
            named.append(whole.as_posix())
    return tuple(named)


def _is_plain(letter: str) -> bool:
    return letter.isascii() and (letter.isalnum() or letter in "-_.")


def _line(run: Evaluation, question_id: str) -> QuestionResult:
    for line in run.questions:
        if line.located.question.id == question_id:
            return line
    raise InputError(f"question {question_id!r} is not in the run; give one of its ids")


def _variant(run: Evaluation, line: QuestionResult, texts: bool) -> CaseVariant:
    return CaseVariant(
        configuration=run.configuration,
        verdict=line.verdict,
        reason=line.reason if texts else None,
        rank=line.rank,
        recall=line.metrics.get("recall"),
        coverage=line.metrics.get("coverage"),
        retrieved=retrieved_chunks(run.chunks, line, texts=texts),
    )


def retrieved_chunks(
    chunks: ChunkSet, line: QuestionResult, *, texts: bool = True
) -> tuple[CaseChunk, ...]:
    """The chunks of a question's line, best first."""
    found = []
    for position, entry in enumerate(line.retrieved):
        text = chunks.indexed_text(entry.chunk)
        found.append(
            CaseChunk(
                doc=chunks.corpus.documents[int(chunks.documents[entry.chunk])].id,
                start=int(chunks.starts[entry.chunk]),
                end=int(chunks.ends[entry.chunk]),
                score=float(entry.score),
                sent=position < line.context,
                sha256=sha256_of(text),
                text=text if texts else None,
            )
        )
    return tuple(found)


def _evidence(item: LocatedEvidence, corpus: Corpus, texts: bool) -> CaseEvidence:
    places = tuple(
        made for place in item.places if (made := _place(place, corpus, texts)) is not None
    )
    return CaseEvidence(item.evidence.text if texts else None, places)


def _place(place: Place, corpus: Corpus, texts: bool) -> CasePlace | None:
    position = corpus.position(place.doc)
    if position is None:
        return None
    text = corpus.documents[position].text
    low, high = place.span
    own = text[low:high]
    return CasePlace(
        doc=place.doc,
        start=low,
        end=high,
        tier=place.tier,
        sha256=sha256_of(own),
        text=own if texts else None,
        before=text[max(0, low - CONTEXT) : low] if texts else None,
        after=text[high : high + CONTEXT] if texts else None,
    )
