"""What is wrong with the chunks themselves, without any question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.health_edges import EDGE_CHECKS, EdgeExaminer
from chunkscope.evaluation.health_mends import mend_of
from chunkscope.evaluation.health_sections import (
    Fault,
    mixed_sections,
    parted_headings,
    rows_without_header,
)
from chunkscope.evaluation.health_structure import Structure, find_structure
from chunkscope.splitting.chunks import BoolArray, ChunkSet, Cuts, IntArray
from chunkscope.splitting.seen import SeenTexts, number_of
from chunkscope.splitting.whitespace import SpaceRuns, is_space
from chunkscope.text.document import Document

Unit = Literal["chunks", "headings", "boundaries", "characters"]

_TITLES: dict[str, tuple[str, Unit]] = {
    "sentence": ("begin or end inside a sentence", "chunks"),
    "word": ("begin or end inside a word", "chunks"),
    "grapheme": ("begin or end inside a grapheme", "chunks"),
    "code_fence": ("begin or end inside a code fence", "chunks"),
    "table_row": ("begin or end inside a table row", "chunks"),
    "list": ("begin or end inside a list", "chunks"),
    "heading_parted": ("headings parted from their text", "headings"),
    "blank": ("blank", "chunks"),
    "tiny": ("shorter than a tenth of the size", "chunks"),
    "oversize": ("longer than the size", "chunks"),
    "duplicate": ("with the text of an earlier chunk", "chunks"),
    "several_sections": ("over several sections", "chunks"),
    "table_header": ("table rows without their header", "chunks"),
    "pronoun": ("open on a pronoun", "chunks"),
    "uncovered": ("characters in no chunk, white space left out", "characters"),
    "idle_overlap": ("boundaries that the overlap asked for does not reach over", "boundaries"),
}

HEALTH_CHECKS: tuple[str, ...] = tuple(_TITLES)
"""Every check by name, in the order of the report."""

# English; a word that other languages write too is left out.
_PRONOUN = re.compile(
    r"\W*(?:it|its|they|them|their|theirs|these|those|this|that|he|she|him|his|her|hers)\b",
    re.IGNORECASE,
)
_DOCUMENTS_PER_CHECK = 16


@dataclass(frozen=True, slots=True)
class Example:
    """One place where a check fired.

    Attributes:
        doc: the document's id.
        index: the chunk's number in the document, from 0; None for text in no chunk.
        start: first code point of the chunk (or of that text).
        end: one past the last.
        at: offset of the fault itself, inside or at an end of that range.
    """

    doc: str
    index: int | None
    start: int
    end: int
    at: int


@dataclass(frozen=True)
class HealthFinding:
    """One check's result.

    Attributes:
        name: its name in `HEALTH_CHECKS`.
        title: what was counted, in words.
        unit: what `count` and `of` are numbers of.
        count: how many.
        of: out of how many; 0: there was nothing to check.
        begins: chunks that begin so, for the checks of chunk edges; else None.
        ends: chunks that end so; else None.
        examples: the first ones, in corpus order.
        mend: the setting that mends it, one sentence.
    """

    name: str
    title: str
    unit: Unit
    count: int
    of: int
    begins: int | None
    ends: int | None
    examples: tuple[Example, ...]
    mend: str

    @property
    def share(self) -> float | None:
        """`count` of `of`; None where there was nothing to check."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True)
class Health:
    """Every check, in the order of `HEALTH_CHECKS`.

    Attributes:
        configuration: what the chunks were made with.
        chunks: the chunk set.
        findings: one a check, those that found nothing too.
    """

    configuration: Configuration
    chunks: ChunkSet
    findings: tuple[HealthFinding, ...]

    def finding(self, name: str) -> HealthFinding:
        """The finding of one check.

        Raises:
            KeyError: when there is no such check.
        """
        return self.findings[_PLACES[name]]


_PLACES = {name: place for place, name in enumerate(HEALTH_CHECKS)}


def check_health(
    chunks: ChunkSet,
    configuration: Configuration,
    *,
    examples: int = 5,
    cancel: CancelToken | None = None,
) -> Health:
    """Check every chunk; linear in text and chunks.

    Fences, tables and lists are those of Markdown in every document that is not HTML, a table
    or source code by its ending; sentences and pronouns are looked for in prose alone.

    Args:
        chunks: the chunk set.
        configuration: what it was made with.
        examples: how many places are kept for each check.
        cancel: looked at between documents.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    check = HealthCheck(configuration, examples=examples)
    check.take(chunks, cancel)
    return Health(configuration, chunks, check.findings())


@dataclass
class _Tally:
    examples: list[Example]
    count: int = 0
    of: int = 0
    begins: int = 0
    ends: int = 0


@dataclass(frozen=True)
class _Part:
    """One document and its chunks."""

    document: Document
    cuts: Cuts
    sizes: IntArray
    size_limit: int


class HealthCheck:
    """Checks chunk sets that follow each other, as if they were one; none is kept.

    Args:
        configuration: what the chunks are made with.
        examples: how many places are kept for each check.
    """

    def __init__(self, configuration: Configuration, *, examples: int = 5) -> None:
        self._configuration = configuration
        self._most = examples
        self._tallies = {name: _Tally([]) for name in HEALTH_CHECKS}
        self._texts = SeenTexts()

    def findings(self) -> tuple[HealthFinding, ...]:
        """What was found so far, one a check."""
        return tuple(self._finding(name, *_TITLES[name]) for name in HEALTH_CHECKS)

    def take(self, chunks: ChunkSet, cancel: CancelToken | None = None) -> None:
        """Check the next chunk set.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        for position, document in enumerate(chunks.corpus.documents):
            if cancel is not None and position % _DOCUMENTS_PER_CHECK == 0:
                cancel.check()
            first, last = chunks.first[position : position + 2].tolist()
            self._check(
                _Part(document, chunks.cuts[position], chunks.sizes[first:last], chunks.size_limit)
            )

    def _finding(self, name: str, title: str, unit: Unit) -> HealthFinding:
        tally = self._tallies[name]
        edge = name in EDGE_CHECKS
        return HealthFinding(
            name=name,
            title=title,
            unit=unit,
            count=tally.count,
            of=tally.of,
            begins=tally.begins if edge else None,
            ends=tally.ends if edge else None,
            examples=tuple(tally.examples),
            mend=mend_of(name, self._configuration),
        )

    def _check(self, part: _Part) -> None:
        """Add one document's chunks to the tallies."""
        cuts, text = part.cuts, part.document.text
        structure = find_structure(part.document, self._configuration.enrich.heading_pattern)
        spaces = SpaceRuns(text)
        if len(cuts):
            self._edges(part, structure)
            self._lengths(part)
            self._texts_of(part, structure)
            self._overlaps(part)
        by_heading = parted_headings(structure, cuts, spaces, len(text))
        self._add("heading_parted", part, by_heading, of=len(structure.headings))
        mixed = mixed_sections(structure, cuts, spaces)
        self._add("several_sections", part, mixed, of=len(cuts))
        self._add("table_header", part, rows_without_header(structure, cuts), of=len(cuts))
        self._uncovered(part)

    def _edges(self, part: _Part, structure: Structure) -> None:
        cuts = part.cuts
        examiner = EdgeExaminer(part.document.text, structure)
        begins, ends = examiner.inside(cuts.starts), examiner.inside(cuts.ends)
        for name in EDGE_CHECKS:
            first, last = begins[name], ends[name]
            at = np.where(first, cuts.starts, cuts.ends)
            faults = [(index, int(at[index])) for index in np.flatnonzero(first | last).tolist()]
            self._add(name, part, faults, of=len(cuts))
            self._tallies[name].begins += int(first.sum())
            self._tallies[name].ends += int(last.sum())

    def _lengths(self, part: _Part) -> None:
        sizes, limit = part.sizes, part.size_limit
        # The only chunk of a document has no neighbour to be joined with.
        tiny = (10 * sizes < limit) & (len(sizes) > 1)
        self._add("tiny", part, _at_starts(part, tiny), of=len(sizes))
        self._add("oversize", part, _at_starts(part, sizes > limit), of=len(sizes))

    def _texts_of(self, part: _Part, structure: Structure) -> None:
        cuts = part.cuts
        blank = np.zeros(len(cuts), np.bool_)
        duplicate = np.zeros(len(cuts), np.bool_)
        pronoun = np.zeros(len(cuts), np.bool_)
        for index, text in enumerate(cuts.texts(part.document.text)):
            duplicate[index] = number_of(self._texts, text) is not None
            blank[index] = not text.strip("\ufeff \t\r\n") or text.isspace()
            # A document's first words refer to nothing before them.
            pronoun[index] = structure.prose and index > 0 and bool(_PRONOUN.match(text))
        for name, fired in (("blank", blank), ("duplicate", duplicate), ("pronoun", pronoun)):
            self._add(name, part, _at_starts(part, fired), of=len(cuts))

    def _overlaps(self, part: _Part) -> None:
        if not self._configuration.splitter.overlap_size:
            return
        cuts = part.cuts
        idle = np.zeros(len(cuts), np.bool_)
        idle[1:] = cuts.starts[1:] >= cuts.ends[:-1]
        self._add("idle_overlap", part, _at_starts(part, idle), of=len(cuts) - 1)

    def _uncovered(self, part: _Part) -> None:
        tally = self._tallies["uncovered"]
        document = part.document
        tally.of += len(document.text)
        lost = _uncovered_text(document.text, part.cuts)
        tally.count += int(lost.sum())
        edges = np.flatnonzero(np.diff(lost, prepend=False, append=False))
        room = self._most - len(tally.examples)
        for start, end in zip(
            edges[0 : 2 * room : 2].tolist(), edges[1 : 2 * room : 2].tolist(), strict=True
        ):
            tally.examples.append(Example(document.id, None, start, end, start))

    def _add(self, name: str, part: _Part, faults: Sequence[Fault], *, of: int) -> None:
        tally = self._tallies[name]
        tally.count += len(faults)
        tally.of += of
        for index, at in faults[: self._most - len(tally.examples)]:
            start, end = int(part.cuts.starts[index]), int(part.cuts.ends[index])
            tally.examples.append(Example(part.document.id, index, start, end, at))


def _at_starts(part: _Part, fired: BoolArray) -> list[Fault]:
    starts = part.cuts.starts
    return [(index, int(starts[index])) for index in np.flatnonzero(fired).tolist()]


def _uncovered_text(text: str, cuts: Cuts) -> BoolArray:
    """Which characters are no white space and lie in no chunk's source range."""
    steps = np.zeros(len(text) + 1, np.int64)
    joined = sorted(cuts.spans)
    np.add.at(steps, np.delete(cuts.starts, joined), 1)
    np.add.at(steps, np.delete(cuts.ends, joined), -1)
    for index in joined:
        for span in cuts.spans[index]:
            steps[span.start] += 1
            steps[span.end] -= 1
    lost: BoolArray = (np.cumsum(steps[:-1]) == 0) & ~is_space(text)
    if text.startswith("\ufeff"):
        lost[0] = False
    return lost
