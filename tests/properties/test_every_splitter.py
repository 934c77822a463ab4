"""What every splitter promises, whichever it is."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from covering import assert_covers, assert_in_order
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkscope.errors import MissingPackageError
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.registry import get_splitter, splitter_kinds
from chunkscope.splitting.settings import SplitterSettings, Unit

LOSSY = ("langchain-markdown", "sentence-transformers")
"""Those that reproduce another's losses, and say so."""

OWN = [
    kind
    for kind in splitter_kinds()
    if not kind.startswith((*LOSSY, "chonkie:", "llama-index:", "code:", "semantic"))
] + ["html+words"]

PACKAGES = [
    *("chonkie:TokenChunker", "chonkie:SentenceChunker", "chonkie:RecursiveChunker"),
    *("llama-index:SentenceSplitter", "llama-index:TokenTextSplitter"),
    *("llama-index:SentenceWindowNodeParser", "llama-index:MarkdownNodeParser"),
]

_PIECES = (
    *("# A", "## B\n", "\n", "\n\n", " ", "word", "One is. ", "Two? ", "```\n", "| a | b |\n"),
    *("|---|---|\n", "<h1>", "</h1>", "<p>", "\t", "\r\n", "\u00a0", "é", "港口。", "\ufeff", "a"),
    *("\x00", "\U0001f1e9\U0001f1ea", "x" * 30, "---\n", "def f():\n", "    return\n"),
)
pages = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)


@st.composite
def wanted(draw: st.DrawFn, kind: str, least: int = 1) -> SplitterSettings:
    size = draw(st.integers(least, 60))
    units: tuple[Unit, ...] = ("tokens", "characters", "words")
    return SplitterSettings(
        kind=kind,
        size=size,
        overlap=draw(st.integers(0, size - 1)),
        unit=draw(st.sampled_from(units)),
        keep_separator=draw(st.sampled_from(("end", "start"))),
        strip=draw(st.booleans()),
    )


def cut(text: str, settings: SplitterSettings) -> Cuts:
    prepared = get_splitter(settings.kind).prepare(text, settings)
    return prepared.cut(settings.size, settings.overlap_size)


def assert_places_are_true(text: str, cuts: Cuts) -> None:
    """A chunk is the slice of its range, or says that it is not; ranges lie in the text."""
    for index, (start, end) in enumerate(
        zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
    ):
        assert 0 <= start <= end <= len(text)
        assert (text[start:end] == cuts.text(index, text)) == (index not in cuts.altered)
        spans = cuts.spans.get(index, ((start, end),))
        assert (spans[0][0], spans[-1][1]) == (start, end)
        assert all(low <= high for low, high in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        assert (start == end) == (index in cuts.unplaced)


@pytest.mark.parametrize("kind", OWN)
@settings(max_examples=25)
@given(text=pages, data=st.data())
def test_our_own_drop_nothing_that_can_be_seen(kind: str, text: str, data: st.DataObject) -> None:
    cuts = cut(text, data.draw(wanted(kind)))
    assert_covers(text, cuts)
    if not kind.endswith("token"):
        assert_in_order(text, cuts)
    assert_places_are_true(text, cuts)
    assert cuts.ambiguous == cuts.unplaced == frozenset()


@pytest.mark.parametrize("kind", PACKAGES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(text=pages, data=st.data())
def test_places_of_other_packages_chunks_are_checked(
    kind: str, text: str, data: st.DataObject
) -> None:
    # llama-index gives up where a character alone has more tokens than a chunk.
    settings = data.draw(wanted(kind, 12))
    try:
        splitter = get_splitter(kind)
    except MissingPackageError as missing:
        pytest.skip(str(missing))
    prepared = splitter.prepare(text, settings)
    cuts = prepared.cut(settings.size, settings.overlap_size)
    assert_places_are_true(text, cuts)
    starts = cuts.starts.tolist()
    assert starts == sorted(starts)


@pytest.mark.parametrize("kind", ["recursive", "sentence", "markdown", "markdown+recursive"])
def test_real_text_in_many_scripts(kind: str, shared_data: Callable[[str], Path]) -> None:
    for name in ("xquad_en", "xquad_zh", "xquad_ar", "xquad_de", "jaquad", "techdocs_md"):
        for path in sorted((shared_data(name) / "docs").iterdir())[:2]:
            text = path.read_bytes().decode()
            for size, strip in ((40, True), (200, False)):
                settings = SplitterSettings(kind=kind, size=size, overlap="10%", strip=strip)
                cuts = cut(text, settings)
                assert_covers(text, cuts)
                assert_in_order(text, cuts)
