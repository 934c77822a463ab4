"""Pages without what only draws: the same text comes out, and less is parsed."""

import io

import pypdf
import pytest
from format_files import pdf_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.text.loading import pdfdrawing
from chunkscope.text.loading.pdf import extract_pdf
from chunkscope.text.loading.pdfdrawing import without_drawing

WORDS = b"BT /F1 12 Tf 50 800 Td (Low at six.) Tj ET\n"
LINES = b"10 20.5 m -1 .5 l S\n0 0 5. +5 re f*\n1 0 0 rg\n"


def plainly(data: bytes) -> list[str]:
    """The text of each page, as pypdf alone gives it."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


@pytest.fixture
def every_page(monkeypatch):
    """Drawing is left out of every page, however small."""
    monkeypatch.setattr(pdfdrawing, "HEAVY_BYTES", 0)


def test_only_whole_operations_of_numbers_are_left_out():
    assert without_drawing(LINES) == b""
    assert without_drawing(LINES + WORDS + LINES) == WORDS
    kept = (
        b"q\n", b"1 0 0 1 5 5 cm\n", b"/Pattern cs /P1 scn\n", b"[3 2] 0 d\n", b"/GS1 gs\n",
        b"(1 2 m \\) (3 4 l) S)Tj\n", b"<31 32 6d>Tj\n", b"[(a)-120(1 2 m)]TJ\n",
        b"/Span<</MCID 0/Alt(1 2 m)>>BDC\n", b"/X0 Do\n", b"1 2 m3\n", b"mm\n",
        b"/A 1 2 m\n", b"(S)'\n", b"BI /W 1 /H 1 ID 1 2 m S\x00\xff EI\n", b"S(a)Tj\n",
    )  # fmt: skip
    for one in kept:
        assert without_drawing(LINES + one + LINES) == one
    assert without_drawing(b" \n" + LINES.join(kept) + LINES) == b"".join(kept)
    assert without_drawing(b"10 20 m\r\n1 2 l\tS") == b""
    assert without_drawing(b"") == b""


@pytest.mark.parametrize(
    "odd",
    [b"% 1 2 m\n", b"1..2 0 m\n", b"(never closed", b"\x00 ", b"{1} ", b"5 6 ", b")", b"<zz>Tj ",
     b"((((deeper) than) is) read)Tj "],
)  # fmt: skip
def test_what_is_not_understood_stays_whole(odd):
    content = LINES + WORDS + LINES + odd
    assert without_drawing(content) == content


def test_leaving_out_can_be_cancelled():
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        without_drawing(LINES, token)


PIECES = st.sampled_from(
    [WORDS, LINES, b"BT /F1 9 Tf 1 0 0 1 50 700 Tm [(One)-400(two)]TJ T* (three)' ET ",
     b"q 2 0 0 2 0 0 cm ", b"Q ", b"BT 0 -14 TD (1 2 m S)Tj ET\n", b"1 2 m S ", b"0 g ", b"h f n ",
     b"(\\(10 20 m\\))Tj ", b"BI /W 2 /H 1 /BPC 8 /CS /G ID ab EI ", b"/X0 Do ", b"/X1 Do\n",
     b"/Span <</MCID 1>> BDC ", b"EMC ", b"5 ", b"/N ", b"(x", b"% c\n", b"<48 49> Tj ", b"W* n ",
     b"1 0 0 RG 2 w 1 j ", b"[1 2] 0 d ", b"TL ", b"14 TL T* ", b"(a) (b) 1 2 (c)\" ", b"] "]
)  # fmt: skip
CONTENT = st.lists(PIECES, max_size=14).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(CONTENT, CONTENT, CONTENT)
@example(WORDS + b"q /X0 Do Q" + LINES, LINES + WORDS + b"/X1 Do ", LINES + b"(inner)Tj ")
def test_the_text_is_that_of_pypdf_alone(content, outer, inner):
    data = pdf_of(content, b"/X1 Do " + content, forms={"X0": outer, "X1": inner})
    reader = pypdf.PdfReader(io.BytesIO(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pdfdrawing, "HEAVY_BYTES", 0)
        drawing = pdfdrawing.Drawing()
        for page in reader.pages:
            contents = page.get_contents()
            drawing.leave_out(page, b"" if contents is None else contents.get_data())
        assert _texts(reader) == _texts(pypdf.PdfReader(io.BytesIO(data)))


def _texts(reader: pypdf.PdfReader) -> list[str]:
    """The text of each page, or what is raised instead."""
    found = []
    for page in reader.pages:
        try:
            found.append(page.extract_text())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the same
            found.append(type(error).__name__)
    return found


def test_forms_are_lightened_once_and_hold_the_same_text(every_page):
    inner = LINES + b"BT /F1 9 Tf 50 600 Td (inner) Tj ET " + LINES
    outer = LINES + b"/X1 Do " + LINES
    data = pdf_of(b"/X0 Do ", b"/X0 Do " + WORDS, forms={"X0": outer, "X1": inner, "X2": LINES})
    reader = pypdf.PdfReader(io.BytesIO(data))
    drawing = pdfdrawing.Drawing()
    for page in reader.pages:
        drawing.leave_out(page, page.get_contents().get_data())
    (first, second) = reader.pages
    assert first["/Resources"]["/XObject"]["/X0"].get_data() == b"/X1 Do "
    form = second["/Resources"]["/XObject"]["/X0"]
    assert form["/BBox"] == [0, 0, 600, 850]
    shown = form["/Resources"]["/XObject"]
    assert shown["/X1"].get_data() == b"BT /F1 9 Tf 50 600 Td (inner) Tj ET "
    # What nobody shows is not even unpacked.
    assert shown["/X2"].get_data() == LINES
    assert plainly(data) == [page.extract_text() for page in reader.pages]
    assert plainly(data)[1].split() == ["inner", "Low", "at", "six."]


def test_a_page_of_more_lines_than_pypdf_parses_is_read(every_page):
    data = pdf_of(WORDS + LINES * 40, WORDS)
    with pypdf.apply_configuration(stream_parsing_work_maximum_count=100):
        with pytest.raises(pypdf.errors.LimitReachedError):
            plainly(data)
        extracted = extract_pdf(data)
    assert extracted.text == "Low at six.\n\fLow at six."
    assert len(extracted.notes) == 1


def test_small_pages_stay_as_they_are():
    data = pdf_of(WORDS + LINES)
    page = pypdf.PdfReader(io.BytesIO(data)).pages[0]
    pdfdrawing.Drawing().leave_out(page, WORDS + LINES)
    assert page.get_contents().get_data() == WORDS + LINES


@pytest.mark.parametrize(
    ("content", "form", "heavy"),
    [(WORDS, WORDS, True), (LINES, LINES, False), (LINES + b"% c", b"", True),
     (LINES + b"/X0 Do ", LINES + b"% c", True), (b"q /X0 Do Q " + LINES, LINES, False)],
)  # fmt: skip
def test_what_is_heavy_all_the_same_is_told(monkeypatch, content, form, heavy):
    monkeypatch.setattr(pdfdrawing, "HEAVY_BYTES", 20)
    page = pypdf.PdfReader(io.BytesIO(pdf_of(content, forms={"X0": form}))).pages[0]
    assert pdfdrawing.Drawing().leave_out(page, content) is heavy


def test_a_page_that_stays_heavy_is_read_where_waiting_can_end(every_page, monkeypatch):
    waited = []

    def watch(work, cancel):
        waited.append(cancel)
        return work()

    monkeypatch.setattr("chunkscope.text.loading.pdf.watched", watch)
    token = CancelToken()
    assert extract_pdf(pdf_of(WORDS), cancel=token).text == "Low at six."
    assert waited == [token]
    assert extract_pdf(pdf_of(WORDS)).text == "Low at six."
    assert waited == [token]
