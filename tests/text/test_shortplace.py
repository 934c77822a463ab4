import pytest

from chunkscope.text.cells import column_letters
from chunkscope.text.document import Document
from chunkscope.text.origin import Origin, Part, joined
from chunkscope.text.shortplace import short_name, short_range


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("page 3", "p. 3"),
        ("page iv", "p. iv"),
        ("slide 2", "slide 2"),
        ("sheet 'Fees'", "Fees"),
        ("sheet 'Fees', row 4", "Fees!4"),
        ("sheet 'Fees', row 4, column AB", "Fees!AB4"),
        ("sheet 'My fees', row 4", "'My fees'!4"),
        ('sheet "it\'s", row 4', '"it\'s"!4'),
        ("sheet Fees", "sheet Fees"),
        ("section 'One'", "§ One"),
        ("row 5, column 'Fee, a day'", "row 5, Fee, a day"),
        ("row 5, column 2", "row 5, column 2"),
        ("paragraph 7", "par. 7"),
        ("table 2, row 4", "table 2, row 4"),
        ("cell 2 (code)", "cell 2"),
        ("more.note", "more.note"),
        ("sheet 'Winter berths 2024', row 4, column B", "'Winter bert…'!B4"),
        ("sheet 'Winter_berths', row 4", "Winter_bert…!4"),
        ("section 'The northern mole'", "§ The norther…"),
        ("row 5, column 'Fee of a night'", "row 5, Fee of a ni…"),
    ],
)
def test_a_part_in_few_letters(name, short):
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("first", "last", "short"),
    [
        ("page 3", "page 5", "p. 3–5"),
        ("page iv", "page 2", "p. iv – p. 2"),
        ("slide 1", "slide 12", "slide 1–12"),
        ("cell 1 (markdown)", "cell 2 (code)", "cell 1–2"),
        ("paragraph 7", "table 1, row 2", "par. 7 – table 1, row 2"),
        ("table 1, row 2", "table 1, row 9", "table 1, row 2–9"),
        ("sheet 'Fees', row 4", "sheet 'Fees', row 9", "Fees!4:9"),
        ("sheet 'Fees'", "sheet 'Fees', row 9", "Fees to row 9"),
        ("sheet 'Fees', row 4", "sheet 'Tides', row 2", "Fees!4 – Tides!2"),
        ("section 'One'", "section 'Two'", "§ One – § Two"),
    ],
)
def test_two_parts_in_few_letters(first, last, short):
    assert short_range(first, last) == short


def test_columns_are_named_as_a_workbook_names_them():
    numbers = (0, 1, 25, 26, 27, 51, 52, 701, 702, 703)
    assert [column_letters(number) for number in numbers] == [
        "A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA", "AAB",
    ]  # fmt: skip


def test_the_short_place_of_a_span_in_pages():
    text, parts = joined([("page 1", "one"), ("page 2", "four")], "\n\f")
    document = Document("a.pdf", text, origin=Origin("PDF", parts))
    spans = ((0, 3), (2, 6), (5, 9))
    assert [document.short_place(*span) for span in spans] == ["p. 1", "p. 1–2", "p. 2"]
    late = Origin("PDF", (Part("page 1", 2, 4),))
    assert [late.short_place(0, 2), late.short_place(0, 3)] == ["", "p. 1"]


def test_the_cell_of_a_span_in_a_workbook():
    text, parts = joined(
        [("sheet 'Fees'", "Fees"), ("sheet 'Fees', row 3", "Berth\tFee"),
         ("sheet 'Fees', row 4", "North\t\t4")], "\n"
    )  # fmt: skip
    document = Document("a.xlsx", text, origin=Origin("XLSX", parts))

    def both(part, more=0):
        start = text.index(part)
        span = (start, start + len(part) + more)
        return document.place(*span), document.short_place(*span)

    assert both("Berth") == ("sheet 'Fees', row 3, column A", "Fees!A3")
    assert both("4") == ("sheet 'Fees', row 4, column C", "Fees!C4")
    assert both("Berth\tFee") == ("sheet 'Fees', row 3", "Fees!3")
    # What parts two rows is in no cell.
    assert both("Fee\n") == ("sheet 'Fees', row 3", "Fees!3")
    assert both("Berth\tFee", 4) == ("sheet 'Fees', row 3 to row 4", "Fees!3:4")
    whole = (0, len(text))
    assert (document.place(*whole), document.short_place(*whole)) == (
        "sheet 'Fees' to sheet 'Fees', row 4", "Fees to row 4",
    )  # fmt: skip
    word = Document("a.docx", text, origin=Origin("DOCX", parts))
    assert word.place(5, 6) == "sheet 'Fees', row 3"


def test_the_short_place_of_rows_and_sources():
    text = "Name,Fee\nNorth,4\nSouth,5"
    rows = Document("a.csv", text)
    assert rows.short_place(text.index("4"), text.index("4") + 1) == "row 2, Fee"
    assert rows.short_place(text.index("North"), len(text)) == "row 2–3"
    assert Document("a.txt", text).short_place(0, 4) == ""
    page = Document("a.html", "text of it", origin=Origin("HTML", pieces=((2, 10), (5, 40))))
    assert (page.short_place(2, 6), page.short_place(0, 4)) == ("source 10", "")
