"""The signatures of a failed retrieval, and the proof that goes with each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chunkscope.splitting.chunks import ChunkSet

Signature = Literal[
    "unmeasured", "split", "crowded", "orphaned", "vocabulary", "diluted", "outranked"
]

SIGNATURES: tuple[Signature, ...] = (
    "unmeasured",
    "split",
    "crowded",
    "orphaned",
    "vocabulary",
    "diluted",
    "outranked",
)
"""In order of precedence: the first whose proof holds is the one given."""

MENDABLE: frozenset[Signature] = frozenset(("split", "crowded", "orphaned", "diluted"))
"""Failures that other chunks can mend; the others are the retriever's or the golden set's."""

MEANINGS: dict[Signature, str] = {
    "unmeasured": "the evidence was not found in the corpus",
    "split": "no chunk holds the evidence whole",
    "crowded": "with repeats of one passage counted once, its chunk would be taken",
    "orphaned": "the question's words stand in its heading or a neighbour chunk, with which it "
    "would be taken",
    "vocabulary": "its chunk shares no telling word with the question, and no neighbour mends it",
    "diluted": "in smaller chunks it is taken",
    "outranked": "other chunks score higher, and none of the above holds",
}

_WORDS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class ChunkAt:
    """A chunk by its place.

    Attributes:
        doc: its document's id.
        index: its number in the document, from 0.
        start: first code point.
        end: one past the last.
    """

    doc: str
    index: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"chunk {self.index} of {self.doc}"


@dataclass(frozen=True, slots=True)
class Term:
    """A query word and what it adds to a chunk's score."""

    word: str
    score: float


@dataclass(frozen=True, slots=True)
class UnmeasuredProof:
    """The evidence text that was looked for."""

    text: str

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        return "its evidence was not found in the corpus; golden validate names near passages"


@dataclass(frozen=True, slots=True)
class SplitProof:
    """The boundary that cut the evidence.

    Attributes:
        doc: the evidence's document.
        start: first code point of the evidence.
        end: one past its last.
        at: offset of the boundary that leaves most of it in one chunk; None: no chunk touches it.
        before: its characters before that boundary.
        after: its characters behind it.
        stands_at: what stands at the boundary, in words.
        boundary: what made the boundary: separator or window, in words.
        boundaries: offsets of all boundaries inside it.
        longest: characters of the longest chunk of its document.
        edge: only white space or punctuation is lost.
    """

    doc: str
    start: int
    end: int
    at: int | None
    before: int
    after: int
    stands_at: str
    boundary: str
    boundaries: tuple[int, ...]
    longest: int
    edge: bool

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        if self.at is None:
            return "no chunk holds any of it: the splitter leaves that text out"
        said = (
            f"cut into {self.before} and {self.after} characters by {self.stands_at} "
            f"({self.boundary})"
        )
        length = self.end - self.start
        if length > self.longest:
            said += f"; {length} characters are longer than any chunk there ({self.longest})"
        if self.edge:
            said += "; only white space or punctuation is lost"
        return said


@dataclass(frozen=True, slots=True)
class CrowdedProof:
    """Repeats that take the places.

    Attributes:
        holder: the best chunk that holds the evidence whole.
        rank: its rank.
        rank_without: its rank with each passage counted once.
        taken: chunks taken.
        repeats: chunks taken that repeat an earlier one, by text or by half of the shorter.
        same_text: how many of those have exactly an earlier one's text.
        passage: the chunk repeated most, the first of its kind.
    """

    holder: ChunkAt
    rank: int
    rank_without: int
    taken: int
    repeats: int
    same_text: int
    passage: ChunkAt

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        kind = "the same text" if self.same_text == self.repeats else "overlapping text"
        kind = kind if self.same_text in (0, self.repeats) else "the same or overlapping text"
        verb = "repeats" if self.repeats == 1 else "repeat"
        return (
            f"{self.repeats} of {self.taken} chunks taken {verb} {kind} ({self.passage} first); "
            f"rank {self.rank}, and {self.rank_without} with each passage counted once"
        )


@dataclass(frozen=True, slots=True)
class OrphanedProof:
    """Where the question's words stand instead.

    Attributes:
        holder: the best chunk that holds the evidence whole.
        rank: its rank, or None: it matches no query word.
        score: its score; 0 without a rank.
        where: `heading`, `chunk before` or `chunk after`.
        heading: title of the heading the words stand in; empty for a neighbour.
        neighbour: the chunk the words stand in.
        words: the query words that it has and the holder lacks.
        gain: what they add to that chunk's score.
        cut_off: score of the last chunk taken; `score + gain` lies above it.
    """

    holder: ChunkAt
    rank: int | None
    score: float
    where: Literal["heading", "chunk before", "chunk after"]
    heading: str
    neighbour: ChunkAt
    words: tuple[str, ...]
    gain: float
    cut_off: float

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        place = f"its heading “{self.heading}”" if self.heading else f"the {self.where} it"
        place = place.replace("the chunk before it", "the chunk before its own")
        place = place.replace("the chunk after it", "the chunk after its own")
        rank = "" if self.rank is None else f", rank {self.rank}"
        return (
            f"{quoted(self.words)} {'stands' if len(self.words) == 1 else 'stand'} in {place}; "
            f"with {'it' if len(self.words) == 1 else 'them'} it would score about "
            f"{self.score + self.gain:.2f}, not {self.score:.2f}{rank}, "
            f"where {self.cut_off:.2f} is taken"
        )


@dataclass(frozen=True, slots=True)
class VocabularyProof:
    """Words that do not meet.

    Attributes:
        holder: the best chunk that holds the evidence whole.
        rank: its rank, or None: it matches no query word.
        telling: query words that stand in some chunk, and in no more than half of them.
        common: query words in the holder that stand in more than half of all chunks.
        absent: query words that no chunk holds.
    """

    holder: ChunkAt
    rank: int | None
    telling: tuple[str, ...]
    common: tuple[str, ...]
    absent: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        if not self.telling and not self.common:
            return "no query word stands in any chunk; a retriever that knows synonyms is needed"
        lacks = f"none of {quoted(self.telling)}" if self.telling else "no telling query word"
        only = f", only the common {quoted(self.common)}" if self.common else ""
        return f"{self.holder}, which holds it, has {lacks}{only}: the retriever, not the chunks"


@dataclass(frozen=True, slots=True)
class RankAt:
    """The rank at a size.

    Attributes:
        size: the size, in the splitter's unit.
        rank: of the best chunk that holds the evidence whole; None: cut there, or no match.
        whole: whether that chunk is taken.
    """

    size: int
    rank: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class DilutedProof:
    """Ranks at smaller sizes.

    Attributes:
        holder: the best chunk that holds the evidence whole.
        rank: its rank.
        size: the requested size.
        unit: what it counts.
        tokens: tokens of the holder.
        at_sizes: ranks at smaller sizes, the largest first; one at least is taken.
    """

    holder: ChunkAt
    rank: int | None
    size: int
    unit: str
    tokens: int
    at_sizes: tuple[RankAt, ...]

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        rank = "no rank" if self.rank is None else f"rank {self.rank}"
        ranks = ", ".join(
            f"{'cut' if at.rank is None else at.rank} at {at.size}" for at in self.at_sizes
        )
        return (
            f"{rank} in a chunk of {self.tokens} tokens at size {self.size} {self.unit}; "
            f"in smaller chunks: {ranks}"
        )


@dataclass(frozen=True, slots=True)
class OutrankedProof:
    """Who stands above, and why.

    Attributes:
        holder: the best chunk that holds the evidence whole.
        rank: its rank.
        score: its score.
        terms: what its score is made of, largest first.
        winner: the chunk at rank 1; None where nothing is retrieved.
        winner_score: its score; 0 without one.
        winner_terms: what that is made of, largest first.
        won_on: query words that add more to the winner than to the holder, widest gap first.
    """

    holder: ChunkAt
    rank: int | None
    score: float
    terms: tuple[Term, ...]
    winner: ChunkAt | None
    winner_score: float
    winner_terms: tuple[Term, ...]
    won_on: tuple[Term, ...]

    @property
    def sentence(self) -> str:
        """The proof in one sentence."""
        if self.winner is None:
            return "nothing is retrieved for the question"
        if self.winner == self.holder:
            # First, and yet not sent: nothing but a budget does that.
            return f"{self.holder} stands first with {self.score:.2f}, but exceeds the budget alone"
        rank = "no rank" if self.rank is None else f"rank {self.rank}"
        on = f" on {quoted([term.word for term in self.won_on])}" if self.won_on else ""
        return f"{rank} with {self.score:.2f}; {self.winner} wins with {self.winner_score:.2f}{on}"


Proof = (
    UnmeasuredProof
    | SplitProof
    | CrowdedProof
    | OrphanedProof
    | VocabularyProof
    | DilutedProof
    | OutrankedProof
)


def quoted(words: Sequence[str]) -> str:
    """The first few words in quotation marks, and how many more there are."""
    shown = ", ".join(f"“{word}”" for word in words[:_WORDS_SHOWN])
    more = len(words) - _WORDS_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def chunk_at(chunks: ChunkSet, chunk: int) -> ChunkAt:
    """The chunk's place."""
    position, index = chunks.locate(chunk)
    return ChunkAt(
        chunks.corpus.documents[position].id,
        index,
        int(chunks.starts[chunk]),
        int(chunks.ends[chunk]),
    )
