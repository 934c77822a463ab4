import json
import os

import pytest

from chunkscope.errors import InputError
from chunkscope.llm.checkpoint import Checkpoint

SETTINGS = {"kind": "test", "seed": 1}


def test_one_process_at_a_time(tmp_path):
    path = tmp_path / "c"
    first = Checkpoint(path, SETTINGS)
    first.add({"passage": 0, "x": 1})
    with pytest.raises(InputError, match=rf"c: is being written by process {os.getpid()} on "):
        Checkpoint(path, SETTINGS)
    first.add({"passage": 1, "x": 2})
    first.close()
    second = Checkpoint(path, SETTINGS)
    assert second.outcomes == {0: {"passage": 0, "x": 1}, 1: {"passage": 1, "x": 2}}
    second.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_is_refused_is_let_go_of(tmp_path):
    path = tmp_path / "c"
    Checkpoint(path, SETTINGS).close()
    with pytest.raises(InputError, match="was begun with another seed"):
        Checkpoint(path, {**SETTINGS, "seed": 2})
    Checkpoint(path, SETTINGS).close()


@pytest.mark.parametrize("content", [b"notes of mine", b'{"kind": "other', b"[]\n", b"{}\nx\n"])
def test_a_file_of_another_kind_is_left_alone(tmp_path, content):
    path = tmp_path / "c"
    path.write_bytes(content)
    with pytest.raises(InputError):
        Checkpoint(path, SETTINGS)
    assert path.read_bytes() == content
    Checkpoint(path, SETTINGS, restart=True).close()
    assert json.loads(path.read_bytes()) == SETTINGS


def test_a_header_that_was_not_written_whole_is_written_anew(tmp_path):
    path = tmp_path / "c"
    whole = json.dumps(SETTINGS).encode() + b"\n"
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        Checkpoint(path, SETTINGS).close()
        assert path.read_bytes() == whole


def test_a_closed_record_takes_nothing(tmp_path):
    record = Checkpoint(tmp_path / "c", SETTINGS)
    record.close()
    record.close()
    with pytest.raises(InputError, match="is closed"):
        record.add({"passage": 0})


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="gone/c: cannot be used"):
        Checkpoint(tmp_path / "gone" / "c", SETTINGS)
