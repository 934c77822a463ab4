"""What a run that writes golden questions is asked for, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chunkscope.endpoint.cost import Usage
from chunkscope.errors import InputError
from chunkscope.golden.model import GoldenSet
from chunkscope.llm.filtering import LEAST_SCORE
from chunkscope.llm.prompts import Prompts

ALTERNATIVES = 3


@dataclass(frozen=True)
class Plan:
    """What is to be generated.

    Attributes:
        count: questions wanted.
        seed: of the passages drawn, and sent to the model.
        least: lowest score that is kept, of 1 to 5.
        max_cost: nothing is begun that could cost more in all, by our count of tokens; None: no
            limit.
        alternatives: other passages, at most, that the model is asked about for each question
            with high enough scores, whether they answer it too; 0: none.
        tokens: most tokens of each answer; 0: what suits models that do not think aloud.
        prompts: what the model is asked.
    """

    count: int
    seed: int = 0
    least: int = LEAST_SCORE
    max_cost: float | None = None
    alternatives: int = ALTERNATIVES
    tokens: int = 0
    prompts: Prompts = field(default_factory=Prompts)

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"count: {self.count}; ask for at least 1 question")
        if not 1 <= self.least <= 5:
            raise InputError(f"least score: {self.least}; give 1 to 5")
        if self.max_cost is not None and not self.max_cost >= 0:
            raise InputError(f"max cost: {self.max_cost:g}; give 0 or more")
        if not 0 <= self.alternatives <= 20:
            raise InputError(f"alternatives: {self.alternatives}; give 0 to 20")
        if self.tokens < 0:
            raise InputError(f"answer tokens: {self.tokens}; give 0 or more")


@dataclass(frozen=True)
class Alternatives:
    """Passages looked at because they might answer a kept question too.

    Attributes:
        asked: passages the model was asked about.
        added: alternatives that came of it.
        dropped: it said yes, but its evidence is not in the passage.
        unusable: it gave no usable answer.
        repeated: further places where the same words stand, found without asking.
    """

    asked: int = 0
    added: int = 0
    dropped: int = 0
    unusable: int = 0
    repeated: int = 0


@dataclass(frozen=True)
class Generated:
    """What came of it.

    Attributes:
        golden: the questions kept, in the order of their passages; see `keeping` for their key
            `generated`.
        reasons: passages by what became of them: `kept`, or why not.
        alternatives: what the search for more places of the kept questions' answers gave.
        usage: tokens of all requests, those of earlier runs included.
        stopped: why there are fewer questions than wanted; empty when there are not.
        models: names of the models that answered.
        refused: what the endpoint last failed with in this run; empty when it never did.
    """

    golden: GoldenSet
    reasons: Mapping[str, int]
    alternatives: Alternatives
    usage: Usage
    stopped: str
    models: tuple[str, ...]
    refused: str = ""
