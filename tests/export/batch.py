"""Many exports proven in one process: their packages take seconds to import."""

from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export.running import run_split
from chunkscope.export.targets import export, get_target
from chunkscope.text.document import Corpus

MODULES = {
    "langchain": "langchain_text_splitters",
    "llama-index": "llama_index.core",
    "haystack": "haystack",
    "chonkie": "chonkie",
    "autorag": "autorag",
}

_TOGETHER = """\
import sys
import types

SOURCES = {sources!r}


def module(number):
    made = types.ModuleType(f"exported{{number}}")
    sys.modules[made.__name__] = made
    exec(compile(SOURCES[number], made.__name__, "exec"), made.__dict__)
    return made


def split_all(texts):
    each = len(texts) // len(SOURCES)
    chunks = []
    for number in range(len(SOURCES)):
        made = module(number)
        of_it = texts[number * each : (number + 1) * each]
        if hasattr(made, "split_all"):
            chunks += made.split_all(of_it)
        else:
            chunks += [made.split(text) for text in of_it]
    return chunks
"""


def needs(target: str) -> None:
    """Skip the test, by name, where the target's package is not installed."""
    module = MODULES[target]
    try:
        found = find_spec(module) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        pytest.skip(f"target {target}: its package is not installed (module {module})")


def cut_by_exports(
    target: str, configurations: Sequence[Configuration], corpus: Corpus
) -> list[list[list[str]]]:
    """What the export of each configuration makes of each document."""
    texts = [document.text for document in corpus.documents]
    made: dict[int, list[list[str]]] = {}
    for encoding in ("cl100k_base", "o200k_base"):
        numbers = [
            number for number, one in enumerate(configurations) if one.splitter.encoding == encoding
        ]
        if not numbers:
            continue
        code = get_target(target).code
        assert code is not None
        sources = [code(export(configurations[number], target)) for number in numbers]
        chunks = run_split(
            _TOGETHER.format(sources=sources),
            texts * len(numbers),
            encoding=encoding,
            timeout=300,
        )
        for place, number in enumerate(numbers):
            made[number] = chunks[place * len(texts) : (place + 1) * len(texts)]
    return [made[number] for number in range(len(configurations))]


def cut_as_measured(configuration: Configuration, corpus: Corpus) -> list[list[str]]:
    """The chunks of each document as every number is measured on."""
    chunks = CorpusIndex(corpus).chunk_set(configuration.splitter, configuration.enrich)
    return [
        cuts.texts(document.text)
        for document, cuts in zip(corpus.documents, chunks.cuts, strict=True)
    ]
