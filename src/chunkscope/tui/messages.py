"""What widgets ask for (upwards) and what the engine answers (from its thread)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Corpus
from chunkscope.tui.session import Numbers, Variant

if TYPE_CHECKING:
    from chunkscope.evaluation.sweep import Sweep, SweepRow

# --- from the engine -------------------------------------------------------------------


@dataclass
class LoadProgress(Message):
    """How many files are read, of how many."""

    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """A newer count makes an older one needless."""
        return isinstance(message, LoadProgress)


@dataclass
class CorpusLoaded(Message):
    """The corpus, and the golden set located in it."""

    corpus: Corpus
    golden: GoldenSet | None
    located: tuple[LocatedQuestion, ...]
    asked: LocatedQuestion | None


@dataclass
class LoadFailed(Message):
    """Nothing can be shown; one line says why."""

    reason: str


@dataclass
class ChunksReady(Message):
    """The visible document, cut by both variants."""

    generation: int
    document: int
    cuts: Mapping[Variant, Cuts]


@dataclass
class CorpusCut(Message):
    """The whole corpus, cut by both variants."""

    generation: int
    chunk_sets: Mapping[Variant, ChunkSet]


@dataclass
class NumbersReady(Message):
    """The numbers of A and B."""

    numbers: Numbers


@dataclass
class WorkFailed(Message):
    """A configuration cannot be used; what stood before stays."""

    generation: int
    variant: Variant | None
    reason: str


@dataclass
class Explained(Message):
    """Why chunks rank where they do: (term, share of the score) by variant and chunk."""

    generation: int
    question: int
    terms: Mapping[tuple[Variant, int], tuple[tuple[str, float], ...]]


@dataclass
class SweepRowReady(Message):
    """One more row of a running sweep."""

    run: int
    row: "SweepRow"
    total: int


@dataclass
class SweepEnded(Message):
    """The sweep, whole; or None with the reason it stopped."""

    run: int
    sweep: "Sweep | None"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage that resembles evidence which stands nowhere.

    Attributes:
        missing: the evidence as it was pasted.
        where: document and range, for a person.
        text: the passage itself.
    """

    missing: str
    where: str
    text: str


@dataclass
class AskAnswered(Message):
    """The answer to an asked question, in one sentence a variant."""

    located: LocatedQuestion
    sentences: tuple[str, ...]
    passages: tuple[NearPassage, ...]


@dataclass
class AskFailed(Message):
    """The question cannot be asked so; one line says why."""

    reason: str


@dataclass
class MendReady(Message):
    """The cheapest neighbouring configuration that hits, or None."""

    question: int
    configuration: Configuration | None
    sentence: str


@dataclass
class ExportReady(Message):
    """An export's text and what its proof found."""

    target: str
    text: str
    proof: str
    proven: bool


# --- from widgets ----------------------------------------------------------------------


@dataclass
class DocumentChosen(Message):
    """Open this document."""

    position: int


@dataclass
class QuestionChosen(Message):
    """Show this question; `enter`: and go to its evidence in the document."""

    position: int
    enter: bool


@dataclass
class ChunkChosen(Message):
    """Go to this chunk of the corpus under this variant."""

    variant: Variant
    chunk: int


@dataclass
class SettingChanged(Message):
    """A field holds another valid value."""

    variant: Variant
    section: str
    name: str
    value: object


@dataclass
class SweepWanted(Message):
    """Run a sweep over these sizes and overlaps."""

    sizes: tuple[int, ...]
    overlaps: tuple[int | str, ...]


@dataclass
class SweepRowTaken(Message):
    """Take this configuration into B."""

    configuration: Configuration


@dataclass
class PanelChosen(Message):
    """Show this bottom panel."""

    panel: str
