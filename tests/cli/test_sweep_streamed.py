"""`sweep` over a corpus that is too large to be held says what it says of one that is not."""

import json
import signal
import tempfile

import pytest

from chunkscope.cli import sweepcorpus, sweepround
from chunkscope.cli.main import main
from chunkscope.evaluation import streamed
from chunkscope.text.temporary import NoRoomError, Spill

TEXT = "".join(f"Boat number {{n}}{n} leaves quay {n % 5} at dawn.\n\n" for n in range(12))


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(6):
        (docs / f"{number}.md").write_bytes(TEXT.replace("{n}", str(number)).encode("utf-16"))
    (docs / "records.jsonl").write_text('{"_id": "7.md", "text": "Boat 71 stays."}\nbroken\n')
    (docs / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    for name in ("golden", "second"):
        questions = [
            {"id": f"q{n}", "question": f"When does boat number {n}{n} leave?", "doc": f"{n}.md",
             "evidence": [{"text": f"Boat number {n}{n} leaves quay {n % 5} at dawn."}]}
            for n in range(6 if name == "golden" else 3)
        ]  # fmt: skip
        place = docs if name == "golden" else tmp_path
        (place / f"{name}.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions))
    monkeypatch.setattr(streamed, "PART", 300)
    return tmp_path


@pytest.fixture
def passes(monkeypatch):
    """What was made in each pass through the corpus, part by part of it."""
    made = []
    make = streamed.StreamedIndex._make

    def counted(index, sets, *others):
        made.append(list(sets))
        return make(index, sets, *others)

    monkeypatch.setattr(streamed.StreamedIndex, "_make", counted)
    return made


def sweep(*flags):
    return main(
        ["sweep", "docs", "--golden", "docs/golden.jsonl", "--sizes", "10,20,40", "--overlaps",
         "0", "--format", "json", "--validate", "second.jsonl", *flags]
    )  # fmt: skip


@pytest.mark.parametrize(
    "flags", [(), ("--luck",), ("--sample", "4", "--seed", "3"), ("--k", "2", "--records", "text")]
)
def test_the_same_is_said(harbour, capsys, monkeypatch, passes, flags):
    assert sweep(*flags) == 0
    held = capsys.readouterr()
    assert not passes
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    assert sweep(*flags) == 0
    found = capsys.readouterr()
    assert json.loads(found.out) == json.loads(held.out)
    assert found.err == held.err
    assert "skipped picture.md" in found.err
    assert "read as utf-16" in found.err
    # All rows in one pass, all their phases in another.
    assert len(passes[0]) == 3
    assert len(passes) == 2


def test_what_must_be_held_is_told(harbour, capsys, monkeypatch):
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    assert sweep("--retriever", "tfidf") == 0
    said = capsys.readouterr().err
    assert "the whole corpus is held in memory, for retriever 'tfidf'" in said


def test_a_saved_sweep_goes_on_either_way(harbour, capsys, monkeypatch):
    assert sweep() == 0
    whole = json.loads(capsys.readouterr().out)
    assert sweep("--save", "s.json") == 0
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    monkeypatch.setattr(streamed.StreamedIndex, "_make", None)
    capsys.readouterr()
    assert main(
        ["sweep", "docs", "--golden", "docs/golden.jsonl", "--sizes", "10,20,40", "--overlaps",
         "0", "--format", "json", "--save", "s.json"]
    ) == 0  # fmt: skip
    taken = json.loads(capsys.readouterr().out)
    assert taken["rows"] == whole["rows"]


def test_ctrl_c_ends_it_between_two_parts(harbour, capsys, monkeypatch):
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    made = []
    make_part = streamed.make_part

    def ended(*arguments):
        made.append(arguments)
        if len(made) == 2:
            signal.raise_signal(signal.SIGINT)
        return make_part(*arguments)

    monkeypatch.setattr(streamed, "make_part", ended)
    monkeypatch.setattr(streamed, "may_fork", lambda: False)
    assert sweep("--save", "s.json") == 130
    said = capsys.readouterr()
    assert "stopped: 0 of 3 rows are done" in said.err
    assert json.loads(said.out)["rows"] == []
    assert len(made) < 9


def full_behind(monkeypatch, room):
    """The folder for temporary files takes so many bytes a file."""
    put = Spill.put

    def limited(spill, data):
        if spill.size + len(data) > room:
            raise NoRoomError("the folder for temporary files is full; name another in TMPDIR")
        return put(spill, data)

    monkeypatch.setattr(Spill, "put", limited)


def test_with_little_room_fewer_sets_are_kept_at_a_time(harbour, capsys, monkeypatch, passes):
    assert sweep("--luck") == 0
    held = capsys.readouterr().out
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    sizes = []
    put = Spill.put

    def noted(spill, data):
        sizes.append(spill.size)
        return put(spill, data)

    with monkeypatch.context() as patch:
        patch.setattr(Spill, "put", noted)
        assert sweep("--luck") == 0
    assert len(passes) == 2
    assert capsys.readouterr().out == held
    passes.clear()
    full_behind(monkeypatch, max(sizes) // 3)
    assert sweep("--luck") == 0
    assert len(passes) > 2
    assert capsys.readouterr().out == held


def test_rows_measured_before_a_fault_are_printed(harbour, capsys, monkeypatch):
    assert sweep() == 0
    whole = json.loads(capsys.readouterr().out)
    monkeypatch.setattr(sweepcorpus, "HELD", 500)

    def refuse(*_arguments):
        raise NoRoomError("the folder for temporary files is full; name another in TMPDIR")

    monkeypatch.setattr(streamed.StreamedIndex, "phase_set", refuse)
    assert sweep("--save", "s.json") == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-3:] == [
        "written: s.json",
        "stopped: 3 of 3 rows are done",
        "chunkscope: the folder for temporary files is full; name another in TMPDIR",
    ]
    found = json.loads(said.out)
    assert found["stopped"] is True
    assert [row["metrics"]["recall"] for row in found["rows"]] == [
        row["metrics"]["recall"] for row in whole["rows"]
    ]
    assert json.loads((harbour / "s.json").read_text())["rows"]


def test_ctrl_c_in_the_second_round_confirms_nothing(harbour, capsys, monkeypatch):
    run = sweepround.run_sweep

    def ended(*arguments, on_row, **options):
        def after(row):
            on_row(row)
            signal.raise_signal(signal.SIGINT)

        return run(*arguments, on_row=after, **options)

    monkeypatch.setattr(sweepround, "run_sweep", ended)
    assert sweep() == 130
    said = capsys.readouterr()
    validation = json.loads(said.out)["validation"]
    assert validation["confirmed"] is None
    assert validation["sentence"] == (
        "neither confirmed nor refuted: the second round was stopped after 1 of 3 rows"
    )
    assert len(json.loads(said.out)["rows"]) == 3
    assert "stopped: 1 of 3 rows of the second round are done" in said.err


def test_a_folder_for_temporary_files_that_is_not_used_is_told(harbour, capsys, monkeypatch):
    monkeypatch.setattr(sweepcorpus, "HELD", 500)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(harbour / "nowhere"))
    assert sweep() == 0
    used = tempfile.gettempdir()
    told = f"TMPDIR {harbour / 'nowhere'}: cannot be written; temporary files lie in {used}"
    assert told in capsys.readouterr().err
