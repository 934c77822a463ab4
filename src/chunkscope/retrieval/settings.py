"""How chunks are ranked for a question: frozen, hashable, named as in files and flags."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """Settings of one retriever (section `[retriever]` of a configuration file).

    Attributes:
        kind: name in the registry: bm25, static, dense:MODEL, hybrid, … or module:object.
        k: cut-offs; the first decides, results go to the largest.
        budget: tokens; 0: use `k`. Else chunks are taken in rank order until the next would
            exceed it.
        words: `unicode`, `whitespace`, or a regular expression for the casefolded text.
        query_terms: `bag`: a repeated query word counts each time; `set`: once.
        ties: which of two chunks with the same score stands first.
        stem: language whose words lexical retrievers reduce to stems, or `none`.
        stop_words: language whose commonest words lexical retrievers leave out, or `none`.
        fuse: the retrievers that `hybrid` fuses.
        fuse_constant: c in a fused score, the sum of 1 / (c + rank).
        rerank: cross-encoder that ranks the first chunks anew, or `none`.
        rerank_depth: how many chunks it ranks; the others are not retrieved.
        base_url: address of the endpoint that `openai:MODEL` calls.
    """

    kind: str = "bm25"
    k: tuple[int, ...] = (5, 10)
    budget: int = 0
    words: str = "unicode"
    query_terms: Literal["bag", "set"] = "bag"
    ties: Literal["earlier", "later"] = "earlier"
    stem: str = "none"
    stop_words: str = "none"
    fuse: tuple[str, ...] = ("bm25", "static")
    fuse_constant: int = 60
    rerank: str = "none"
    rerank_depth: int = 50
    base_url: str = "https://api.openai.com/v1"
