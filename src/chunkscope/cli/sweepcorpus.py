"""The corpus of a sweep: in memory where it is small, else its texts in a temporary file."""

import argparse
import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from chunkscope.cli.output import say
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import HowRead, open_documents, read_corpus
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.streamed import StreamedIndex, unstreamable
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.models import Models
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus, Document
from chunkscope.text.store import TextStore, is_stored

HELD = 64_000_000
"""Characters of a corpus up to which it is held in memory: faster, at some 8 bytes each."""


def read_swept(
    arguments: argparse.Namespace,
    exclude: Sequence[Path],
    rows: Sequence[Configuration],
    until: ExitStack,
) -> Corpus:
    """The corpus of PATH…; what was left out is said on stderr.

    Args:
        arguments: with the paths, and how files are read.
        exclude: files that are no documents.
        rows: what is to be measured.
        until: the temporary file is given back when it is closed.

    Raises:
        InputError: when nothing can be read, or there is no room for a temporary file.
    """
    reasons = dict.fromkeys(filter(None, map(unstreamable, rows)))
    if reasons:
        corpus = read_corpus(arguments, exclude)
        if corpus.characters > HELD:
            say(f"the whole corpus is held in memory, for {', '.join(reasons)}")
        return corpus
    how = HowRead(everything=arguments.list_skipped)
    golden = [arguments.golden] if arguments.golden is not None else []
    documents: list[Document] = []
    store: TextStore | None = None
    characters = 0
    with progress("reading documents") as advance:
        stream = open_documents(arguments, advance, exclude=[*exclude, *golden])
        for document in stream:
            how.take(document)
            characters += document.length
            documents.append(document if store is None else store.keep(document))
            del document
            if store is None and characters > HELD:
                store = until.enter_context(TextStore())
                _say_where()
                for number, one in enumerate(documents):
                    documents[number] = store.keep(one)
                del one
    how.say(stream.skipped)
    return Corpus(tuple(documents), stream.skipped, stream.root, stream.reading.to_mapping())


def _say_where() -> None:
    """Say where temporary files lie, if that is not where the user wants them."""
    wanted, used = os.environ.get("TMPDIR"), tempfile.gettempdir()
    if wanted and Path(wanted).absolute() != Path(used).absolute():
        say(f"warning: TMPDIR {visible(wanted)}: cannot be written; temporary files lie in {used}")


def swept_index(
    corpus: Corpus,
    questions: Sequence[LocatedQuestion],
    models: Models,
    until: ExitStack,
) -> CorpusIndex:
    """What a sweep over this corpus is measured with; no other question is asked.

    Args:
        corpus: as `read_swept` gives it.
        questions: located in it.
        models: loads and calls what retrievers need.
        until: temporary files are given back when it is closed.
    """
    if not is_stored(corpus):
        return CorpusIndex(corpus, models)
    index = StreamedIndex(corpus, questions, models=models)
    until.callback(index.close)
    return index
