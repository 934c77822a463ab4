"""Where the lines of a text begin and end."""

import re
from array import array
from bisect import bisect_right

from chunkscope.text.spans import Span

# Not str.splitlines: form feeds, U+0085 and U+2028 do not end a line here.
_LINE_END = re.compile(r"\r\n|\r|\n")


class LineIndex:
    r"""The lines of one text, counted from 0; they end at `\n`, `\r\n` and a lone `\r`.

    A text that ends with a line end has an empty last line; the empty text is one empty line.
    """

    def __init__(self, text: str) -> None:
        starts, ends = array("q", (0,)), array("q")
        for match in _LINE_END.finditer(text):
            ends.append(match.start())
            starts.append(match.end())
        ends.append(len(text))
        self._starts, self._ends, self._length = starts, ends, len(text)

    @property
    def count(self) -> int:
        """How many lines there are, at least 1."""
        return len(self._starts)

    def start(self, line: int) -> int:
        """Offset of the line's first character.

        Raises:
            IndexError: when there is no such line.
        """
        return self._starts[self._checked(line)]

    def span(self, line: int) -> Span:
        """The line's range, its line end left out.

        Raises:
            IndexError: when there is no such line.
        """
        line = self._checked(line)
        return Span(self._starts[line], self._ends[line])

    def line_of(self, offset: int) -> int:
        """The line that holds the character at `offset`, or the last line for the text's end.

        Raises:
            IndexError: when `offset` is negative or past the end of the text.
        """
        if not 0 <= offset <= self._length:
            raise IndexError(f"offset {offset} is outside a text of {self._length} characters")
        return bisect_right(self._starts, offset) - 1

    def _checked(self, line: int) -> int:
        if not 0 <= line < len(self._starts):
            raise IndexError(f"line {line} is not one of {len(self._starts)} lines")
        return line
