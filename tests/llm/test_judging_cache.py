import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace

import pytest

from chunkscope.endpoint.client import Reply
from chunkscope.endpoint.cost import Usage
from chunkscope.errors import InputError
from chunkscope.llm.judging_cache import ChatRequest, ReplyCache

REQUEST = ChatRequest("http://h/v1", "m", [{"role": "user", "content": "Who?"}], 9, 0)
REPLY = Reply("The pilot \ud800 \x00 \u2028", Usage(1, 12, 3), "m-1", cut=True)


@pytest.fixture
def cache(tmp_path):
    made = ReplyCache(tmp_path / "new" / "judge.sqlite3")
    yield made
    made.close()


def test_a_reply_comes_back_as_it_was(cache):
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, REPLY)
    assert cache.get(REQUEST) == REPLY
    cache.put(REQUEST, replace(REPLY, text="other"))
    again = ReplyCache(cache.path)
    assert again.get(REQUEST) == replace(REPLY, text="other")
    again.close()


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://other/v1"},
        {"model": "n"},
        {"messages": [{"role": "user", "content": "Who"}]},
        {"messages": [{"role": "system", "content": "Who?"}]},
        {"max_tokens": 10},
        {"seed": 1},
    ],
)
def test_all_that_decides_a_reply_tells_requests_apart(cache, change):
    cache.put(REQUEST, REPLY)
    assert cache.get(replace(REQUEST, **change)) is None
    assert cache.get(replace(REQUEST, url="http://h/v1/")) == REPLY


def test_the_file_is_its_owners_alone_and_holds_no_request(cache):
    cache.put(replace(REQUEST, messages=[{"role": "user", "content": "a secret"}]), REPLY)
    assert stat.S_IMODE(cache.path.stat().st_mode) == 0o600
    assert not any(b"a secret" in file.read_bytes() for file in cache.path.parent.iterdir())


def test_what_is_no_cache_is_refused_and_stays(tmp_path):
    file = tmp_path / "f"
    file.write_text("not a database, and long enough to be looked at as one " * 40)
    with pytest.raises(InputError, match=r"--cache .*/f: cannot be used .*name another file"):
        ReplyCache(file)
    assert file.read_text().startswith("not a database")
    with pytest.raises(InputError, match="cannot be used"):
        ReplyCache(tmp_path)
    with pytest.raises(InputError, match="cannot be used"):
        ReplyCache(file / "below")
    connection = sqlite3.connect(tmp_path / "newer")
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(InputError, match="of another version or another program"):
        ReplyCache(tmp_path / "newer")
    connection = sqlite3.connect(tmp_path / "another's")
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    with pytest.raises(InputError, match="of another version or another program"):
        ReplyCache(tmp_path / "another's")
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("notes",)]
    connection.close()


def test_several_processes_may_begin_and_fill_one_file_at_once(tmp_path):
    program = """
import sys
from pathlib import Path
from chunkscope.endpoint.client import Reply
from chunkscope.endpoint.cost import Usage
from chunkscope.llm.judging_cache import ChatRequest, ReplyCache
print("ready", flush=True)
sys.stdin.readline()
cache = ReplyCache(Path(sys.argv[1]))
for seed in range(20):
    cache.put(ChatRequest("http://h/v1", sys.argv[2], [], 9, seed), Reply("x", Usage(1, 2, 3)))
"""
    file = tmp_path / "judge.sqlite3"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(file), model],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for model in "abcd"
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in running:
        process.communicate(b"\n")
    assert [process.returncode for process in running] == [0, 0, 0, 0]
    cache = ReplyCache(file)
    found = [cache.get(ChatRequest("http://h/v1", model, [], 9, seed))
             for model in "abcd" for seed in range(20)]  # fmt: skip
    cache.close()
    assert [reply and reply.text for reply in found] == ["x"] * 80


def test_a_row_that_is_not_ours_is_no_reply(cache):
    connection = sqlite3.connect(cache.path)
    connection.execute("INSERT INTO replies VALUES (?, ?)", (REQUEST.key, b'{"text": 1}'))
    connection.commit()
    connection.close()
    assert cache.get(REQUEST) is None


def test_a_process_that_is_killed_loses_nothing_that_it_put(cache):
    program = f"""
import os, signal
from pathlib import Path
from chunkscope.endpoint.client import Reply
from chunkscope.endpoint.cost import Usage
from chunkscope.llm.judging_cache import ChatRequest, ReplyCache
cache = ReplyCache(Path({str(cache.path)!r}))
for seed in range(20):
    request = ChatRequest("http://h/v1", "m", [{{"role": "user", "content": "Who?"}}], 9, seed)
    cache.put(request, Reply(str(seed), Usage(1, 2, 3)))
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -9
    texts = [cache.get(replace(REQUEST, seed=seed)) for seed in range(21)]
    assert [reply and reply.text for reply in texts] == [*map(str, range(20)), None]


def test_closed_it_refuses(cache):
    cache.close()
    with pytest.raises(InputError, match="cannot be used"):
        cache.get(REQUEST)
    with pytest.raises(InputError, match="cannot be used"):
        cache.put(REQUEST, REPLY)
