"""Memory that was freed, handed back to the system: glibc's part of it."""

import ctypes
import sys

LARGE = 4_000_000
"""Characters of a corpus from which on handing memory back is worth its time."""

_TRIM_THRESHOLD = -1
_MMAP_THRESHOLD = -3
"""Names of `mallopt` parameters in malloc.h."""


def give_back() -> None:
    """Hand back what is free now.

    Many arrays of many sizes leave a heap full of holes; a process that is forked after them, or
    lives beside others, holds what it does not use.
    """
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


def give_back_at_once() -> None:
    """From now on, hand back every larger array when it is freed.

    It costs new pages for every new array: worth it where arrays are of many megabytes, as glibc
    would by and by keep all of them in the heap.
    """
    library = _glibc()
    if library is not None:
        library.mallopt(_MMAP_THRESHOLD, 1 << 19)
        library.mallopt(_TRIM_THRESHOLD, 1 << 20)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
