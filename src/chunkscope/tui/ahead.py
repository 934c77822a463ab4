"""Documents that are looked at before all are read: any file at once, cut by A and B."""

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.text.document import Corpus, Document
from chunkscope.tui import messages
from chunkscope.tui.aheadmessages import AheadCut, CorpusListed, DocumentAhead
from chunkscope.tui.lanes import Lane
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.documents import DocumentLines

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.text.loading.reader import CorpusReader

_MANY_FILES = 1000
_PROGRESS_STEP = 64


class Ahead:
    """Works in a lane of its own beside the one that reads all.

    Attributes:
        reader: of the documents that are being read; None before and after.

    Args:
        executor: where wanted documents are read and cut, one at a time.
        debounce: awaited before a document is cut.
    """

    def __init__(self, executor: Executor | None, debounce: Callable[[], Awaitable[None]]) -> None:
        self.reader: CorpusReader | None = None
        self._executor = executor or Lane("chunkscope-ahead")
        self._debounce = debounce
        self._post: Callable[[Message], object] = lambda _message: None
        self._reading, self._opening, self._cutting = CancelToken(), CancelToken(), CancelToken()
        self._index: tuple[Document, CorpusIndex] | None = None

    def attach(self, post: Callable[[Message], object]) -> None:
        """Answers go here; called from any thread."""
        self._post = post

    # --- reading all -----------------------------------------------------------------------------

    def reading(self) -> CancelToken:
        """A new token for reading all documents."""
        self._reading = CancelToken()
        return self._reading

    def stop_reading(self) -> None:
        """Call reading off; what is read is kept."""
        self._reading.cancel()

    def leave(self) -> None:
        """All documents are read: nothing is wanted ahead of the others any more."""
        self._cutting.cancel()
        self._index = self.reader = None

    def stop(self) -> None:
        """Leave everything that runs; waits for nothing."""
        for token in (self._reading, self._opening, self._cutting):
            token.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def begin(
        self,
        reader: "CorpusReader",
        wanted: str,
        progress: Callable[[int, int], None],
        token: CancelToken,
    ) -> bool:
        """Where reading all takes a while: tell the names, and read one document first.

        That is the one with the id `wanted`, or the first that can be read; False without one.

        Raises:
            CancelledError: when `token` was raised meanwhile.
        """
        from chunkscope.text.loading.formats import is_extracted

        self.reader, files = reader, reader.files
        if len(files) < _MANY_FILES and not any(is_extracted(file.where) for file in files):
            return False
        ids = [file.id for file in files]
        at = bisect_left(ids, wanted)
        at = at if at < len(ids) and ids[at] == wanted else 0
        self._post(CorpusListed(DocumentLines(ids), at))
        found = reader.first(at, token)
        number = 0
        while isinstance(found, str) and number < len(files):
            if number % _PROGRESS_STEP == 0:
                progress(number, len(files))
            at, found = number, reader.first(number, token)
            number += 1
        if isinstance(found, str):
            return False
        self._post(DocumentAhead(at, found))
        return True

    # --- one document ----------------------------------------------------------------------------

    async def open(self, position: int) -> None:
        """Read the file at `position` at once; answers `DocumentAhead`. A newer call ends it."""
        self._opening.cancel()
        token = self._opening = CancelToken()
        reader = self.reader
        if reader is not None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._executor, self._open, reader, position, token)

    def _open(self, reader: "CorpusReader", position: int, token: CancelToken) -> None:
        try:
            token.check()
            found = reader.first(position, token)
        except CancelledError:
            return
        self._post(DocumentAhead(position, found))

    async def cut(
        self, generation: int, document: Document, configurations: Mapping[Variant, Configuration]
    ) -> None:
        """Cut one document by both variants; answers `AheadCut`, or `WorkFailed`."""
        self._cutting.cancel()
        token = self._cutting = CancelToken()
        await self._debounce()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(
            self._executor, self._cut, generation, document, configurations, token
        )

    def _cut(
        self,
        generation: int,
        document: Document,
        configurations: Mapping[Variant, Configuration],
        token: CancelToken,
    ) -> None:
        from chunkscope.evaluation.configfile import check_configuration
        from chunkscope.evaluation.index import CorpusIndex

        variant: Variant | None = None
        try:
            token.check()
            known = self._index
            if known is None or known[0] is not document:
                known = self._index = (document, CorpusIndex(Corpus((document,))))
            index, cuts = known[1], {}
            for variant in VARIANTS:
                one = configurations[variant]
                check_configuration(one)
                cuts[variant] = index.retrieved_cuts(0, one.splitter, one.enrich, token)
        except CancelledError:
            return
        except ChunkscopeError as error:
            self._post(messages.WorkFailed(generation, variant, str(error)))
            return
        self._post(AheadCut(generation, document, cuts))
