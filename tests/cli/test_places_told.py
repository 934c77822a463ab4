"""Pages, rows, cells and the like: every command that names a span says where it stands."""

import json

import pytest
from format_files import pdf, xlsx

from chunkscope.cli.main import main

ROWS = "Berth,Fee\n" + "".join(f"Berth {name},{40 + name} euros\n" for name in range(1, 9))
LINES = ("--splitter", "character", "--separators", '["\\n"]', "--size", "6", "--unit", "words",
         "--overlap", "0", "--k", "1")  # fmt: skip
QUESTIONS = [
    ("row", "Berth cost of a large yacht", "fees.csv", ["46 euros"]),
    ("page", "Who opens the lock gate?", "lock.pdf", ["The keeper opens\nthe lock gate"]),
    ("cell", "When is high water?", "tides.xlsx", ["High water at nine", "Low water"]),
    ("text", "What does the fog horn do?", "fog.txt", ["never sounds at noon, not even on Monday"]),
    ("lost", "Who is the moon?", "fog.txt", ["Nobody is the moon at all"]),
]


@pytest.fixture
def port(tmp_path, monkeypatch):
    docs = tmp_path / "docs"
    docs.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (docs / "fees.csv").write_bytes(ROWS.encode())
    (docs / "lock.pdf").write_bytes(pdf("Locks", "The keeper opens\nthe lock gate at dawn"))
    rows = [["Day", "What"], ["Monday", "High water at nine"], ["Tuesday", "Low water"]]
    (docs / "tides.xlsx").write_bytes(xlsx(Tides=rows))
    (docs / "fog.txt").write_bytes(b"The fog horn never sounds at noon,\nnot even on Monday.\n")
    (tmp_path / "golden.jsonl").write_text(
        "".join(
            json.dumps({"id": name, "question": asked, "doc": doc,
                        "evidence": [{"text": text} for text in texts]}) + "\n"
            for name, asked, doc, texts in QUESTIONS
        )
    )  # fmt: skip
    return tmp_path


def run(command, capsys, *flags):
    assert main([command, "docs", "--golden", "golden.jsonl", *LINES, *flags]) == 0
    return capsys.readouterr().out


def cells(out, *names):
    """The cells of the rows that these words begin, where columns stand wide apart."""
    rows = [line.split("  ") for line in out.splitlines()]
    rows = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    return {row[0]: row for row in rows if row and row[0] in names}


def test_diagnose_says_where_the_evidence_stands(port, capsys):
    out = run("diagnose", capsys, "--no-mends")
    assert "place" in out.split("\n─", 1)[0]
    rows = cells(out, *(name for name, *_ in QUESTIONS))
    placed = {name: row[3] for name, row in rows.items() if name in ("row", "page", "cell")}
    assert placed == {"row": "row 7, Fee", "page": "p. 2", "cell": "Tides!B3"}
    assert rows["text"][3].startswith("cut into 21 and 19 characters by the line end")
    assert rows["lost"][3].startswith("its evidence was not found in the corpus")


def test_diagnose_as_json_gives_the_place_of_each_item_and_chunk(port, capsys):
    report = json.loads(run("diagnose", capsys, "--no-mends", "--format", "json"))
    questions = {one["id"]: one["items"] for one in report["questions"]}
    (row,) = questions["row"]
    assert row["place"] == "row 7, column 'Fee'"
    assert row["proof"]["holder"]["place"] == "row 7 to row 8"
    (page,) = questions["page"]
    assert page["signature"] == "split"
    assert page["place"] == page["proof"]["place"] == "page 2"
    assert [one["place"] for one in questions["cell"]] == ["sheet 'Tides', row 3, column B"]
    for name in ("text", "lost"):
        assert all("place" not in one and "place" not in one["proof"] for one in questions[name])


def test_eval_says_where_the_evidence_stands(port, capsys):
    rows = cells(run("eval", capsys), *(name for name, *_ in QUESTIONS))
    placed = {name: row[5] for name, row in rows.items() if name in ("row", "page", "cell")}
    assert placed == {"row": "row 7, Fee", "page": "p. 2", "cell": "Tides!B2 +1"}
    assert rows["lost"][5] == "its evidence was not found in the corpus"


def test_without_places_no_column_speaks_of_them(port, capsys):
    for name in ("fees.csv", "lock.pdf", "tides.xlsx"):
        (port / "docs" / name).unlink()
    for command in ("eval", "diagnose"):
        assert "place" not in run(command, capsys).split("\n─", 1)[0]


def test_a_page_for_a_browser_says_the_places(port, capsys):
    run("report", capsys, "--out", "out.html", "--sizes", "6", "--show", "page,cell")
    page = (port / "out.html").read_text(encoding="utf-8")
    assert "evidence 1: lock.pdf 7–37 (page 2), cut" in page
    assert "tides.xlsx 22–40 (sheet &#x27;Tides&#x27;, row 2, column B)" in page


def test_a_log_says_the_places_of_what_came_back(port, capsys):
    line = {
        "question": "Who opens the lock gate?",
        "retrieved": ["The keeper opens", "the lock gate at dawn"],
        "expected": "The keeper opens\nthe lock gate",
    }
    (port / "log.jsonl").write_text(json.dumps(line) + "\n")
    assert main(["diagnose", "docs", "--log", "log.jsonl", *LINES, "--format", "json"]) == 0
    (question,) = json.loads(capsys.readouterr().out)["questions"]
    assert [[one["place"] for one in each["places"]] for each in question["retrieved"]] == [
        ["page 2"], ["page 2"],
    ]  # fmt: skip
    assert [one["place"] for one in question["lane"]] == ["page 2", "page 2"]
