"""Every metric again, written with sets of characters and nothing else."""

import math
from collections.abc import Sequence

from chunkscope.golden.model import LocatedEvidence, LocatedQuestion, Place
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.tokens import get_token_counter

Character = tuple[str, int]


def of_place(place: Place) -> set[Character]:
    return {(place.doc, at) for at in range(place.span.start, place.span.end)}


def parts_of(chunks: ChunkSet, chunk: int) -> list[set[Character]]:
    """The characters of each source range of a chunk."""
    doc = chunks.corpus.documents[int(chunks.documents[chunk])].id
    return [{(doc, at) for at in range(*span)} for span in chunks.spans(chunk)]


def of_chunk(chunks: ChunkSet, chunk: int) -> set[Character]:
    return set().union(*parts_of(chunks, chunk))


def holds(chunks: ChunkSet, chunk: int, place: Place) -> bool:
    return any(of_place(place) <= part for part in parts_of(chunks, chunk))


def holds_item(chunks: ChunkSet, chunk: int, item: LocatedEvidence) -> bool:
    return any(holds(chunks, chunk, place) for place in item.places)


def best_place(item: LocatedEvidence, cover: set[Character]) -> Place:
    best, best_share = item.places[0], -1.0
    for place in item.places:
        share = len(of_place(place) & cover) / len(of_place(place))
        if share > best_share:
            best, best_share = place, share
    return best


def oracle(
    chunks: ChunkSet, question: LocatedQuestion, ranked: Sequence[int], k: int, rule: str
) -> dict[str, float]:
    taken = list(ranked[:k])
    items = question.items
    every = range(len(chunks))
    union: set[Character] = set()
    total = 0
    for chunk in taken:
        union |= of_chunk(chunks, chunk)
        total += len(of_chunk(chunks, chunk))
    whole = [any(holds_item(chunks, chunk, item) for chunk in taken) for item in items]
    recall = sum(whole) / len(items)
    joint = [
        not held and any(of_place(place) <= union for place in item.places)
        for held, item in zip(whole, items, strict=True)
    ]
    places = [best_place(item, union) for item in items]
    evidence: set[Character] = set().union(*(of_place(place) for place in places))
    covered = len(evidence & union)
    relevant = [any(holds_item(chunks, chunk, item) for item in items) for chunk in taken]
    relevant_in_all = sum(any(holds_item(chunks, chunk, item) for item in items) for chunk in every)
    first = relevant.index(True) if any(relevant) else None
    gained = sum(1 / math.log2(rank + 2) for rank, good in enumerate(relevant) if good)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(k, relevant_in_all)))
    any_place: set[Character] = set().union(
        *(of_place(place) for item in items for place in item.places)
    )
    useless = [not (of_chunk(chunks, chunk) & any_place) for chunk in taken]
    everything: set[Character] = set().union(*(of_chunk(chunks, chunk) for chunk in every), set())
    omega_places = [best_place(item, everything) for item in items]
    omega_evidence: set[Character] = set().union(*(of_place(place) for place in omega_places))
    touching: set[Character] = set()
    for chunk in every:
        if of_chunk(chunks, chunk) & omega_evidence:
            touching |= of_chunk(chunks, chunk)
    omega_covered = len(omega_evidence & touching)
    omega_below = len(touching) + len(omega_evidence) - omega_covered
    split = [not any(holds_item(chunks, chunk, item) for chunk in every) for item in items]
    texts = [chunks.text(chunk) for chunk in taken]
    return {
        "recall": recall,
        "full_recall": float(all(whole)),
        "coverage": covered / len(evidence),
        "joint_recall": sum(joint) / len(items),
        "term_coverage": 1.0 if recall == 1 else word_share(chunks, places, texts, rule),
        "hit_rate": float(any(relevant)),
        "mrr": 0.0 if first is None else 1 / (first + 1),
        "ndcg": gained / ideal if ideal else 0.0,
        "precision": covered / total if total else 0.0,
        "iou": covered / (total + len(evidence) - covered),
        "precision_omega": omega_covered / omega_below,
        "context_tokens": float(sum(get_token_counter("cl100k_base").count(texts))),
        "context_words": float(sum(len(text.split()) for text in texts)),
        "redundancy": (total - len(union)) / total if total else 0.0,
        "distractors": sum(useless) / len(taken) if taken else 0.0,
        "split_rate": sum(split) / len(items),
    }


def word_share(chunks: ChunkSet, places: Sequence[Place], texts: Sequence[str], rule: str) -> float:
    found = total = 0
    retrieved = {word for text in texts for word in tokenise(text, rule)}
    for place in places:
        position = chunks.corpus.position(place.doc)
        assert position is not None
        source = chunks.corpus.documents[position].text
        for word in tokenise(source[place.span.start : place.span.end], rule):
            total += 1
            found += word in retrieved
    return found / total if total else 0.0
