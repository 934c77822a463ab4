"""What widgets ask for (upwards) and what the engine answers (from its thread)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation
from chunkscope.golden.model import Evidence, GoldenSet, LocatedQuestion, Question
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span
from chunkscope.tui.session import Numbers, Variant

if TYPE_CHECKING:
    from chunkscope.evaluation.compare import Comparison
    from chunkscope.evaluation.diagnosis import Diagnosis
    from chunkscope.evaluation.health import Health
    from chunkscope.evaluation.logagreement import Agreement
    from chunkscope.evaluation.mending import Mend
    from chunkscope.evaluation.sweep import Sweep, SweepRow
    from chunkscope.golden.places import Choice, Offer
    from chunkscope.splitting.reloading import SourceVersion
    from chunkscope.tui.reallog import RealLog

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
    """The corpus, the golden set located in it, and what came with a log or a case."""

    corpus: Corpus
    golden: GoldenSet | None
    located: tuple[LocatedQuestion, ...]
    asked: LocatedQuestion | None
    brought: tuple[LocatedQuestion, ...] = ()
    log: "RealLog | None" = None


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
class MendsReady(Message):
    """The settings near A under which a question is hit, cheapest first; or why there are none."""

    question: int
    mends: "tuple[Mend, ...]"
    reason: str = ""


@dataclass
class CutProgress(Message):
    """How many documents of the corpus are cut, of how many, for a change."""

    generation: int
    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """A newer count makes an older one needless."""
        return isinstance(message, CutProgress)


@dataclass
class PlacesReady(Message):
    """The evidence of `questions` whose place is in doubt, and what could be taken."""

    questions: tuple[LocatedQuestion, ...]
    offers: "tuple[Offer, ...]"


@dataclass
class DiagnosisReady(Message):
    """Why each bad question of both runs failed."""

    generation: int
    diagnoses: "Mapping[Variant, Diagnosis]"


@dataclass
class HealthReady(Message):
    """What is wrong with the chunks themselves."""

    generation: int
    health: "Mapping[Variant, Health]"


@dataclass
class ComparisonReady(Message):
    """B against A, and a run for each step between them."""

    generation: int
    comparison: "Comparison"
    between: tuple[Evaluation, ...]


@dataclass
class SplittersReloaded(Message):
    """Splitters of one's own with the file that is in use now; or why one could not be had."""

    versions: "Mapping[str, SourceVersion]"
    reason: str = ""


@dataclass
class AgreementReady(Message):
    """How far a configuration's retriever agrees with what a real system returned."""

    configuration: Configuration
    agreement: "Agreement"


@dataclass
class SectionsReady(Message):
    """Where the first of a splitter's two stages cuts a document."""

    document: str
    splitter: str
    sections: tuple[Span, ...]


@dataclass
class StudyFailed(Message):
    """A panel's question has no answer; one line says why."""

    generation: int
    kind: str
    reason: str


@dataclass
class ExportReady(Message):
    """An export's text and what its proof found."""

    target: str
    text: str
    proof: str
    proven: bool


# --- from the screen itself ------------------------------------------------------------


@dataclass
class Furnished(Message):
    """Fields and hidden panels stand: every key works."""


# --- from widgets ----------------------------------------------------------------------


@dataclass
class DocumentChosen(Message):
    """Open this document: its place in the list, and its id."""

    position: int
    id: str


@dataclass
class SkippedChosen(Message):
    """Say why this file is not part of the corpus."""

    path: str
    reason: str


@dataclass
class PlacesTaken(Message):
    """Take these places for these pieces of evidence."""

    taken: "tuple[tuple[Offer, Choice], ...]"


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
class ConfigurationTaken(Message):
    """Take this configuration into B.

    Attributes:
        what: says what it was.
        preview: nobody is told.
        leave: and go to the document.
    """

    configuration: Configuration
    what: str = ""
    preview: bool = False
    leave: bool = False


@dataclass
class PlaceWanted(Message):
    """Go to an offset of a document; `leave`: and out of the list."""

    doc: str
    offset: int
    leave: bool = False


@dataclass
class QuestionWanted(Message):
    """Choose a question by its id; `leave`: and go to its evidence."""

    id: str
    leave: bool = False


@dataclass
class RetrievedPicked(Message):
    """Go to a retrieved chunk by its place in the ranking, from 0.

    `peek`: the cursor of the list only passes it.
    """

    variant: Variant
    place: int
    peek: bool = False


@dataclass
class QuestionAsked(Message):
    """Locate and measure this.

    Attributes:
        again: in place of the question asked before.
        type: a free label; empty: none.
        selected: evidence that was selected, with its offsets.
        edited: the golden question that this is the new form of.
    """

    question: str
    evidence: tuple[str, ...]
    returned: tuple[str, ...]
    again: bool = False
    type: str = ""
    selected: Evidence | None = None
    edited: Question | None = None


@dataclass
class WriteWanted(Message):
    """Write the unsaved questions."""


@dataclass
class ExportWanted(Message):
    """Make this export and prove it."""

    configuration: Configuration
    target: str


@dataclass
class PanelChosen(Message):
    """Show this bottom panel."""

    panel: str
