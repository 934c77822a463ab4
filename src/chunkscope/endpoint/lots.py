"""Texts in lots: so many a request, and so many tokens a request."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence


def cut_lots(
    tokens: Sequence[int], texts: int, most: int, kinds: Sequence[object] | None = None
) -> Iterator[range]:
    """The places of each lot, in order; every text is in one.

    Args:
        tokens: of each text.
        texts: most texts of a lot.
        most: most tokens of a lot; a text with more makes a lot alone.
        kinds: of each text; a lot holds one kind. None: all are of one.
    """
    first = total = 0
    for place, count in enumerate(tokens):
        full = place - first == texts or total + count > most
        other = kinds is not None and kinds[place] != kinds[first]
        if place > first and (full or other):
            yield range(first, place)
            first, total = place, 0
        total += count
    if first < len(tokens):
        yield range(first, len(tokens))


class Lots:
    """Lots to be asked for, of which an endpoint may refuse some as too large; shared by threads.

    Attributes:
        most: most texts of a lot; lowered where the endpoint takes no more.
    """

    def __init__(self, lots: Iterable[range], most: int) -> None:
        self.most = most
        self._left = deque(lots)
        self._lock = threading.Lock()

    def take(self) -> range | None:
        """The next lot; None: there is none for now."""
        with self._lock:
            if not self._left:
                return None
            lot = self._left.popleft()
            if len(lot) > self.most:
                self._left.appendleft(lot[self.most :])
                lot = lot[: self.most]
            return lot

    def halve(self, lot: range, *, all_others: bool) -> None:
        """Take a refused lot back as two halves; with `all_others`, none is larger any more."""
        half = (len(lot) + 1) // 2
        with self._lock:
            self._left.extendleft((lot[half:], lot[:half]))
            if all_others:
                self.most = min(self.most, half)


def most_tokens(texts: Sequence[str]) -> list[int]:
    """As many tokens as each text can have: one a byte. For whoever has not counted them."""
    return [len(text.encode("utf-8", "surrogatepass")) for text in texts]


def sendable(text: str) -> str:
    """`text` as UTF-8 can hold it: halves of pairs become their character, or U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
