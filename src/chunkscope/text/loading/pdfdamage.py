"""Whatever a damaged PDF makes pypdf raise, as one error."""

import struct
import zlib
from collections.abc import Callable
from typing import TypeVar

from chunkscope.text.display import visible
from chunkscope.text.loading.decode import DecodeError

_Value = TypeVar("_Value")
_SHOWN_MESSAGE = 120


def guarded(work: Callable[..., _Value], *arguments: object) -> _Value:
    """What `work` gives; whatever a damaged file makes pypdf raise is one `DecodeError`."""
    from pypdf.errors import DependencyError, DeprecationError, PyPdfError

    try:
        return work(*arguments)
    except DecodeError:
        raise
    except DependencyError:
        raise DecodeError("an encrypted PDF: pip install 'chunkscope[pdf]' reads it") from None
    except (
        PyPdfError, DeprecationError, ArithmeticError, AssertionError, AttributeError, EOFError,
        LookupError, MemoryError, NotImplementedError, OSError, RecursionError, TypeError,
        ValueError, struct.error, zlib.error,
    ) as error:  # fmt: skip
        said = " ".join(visible(str(error)).split())[:_SHOWN_MESSAGE] or type(error).__name__
        raise DecodeError(f"a damaged or truncated PDF: {said}") from error
