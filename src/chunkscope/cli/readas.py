"""With which encodings and line ends documents were read."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from chunkscope.text.document import Document

_PLAIN_ENDS = ("lf", "none")


def reading_of_document(document: Document, newline: str) -> dict[str, Any]:
    """`reading`: how a document was read; nothing where that is as its file has it, plain UTF-8.

    Its keys: `encoding`, `newline` (`keep` or `lf`, as it was asked for), `line_ends` (those of
    the text that is cut) and, where they were changed, `line_ends_before`.
    """
    before = document.newline_before
    if document.encoding == "utf-8" and document.newline in _PLAIN_ENDS and not before:
        return {}
    reading = {
        "encoding": document.encoding,
        "newline": newline,
        "line_ends": document.newline,
        **({"line_ends_before": before} if before else {}),
    }
    return {"reading": reading}


class ReadAs:
    """Counts, over documents that come one after another, how they were read.

    Args:
        newline: what was asked for: `keep` or `lf`.
    """

    def __init__(self, newline: str) -> None:
        self._newline = newline
        self._documents = 0
        self._encodings: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self._before: Counter[str] = Counter()

    def take(self, document: Document) -> None:
        """Look at the next document."""
        self._documents += 1
        self._encodings[document.encoding] += 1
        self._ends[document.newline] += 1
        if document.newline_before:
            self._before[document.newline_before] += 1

    @property
    def sentence(self) -> str:
        """It in one line; empty where there was no document."""
        if not self._documents:
            return ""
        if self._newline == "keep":
            kept = ", as they are in the files"
        elif self._before:
            was = ", ".join(f"{name} {count:,}" for name, count in sorted(self._before.items()))
            kept = f", changed in {sum(self._before.values()):,}: {was}"
        else:
            kept = ", none of them changed"
        number = "1 document" if self._documents == 1 else f"{self._documents:,} documents"
        ends = _counted(self._ends)
        return f"read: {number}; encoding {_counted(self._encodings)}; line ends {ends}{kept}"


def _counted(counts: Mapping[str, int]) -> str:
    """Each name with its count, the most frequent first; one that is alone without."""
    if len(counts) == 1:
        return next(iter(counts))
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ordered)
