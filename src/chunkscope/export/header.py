"""What every export says of itself: where it comes from and what it leaves out."""

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from chunkscope import __version__
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.literals import literal
from chunkscope.text.display import visible

_PROVEN: Mapping[str, str] = MappingProxyType(
    {
        "AutoRAG": "0.3.27",
        "chonkie": "1.7.0",
        "haystack-ai": "3.4.1",
        "langchain-text-splitters": "1.1.3",
        "llama-index-core": "0.14.25",
        "tiktoken": "0.14.0",
        "tokenizers": "0.23.3",
    }
)
"""The versions that the targets were last proven against."""


def package_version(package: str) -> str:
    """The installed version of a package, or that which its target was proven against."""
    try:
        return version(package)
    except PackageNotFoundError:
        return f"(not installed here; proven against {_PROVEN[package]})"


def header(configuration: Configuration, note: str, packages: tuple[str, ...] = ()) -> list[str]:
    """Comment lines: hash, versions, the note, and the retriever's settings."""
    versions = [f"chunkscope {__version__}"]
    versions += [f"{package} {package_version(package)}" for package in packages]
    return [
        f"# Configuration {configuration.hash}",
        f"# Made with {', '.join(versions)}",
        *(f"# Note: {visible(line)}" for line in re.split(r"[\r\n]+", note) if line.strip()),
    ]


def left_out(configuration: Configuration) -> list[str]:
    """Comment lines on the prefix, which is put before chunks and is none of their text."""
    prefix = configuration.enrich.prefix
    if prefix == "none":
        return []
    pattern = configuration.enrich.heading_pattern
    headings = f" (heading_pattern {literal(pattern)})" if pattern else ""
    return [
        f"# Measured with prefix {prefix}{headings}: the retriever saw each chunk after its",
        "# title or headings. The chunks below are without; put them before indexing.",
        "#",
    ]


def retriever_comment(configuration: Configuration) -> list[str]:
    """Comment lines with the settings of the retriever, which code for a splitter has not."""
    retriever = configuration.retriever
    cut_off = (
        f"a budget of {retriever.budget} tokens"
        if retriever.budget
        else f"k {', '.join(map(str, retriever.k))}"
    )
    terms = "".join(
        f"{name} {value}, "
        for name, value in (("stem", retriever.stem), ("stop_words", retriever.stop_words))
        if value != "none"
    )
    models = []
    if retriever.kind == "hybrid":
        models += [f"fuse {', '.join(retriever.fuse)}", f"fuse_constant {retriever.fuse_constant}"]
    if retriever.rerank != "none":
        models += [f"rerank {retriever.rerank}", f"rerank_depth {retriever.rerank_depth}"]
    return [
        f"# Measured with retriever {visible(retriever.kind)}, {cut_off}, "
        f"words {visible(retriever.words)},",
        *([f"# {visible(', '.join(models))},"] if models else []),
        f"# {visible(terms)}query_terms {retriever.query_terms}, ties {retriever.ties}. "
        "This file splits; it does not retrieve.",
    ]
