"""The rows of the Retrieved panel: the top-k of a variant, and what each chunk holds."""

import re
from collections.abc import Mapping, Sequence

from chunkscope.evaluation.results import QuestionResult
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.terms import words_behind
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.spans import Span
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.session import Variant
from chunkscope.tui.views.places import chunk_place
from chunkscope.tui.widgets.line_list import Cell, Column, Row, wrapped
from chunkscope.tui.widgets.one_line import Piece

COLUMNS = (
    Column("rank", 3, right=True),
    Column("score", 6, right=True, role="dim"),
    Column("evidence", 7),
    Column("chunk text"),
)

PLACED_COLUMNS = (*COLUMNS[:-1], Column("place", 11, role="dim"), COLUMNS[-1])
"""The same where there is room for a column of places and chunks have any."""

_SHOWN_CHARACTERS = 6000

Terms = Mapping[tuple[Variant, int], tuple[tuple[str, float], ...]]


def evidence_state(chunks: ChunkSet, chunk: int, located: LocatedQuestion) -> tuple[str, str]:
    """Whether a chunk holds an evidence item whole, or touches one; and the role of that word."""
    document = chunks.corpus.documents[int(chunks.documents[chunk])].id
    spans = chunks.spans(chunk)
    touched = False
    for item in located.items:
        for place in item.places:
            if place.doc != document:
                continue
            if any(span.contains(place.span) for span in spans):
                return "holds", "good"
            touched = touched or any(span.overlap(place.span) for span in spans)
    return ("touches", "warn") if touched else ("·", "dim")


def retrieved_rows(
    result: QuestionResult,
    chunks: ChunkSet,
    variant: Variant,
    terms: Terms,
    *,
    places: bool = False,
) -> list[Row]:
    """One row a retrieved chunk, best first, then the evidence's where it is not among them.

    The question's words stand out in those that are explained. With `places` the rows are of
    `PLACED_COLUMNS`; else a chunk's place stands behind its text, beside its document.
    """
    found = [(number + 1, each.chunk, each.score) for number, each in enumerate(result.retrieved)]
    rows = [
        _row(
            result,
            chunks,
            entry,
            terms.get((variant, entry[1]), ()),
            sent=n < result.context,
            places=places,
        )
        for n, entry in enumerate(found)
    ]
    listed = {chunk for _rank, chunk, _score in found}
    for rank, chunk in holders(result):
        if chunk not in listed:
            explained = terms.get((variant, chunk), ())
            score = sum(share for _term, share in explained) if explained else None
            entry = (rank, chunk, score)
            rows.append(_row(result, chunks, entry, explained, sent=False, places=places))
            listed.add(chunk)
    return rows


def holders(result: QuestionResult) -> list[tuple[int | None, int]]:
    """The chunks that hold evidence whole, each with its rank in the full ranking."""
    return [
        (outcome.rank, outcome.chunk) for outcome in result.outcomes if outcome.chunk is not None
    ]


def listed_chunks(result: QuestionResult) -> list[tuple[int | None, int]]:
    """Rank and chunk of each row of `retrieved_rows`, in its order."""
    found: list[tuple[int | None, int]] = [
        (number + 1, entry.chunk) for number, entry in enumerate(result.retrieved)
    ]
    known = {chunk for _rank, chunk in found}
    for rank, chunk in holders(result):
        if chunk not in known:
            found.append((rank, chunk))
            known.add(chunk)
    return found


def _row(
    result: QuestionResult,
    chunks: ChunkSet,
    entry: tuple[int | None, int, float | None],
    explained: Sequence[tuple[str, float]],
    *,
    sent: bool,
    places: bool,
) -> Row:
    rank, chunk, score = entry
    state, role = evidence_state(chunks, chunk, result.located)
    document = chunks.corpus.documents[int(chunks.documents[chunk])].id
    text = flattened(chunks.text(chunk)[:300])
    place = chunk_place(chunks, chunk)
    where = f"{literal(document)}, {place}" if place and not places else literal(document)
    return (
        Cell("–" if rank is None else str(rank), "strong" if sent else "dim"),
        Cell("–" if score is None else f"{score:.2f}"),
        Cell(state, role),
        *((Cell(place),) if places else ()),
        Cell(
            f"{text}  ({where})",
            "" if sent else "dim",
            words_in(text, [term for term, _share in explained]),
        ),
    )


def words_in(text: str, terms: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the terms stand in a text, whatever their case; whole words where they have spaces."""
    if not terms:
        return ()
    # Words that were reduced to their stem are told with it.
    words = [word for term in terms for word in words_behind(term)]
    parts = [
        rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word)
        for word in sorted(words, key=len, reverse=True)
    ]
    return tuple(match.span() for match in re.finditer("|".join(parts), text, re.IGNORECASE))


def chunk_lines(
    entry: tuple[int | None, int],
    chunks: ChunkSet,
    explained: Sequence[tuple[str, float]],
    width: int,
) -> list[list[Piece]]:
    """One listed chunk (rank, chunk) whole: where it stands, on which words, then its text."""
    rank, chunk = entry
    document = chunks.corpus.documents[int(chunks.documents[chunk])].id
    start, end = int(chunks.starts[chunk]), int(chunks.ends[chunk])
    tokens = int(chunks.tokens[chunk])
    head = f"{'–' if rank is None else rank} · {literal(document)} {start}–{end}"
    place = chunk_place(chunks, chunk)
    # On a line of its own: beside a long name there is no room for it.
    heads = [head, f"{place} · {tokens} tokens"] if place else [f"{head} · {tokens} tokens"]
    lines: list[list[Piece]] = [[(line, "dim")] for line in heads]
    if explained:
        lines.append([(f"on: {_terms(explained)}", "dim")])
    words = [term for term, _share in explained]
    text = chunks.text(chunk)[:_SHOWN_CHARACTERS].replace("\r\n", "\n")
    for line in text.split("\n"):
        lines += [_marked(part, words) for part in wrapped(literal(line), max(2, width))]
    return lines


def _marked(text: str, terms: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for start, end in words_in(text, terms):
        pieces += [(text[at:start], ""), (text[start:end], "word")]
        at = end
    return [*pieces, (text[at:], "")]


def why_text(variant: Variant, result: QuestionResult, terms: Terms) -> str:
    """Which chunk won and on which words, beside the chunk that holds the evidence."""
    parts = []
    if result.retrieved:
        first = result.retrieved[0].chunk
        parts.append(f"first: {_terms(terms.get((variant, first), ()))}")
    for outcome in result.outcomes[:1]:
        if outcome.chunk is not None and outcome.rank != 1:
            place = f"rank {outcome.rank}" if outcome.rank is not None else "no rank"
            parts.append(f"evidence, {place}: {_terms(terms.get((variant, outcome.chunk), ()))}")
    return " · ".join(parts)


def _terms(terms: Sequence[tuple[str, float]]) -> str:
    if not terms:
        return "scores nothing"
    return ", ".join(f"{literal(term)} {share:.2f}" for term, share in terms[:4])


def first_place(located: LocatedQuestion) -> tuple[str, Span] | None:
    """The first place of a question's evidence: document id and range."""
    for item in located.items:
        for place in item.places:
            return place.doc, place.span
    return None
