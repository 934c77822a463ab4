import io
import zipfile

import pytest
from format_files import archive, docx, paragraph, word_xml
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.text.headings import heading_paths, headings
from chunkscope.text.loading import packed
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.docx import extract_docx
from chunkscope.text.loading.load import load_corpus


def text_of(body, **others):
    return extract_docx(docx(body, **others)).text


def test_paragraphs_are_parted_by_blank_lines_and_named():
    extracted = extract_docx(docx(paragraph("One &amp; two") + "<w:p/>" + paragraph("Three")))
    assert extracted.text == "One & two\n\nThree"
    assert [part.name for part in extracted.origin.parts] == ["paragraph 1", "paragraph 2"]
    assert extracted.origin.place(11, 16) == "paragraph 2"
    assert extracted.notes == ("a Word document: offsets refer to the extracted text",)


def test_characters_that_are_elements():
    run = (
        "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/>"
        "<w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/>"
        "<w:sym w:font='Symbol' w:char='2022'/><w:sym w:char='110000'/><w:sym w:char='D83D'/>"
        "</w:r></w:p>"
    )
    assert text_of(run) == "a\tb\nc\u2011d\xad\u2022\ufffd\ufffd"


def test_what_others_lose_is_kept_and_what_is_deleted_is_not():
    body = (
        "<w:sdt><w:sdtContent>" + paragraph("in a control") + "</w:sdtContent></w:sdt>"
        "<w:p><w:ins><w:r><w:t>inserted </w:t></w:r></w:ins><w:del><w:r><w:delText>gone"
        "</w:delText><w:t>gone</w:t></w:r></w:del><w:hyperlink><w:r><w:t>a link</w:t></w:r>"
        "</w:hyperlink><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>kana</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字"
        "</w:t></w:r></w:rubyBase></w:ruby></w:r><m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath>"
        "</w:p>"
    )
    assert text_of(body) == "in a control\n\ninserted a link\n\n漢字x+1"


def test_a_text_box_is_read_once():
    box = "<w:txbxContent>" + paragraph("boxed") + "</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>around </w:t></w:r><w:r><mc:AlternateContent><mc:Choice>"
        f"{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
        "<w:r><w:t>it</w:t></w:r></w:p>"
    )
    assert text_of(body) == "boxed\n\naround it"


def test_a_table_is_a_line_a_row():
    def table(rows):
        cells = ("".join(f"<w:tc>{cell}</w:tc>" for cell in row) for row in rows)
        return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"

    inner = table([[paragraph("in"), paragraph("ner")]])
    body = paragraph("before") + table(
        [
            [paragraph("Berth"), paragraph("Fee") + paragraph("a day")],
            [paragraph("North"), "<w:p><w:r><w:t>4</w:t><w:br/><w:t>euros</w:t></w:r></w:p>"],
            ["<w:p/>", inner],
            ["<w:p/>", "<w:p/>"],
        ]
    )
    extracted = extract_docx(docx(body + paragraph("after")))
    assert extracted.text == ("before\n\nBerth\tFee a day\nNorth\t4 euros\n\tin ner\n\nafter")
    assert [
        (part.name, extracted.text[part.start : part.end]) for part in extracted.origin.parts
    ] == [
        ("paragraph 1", "before"),
        ("table 1, row 1", "Berth\tFee a day"),
        ("table 1, row 2", "North\t4 euros"),
        ("table 1, row 3", "\tin ner"),
        ("paragraph 2", "after"),
    ]


def test_notes_follow_and_what_is_left_out_is_said():
    footnotes = word_xml(
        "<w:footnote w:type='separator'>" + paragraph("-----") + "</w:footnote>"
        "<w:footnote>" + paragraph("See the chart.") + "</w:footnote>",
        "footnotes",
    )
    extracted = extract_docx(
        docx(paragraph("Body"), footnotes=footnotes, header1=word_xml("", "hdr"), comments="<c/>")
    )
    assert extracted.text == "Body\n\nSee the chart."
    assert extracted.origin.parts[1].name == "footnote 1"
    assert extracted.notes[1:] == ("left out: headers, comments",)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"xl/workbook.bin": ""}, "binary: an Excel workbook; save its sheets as CSV"),
        ({"content.xml": ""}, "binary: an OpenDocument file; save it as .docx"),
        ({"a.txt": "text"}, "binary: a zip archive; unpack it"),
        ({}, "binary: a zip archive; unpack it"),
        ({"word/document.xml": word_xml("<w:p/>")}, "a Word document without text"),
        ({"word/document.xml": "<w:p"}, "a damaged Word document: "),
        ({"word/document.xml": ""}, "a damaged Word document: no element found"),
        (
            {"word/document.xml": "<!DOCTYPE d [<!ENTITY a 'aaaa'>]>" + word_xml("")[38:]},
            "a Word document with a document type declaration; save it anew",
        ),
    ],
)
def test_other_archives_are_refused_by_name(files, reason):
    with pytest.raises(DecodeError) as error:
        extract_docx(archive(files))
    assert str(error.value).startswith(reason)
    assert "\n" not in str(error.value)


def test_a_document_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch):
    bomb = archive({"word/document.xml": word_xml(paragraph("0" * 20_000_000))})
    assert len(bomb) < 100_000
    small = docx(paragraph("x" * 1000))
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(DecodeError, match=r"^word/document.xml unpacks to 20,000,\d+ bytes from "):
        extract_docx(bomb)
    monkeypatch.setattr(packed, "MAX_BYTES", 1000)
    with pytest.raises(DecodeError, match=r"more than is read$"):
        extract_docx(small)


def test_a_declared_size_that_lies_gives_no_more():
    data = docx(paragraph("y" * 5_000_000))
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        size = made.getinfo("word/document.xml").file_size
    lying = data.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    with pytest.raises(DecodeError, match=r"^a damaged "):
        extract_docx(lying)


def test_large_documents_grow_linearly_and_stop_when_asked():
    body = "".join(paragraph(f"Paragraph number {number} of the log.") for number in range(20_000))
    extracted = extract_docx(docx(body))
    assert len(extracted.origin.parts) == 20_000
    assert extracted.text.endswith("Paragraph number 19999 of the log.")
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        extract_docx(docx(body), cancel=token)


def test_deep_nesting_needs_no_recursion():
    depth = 50_000
    body = "<w:x>" * depth + paragraph("deep") + "</w:x>" * depth
    assert text_of(body) == "deep"


def test_truncated_encrypted_and_mislabelled_files_are_skipped_by_name(tmp_path):
    whole = docx(paragraph("text"))
    files = {
        "a.docx": whole,
        "cut.docx": whole[:-30],
        "empty.docx": b"",
        "named.docx": b"plain text",
        "old.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "other_name.bin": whole,
        "sheet.xlsb": archive({"xl/workbook.bin": ""}),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    corpus = load_corpus([tmp_path])
    assert [(one.id, one.text, one.encoding) for one in corpus.documents] == [
        ("a.docx", "text", "docx"),
        ("other_name.bin", "text", "docx"),
    ]
    assert {one.path: one.reason for one in corpus.skipped} == {
        "cut.docx": "a damaged or truncated zip archive or Word document: File is not a zip file",
        "empty.docx": "named .docx but empty",
        "named.docx": "named .docx but no Word document inside; rename it if it is text",
        "old.docx": "binary: an old or encrypted office document; "
        "save it as .docx without a password",
        "sheet.xlsb": "binary: an Excel workbook; save its sheets as CSV",
    }


WHOLE = docx(paragraph("The lamp is lit.") + paragraph("Second."))


@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 20), st.binary(max_size=8)),
        min_size=1,
        max_size=6,
    )
)
def test_any_damage_is_read_or_refused_by_name(edits):
    data = bytearray(WHOLE)
    for place, dropped, added in edits:
        data[place : place + dropped] = added
    try:
        extracted = extract_docx(bytes(data))
    except DecodeError:
        return
    assert extracted.text == "The lamp is lit.\n\nSecond."


def styled(text, style="", level=""):
    """A paragraph of a style, with an outline level of its own."""
    settings = f'<w:pStyle w:val="{style}"/>' if style else ""
    settings += f'<w:outlineLvl w:val="{level}"/>' if level else ""
    return f"<w:p><w:pPr>{settings}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


STYLES = word_xml(
    '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:styleId="Deep"><w:name w:val="Deep"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>'
    '</w:style><w:style w:styleId="Body"><w:name w:val="Body"/><w:basedOn w:val="Own"/>'
    '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>',
    "styles",
)


def test_headings_are_known_by_their_styles_whatever_their_language(tmp_path):
    body = [
        styled("The  port", "Titel"), styled("Fees", "berschrift1"), paragraph("Four euros."),
        styled("By day", "Deep"), styled("No heading", "Body"), styled("Berths", "Own"),
        styled("Set by hand", level="1"), styled("", "berschrift1"), styled("plain", "Loop"),
        styled("unset", "berschrift1", "9"), styled("odd", "nowhere", "x"),
    ]  # fmt: skip
    (tmp_path / "a.docx").write_bytes(docx("".join(body), styles=STYLES))
    document = load_corpus([tmp_path]).documents[0]
    found = headings(document.text, document_id=document.id, origin=document.origin)
    assert [(one.level, one.title) for one in found] == [
        (1, "The port"), (1, "Fees"), (3, "By day"), (1, "Berths"), (2, "Set by hand"),
    ]  # fmt: skip
    assert [document.text[one.span.start : one.span.end] for one in found][:2] == [
        "The  port", "Fees",
    ]  # fmt: skip
    assert heading_paths(found)[2] == ("Fees", "By day")


def test_rows_are_counted_with_those_that_are_blank():
    rows = [paragraph("a"), "<w:p/>", paragraph("c")]
    table = "".join(f"<w:tr><w:tc>{row}</w:tc></w:tr>" for row in rows)
    extracted = extract_docx(docx(f"<w:tbl>{table}</w:tbl>"))
    assert (extracted.text, [part.name for part in extracted.origin.parts]) == (
        "a\nc", ["table 1, row 1", "table 1, row 3"],
    )  # fmt: skip


def test_a_heading_in_a_table_or_a_note_is_none():
    cell = styled("cell", "berschrift1")
    table = f"<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"
    notes = word_xml(f"<w:footnote>{styled('note', 'berschrift1')}</w:footnote>", "footnotes")
    extracted = extract_docx(docx(table, styles=STYLES, footnotes=notes))
    assert (extracted.text, extracted.origin.headings) == ("cell\n\nnote", ())


@pytest.mark.parametrize("styles", ["<w:styles", "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "\0"])
def test_damaged_styles_are_a_damaged_document(styles):
    with pytest.raises(DecodeError, match=r"^a (damaged )?Word document"):
        extract_docx(docx(paragraph("x"), styles=styles))
