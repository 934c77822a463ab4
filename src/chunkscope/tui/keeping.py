"""Where a place of a text is once the text has changed."""

_ANCHOR = 40
_ANCHORS = (_ANCHOR, 20, 10)
"""Characters before and after a place by which it is found again in what changed."""


def kept_place(before: str, after: str, offset: int) -> int:
    """The offset in `after` of what stands at `offset` in `before`.

    Exact where only one stretch of the text changed and the place is outside of it; inside,
    the nearest place with the same characters around it; else the start of what changed.
    """
    same = _common(before, after)
    if offset < same or before == after:
        return min(offset, len(after))
    tail = _common_end(before, after, min(len(before), len(after)) - same)
    if offset >= len(before) - tail:
        return len(after) - (len(before) - offset)
    return _anchored(before, after, offset, same, len(after) - tail)


def _anchored(before: str, after: str, offset: int, low: int, high: int) -> int:
    around = [(max(0, offset - reach), offset + reach) for reach in _ANCHORS]
    onwards = [(offset, offset + reach) for reach in _ANCHORS]
    for start, end in (*around, *onwards):
        piece, shift = before[start:end], offset - start
        found = -1
        at = after.find(piece, max(0, low - _ANCHOR), high + _ANCHOR) if piece else -1
        while at >= 0:
            if found < 0 or abs(at + shift - offset) < abs(found - offset):
                found = at + shift
            at = after.find(piece, at + 1, high + _ANCHOR)
        if found >= 0:
            return min(found, len(after))
    return min(max(offset, low), max(low, high), len(after))


def _common(before: str, after: str) -> int:
    """Length of the longest common beginning, by halves."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(before: str, after: str, most: int) -> int:
    """Length of the longest common end, at most `most`, by halves."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        one = before[len(before) - middle : len(before) - low]
        if one == after[len(after) - middle : len(after) - low]:
            low = middle
        else:
            high = middle - 1
    return low
