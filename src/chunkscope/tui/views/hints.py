"""What a setting does, and what LangChain would make of it: a sentence for the focused field."""

from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.tui.literal import flattened
from chunkscope.tui.views.settings import Setting, used

_KINDS = {
    "recursive": "separators in turn, pieces merged up to size, as LangChain's "
    "RecursiveCharacterTextSplitter",
    "character": "the first separator alone, as LangChain's CharacterTextSplitter",
    "token": "windows of tokens, as LangChain's TokenTextSplitter",
    "words": "windows of words between white space",
    "sentence": "whole sentences up to size",
    "markdown": "sections by headings, then by size; nothing is moved or dropped",
    "langchain-markdown": "LangChain's MarkdownHeaderTextSplitter: no size, white space is lost",
    "semantic": "sentences, cut where what they say changes",
    "html": "sections by headings of HTML, then by size",
}
_WORDS = {
    "splitter.unit": "what size and overlap count; LangChain counts characters "
    "unless it is given a length function",
    "splitter.encoding": "the vocabulary of tokens; LangChain's from_tiktoken_encoder takes gpt2"
    " where none is named, exports name this one",
    "splitter.keep_separator": "the side of a cut that keeps the separator; LangChain: start",
    "splitter.regex": "separators are regular expressions (LangChain: is_separator_regex)",
    "splitter.strip": "white space at a chunk's ends is dropped (LangChain: strip_whitespace)",
    "splitter.breakpoint": "how a change of subject is found, as LangChain's SemanticChunker",
    "splitter.breakpoint_amount": "the percentile or factor of it; default: as published",
    "splitter.buffer": "sentences on either side that a sentence is embedded with",
    "splitter.embedder": "what sentences are embedded by: static, or module:object",
    "retriever.kind": "what ranks; Enter lists them, and takes dense:MODEL, openai:MODEL or "
    "module:object typed",
    "retriever.fuse": "the two retrievers whose ranks hybrid fuses, such as bm25, static",
    "retriever.fuse_constant": "a fused score is the sum of 1 / (constant + rank)",
    "retriever.stem": "language whose words are reduced to stems, such as english; none",
    "retriever.stop_words": "language whose commonest words are left out, such as english; none",
    "retriever.rerank": "a cross-encoder, by name or folder, or openai:MODEL; none",
    "retriever.rerank_depth": "how many chunks it ranks anew; the others are not retrieved",
    "retriever.base_url": "where openai:MODEL is called; the key comes from the environment",
    "retriever.k": "chunks sent; the first number decides, every number is reported",
    "enrich.prefix": "put before each chunk in the index: title, path of headings, a table's "
    "header, definitions",
    "enrich.parent": "match on chunks, send their parent: none, section, or a size",
    "enrich.heading_pattern": "what a heading is in plain text, as a regular expression",
    "splitter.dedupe": "chunks whose text stood before are dropped; LangChain keeps them",
    "retriever.budget": "tokens to send in place of k; 0: k decides",
    "retriever.words": "unicode, whitespace (as in LangChain's BM25Retriever), or a pattern",
    "retriever.query_terms": "bag: a word asked twice counts twice; set: once",
    "retriever.ties": "which of two chunks with one score stands first",
}


@dataclass(frozen=True, slots=True)
class OverlapFacts:
    """What the requested overlap came to.

    Attributes:
        boundaries: where a chunk of a document ends and the next begins.
        overlapping: those whose chunks share a character.
        mean: characters they share on average.
    """

    boundaries: int
    overlapping: int
    mean: float


def overlap_facts(chunks: ChunkSet | None) -> OverlapFacts | None:
    """The real overlap of a chunk set; None where it is not known."""
    if chunks is None:
        return None
    overlaps = chunks.overlaps
    some = int(np.count_nonzero(overlaps))
    boundaries = len(chunks) - sum(len(cuts) > 0 for cuts in chunks.cuts)
    return OverlapFacts(boundaries, some, float(overlaps.sum()) / some if some else 0.0)


def hint(configuration: Configuration, setting: Setting, facts: OverlapFacts | None) -> str:
    """One sentence on the setting's value."""
    splitter = configuration.splitter
    if not used(configuration, setting):
        return f"{setting.label}: not used by {flattened(splitter.kind)}"
    made = {
        "splitter.kind": lambda: _kind_hint(splitter.kind),
        "splitter.size": lambda: _size_hint(configuration),
        "splitter.overlap": lambda: _overlap_hint(configuration, facts),
        "splitter.separators": lambda: _separators_hint(splitter.kind),
    }.get(f"{setting.section}.{setting.name}")
    return made() if made is not None else _WORDS[f"{setting.section}.{setting.name}"]


def _kind_hint(kind: str) -> str:
    first, plus, second = kind.partition("+")
    if plus:
        return flattened(f"{kind}: sections by {first}, then each cut by {second}")
    known = _KINDS.get(kind)
    room, _colon, name = kind.partition(":")
    said = {
        "code": f"LangChain's separators for {name}",
        "chonkie": f"{name} of the package chonkie",
        "llama-index": f"{name} of the package llama-index",
    }.get(room, "your own code")
    return flattened(f"{kind}: {known or said}")


def _size_hint(configuration: Configuration) -> str:
    splitter = configuration.splitter
    encoding = f" of {splitter.encoding}" if splitter.unit == "tokens" else ""
    longer = " where a separator fits" if splitter.kind in {"recursive", "character"} else ""
    return flattened(f"at most {splitter.size} {splitter.unit}{encoding} a chunk{longer}")


def _separators_hint(kind: str) -> str:
    first = "the first alone is used" if kind == "character" else "tried in order"
    return f"{first}, parted by |; type \\n for a line end (↵), \\t, \\r, \\|, or a JSON list"


def _overlap_hint(configuration: Configuration, facts: OverlapFacts | None) -> str:
    splitter = configuration.splitter
    asked = f"{splitter.overlap_size} {splitter.unit} asked for"
    if facts is None or not facts.boundaries:
        return asked
    if not splitter.overlap_size:
        return f"{asked}; LangChain's own default is 200 characters"
    if not facts.overlapping:
        return (
            f"{asked}, and it does nothing: no chunk shares a character with the one before it, "
            "because no piece between two separators is short enough to be repeated"
        )
    return (
        f"{asked}; {facts.overlapping} of {facts.boundaries} boundaries really overlap, "
        f"by {facts.mean:.0f} characters on average"
    )
