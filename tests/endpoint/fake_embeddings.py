"""Embeddings and scores by plain rules behind a real endpoint, with faults as planned."""

import base64
import hashlib
import struct
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from fake_endpoint import Answer, Request

LENGTH = 8

PASSING = (
    "429", "429 limits", "500", "503 page", "hang up", "cut", "page", "fewer", "more", "no vector",
    "index out", "index twice", "index text", "nan", "infinite", "text", "lengths", "empty",
    "null", "list",
)  # fmt: skip
"""Faults after which a request is made again."""

FATAL = ("400", "401", "307", "404 page")
"""Faults after which it is not."""

NO_FAULT = ("", "base64", "shuffled", "no usage", "no index")
"""Answers that can be used."""


def vector_of(text: str) -> list[float]:
    """The vector that the endpoint gives a text; each number is exact in 32 bits."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return [(byte - 127) / 64 for byte in digest[:LENGTH]]


def units_of(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """What an embedder has to make of them: unit length, zeros for a blank text."""
    rows = np.array([vector_of(text) for text in texts], np.float64).reshape(-1, LENGTH)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[[not text.strip() for text in texts]] = 0.0
    return rows


def score_of(question: str, text: str) -> float:
    digest = hashlib.sha256(f"{question}|{text}".encode()).digest()
    return digest[0] / 256 - 0.25


class FakeEmbeddings:
    """Answers embeddings and reranking; to be given to `FakeEndpoint`.

    Attributes:
        plan: what is wrong with the next answers, in turn; after its end nothing is.
        billed: how often each text (or question and text) was answered whole and right.
        spoiled: answers with status 200 that cannot be used.
        token: what a 401 echoes.
        reports: whether it says how many tokens it counted, three a text.
    """

    def __init__(self, plan: Sequence[str] = (), token: str = "", *, reports: bool = True) -> None:
        self.plan = list(plan)
        self.billed: Counter[Any] = Counter()
        self.spoiled = 0
        self.token = token
        self.reports = reports
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            fault = self.plan.pop(0) if self.plan else ""
            answer = self._refusal(fault)
            if answer is None and request.path.endswith("/rerank"):
                answer = self._scores(request.body, fault)
            elif answer is None:
                answer = self._vectors(request.body, fault)
            return answer

    def _refusal(self, fault: str) -> Answer | None:
        slow = {"error": {"message": "slow down"}}
        limits = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m3s"}
        page = b"<html><body>busy</body></html>"
        self.spoiled += fault in ("hang up", "page")
        return {
            "429": Answer(slow, 429, {"Retry-After": "2"}),
            "429 limits": Answer(slow, 429, limits),
            "hang up": Answer({}, hang_up=True),
            "400": Answer({"error": {"message": "cannot"}}, 400),
            "401": Answer({"error": {"message": f"bad key {self.token}"}}, 401),
            "307": Answer(b"", 307, {"Location": "http://127.0.0.1:1/v1/embeddings"}),
            "500": Answer({"error": {"message": "failed"}}, 500),
            "503 page": Answer(page, 503),
            "404 page": Answer(page, 404),
            "page": Answer(page),
        }.get(fault)

    def _vectors(self, body: Any, fault: str) -> Answer:
        texts = body["input"]
        data: list[Any] = [
            {"object": "embedding", "index": n, "embedding": vector_of(text)}
            for n, text in enumerate(texts)
        ]
        return self._finished(data, "embedding", texts, fault, "data")

    def _scores(self, body: Any, fault: str) -> Answer:
        texts = body["documents"]
        data: list[Any] = [
            {"index": n, "relevance_score": score_of(body["query"], text)}
            for n, text in enumerate(texts)
        ]
        asked = [(body["query"], text) for text in texts]
        return self._finished(data, "relevance_score", asked, fault, "results")

    def _finished(
        self, data: list[Any], field: str, asked: Sequence[Any], fault: str, under: str
    ) -> Answer:
        spoil = _SPOILS.get(fault)
        if spoil is not None:
            spoil(data, field)
        body: Any = {under: data, "usage": {"prompt_tokens": 3 * len(data)}}
        if fault == "no usage" or not self.reports:
            del body["usage"]
        if fault in NO_FAULT:
            self.billed.update(asked)
        else:
            self.spoiled += 1
        if fault == "cut":
            return Answer(body, cut=20)
        return Answer({"null": None, "list": [1]}.get(fault, body))


def packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _first(field: str, value: object) -> Callable[[list[Any], str], None]:
    def spoil(data: list[Any], own: str) -> None:
        data[0][field or own] = value

    return spoil


def _first_number(value: object) -> Callable[[list[Any], str], None]:
    def spoil(data: list[Any], own: str) -> None:
        if isinstance(data[0][own], list):
            data[0][own] = [value, *data[0][own][1:]]
        else:
            data[0][own] = value

    return spoil


def _uneven(data: list[Any], own: str) -> None:
    # Of one text alone no vector can be uneven: then it has no number at all.
    value = data[0][own]
    data[0][own] = (value[1:] if len(data) > 1 else []) if isinstance(value, list) else []


def _twice(data: list[Any], own: str) -> None:
    data[-1]["index"] = 0 if len(data) > 1 else 1


def _base64(data: list[Any], own: str) -> None:
    for entry in data:
        if isinstance(entry[own], list):
            entry[own] = packed(entry[own])


def _no_index(data: list[Any], own: str) -> None:
    if own == "embedding":
        for entry in data:
            del entry["index"]


_SPOILS: dict[str, Callable[[list[Any], str], None]] = {
    "fewer": lambda data, own: data.pop() and None,
    "more": lambda data, own: data.append(dict(data[0])),
    "no vector": lambda data, own: data[0].pop(own) and None,
    "index out": lambda data, own: data[-1].update(index=len(data)),
    "index twice": _twice,
    "index text": _first("index", "0"),
    "nan": _first_number(float("nan")),
    "infinite": _first_number(10**400),
    "text": _first_number("0.5"),
    "lengths": _uneven,
    "empty": _first("", []),
    "base64": _base64,
    "shuffled": lambda data, own: data.reverse(),
    "no index": _no_index,
}
