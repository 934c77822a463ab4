"""Text and source range of a chunk whose pieces are joined anew, separators having been dropped."""

from collections.abc import Sequence


def joined_chunk(
    source: str, pieces: Sequence[tuple[int, int]], joiner: str, *, strip: bool
) -> tuple[str, int, int]:
    """The chunk made of `pieces` with `joiner` between them.

    Of the source, the range from the first to the last character that stands in the chunk. A
    joiner at the chunk's very end stands for the nearest occurrence of it in the gap, or for the
    whole gap where a pattern matched another text.

    Returns:
        The text (empty: no chunk), and its range's start and end.
    """
    text = joiner.join([source[start:end] for start, end in pieces])
    if not strip:
        return text, pieces[0][0], pieces[-1][1]
    stripped = text.strip()
    if not stripped:
        return "", pieces[0][0], pieces[0][0]
    before = len(text) - len(text.lstrip())
    after = len(text) - len(text.rstrip())
    return stripped, _start(source, pieces, joiner, before), _end(source, pieces, joiner, after)


def _start(source: str, pieces: Sequence[tuple[int, int]], joiner: str, skip: int) -> int:
    """Where the joined text's character number `skip` stands in the source."""
    for number, (start, end) in enumerate(pieces):
        if skip < end - start:
            return start + skip
        skip -= end - start
        if skip < len(joiner):
            after = pieces[number + 1][0]
            place = after - len(joiner)
            return place + skip if place >= end and source[place:after] == joiner else end
        skip -= len(joiner)
    raise AssertionError("a chunk with text has a first character")


def _end(source: str, pieces: Sequence[tuple[int, int]], joiner: str, skip: int) -> int:
    """One past where the joined text's character number `skip` from its end stands."""
    for number in range(len(pieces) - 1, -1, -1):
        start, end = pieces[number]
        if skip < end - start:
            return end - skip
        skip -= end - start
        if skip < len(joiner):
            before = pieces[number - 1][1]
            place = before + len(joiner)
            return place - skip if place <= start and source[before:place] == joiner else start
        skip -= len(joiner)
    raise AssertionError("a chunk with text has a last character")
