"""Why a chunk that holds the evidence whole was not taken."""

from collections.abc import Sequence

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.diagnosis_crowding import Ranked, crowded_proof
from chunkscope.evaluation.diagnosis_proofs import (
    OutrankedProof,
    Proof,
    Signature,
    Term,
    chunk_at,
)
from chunkscope.evaluation.diagnosis_sizes import ranks_at_smaller_sizes
from chunkscope.evaluation.diagnosis_words import WordExaminer
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.retrieval.protocol import Matches, Retriever
from chunkscope.retrieval.ranking import Ties, rank_matches
from chunkscope.retrieval.registry import is_billed, is_lexical

Failed = tuple[QuestionResult, int]
"""A question, and the number of an evidence item of it that is not retrieved."""

Found = dict[tuple[str, int], tuple[Signature, Proof]]
"""Signature and proof by question id and item."""


class RankExaminer:
    """Examines the evidence items of one run that are held whole by a chunk not taken."""

    def __init__(
        self, index: CorpusIndex, evaluation: Evaluation, cancel: CancelToken | None = None
    ) -> None:
        self._index = index
        self._evaluation = evaluation
        self._cancel = cancel
        self._chunks = evaluation.chunks

    def examine(self, failed: Sequence[Failed]) -> Found:
        """The first signature of each item whose proof holds."""
        if not failed:
            return {}
        settings = self._evaluation.configuration.retriever
        retriever = self._index.retriever(settings, self._chunks, self._cancel)
        # What a question's words lack is the cause only where ranks come from shared words.
        words: WordExaminer | None = None
        if is_lexical(settings.kind):
            words = WordExaminer(self._index, self._evaluation, retriever)
        by_question: dict[str, list[Failed]] = {}
        for result, item in failed:
            by_question.setdefault(result.located.question.id, []).append((result, item))
        texts = [items[0][0].located.question.question for items in by_question.values()]
        if words is not None:
            words.learn(texts)
        found: Found = {}
        left: list[Failed] = []
        for items, matches in zip(by_question.values(), retriever.match(texts), strict=True):
            if self._cancel is not None:
                self._cancel.check()
            for result, item in items:
                cause = self._crowded(result, item, matches)
                if cause is None and words is not None:
                    cause = words.examine(result, item)
                if cause is None:
                    left.append((result, item))
                else:
                    found[result.located.question.id, item] = cause
        return found | self._by_size(left, retriever)

    def _crowded(
        self, result: QuestionResult, item: int, matches: Matches
    ) -> tuple[Signature, Proof] | None:
        outcome = result.outcomes[item]
        if outcome.rank is None or outcome.chunk is None:
            return None
        settings = self._evaluation.configuration.retriever
        ties: Ties = settings.ties
        order, _ = rank_matches(matches, outcome.rank, ties)
        ranked = Ranked(self._chunks, order.tolist(), result.context)
        proof = crowded_proof(ranked, settings)
        return None if proof is None else ("crowded", proof)

    def _by_size(self, left: Sequence[Failed], retriever: Retriever) -> Found:
        """Diluted where a smaller size takes the item, else outranked.

        Nobody has agreed to pay for other sizes of what an endpoint embeds: none is tried then.
        """
        tried = () if is_billed(self._evaluation.configuration.retriever) else left
        smaller = ranks_at_smaller_sizes(self._index, self._evaluation, tried, cancel=self._cancel)
        found: Found = {}
        for result, item in left:
            key = (result.located.question.id, item)
            proof = smaller.get(key)
            if proof is not None:
                found[key] = ("diluted", proof)
            else:
                found[key] = ("outranked", self._outranked(result, item, retriever))
        return found

    def _outranked(self, result: QuestionResult, item: int, retriever: Retriever) -> OutrankedProof:
        outcome = result.outcomes[item]
        holder = outcome.chunk
        assert holder is not None
        # One's own retriever may give nothing at all, and a zero vector is near nothing.
        winner = result.retrieved[0] if result.retrieved else None
        question = result.located.question.question
        terms, winner_terms = (
            tuple(Term(word, score) for word, score in retriever.explain(question, chunk))
            if chunk is not None
            else ()
            for chunk in (holder, None if winner is None else winner.chunk)
        )
        own = {term.word: term.score for term in terms}
        gaps = [Term(term.word, term.score - own.get(term.word, 0.0)) for term in winner_terms]
        return OutrankedProof(
            holder=chunk_at(self._chunks, holder),
            rank=outcome.rank,
            score=sum(term.score for term in terms),
            terms=terms,
            winner=None if winner is None else chunk_at(self._chunks, winner.chunk),
            winner_score=0.0 if winner is None else winner.score,
            winner_terms=winner_terms,
            won_on=tuple(sorted((gap for gap in gaps if gap.score > 0), key=lambda t: -t.score)),
        )
