"""The retrievers by name."""

from collections.abc import Collection, Sequence
from typing import get_args, get_type_hints

from chunkscope.cancel import CancelToken
from chunkscope.embedding.static_model import check_static_model
from chunkscope.errors import InputError
from chunkscope.retrieval import bm25, rank_bm25, static, tfidf
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Retriever, RetrieverKind
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import check_word_rule
from chunkscope.splitting.chunks import ChunkSet

_BUILD: dict[str, RetrieverKind] = {
    "bm25": bm25.build,
    "rank-bm25": rank_bm25.build,
    "tfidf": tfidf.build,
    "static": static.build,
}

_LEXICAL = frozenset({"bm25", "rank-bm25", "tfidf"})


def retriever_kinds() -> tuple[str, ...]:
    """Names that `build_retriever` knows."""
    return tuple(_BUILD)


def is_lexical(kind: str) -> bool:
    """Whether it ranks by shared words: a chunk that shares none with the question is left out."""
    return kind in _LEXICAL


def build_retriever(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    words: WordIndex,
    cancel: CancelToken | None = None,
) -> Retriever:
    """The retriever over these chunks; `words` is the index of their corpus by the same rule.

    Raises:
        InputError: for an unknown kind, or an index of another rule.
        CancelledError: when `cancel` was raised meanwhile.
    """
    _check_kind(settings.kind)
    if words.rule != settings.words:
        raise InputError(
            f"words: the index was built for {words.rule!r}, not {settings.words!r}; "
            "build one for this rule"
        )
    return _BUILD[settings.kind](settings, chunks, words, cancel)


def warm_retriever(
    settings: RetrieverSettings,
    words: WordIndex,
    questions: Sequence[str],
    cancel: CancelToken | None = None,
) -> None:
    """Work out what every chunk set shares, before these are shared out among processes.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    words.look_up(questions, distinct=settings.query_terms == "set")
    if settings.kind == "rank-bm25":
        _ = words.places.previous
    if settings.kind == "static":
        static.warm(words, questions, cancel)


def check_settings(settings: RetrieverSettings, given: Collection[str] = ()) -> list[str]:
    """Warnings for these settings; `given` names those that were set explicitly.

    Raises:
        InputError: for a setting that cannot work; the message names it.
    """
    _check_kind(settings.kind)
    if not settings.k:
        raise InputError("k: at least one cut-off is needed, such as 5")
    for k in settings.k:
        if not _is_whole(k) or k < 1:
            raise InputError(f"k: {k!r} is not a whole number of 1 or more")
    if not _is_whole(settings.budget) or settings.budget < 0:
        raise InputError(f"budget: {settings.budget!r} is not a number of tokens; give 0 for none")
    check_word_rule(settings.words)
    hints = get_type_hints(RetrieverSettings)
    for name in ("query_terms", "ties"):
        value, allowed = getattr(settings, name), get_args(hints[name])
        if value not in allowed:
            raise InputError(f"{name}: {value!r} is unknown; give {' or '.join(allowed)}")
    warnings = []
    if settings.kind == "static":
        check_static_model()
    if "query_terms" in given and not is_lexical(settings.kind):
        warnings.append(f"query_terms: not used by retriever {settings.kind!r}")
    if len(set(settings.k)) < len(settings.k):
        warnings.append(f"k: {list(settings.k)} names a cut-off twice; it is reported once")
    return warnings


def _check_kind(kind: str) -> None:
    if kind not in _BUILD:
        raise InputError(f"retriever: {kind!r} is unknown; give one of {', '.join(_BUILD)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
