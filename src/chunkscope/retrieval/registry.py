"""The retrievers by name."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import get_args, get_type_hints

from chunkscope.cancel import CancelToken
from chunkscope.embedding.static_model import check_static_model
from chunkscope.endpoint.settings import check_url
from chunkscope.errors import InputError, MissingPackageError
from chunkscope.retrieval import bm25, own, rank_bm25, static, tfidf
from chunkscope.retrieval.hybrid import HybridRetriever
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.models import DEFAULT_LATE, Models
from chunkscope.retrieval.protocol import Retriever, RetrieverKind
from chunkscope.retrieval.rerank import RerankedRetriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import TermRule, check_term_rule
from chunkscope.retrieval.words import check_word_rule
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.foreign_code import offered

_LEXICAL: dict[str, RetrieverKind] = {
    "bm25": bm25.build,
    "rank-bm25": rank_bm25.build,
    "tfidf": tfidf.build,
}

_BUILD: dict[str, RetrieverKind] = {**_LEXICAL, "static": static.build}

_MODEL_FAMILIES = ("late", "dense", "openai")
_HYBRID = "hybrid"
_NONE = "none"


def retriever_kinds() -> tuple[str, ...]:
    """Names of the kinds that can be listed; those of installed packages last.

    `dense:MODEL`, `openai:MODEL`, `late:MODEL` and `module:object` are kinds too.
    """
    return (*_BUILD, "late", _HYBRID, *offered(own.GROUP))


def is_lexical(kind: str) -> bool:
    """Whether it ranks by shared words: a chunk that shares none with the question is left out."""
    return kind in _LEXICAL


def is_late(kind: str) -> bool:
    """Whether it pools the vectors of source spans, so that prefixes play no part."""
    return kind.partition(":")[0] == "late"


def is_own(kind: str) -> bool:
    """Whether it is a retriever of one's own, `module:object` or offered by a package."""
    known = (*_BUILD, _HYBRID, *_MODEL_FAMILIES)
    return kind not in known and kind.partition(":")[0] not in _MODEL_FAMILIES


def parts_of(settings: RetrieverSettings) -> tuple[str, ...]:
    """The kinds that rank: those that `hybrid` fuses, or the kind itself."""
    return settings.fuse if settings.kind == _HYBRID else (settings.kind,)


def calls_models(settings: RetrieverSettings) -> bool:
    """Whether ranking runs models or foreign code, which stay in one process."""
    return settings.rerank != _NONE or any(kind not in _BUILD for kind in parts_of(settings))


def is_dear(settings: RetrieverSettings) -> bool:
    """Whether each new chunk set costs a model's work, or money."""
    known = (*_BUILD, "late")
    parts = {kind if kind in known else kind.partition(":")[0] for kind in parts_of(settings)}
    return settings.rerank != _NONE or not parts.issubset(known)


def is_billed(settings: RetrieverSettings) -> bool:
    """Whether each new chunk set is sent to an endpoint."""
    return any(one.startswith("openai:") for one in (*parts_of(settings), settings.rerank))


def build_retriever(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    words: WordIndex,
    cancel: CancelToken | None = None,
    models: Models | None = None,
) -> Retriever:
    """The retriever over these chunks; `words` is the index of their corpus by the same rule.

    Args:
        settings: what ranks, and how.
        chunks: what is ranked.
        words: the words of their corpus.
        cancel: looked at meanwhile.
        models: loads and calls models; None: those of the user's cache, without limits.

    Raises:
        InputError: for an unknown kind, an index of another rule, or a model that fails.
        MissingPackageError: when a package is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if words.rule != settings.words:
        raise InputError(
            f"words: the index was built for {words.rule!r}, not {settings.words!r}; "
            "build one for this rule"
        )
    if words.term_rule != TermRule.of(settings):
        raise InputError(
            f"stem, stop_words: the index was built for {words.term_rule.stem!r} and "
            f"{words.term_rule.stop_words!r}, not {settings.stem!r} and {settings.stop_words!r}; "
            "build one for these"
        )
    models = models or Models()
    if settings.kind == _HYBRID:
        built = [
            (kind, _build_one(replace(settings, kind=kind), chunks, words, models, cancel))
            for kind in settings.fuse
        ]
        retriever: Retriever = HybridRetriever(built, settings.fuse_constant)
    else:
        retriever = _build_one(settings, chunks, words, models, cancel)
    if settings.rerank == _NONE:
        return retriever
    models.admit(
        settings.rerank, settings.base_url, lambda: min(settings.rerank_depth, len(chunks))
    )
    cross_encoder = models.cross_encoder(settings.rerank, settings.base_url)
    return RerankedRetriever(retriever, cross_encoder, chunks, settings.rerank_depth)


def _build_one(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    words: WordIndex,
    models: Models,
    cancel: CancelToken | None,
) -> Retriever:
    if settings.kind in _BUILD:
        return _BUILD[settings.kind](settings, chunks, words, cancel)
    family = settings.kind.partition(":")[0]
    if family == "late":
        from chunkscope.retrieval import late

        return late.build(settings, chunks, words, models, cancel)
    if family in _MODEL_FAMILIES:
        from chunkscope.retrieval import dense

        return dense.build(settings, chunks, models, cancel)
    if not _is_named(settings.kind):
        raise _unknown(settings.kind)
    return own.build(settings, chunks)


def model_work(
    settings: RetrieverSettings, chunks: ChunkSet, words: WordIndex, models: Models
) -> list[Callable[[CancelToken], None]]:
    """What models have to do before the retriever stands, for another thread to do it.

    What a reranking or foreign code costs is not in it.
    """
    work: list[Callable[[CancelToken], None]] = []
    for kind in parts_of(settings):
        family = kind.partition(":")[0]
        one = replace(settings, kind=kind)
        if family == "late":
            from chunkscope.retrieval import late

            work.append(partial(late.warm, one, words, models))
        elif family in _MODEL_FAMILIES:
            from chunkscope.retrieval import dense

            work.append(partial(dense.warm, one, chunks, models))
    return work


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
    kinds = parts_of(settings)
    if "rank-bm25" in kinds:
        _ = words.places.previous
    if "static" in kinds:
        static.warm(words, questions, cancel)


def check_settings(settings: RetrieverSettings, given: Collection[str] = ()) -> list[str]:
    """Warnings for these settings; `given` names those that were set explicitly.

    Raises:
        InputError: for a setting that cannot work; the message names it.
    """
    _check_kinds(settings)
    if not settings.k:
        raise InputError("k: at least one cut-off is needed, such as 5")
    for k in settings.k:
        if not _is_whole(k) or k < 1:
            raise InputError(f"k: {k!r} is not a whole number of 1 or more")
    if not _is_whole(settings.budget) or settings.budget < 0:
        raise InputError(f"budget: {settings.budget!r} is not a number of tokens; give 0 for none")
    check_word_rule(settings.words)
    check_term_rule(TermRule.of(settings))
    hints = get_type_hints(RetrieverSettings)
    for name in ("query_terms", "ties"):
        value, allowed = getattr(settings, name), get_args(hints[name])
        if value not in allowed:
            raise InputError(f"{name}: {value!r} is unknown; give {' or '.join(allowed)}")
    warnings = _unused(settings, given)
    if len(set(settings.k)) < len(settings.k):
        warnings.append(f"k: {list(settings.k)} names a cut-off twice; it is reported once")
    return warnings


_OF_HYBRID = ("fuse", "fuse_constant")
_OF_RERANK = ("rerank_depth",)


def _unused(settings: RetrieverSettings, given: Collection[str]) -> list[str]:
    """A warning for each setting that was given and plays no part."""
    unused: list[str] = []
    kinds = parts_of(settings)
    if not any(map(is_lexical, kinds)):
        unused += [name for name in ("query_terms", "stem", "stop_words") if name in given]
    if settings.kind != _HYBRID:
        unused += [name for name in _OF_HYBRID if name in given]
    warnings = [f"{name}: not used by retriever {settings.kind!r}" for name in unused]
    if settings.rerank == _NONE:
        warnings += [f"{name}: not used without rerank" for name in _OF_RERANK if name in given]
    if "base_url" in given and not is_billed(settings):
        warnings.append("base_url: not used, no retriever or rerank of openai:MODEL is named")
    return warnings


def _check_kinds(settings: RetrieverSettings) -> None:
    for kind in parts_of(settings):
        _check_kind(kind)
        if kind.startswith("openai:"):
            check_url(settings.base_url)
    if settings.kind == _HYBRID:
        if len(set(settings.fuse)) < 2:
            raise InputError(
                f"fuse: {list(settings.fuse)} does not name two retrievers; give two different "
                "ones, such as bm25,static"
            )
        if _HYBRID in settings.fuse:
            raise InputError("fuse: hybrid cannot be a part of itself; give two other retrievers")
        if not _is_whole(settings.fuse_constant) or settings.fuse_constant < 0:
            raise InputError(f"fuse_constant: {settings.fuse_constant!r} is not 0 or more")
    if settings.rerank != _NONE:
        _check_rerank(settings)


def _check_rerank(settings: RetrieverSettings) -> None:
    depth = settings.rerank_depth
    if not _is_whole(depth) or depth < 1:
        raise InputError(f"rerank_depth: {depth!r} is not a whole number of 1 or more")
    if settings.k and depth < max(settings.k):
        raise InputError(
            f"rerank_depth: {depth} is less than k {max(settings.k)}; give at least so many"
        )
    family, colon, model = settings.rerank.partition(":")
    if colon and family == "openai":
        _check_named(model, "rerank")
        check_url(settings.base_url)
        return
    _check_local(settings.rerank, "rerank")


def _check_kind(kind: str) -> None:
    """Refuse a kind that cannot be had; models are looked for, not loaded."""
    if kind == _HYBRID:
        return
    if kind == "static":
        check_static_model()
    if kind in _BUILD:
        return
    family, colon, model = kind.partition(":")
    if family == "openai" and colon:
        _check_named(model, "retriever")
    elif kind == "late" or (colon and family in _MODEL_FAMILIES):
        if colon and not model:
            raise InputError(f"retriever: {kind!r} names no model; give {family}:MODEL")
        _check_local(model or DEFAULT_LATE, "retriever", late=family == "late")
    elif _is_named(kind):
        own.load_own(kind)
    else:
        raise _unknown(kind)


def _check_local(model: str, setting: str, *, late: bool = False) -> None:
    """Look for a model; an error begins with the setting that names it."""
    from chunkscope.embedding.late import check_late_model
    from chunkscope.embedding.models import check_local_model

    try:
        (check_late_model if late else check_local_model)(model)
    except (InputError, MissingPackageError) as error:
        raise type(error)(f"{setting}: {str(error).removeprefix('model: ')}") from error


def _is_named(kind: str) -> bool:
    """Whether it is `module:object`, or what an installed package offers."""
    return ":" in kind or kind in offered(own.GROUP)


def _unknown(kind: str) -> InputError:
    known = (*retriever_kinds(), "dense:MODEL", "openai:MODEL", "late:MODEL", "module:object")
    return InputError(f"retriever: {kind!r} is unknown; give one of {', '.join(known)}")


def _check_named(model: str, setting: str) -> None:
    if not model.strip():
        raise InputError(f"{setting}: openai: names no model; give openai:MODEL")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
