"""What can go wrong with an endpoint."""

from chunkscope.errors import InputError


class EndpointError(InputError):
    """An endpoint that cannot be reached, refuses, or answers what cannot be used."""


class PassingError(EndpointError):
    """The same, where a later try may succeed.

    Attributes:
        wait: seconds the endpoint asks to wait, or None.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
