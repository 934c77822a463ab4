"""A file of JSON Lines read block by block gives what the file read whole gives."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.text.loading import blocks, blockwise, load, recordfile, records
from chunkscope.text.loading.decode import WIDE_MARKS, DecodeError, decode
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.stream import DocumentStream

ENCODINGS = [
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "latin-1",
    "cp1252", "cp1251", "koi8_r", "shift_jis", "euc_jp", "gb18030", "iso2022_jp", "utf-7",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from([
        "Größe der Boote, käse", "Прилив в шесть часов утра", "灯塔在夜里闪光", "灯台は夜に光る",
        "a\u2028b", "a\r\nb\rc", "\ufefflamp", "\ud83d", "a\0b", "x" * 90,
    ]),
)  # fmt: skip
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "_id": st.sampled_from(["d1", "d2", "a.txt", "z.txt", "b.jsonl", 7, ""]),
        "title": TEXTS,
        "text": st.one_of(TEXTS, st.none(), st.just(3)),
    },
)
LANGCHAIN = st.builds(
    lambda text, source: {
        "page_content": text, "metadata": {"source": source} if source else {}
    },
    TEXTS,
    st.sampled_from(["s", "a.txt", "s#2", ""]),
)  # fmt: skip
VALUES = st.one_of(RECORDS, LANGCHAIN, st.just([1]), st.none())
LINES = st.one_of(
    st.builds(json.dumps, VALUES, ensure_ascii=st.booleans()),
    st.sampled_from(
        ["", " \t ", "{oops", "\u2028", "\ufeff{}", "lamp \x1b$B oil", "\x01\x02\x03\x04"]
    ),
)
ALL_LANGCHAIN = st.lists(st.builds(json.dumps, LANGCHAIN), min_size=1, max_size=6)


@st.composite
def files(draw):
    """The bytes of a file of JSON Lines, often in another encoding, now and then damaged."""
    lines = draw(st.one_of(st.lists(LINES, max_size=8), ALL_LANGCHAIN))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines) + draw(
        st.sampled_from(["", "\n"])
    )
    encoding = draw(st.sampled_from(ENCODINGS))
    try:
        data = text.encode(encoding, "surrogatepass" if encoding.startswith("utf-") else "replace")
    except UnicodeError:
        data = text.encode(encoding, "replace")
    for _ in range(draw(st.integers(0, 2)) if draw(st.booleans()) else 0):
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.binary(min_size=1, max_size=3)) + data[place:]
    return data


@given(
    files(),
    st.sampled_from([(), ("text",), ("title", "text")]),
    st.sampled_from(["keep", "lf"]),
    st.one_of(st.none(), st.sampled_from(ENCODINGS)),
    st.tuples(st.sampled_from([1, 3, 4, 16, 1 << 18]), st.sampled_from([10, 100, 10**8])),
)
@example(b'{"text": "a"}\n{"text": "' + b"x" * 200 + b'"}\n{"text": "b"}', ("text",), "keep", None,
         (16, 100))  # fmt: skip
@example(b"\xff\xfe\x00\x00", ("text",), "keep", None, (1, 100))
@example("{}\n".encode("utf-16"), ("text",), "keep", "utf-16", (3, 100))
@example(b"", ("text",), "keep", None, (1, 100))
def test_documents_and_reasons_are_those_of_the_file_read_whole(data, fields, newline, told, sizes):
    reading = Reading(
        encoding_of={} if told is None else {"*.jsonl": told}, newline=newline, records=fields
    )
    with (
        TemporaryDirectory() as name,
        patch.object(blocks, "BLOCK", sizes[0]),
        patch.object(records, "LONGEST_LINE", sizes[1]),
    ):
        folder = Path(name)
        (folder / "a.txt").write_bytes(b"a file of that name")
        (folder / "b.jsonl").write_bytes(data)
        (folder / "z.txt").write_bytes(b"and of this")
        corpus = load_corpus([folder], reading=reading)
        with patch.object(recordfile, "LARGE", 0):
            stream = DocumentStream([folder], reading=reading)
            assert tuple(stream) == corpus.documents
            assert stream.skipped == corpus.skipped


@given(
    st.one_of(files(), st.binary(max_size=60)),
    st.one_of(st.none(), st.sampled_from([*ENCODINGS, "ascii", "cp037", "hz", "no-such"])),
    st.sampled_from([1, 3, 4, 64]),
)
@example(b"\x00\x00\xfe\xffabc", "utf-32", 3)
@example(b"\xff\xfea\x00b", "utf-16", 1)
@example(b"\xff\xfe\x00\xd8a\x00", "utf-16", 4)
@example(b"\xff\xfe=\xd8\x00", None, 1)
@example(b"\xff\xfea\x00=\xd8\xa2", None, 3)
@example(b"\xff\xfe\x00\x00a\x00\x00\x00b\x00", None, 3)
@example(b"\x00\x00\xfe\xff\x00\x00\x00ax\x00\x00\x00", None, 4)
@example(b"\xff\xfe\x00\x00\x00\xd8\x00\x00", "utf-32", 4)
@example("ä".encode() * 40 + b"\xff lamp", None, 3)
@example(b"\xe4\xb8", None, 1)
@example(b"a\xed\xa0\x80b", "utf-8", 1)
def test_the_encoding_is_the_one_that_is_found_of_the_bytes(data, told, block):
    wanted = outcome(lambda: decode(data, told))
    with TemporaryDirectory() as name, patch.object(blocks, "BLOCK", block):
        file = Path(name) / "a"
        file.write_bytes(data)
        with load.opened(str(file)) as (stream, before):
            source = blocks.FileBlocks(stream, before)
            found = outcome(lambda: blockwise.find_encoding(source, told))
            if isinstance(found, blockwise.Encoding):
                text = "".join(blockwise.text_blocks(source, found))
                assert (text, found.name) == (wanted.text, wanted.encoding)
            else:
                assert found == wanted


MARKED = st.builds(
    lambda mark, text, end: mark[0] + text.encode(mark[1], "surrogatepass") + end,
    st.sampled_from([(mark, codec) for mark, codec, _ in WIDE_MARKS]),
    st.text(max_size=60) | st.text("abc {}\n\ud83d\ude00\0", max_size=300),
    st.binary(max_size=5),
)


@given(MARKED, st.integers(0, 5), st.sampled_from([1, 3, 4, 64]))
def test_what_is_said_of_cut_marked_text_is_said_of_the_bytes(data, cut, block):
    test_the_encoding_is_the_one_that_is_found_of_the_bytes.hypothesis.inner_test(
        data[: len(data) - cut], None, block
    )


def outcome(work):
    """What comes of it, or what is said where nothing does."""
    try:
        return work()
    except (DecodeError, InputError) as error:
        return str(error)


LINES_OF_TWO = (
    b'{"_id": "d1", "text": "lamp"}\n{"_id": "d1", "text": "x"}\n{"_id": "d3", "text": "q"}'
)


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A folder whose files of JSON Lines are read in small blocks."""
    monkeypatch.setattr(recordfile, "LARGE", 0)
    monkeypatch.setattr(blocks, "BLOCK", 16)
    (tmp_path / "a.txt").write_bytes(b"a file beside it")
    (tmp_path / "b.jsonl").write_bytes(LINES_OF_TWO)
    return tmp_path


def test_lines_that_are_no_record_are_named(large):
    stream = DocumentStream([large], reading=Reading(records=("text",)))
    assert [(one.id, one.text, one.newline, one.encoding) for one in stream] == [
        ("a.txt", "a file beside it", "none", "utf-8"), ("d1", "lamp", "none", "utf-8"),
        ("d3", "q", "none", "utf-8"),
    ]  # fmt: skip
    assert [(one.path, one.reason) for one in stream.skipped] == [
        ("b.jsonl:2", "its id 'd1' is that of another document")
    ]


@pytest.mark.parametrize("least", [0, recordfile.LARGE])
@pytest.mark.parametrize(
    ("codec", "mark"),
    [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
     ("utf-32-le", b"\xff\xfe\0\0"), ("utf-32-be", b"\0\0\xfe\xff")],
)  # fmt: skip
def test_a_marked_file_that_is_cut_is_one_line(large, monkeypatch, codec, mark, least):
    monkeypatch.setattr(recordfile, "LARGE", least)
    lines = b'{"_id": "d1", "text": "lamp"}\n' * 300
    data = mark + lines.decode().encode(codec)
    unit = 2 if codec.startswith("utf-16") else 4
    for damaged, place in ((data[:-1], len(data) - unit), (data + b"x", len(data))):
        (large / "b.jsonl").write_bytes(damaged)
        stream = DocumentStream([large], reading=Reading(records=("text",)))
        assert [one.id for one in stream] == ["a.txt"]
        assert [(one.path, one.reason) for one in stream.skipped] == [
            (
                "b.jsonl",
                f"damaged {codec[:6].upper()}: truncated data at byte {place}; "
                "mend it, or name the encoding to read it as",
            )
        ]


@pytest.mark.parametrize("size", [-5, 0, 5])
def test_a_file_that_changes_while_it_is_read_gives_nothing(large, monkeypatch, size):
    file = large / "b.jsonl"
    (large / "c.jsonl").write_bytes(b'{"_id": "d3", "text": "of another file"}')

    def changing(*args):
        for number, record in enumerate(records.line_records(*args)):
            if number == 1 and file.read_bytes() == LINES_OF_TWO:
                file.write_bytes((LINES_OF_TWO + b"     ")[: len(LINES_OF_TWO) + size])
                os.utime(file, ns=(1, 1))
            yield record

    monkeypatch.setattr(recordfile, "line_records", changing)
    stream = DocumentStream([large], reading=Reading(records=("text",)))
    assert [(one.id, one.text) for one in stream] == [
        ("a.txt", "a file beside it"), ("d3", "of another file"),
    ]  # fmt: skip
    assert [(one.path, one.reason) for one in stream.skipped] == [
        ("b.jsonl", "it changed while it was read; run again when it is at rest")
    ]


def test_it_ends_when_it_is_asked_to(large):
    token = CancelToken()

    def tell(_done, _total):
        token.cancel()

    stream = DocumentStream(
        [large], reading=Reading(records=("text",)), cancel=token, progress=tell
    )
    with pytest.raises(CancelledError):
        list(stream)


def test_ids_and_reasons_do_not_end_with_the_cache(large):
    count = 3_000
    lines = [
        json.dumps({"_id": f"{number * 7919 % count:05}é", "text": f"lamp {number}"})
        for number in range(count)
    ]
    (large / "b.jsonl").write_text("\n".join([*lines, *lines[:5]]))
    stream = DocumentStream([large], reading=Reading(records=("text",)))
    found = list(stream)
    ids = sorted(f"{number:05}é" for number in range(count))
    assert [one.id for one in found] == [*ids, "a.txt"]
    assert {one.id: one.text for one in found[:-1]} == {
        f"{number * 7919 % count:05}é": f"lamp {number}" for number in range(count)
    }
    assert [one.path for one in stream.skipped] == [
        f"b.jsonl:{number}" for number in range(count + 1, count + 6)
    ]
