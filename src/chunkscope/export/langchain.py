"""Python code on langchain-text-splitters that cuts as the configuration does."""

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import make_cutter
from chunkscope.export.module import write_module


def export(configuration: Configuration, note: str = "") -> str:
    """A module that defines `split(text) -> list[str]`, every setting written out.

    Raises:
        InputError: for a splitter that LangChain does not have.
    """
    cutter = make_cutter(configuration.splitter, "langchain")
    return write_module(configuration, note, cutter)
