import builtins
import io
import logging
import zlib

import pytest
from format_files import pdf
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.text.loading import pdf as pdf_module
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.pdf import extract_pdf
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.running import running_note, without_running

pypdf = pytest.importorskip("pypdf")


def encrypted(data, user, owner="owner"):
    writer = pypdf.PdfWriter(io.BytesIO(data))
    writer.encrypt(user, owner, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_pages_are_joined_and_named():
    extracted = extract_pdf(pdf("The lamp\nis lit.", "Second page.", "Third."))
    assert extracted.text == "The lamp\nis lit.\n\fSecond page.\n\fThird."
    parts = extracted.origin.parts
    assert [part.name for part in parts] == ["page 1", "page 2", "page 3"]
    assert [extracted.text[part.start : part.end] for part in parts] == [
        "The lamp\nis lit.", "Second page.", "Third.",
    ]  # fmt: skip
    at = extracted.text.index("page.")
    assert extracted.origin.place(at, at + 5) == "page 2"
    assert extracted.notes == (
        f"3 pages of a PDF read by pypdf {pypdf.__version__}: offsets refer to the extracted text",
    )


def test_a_document_says_that_its_text_is_extracted(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf("one"))
    (tmp_path / "b").write_bytes(pdf("found by its bytes"))
    (tmp_path / "c.pdf").write_bytes(b"\n\n" + pdf("behind blank lines"))
    corpus = load_corpus([tmp_path])
    assert [one.text for one in corpus.documents] == [
        "one", "found by its bytes", "behind blank lines",
    ]  # fmt: skip
    first = corpus.documents[0]
    assert (first.encoding, first.newline) == ("pdf", "none")
    assert first.origin is not None
    assert first.origin.format == "PDF"
    assert "offsets refer to the extracted text" in first.notes[0]


def test_hyphens_at_line_ends_are_joined_only_where_asked():
    data = pdf("the mainte-\nnance of 24-\n30 lamps -\nand oil")
    assert extract_pdf(data).text == "the mainte-\nnance of 24-\n30 lamps -\nand oil"
    joined = extract_pdf(data, join_hyphens=True)
    assert joined.text == "the maintenance of 24-\n30 lamps -\nand oil"
    assert joined.origin.parts[0].end == len(joined.text)
    assert joined.notes[1] == "words parted by a hyphen at a line's end are joined"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a well-\nknown one", "a wellknown one"),
        ("a well-\nknown, Well-known one", "a well-known, Well-known one"),
        ("twenty-\nfour and Self-\ntaught", "twenty-four and Self-taught"),
        ("two-\nfold and three-\nfold-\ning", "twofold and threefolding"),
    ],
)
def test_a_hyphen_stays_in_a_word_that_has_it_anyway(page, text):
    assert extract_pdf(pdf(page), join_hyphens=True).text == text


def test_pages_without_text_are_named():
    extracted = extract_pdf(pdf("one", "", "three", ""))
    assert extracted.notes[1:] == ("without a text layer: pages 2, 4",)
    assert extracted.origin.place(extracted.text.index("three"), len(extracted.text)) == "page 3"
    with pytest.raises(DecodeError) as error:
        extract_pdf(pdf("", ""))
    assert str(error.value) == "a PDF without a text layer (2 pages); run OCR over it first"


def test_passwords_are_tried_in_turn():
    data = encrypted(pdf("secret harbour"), "lamp")
    with pytest.raises(DecodeError, match=r"^an encrypted PDF; give --passwords FILE or set CHU"):
        extract_pdf(data)
    with pytest.raises(DecodeError, match=r"^an encrypted PDF; none of --passwords and CHUNK"):
        extract_pdf(data, passwords=["wrong"])
    assert extract_pdf(data, passwords=["wrong", "lamp"]).text == "secret harbour"
    assert extract_pdf(data, passwords=["owner"]).text == "secret harbour"
    assert extract_pdf(data, passwords=["owner"]).secret
    opened = extract_pdf(encrypted(pdf("open to all"), ""), passwords=["x"])
    assert (opened.text, opened.secret) == ("open to all", False)
    assert "lamp" not in repr(Reading(passwords=("lamp",)))


def test_a_missing_extra_is_named_and_the_rest_goes_on(tmp_path, monkeypatch):
    real = builtins.__import__

    def imported(name, *rest):
        if name == "pypdf":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", imported)
    (tmp_path / "a.pdf").write_bytes(pdf("one"))
    (tmp_path / "b.txt").write_text("b")
    corpus = load_corpus([tmp_path])
    assert [one.id for one in corpus.documents] == ["b.txt"]
    assert [(one.path, one.reason) for one in corpus.skipped] == [
        ("a.pdf", "a PDF: pip install 'chunkscope[pdf]' reads it")
    ]


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_one_reason_and_nothing_is_logged(share, capfd):
    data = pdf("one\ntwo", "three")
    with pytest.raises(DecodeError, match=r"^a damaged or truncated PDF: ") as error:
        extract_pdf(data[: int(len(data) * share)])
    assert "\n" not in str(error.value)
    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("pypdf").handlers == []


def test_what_is_mended_is_said():
    data = pdf("one lamp", "two lamps")
    moved = data.replace(b"startxref\n", b"startxref\n1")
    extracted = extract_pdf(moved)
    assert extracted.text == "one lamp\n\ftwo lamps"
    assert extracted.notes[1].startswith("pypdf warns: ")


def test_a_page_that_cannot_be_read_is_named(monkeypatch):
    real = pypdf.PageObject.extract_text

    def extract(page, *rest, **named):
        text = real(page, *rest, **named)
        if text == "two":
            raise KeyError("/Font")
        return text

    monkeypatch.setattr(pypdf.PageObject, "extract_text", extract)
    extracted = extract_pdf(pdf("one", "two", "three"))
    assert extracted.text == "one\n\f\n\fthree"
    assert extracted.notes[1:] == ("cannot be read, left out: page 2",)
    with pytest.raises(DecodeError, match=r"^a damaged or truncated PDF: '/Font'$"):
        extract_pdf(pdf("two", "two"))


def test_a_page_that_unpacks_to_too_much_is_left_out():
    packed = zlib.compress(b"BT (x) Tj ET" + b" " * 100_000_000)
    data = pdf("one", "two")
    stream = data[data.rindex(b"<</Length") : data.rindex(b"\nendstream")]
    head = b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed)
    extracted = extract_pdf(data.replace(stream, head + packed))
    assert extracted.text == "one\n\f"
    assert extracted.notes[1] == "cannot be read, left out: page 2"


def test_pages_that_unpack_to_too_much_together_are_refused(monkeypatch):
    packed = zlib.compress(b"BT (x) Tj ET" + b" " * 30_000_000)
    data = pdf("one", "two")
    stream = data[data.rindex(b"<</Length") : data.rindex(b"\nendstream")]
    head = b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed)
    extracted = extract_pdf(data.replace(stream, head + packed))
    assert extracted.text == "one\n\f"
    assert extracted.notes[1] == "cannot be read, left out: page 2"
    monkeypatch.setattr(pdf_module, "MAX_BYTES", 50)
    with pytest.raises(DecodeError, match=r"^a PDF whose pages unpack to over 50 bytes$"):
        extract_pdf(pdf("one", "two"))


HANDBOOK = [
    "Port handbook\n\nTides\nLow at six.\nPage 1 of 4\n",
    "Port handbook\nBerths\nNorth.\nPage 2 of 4",
    "Port handbook\nFees\nFour euros.\nPage 3 of 4",
    "Tides\nPort handbook\nPage 4 of 4",
]


def test_running_lines_are_left_out_only_where_asked():
    data = pdf(*HANDBOOK)
    assert extract_pdf(data).text.count("Port handbook") == 4
    extracted = extract_pdf(data, drop_running=True)
    assert extracted.text == (
        "Tides\nLow at six.\n\fBerths\nNorth.\n\fFees\nFour euros.\n\fTides\nPort handbook"
    )
    assert extracted.notes[1] == "running lines left out: 'Page # of #', 'Port handbook'"
    assert [extracted.text[part.start : part.end] for part in extracted.origin.parts][2] == (
        "Fees\nFour euros."
    )


@pytest.mark.parametrize(
    ("pages", "kept", "found"),
    [
        (["a\nx", "a\ny"], ["a\nx", "a\ny"], []),
        (["a 1", "a 2", "a 33"], ["", "", ""], ["a #"]),
        (["a\n \nb\nx", "a\nb\ny", " a \nb\nz"], ["x", "y", "z"], ["a", "b"]),
        (["x\n1", "", "y\n2", "z\n3\n"], ["x", "", "y", "z"], ["#"]),
        (["l" * 121 + "\nx"] * 3, ["l" * 121] * 3, ["x"]),
        (["a\nx"] * 3 + list("bcdefgh"), ["a\nx"] * 3 + list("bcdefgh"), []),
        (["a\nb\nc\nd"] * 3, [""] * 3, ["a", "b", "c", "d"]),
        ([], [], []),
    ],
)
def test_what_a_running_line_is(pages, kept, found):
    assert without_running(pages) == (kept, found)


def test_what_ran_is_said():
    assert running_note([]) == "no running lines found"
    assert running_note(["a", "b", "c", "d"]) == "running lines left out: 'a', 'b', 'c' and 1 more"


def test_cancel_is_looked_at_between_pages():
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        extract_pdf(pdf("one"), cancel=token)


def test_cancel_is_looked_at_within_a_page(monkeypatch):
    token = CancelToken()
    seen = []
    real = pypdf.PageObject.extract_text

    def extract(page, *rest, visitor_operand_before, **named):
        def before(*arguments):
            seen.append(arguments[0])
            if len(seen) == 5:
                token.cancel()
            visitor_operand_before(*arguments)

        return real(page, *rest, visitor_operand_before=before, **named)

    monkeypatch.setattr(pypdf.PageObject, "extract_text", extract)
    with pytest.raises(CancelledError):
        extract_pdf(pdf("one\ntwo\nthree\nfour"), cancel=token)
    assert len(seen) == 5


WHOLE = pdf("The lamp\nis lit.", "Second page.")


@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 30), st.binary(max_size=12)),
        min_size=1,
        max_size=8,
    )
)
@example([(WHOLE.index(b"/Length"), 0, b"/Filter/Fl")])
def test_any_damage_is_read_or_refused_by_name(edits):
    data = bytearray(WHOLE)
    for place, dropped, added in edits:
        data[place : place + dropped] = added
    try:
        extracted = extract_pdf(bytes(data))
    except DecodeError:
        return
    assert extracted.text.strip()
    assert extracted.origin.parts[-1].end == len(extracted.text)


def test_golden_questions_on_pdfs_are_measured(shared_data):
    folder = shared_data("awkward")
    corpus = load_corpus([folder / "docs"])
    texts = {document.id: document.text for document in corpus.documents}
    located = {one.question.id: one for one in locate(read_golden(folder / "golden.jsonl"), corpus)}
    columns = located["aw-p01"].items[0].places
    assert {place.tier for place in columns} == {"exact"}
    for place in columns:
        text = texts[place.doc][place.span.start : place.span.end]
        assert text == "The relief valve opens at 3 bar."
    hyphens = located["aw-p05"].items[0].places
    assert len(hyphens) == 7
    assert {place.tier for place in hyphens} == {"hyphenation"}
    for place in hyphens:
        text = texts[place.doc][place.span.start : place.span.end]
        assert text.split("\n") == [
            "The mainte-", "nance con-", "tract runs for twenty-", "four months and ends auto-",
            "matically.",
        ]  # fmt: skip


def test_columns_are_read_one_after_the_other(shared_data):
    data = (shared_data("awkward") / "docs" / "p01_two_columns.pdf").read_bytes()
    text = extract_pdf(data).text
    assert text.rindex("Left column.") < text.index("Right column.")
