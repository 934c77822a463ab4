"""What the engine stands on: its lanes, the corpus's index, the models, and reading."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation
from chunkscope.tui import messages
from chunkscope.tui.ahead import Ahead
from chunkscope.tui.aheadmessages import LoadStopped
from chunkscope.tui.lanes import Lane
from chunkscope.tui.modelwork import ModelWork
from chunkscope.tui.reading import Opening

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.retrieval.models import Access

DEBOUNCE_SECONDS = 0.012
_GLIMPSE_SECONDS = 0.5
"""The longest that reading waits for the first document to be painted."""

T = TypeVar("T")
Post = Callable[[Message], object]
Debounce = Callable[[], Awaitable[None]]


async def _short_pause() -> None:
    """Long enough that a held key starts one job, short enough that nobody waits for it."""
    await asyncio.sleep(DEBOUNCE_SECONDS)


class EngineBase:
    """Owns the lanes, the corpus's index and the models; reads documents.

    Attributes:
        ahead: opens documents before all are read.

    Args:
        executor: where cuts and numbers are made, one job at a time.
        sweeper: where sweeps run, so that they hold up no key press.
        prover: where exports are made and proven.
        modeller: where models embed, so that they hold up no cut.
        opener: where a document is read and cut that is wanted before all are read.
        debounce: awaited before a change is worked on; a newer change ends the wait.
        access: how the models behind retrievers are called.
    """

    def __init__(
        self,
        *,
        executor: Executor | None = None,
        sweeper: Executor | None = None,
        prover: Executor | None = None,
        modeller: Executor | None = None,
        opener: Executor | None = None,
        debounce: Debounce = _short_pause,
        access: "Access | None" = None,
    ) -> None:
        self._executor = executor or Lane("chunkscope-cuts")
        # Only a thread of its own can wait for the screen without holding it up.
        self._own_thread, self._settled = executor is None, False
        self._painted = Event()
        self._sweeper = sweeper or Lane("chunkscope-sweep")
        self._prover = prover or Lane("chunkscope-proof")
        self._modeller = modeller or Lane("chunkscope-models")
        self._debounce = debounce
        self.ahead = Ahead(opener, debounce)
        self._post: Post = lambda _message: None
        self._models, self._sweep_models = ModelWork(access), ModelWork(access)
        self._index: CorpusIndex | None = None
        self._other_indexes: dict[int, CorpusIndex] = {}
        self._token = CancelToken()
        self._studies: dict[str, CancelToken] = {}
        self._sweep_token = CancelToken()
        self._runs: dict[Configuration, Evaluation] = {}
        self._run_of_sweep = 0
        self._known_differences: tuple[Evaluation, Evaluation, dict[str, Difference]] | None = None

    def attach(self, post: Post) -> None:
        """Answers go here; called from any thread."""
        self._post = post
        self.ahead.attach(post)
        self._models.attach(post)
        self._sweep_models.attach(post)

    def allow(self, endpoints: Sequence[tuple[str, str]]) -> None:
        """These (kind, address) may be sent the texts that changes of A and B need."""
        self._models.allow(endpoints)

    def stop(self) -> None:
        """Leave everything that runs; waits for nothing."""
        for token in (self._token, self._sweep_token, *self._studies.values()):
            token.cancel()
        self.ahead.stop()
        for executor in (self._executor, self._sweeper, self._prover, self._modeller):
            executor.shutdown(wait=False, cancel_futures=True)

    def painted(self) -> None:
        """The newest boundaries are on the screen: go on with the numbers."""
        self._painted.set()

    # --- loading ---------------------------------------------------------------------------

    async def load(self, opening: Opening) -> None:
        """Read documents and golden set; answers `CorpusLoaded`, `LoadFailed` or `LoadStopped`.

        Where that takes a while, `CorpusListed` and `DocumentAhead` come first. After
        `LoadStopped` another call goes on where this one was stopped.
        """
        await self._on(self._executor, self._load, opening)

    def _load(self, opening: Opening) -> None:
        try:
            self._post(self._loaded(opening))
        except CancelledError:
            reader = self.ahead.reader
            count = len(reader.files) if reader is not None else 0
            self._post(LoadStopped(reader.done if reader is not None else 0, count))
        except ChunkscopeError as error:
            self._post(messages.LoadFailed(str(error)))
        except OSError as error:
            self._post(messages.LoadFailed(f"{error.filename}: {error.strerror}"))

    def _loaded(self, opening: Opening) -> messages.CorpusLoaded:
        from chunkscope.evaluation.index import CorpusIndex
        from chunkscope.tui.reading import list_files, read

        token, reader = self.ahead.reading(), self.ahead.reader
        if reader is None:
            reader = list_files(opening, token)
            if reader is not None and self._index is None:
                self._painted.clear()
                shown = self.ahead.begin(reader, opening.first, self._progress, token)
                if shown and self._own_thread:
                    # Painting and reading side by side take turns, and the eye waits.
                    self._painted.wait(_GLIMPSE_SECONDS)
        loaded = read(opening, reader, self._progress, token)
        corpus = loaded.corpus
        known = self._index.corpus if self._index is not None else None
        # Fingerprints are made here, and not where the screen waits for them.
        _ = corpus.fingerprint
        unchanged = known is not None and known.fingerprint == corpus.fingerprint
        if known is not None and unchanged and known.skipped == corpus.skipped:
            corpus = known
        else:
            self._index = CorpusIndex(corpus, self._models.models())
            self._other_indexes.clear()
            self._runs.clear()
            self._known_differences = None
        self.ahead.leave()
        loaded.corpus = corpus
        return loaded

    def _progress(self, done: int, total: int) -> None:
        self._post(messages.LoadProgress(done, total))

    def _study_of(self, kind: str) -> CancelToken:
        """A token for a study, in place of an older one of its kind."""
        if kind in self._studies:
            self._studies[kind].cancel()
        token = self._studies[kind] = CancelToken()
        return token

    def _ready_index(self) -> "CorpusIndex":
        if self._index is None:
            raise ChunkscopeError("no documents are open yet; wait until they are read")
        return self._index

    def _index_of(self, executor: Executor) -> "CorpusIndex":
        """A lane's own index: its caches belong to one thread."""
        from chunkscope.evaluation.index import CorpusIndex

        if id(executor) not in self._other_indexes:
            corpus = self._ready_index().corpus
            self._other_indexes[id(executor)] = CorpusIndex(corpus, self._sweep_models.models())
        return self._other_indexes[id(executor)]

    async def _on(self, executor: Executor, job: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(executor, job, *arguments)
