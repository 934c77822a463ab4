"""The rows of the Retrieved panel: the top-k of a variant, and what each chunk holds."""

from collections.abc import Mapping

from chunkscope.evaluation.results import QuestionResult
from chunkscope.golden.model import LocatedQuestion
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.spans import Span
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.session import Variant
from chunkscope.tui.widgets.line_list import Cell, Column, Row, wrapped

COLUMNS = (
    Column("rank", 3, right=True),
    Column("score", 6, right=True, role="dim"),
    Column("evidence", 7),
    Column("chunk text"),
)

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


def retrieved_rows(result: QuestionResult, chunks: ChunkSet) -> list[Row]:
    """One row a retrieved chunk, best first; a line after those that are sent."""
    rows: list[Row] = []
    for number, found in enumerate(result.retrieved):
        state, role = evidence_state(chunks, found.chunk, result.located)
        sent = number < result.context
        document = chunks.corpus.documents[int(chunks.documents[found.chunk])].id
        rows.append(
            (
                Cell(str(number + 1), "strong" if sent else "dim"),
                Cell(f"{found.score:.2f}"),
                Cell(state, role),
                Cell(
                    f"{flattened(chunks.text(found.chunk)[:300])}  ({literal(document)})",
                    "" if sent else "dim",
                ),
            )
        )
    return rows


def chunk_lines(result: QuestionResult, chunks: ChunkSet, number: int, width: int) -> list[str]:
    """One retrieved chunk whole: where it stands, then its text in lines of `width` cells."""
    if number >= len(result.retrieved):
        return []
    found = result.retrieved[number]
    document = chunks.corpus.documents[int(chunks.documents[found.chunk])].id
    start, end = int(chunks.starts[found.chunk]), int(chunks.ends[found.chunk])
    tokens = int(chunks.tokens[found.chunk])
    head = f"{number + 1} · {literal(document)} {start}–{end} · {tokens} tokens"
    text = chunks.text(found.chunk)[:_SHOWN_CHARACTERS].replace("\r\n", "\n")
    lines = [head]
    for line in text.split("\n"):
        lines += wrapped(literal(line), max(2, width))
    return lines


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


def _terms(terms: tuple[tuple[str, float], ...]) -> str:
    if not terms:
        return "no query word"
    return ", ".join(f"{literal(term)} {share:.2f}" for term, share in terms[:4])


def first_place(located: LocatedQuestion) -> tuple[str, Span] | None:
    """The first place of a question's evidence: document id and range."""
    for item in located.items:
        for place in item.places:
            return place.doc, place.span
    return None
