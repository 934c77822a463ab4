"""Chunk texts equal LangChain's, and every chunk's span is where its text really stands.

Two oracles: the installed langchain-text-splitters gives the texts; a plain retelling of its
algorithm that carries the source position of every character gives the spans.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import tiktoken
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from langchain_text_splitters import (
    CharacterTextSplitter,
    RecursiveCharacterTextSplitter,
    TokenTextSplitter,
)

from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.registry import check_settings, get_splitter
from chunkscope.splitting.settings import SplitterSettings

EXAMPLES = settings(
    max_examples=max(1200, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

# ---------------------------------------------------------------- lengths

Length = Callable[[str], int]


@functools.cache
def vocabulary(encoding: str) -> tiktoken.Encoding:
    return tiktoken.get_encoding(encoding)


def length_of(chosen: SplitterSettings) -> Length:
    if chosen.unit == "tokens":
        encoding = vocabulary(chosen.encoding)
        return functools.cache(lambda text: len(encoding.encode(text, disallowed_special=())))
    return len if chosen.unit == "characters" else lambda text: len(text.split())


# ---------------------------------------------------------------- LangChain itself


def langchain_chunks(text: str, chosen: SplitterSettings, size: int, overlap: int) -> list[str]:
    if chosen.kind == "token":
        return TokenTextSplitter(
            encoding_name=chosen.encoding,
            disallowed_special=(),
            chunk_size=size,
            chunk_overlap=overlap,
        ).split_text(text)
    keep = False if chosen.keep_separator == "none" else chosen.keep_separator
    if chosen.kind == "character":
        return CharacterTextSplitter(
            separator=chosen.separators[0],
            is_separator_regex=chosen.regex,
            chunk_size=size,
            chunk_overlap=overlap,
            length_function=length_of(chosen),
            keep_separator=keep,
            strip_whitespace=chosen.strip,
        ).split_text(text)
    return RecursiveCharacterTextSplitter(
        separators=list(chosen.separators),
        is_separator_regex=chosen.regex,
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=length_of(chosen),
        keep_separator=keep,
        strip_whitespace=chosen.strip,
    ).split_text(text)


# ---------------------------------------------------------------- the same, with positions


@dataclass(frozen=True)
class Placed:
    """Characters with the source position of each; None: inserted by a join."""

    text: str
    at: tuple[int | None, ...]

    def part(self, start: int, end: int) -> "Placed":
        return Placed(self.text[start:end], self.at[start:end])


def pieces_of(whole: Placed, pattern: str, keep: str) -> list[Placed]:
    """What a separator makes of a text, without empty pieces."""
    text = whole.text
    if not pattern:
        return [whole.part(i, i + 1) for i in range(len(text))]
    cuts = [match.span() for match in re.finditer(pattern, text)]
    pieces = []
    position = 0
    for start, end in cuts:
        if keep == "start":
            pieces.append(whole.part(position, start))
            position = start
        elif keep == "end":
            pieces.append(whole.part(position, end))
            position = end
        else:
            pieces.append(whole.part(position, start))
            position = end
    pieces.append(whole.part(position, len(text)))
    return [piece for piece in pieces if piece.text]


def joined(source: str, pieces: list[Placed], glue: str, *, strip: bool) -> Placed | None:
    text = glue.join(piece.text for piece in pieces)
    at: list[int | None] = []
    for number, piece in enumerate(pieces):
        if number and glue:
            before, after = at[-1], piece.at[0]
            assert before is not None
            assert after is not None
            swallowed = range(before + 1, after)
            at += swallowed if source[before + 1 : after] == glue else [None] * len(glue)
        at += piece.at
    whole = Placed(text, tuple(at))
    if strip:
        start = len(text) - len(text.lstrip())
        whole = whole.part(start, start + len(text.strip()))
    return whole if whole.text else None


def merged(
    pieces: list[Placed],
    glue: str,
    window: tuple[int, int],
    length: Length,
    join: Callable[[list[Placed], str], Placed | None],
) -> list[Placed]:
    """Small pieces to chunks of (size, overlap), keeping pieces of the last one."""
    size, overlap = window
    glue_length = length(glue)
    done: list[Placed | None] = []
    held: list[Placed] = []
    total = 0
    for piece in pieces:
        added = length(piece.text)
        if held and total + added + glue_length > size:
            done.append(join(held, glue))
            while total > overlap or (
                total > 0 and total + added + (glue_length if held else 0) > size
            ):
                total -= length(held[0].text) + (glue_length if len(held) > 1 else 0)
                del held[0]
        held.append(piece)
        total += added + (glue_length if len(held) > 1 else 0)
    done.append(join(held, glue))
    return [chunk for chunk in done if chunk is not None]


def placed_chunks(text: str, chosen: SplitterSettings, size: int, overlap: int) -> list[Placed]:
    length = length_of(chosen)
    whole = Placed(text, tuple(range(len(text))))
    join = functools.partial(joined, text, strip=chosen.strip)

    def pattern(separator: str) -> str:
        return separator if chosen.regex else re.escape(separator)

    if chosen.kind == "character":
        separator = chosen.separators[0]
        looks_around = chosen.regex and separator.startswith(("(?=", "(?<!", "(?<=", "(?!"))
        glue = "" if chosen.keep_separator != "none" or looks_around else separator
        pieces = pieces_of(whole, pattern(separator), chosen.keep_separator)
        return merged(pieces, glue, (size, overlap), length, join)

    def recurse(part: Placed, separators: tuple[str, ...]) -> list[Placed]:
        separator, deeper = separators[-1], ()
        for number, candidate in enumerate(separators):
            if not candidate or re.search(pattern(candidate), part.text):
                separator = candidate
                deeper = separators[number + 1 :] if candidate else ()
                break
        glue = "" if chosen.keep_separator != "none" else separator
        chunks: list[Placed] = []
        small: list[Placed] = []
        for piece in pieces_of(part, pattern(separator), chosen.keep_separator):
            if length(piece.text) < size:
                small.append(piece)
                continue
            if small:
                chunks += merged(small, glue, (size, overlap), length, join)
                small = []
            chunks += recurse(piece, deeper) if deeper else [piece]
        if small:
            chunks += merged(small, glue, (size, overlap), length, join)
        return chunks

    return recurse(whole, chosen.separators)


# ---------------------------------------------------------------- what must hold


def check_spans(text: str, cuts: Cuts) -> None:
    starts, ends = cuts.starts.tolist(), cuts.ends.tolist()
    assert all(0 <= start <= end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert starts == sorted(starts), "a start goes back"
    assert ends == sorted(ends), "an end goes back"
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if index in cuts.altered:
            assert cuts.altered[index] != text[start:end], "altered, yet the slice itself"
    assert set(cuts.altered) <= set(range(len(cuts)))


def check_places(text: str, cuts: Cuts, expected: list[Placed]) -> None:
    for index, chunk in enumerate(expected):
        start, end = int(cuts.starts[index]), int(cuts.ends[index])
        first, last = chunk.at[0], chunk.at[-1]
        if first is not None:
            assert start == first, f"chunk {index} starts at {first}"
        if last is not None:
            assert end == last + 1, f"chunk {index} ends at {last + 1}"
        # An inserted character at the rim stands for text the split swallowed: still in order.
        assert all(start <= position < end for position in chunk.at if position is not None)


def check_parity(
    text: str, chosen: SplitterSettings, pairs: list[tuple[int, int]], *, placed: bool = True
) -> None:
    check_settings(chosen)
    prepared = get_splitter(chosen.kind).prepare(text, chosen)
    for size, overlap in pairs:
        expected = langchain_chunks(text, chosen, size, overlap)
        cuts = prepared.cut(size, overlap)
        assert cuts.texts(text) == expected, (size, overlap)
        check_spans(text, cuts)
        if placed:
            retold = placed_chunks(text, chosen, size, overlap)
            assert [chunk.text for chunk in retold] == expected, "the retelling is wrong"
            check_places(text, cuts, retold)


# ---------------------------------------------------------------- what is tried

FRAGMENTS = (
    *("a", "b", "dock", "tide", "lamp", "Harbour", "x" * 13, "4.5", "e.g."),
    *(" ", "  ", "\n", "\n\n", "\n\n\n", "\r\n", "\r\n\r\n", "\r", "\t", "\x0b", "\x0c"),
    *("\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u2028", "\u2029", "\u3000", "\u200b"),
    *(".", ". ", ".\n", "?", "! ", ",", ", ", ";", ";;", "|", "- ", "\\n", "*", "(1)", "[a]"),
    *("# ", "\n## ", "\n---\n", "```\n", "<|endoftext|>", "<|fim_prefix|>"),
    *(
        "港口",
        "很安静。",
        "船は",
        "。",
        "が",
        "부두",
        "พายเรือ",
        "مرفأ",
        "🙂",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "👍🏽",
    ),
    *("e\u0301", "ﬁ", "ß", "İ", "\ufeff", "\x00", "\u202e", "\U0001f9ff", "𝔘"),
)
SURROGATES = ("\ud83d", "\ude42", "\ud83d\ude42", "\udfff")


def texts(*, surrogates: bool = True) -> st.SearchStrategy[str]:
    fragments = FRAGMENTS + SURROGATES if surrogates else FRAGMENTS
    narrow = st.lists(st.sampled_from(fragments), min_size=1, max_size=6).flatmap(
        lambda few: st.lists(st.sampled_from(few), max_size=40)
    )
    wide = st.lists(st.sampled_from(fragments), max_size=40)
    return st.one_of(
        narrow.map("".join),
        wide.map("".join),
        st.text(max_size=40),
        st.text(alphabet="ab .\n", max_size=80),
    )


LITERALS = st.one_of(
    st.sampled_from(
        [
            *("\n\n", "\n", ". ", ".", " ", "", "  ", ",", ";", "|", "\r\n", "\t", "\xa0", "\x85"),
            *(
                "\x1c",
                "。",
                "a",
                "ab",
                "aa",
                "lamp",
                "\\n",
                "*",
                "(",
                "[",
                "\u2028",
                "🙂",
                "\u200d",
            ),
            *("\u0301", "-", "?", "#", "\n## ", "```", "\x00", "\ufeff"),
        ]
    ),
    st.text(alphabet="ab .\n", min_size=1, max_size=3),
)
PATTERNS = st.sampled_from(
    [
        *(r"\n\n", r"\n", r"\.\s", r"\s+", r"\s*", r"[,;]\s*", r"(?<=[.!?])\s+", r"(?<=[.!?])"),
        *(
            r"(?=#)",
            r"(?!\w)",
            r"(?<!a)",
            r"(?<=\.)(?=\s)",
            r"(?:\r\n|\n|\r)",
            r"a|b",
            r"a*",
            r"x?",
        ),
        *(r"\b", r"\W+", r"(?:,|;)+", r"\n{2,}", r"$", r"^", r"(?m:^)", r"(?i:A)", r"(?=\n)\n", ""),
        *(
            r"(?<=。)",
            r"[\u3000-\u30ff]",
            r".",
            r"[^ ]+",
            r"(?s:.)",
            r"\(\d\)",
            r"\x85",
            r" ",
            r"(?=a)a",
        ),
        *(r"a(?=b)", r"(?<=a) ", r"(?<=[.!?]) +|\n", r"(?!b)a", r"\.", r"\ ", r"[ ]", r"(?:)"),
    ]
)
PAIRS = st.lists(
    st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1))),
    min_size=1,
    max_size=3,
)


@st.composite
def separator_settings(draw: st.DrawFn, kind: str) -> SplitterSettings:
    regex = draw(st.booleans())
    one = PATTERNS if regex else LITERALS
    count = 1 if kind == "character" else draw(st.integers(1, 5))
    return SplitterSettings(
        kind=kind,
        size=20,
        overlap=0,
        unit=draw(st.sampled_from(["characters", "characters", "tokens", "words"])),
        encoding=draw(st.sampled_from(["cl100k_base", "o200k_base"])),
        separators=tuple(draw(st.lists(one, min_size=count, max_size=count))),
        keep_separator=draw(st.sampled_from(["end", "start", "none"])),
        regex=regex,
        strip=draw(st.booleans()),
    )


@EXAMPLES
@given(texts(), separator_settings("recursive"), PAIRS)
@example("lamp\n\nlamp\n\nlamp", SplitterSettings(unit="characters", overlap=0), [(8, 4)])
def test_recursive(text: str, chosen: SplitterSettings, pairs: list[tuple[int, int]]) -> None:
    check_parity(text, chosen, pairs)


EVERYDAY = st.builds(
    SplitterSettings,
    size=st.just(20),
    overlap=st.just(0),
    unit=st.sampled_from(["characters", "tokens", "words"]),
    separators=st.sampled_from(
        [
            ("\n\n", "\n", ". ", " ", ""),
            ("\n\n", "\n", ".", "?", "!", " ", ""),
            ("\n\n", "\n", " ", ""),
        ]
    ),
    keep_separator=st.sampled_from(["end", "start", "none"]),
    strip=st.booleans(),
)


@EXAMPLES
@given(texts(), EVERYDAY, PAIRS)
def test_recursive_with_everyday_separators(
    text: str, chosen: SplitterSettings, pairs: list[tuple[int, int]]
) -> None:
    check_parity(text, chosen, pairs)


@EXAMPLES
@given(texts(), separator_settings("character"), PAIRS)
def test_character(text: str, chosen: SplitterSettings, pairs: list[tuple[int, int]]) -> None:
    check_parity(text, chosen, pairs)


@EXAMPLES
@given(texts(), st.sampled_from(["cl100k_base", "o200k_base"]), PAIRS)
def test_token(text: str, encoding: str, pairs: list[tuple[int, int]]) -> None:
    chosen = SplitterSettings(kind="token", size=20, overlap=0, encoding=encoding)
    check_parity(text, chosen, pairs, placed=False)
    # Windows of tokens leave no character out, and end where the text does.
    cuts = get_splitter("token").prepare(text, chosen).cut(*pairs[0])
    held = {
        position
        for start, end in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
        for position in range(start, end)
    }
    assert held == set(range(len(text)))


def token_windows(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """Each window's hull, by the bytes of its tokens; text without lone surrogates."""
    encoding = vocabulary("cl100k_base")
    owner = [number for number, character in enumerate(text) for _ in character.encode("utf-8")]
    ends = [0]
    for token in encoding.encode(text, disallowed_special=()):
        ends.append(ends[-1] + len(encoding.decode_single_token_bytes(token)))
    windows = []
    start = 0
    count = len(ends) - 1
    while start < count:
        stop = min(start + size, count)
        windows.append((owner[ends[start]], owner[ends[stop] - 1] + 1))
        if stop == count:
            break
        start += size - overlap
    return windows


@EXAMPLES
@given(texts(surrogates=False), PAIRS)
def test_token_spans_are_those_of_the_bytes(text: str, pairs: list[tuple[int, int]]) -> None:
    chosen = SplitterSettings(kind="token", size=20, overlap=0)
    prepared = get_splitter("token").prepare(text, chosen)
    for size, overlap in pairs:
        cuts = prepared.cut(size, overlap)
        got = list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True))
        assert got == token_windows(text, size, overlap)


@EXAMPLES
@given(texts(), PAIRS)
def test_words(text: str, pairs: list[tuple[int, int]]) -> None:
    chosen = SplitterSettings(kind="words", size=20, overlap=0, unit="words")
    prepared = get_splitter("words").prepare(text, chosen)
    # Every run of non-space is a word; found left to right, so each one's place is certain.
    places = []
    position = 0
    for word in text.split():
        position = text.index(word, position)
        places.append((position, position + len(word)))
        position += len(word)
    for size, overlap in pairs:
        cuts = prepared.cut(size, overlap)
        expected = []
        first = 0
        while first < len(places):
            window = places[first : first + size]
            expected.append((window[0][0], window[-1][1]))
            if first + size >= len(places):
                break
            first += size - overlap
        assert list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)) == expected
        assert not cuts.altered
        check_spans(text, cuts)


@pytest.mark.parametrize("keep", ["end", "start", "none"])
@pytest.mark.parametrize("unit", ["characters", "tokens", "words"])
def test_every_size_and_overlap_of_one_text(keep: str, unit: str) -> None:
    text = "One quay. Two quays?\r\n\r\nlamp\n\nlamp\n\n港口很安静。 e\u0301 👩‍👩‍👧‍👦 end.\x85 " * 2
    chosen = SplitterSettings(
        size=20,
        overlap=0,
        unit=unit,  # type: ignore[arg-type]
        keep_separator=keep,  # type: ignore[arg-type]
    )
    pairs = [(size, overlap) for size in range(1, 22) for overlap in range(size)]
    check_parity(text, chosen, pairs)
