"""How chunks are ranked for a question: frozen, hashable, named as in files and flags."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """Settings of one retriever (section `[retriever]` of a configuration file).

    Attributes:
        kind: name in the registry: bm25, rank-bm25, …
        k: cut-offs; the first decides, results go to the largest.
        budget: tokens; 0: use `k`. Else chunks are taken in rank order until the next would
            exceed it.
        words: `unicode`, `whitespace`, or a regular expression for the casefolded text.
        query_terms: `bag`: a repeated query word counts each time; `set`: once.
        ties: which of two chunks with the same score stands first.
    """

    kind: str = "bm25"
    k: tuple[int, ...] = (5, 10)
    budget: int = 0
    words: str = "unicode"
    query_terms: Literal["bag", "set"] = "bag"
    ties: Literal["earlier", "later"] = "earlier"
