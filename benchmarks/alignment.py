"""How surely the strings of other splitters are placed, and how often wrongly.

Each splitter is run on a text and on its twin. In the text every letter or digit is replaced by a
stand-in for its kind, so that whatever was repeated is; in the twin, by one that occurs nowhere
else, so that it shows where it stands. Both have the same white space and punctuation in the same
places (and the same headings, because splitters compare those), and each stand-in has the same
length in UTF-8: a splitter that goes by these alone cuts both alike. A chunk that is placed
surely, over other letters than its twin holds, is wrong.

    python benchmarks/alignment.py [FILE…]
"""

import argparse
import logging
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.foreign import ForeignText

Split = Callable[[str], Sequence[object]]

# Han of four bytes that Python holds for printable, so that none is dropped on the way.
_STAND_INS = [*range(0x20000, 0x2A6E0), *range(0x2A700, 0x2B739), *range(0x2B740, 0x2B81E),
              *range(0x2B820, 0x2CEA2), *range(0x2CEB0, 0x2EBE1),
              *range(0x30000, 0x3134B)]  # fmt: skip
_KINDS = 4_000
LONGEST = 60_000
"""Letters that a twin can tell apart, beside so many kinds."""


class Tally(NamedTuple):
    """What became of the chunks of a splitter.

    Attributes:
        exact: surely placed, and the slice of their range.
        altered: surely placed, their text not the slice.
        ambiguous: one of several places is shown.
        unplaced: no place is shown.
        wrong: of the sure ones, those whose range holds other letters than their twin.
        unjudged: of the sure ones, those without a letter of their own.
    """

    exact: int = 0
    altered: int = 0
    ambiguous: int = 0
    unplaced: int = 0
    wrong: int = 0
    unjudged: int = 0

    def plus(self, other: "Tally") -> "Tally":
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))


def twins(text: str) -> tuple[str, str]:
    """The text with stand-ins by kind, and with stand-ins that occur once."""
    kinds: dict[str, str] = {}
    unique = iter(_STAND_INS[_KINDS:])
    plain: list[str] = []
    twin: list[str] = []
    for line in text.split("\n"):
        heading = line.lstrip().startswith("#")
        for character in f"{line}\n":
            letter = character.isalnum()
            kind = kinds.setdefault(character, chr(_STAND_INS[len(kinds)])) if letter else character
            plain.append(kind)
            twin.append(chr(next(unique)) if letter and not heading else kind)
    return "".join(plain[:-1]), "".join(twin[:-1])


def judge(text: str, split: Split) -> Tally:
    """What becomes of a splitter's chunks of a text.

    Raises:
        ValueError: when the splitter cuts the text and its twin differently.
    """
    plain, twin = twins(text)
    cuts = ForeignText(plain, "benchmark", split, frozenset()).cut(1, 0)
    place_of = {one: place for place, one in enumerate(twin) if one != plain[place]}
    chunks = [chunk for chunk in map(_text, split(twin)) if chunk]
    if [len(chunk) for chunk in chunks] != [len(chunk) for chunk in cuts.texts(plain)]:
        raise ValueError("the splitter cuts the text and its twin differently")
    known = set(place_of.values())
    tally = Tally()
    for index, chunk in enumerate(chunks):
        letters = {place_of[one] for one in chunk if one in place_of}
        tally = tally.plus(_judged(cuts, index, letters, known))
    return tally


def _judged(cuts: Cuts, index: int, letters: set[int], known: set[int]) -> Tally:
    if index in cuts.unplaced:
        return Tally(unplaced=1)
    if index in cuts.ambiguous:
        return Tally(ambiguous=1)
    alone = ((int(cuts.starts[index]), int(cuts.ends[index])),)
    shown = {
        place
        for start, end in cuts.spans.get(index, alone)
        for place in range(start, end)
        if place in known
    }
    altered = index in cuts.altered
    return Tally(exact=not altered, altered=altered, wrong=shown != letters, unjudged=not letters)


def _text(chunk: object) -> str:
    if isinstance(chunk, str):
        return chunk
    return getattr(chunk, "page_content", None) or getattr(chunk, "text", "")


def langchain_splitters() -> Iterator[tuple[str, Split]]:
    from langchain_text_splitters import (
        CharacterTextSplitter,
        MarkdownHeaderTextSplitter,
        RecursiveCharacterTextSplitter,
    )

    sized = {"chunk_size": 200, "chunk_overlap": 40}
    yield "recursive", RecursiveCharacterTextSplitter(**sized).split_text
    dropping = RecursiveCharacterTextSplitter(**sized, keep_separator=False)
    yield "recursive, separators dropped", dropping.split_text
    small = RecursiveCharacterTextSplitter(chunk_size=40, chunk_overlap=10)
    yield "recursive, small", small.split_text
    yield "character", CharacterTextSplitter("\n", **sized).split_text
    headings = MarkdownHeaderTextSplitter([("#", "1"), ("##", "2"), ("###", "3")])
    yield "markdown headings", headings.split_text
    recursive = RecursiveCharacterTextSplitter(**sized)
    yield "two steps", lambda text: recursive.split_documents(headings.split_text(text))


def chonkie_splitters() -> Iterator[tuple[str, Split]]:
    from chonkie import RecursiveChunker, SentenceChunker, TokenChunker

    yield "token", TokenChunker("character", chunk_size=200, chunk_overlap=40).chunk
    yield "sentence", SentenceChunker("character", chunk_size=200, chunk_overlap=80).chunk
    yield "recursive", RecursiveChunker("character", chunk_size=200).chunk


def llama_index_splitters() -> Iterator[tuple[str, Split]]:
    from llama_index.core.node_parser import (
        MarkdownNodeParser,
        SentenceSplitter,
        SentenceWindowNodeParser,
        TokenTextSplitter,
    )
    from llama_index.core.schema import Document

    def sentences(text: str) -> list[str]:
        return re.findall(r"[^.!?。]+[.!?。]*\s*|[.!?。]+\s*", text)

    def nodes_of(parser: MarkdownNodeParser | SentenceWindowNodeParser) -> Split:
        return lambda text: parser.get_nodes_from_documents([Document(text=text)])

    sized = {"chunk_size": 200, "chunk_overlap": 40, "tokenizer": list}
    yield "token", TokenTextSplitter(**sized).split_text
    yield "sentence", SentenceSplitter(**sized, chunking_tokenizer_fn=sentences).split_text
    yield "sentence window", nodes_of(SentenceWindowNodeParser(sentence_splitter=sentences))
    yield "markdown", nodes_of(MarkdownNodeParser())


LIBRARIES: dict[str, tuple[str, Callable[[], Iterator[tuple[str, Split]]]]] = {
    "LangChain": ("langchain_text_splitters", langchain_splitters),
    "chonkie": ("chonkie", chonkie_splitters),
    "llama-index": ("llama_index", llama_index_splitters),
}


def repeating(text: str) -> str:
    """The text with every paragraph twice, and the whole of it once more."""
    twice = "\n\n".join(one for one in text.split("\n\n") for _ in range(2))
    return f"{twice}\n\n{twice}"


def main() -> None:
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", type=Path, help="texts; without any, the samples")
    files: list[Path] = parser.parse_args().files
    if not files:
        samples = Path(__file__).parent.parent / "sample_docs"
        files = sorted(path for path in samples.rglob("*") if path.suffix in {".md", ".txt"})
    texts = [path.read_bytes().decode("utf-8", "replace") for path in files]
    texts = [text[:LONGEST] for text in texts] + [repeating(text[: LONGEST // 5]) for text in texts]
    heads = ("exact", "altered", "ambiguous", "unplaced", "wrong")
    print(f"{'':42}{'chunks':>8}" + "".join(f"{head:>11}" for head in heads))
    failed = False
    for library, (module, splitters) in LIBRARIES.items():
        if find_spec(module) is None:
            print(f"{library}: not installed")
            continue
        for name, split in splitters():
            tally = Tally()
            for text in texts:
                tally = tally.plus(judge(text, split))
            chunks = sum(tally[:4])
            shares = "".join(f"{getattr(tally, head) / max(chunks, 1):>11.2%}" for head in heads)
            print(f"{f'{library}, {name}':42}{chunks:>8}{shares}")
            failed = failed or tally.wrong > 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
