"""Passages of a corpus to ask about: from the text itself, spread over documents and sections."""

import random
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from chunkscope.golden.rendering import is_html, shown_document
from chunkscope.text.document import Corpus, Document
from chunkscope.text.headings import heading_paths, headings
from chunkscope.text.spans import Span

_PARAGRAPH = re.compile(r"(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)\s*")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?。！？]['\"”’)\]]*\s+|[。！？]")
_FEWEST_LETTERS = 120
_ROUNDS = 4
"""Passages offered for each pair wanted: about half of what a model writes is no use."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document.

    Attributes:
        doc: the document's id.
        span: its range in the document.
        path: titles of the sections it begins in, highest first.
        text: what it says: the source, or for HTML what a page shows of it.
    """

    doc: str
    span: Span
    path: tuple[str, ...]
    text: str


def sample_passages(
    corpus: Corpus, count: int, *, seed: int = 0, characters: int = 1500
) -> tuple[Passage, ...]:
    """Passages in the order to ask about them, several times `count`, none twice.

    Each `count` of them in a row is spread over the corpus as evenly as its text is: one place is
    drawn at random from each of `count` stretches of equal length, documents in random order, so
    that long sections get more than short ones. A passage begins with the paragraph of its place
    and ends with a paragraph, before a heading of another section where there is enough text.

    Args:
        corpus: the documents.
        count: pairs wanted.
        seed: of the draw.
        characters: how long a passage is to be, about.
    """
    chance = random.Random(seed)
    outlines = {document.id: _Outline(document) for document in corpus.documents}
    found: dict[tuple[str, Span], Passage] = {}
    documents = [document for document in corpus.documents if document.text.strip()]
    for _ in range(_ROUNDS if documents else 0):
        chance.shuffle(documents)
        ends = list(accumulate(len(document.text) for document in documents))
        places: list[tuple[Document, int]] = []
        for number in range(count):
            at = int((number + chance.random()) * ends[-1] / count)
            which = min(bisect_right(ends, at), len(documents) - 1)
            places.append((documents[which], at - (ends[which] - len(documents[which].text))))
        chance.shuffle(places)
        for document, offset in places:
            passage = outlines[document.id].passage(offset, characters)
            if passage is not None:
                found.setdefault((passage.doc, passage.span), passage)
    return tuple(found.values())


class _Outline:
    """Where paragraphs and sections of one document begin."""

    def __init__(self, document: Document) -> None:
        self._document = document
        text = document.text
        ends = [found.end() for found in _PARAGRAPH.finditer(text)]
        found = headings(text, document_id=document.id, origin=document.origin)
        self._sections = [one.span.start for one in found]
        self._paths = heading_paths(found)
        starts = {0, *ends, *self._sections}
        self._starts = sorted(start for start in starts if start < len(text))

    def passage(self, offset: int, characters: int) -> Passage | None:
        """The passage that begins with the paragraph at `offset`; None without enough text."""
        text = self._document.text
        number = bisect_right(self._starts, offset) - 1
        start = self._starts[number]
        if offset - start > characters:
            # One paragraph without end: begin with a sentence, or where a word does.
            start = self._sentence(offset, characters)
        end = self._end(start, characters)
        source = text[start:end]
        start += len(source) - len(source.lstrip())
        end -= len(source) - len(source.rstrip())
        shown = shown_text(self._document, Span(start, end)) if start < end else ""
        if sum(len(word) for word in _WORD.findall(shown)) < _FEWEST_LETTERS:
            return None
        section = bisect_right(self._sections, start) - 1
        path = self._paths[section] if section >= 0 else ()
        return Passage(self._document.id, Span(start, end), path, shown)

    def _sentence(self, offset: int, characters: int) -> int:
        text = self._document.text
        found = _SENTENCE_END.search(text, offset, offset + characters)
        if found:
            return found.end()
        space = re.compile(r"\s").search(text, offset, offset + characters)
        return space.end() if space else offset

    def _end(self, start: int, characters: int) -> int:
        text = self._document.text
        section = bisect_right(self._sections, start)
        limit = min(start + characters, len(text))
        if section < len(self._sections) and self._sections[section] - start >= characters // 3:
            limit = min(limit, self._sections[section])
        if limit == len(text):
            return limit
        # Back to the last paragraph that ends before, unless that leaves too little.
        border = self._starts[bisect_right(self._starts, limit) - 1]
        if border - start >= characters // 3:
            return border
        ends = [found.end() for found in _SENTENCE_END.finditer(text, start, limit)]
        return ends[-1] if ends and ends[-1] - start >= characters // 3 else limit


def shown_text(document: Document, span: Span) -> str:
    """What a stretch of a document says: its source, or for HTML what a page shows of it."""
    source = document.text[span.start : span.end]
    if not is_html(document.text, document.id):
        return source
    shown = shown_document(source, "passage.html").text.text
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t]+", " ", shown)).strip()
