"""What a person should know of settings and corpus together, before the chunks are trusted."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunkscope.splitting.chunks import ChunkSet, Duplicate
from chunkscope.splitting.separators import Separator, compile_separators
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings, second_stage
from chunkscope.text.display import visible_separator
from chunkscope.text.document import Corpus, Document
from chunkscope.text.html import html_blocks
from chunkscope.text.markdown import markdown_blocks

_SPECIAL = re.compile(
    r"<\|(?:endoftext|endofprompt|fim_prefix|fim_middle|fim_suffix|startoftext|im_start|im_end)\|>"
)
_LOST_ESCAPE = re.compile(r"\\[nrt]")
_SPACED = 40
"""Characters to a stretch of white space beyond which a text hardly has any."""

_NAMED = 3
"""Dropped chunks that are named."""

_WORD = 20
"""Characters that a single word may have."""


class CorpusWarnings:
    """What is to be said of documents that come one after another; their texts are not kept."""

    def __init__(self, settings: SplitterSettings, enrich: EnrichSettings | None = None) -> None:
        self._checks: list[_Check] = []
        self._documents = 0
        first = settings.kind.partition("+")[0]
        settings = second_stage(settings)
        if settings.kind in ("recursive", "character"):
            texts = settings.separators if settings.kind == "recursive" else settings.separators[:1]
            separators = compile_separators(
                texts, regex=settings.regex, keep=settings.keep_separator
            )
            self._checks += _absent_separators(separators)
            self._checks += _hidden_by_crlf(separators)
            self._checks.append(_hardly_spaced(separators))
        if first in ("markdown", "html"):
            self._checks.append(_no_sections(first))
        self._checks.append(
            _Check(
                lambda document: _SPECIAL.search(document.text) is not None,
                lambda named: (
                    f"tokens: text such as <|endoftext|> is counted as plain text ({named})"
                ),
            )
        )
        if enrich is not None:
            self._checks += _prefix_checks(enrich)

    def take(self, document: Document) -> None:
        """Look at the next document in the corpus's order."""
        self._documents += 1
        for check in self._checks:
            check.take(document)

    def sentences(self) -> list[str]:
        """One sentence for each thing that makes the chunks other than the settings read."""
        if not self._documents:
            return []
        said = (check.sentence() for check in self._checks)
        return [sentence for sentence in said if sentence]


def corpus_warnings(
    corpus: Corpus, settings: SplitterSettings, enrich: EnrichSettings | None = None
) -> list[str]:
    """One sentence for each thing that makes the chunks other than the settings read."""
    if not corpus.documents:
        return []
    warnings = CorpusWarnings(settings, enrich)
    for document in corpus.documents:
        warnings.take(document)
    return warnings.sentences()


class PlaceWarnings:
    """What is to be said of the chunks of sets that follow each other; no set is kept.

    Args:
        dedupe: whether chunks may have been dropped, so that others are named beside them.
    """

    def __init__(self, *, dedupe: bool = True) -> None:
        self._naming = dedupe
        self._first = array("q")
        self._ids: list[str] = []
        self._chunks = 0
        self._dropped = 0
        self._named: list[str] = []
        self._divided = 0
        self._ambiguous = 0
        self._unplaced = 0
        self._size = 0

    def take(self, chunks: ChunkSet) -> None:
        """Count the next set; its duplicates name chunks by their number among all so far."""
        if self._naming:
            self._first.extend((self._chunks + chunks.first[:-1]).tolist())
            self._ids.extend(document.id for document in chunks.corpus.documents)
        self._chunks += len(chunks)
        self._dropped += len(chunks.duplicates)
        for duplicate in chunks.duplicates[: _NAMED - len(self._named)]:
            self._named.append(self._name(chunks, duplicate))
        if self._naming and len(self._named) == _NAMED:
            # No more are named.
            self._naming = False
            self._first, self._ids = array("q"), []
        self._divided += sum(cuts.divided for cuts in chunks.cuts)
        self._ambiguous += sum(len(cuts.ambiguous) for cuts in chunks.cuts)
        self._unplaced += sum(len(cuts.unplaced) for cuts in chunks.cuts)
        self._size = chunks.size_limit

    def _name(self, chunks: ChunkSet, duplicate: Duplicate) -> str:
        """A chunk that was dropped, with the one that has its text."""
        of = bisect_right(self._first, duplicate.earlier) - 1
        index = duplicate.earlier - self._first[of]
        name = chunks.corpus.documents[duplicate.document].id
        start, end = duplicate.span
        return f"{name} {start}–{end} as in chunk {index} of {self._ids[of]}"

    def sentences(self) -> list[str]:
        """One sentence each for chunks without a sure place or any, divided ones, dropped ones."""
        warnings = []
        if self._dropped:
            more = self._dropped - len(self._named)
            named = "; ".join(self._named) + (f"; and {more:,} more" if more else "")
            warnings.append(
                f"dedupe: {self._dropped:,} of {self._chunks + self._dropped:,} chunks dropped, "
                f"because their text stands in an earlier one: {named}"
            )
        if self._divided:
            warnings.append(
                f"size: {self._divided:,} semantic chunk"
                f"{'s were' if self._divided > 1 else ' was'} longer than {self._size} and cut "
                "further at sentences"
            )
        for number, name, meaning in (
            (
                self._ambiguous,
                "ambiguous",
                "their text stands in several places, and one of them is shown",
            ),
            (
                self._unplaced,
                "not placed",
                "their text was changed or moved, and no evidence is found in them",
            ),
        ):
            if number:
                warnings.append(f"places: {number:,} of {self._chunks:,} chunks {name}: {meaning}")
        return warnings


def place_warnings(chunks: ChunkSet) -> list[str]:
    """One sentence each for chunks without a sure place or any, divided ones, and dropped ones."""
    warnings = PlaceWarnings()
    warnings.take(chunks)
    return warnings.sentences()


@dataclass
class _Check:
    """Documents that pass a test, and the sentence about them.

    Attributes:
        test: what a document passes.
        say: the sentence, given the first document that passed and how many more did.
        wanted: whether it is said where none passed; nothing is then said of those that did.
        first: id of the first one that passed.
        count: how many did; where none is wanted, the first one ends the search.
    """

    test: Callable[[Document], bool]
    say: Callable[[str], str]
    wanted: bool = False
    first: str = ""
    count: int = 0

    def take(self, document: Document) -> None:
        if self.wanted and self.count:
            return
        if self.test(document):
            self.first = self.first if self.count else document.id
            self.count += 1

    def sentence(self) -> str:
        if self.wanted:
            return "" if self.count else self.say("")
        if not self.count:
            return ""
        return self.say(
            self.first if self.count == 1 else f"{self.first} and {self.count - 1} more"
        )


def _absent_separators(separators: Sequence[Separator]) -> list[_Check]:
    checks = []
    for number, separator in enumerate(separators, start=1):
        if not separator.text:
            continue
        shown = visible_separator(separator.text)
        hint = ""
        if separator.pattern is None and _LOST_ESCAPE.search(separator.text):
            hint = "; it holds a backslash and a letter: was a line end or a tab meant?"
        sentence = f"separators: number {number}, {shown}, occurs nowhere{hint}"
        checks.append(_Check(_has(separator), _always(sentence), wanted=True))
    return checks


def _hidden_by_crlf(separators: Sequence[Separator]) -> list[_Check]:
    """Separators that a blank line made of CRLF does not match, where there are such lines."""
    hidden = [
        separator
        for separator in separators
        if separator.text
        and _stands_in(separator, "x\n\nx")
        and not _stands_in(separator, "x\r\n\r\nx")
    ]
    if not hidden:
        return []
    shown = ", ".join(visible_separator(separator.text) for separator in hidden)
    wanted = visible_separator("\r\n\r\n")
    return [
        _Check(
            lambda document: "\r\n\r\n" in document.text,
            lambda named: (
                f"separators: {shown} does not match the blank lines of CRLF text, which is split "
                f"with its line ends as they are; add {wanted} ({named})"
            ),
        )
    ]


def _hardly_spaced(separators: Sequence[Separator]) -> _Check:
    """Documents almost without white space in which nothing but white space is looked for."""
    marks = [separator for separator in separators if separator.text.strip()]

    def unfit(document: Document) -> bool:
        if any(_stands_in(separator, document.text) for separator in marks):
            return False
        stretches = len(document.text.split())
        if stretches == 1:
            return len(document.text) > _WORD
        return 0 < stretches * _SPACED < len(document.text)

    return _Check(
        unfit,
        lambda named: (
            "separators: none fits between the words or sentences of text that has hardly any "
            f"white space, so that it is cut anywhere ({named}); add marks such as 。"
        ),
    )


def _no_sections(kind: str) -> _Check:
    """Documents in which the splitter finds no heading to cut at."""

    def bare(document: Document) -> bool:
        if kind == "markdown":
            return not any(block.level for block in markdown_blocks(document.text))
        return not any(block.level for block in html_blocks(document.text))

    return _Check(
        bare,
        lambda named: (
            f"splitter: {kind} finds no heading and cuts at blocks and by size alone ({named})"
        ),
    )


def _prefix_checks(enrich: EnrichSettings) -> list[_Check]:
    from chunkscope.text.definitions import Definitions
    from chunkscope.text.headings import headings
    from chunkscope.text.tables import tables

    parts = enrich.prefix.split("+")
    checks: list[_Check] = []
    if "title" in parts or "headings" in parts:
        checks.append(
            _Check(
                lambda document: (
                    not headings(
                        document.text,
                        document_id=document.id,
                        origin=document.origin,
                        pattern=enrich.heading_pattern,
                    )
                ),
                lambda named: f"prefix: no heading found, so that the file's name serves ({named})",
            )
        )
    if "table" in parts:
        checks.append(
            _Check(
                lambda document: bool(
                    tables(document.text, document_id=document.id, origin=document.origin)
                ),
                _always("prefix: no table found in any Markdown, HTML or CSV document"),
                wanted=True,
            )
        )
    if "definition" in parts:
        checks.append(
            _Check(
                lambda document: bool(Definitions(document.text, document_id=document.id)),
                _always("prefix: no definition found in any document whose ending names code"),
                wanted=True,
            )
        )
    return checks


def _always(sentence: str) -> Callable[[str], str]:
    return lambda _named: sentence


def _has(separator: Separator) -> Callable[[Document], bool]:
    return lambda document: _stands_in(separator, document.text)


def _stands_in(separator: Separator, text: str) -> bool:
    return separator.occurs(text, 0, len(text))
