"""Which written questions are kept, and why the others are not."""

import re
from collections.abc import Iterable, Mapping

from chunkscope.golden.finding import Finder, find_exact
from chunkscope.golden.model import Evidence
from chunkscope.golden.rendering import is_html
from chunkscope.golden.suspects import words_of
from chunkscope.llm.answers import SCORES
from chunkscope.llm.passages import Passage
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

LEAST_SCORE = 4

_SPEAKS_OF = re.compile(
    r"\b(?:(?:the|this|that|given|provided|above)\s+"
    r"(?:passage|context|excerpt|snippet|extract|paragraph)"
    r"|(?:this|(?:the\s+)?(?:given|provided|above|following))\s+(?:text|document|section|article)"
    r"|(?:in|to|from|by)\s+the\s+text|the\s+(?:author|text)\s+(?:says?|states?|mentions?)"
    # German, French, Spanish, Italian, Portuguese
    r"|(?:im|laut|dem)\s+(?:obigen\s+)?(?:text|auszug)"
    r"|dies(?:e[mnrs])\s+(?:text|textes|abschnitts?|absatz|auszug|kontext)"
    r"|(?:selon|dans|d['’]après)\s+(?:le|ce)\s+(?:texte|passage|extrait)"
    r"|(?:según|en)\s+(?:el|este)\s+(?:texto|pasaje|fragmento)"
    r"|(?:secondo|in)\s+(?:il|questo)\s+(?:testo|brano)|nel\s+(?:testo|brano)"
    r"|(?:segundo|de acordo com)\s+[oe]\s+(?:texto|trecho)|n(?:o|este)\s+(?:texto|trecho))\b"
    # Japanese, Chinese
    r"|(?:この|上記の)(?:文章|文書|文|テキスト|段落)|本文(?:では|によると|に|で|中)|文中"
    r"|(?:这段|该段|这篇|上述)(?:文字|文本|文章|话|内容)|根据(?:文本|上下文|本文|上文|文章)",
    re.IGNORECASE,
)
_ALIKE = 0.8
_MOST_ALTERNATIVES = 20
_SPEAKING_WORDS, _SPEAKING_CHARACTERS = 6, 24
_TIERS = frozenset({"exact", "whitespace", "typography", "hyphenation", "markup"})


def speaks_of_passage(question: str) -> bool:
    """Whether a question speaks of the passage it was written from, which no user sees."""
    return _SPEAKS_OF.search(question) is not None


def low_score(scores: Mapping[str, int], least: int = LEAST_SCORE) -> str | None:
    """The first score below `least`, as a reason; None when all are high enough."""
    return next((f"low {name}" for name in SCORES if scores[name] < least), None)


def locate_in(passage: Passage, document: Document, texts: Iterable[str]) -> list[Span] | None:
    """Where each text stands in the passage, in the document's offsets; None if one does not."""
    start, end = passage.span
    name = "passage.html" if is_html(document.text, document.id) else document.id
    finder = Finder(Document(name, document.text[start:end]))
    spans = []
    for text in texts:
        places = finder.find(text)
        if not places or places[0].tier not in _TIERS:
            return None
        spans.append(Span(places[0].span.start + start, places[0].span.end + start))
    return spans


def evidence_at(span: Span, document: Document, corpus: Corpus) -> Evidence:
    """The evidence at `span`; wherever else its text stands is an alternative.

    Text too short to speak for itself, such as a number, has no alternative by being repeated.
    """
    text = document.text[span.start : span.end]
    others: list[Evidence] = []
    speaks = len(text) >= _SPEAKING_CHARACTERS and len(words_of(text)) >= _SPEAKING_WORDS
    for other in corpus.documents if speaks else ():
        doc = None if other.id == document.id else other.id
        found = find_exact(other.text, text) if text in other.text else []
        own = span if doc is None else Span(0, 0)
        others.extend(Evidence(text, *place, doc) for place in found if not place.overlap(own))
        if len(others) >= _MOST_ALTERNATIVES:
            break
    return Evidence(text, span.start, span.end, alternatives=tuple(others[:_MOST_ALTERNATIVES]))


def places_of(evidence: Evidence, doc: str) -> list[tuple[str, Span]]:
    """The places of evidence with offsets, those of its alternatives too."""
    return [
        (item.doc or doc, Span(item.start, item.end))
        for item in (evidence, *evidence.alternatives)
        if item.start is not None and item.end is not None
    ]


class Asked:
    """Questions kept so far, to know a further one that asks the same."""

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self._words = [frozenset(words_of(question)) for question in questions]

    def holds(self, question: str) -> bool:
        """Whether a question of nearly the same words, and the same numbers, is there."""
        own = frozenset(words_of(question))
        return any(
            len(own & other) >= _ALIKE * len(own | other)
            and not any(word.isdigit() for word in own ^ other)
            for other in self._words
        )

    def add(self, question: str) -> None:
        """Remember one more."""
        self._words.append(frozenset(words_of(question)))
