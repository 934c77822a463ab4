"""What can go wrong with an endpoint."""

from chunkscope.errors import InputError


class EndpointError(InputError):
    """An endpoint that cannot be reached, refuses, or answers what cannot be used.

    Attributes:
        status: the HTTP status it refused with, or 0.
        billed: whether the endpoint may have done the work and charge for it.
    """

    def __init__(self, message: str, *, status: int = 0, billed: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.billed = billed


class PassingError(EndpointError):
    """The same, where a later try may succeed.

    Attributes:
        wait: seconds the endpoint asks to wait, or None.
    """

    def __init__(
        self,
        message: str,
        wait: float | None = None,
        *,
        status: int = 0,
        billed: bool = False,
    ) -> None:
        super().__init__(message, status=status, billed=billed)
        self.wait = wait


class NobodyError(PassingError):
    """Nobody listens at the address: what may pass for a server that answered before."""


class CostLimitError(EndpointError):
    """A request that was not made, because it could cost more than is allowed in all.

    Attributes:
        spent: the price of all before it, requests under way included.
        following: the price it may have.
        limit: the most that all may cost.
    """

    def __init__(self, spent: float, following: float, limit: float) -> None:
        super().__init__(
            f"max cost: {spent:.6g} is spent, the next request may cost {following:.6g}, the most "
            f"is {limit:.6g}; what came is kept: give more, and run again to go on"
        )
        self.spent = spent
        self.following = following
        self.limit = limit
