import csv
import io

import pytest
from format_files import docx, paragraph
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.text.cells import Cells
from chunkscope.text.document import Document
from chunkscope.text.loading.docx import extract_docx
from chunkscope.text.origin import Origin, Part
from chunkscope.text.tables import header_above, tables

BERTHS = '\ufeffName,"Fee, a day",Note\r\nNorth,4,"two\r\nlines, ""quoted"""\r\n\r\nSouth,,x\r\n'


def shown(text, document_id="a.csv"):
    cells = Cells(text, document_id=document_id)
    return [[text[one.start : one.end] for one in cells.cells(row)] for row in range(cells.rows)]


def test_rows_and_cells_stand_where_they_say():
    assert shown(BERTHS) == [
        ["Name", '"Fee, a day"', "Note"],
        ["North", "4", '"two\r\nlines, ""quoted"""'],
        [""],
        ["South", "", "x"],
    ]


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ("North", "row 2, column 'Name'"),
        ("4", "row 2, column 'Fee, a day'"),
        ("lines", "row 2, column 'Note'"),
        ("North,4", "row 2"),
        ("Fee", "row 1, column 2"),
        ("South,,x\r\n", "row 4"),
        ('North,4,"two\r\nlines, ""quoted"""\r\n\r\nSouth', "row 2 to row 4"),
    ],
)
def test_the_place_of_a_span(part, place):
    start = BERTHS.index(part)
    assert Document("a/B.CSV", BERTHS).place(start, start + len(part)) == place


def test_only_a_file_of_its_own_text_has_rows():
    assert Document("a.txt", BERTHS).place(1, 5) == ""
    assert Document("a.csv", "a,b", origin=Origin("JSON Lines")).place(0, 1) == ""
    assert Document("a.csv", "").place(0, 0) == "row 1, column 1"


@pytest.mark.parametrize(
    ("text", "document_id", "rows"),
    [
        ("a;b\n1,5;2", "a.csv", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2", "a.csv", [["a", "b"], ["1", "2"]]),
        ("a|b", "a.csv", [["a", "b"]]),
        ('"a;b",c\n1,2', "a.csv", [['"a;b"', "c"], ["1", "2"]]),
        ("a,b\tc", "a.tsv", [["a,b", "c"]]),
        ('a,"never\nclosed,b', "a.csv", [["a", '"never'], ["closed", "b"]]),
        ('a"b"c,d', "a.csv", [['a"b"c', "d"]]),
        ("a\rb\r", "a.tab", [["a"], ["b"]]),
        ("", "a.csv", [[""]]),
        ("\n", "a.csv", [[""]]),
    ],
)
def test_delimiters_and_quotes(text, document_id, rows):
    assert shown(text, document_id) == rows


def test_a_long_row_has_no_cells_but_its_number():
    text = "a,b\n" + "x" * 100_001 + "\n1,2"
    cells = Cells(text, document_id="a.csv")
    assert cells.place(10, 20) == "row 2"
    assert cells.place(len(text) - 1, len(text)) == "row 3, column 'b'"


ROWS = st.lists(
    st.lists(st.text(alphabet='a," \n', max_size=6), min_size=2, max_size=4),
    min_size=1,
    max_size=6,
)


@given(ROWS, st.sampled_from(["\n", "\r\n"]))
@example([["a", 'b"']], "\n")
def test_what_the_csv_module_writes_is_told_apart_as_it_reads_it(rows, line_end):
    out = io.StringIO()
    csv.writer(out, lineterminator=line_end).writerows([["x", "y"], *rows])
    text = out.getvalue()
    read = list(csv.reader(io.StringIO(text, newline="")))

    def plain(cell):
        return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell

    assert [[plain(cell) for cell in row] for row in shown(text)] == read


def test_the_header_row_may_hold_line_ends():
    text = '"Fee\na day",Note\n4,x\n'
    (found,) = tables(text, document_id="a.csv")
    assert (found.header, found.body) == ('"Fee\na day",Note', 17)
    assert header_above([found], text.index("4")) == '"Fee\na day",Note'


def heads(text, document_id, origin):
    return [
        (one.header, text[one.start : one.body], text[one.body : one.end])
        for one in tables(text, document_id=document_id, origin=origin)
    ]


def test_tables_of_extracted_texts_are_their_rows():
    body = "<w:tbl>" + "".join(
        f"<w:tr><w:tc>{paragraph(a)}</w:tc><w:tc>{paragraph(b)}</w:tc></w:tr>"
        for a, b in (("Berth", "Fee"), ("North", "4"), ("South", "5"))
    )
    alone = f"<w:tbl><w:tr><w:tc>{paragraph('alone')}</w:tc></w:tr></w:tbl>"
    made = extract_docx(docx(paragraph("Fees") + body + "</w:tbl>" + paragraph("x") + alone))
    assert heads(made.text, "a.docx", made.origin) == [
        ("Berth\tFee", "Berth\tFee\n", "North\t4\nSouth\t5"),
        ("alone", "alone", ""),
    ]
    found = tables(made.text, document_id="a.docx", origin=made.origin)
    assert header_above(found, made.text.index("South")) == "Berth\tFee"
    assert header_above(found, made.text.index("x")) == ""


def test_tables_of_other_extracted_texts():
    slides = "# Fees\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    assert heads(slides, "a.pptx", Origin("PPTX")) == [
        ("| a | b |", "| a | b |\n", "| --- | --- |\n| 1 | 2 |"),
    ]  # fmt: skip
    assert heads("<table><tr><td>x</td></tr></table>", "a.html", Origin("HTML")) == []
    rows = (Part("sheet 'A, row 1'", 0, 3), Part("sheet 'A, row 1', row 1", 4, 9),
            Part("sheet 'A, row 1', row 2", 10, 15))  # fmt: skip
    assert heads("## A\n| a |\n| b |", "a.xlsx", Origin("XLSX", rows))[0][0] == "\n| a "
