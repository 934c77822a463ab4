"""`module:object`: a retriever of one's own, over the chunks of each configuration.

What the object may be:

- a function of (chunks, question) that gives chunk ids, best first;
- a function of chunks that gives a retriever: a *factory*, called for each chunk set, such as one
  that fills a vector store; what it gives may have `close()`, called when the set is let go of;
- a class with `from_documents` or `from_texts`, as LangChain's retrievers have it;
- a retriever that is filled already: `.retrieve(query, top_k)`, LangChain's `.invoke(query)`.

A retriever's results are chunk ids, pairs of id and score, or objects that carry `chunk_id` (of
their own or in `metadata`), and perhaps `score`. A result without an id is known by its text.
"""

import inspect
import math
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.foreign_code import guarded, load_object, load_offered, offered

GROUP = "chunkscope.retrievers"
"""The entry point group in which a package may offer retrievers."""

ROLE = "retriever"
_LEAST_DEPTH = 100
_METHODS = ("retrieve", "invoke", "get_relevant_documents")
_FILLED_BY = ("from_documents", "from_texts")
_TOP_K = ("top_k", "k", "limit")
_IDS = ("id", "id_", "node_id")
_RESULTS = ("points", "results", "documents", "nodes")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk as foreign code gets it.

    Attributes:
        chunk_id: its number in the chunk set, from 0, in digits.
        text: its text as indexed, prefix included.
        doc: its document's id.
        start: first code point in the document.
        end: one past the last.
        metadata: the same as a mapping.
    """

    chunk_id: str
    text: str
    doc: str
    start: int
    end: int
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def page_content(self) -> str:
        """The text, under the name LangChain has for it."""
        return self.text


def load_own(kind: str) -> object:
    """The object behind an entry point or `module:object`, imported.

    Raises:
        InputError: when there is none, or it is nothing that retrieves.
        MissingPackageError: when it needs a package that is not installed.
    """
    packaged = offered(GROUP)
    found = load_offered(packaged[kind], ROLE) if kind in packaged else load_object(kind, ROLE)
    if not callable(found) and _method(found) is None:
        raise InputError(
            f"{ROLE} {kind!r}: is of type {type(found).__name__}, which does not retrieve; give a "
            "function of chunks and a question, a factory, or an object with retrieve"
        )
    return found


def build(settings: RetrieverSettings, chunks: ChunkSet) -> "OwnRetriever":
    """The retriever over these chunks.

    Raises:
        InputError: for whatever the object raises.
        MissingPackageError: when it needs a package that is not installed.
    """
    depth = max(_LEAST_DEPTH, *settings.k)
    given = chunks_given(chunks)
    return OwnRetriever(settings.kind, load_own(settings.kind), given, depth)


def chunks_given(chunks: ChunkSet) -> list[Chunk]:
    """The chunks as foreign code gets them, in order."""
    documents = chunks.corpus.documents
    rows = zip(chunks.documents.tolist(), chunks.starts.tolist(), chunks.ends.tolist(), strict=True)
    given = []
    for number, (position, start, end) in enumerate(rows):
        doc = documents[position].id
        metadata = {"chunk_id": str(number), "doc": doc, "start": start, "end": end}
        text = chunks.indexed_text(number)
        given.append(Chunk(str(number), text, doc, start, end, metadata))
    return given


class OwnRetriever:
    """Asks foreign code, and reads its answers as chunks of the set."""

    def __init__(self, kind: str, found: object, chunks: Sequence[Chunk], depth: int) -> None:
        """Fill the retriever where the object is a factory.

        Args:
            kind: its name, for messages.
            found: the object.
            chunks: the chunk set.
            depth: how many chunks it is asked for, at most.

        Raises:
            InputError: for whatever it raises, or when it gives nothing that retrieves.
        """
        self._kind = kind
        self._count = len(chunks)
        self._depth = min(depth, len(chunks))
        self._by_text: dict[str, list[int]] = {}
        for number, chunk in enumerate(chunks):
            self._by_text.setdefault(chunk.text, []).append(number)
        self._retriever: Any = None
        self._last: tuple[str, Matches] | None = None
        self._ask = self._asking(found, list(chunks))
        # A store that was filled for one chunk set is emptied, however the program ends.
        self._closing = weakref.finalize(self, _close, kind, self._retriever)

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order.

        Raises:
            InputError: for whatever the object raises, or an answer that names no chunk or has a
                score that is NaN.
        """
        for question in questions:
            # Explained chunk by chunk, a question is not asked again for each.
            if self._last is None or self._last[0] != question:
                answer = self._called("retrieving", partial(self._ask, question))
                self._last = question, self._read(answer)
            yield self._last[1]

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The retriever's own score, or 1 / rank where it gives none."""
        matches = next(self.match([question]))
        scores = matches.scores[matches.chunks == chunk]
        return [("score", float(score)) for score in scores]

    def close(self) -> None:
        """Let the retriever empty its store, if it has `close`; done at the latest on exit."""
        self._closing()

    def _called(self, doing: str, call: Callable[[], object]) -> object:
        return guarded(self._kind, doing, call, ROLE)

    def _asking(self, found: Any, chunks: list[Chunk]) -> Callable[[str], object]:
        if isinstance(found, type):
            self._retriever = self._called("making it", lambda: _filled(found, chunks))
        elif _method(found) is None and _positional(found) == 1:
            self._retriever = self._called("making it", lambda: found(chunks))
        elif _method(found) is None:
            return lambda question: _listed(found(chunks, question))
        else:
            self._retriever = found
        method = _method(self._retriever)
        if method is None and callable(self._retriever):
            method = self._retriever
        if method is None:
            raise InputError(
                f"{ROLE} {self._kind!r}: gave an object of type "
                f"{type(self._retriever).__name__}, which has no retrieve; return one that has"
            )
        names = _names(method)
        given = next(({name: self._depth} for name in _TOP_K if name in names), {})
        if not given:
            self._called("setting k", self._set_depth)
        return lambda question: _listed(method(question, **given))

    def _set_depth(self) -> None:
        """LangChain's retrievers hold how many they give, in `k` or in `search_kwargs`."""
        held = getattr(self._retriever, "__dict__", {})
        if isinstance(held.get("search_kwargs"), dict):
            held["search_kwargs"]["k"] = self._depth
        elif isinstance(held.get("k"), int):
            self._retriever.k = self._depth

    def _read(self, answer: object) -> Matches:
        if not isinstance(answer, list):
            raise InputError(
                f"{ROLE} {self._kind!r}: gave no list of results; return chunk ids, best first"
            )
        numbers: list[int] = []
        scores: list[float | None] = []
        taken: set[int] = set()
        for result in answer:
            if len(numbers) == self._depth:
                break
            number, score = self._chunk_of(result, taken)
            if number not in taken:
                taken.add(number)
                numbers.append(number)
                scores.append(score)
        ranked = _in_order(numbers, scores)
        chunks = np.array(numbers, dtype=np.int64)
        order = np.argsort(chunks)
        return Matches(chunks[order], np.array(ranked, dtype=np.float64)[order])

    def _chunk_of(self, result: Any, taken: set[int]) -> tuple[int, float | None]:
        score: object = None
        if isinstance(result, tuple) and len(result) == 2:
            result, score = result
        node = getattr(result, "node", result)
        if score is None:
            score = getattr(result, "score", None)
        named = _chunk_id(node)
        if named is None:
            named = self._by_its_text(node, taken)
        number = _whole(named)
        if number is None or not 0 <= number < self._count:
            raise InputError(
                f"{ROLE} {self._kind!r}: gave {str(named)[:60]!r}, which is no chunk id; give the "
                f"chunk_id of the chunks it got, 0 to {self._count - 1}"
            )
        value = _number(score)
        if value is not None and math.isnan(value):
            raise InputError(
                f"{ROLE} {self._kind!r}: gave chunk {number} the score NaN, from which no order "
                "follows; return finite scores, or chunk ids alone, best first"
            )
        known = isinstance(score, int | float) and value is not None and math.isfinite(value)
        return number, value if known else None

    def _by_its_text(self, node: Any, taken: set[int]) -> object:
        for name in ("page_content", "text", "content"):
            text = getattr(node, name, None)
            if isinstance(text, str):
                # Of chunks with one text any serves: the first that was not given yet is taken.
                same = self._by_text.get(text, [])
                free = next((number for number in same if number not in taken), None)
                if free is not None:
                    return free
                return same[0] if same else text
        return node


def _close(kind: str, retriever: Any) -> None:
    close = getattr(retriever, "close", None)
    if callable(close):
        # Nobody waits for an answer here: what goes wrong has nowhere to be told.
        with suppress(ChunkscopeError):
            guarded(kind, "closing it", close, ROLE)


def _chunk_id(node: Any) -> object:
    if isinstance(node, int | str):
        return node
    if isinstance(node, Mapping):
        return node.get("chunk_id", node.get("id"))
    own = getattr(node, "chunk_id", None)
    if own is not None:
        return own
    for name in ("metadata", "payload"):
        held = getattr(node, name, None)
        if isinstance(held, Mapping) and "chunk_id" in held:
            return held["chunk_id"]
    # An id is taken for one of ours only where it reads like one: libraries make up their own.
    ids = (getattr(node, name, None) for name in _IDS)
    return next((one for one in ids if _whole(one) is not None), None)


def _number(score: Any) -> float | None:
    """The score as a float, of whatever kind of number; None where it is none, or too large."""
    if isinstance(score, str):
        return None
    try:
        return float(score)
    # A tensor of several numbers is a RuntimeError.
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        return int(value)
    try:
        return int(value.__index__())  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return None


def _in_order(numbers: Sequence[int], scores: Sequence[float | None]) -> list[float]:
    """Their scores where ranking by them gives this order, else 1 / rank."""
    known = [score for score in scores if score is not None]
    if len(known) == len(scores):
        keys = [(-score, number) for score, number in zip(known, numbers, strict=True)]
        if keys == sorted(keys):
            return known
    return [1.0 / rank for rank in range(1, len(numbers) + 1)]


def _method(found: Any) -> Callable[..., object] | None:
    """The method that retrieves, where the object has one."""
    if isinstance(found, type):
        return None
    methods = (getattr(found, name, None) for name in _METHODS)
    return next((method for method in methods if callable(method)), None)


def _filled(found: Any, chunks: list[Chunk]) -> object:
    """An instance of a class over these chunks."""
    for name in _FILLED_BY:
        make = getattr(found, name, None)
        if callable(make):
            if name == "from_texts":
                texts = [chunk.text for chunk in chunks]
                return make(texts, metadatas=[dict(chunk.metadata) for chunk in chunks])
            return make([_langchain_document(chunk) for chunk in chunks])
    return found(chunks)


def _langchain_document(chunk: Chunk) -> object:
    from langchain_core.documents import Document

    return Document(page_content=chunk.text, metadata=dict(chunk.metadata))


def _listed(answer: Any) -> object:
    """The results as a list; generators run here, so that their failures are named too."""
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        return None
    if isinstance(answer, str | Mapping) or answer is None:
        return None
    held = next((getattr(answer, name) for name in _RESULTS if hasattr(answer, name)), answer)
    try:
        results = iter(held)
    except TypeError:
        return None
    return list(results)


def _positional(found: Any) -> int:
    """How many arguments a function must be given."""
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return 2
    must = (
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    )
    return sum(1 for _ in must)


def _names(method: Callable[..., object]) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(method).parameters)
    except (TypeError, ValueError):
        return frozenset()
