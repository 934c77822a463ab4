"""Splitters of chonkie and llama-index: found by name, offline, their spans checked."""

import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_oracle import cut

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.splitting import packages
from chunkscope.splitting.registry import check_settings, get_splitter, splitter_kinds
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.tokens import get_token_counter

BASE = SplitterSettings(kind="chonkie:recursive", unit="characters", size=40, overlap=0)
TEXT = (
    "The berth plan is signed at noon by the harbour master. The tug leaves at two.\n\n"
    "Low water is at six and the pilots stay ashore! Grüße aus dem Hafen, 港口很安静。\n\n"
    "The berth plan is signed at noon by the harbour master. The tug leaves at two.\n"
)


@pytest.fixture
def chonkie() -> None:
    pytest.importorskip("chonkie", reason="the package chonkie is not installed")


@pytest.fixture
def llama_index() -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def assert_slices_in_order(text: str, wanted: SplitterSettings) -> list[str]:
    cuts = cut(text, wanted)
    assert cuts.altered == {}
    assert cuts.unplaced == frozenset()
    starts = cuts.starts.tolist()
    assert starts == sorted(starts)
    return cuts.texts(text)


@pytest.mark.usefixtures("chonkie", "no_network")
@pytest.mark.parametrize("unit", ["tokens", "characters", "words"])
@pytest.mark.parametrize("name", ["token", "SentenceChunker", "recursive"])
def test_chonkie_keeps_to_the_size_in_our_unit(name: str, unit: str) -> None:
    wanted = replace(BASE, kind=f"chonkie:{name}", unit=unit, size=20)
    found = assert_slices_in_order(TEXT, wanted)
    # Its own words are what stands between single spaces, which go where a chunk ends.
    assert "".join("".join(found).split()) == "".join(TEXT.split())
    length = {
        "tokens": get_token_counter("cl100k_base").count_one,
        "characters": len,
        "words": lambda text: len(text.split(" ")),
    }[unit]
    assert len(found) >= 3
    # A sentence that alone is longer stays whole.
    if name != "SentenceChunker":
        assert max(map(length, found)) <= 20


@pytest.mark.usefixtures("chonkie", "no_network")
def test_chonkie_gives_what_it_gives() -> None:
    from chonkie import RecursiveChunker, SentenceChunker

    own = [chunk.text for chunk in RecursiveChunker("character", chunk_size=40).chunk(TEXT)]
    cuts = cut(TEXT, BASE)
    assert cuts.texts(TEXT) == own
    assert cuts.ambiguous == frozenset()
    spans = [(chunk.start_index, chunk.end_index) for chunk in
             RecursiveChunker("character", chunk_size=40).chunk(TEXT)]  # fmt: skip
    assert list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)) == spans
    sentences = SentenceChunker("character", chunk_size=90, chunk_overlap=60)
    wanted = replace(BASE, kind="chonkie:sentence", size=90, overlap=60)
    assert cut(TEXT, wanted).texts(TEXT) == [chunk.text for chunk in sentences.chunk(TEXT)]


@pytest.mark.usefixtures("chonkie")
def test_a_table_whose_header_is_put_before_every_chunk() -> None:
    rows = "".join(f"| {number} | quay {number} |\n" for number in range(6))
    text = f"| no | place |\n|---|---|\n{rows}"
    cuts = cut(text, replace(BASE, kind="chonkie:table", size=60))
    assert len(cuts) > 1
    assert set(cuts.altered) == set(range(1, len(cuts)))
    last = cuts.spans[len(cuts) - 1][-1] if cuts.spans else (cuts.starts[-1], cuts.ends[-1])
    assert text[last[0] : last[1]].strip() == "| 4 | quay 4 |\n| 5 | quay 5 |"


@pytest.mark.usefixtures("llama_index", "no_network")
@pytest.mark.parametrize("unit", ["tokens", "characters", "words"])
def test_llama_index_keeps_to_the_size_in_our_unit(unit: str) -> None:
    length = {
        "tokens": get_token_counter("cl100k_base").count_one,
        "characters": len,
        "words": lambda text: len(text.split()),
    }[unit]
    for name in ("SentenceSplitter", "TokenTextSplitter"):
        size = {"tokens": 20, "characters": 90, "words": 12}[unit]
        wanted = replace(BASE, kind=f"llama-index:{name}", unit=unit, size=size)
        found = assert_slices_in_order(TEXT, wanted)
        assert max(map(length, found)) <= size
        assert "".join("".join(found).split()) == "".join(TEXT.split())


@pytest.mark.usefixtures("llama_index", "no_network")
def test_llama_index_gives_what_it_gives() -> None:
    from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter

    for made in (SentenceSplitter, TokenTextSplitter):
        own = made(chunk_size=90, chunk_overlap=30, tokenizer=list).split_text(TEXT)
        kind = f"llama-index:{made.__name__.lower()}"
        wanted = replace(BASE, kind=kind, size=90, overlap=30)
        assert cut(TEXT, wanted).texts(TEXT) == own
    markdown = "# A\none\n\n## B\ntwo\n"
    wanted = replace(BASE, kind="llama-index:MarkdownNodeParser")
    assert cut(markdown, wanted).texts(markdown) == ["# A\none", "## B\ntwo"]
    assert check_settings(wanted, {"size"}) == [
        "size: not used by splitter 'llama-index:MarkdownNodeParser'"
    ]


@pytest.mark.usefixtures("chonkie", "llama_index")
def test_installed_ones_are_listed_and_others_refused_with_the_reason() -> None:
    assert "chonkie:RecursiveChunker" in splitter_kinds()
    assert "llama-index:SentenceSplitter" in splitter_kinds()
    assert check_settings(BASE, {"overlap", "separators"}) == [
        "overlap: not used by splitter 'chonkie:recursive'",
        "separators: not used by splitter 'chonkie:recursive'",
    ]
    for kind, said in (
        ("chonkie:semantic", "not offered, because it loads a model or calls a service"),
        ("chonkie:FastChunker", "not offered, because it counts bytes"),
        ("llama-index:CodeSplitter", "not offered, because it fetches grammars"),
        ("llama-index:none", "is not known; give one of SentenceSplitter, TokenTextSplitter"),
        ("chonkie:", "is not known; give one of TokenChunker"),
    ):
        with pytest.raises(InputError, match=said):
            get_splitter(kind)
    with pytest.raises(InputError, match="unit: 'sentences' does not go"):
        check_settings(replace(BASE, unit="sentences"))


def test_a_package_that_is_missing_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    assert not any(kind.startswith(("chonkie", "llama")) for kind in splitter_kinds())
    with pytest.raises(
        MissingPackageError, match=r"not installed; pip install 'chunkscope\[llama-index\]'"
    ):
        get_splitter("llama-index:SentenceSplitter")


@pytest.mark.parametrize("kind", ["chonkie:token", "llama-index:SentenceSplitter"])
def test_real_documents(
    kind: str, shared_data: Callable[[str], Path], request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(kind.partition(":")[0].replace("-", "_"))
    path = sorted((shared_data("toy_policy") / "docs").iterdir())[0]
    text = path.read_bytes().decode()
    wanted = replace(BASE, kind=kind, unit="tokens", size=64, overlap=8)
    assert len(assert_slices_in_order(text, wanted)) > 10
