"""Retrievers as people write them: functions, factories, classes, stores."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np


def shared(text: str, query: str) -> int:
    return len(set(text.lower().split()) & set(query.lower().split()))


def ranked(chunks: Sequence[Any], query: str) -> list[str]:
    found = sorted(chunks, key=lambda chunk: -shared(chunk.text, query))
    return [chunk.chunk_id for chunk in found]


closed: list[int] = []


class Store:
    """Filled by a factory, emptied by `close`."""

    def __init__(self, chunks: Sequence[Any]) -> None:
        self._chunks = chunks
        self.asked: list[int] = []

    def retrieve(self, query: str, top_k: int) -> list[Any]:
        self.asked.append(top_k)
        order = ranked(self._chunks, query)
        by_id = {chunk.chunk_id: chunk for chunk in self._chunks}
        return [
            SimpleNamespace(chunk_id=one, score=float(shared(by_id[one].text, query)))
            for one in order[:top_k]
        ]

    def close(self) -> None:
        closed.append(len(self._chunks))


def factory(chunks: Sequence[Any]) -> Store:
    return Store(chunks)


@dataclass
class LangchainLike:
    """As LangChain's retrievers: filled from documents, asked by `invoke`, k of its own."""

    docs: list[Any]
    k: int = 2
    metadata: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_documents(cls, docs: list[Any]) -> "LangchainLike":
        return cls(docs)

    def invoke(self, query: str) -> list[Any]:
        found = sorted(self.docs, key=lambda doc: -shared(doc.page_content, query))
        return found[: self.k]


@dataclass
class FromTexts:
    texts: list[str]

    @classmethod
    def from_texts(cls, texts: list[str], metadatas: list[dict[str, Any]]) -> "FromTexts":
        assert [one["chunk_id"] for one in metadatas] == [str(n) for n in range(len(texts))]
        return cls(texts)

    def retrieve(self, query: str) -> list[Any]:
        found = sorted(self.texts, key=lambda text: -shared(text, query))
        return [SimpleNamespace(text=text) for text in found]


def nodes(chunks: Sequence[Any]) -> Any:
    """As llama-index: nodes with scores around them."""

    def retrieve(query: str) -> list[Any]:
        return [
            SimpleNamespace(node=SimpleNamespace(metadata={"chunk_id": one}), score=None)
            for one in ranked(chunks, query)
        ]

    return SimpleNamespace(retrieve=retrieve)


def points(chunks: Sequence[Any]) -> Any:
    """As a vector store's client: points with an id and a payload."""

    def retrieve(query: str, limit: int) -> Any:
        found = [
            SimpleNamespace(id=int(one), payload={}, score=1.0 / (rank + 1))
            for rank, one in enumerate(ranked(chunks, query)[:limit])
        ]
        return SimpleNamespace(points=found)

    return SimpleNamespace(retrieve=retrieve)


def pairs(chunks: Sequence[Any], query: str) -> Any:
    """(id, score), as they come out of a generator."""
    yield from ((int(one), shared(chunks[int(one)].text, query)) for one in ranked(chunks, query))


def backwards(chunks: Sequence[Any], query: str) -> list[tuple[int, float]]:
    """Distances: the best has the least."""
    return [(int(one), float(rank)) for rank, one in enumerate(ranked(chunks, query))]


def twice(chunks: Sequence[Any], query: str) -> list[str]:
    order = ranked(chunks, query)
    return [one for one in order for _ in range(2)]


def infinite(chunks: Sequence[Any], query: str) -> list[tuple[int, float]]:
    """Numbers that no float holds, and words: the order is all there is."""
    scores: list[Any] = [float("inf"), 10**400, "0.5", [0.25, 0.125]]
    return [(int(one), score) for one, score in zip(ranked(chunks, query), scores, strict=True)]


def not_a_number(chunks: Sequence[Any], query: str) -> list[tuple[int, float]]:
    return [(2, 1.0), (1, float("nan"))]


def not_a_number_of_numpy(chunks: Sequence[Any], query: str) -> list[Any]:
    return [SimpleNamespace(chunk_id=1, score=np.float32("nan"))]


def not_a_number_on_a_node(chunks: Sequence[Any]) -> Any:
    node = SimpleNamespace(node=SimpleNamespace(metadata={"chunk_id": "1"}), score=float("nan"))
    return SimpleNamespace(retrieve=lambda query: [node])


def unknown_id(chunks: Sequence[Any], query: str) -> list[str]:
    return ["7f3a"]


def out_of_range(chunks: Sequence[Any], query: str) -> list[int]:
    return [len(chunks)]


def negative(chunks: Sequence[Any], query: str) -> list[int]:
    return [-1]


def failing(chunks: Sequence[Any], query: str) -> list[int]:
    raise RuntimeError("the store is down")


def nothing(chunks: Sequence[Any], query: str) -> list[int]:
    return []


def no_list(chunks: Sequence[Any], query: str) -> str:
    return "0"


def one_number(chunks: Sequence[Any], query: str) -> int:
    return 0


def half_made(chunks: Sequence[Any]) -> int:
    return len(chunks)


async def awaited(chunks: Sequence[Any], query: str) -> list[int]:
    return [0]


same_text = LangchainLike.from_documents(
    [SimpleNamespace(page_content=text, metadata={}) for text in ("tide", "tide", "harbour")]
)
number = 7


def langchain_store(chunks: Sequence[Any]) -> Any:
    """A vector store of LangChain, filled for each configuration."""
    from langchain_core.documents import Document
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.vectorstores import InMemoryVectorStore

    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents([Document(chunk.text, metadata=dict(chunk.metadata)) for chunk in chunks])
    return store.as_retriever(search_kwargs={"k": 1})


def llama_index_store(chunks: Sequence[Any]) -> Any:
    """An index of llama-index over nodes that carry the chunks' ids."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.schema import TextNode

    nodes = [TextNode(id_=chunk.chunk_id, text=chunk.text) for chunk in chunks]
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=4))
    return index.as_retriever(similarity_top_k=3)
