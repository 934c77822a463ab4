"""What the models behind retrievers have to say to the screen."""

from dataclasses import dataclass

from textual.message import Message


@dataclass
class ModelProgress(Message):
    """How many texts a retriever's model has embedded, of how many."""

    model: str
    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        """A newer count makes an older one needless."""
        return isinstance(message, ModelProgress)


@dataclass
class ConsentWanted(Message):
    """Endpoints (kind, address) would be sent texts; `what` says how many, for a run or a sweep.

    `run` is the sweep's number; 0: for the numbers of A and B.
    """

    what: str
    endpoints: tuple[tuple[str, str], ...]
    run: int = 0
