"""What every export says of itself: where it comes from and what it leaves out."""

import re
from importlib.metadata import PackageNotFoundError, version

from chunkscope import __version__
from chunkscope.evaluation.configuration import Configuration
from chunkscope.text.display import visible


def package_version(package: str) -> str:
    """The installed version of a package, or "not installed"."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def header(configuration: Configuration, note: str, packages: tuple[str, ...] = ()) -> list[str]:
    """Comment lines: hash, versions, the note, and the retriever's settings."""
    versions = [f"chunkscope {__version__}"]
    versions += [f"{package} {package_version(package)}" for package in packages]
    return [
        f"# Configuration {configuration.hash}",
        f"# Made with {', '.join(versions)}",
        *(f"# Note: {visible(line)}" for line in re.split(r"[\r\n]+", note) if line.strip()),
    ]


def retriever_comment(configuration: Configuration) -> list[str]:
    """Comment lines with the settings of the retriever, which code for a splitter has not."""
    retriever = configuration.retriever
    cut_off = (
        f"a budget of {retriever.budget} tokens"
        if retriever.budget
        else f"k {', '.join(map(str, retriever.k))}"
    )
    return [
        f"# Measured with retriever {visible(retriever.kind)}, {cut_off}, "
        f"words {visible(retriever.words)},",
        f"# query_terms {retriever.query_terms}, ties {retriever.ties}. "
        "This file splits; it does not retrieve.",
    ]
