"""What every splitter of our own promises of its chunks."""

from chunkscope.splitting.chunks import Cuts


def assert_covers(text: str, cuts: Cuts) -> None:
    """Every character that is not white space stands in a chunk."""
    covered = bytearray(len(text))
    for start, end in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True):
        covered[start:end] = b"\1" * (end - start)
    lost = [place for place, held in enumerate(covered) if not held and not text[place].isspace()]
    assert lost == []


def assert_in_order(text: str, cuts: Cuts) -> None:
    """Chunks are slices, none is empty, and neither starts nor ends ever go back."""
    starts, ends = cuts.starts.tolist(), cuts.ends.tolist()
    assert cuts.altered == {}
    assert cuts.spans == {}
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert starts == sorted(starts)
    assert ends == sorted(ends)
