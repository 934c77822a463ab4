import json

import pytest
from fake_endpoint import Answer, FakeEndpoint
from fake_model import plain_model

from chunkscope.cli.main import main
from chunkscope.golden.reading import read_golden

KEY = "sk-test-0123456789abcdef"
PLAIN = "Boats of every length lie there, and the pilot keeps the list of them all. "


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    docs = tmp_path / "docs"
    docs.mkdir()
    sections = [f"## B{n}\n\nBerth {n} costs {n + 20} euros a night. {PLAIN * 9}" for n in range(9)]
    (docs / "a.md").write_text("\n\n".join(sections))
    return tmp_path


def generate(capsys, folder, url, *flags):
    out = folder / "golden.jsonl"
    code = main(["golden", "generate", str(folder / "docs"), "--out", str(out), "--endpoint", url,
                 "--model", "m", "--count", "3", *flags])  # fmt: skip
    return code, *capsys.readouterr()


def test_a_golden_set_is_written_and_counted(capsys, folder):
    with FakeEndpoint(plain_model()) as server:
        code, out, err = generate(
            capsys, folder, server.url, "--format", "json", "--price-in", "1", "--price-out", "2"
        )
        asked = len(server.requests)
    made = json.loads(out)
    assert (code, made["questions"], made["reasons"]) == (0, 3, made["reasons"])
    assert made["reasons"]["kept"] == 3
    assert made["answered_by"] == ["fake-1"]
    usage = made["usage"]
    assert (usage["requests"], usage["tokens_in"], usage["tokens_out"]) == (
        asked, 300 * asked, 40 * asked
    )  # fmt: skip
    assert usage["cost"] == pytest.approx((300 * asked + 80 * asked) / 1e6)
    assert len(read_golden(folder / "golden.jsonl").questions) == 3
    assert sorted(path.name for path in folder.iterdir()) == ["docs", "golden.jsonl"]
    assert f"calling {server.url}, model m: about 21 requests" in err
    assert KEY not in out + err + (folder / "golden.jsonl").read_text()


def test_an_estimate_calls_and_writes_nothing(capsys, folder):
    with FakeEndpoint(plain_model()) as server:
        code, out, err = generate(capsys, folder, server.url, "--estimate")
        assert server.requests == []
    assert (code, out) == (0, "")
    assert "nothing was called" in err
    assert [path.name for path in folder.iterdir()] == ["docs"]


def test_a_failing_endpoint_is_one_line_and_the_run_goes_on_later(capsys, folder):
    with FakeEndpoint(lambda _request: Answer({"detail": f"bad key {KEY}"}, 401)) as server:
        code, out, err = generate(capsys, folder, server.url)
    assert (code, out) == (2, "")
    assert "answers HTTP 401: bad key [key]; check the key" in err
    assert "Traceback" not in err
    assert KEY not in err
    assert "run again to go on" in err
    assert not (folder / "golden.jsonl").exists()
    with FakeEndpoint(plain_model()) as server:
        code, _, _ = generate(capsys, folder, server.url)
    assert code == 0
    assert not (folder / "golden.jsonl.progress").exists()


def test_what_is_there_is_not_replaced_unasked(capsys, folder):
    (folder / "golden.jsonl").write_text("mine\n")
    with FakeEndpoint(plain_model()) as server:
        code, _, err = generate(capsys, folder, server.url)
        assert (code, "--force" in err, server.requests) == (2, True, [])
        assert generate(capsys, folder, server.url, "--force")[0] == 0


def test_nothing_kept_is_no_file_and_exit_code_1(capsys, folder):
    with FakeEndpoint(plain_model(lambda _passage: "no")) as server:
        code, out, err = generate(capsys, folder, server.url)
    assert code == 1
    assert "no usable answer" in out
    assert "0 of 3 questions: the corpus has no more passages to ask about" in err
    assert not (folder / "golden.jsonl").exists()


def test_a_run_that_goes_on_keeps_what_was_done_to_its_file(capsys, folder):
    golden = folder / "golden.jsonl"
    prices = ("--price-in", "1000", "--price-out", "1000", "--concurrency", "1", "--count", "6")
    with FakeEndpoint(plain_model()) as server:
        code, _, err = generate(capsys, folder, server.url, *prices, "--max-cost", "9")
        assert code == 0
        assert "the most it may cost is reached; allow more and run again to go on from" in err
        first = [one.id for one in read_golden(golden).questions]
        assert 3 <= len(first) < 6
        review = ["golden", "review", "--golden", str(golden), "--by", "me"]
        assert main([*review, "--accept", first[0], "--reject", first[1]]) == 0
        own = {"id": "mine", "question": "Who?", "doc": "a.md", "evidence": []}
        golden.write_text(golden.read_text() + json.dumps(own) + "\n")
        before = golden.read_text()
        capsys.readouterr()
        code, out, err = generate(
            capsys, folder, server.url, *prices, "--max-cost", "99", "--format", "json"
        )
    assert (code, json.loads(out)["reasons"]["kept"]) == (0, 6)
    assert golden.read_text().startswith(before)
    ids = [one.id for one in read_golden(golden).questions]
    assert ids[: len(first)] == [first[0], *first[2:], "mine"]
    assert first[1] not in ids
    assert len(ids) == 6
    assert not (folder / "golden.jsonl.progress").exists()
