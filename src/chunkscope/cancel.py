"""A flag that one thread raises and another looks at between two steps of work."""

from threading import Event


class CancelledError(Exception):
    """The work was called off; whatever it had finished is kept by its caller."""


class CancelToken:
    """Shared between who asks for work and who does it; safe across threads."""

    def __init__(self) -> None:
        self._event = Event()

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `CancelledError` if `cancel` was called."""
        if self._event.is_set():
            raise CancelledError
