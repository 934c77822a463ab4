import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from berths import price_answer, write_berths
from fake_embeddings import FakeEmbeddings
from fake_endpoint import Answer, FakeEndpoint, said
from fake_judge import is_grading, judge_model, to_grade

from chunkscope.cli.main import main
from chunkscope.llm.judging_prompts import ANSWER_PROMPT, GRADE_PROMPT

KEY = "sk-test-0123456789abcdef"
SIZES = ("--sizes", "60,120", "--unit", "characters", "--overlap", "0", "--k", "1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    write_berths(tmp_path)
    return tmp_path


def arguments(folder, url, *flags, rows=SIZES):
    return ["judge", str(folder / "docs"), "--golden", str(folder / "golden.jsonl"),
            "--endpoint", url, "--model", "m", *rows, *flags]  # fmt: skip


def judge(capsys, folder, url, *flags, rows=SIZES):
    code = main(arguments(folder, url, *flags, rows=rows))
    return code, *capsys.readouterr()


def refused(capsys, *flags) -> str:
    """The one line of a refusal."""
    assert main(["judge", *map(str, flags)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()[-1]


def test_two_configurations_with_known_outcomes(capsys, folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        code, out, err = judge(
            capsys, folder, server.url, "--format", "json", "--price-in", "10", "--price-out", "20",
            "--save", str(folder / "saved.json"),
        )  # fmt: skip
        asked = Counter(map(is_grading, server.requests))
    report = json.loads(out)
    assert code == 0
    a, b = report["configurations"]
    assert (a["pass_rate"], b["pass_rate"]) == (0.6, 1.0)
    assert (a["passed"], a["failed"], a["ungraded"], b["passed"]) == (24, 16, 0, 40)
    (found,) = report["differences"]
    assert (found["gained"], found["lost"], found["p"]) == (16, 0, 2.0**-15)
    assert found["pass_rate"]["mean"] == 0.4
    assert found["pass_rate"]["noise"] is False
    assert report["advice"]["pick"] == "B"
    assert report["questions"]["same_context"] == 23
    assert report["asked"]["answered_by"] == ["fake-1"]
    # Of the failing answers all are alike, but each belongs to a question of its own.
    assert asked == {False: 57, True: 56}
    requests = sum(asked.values())
    assert report["asked"]["requests"] == requests
    assert report["asked"]["cost"] == pytest.approx((300 * 10 + 40 * 20) * requests / 1e6)
    assert json.loads((folder / "saved.json").read_text()) == report
    assert f"calling {server.url}, model m: about 114 requests" in err
    assert KEY not in out + err + (folder / "saved.json").read_text()
    for file in folder.rglob("*"):
        assert file.is_dir() or KEY.encode() not in file.read_bytes()


def test_the_table_says_all_of_it_in_words(capsys, folder):
    def answer(context: str, question: str) -> str:
        return "123 euros" if "berth 3?" in question else price_answer(context, question)

    with FakeEndpoint(judge_model(answer)) as server:
        code, out, err = judge(capsys, folder, server.url)
    assert code == 0
    assert "over the 40 questions graded in every configuration" in out
    assert "B   recursive 120/0 characters" in out
    assert "B   q3         failed with evidence       1.00   compared word by word" in out
    assert (
        "failed with evidence: all evidence was sent: the context is too long or misleading, or "
        "the grader errs"
    ) in out
    assert (
        "40 golden questions: 40 measured, 0 of them without a reference answer and not graded; 40 "
        "judged, 40 graded in every configuration; 23 with the same context"
    ) in out
    assert "B against A: pass rate +0.375 (" in out
    assert "), beyond noise; 15 pass in B alone, 0 in A alone (exact McNemar p = 6.1e-05)" in out
    assert "  pass in B and not in A: q0, q1, q2, q4, q5, q6, q7, q8, q9, q10 and 5 more" in out
    assert "B (recursive 120/0 characters): 0.97 of 40 questions pass" in out
    assert "provisional: 40 questions graded in every configuration; 10 more are needed" in out
    assert "cost unknown without prices" in err


def test_noise_is_called_noise(capsys, folder):
    with FakeEndpoint(judge_model(lambda *_: "100 euros")) as server:
        code, out, _ = judge(capsys, folder, server.url)
    assert code == 0
    assert "B against A: pass rate +0.000 (+0.000 … +0.000), noise" in out


def test_a_second_run_asks_nothing_and_says_the_same(capsys, folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        _, first, _ = judge(capsys, folder, server.url)
        before = len(server.requests)
        _, second, err = judge(capsys, folder, server.url)
        assert len(server.requests) == before
        assert second == first
        assert "about 0 requests, 0 tokens sent, 0 received" in err
        assert "57 of 57 are kept from before, --restart asks again" in err
        judge(capsys, folder, server.url, "--restart")
        assert len(server.requests) == 2 * before
        own = folder / "own.sqlite3"
        judge(capsys, folder, server.url, "--cache", str(own))
        assert own.exists()
        assert len(server.requests) == 3 * before


def test_an_estimate_calls_nothing(capsys, folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        code, out, err = judge(capsys, folder, server.url, "--estimate", "--price-in", "1",
                               "--price-out", "2", "--max-cost", "0.001")  # fmt: skip
        assert server.requests == []
    assert (code, out) == (0, "")
    assert f"would call {server.url}, model m: about 114 requests" in err
    assert "warning: --max-cost will stop it before the end, at 0.001" in err
    assert err.endswith("nothing was called\n")


def test_a_sample_of_the_questions(capsys, folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        reports = [
            json.loads(judge(capsys, folder, server.url, "--sample", "9", "--seed", seed,
                             "--format", "json")[1])
            for seed in "001"
        ]  # fmt: skip
    ids = [[one["id"] for one in report["grades"]] for report in reports]
    assert len(ids[0]) == 9
    assert ids[0] == ids[1] != ids[2]


def test_it_stops_before_it_costs_more_and_reports_what_is_graded(capsys, folder):
    prices = ("--price-in", "1000", "--price-out", "1000")
    with FakeEndpoint(judge_model(price_answer)) as server:
        code, out, err = judge(capsys, folder, server.url, *prices, "--max-cost", "12",
                               "--format", "json")  # fmt: skip
        report = json.loads(out)
        assert code == 0
        assert 6 < report["asked"]["cost"] <= 12
        assert report["asked"]["requests"] == len(server.requests)
        assert report["stopped"] == "the most it may cost is reached"
        assert 3 < report["questions"]["graded_in_all"] < 20
        assert "stopped: the most it may cost is reached; run again to go on" in err
        grades = [one["configurations"]["B"]["grade"] for one in report["grades"]]
        assert grades[-1] == "not asked"
        assert grades[0] == "pass"
        code, out, _ = judge(capsys, folder, server.url, "--format", "json")
        assert json.loads(out)["configurations"][0]["pass_rate"] == 0.6
    line = refused(capsys, *arguments(folder, server.url, "--max-cost", "1")[1:])
    assert line == ("chunkscope: --max-cost: needs both prices; give --price-in and --price-out")


def test_a_failing_endpoint_is_one_line_and_what_is_graded_is_kept(capsys, folder):
    def fails(request):
        if is_grading(request) and to_grade(request)[1] == "105 euros":
            server.reply = lambda _request: Answer({"detail": f"no key {KEY}"}, 401)
        return judge_model(price_answer)(request)

    with FakeEndpoint(fails) as server:
        code, out, err = judge(capsys, folder, server.url, "--concurrency", "1")
        assert (code, out) == (2, "")
        assert "answers HTTP 401: no key [key]; check the key" in err
        assert "Traceback" not in err
        assert KEY not in err
        assert "11 of 57 answers are graded; run again to go on: " in err
        server.reply = judge_model(price_answer)
        code, out, _ = judge(capsys, folder, server.url, "--format", "json")
        assert json.loads(out)["configurations"][0]["pass_rate"] == 0.6
        # Three were refused, one after the other.
        assert len(server.requests) == 113 + 3


def test_with_nothing_graded_the_exit_code_says_so(capsys, folder):
    with FakeEndpoint(lambda request: said("neither yes nor no")) as server:
        code, out, _ = judge(capsys, folder, server.url, "--format", "json")
    report = json.loads(out)
    assert [one["pass_rate"] for one in report["configurations"]] == [None, None]
    assert code == 1


def test_ungraded_answers_are_said_and_neither_passed_nor_failed(capsys, folder):
    def grade(_question: str, reference: str, answer: str) -> object:
        return "It is fine." if reference in ("120 euros", "121 euros") else said("pass: the same")

    with FakeEndpoint(judge_model(price_answer, grade)) as server:
        code, out, _ = judge(capsys, folder, server.url)
    assert code == 0
    assert "ungraded: neither passed nor failed" in out
    assert "A   q20        no usable grade: the reply was not as asked, twice" in out
    assert "40 judged, 38 graded in every configuration" in out


def test_answers_cut_off_are_said(capsys, folder):
    cut = said("100 euros", finish_reason="length")
    with FakeEndpoint(judge_model(lambda *_: cut)) as server:
        _, _, err = judge(capsys, folder, server.url, "--sample", "3")
    assert "warning: A: 3 answers were cut off (--answer-tokens)" in err


def test_terminal_escapes_and_markup_in_replies_are_shown_not_obeyed(capsys, folder):
    def grade(*_: str) -> str:
        return json.dumps({"reason": "[red]\x1b[31m\u202eso", "grade": "fail"})

    with FakeEndpoint(judge_model(price_answer, grade)) as server:
        _, out, err = judge(capsys, folder, server.url, "--sample", "4")
    assert "[red]␛[31m⇄so" in out
    assert "\x1b" not in out + err


def test_files_and_three_configurations(capsys, folder):
    files = []
    for size, name in ((60, "a"), (120, "b"), (240, "c")):
        file = folder / f"{name}.toml"
        file.write_text(
            f'[splitter]\nsize = {size}\noverlap = 0\nunit = "characters"\n[retriever]\nk = [1]\n'
            + ('[enrich]\nprefix = "title"\n' if name == "c" else "")
        )
        files += [f"--{name}", str(file)]
    with FakeEndpoint(judge_model(price_answer)) as server:
        code, out, _ = judge(capsys, folder, server.url, rows=files)
        assert code == 0
        assert "C against B: 2 settings differ (splitter.size, enrich.prefix), so the" in out
        assert "corrected for 3 pairs" in out
        code, out, _ = judge(capsys, folder, server.url, "--format", "json", rows=files[:4])
        assert [one["name"] for one in json.loads(out)["configurations"]] == ["A", "B"]
        code, out, _ = judge(
            capsys, folder, server.url, "--format", "json",
            rows=["--vary", "prefix=none,title", *SIZES[2:], "--size", "120"],
        )  # fmt: skip
        labels = [one["label"] for one in json.loads(out)["configurations"]]
    assert labels == ["recursive 120/0 characters", "recursive 120/0 characters, title"]


def sweep(folder, capsys, sizes="60,120,240,480"):
    file = folder / "sweep.json"
    flags = ["--golden", str(folder / "golden.jsonl"), "--sizes", sizes, "--overlaps", "0",
             "--unit", "characters", "--k", "1", "--save", str(file)]  # fmt: skip
    assert main(["sweep", str(folder / "docs"), *flags]) == 0
    capsys.readouterr()
    return file


def test_the_best_rows_of_a_saved_sweep(capsys, folder):
    file = sweep(folder, capsys)
    report = json.loads(file.read_text())
    assert report["advice"]["pick"]["splitter"]["size"] == 120
    assert [row["ruled_out"] for row in report["rows"]] == [True, False, False, False]
    with FakeEndpoint(judge_model(price_answer)) as server:
        code, out, err = judge(capsys, folder, server.url, "--format", "json",
                               rows=["--from", str(file)])  # fmt: skip
    assert code == 0
    sizes = [one["config"]["splitter"]["size"] for one in json.loads(out)["configurations"]]
    assert sizes == [120, 240, 480]
    assert f"--from {file}: A is its pick; beside it the best rows that are not ruled out" in err
    (folder / "docs" / "more.md").write_text("One more.")
    assert main(arguments(folder, server.url, rows=["--from", str(file)])) == 3
    assert "the sweep was made over another corpus" in capsys.readouterr().err


def test_saved_sweeps_that_name_no_rows_are_refused(capsys, folder):
    file = sweep(folder, capsys)
    whole = json.loads(file.read_text())

    def said_of(report: object) -> str:
        file.write_text(report if isinstance(report, str) else json.dumps(report))
        flags = arguments(folder, "http://localhost:1/v1", rows=["--from", str(file)])
        return refused(capsys, *flags[1:]).removeprefix(f"chunkscope: --from {file}: ")

    assert said_of("{").startswith("not JSON; give what `sweep --save` wrote")
    for wrong in ([], {}, {"rows": []}, {"rows": [{}], "advice": {"pick": {}, "reasons": []}},
                  whole | {"rows": []}):  # fmt: skip
        assert said_of(wrong) == "not a sweep; give what `sweep --save` wrote"
    none = whole | {"advice": whole["advice"] | {"pick": None, "reasons": ["no row differs"]}}
    assert said_of(none) == "it advises no row: no row differs"
    alone = whole | {"rows": [row | {"ruled_out": True} for row in whole["rows"]]}
    assert said_of(alone).startswith("every row but the pick is ruled out")
    code = json.loads(json.dumps(whole).replace('"recursive"', '"os:system"'))
    assert "would run code named by a file" in said_of(code)


def test_what_is_refused_names_the_flag(capsys, folder):
    docs, golden = folder / "docs", ("--golden", folder / "golden.jsonl")
    url = ("--endpoint", "http://localhost:1/v1")
    whole = (docs, *golden, *url, "--model", "m")
    assert "give --endpoint URL" in refused(capsys, docs, *golden, "--sizes", "60,120")
    assert "give --model NAME" in refused(capsys, docs, *golden, *url, "--sizes", "60,120")
    assert "no documents; give PATH" in refused(capsys, *golden, *url, "--model", "m")
    assert "no golden set: give --golden" in refused(
        capsys, docs, *url, "--model", "m", "--sizes", "60,120"
    )
    assert "in one way: --sizes 128,256, or --a" in refused(capsys, *whole)
    assert "in one way" in refused(capsys, *whole, "--sizes", "60,120", "--from", "x")
    assert "4 configurations; give two or three: every question is paid for in each" in refused(
        capsys, *whole, "--sizes", "60,120,180,240"
    )
    assert "1 configuration; give two or three" in refused(capsys, *whole, "--sizes", "60")
    file = folder / "a.toml"
    file.write_text("[splitter]\nsize = 99\n")
    assert "two of the configurations are the same" in refused(
        capsys, *whole, "--a", file, "--b", file
    )
    assert "--size: --a and --b hold whole configurations" in refused(
        capsys, *whole, "--a", file, "--b", file, "--size", "4"
    )
    assert "cannot run: " in refused(capsys, *whole, "--sizes", "4,120", "--overlap", "50")
    for wrong in ("nan", "inf", "-1", "x"):
        assert "is not a number from 0 up" in refused(capsys, *whole, "--max-cost", wrong)
    assert "--judge-price-out: need --judge-model" in refused(
        capsys, *whole, "--sizes", "60,120", "--judge-price-in", "1", "--judge-price-out", "1"
    )
    assert "give both, or neither" in refused(
        capsys, *whole, "--sizes", "60,120", "--judge-price-in", "1", "--judge-model", "j"
    )
    secret = ("--endpoint", f"http://me:{KEY}@localhost/v1", "--model", "m")
    line = refused(capsys, docs, *golden, *secret, "--sizes", "60,120")
    assert "keys come from the environment" in line
    assert KEY not in line
    (folder / "p.txt").write_text("{question} {reference}")
    assert f"--grade-prompt {folder / 'p.txt'}: lacks {{answer}}" in refused(
        capsys, *whole, "--sizes", "60,120", "--grade-prompt", folder / "p.txt"
    )
    assert not (folder / "cache").exists()


def test_a_retriever_behind_an_endpoint_is_said_priced_and_given_a_key_of_its_own(
    capsys, folder, monkeypatch
):
    monkeypatch.setenv("VECTORS_KEY", "vk-0123456789abcdef")
    with (
        FakeEndpoint(FakeEmbeddings()) as vectors,
        FakeEndpoint(judge_model(price_answer)) as server,
    ):
        openai = ("--retriever", "openai:harbour", "--base-url", vectors.url,
                  "--retriever-key-variable", "VECTORS_KEY")  # fmt: skip
        prices = ("--price-in", "1000", "--price-out", "1000", "--max-cost", "5")

        line = refused(capsys, *arguments(folder, server.url, *openai, "--estimate")[1:])
        assert "the contexts are not known before the retriever's endpoint is called" in line
        line = refused(capsys, *arguments(folder, server.url, *openai, *prices)[1:])
        assert "the retriever's endpoint is paid for, too; give --retriever-price" in line
        assert vectors.requests == server.requests == []

        code, out, err = judge(
            capsys, folder, server.url, *openai, *prices, "--retriever-price", "100",
            "--format", "json",
        )  # fmt: skip
        assert code == 0
        assert f"openai:harbour at {vectors.url}: " in err
        report = json.loads(out)
        # The vectors cost about 0.4 of the 5.
        assert "warning: --max-cost will stop it before the end, at 4." in err
        assert 1 < report["asked"]["cost"] < 5
        keys = [{request.headers["Authorization"] for request in one.requests}
                for one in (vectors, server)]  # fmt: skip
        sent = len(vectors.requests)
        code, _, err = judge(capsys, folder, server.url, *openai, "--estimate")
        assert code == 0
        assert "nothing was called" in err
        assert len(vectors.requests) == sent
    assert keys == [{"Bearer vk-0123456789abcdef"}, {f"Bearer {KEY}"}]


def test_without_any_reference_answer_nothing_is_asked(capsys, folder):
    lines = [json.loads(line) for line in (folder / "golden.jsonl").read_text().splitlines()]
    for line in lines:
        del line["answer"]
    (folder / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    line = refused(capsys, *arguments(folder, "http://localhost:1/v1")[1:])
    assert "none of its 40 questions (40 measured) has an answer to grade against" in line


def test_prompts_are_shown_without_documents_and_taken_from_files(capsys, folder):
    assert main(["judge", "--show-prompt"]) == 0
    out, _ = capsys.readouterr()
    assert ANSWER_PROMPT in out
    assert GRADE_PROMPT in out
    (folder / "g.txt").write_text("{question}|{reference}|{answer}")
    flags = ["--grade-prompt", str(folder / "g.txt")]
    assert main(["judge", "--show-prompt", "--format", "json", *flags]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == {"answer": ANSWER_PROMPT, "grade": "{question}|{reference}|{answer}"}
    seen = []

    def reply(request):
        if len(request.body["messages"]) > 1:
            return judge_model(price_answer)(request)
        (message,) = request.body["messages"]
        seen.append(message["content"])
        return said("pass: so")

    with FakeEndpoint(reply) as server:
        code, _, _ = judge(capsys, folder, server.url, *flags, "--sample", "2", "--seed", "1")
    assert code == 0
    assert all(content.startswith("What is the price of berth ") for content in seen)
    assert all(content.count("|") == 2 for content in seen)


def child(folder: Path, url: str) -> list[str]:
    flags = arguments(folder, url, "--format", "json", "--concurrency", "2")
    return [sys.executable, "-m", "chunkscope", *flags]


def without_costs(out: str) -> dict[str, object]:
    report = json.loads(out)
    del report["asked"]
    return report


class Killer:
    """Kills a child with the request of a number, before that is answered."""

    def __init__(self, moment: int) -> None:
        self._moment = moment
        self._seen = 0
        self._lock = threading.Lock()
        self._started = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None

    def __call__(self, request):
        assert self._started.wait(60)
        with self._lock:
            self._seen += 1
            if self._seen == self._moment:
                self._child.send_signal(signal.SIGKILL)
        return judge_model(price_answer)(request)

    def kill(self, command: list[str]) -> int:
        quiet = subprocess.DEVNULL
        self._child = subprocess.Popen(command, stdout=quiet, stderr=quiet)
        self._started.set()
        return self._child.wait(60)


def test_killed_at_any_moment_nothing_that_came_back_is_asked_again(capsys, folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        other = ("--cache", str(folder / "other.sqlite3"))
        _, undisturbed, _ = judge(capsys, folder, server.url, "--format", "json", *other)
        server.requests.clear()
        chance = random.Random(4)
        kills = 3
        for _ in range(kills):
            server.reply = killer = Killer(chance.randrange(1, 30))
            assert killer.kill(child(folder, server.url)) == -signal.SIGKILL
        server.reply = judge_model(price_answer)
        last = subprocess.run(child(folder, server.url), capture_output=True, check=True)
        asked = Counter(json.dumps(request.body) for request in server.requests)
    assert without_costs(last.stdout.decode()) == without_costs(undisturbed)
    assert len(asked) == 113
    # Two workers: at most two requests were under way at each kill.
    assert sum(asked.values()) <= 113 + 2 * kills


def test_ctrl_c_reports_what_is_graded_and_the_rest_follows(folder):
    with FakeEndpoint(judge_model(price_answer)) as server:
        running: dict[str, subprocess.Popen[bytes]] = {}
        started, ended, lock, seen = (
            threading.Event(), threading.Event(), threading.Lock(), []
        )  # fmt: skip

        def presses(request):
            started.wait(30)
            with lock:
                seen.append(request)
                number = len(seen)
            if number == 21:
                os.kill(running["child"].pid, signal.SIGINT)
            if number > 20:
                ended.wait(30)
            return judge_model(price_answer)(request)

        server.reply = presses
        running["child"] = subprocess.Popen(
            child(folder, server.url), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        started.set()
        out, err = running["child"].communicate(timeout=60)
        ended.set()
        report = json.loads(out)
        assert running["child"].returncode == 130
        assert report["stopped"] == "stopped by hand"
        graded = report["configurations"][0]["graded"] + report["configurations"][1]["graded"]
        assert 8 <= graded <= 12
        assert b"stopped: stopped by hand; run again to go on, what is graded is kept" in err
        assert b"Traceback" not in err
        server.reply = judge_model(price_answer)
        last = subprocess.run(child(folder, server.url), capture_output=True, check=True)
        assert json.loads(last.stdout)["configurations"][0]["pass_rate"] == 0.6
        assert len(server.requests) <= 113 + 2
