"""Python code on haystack-ai that cuts as the configuration does."""

from dataclasses import replace

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import Cutter, make_cutter
from chunkscope.export.module import write_module

_PACKAGE = "haystack-ai"

_REMARKS = (
    "Haystack's own ways to split keep white space, count words by single spaces and overlap",
    "otherwise; its DocumentSplitter runs the function below and gives the same chunks. Put it",
    'into a pipeline: pipeline.add_component("splitter", document_splitter)',
    "Haystack reports the use of pipelines to its makers, unless HAYSTACK_TELEMETRY_ENABLED=false.",
    "It finds split_idx_start by searching for a chunk's text: where the text stands twice or was",
    "changed, it can be wrong.",
)

_COMPONENT = '''\
document_splitter = DocumentSplitter(split_by="function", splitting_function=cut)


def chunk_texts(text: str) -> list[str]:
    """The texts of the documents that the component makes of one."""
    made = document_splitter.run(documents=[Document(content=text)])
    return [document.content or "" for document in made["documents"]]
'''


def export(configuration: Configuration, note: str = "") -> str:
    """A module that defines a DocumentSplitter and `split(text) -> list[str]`.

    Raises:
        InputError: for a splitter that there is no function for.
    """
    cutter = make_cutter(configuration.splitter, "haystack")
    return write_module(configuration, note, _in_component(cutter), remarks=_REMARKS)


def _in_component(cutter: Cutter) -> Cutter:
    # A function of the module, because Haystack can write its name into a pipeline's file.
    function = cutter.as_function()
    return replace(
        function,
        definition=f"{function.definition}\n\n{_COMPONENT}",
        call="chunk_texts",
        imports=(
            *function.imports,
            "from haystack import Document",
            "from haystack.components.preprocessors import DocumentSplitter",
        ),
        packages=(_PACKAGE, *function.packages),
    )
