"""The embedders by name: `static`, or an object of one's own."""

from functools import lru_cache

from chunkscope.embedding.own import OwnEmbedder
from chunkscope.embedding.protocol import Embedder
from chunkscope.errors import InputError
from chunkscope.splitting.foreign_code import guarded, load_object

STATIC = "static"

_ROLE = "embedder"


def check_embedder(name: str) -> None:
    """Refuse an embedder that cannot be had; nothing heavy is loaded.

    Raises:
        InputError: when the name is not known, or its object is none that embeds.
        MissingPackageError: when a package is not installed; the command is named.
    """
    if name == STATIC:
        from chunkscope.embedding.static_model import check_static_model

        check_static_model()
    else:
        get_embedder(name)


@lru_cache(maxsize=8)
def get_embedder(name: str) -> Embedder:
    """The embedder of this name; `module:object` is imported.

    One of one's own that says its `revision` has its vectors kept on disk.

    Raises:
        InputError: when there is none; the message names those there are.
        MissingPackageError: when a package is not installed; the command is named.
    """
    if name == STATIC:
        from chunkscope.embedding.static import get_static_embedder

        return get_static_embedder()
    if ":" not in name:
        raise InputError(f"embedder: {name!r} is not known; give {STATIC} or module:object")
    own = OwnEmbedder(
        name,
        load_object(name, _ROLE),
        lambda doing, call: guarded(name, doing, call, _ROLE),
    )
    if not own.revision:
        return own
    from chunkscope.embedding.cache import VectorCache, default_cache_path
    from chunkscope.embedding.cached import CachedEmbedder

    return CachedEmbedder(own, VectorCache(default_cache_path()))
