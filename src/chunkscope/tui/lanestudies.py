"""What is worked out beside A's and B's numbers: a log's agreement, the first of two stages."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.spans import Span
from chunkscope.tui import messages
from chunkscope.tui.reallog import RealLog

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex


@dataclass(frozen=True)
class Agreeing:
    """How far a configuration's retriever agrees with what really came back.

    Attributes:
        log: what came back.
        configuration: the stand-in's.
        generation: the change it answers.
    """

    log: RealLog
    configuration: Configuration
    generation: int
    kind: str = "log"

    def answer(self, index: "CorpusIndex", token: CancelToken) -> Message | None:
        """`AgreementReady`, or None when called off."""
        from chunkscope.evaluation.logagreement import agreement, usual_depth
        from chunkscope.evaluation.run import evaluate

        placed = self.log.placed
        depth = max([1, *(len(entry.chunks) for entry in placed)])
        k = tuple(dict.fromkeys([usual_depth(placed), depth]))
        settings = self.configuration
        settings = replace(settings, retriever=replace(settings.retriever, k=k))
        try:
            run = evaluate(index, settings, self.log.questions, cancel=token)
            found = agreement(placed, run)
        except CancelledError:
            return None
        except ChunkscopeError as error:
            return messages.StudyFailed(self.generation, self.kind, str(error))
        return messages.AgreementReady(self.configuration, found)


@dataclass(frozen=True)
class Doubting:
    """Which evidence has a place in doubt.

    Attributes:
        questions: the questions.
        first: position of the one to begin with.
    """

    questions: tuple[LocatedQuestion, ...]
    first: int
    kind: str = "places"

    def answer(self, index: "CorpusIndex", token: CancelToken) -> Message | None:
        """`PlacesReady`, or None when called off."""
        from chunkscope.golden.places import offers

        try:
            found = offers(self.questions, index.corpus, first=self.first, cancel=token)
        except CancelledError:
            return None
        return messages.PlacesReady(self.questions, found)


@dataclass(frozen=True)
class Staging:
    """Where the first of a splitter's two stages cuts one document.

    Attributes:
        document: its position.
        splitter: the kind of splitter.
        generation: the change that it was wanted for.
    """

    document: int
    splitter: str
    generation: int
    kind: str = "sections"

    def answer(self, index: "CorpusIndex", token: CancelToken) -> Message | None:
        """`SectionsReady`, or None when called off."""
        from chunkscope.splitting.settings import SplitterSettings
        from chunkscope.splitting.staged import first_stage

        document = index.corpus.documents[self.document]
        try:
            found = first_stage(document.text, SplitterSettings(kind=self.splitter), token)
        except CancelledError:
            return None
        except ChunkscopeError as error:
            return messages.StudyFailed(self.generation, self.kind, str(error))
        spans = [Span(parts[0].start, parts[-1].end) for parts in found or () if parts]
        return messages.SectionsReady(document.id, self.splitter, tuple(spans))
