"""Texts in lots: so many a request, and so many tokens a request."""

from collections.abc import Iterator, Sequence


def cut_lots(tokens: Sequence[int], texts: int, most: int) -> Iterator[range]:
    """The places of each lot, in order; every text is in one.

    Args:
        tokens: of each text.
        texts: most texts of a lot.
        most: most tokens of a lot; a text with more makes a lot alone.
    """
    first = total = 0
    for place, count in enumerate(tokens):
        if place > first and (place - first == texts or total + count > most):
            yield range(first, place)
            first, total = place, 0
        total += count
    if first < len(tokens):
        yield range(first, len(tokens))


def most_tokens(texts: Sequence[str]) -> list[int]:
    """As many tokens as each text can have: one a byte. For whoever has not counted them."""
    return [len(text.encode("utf-8", "surrogatepass")) for text in texts]


def sendable(text: str) -> str:
    """`text` as UTF-8 can hold it: halves of pairs become their character, or U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
