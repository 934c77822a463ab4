"""Errors a person can act on. Each message says what, where, and what to do, in one line."""


class ChunkscopeError(Exception):
    """Base of every error the commands print as one line.

    Attributes:
        exit_code: the process's exit code for it.
    """

    exit_code = 2


class InputError(ChunkscopeError):
    """A file, a flag or a setting that cannot be used as given (exit code 2)."""


class MissingPackageError(InputError):
    """A package of an extra that is not installed (exit code 2)."""


class NotComparableError(ChunkscopeError):
    """Two runs over another corpus, golden set or k (exit code 3)."""

    exit_code = 3
