"""Python code on llama-index-core that cuts as the configuration does."""

from dataclasses import replace

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import Cutter, make_cutter
from chunkscope.export.module import write_module

_PACKAGE = "llama-index-core"

_REMARKS = (
    "LlamaIndex's own splitters strip, merge and overlap in ways of their own; this parser runs",
    "the code below and gives the same chunks. parser.get_nodes_from_documents() gives nodes.",
    "LlamaIndex finds a node's start_char_idx by searching for its text: where the text stands",
    "twice or was changed, it is wrong or None.",
)

_PARSER = '''\
class Parser(TextSplitter):
    """A node parser over `cut`."""

    def split_text(self, text: str) -> list[str]:
        """The chunks of one text."""
        return cut(text)


parser = Parser()
'''


def export(configuration: Configuration, note: str = "") -> str:
    """A module that defines a node parser and `split(text) -> list[str]`.

    LangChain's splitters stand in LlamaIndex's own wrapper of them, other code in a TextSplitter.

    Raises:
        InputError: for a splitter that neither has.
    """
    cutter = make_cutter(configuration.splitter, "llama-index")
    return write_module(configuration, note, _in_parser(cutter), remarks=_REMARKS)


def _in_parser(cutter: Cutter) -> Cutter:
    if cutter.is_splitter:
        name = "LangchainNodeParser"
        definition = f"{cutter.definition}\nparser = {name}(splitter)\n"
    else:
        name = "TextSplitter"
        definition = f"{cutter.definition}\n\n{_PARSER}"
    return replace(
        cutter,
        definition=definition,
        call="parser.split_text",
        imports=(*cutter.imports, f"from llama_index.core.node_parser import {name}"),
        packages=(_PACKAGE, *cutter.packages),
    )
