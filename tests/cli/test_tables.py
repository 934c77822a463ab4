"""Tables at the widths of real terminals: what is a number is whole, what is text is all there."""

import io

import pytest
from rich.console import Console

from chunkscope.cli.output import add_row, table

_COLUMNS = [
    ("", "left"), ("configuration", "wrap"), ("chunks", "right"), ("recall", "right"),
    ("95 %", "right"), ("luck", "right"), ("at budget", "right"), ("context", "right"),
    ("index", "right"), ("said", "wrap"),
]  # fmt: skip
_ROWS = [
    ["▸", "recursive 256/25 cl100k_base tokens", "12210", "0.653", "0.56–0.74",
     "0.68 (0.65–0.70)", "0.607", "1075", "1.02", "boundaries cut; best recall"],
    ["", "sentence 128/0 cl100k_base tokens", "464", "0.444", "0.35–0.54",
     "", "0.464", "482", "0.99", "worse than the best beyond noise"],
]  # fmt: skip


def _drawn(width, columns=_COLUMNS, rows=_ROWS, title="a title"):
    made = table(title, columns)
    for row in rows:
        add_row(made, row)
    stream = io.StringIO()
    Console(file=stream, width=width, highlight=False, markup=False).print(made)
    return [line.rstrip() for line in stream.getvalue().split("\n")]


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160])
def test_no_number_is_cut_and_no_text_is_lost(width):
    lines = _drawn(width)

    words = " ".join(lines).split()
    for heading, _kind in _COLUMNS:
        assert all(word in words for word in heading.split())
    for row in _ROWS:
        for cell in row:
            assert all(word in words for word in cell.split())
    assert "…" not in "".join(lines)
    assert max(map(len, lines)) <= width


def test_at_80_columns_a_row_is_its_texts_and_below_them_its_numbers():
    assert _drawn(80)[-7:-1] == [
        "─" * 80,
        "recursive 256/25 cl100k_base tokens  boundaries cut; best recall",
        "▸  12210  0.653 0.56–0.74 0.68 (0.65–0.70)     0.607    1075  1.02",
        "sentence 128/0 cl100k_base tokens  worse than the best beyond noise",
        "     464  0.444 0.35–0.54                      0.464     482  0.99",
        "",
    ]


def test_a_wide_terminal_has_one_line_a_row():
    lines = _drawn(200)

    first = next(line for line in lines if "256/25" in line)
    assert first.split() == " ".join(_ROWS[0]).split()


def test_a_long_name_is_folded_and_not_cut():
    columns = [("doc", "left"), ("start", "right"), ("end", "right"), ("text", "fill")]
    rows = [["guides/" + "operator-" * 5 + ".md", "123456", "1234567", "so it begins " * 4]]

    lines = _drawn(50, columns, rows, "")

    start = lines[0].index("start") - 1
    assert "".join(line[:start].split()[0] for line in lines[2:] if line.strip()) == rows[0][0]
    assert lines[2].split()[1:3] == ["123456", "1234567"]
