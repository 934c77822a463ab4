"""Evidence with an ellipsis in it: several ranges of one document, all of them needed."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from chunkscope.golden.model import Place

_ELLIPSIS = re.compile(r"[ \t]*[(\[][ \t]*(?:…|\.{3,4}|\. \. \.)[ \t]*[)\]]|…|\.{3,}|\. \. \.")
_WORD = re.compile(r"[^\W_]+")
_FEWEST_CHARACTERS = 4


def parts_of(text: str) -> tuple[str, ...]:
    """What stands between the ellipses of `text`; none when it has no ellipsis.

    A part that is too short to be told from chance is no part, and then there are none.
    """
    parts = [part.strip() for part in _ELLIPSIS.split(text)]
    kept = tuple(part for part in parts if _WORD.search(part))
    if len(parts) < 2 or not kept:
        return ()
    long_enough = all(sum(map(len, _WORD.findall(part))) >= _FEWEST_CHARACTERS for part in kept)
    return kept if long_enough else ()


def places_of_parts(found: Sequence[Sequence[Place]]) -> list[tuple[Place, ...]]:
    """The parts in their order, as near to each other as they stand; none when one is missing.

    Args:
        found: the places of each part in one document, each in order.

    Returns:
        Each shortest stretch that holds all parts in order, as one place a part; several when
        they are equally short.
    """
    chains: list[tuple[Place, ...]] = []
    for last in found[-1]:
        chain = [last]
        for places in reversed(found[:-1]):
            before = bisect_left(places, chain[0].span.start + 1, key=lambda one: one.span.end)
            if not before:
                break
            chain.insert(0, places[before - 1])
        else:
            chains.append(tuple(chain))
    shortest = min((_length(chain) for chain in chains), default=0)
    return [chain for chain in chains if _length(chain) == shortest]


def _length(chain: Sequence[Place]) -> int:
    return chain[-1].span.end - chain[0].span.start
