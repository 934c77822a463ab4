"""Embedders made by hand, as a person would name them with `--embedder module:object`."""

from collections.abc import Sequence

SUBJECTS = ("sea", "boat", "tide", "bread", "oven", "flour", "lamp", "light")


def by_subject(texts: Sequence[str]) -> list[list[float]]:
    """How often each subject is named, and a little of the length."""
    return [
        [*(float(text.lower().count(subject)) for subject in SUBJECTS), 0.1 + len(text) % 7 / 50]
        for text in texts
    ]


class Counting:
    """Remembers what it was asked for."""

    asked: list[str] = []  # noqa: RUF012 - one list for the test to look at

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        type(self).asked.extend(texts)
        return by_subject(texts)


class Revised(Counting):
    revision = "3"


def uneven(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0] * (len(text) % 3 + 1) for text in texts]


def not_finite(texts: Sequence[str]) -> list[list[float]]:
    return [[float("nan")] for _ in texts]


def failing(texts: Sequence[str]) -> list[list[float]]:
    raise RuntimeError("no vectors today")


number = 4
