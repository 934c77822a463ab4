"""What passes through a command some documents at a time is printed as if it were held."""

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import closing, redirect_stdout
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from chunkscope.cli import longtable
from chunkscope.cli.chunks import chunk_objects
from chunkscope.cli.longtable import LongTable
from chunkscope.cli.main import main
from chunkscope.cli.output import add_row, console, table
from chunkscope.evaluation import batches
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.loading import blocks, recordfile
from chunkscope.text.loading.load import load_corpus

SETTINGS = SplitterSettings(size=30, overlap=5, unit="characters", dedupe=True)
FLAGS = ("--size", "30", "--overlap", "5", "--unit", "characters", "--dedupe")


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.md").write_bytes(
            f"# Tug {number}\n\nIt leaves at dawn [b].\n\n{'lamp ' * number}\n\nThe end.".encode()
        )
    (folder / "old.txt").write_bytes("Öl und Käse".encode("cp1252"))
    return folder


@pytest.fixture
def small_parts(monkeypatch):
    """One document at a time."""
    whole = batches.chunk_batches
    monkeypatch.setattr(
        "chunkscope.cli.passing.chunk_batches", lambda *args: whole(*args, characters=1)
    )


@pytest.mark.usefixtures("small_parts")
def test_json_and_lines_are_those_of_the_whole(docs, capsys):
    chunks = CorpusIndex(load_corpus([docs])).chunk_set(SETTINGS, EnrichSettings())
    objects = list(chunk_objects(chunks))
    assert main(["chunks", str(docs), *FLAGS, "--format", "json"]) == 0
    assert capsys.readouterr().out == json.dumps(objects, indent=2) + "\n"
    assert main(["chunks", str(docs), *FLAGS, "--format", "jsonl"]) == 0
    assert capsys.readouterr().out == "".join(json.dumps(one) + "\n" for one in objects)


@pytest.mark.parametrize("command", [["chunks"], ["health"], ["health", "--format", "json"]])
def test_parts_are_printed_as_one(docs, capsys, monkeypatch, command):
    assert main([*command, str(docs), *FLAGS]) == 0
    whole = capsys.readouterr()
    made = batches.chunk_batches
    monkeypatch.setattr(
        "chunkscope.cli.passing.chunk_batches", lambda *args: made(*args, characters=1)
    )
    assert main([*command, str(docs), *FLAGS]) == 0
    parts = capsys.readouterr()
    assert parts.out == whole.out
    assert parts.err == whole.err
    assert "old.txt: read as latin-1" in parts.err


@pytest.mark.parametrize(
    "command", [["chunks", "--format", "jsonl"], ["chunks"], ["health", "--format", "json"]]
)
def test_records_read_line_by_line_are_printed_as_those_of_the_file(
    docs, capsys, monkeypatch, command
):
    lines = [
        json.dumps(
            {"_id": f"{number * 7 % 40:02}", "text": f"# Tug {number}\n\nIt leaves.\r\n" * 3}
        )
        for number in range(40)
    ]
    lines[5:7] = ["{torn", '{"_id": "01", "text": "again"}', '{"title": "none"}', " ", "[7]"]
    (docs / "corpus.jsonl").write_bytes("\ufeff".encode() + "\r\n".join(lines).encode())
    flags = [str(docs), *FLAGS, "--records", "text", "--newline", "lf", "--list-skipped"]
    assert main([*command, *flags]) == 0
    whole = capsys.readouterr()
    monkeypatch.setattr(recordfile, "LARGE", 0)
    monkeypatch.setattr(blocks, "BLOCK", 64)
    assert main([*command, *flags]) == 0
    assert capsys.readouterr() == whole
    assert [line for line in whole.err.split("\n") if line.startswith("skipped")] == [
        "skipped corpus.jsonl:10: not a JSON object",
        "skipped corpus.jsonl:27: its id '01' is that of another document",
        "skipped corpus.jsonl:6: not JSON",
        "skipped corpus.jsonl:8: has no field 'text'",
    ]
    assert (
        "00: text of a JSON Lines record: offsets refer to this text; "
        "line ends mixed made lf: offsets refer to the converted text"
    ) in whole.err.split("\n")


@pytest.mark.parametrize("width", [24, 40, 61, 80, 160, 300])
@pytest.mark.parametrize("rows", [0, 1, 2, 499, 500, 501, 1203])
def test_a_long_table_is_the_table(capsys, monkeypatch, width, rows):
    monkeypatch.setenv("COLUMNS", str(width))
    columns = [("doc", "left"), ("chunk", "right"), ("tokens", "right"), ("place", "left"),
               ("text", "fill")]  # fmt: skip
    cells = [
        [f"guide/{'x' * (number % 37)}.md", str(number), str(number**3),
         f"page {number}", "北 the\ttug leaves " * (number % 7)]
        for number in range(rows)
    ]  # fmt: skip
    made = table("a title of some length", columns)
    for row in cells:
        add_row(made, row)
    console().print(made)
    wanted = capsys.readouterr().out
    long = LongTable(columns)
    for row in cells:
        long.add(row)
    assert long.print("a title of some length")
    assert capsys.readouterr().out == wanted
    long.close()


CELLS = st.one_of(
    st.text(max_size=30),
    st.text("ab 北👩\u200d\u0301\t\n[", max_size=60),
    st.sampled_from(["", " ", "x" * 90, "lamp oil " * 9, "a  "]),
)
NUMBERS = st.one_of(st.integers(0, 10**9).map(str), st.sampled_from(["", "0.68 (0.65–0.70)", "7 "]))


@given(
    st.lists(st.tuples(CELLS, NUMBERS, CELLS, NUMBERS, CELLS), max_size=9),
    st.integers(20, 130),
    st.sampled_from([("left", "right", "left", "right", "fill"),
                     ("left", "right", "left", "right", "left"),
                     ("left", "right", "wrap", "right", "fill"),
                     ("fill", "right", "left", "right", "fill")]),
    st.booleans(),
)  # fmt: skip
def test_rows_of_any_cells_are_those_of_the_table(rows, width, kinds, colours):
    columns = [(f"column {number}", kind) for number, kind in enumerate(kinds)]
    made = table("a title", columns)
    for row in rows:
        add_row(made, row)
    whole, blocks = io.StringIO(), io.StringIO()
    environment = {"COLUMNS": str(width), **({"FORCE_COLOR": "1"} if colours else {})}
    with patch.dict(os.environ, environment), patch.object(longtable, "_ROWS", 2):
        with redirect_stdout(whole):
            console().print(made)
        with redirect_stdout(blocks), closing(LongTable(columns)) as long:
            for row in rows:
                long.add(row)
            assert long.print("a title")
    assert blocks.getvalue() == whole.getvalue()


def test_a_column_is_left_out_of_a_long_table(capsys):
    long = LongTable([("doc", "left"), ("place", "left"), ("text", "fill")])
    long.add(["a.md", "", "lamp"])
    assert long.print("", without=("place",))
    long.close()
    made = table("", [("doc", "left"), ("text", "fill")])
    add_row(made, ["a.md", "lamp"])
    sheet = io.StringIO()
    Console(file=sheet, width=160, highlight=False, markup=False, emoji=False).print(made)
    assert capsys.readouterr().out == sheet.getvalue()


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_ctrl_c_keeps_what_was_cut(docs, capsys, monkeypatch, form):
    made = batches.chunk_batches

    def interrupted(*args):
        for number, part in enumerate(made(*args, characters=1)):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield part

    monkeypatch.setattr("chunkscope.cli.passing.chunk_batches", interrupted)
    assert main(["chunks", str(docs), *FLAGS, "--format", form]) == 130
    found = capsys.readouterr()
    assert found.err.splitlines()[-1] == (
        "stopped: the chunks of the first 3 documents are written"
    )
    if form == "table":
        assert "02.md" in found.out
        assert "03.md" not in found.out
    else:
        objects = json.loads(found.out) if form == "json" else [
            json.loads(line) for line in found.out.splitlines()
        ]  # fmt: skip
        assert {one["doc"] for one in objects} == {"00.md", "01.md", "02.md"}


def test_ctrl_c_keeps_what_was_checked(docs, capsys, monkeypatch):
    made = batches.chunk_batches

    def interrupted(*args):
        for number, part in enumerate(made(*args, characters=1)):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield part

    monkeypatch.setattr("chunkscope.cli.passing.chunk_batches", interrupted)
    assert main(["health", str(docs), *FLAGS, "--format", "json"]) == 130
    found = capsys.readouterr()
    assert json.loads(found.out)["corpus"]["documents"] == 3
    assert found.err.splitlines()[-1].startswith("stopped: 3 documents were read, ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_a_reader_that_leaves_ends_it_quietly(docs, form):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "chunkscope", "chunks", str(docs), "--format", form],
        stdout=writer, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"rror" not in done.stderr
