"""`sweep --save FILE`, called off and run again."""

import json

import pytest

from chunkscope.cli import sweepsave
from chunkscope.cli.main import main
from chunkscope.evaluation import sweeptasks

TEXT = "".join(f"Boat number {n} leaves quay {n % 5} at dawn.\n\n" for n in range(40))


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(TEXT.encode())
    questions = [
        {"id": f"q{n}", "question": f"When does boat number {n} leave?", "doc": "a.txt",
         "evidence": [{"text": f"Boat number {n} leaves quay {n % 5} at dawn."}]}
        for n in range(0, 40, 4)
    ]  # fmt: skip
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions))
    return tmp_path


def sweep(*flags):
    return main(
        ["sweep", "a.txt", "--golden", "golden.jsonl", "--sizes", "10,20,40", "--overlaps", "0,25%",
         "--format", "json", *flags]
    )  # fmt: skip


def test_a_sweep_that_was_ended_keeps_its_rows_and_goes_on(harbour, capsys, monkeypatch):
    assert sweep() == 0
    whole = json.loads(capsys.readouterr().out)

    measured = []
    measure_row = sweeptasks.measure_row

    def ended_at_the_third(index, configuration, *arguments, **options):
        if len(measured) == 2:
            raise KeyboardInterrupt
        measured.append(configuration.splitter.size)
        return measure_row(index, configuration, *arguments, **options)

    monkeypatch.setattr(sweeptasks, "measure_row", ended_at_the_third)
    assert sweep("--save", "s.json") == 130
    kept = json.loads((harbour / "s.json").read_text())
    assert kept["stopped"] is True
    # An overlap finds no room in chunks as short as these: two rows share a chunk set.
    assert measured == [10, 20]
    assert [row["config"]["splitter"]["size"] for row in kept["rows"]] == [10, 10, 20, 20]
    capsys.readouterr()

    monkeypatch.setattr(sweeptasks, "measure_row", measure_row)
    assert sweep("--save", "s.json") == 0
    said = capsys.readouterr()
    assert "s.json: 4 rows measured before" in said.err
    assert json.loads(said.out) == whole
    saved = json.loads((harbour / "s.json").read_text())
    for row in saved["rows"]:
        assert set(row.pop("resume")) >= {"recall", "budget", "chunk_set", "seed"}
    assert saved == whole


def test_rows_are_written_as_they_come(harbour, monkeypatch):
    monkeypatch.setattr(sweepsave, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(sweepsave, "_PAUSE_WRITES", 0)
    seen = []
    update = sweepsave.update_file

    def watched(path, change):
        replaced = update(path, change)
        seen.append(json.loads(path.read_bytes()))
        return replaced

    monkeypatch.setattr(sweepsave, "update_file", watched)
    assert sweep("--save", "s.json") == 0
    rows = [len(report["rows"]) for report in seen]
    assert rows[:6] == [1, 2, 3, 4, 5, 6]
    assert set(rows[6:]) == {6}
    assert [report["stopped"] for report in seen] == [True] * (len(seen) - 1) + [False]
    # The boundary phases too: more of them in every write.
    tried = [sum(len(row["resume"]["phases"]) for row in report["rows"]) for report in seen[5:-1]]
    assert tried == list(range(len(tried)))
    assert len(tried) > 8


def test_a_file_of_another_corpus_is_exit_3(harbour, capsys):
    assert sweep("--save", "s.json") == 0
    before = (harbour / "s.json").read_bytes()
    (harbour / "a.txt").write_bytes(f"{TEXT}More.".encode())
    capsys.readouterr()
    assert sweep("--save", "s.json") == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "chunkscope: --save s.json: holds a sweep of another corpus; name another file"
    ]
    assert (harbour / "s.json").read_bytes() == before


def test_a_file_that_is_no_sweep_is_left_alone(harbour, capsys):
    (harbour / "notes.txt").write_text("dear diary")
    assert sweep("--save", "notes.txt") == 2
    assert "notes.txt: is there and is no saved sweep" in capsys.readouterr().err
    assert (harbour / "notes.txt").read_text() == "dear diary"


def test_an_empty_file_is_filled(harbour):
    (harbour / "s.json").write_bytes(b"")
    assert sweep("--save", "s.json") == 0
    assert len(json.loads((harbour / "s.json").read_text())["rows"]) == 6


def of_sizes(sizes, *flags):
    return main(
        ["sweep", "a.txt", "--golden", "golden.jsonl", "--sizes", sizes, "--overlaps", "0", *flags]
    )


def test_rows_that_a_sweep_does_not_ask_for_stay_in_the_file(harbour, capsys, monkeypatch):
    assert of_sizes("10,20", "--save", "s.json") == 0
    assert of_sizes("40", "--save", "s.json") == 0
    saved = json.loads((harbour / "s.json").read_text())
    assert [row["config"]["splitter"]["size"] for row in saved["rows"]] == [40]
    assert [row["config"]["splitter"]["size"] for row in saved["other_rows"]] == [10, 20]

    measured = []
    monkeypatch.setattr(sweeptasks, "measure_row", lambda *given, **named: measured.append(given))
    capsys.readouterr()
    assert of_sizes("10,20,40", "--save", "s.json") == 0
    assert "s.json: 3 rows measured before" in capsys.readouterr().err
    assert measured == []
    saved = json.loads((harbour / "s.json").read_text())
    assert [row["config"]["splitter"]["size"] for row in saved["rows"]] == [10, 20, 40]
    assert "other_rows" not in saved


def test_rows_of_another_sweep_at_work_on_the_file_stay(harbour, monkeypatch):
    measure_row = sweeptasks.measure_row

    def while_another_ends(*given, **named):
        monkeypatch.setattr(sweeptasks, "measure_row", measure_row)
        assert of_sizes("10", "--save", "s.json") == 0
        return measure_row(*given, **named)

    monkeypatch.setattr(sweeptasks, "measure_row", while_another_ends)
    assert of_sizes("20", "--save", "s.json") == 0
    saved = json.loads((harbour / "s.json").read_text())
    assert [row["config"]["splitter"]["size"] for row in saved["rows"]] == [20]
    assert [row["config"]["splitter"]["size"] for row in saved["other_rows"]] == [10]


def test_rows_not_yet_reached_stay_when_a_resumed_sweep_is_ended(harbour, monkeypatch):
    assert of_sizes("20,40", "--save", "s.json") == 0

    def ended(*_given, **_named):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(sweeptasks, "measure_row", ended)
    with pytest.raises(RuntimeError, match="out of memory"):
        of_sizes("10,20,40", "--save", "s.json")
    saved = json.loads((harbour / "s.json").read_text())
    rows = [*saved["rows"], *saved.get("other_rows", [])]
    assert sorted(row["config"]["splitter"]["size"] for row in rows) == [20, 40]
