"""Bad input that a command should name before anything else happens."""

import json
from pathlib import Path

import pytest

from chunkscope.cli.main import main

TOO_LATE = {
    "unknown command": (("slice", "docs"), "slice"),
    "question without evidence": (("eval", "docs", "-q", "dock?"), "--evidence"),
}


@pytest.mark.parametrize("name", TOO_LATE)
def test_named_at_once(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The dock opens at six.\n", encoding="utf-8")
    question = {"id": "q", "question": "dock?", "doc": "a.txt", "evidence": [{"text": "dock"}]}
    (tmp_path / "g.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    arguments, named = TOO_LATE[name]
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert named in captured.err
