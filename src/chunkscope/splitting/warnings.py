"""What a person should know of settings and corpus together, before the chunks are trusted."""

import re
from collections.abc import Callable, Sequence

from chunkscope.splitting.chunks import ChunkSet
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


def corpus_warnings(
    corpus: Corpus, settings: SplitterSettings, enrich: EnrichSettings | None = None
) -> list[str]:
    """One sentence for each thing that makes the chunks other than the settings read."""
    warnings: list[str] = []
    if not corpus.documents:
        return warnings
    first = settings.kind.partition("+")[0]
    settings = second_stage(settings)
    if settings.kind in ("recursive", "character"):
        texts = settings.separators if settings.kind == "recursive" else settings.separators[:1]
        separators = compile_separators(texts, regex=settings.regex, keep=settings.keep_separator)
        warnings.extend(_absent_separators(corpus, separators))
        warnings.extend(_hidden_by_crlf(corpus, separators))
        warnings.extend(_hardly_spaced(corpus, separators))
    if first in ("markdown", "html"):
        warnings.extend(_no_sections(corpus, first))
    special = _documents(corpus, lambda document: _SPECIAL.search(document.text) is not None)
    if special:
        warnings.append(
            f"tokens: text such as <|endoftext|> is counted as plain text ({_named(special)})"
        )
    if enrich is not None:
        warnings.extend(_prefix_warnings(corpus, enrich))
    return warnings


def place_warnings(chunks: ChunkSet) -> list[str]:
    """One sentence each for chunks without a sure place or any, divided ones, and dropped ones."""
    warnings = []
    if chunks.duplicates:
        dropped = len(chunks.duplicates)
        warnings.append(
            f"dedupe: {dropped:,} of {len(chunks) + dropped:,} chunks dropped, because their text "
            f"stands in an earlier one: {_dropped(chunks)}"
        )
    divided = sum(cuts.divided for cuts in chunks.cuts)
    if divided:
        warnings.append(
            f"size: {divided:,} semantic chunk{'s were' if divided > 1 else ' was'} longer than "
            f"{chunks.size_limit} and cut further at sentences"
        )
    for number, name, meaning in (
        (
            sum(len(cuts.ambiguous) for cuts in chunks.cuts),
            "ambiguous",
            "their text stands in several places, and one of them is shown",
        ),
        (
            sum(len(cuts.unplaced) for cuts in chunks.cuts),
            "not placed",
            "their text was changed or moved, and no evidence is found in them",
        ),
    ):
        if number:
            warnings.append(f"places: {number:,} of {len(chunks):,} chunks {name}: {meaning}")
    return warnings


def _dropped(chunks: ChunkSet) -> str:
    """The first chunks that were dropped, each with the one that has its text."""
    named = []
    for duplicate in chunks.duplicates[:_NAMED]:
        document, index = chunks.locate(duplicate.earlier)
        ids = [chunks.corpus.documents[number].id for number in (duplicate.document, document)]
        start, end = duplicate.span
        named.append(f"{ids[0]} {start}–{end} as in chunk {index} of {ids[1]}")
    more = len(chunks.duplicates) - len(named)
    return "; ".join(named) + (f"; and {more:,} more" if more else "")


def _absent_separators(corpus: Corpus, separators: Sequence[Separator]) -> list[str]:
    warnings = []
    for number, separator in enumerate(separators, start=1):
        if not separator.text or _documents(corpus, _has(separator), most=1):
            continue
        shown = visible_separator(separator.text)
        hint = ""
        if separator.pattern is None and _LOST_ESCAPE.search(separator.text):
            hint = "; it holds a backslash and a letter: was a line end or a tab meant?"
        warnings.append(f"separators: number {number}, {shown}, occurs nowhere{hint}")
    return warnings


def _hidden_by_crlf(corpus: Corpus, separators: Sequence[Separator]) -> list[str]:
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
    documents = _documents(corpus, lambda document: "\r\n\r\n" in document.text)
    if not documents:
        return []
    shown = ", ".join(visible_separator(separator.text) for separator in hidden)
    wanted = visible_separator("\r\n\r\n")
    return [
        f"separators: {shown} does not match the blank lines of CRLF text, which is split with "
        f"its line ends as they are; add {wanted} ({_named(documents)})"
    ]


def _hardly_spaced(corpus: Corpus, separators: Sequence[Separator]) -> list[str]:
    """Documents almost without white space in which nothing but white space is looked for."""
    marks = [separator for separator in separators if separator.text.strip()]

    def unfit(document: Document) -> bool:
        if any(_stands_in(separator, document.text) for separator in marks):
            return False
        stretches = len(document.text.split())
        if stretches == 1:
            return len(document.text) > _WORD
        return 0 < stretches * _SPACED < len(document.text)

    documents = _documents(corpus, unfit)
    if not documents:
        return []
    return [
        "separators: none fits between the words or sentences of text that has hardly any white "
        f"space, so that it is cut anywhere ({_named(documents)}); add marks such as 。"
    ]


def _no_sections(corpus: Corpus, kind: str) -> list[str]:
    """Documents in which the splitter finds no heading to cut at."""

    def bare(document: Document) -> bool:
        if kind == "markdown":
            return not any(block.level for block in markdown_blocks(document.text))
        return not any(block.level for block in html_blocks(document.text))

    documents = _documents(corpus, bare)
    if not documents:
        return []
    return [
        f"splitter: {kind} finds no heading and cuts at blocks and by size alone "
        f"({_named(documents)})"
    ]


def _prefix_warnings(corpus: Corpus, enrich: EnrichSettings) -> list[str]:
    from chunkscope.text.definitions import Definitions
    from chunkscope.text.headings import headings
    from chunkscope.text.tables import tables

    parts = enrich.prefix.split("+")
    warnings: list[str] = []
    if "title" in parts or "headings" in parts:
        bare = _documents(
            corpus,
            lambda document: (
                not headings(
                    document.text,
                    document_id=document.id,
                    origin=document.origin,
                    pattern=enrich.heading_pattern,
                )
            ),
        )
        if bare:
            warnings.append(
                f"prefix: no heading found, so that the file's name serves ({_named(bare)})"
            )
    if "table" in parts and not _documents(
        corpus,
        lambda document: bool(
            tables(document.text, document_id=document.id, origin=document.origin)
        ),
        most=1,
    ):
        warnings.append("prefix: no table found in any Markdown, HTML or CSV document")
    if "definition" in parts and not _documents(
        corpus, lambda document: bool(Definitions(document.text, document_id=document.id)), most=1
    ):
        warnings.append("prefix: no definition found in any document whose ending names code")
    return warnings


def _has(separator: Separator) -> Callable[[Document], bool]:
    return lambda document: _stands_in(separator, document.text)


def _stands_in(separator: Separator, text: str) -> bool:
    return separator.occurs(text, 0, len(text))


def _documents(
    corpus: Corpus, test: Callable[[Document], bool], most: int | None = None
) -> list[str]:
    """Ids of the documents that pass, at most so many."""
    found: list[str] = []
    for document in corpus.documents:
        if most is not None and len(found) >= most:
            break
        if test(document):
            found.append(document.id)
    return found


def _named(ids: Sequence[str]) -> str:
    """One id, or the first and how many more."""
    return ids[0] if len(ids) == 1 else f"{ids[0]} and {len(ids) - 1} more"
