"""Python code on llama-index-core that cuts as the configuration does."""

from dataclasses import replace

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import SPECIAL_COMMENT, VOCABULARY_COMMENT, Cutter, make_cutter
from chunkscope.export.literals import literal
from chunkscope.export.module import write_module
from chunkscope.export.refusals import other_encoding
from chunkscope.splitting.packages import own_class
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.vocabularies import VOCABULARIES

_PACKAGE = "llama-index-core"
_OWN = "llama-index:"

_REMARKS = (
    "LlamaIndex's own splitters strip, merge and overlap in ways of their own; this parser runs",
    "the code below and gives the same chunks. parser.get_nodes_from_documents() gives nodes.",
    "LlamaIndex finds a node's start_char_idx by searching for its text: where the text stands",
    "twice or was changed, it is wrong or None.",
)

_ROOM = (
    "split_text() gives the chunks as measured. As a node parser, get_nodes_from_documents(),",
    "this class keeps room for a document's metadata and may cut earlier.",
)

_TOKENIZE = f'''\
{VOCABULARY_COMMENT}
encoding = tiktoken.get_encoding({{name}})


def tokenize(text: str) -> list[int]:
    """Tokens of {{encoding}}."""
    {SPECIAL_COMMENT}
    return encoding.encode(text, disallowed_special=())


'''

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
    settings = configuration.splitter
    if settings.kind.startswith(_OWN):
        own, chunks = _own_parser(settings)
        remarks = _ROOM if "size" in get_splitter(settings.kind).uses else ()
        return write_module(configuration, note, own, chunks=chunks, remarks=remarks)
    cutter = make_cutter(settings, "llama-index")
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


def _own_parser(settings: SplitterSettings) -> tuple[Cutter, str]:
    """The class of LlamaIndex's that a `llama-index:NAME` is, and the texts of its chunks."""
    name = own_class(settings.kind)
    imports = [f"from llama_index.core.node_parser import {name}"]
    if "size" not in get_splitter(settings.kind).uses:
        imports.append("from llama_index.core.schema import Document")
        nodes = "parser.get_nodes_from_documents([Document(text=text)])"
        cutter = Cutter(f"parser = {name}()\n", "", imports=tuple(imports), packages=(_PACKAGE,))
        return cutter, f"[node.text for node in {nodes} if node.text]"
    before = f"# Sizes are {settings.unit}.\n"
    packages: tuple[str, ...] = (_PACKAGE,)
    tokenizer = "list" if settings.unit == "characters" else "str.split"
    if settings.unit == "tokens":
        if settings.encoding not in VOCABULARIES:
            raise other_encoding("llama-index", settings.encoding)
        encoding = settings.encoding
        before = _TOKENIZE.format(encoding=encoding, name=literal(encoding))
        imports.append("import tiktoken")
        packages = (_PACKAGE, "tiktoken")
        tokenizer = "tokenize"
    definition = (
        f"{before}parser = {name}(\n"
        f"    chunk_size={settings.size},\n"
        f"    chunk_overlap={settings.overlap_size},\n"
        f"    tokenizer={tokenizer},\n"
        ")\n"
    )
    cutter = Cutter(definition, "", imports=tuple(imports), packages=packages)
    return cutter, "[chunk for chunk in parser.split_text(text) if chunk]"
