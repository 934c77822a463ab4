"""Splitters of other people: called, placed, and named when they fail."""

from dataclasses import replace
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from langchain_oracle import cut

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.splitting import foreign_code
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.registry import check_settings, get_splitter, splitter_kinds
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import place_warnings
from chunkscope.text.document import Corpus, Document

TEXT = "lamp\n\nlamp\n\nlamp\n\nend"


def settings(name: str, size: int = 8, overlap: int = 0) -> SplitterSettings:
    return SplitterSettings(
        kind=f"foreign_samples:{name}", unit="characters", size=size, overlap=overlap
    )


def spans(text: str, wanted: SplitterSettings) -> list[tuple[int, int]]:
    cuts = cut(text, wanted)
    return list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True))


def test_strings_are_placed_and_empty_ones_dropped() -> None:
    cuts = cut(TEXT, settings("strings"))
    assert cuts.texts(TEXT) == ["lamp", "lamp", "lamp", "end"]
    assert cuts.starts.tolist() == [0, 6, 12, 18]
    assert cuts.ambiguous == cuts.unplaced == frozenset()


def test_size_and_overlap_are_given_to_what_takes_them() -> None:
    assert spans("abcdefgh", settings("of_size", 4, 1)) == [(0, 4), (3, 7), (6, 8)]
    assert spans("abcdefgh", settings("Chunker", 3)) == [(0, 3), (3, 6), (6, 8)]
    prepared = get_splitter("foreign_samples:of_size").prepare("abcdefgh", settings("of_size"))
    assert [len(prepared.cut(size, 0)) for size in (4, 2, 8)] == [2, 4, 1]
    assert check_settings(settings("of_size"), {"size", "overlap", "strip"}) == [
        "strip: not used by splitter 'foreign_samples:of_size'"
    ]
    assert check_settings(settings("strings"), {"size"}) == [
        "size: not used by splitter 'foreign_samples:strings'"
    ]
    assert check_settings(settings("lines"), {"size"}) == [
        "size: not used by splitter 'foreign_samples:lines'"
    ]


def test_pairs_are_checked_and_put_in_order() -> None:
    cuts = cut("0123456789", settings("ranges"))
    assert cuts.texts("0123456789") == ["01234", "56789"]
    with pytest.raises(
        InputError, match=r"chunk 1 is \(1, 11\), which is no range of a text of 10"
    ):
        cut("0123456789", settings("bad_range"))


def test_langchain_splitters_and_their_documents() -> None:
    text = "lamp\n\nlamp\n\nlamp"
    # LangChain's own start_index says 0, 6, 6 or the like: it is not looked at.
    assert spans(text, settings("documents")) == [(0, 10), (12, 16)]
    assert spans(text, settings("lines")) == [(0, 10), (12, 16)]
    kind = "langchain_text_splitters:RecursiveCharacterTextSplitter"
    own = replace(settings("", 5), kind=kind)
    assert spans(text, own) == [(0, 4), (6, 10), (12, 16)]
    markdown = "# A\n\n\tone:\u00a01\n  two\n# B\nthree"
    cuts = cut(markdown, settings("headers"))
    assert cuts.altered == {0: "one:1\ntwo"}
    assert spans(markdown, settings("headers")) == [(6, 18), (23, 28)]


def test_bounds_of_chunk_objects_choose_among_places() -> None:
    cuts = cut(TEXT, settings("objects"))
    assert spans(TEXT, settings("objects")) == [(6, 10), (18, 21)]
    assert cuts.ambiguous == frozenset({0})
    # These do not hold, so that the text alone counts.
    assert spans(TEXT, settings("wrong_objects")) == [(0, 4), (18, 21)]


def test_chunks_without_a_sure_place_are_counted() -> None:
    corpus = Corpus((Document("a", TEXT), Document("b", "x")))
    wanted = settings("objects")
    cuts = [cut(document.text, wanted) for document in corpus.documents]
    chunks = build_chunk_set(corpus, cuts, wanted, EnrichSettings())
    assert place_warnings(chunks) == [
        "places: 1 of 4 chunks ambiguous: their text stands in several places, and one of them is "
        "shown",
        "places: 2 of 4 chunks not placed: their text was changed or moved, and no evidence is "
        "found in them",
    ]
    deduplicated = build_chunk_set(corpus, cuts, replace(wanted, dedupe=True), EnrichSettings())
    assert [len(cuts.ambiguous) for cuts in deduplicated.cuts] == [1, 0]
    assert boundary_reason(TEXT, cuts[0], 1, wanted) == (
        "splitter 'foreign_samples:objects' cut here; nothing repeated"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "splitting a text failed: ZeroDivisionError: division by zero ("),
        ("raises_late", r"failed: KeyError: 'two\nlines' ("),
        ("leaves", "failed: SystemExit: 5 ("),
        ("panics", "failed: Panic: the compiled part gave up ("),
        ("deep", "failed: JSONDecodeError: Expecting value: line 1 column 1 (char 0) ("),
        ("nothing", "returned no list of chunks; return strings, (start, end) pairs"),
        ("one_string", "returned no list of chunks"),
        ("later", "returned no list of chunks"),
        ("wrong_items", "chunk 1 is a float; return strings"),
        ("mixed", "chunk 1 is a tuple; return strings"),
        ("imports", "splitting a text needs 'no_such_package', which is not installed ("),
        ("NoSplitter", "is a class without split_text"),
        ("not_callable", "is of type int and cannot be called"),
        ("broken", "failed: RuntimeError: no method today ("),
        ("missing", "module 'foreign_samples' has no 'missing'"),
        ("lines.missing.more", "has no 'lines.missing.more'"),
    ],
)
def test_what_goes_wrong_is_named_with_its_place(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        cut(TEXT, settings(name))
    message = str(caught.value)
    assert said in message
    assert message.startswith(f"splitter 'foreign_samples:{name}': ")
    assert "\n" not in message
    if said.endswith("("):
        assert "foreign_samples.py, line " in message
        assert isinstance(caught.value, MissingPackageError) == (name == "imports")


def test_what_it_prints_is_no_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(cut(TEXT, settings("prints"))) == 1
    assert capsys.readouterr() == ("", "splitting\n")


def test_an_interrupt_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        foreign_code.guarded("a:b", "splitting", interrupted)


def test_chunks_that_tile_the_text_are_sure() -> None:
    cuts = cut("aaaaaa", settings("tiles"))
    assert cuts.starts.tolist() == [0, 2, 4]
    assert cuts.ambiguous == frozenset()
    assert cut("aaaa", settings("nearly_tiles")).ambiguous == {0, 1}


def test_modules_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no module 'no_such_module' is found; run where it"):
        get_splitter("no_such_module:split")
    with pytest.raises(InputError, match="write module:object"):
        get_splitter("module:")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cut_badly.py").write_text("def split(text:\n")
    with pytest.raises(InputError, match="importing it failed: SyntaxError"):
        get_splitter("cut_badly:split")
    (tmp_path / "cut_well.py").write_text("def split(text):\n    return [text]\n")
    assert spans("one", SplitterSettings(kind="cut_well:split")) == [(0, 3)]


def test_splitters_that_packages_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = EntryPoints(
        [
            EntryPoint("by-line", "foreign_samples:strings", foreign_code.GROUP),
            EntryPoint("gone", "no_such_module:split", foreign_code.GROUP),
            EntryPoint("words", "foreign_samples:strings", foreign_code.GROUP),
        ]
    )
    monkeypatch.setattr(metadata, "entry_points", lambda group: offered.select(group=group))
    assert splitter_kinds()[-2:] == ("by-line", "gone")
    assert spans(TEXT, SplitterSettings(kind="by-line"))[-1] == (18, 21)
    assert get_splitter("words").unit == "words"
    with pytest.raises(MissingPackageError, match="importing it needs 'no_such_module'"):
        get_splitter("gone")
    with pytest.raises(InputError, match=r"'other' is not known; give one of recursive, .*by-line"):
        get_splitter("other")


def test_html_whose_text_a_library_moves_has_no_place() -> None:
    """LangChain's HTML splitter puts inline text elsewhere: said, not invented."""
    pytest.importorskip("bs4", reason="LangChain's HTML splitters need beautifulsoup4")
    text = "<h1>H</h1><p>Alpha <strong>beta</strong> gamma</p>"
    wanted = settings("html_headings")
    cuts = cut(text, wanted)
    assert cuts.texts(text) == ["H", "Alpha gamma  \nbeta"]
    assert spans(text, wanted)[0] == (4, 5)
    assert cuts.unplaced == {1}
    chunks = build_chunk_set(Corpus((Document("a", text),)), [cuts], wanted, EnrichSettings())
    assert place_warnings(chunks) == [
        "places: 1 of 2 chunks not placed: their text was changed or moved, and no evidence is "
        "found in them"
    ]
