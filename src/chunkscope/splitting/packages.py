"""`chonkie:NAME` and `llama-index:NAME`: splitters of two packages, counting in our own units.

Both are given what counts tokens, characters or words here, so that none is fetched over a
network; those that load a model or call a service are refused.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, NamedTuple

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.splitting.foreign import ForeignSplitter, ForeignText
from chunkscope.splitting.foreign_code import guarded, parsed_nodes
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import length_function
from chunkscope.text.tokens import TokenCounter, get_token_counter

_FETCHES = "it loads a model or calls a service"
_GRAMMARS = "it fetches grammars; code:LANG cuts code"


class Family(NamedTuple):
    """The splitters of a package.

    Attributes:
        extra: the extra of this package that installs it.
        module: where its classes are.
        ending: what their names end with and may be left out, in lower case.
        classes: those that work offline.
        refused: why others are refused, by class.
        settings: the arguments of a class that say what it counts in.
    """

    extra: str
    module: str
    ending: str
    classes: tuple[str, ...]
    refused: Mapping[str, str]
    settings: Callable[[str, SplitterSettings], dict[str, Any]]


def family_kinds() -> tuple[str, ...]:
    """The kinds of the packages that are installed; nothing is imported."""
    return tuple(
        f"{name}:{found}"
        for name, family in FAMILIES.items()
        if find_spec(family.module.partition(".")[0]) is not None
        for found in family.classes
    )


class PackageSplitter(ForeignSplitter):
    """A splitter of a package, made anew for each size and overlap that it takes."""

    def __init__(self, kind: str) -> None:
        """Find the class that a kind names.

        Raises:
            InputError: when the package has none of this name that works offline.
            MissingPackageError: when the package is not installed.
        """
        name, _, wanted = kind.partition(":")
        self._family = family = FAMILIES[name]
        self._class = _class_name(kind, family, wanted)
        if find_spec(family.module.partition(".")[0]) is None:
            raise MissingPackageError(
                f"splitter {kind!r}: the package {name} is not installed; "
                f"pip install 'chunkscope[{family.extra}]'"
            )
        self._type: Any = guarded(
            kind, "importing it", lambda: getattr(import_module(family.module), self._class)
        )
        super().__init__(kind, self._type)

    def prepare(self, text: str, settings: SplitterSettings) -> ForeignText:
        """The text, yet to be split; see `Splitter`."""
        made: Any = self._type
        takes = self._takes

        def split(text: str, size: int, overlap: int) -> object:
            given = self._family.settings(self._class, settings)
            if "size" in takes:
                given["chunk_size"] = size
            if "overlap" in takes:
                given["chunk_overlap"] = overlap
            return _run(made(**given), text)

        return ForeignText(text, self._kind, split, takes)


def own_class(kind: str) -> str:
    """The class that `chonkie:NAME` or `llama-index:NAME` names.

    Raises:
        InputError: when there is none of this name that works offline.
    """
    name, _, wanted = kind.partition(":")
    return _class_name(kind, FAMILIES[name], wanted)


def _class_name(kind: str, family: Family, wanted: str) -> str:
    folded = wanted.lower().removesuffix(family.ending)
    for name in (*family.classes, *family.refused):
        if name.lower().removesuffix(family.ending) != folded:
            continue
        if name in family.refused:
            raise InputError(f"splitter {kind!r}: not offered, because {family.refused[name]}")
        return name
    raise InputError(f"splitter {kind!r} is not known; give one of {', '.join(family.classes)}")


def _run(splitter: Any, text: str) -> object:
    # As node parsers, llama-index's text splitters keep two tokens free for metadata.
    for name in ("chunk", "split_text"):
        if hasattr(splitter, name):
            return getattr(splitter, name)(text)
    return parsed_nodes(splitter, text)


def _chonkie_settings(name: str, settings: SplitterSettings) -> dict[str, Any]:
    if settings.unit == "characters":
        return {"tokenizer": "character"}
    if settings.unit == "words":
        return {"tokenizer": "word"}
    return {"tokenizer": _chonkie_tokens(get_token_counter(settings.encoding))}


def _chonkie_tokens(counter: TokenCounter) -> object:
    """A tokenizer of chonkie's that counts as `counter` does."""
    from chonkie.tokenizer import Tokenizer

    class Tokens(Tokenizer):  # type: ignore[misc, unused-ignore]
        def __repr__(self) -> str:
            return counter.encoding

        def encode(self, text: str) -> Sequence[int]:
            return counter.token_spans(text).ids

        def decode(self, tokens: Sequence[int]) -> str:
            return counter.decode_ids(tokens)

        def tokenize(self, text: str) -> Sequence[int]:
            return self.encode(text)

        def count_tokens(self, text: str) -> int:
            return counter.count_one(text)

        def count_tokens_batch(self, texts: Sequence[str]) -> Sequence[int]:
            return counter.count(texts)

    return Tokens()


def _llama_index_settings(name: str, settings: SplitterSettings) -> dict[str, Any]:
    if name not in ("SentenceSplitter", "TokenTextSplitter"):
        return {}
    length = length_function(settings.unit, settings.encoding)
    # Only the number of tokens is looked at.
    return {"tokenizer": lambda text: range(length([text])[0])}


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "chonkie": Family(
            extra="chonkie",
            module="chonkie",
            ending="chunker",
            classes=("TokenChunker", "SentenceChunker", "RecursiveChunker", "TableChunker"),
            refused=MappingProxyType(
                {
                    "FastChunker": "it counts bytes; chonkie:RecursiveChunker counts in a unit",
                    "CodeChunker": _GRAMMARS,
                    "SemanticChunker": _FETCHES,
                    "LateChunker": _FETCHES,
                    "NeuralChunker": _FETCHES,
                    "SlumberChunker": _FETCHES,
                    "TeraflopAIChunker": _FETCHES,
                }
            ),
            settings=_chonkie_settings,
        ),
        "llama-index": Family(
            extra="llama-index",
            module="llama_index.core.node_parser",
            ending="nodeparser",
            classes=(
                "SentenceSplitter",
                "TokenTextSplitter",
                "SentenceWindowNodeParser",
                "MarkdownNodeParser",
            ),
            refused=MappingProxyType(
                {
                    "CodeSplitter": _GRAMMARS,
                    "HierarchicalNodeParser": "its chunks hold one another; parent = a size does",
                    "SemanticSplitterNodeParser": _FETCHES,
                    "SemanticDoubleMergingSplitterNodeParser": _FETCHES,
                    "MarkdownElementNodeParser": _FETCHES,
                    "UnstructuredElementNodeParser": _FETCHES,
                }
            ),
            settings=_llama_index_settings,
        ),
    }
)
"""By what stands before the colon of a kind."""
