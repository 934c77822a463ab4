"""A corpus that passes through a command: read, cut and let go of some documents at a time."""

import argparse
from collections.abc import Callable, Iterable, Iterator

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.output import say, say_all
from chunkscope.cli.progress import progress
from chunkscope.cli.readas import ReadAs
from chunkscope.cli.sources import HowRead, open_documents
from chunkscope.evaluation.batches import chunk_batches
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import CorpusWarnings
from chunkscope.text.counting import CorpusCounts
from chunkscope.text.document import Document, Skipped

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

Take = Callable[[ChunkSet], bool]
"""Takes the next chunks; False: no more are wanted."""


class Passing:
    """What is known of the documents that have passed.

    Attributes:
        token: raised by Ctrl-C.
        counts: of the documents.
        reading: how they are read, as in `Corpus`.
        stopped: whether Ctrl-C ended it before the last document.
        left: whether nobody wanted the rest.
    """

    def __init__(
        self,
        arguments: argparse.Namespace,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        warn_of: EnrichSettings | None = None,
    ) -> None:
        self._arguments = arguments
        self._splitter, self._enrich = splitter, enrich
        self._warnings = CorpusWarnings(splitter, warn_of)
        self._how = HowRead(everything=arguments.list_skipped)
        self._read_as = ReadAs(arguments.newline)
        self.token = CancelToken()
        self.counts = CorpusCounts()
        self.reading: dict[str, object] = {}
        self.stopped = False
        self.left = False

    def through(self, take: Take, *, bar: bool = True) -> None:
        """Read and cut everything, and say on stderr what is to be known of the documents.

        Args:
            take: is given the chunks of some documents after another, as `chunk_batches` makes
                them, and keeps none of them.
            bar: whether a terminal shows how far it is.

        Raises:
            InputError: when nothing can be read, or the settings cannot work.
        """
        skipped: tuple[Skipped, ...] = ()
        with cancelled_by_ctrl_c(self.token), progress("cutting", shown=bar) as advance:
            try:
                documents = open_documents(self._arguments, advance, self.token)
                self.reading = documents.reading.to_mapping()
                for chunks in chunk_batches(
                    self._seen(documents), self._splitter, self._enrich, self.token
                ):
                    if not take(chunks):
                        self.left = True
                        return
                    # Not held while the next documents are read.
                    del chunks
                skipped = documents.skipped
            except CancelledError:
                self.stopped = True
        self._how.say(skipped)
        if self._read_as.sentence:
            say(self._read_as.sentence)
        say_all(f"warning: {line}" for line in self._warnings.sentences())

    def _seen(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self._how.take(document)
            self._read_as.take(document)
            self._warnings.take(document)
            self.counts.take(document)
            yield document
            del document
