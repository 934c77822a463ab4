import errno
import hashlib
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.golden import atomic
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import parse_line, read_golden
from chunkscope.golden.writing import append_question, format_line, write_golden

ODD = (
    '\ufeff{"note":1, "id":"a","question":"Wo?",  "doc":"d","evidence":[ {"x":[1,2],"text":"é",'
    '"end":2,"start":1,"doc":null}],"answer":null}\r\n'
    "\r\n"
    '{"question": "\\u00e9 \\ud83d", "id": "b", "doc": "d", "evidence": []}\n'
    "   \n"
    '  {"id": "c", "doc": "d", "evidence": [{"text": "t"}], "question": "Q"}'
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "golden.jsonl"
    file.write_bytes(ODD.encode())
    return file


def changed(golden: GoldenSet, identity: str, **fields: object) -> GoldenSet:
    return replace(
        golden,
        questions=tuple(
            replace(one, **fields) if one.id == identity else one for one in golden.questions
        ),
    )


def test_what_was_not_changed_keeps_its_bytes(path):
    write_golden(read_golden(path), path)
    assert path.read_bytes() == ODD.encode()


def test_a_changed_line_keeps_its_unknown_keys_its_order_and_its_neighbours(path):
    write_golden(changed(read_golden(path), "a", question="Wann?"), path)
    lines = path.read_bytes().decode().split("\n")
    first = json.loads(lines[0].removeprefix("\ufeff"))
    assert lines[0].startswith("\ufeff{")
    assert lines[0].endswith("}\r")
    assert list(first) == ["note", "id", "question", "doc", "evidence", "answer"]
    assert first["question"] == "Wann?"
    assert list(first["evidence"][0].items()) == [
        ("x", [1, 2]),
        ("text", "é"),
        ("end", 2),
        ("start", 1),
        ("doc", None),
    ]
    assert "\n".join(lines[1:]) == ODD.split("\n", 1)[1]


def test_a_line_of_escapes_stays_one(path):
    write_golden(changed(read_golden(path), "b", type="fact"), path)
    line = path.read_bytes().split(b"\n")[2]
    assert line == (
        rb'{"question": "\u00e9 \ud83d", "id": "b", "doc": "d", "evidence": [], "type": "fact"}'
    )


def test_a_question_taken_out_takes_its_line_only(path):
    golden = read_golden(path)
    write_golden(replace(golden, questions=golden.questions[1:]), path)
    assert path.read_bytes().decode() == ODD.split("\r\n", 1)[1]


def test_appending_adds_a_line_after_one_without_line_end(path):
    added = Question("new", "Was?", "d", (Evidence("t", 1, 2),))
    append_question(path, added)
    assert path.read_bytes().decode() == (
        ODD + '\n{"id": "new", "question": "Was?", "doc": "d", '
        '"evidence": [{"text": "t", "start": 1, "end": 2}]}\n'
    )
    assert read_golden(path).questions[3].evidence == added.evidence


def test_appending_makes_a_missing_file(tmp_path):
    file = tmp_path / "new.jsonl"
    append_question(file, Question("a", "Q", "d", ()))
    assert file.read_text() == '{"id": "a", "question": "Q", "doc": "d", "evidence": []}\n'


def test_appending_an_id_that_is_taken_changes_nothing(path):
    with pytest.raises(InputError, match='id "a" stands twice'):
        append_question(path, Question("a", "Q", "d", ()))
    assert path.read_bytes() == ODD.encode()


@pytest.mark.parametrize(
    "bad",
    [
        Question("x", " ", "d", ()),
        Question("x", "Q", "d", (Evidence(" "),)),
        Question("x", "Q", "d", (Evidence("t", 3, 2),)),
        Question("x", "Q", "d", (), extra={"n": float("nan")}),
        Question("x", "Q", "d", (), extra={"n": {1, 2}}),
    ],
)
def test_what_could_not_be_read_again_is_not_written(path, bad):
    with pytest.raises(InputError, match='question "x"'):
        append_question(path, bad)
    assert path.read_bytes() == ODD.encode()


def test_lone_surrogates_are_written_as_escapes(tmp_path):
    file = tmp_path / "golden.jsonl"
    question = Question("a", "x\ud83dy\U0001f600", "d", (Evidence("\udc00"),))
    write_golden(GoldenSet((question,)), file)
    assert "x\\ud83dy😀" in file.read_bytes().decode()
    assert read_golden(file).questions[0].question == question.question


def test_permission_bits_are_kept(path):
    path.chmod(0o640)
    write_golden(changed(read_golden(path), "a", question="?"), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_bits_that_other_programs_give(tmp_path):
    write_golden(GoldenSet(()), tmp_path / "ours")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_of_a_link_the_target_is_written(path, tmp_path):
    link = tmp_path / "elsewhere" / "link.jsonl"
    link.parent.mkdir()
    link.symlink_to(path)
    write_golden(changed(read_golden(link), "a", question="Wann?"), link)
    assert link.is_symlink()
    assert read_golden(path).questions[0].question == "Wann?"
    assert list(link.parent.iterdir()) == [link]


def failing_sync(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_the_previous_version_and_no_temporary_file(path, monkeypatch):
    golden = changed(read_golden(path), "a", question="Wann?")
    monkeypatch.setattr(atomic.os, "fsync", failing_sync)
    with pytest.raises(InputError, match="No space left"):
        write_golden(golden, path)
    assert path.read_bytes() == ODD.encode()
    assert list(path.parent.iterdir()) == [path]


def test_an_interrupt_leaves_the_previous_version_and_no_temporary_file(path, monkeypatch):
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    golden = read_golden(path)
    monkeypatch.setattr(atomic.Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_golden(golden, path)
    assert path.read_bytes() == ODD.encode()
    assert list(path.parent.iterdir()) == [path]


def test_the_data_is_synced_before_it_is_renamed(path, monkeypatch):
    steps: list[str] = []
    sync, rename = os.fsync, Path.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda fd: (steps.append("sync"), sync(fd)))
    monkeypatch.setattr(
        atomic.Path, "replace", lambda self, to: (steps.append("rename"), rename(self, to))[1]
    )
    write_golden(read_golden(path), path)
    assert steps == ["sync", "rename", "sync"]


@pytest.mark.parametrize("name", ["missing/golden.jsonl", ".", "file/golden.jsonl", "a\0b"])
def test_what_cannot_be_written_is_an_input_error(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(InputError):
        write_golden(GoldenSet(()), tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_link_that_leads_to_itself_is_an_input_error(tmp_path):
    link = tmp_path / "loop"
    link.symlink_to(link)
    with pytest.raises(InputError):
        write_golden(GoldenSet(()), link)


words = st.text(min_size=1).filter(str.strip)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    st.lists,
    max_leaves=4,
)
extras = st.dictionaries(
    st.text().filter(
        lambda key: (
            key
            not in {
                "id",
                "question",
                "doc",
                "evidence",
                "answer",
                "type",
                "text",
                "start",
                "end",
                "alternatives",
            }
        )
    ),
    values,
    max_size=2,
)
flat = st.builds(
    lambda text, span, doc, extra: Evidence(
        text, *(span and (span[0], span[0] + span[1])) or (None, None), doc, (), extra
    ),
    words,
    st.none() | st.tuples(st.integers(0, 50), st.integers(1, 9)),
    st.none() | words,
    extras,
)
items = st.builds(
    lambda item, others: replace(item, alternatives=tuple(others)), flat, st.lists(flat, max_size=2)
)
questions = st.builds(
    Question,
    id=words,
    question=words,
    doc=words,
    evidence=st.lists(items, max_size=2).map(tuple),
    answer=st.none() | st.text(),
    type=st.none() | st.text(),
    extra=extras,
)


@given(questions)
def test_a_line_gives_its_question_back(question):
    line = format_line(question)
    assert "\n" not in line
    line.encode()
    assert parse_line(line) == question


def test_the_fingerprint_is_the_hash_of_canonical_json():
    question = Question("a", "Q?", "d", (Evidence("é", 1, 2, None, (Evidence("x"),)),))
    text = (
        '[{"doc":"d","evidence":[{"alternatives":[{"alternatives":[],"doc":null,"end":null,'
        '"start":null,"text":"x"}],"doc":null,"end":2,"start":1,"text":"\\u00e9"}],"id":"a",'
        '"question":"Q?"}]'
    )
    assert fingerprint(GoldenSet((question,))) == hashlib.sha256(text.encode()).hexdigest()


def test_the_fingerprint_sees_evidence_and_order_and_nothing_else():
    one, two = Question("a", "Q", "d", ()), Question("b", "Q", "d", (Evidence("t"),))
    plain = fingerprint(GoldenSet((one, two)))
    assert plain == fingerprint(
        GoldenSet((replace(one, answer="x", type="t", extra={"k": 1}, line=9), two), Path("p"))
    )
    alternative = replace(two.evidence[0], alternatives=(Evidence("u"),))
    others = {
        fingerprint(GoldenSet((two, one))),
        fingerprint(GoldenSet((one, replace(two, question="R")))),
        fingerprint(GoldenSet((one, replace(two, evidence=(alternative,))))),
        fingerprint(GoldenSet((one, replace(two, evidence=(Evidence("t", 0, 1),))))),
    }
    assert len(others | {plain}) == 5
