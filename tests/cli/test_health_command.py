"""`chunkscope health`: table, JSON, errors."""

import json

import pytest

from chunkscope.cli.main import main

TEXT = "The tug leaves the quay at dawn.\n\n# Winds\n\nIt blows from the north all day long.\n"


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "[b]winds.md").write_bytes(TEXT.encode())
    return folder


def health(docs, *flags):
    return main(["health", str(docs), "--unit", "characters", "--overlap", "0", *flags])


def test_json_names_every_check_with_count_share_examples_and_mend(docs, capsys):
    assert health(docs, "--size", "20", "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    findings = {finding["name"]: finding for finding in report["findings"]}
    assert len(findings) == 16
    sentence = findings["sentence"]
    assert (sentence["count"], sentence["of"]) == (4, 5)
    assert sentence["share"] == pytest.approx(4 / 5)
    assert sentence["examples"][0] == {
        "doc": "[b]winds.md", "index": 0, "start": 0, "end": 18, "at": 18,
    }  # fmt: skip
    assert report["chunks"] == 5
    assert findings["heading_parted"]["count"] == 1
    assert findings["pronoun"]["count"] == 1
    assert findings["idle_overlap"]["share"] is None
    assert all(finding["mend"] for finding in report["findings"])
    assert report["config"]["splitter"]["size"] == 20


def test_table_shows_names_literally_and_where_the_fault_is(docs, capsys):
    assert health(docs, "--size", "20", "--examples", "1") == 0
    out = capsys.readouterr().out
    assert "[b]winds.md" in out
    assert "The tug leaves the¦ quay at dawn." in out
    assert "prefix: headings, so that every chunk carries its own" in out


def test_no_examples_on_demand(docs, capsys):
    assert health(docs, "--size", "20", "--examples", "0") == 0
    assert "¦" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--examples", "-1"], "--examples: -1 is below 0; give 0 for none"),
        (["--size", "0"], "size: "),
    ],
)
def test_bad_input_is_one_line_and_exit_2(docs, capsys, flags, message):
    assert health(docs, *flags) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"chunkscope: {message}")
    assert error.count("\n") == 1


def test_a_missing_path_is_named(tmp_path, capsys):
    assert main(["health", str(tmp_path / "nowhere")]) == 2
    assert "no such file or folder" in capsys.readouterr().err
