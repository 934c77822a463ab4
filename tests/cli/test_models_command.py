"""Retrievers behind an endpoint, from the command line: what is sent, kept, and paid for."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_embeddings import FakeEmbeddings, score_of, units_of
from fake_endpoint import FakeEndpoint

from chunkscope.cli.main import main

KEY = "sk-harbour-0123456789"
PARTS = (
    "The tug leaves at dawn.\n\n",
    "The ferry leaves at noon.\n\n",
    "The pilot boards at dusk.\n\n",
    "Fees are paid at the harbour office.\n",
)
QUESTIONS = {"tug": ("When does the tug leave?", 0), "fees": ("Where are fees paid?", 3)}


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def model() -> FakeEmbeddings:
    return FakeEmbeddings()


@pytest.fixture
def endpoint(model: FakeEmbeddings) -> Iterator[FakeEndpoint]:
    with FakeEndpoint(model) as made:
        yield made


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "times.txt").write_bytes("".join(PARTS).encode())
    lines = []
    for name, (question, part) in QUESTIONS.items():
        start = len("".join(PARTS[:part]))
        text = PARTS[part].strip()
        evidence = [{"text": text, "start": start, "end": start + len(text)}]
        lines.append({"id": name, "question": question, "doc": "times.txt", "evidence": evidence})
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def run(harbour: Path, command: str, *flags: str) -> int:
    return main(
        [command, str(harbour / "docs"), "--golden", str(harbour / "golden.jsonl"), "--unit",
         "characters", "--overlap", "0", "--k", "2", *flags]
    )  # fmt: skip


def chunks() -> list[str]:
    return [part.strip() for part in PARTS]


def test_chunks_are_ranked_by_the_endpoint_s_vectors_and_sent_once(
    harbour: Path, endpoint: FakeEndpoint, model: FakeEmbeddings, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--size", "40", "--retriever", "openai:harbour", "--base-url", endpoint.url)
    assert run(harbour, "eval", *flags, "--format", "json") == 0
    out, err = capsys.readouterr()
    assert (
        f"openai:harbour at {endpoint.url}: 6 texts to embed, about 38 tokens; 0 are kept from "
        "before" in err
    )
    report = json.loads(out)
    vectors = units_of(chunks())
    for line in report["questions"]:
        asked = units_of([QUESTIONS[line["id"]][0]])[0]
        scores = (vectors.astype(np.float32) @ asked.astype(np.float32)).tolist()
        order = sorted(range(4), key=lambda chunk: -scores[chunk])
        starts = [len("".join(PARTS[:chunk])) for chunk in order[:2]]
        assert [one["start"] for one in line["retrieved"]] == starts
        for one, chunk in zip(line["retrieved"], order, strict=False):
            assert one["score"] == pytest.approx(scores[chunk], abs=1e-6)
    billed = dict.fromkeys((*chunks(), *(text for text, _ in QUESTIONS.values())), 1)
    assert dict(model.billed) == billed
    # Again, and at a size that leaves the first three chunks: only what is new is sent.
    assert run(harbour, "eval", *flags) == 0
    assert run(harbour, "sweep", *flags, "--sizes", "26,40", "--overlaps", "0") == 0
    new = set(model.billed) - set(billed)
    assert all(count == 1 for count in model.billed.values())
    assert new == {"Fees are paid at the", "harbour office."}
    assert "2 texts to embed" in capsys.readouterr().err


def test_a_sweep_over_the_cap_sends_nothing(
    harbour: Path, endpoint: FakeEndpoint, model: FakeEmbeddings, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--size", "40", "--retriever", "openai:harbour", "--base-url", endpoint.url)
    cap = ("--price-in", "1000", "--max-cost", "0.01")
    assert run(harbour, "eval", *flags, *cap) == 2
    err = capsys.readouterr().err
    assert "cost about 0.0380" in err
    assert (
        "--max-cost: what would be sent costs about 0.0380, more than 0.01; nothing was sent" in err
    )
    assert endpoint.requests == []
    assert run(harbour, "eval", *flags, "--max-cost", "1") == 2
    assert "--max-cost: needs the price of a million tokens" in capsys.readouterr().err
    assert run(harbour, "eval", *flags, "--price-in", "1000", "--max-cost", "1") == 0
    assert sum(model.billed.values()) == 6


def test_the_key_stands_nowhere(
    harbour: Path, endpoint: FakeEndpoint, model: FakeEmbeddings, capsys: pytest.CaptureFixture[str]
) -> None:
    model.token = KEY
    model.plan = ["401"]
    flags = ("--size", "40", "--retriever", "openai:harbour", "--base-url", endpoint.url)
    assert run(harbour, "eval", *flags) == 2
    assert run(harbour, "eval", *flags, "--save", str(harbour / "run.json")) == 0
    out, err = capsys.readouterr()
    assert "HTTP 401" in err
    assert KEY not in out + err
    assert endpoint.requests[-1].headers["Authorization"] == f"Bearer {KEY}"
    files = [path for path in harbour.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"run.json", "embeddings.sqlite3"}
    for path in files:
        assert KEY.encode() not in path.read_bytes()


def test_reranked_by_an_endpoint(
    harbour: Path, endpoint: FakeEndpoint, model: FakeEmbeddings, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ("--size", "40", "--rerank", "openai:judge", "--rerank-depth", "3")
    assert run(harbour, "eval", *flags, "--base-url", endpoint.url, "--format", "json") == 0
    out, err = capsys.readouterr()
    assert f"openai:judge at {endpoint.url}: at most 6 texts to rank anew, about 74 tokens" in err
    assert "sent: 2 requests, 12 tokens sent, cost unknown without a price" in err
    report = json.loads(out)
    assert model.billed
    for line in report["questions"]:
        question = QUESTIONS[line["id"]][0]
        found = [PARTS[_part_at(one["start"])].strip() for one in line["retrieved"]]
        scores = [one["score"] for one in line["retrieved"]]
        assert scores == pytest.approx([score_of(question, text) for text in found])
        assert scores == sorted(scores, reverse=True)
        shown = [text for asked, text in model.billed if asked == question]
        assert len(shown) <= 3
        assert max(score_of(question, text) for text in shown) == pytest.approx(scores[0])


def _part_at(start: int) -> int:
    return next(n for n in range(4) if len("".join(PARTS[:n])) == start)


def test_a_configuration_file_may_not_name_code_to_fuse(
    harbour: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = harbour / "mine.toml"
    file.write_text('[retriever]\nkind = "hybrid"\nfuse = ["bm25", "os:getcwd"]\n')
    assert run(harbour, "eval", "--config", str(file)) == 2
    err = capsys.readouterr().err
    assert "[retriever] fuse 'os:getcwd' would run code named by a file" in err
    assert "give --fuse os:getcwd as well" in err


def test_a_model_that_is_not_here_is_told_before_anything_runs(
    harbour: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(harbour, "eval", "--retriever", "dense:no-such-model") == 2
    err = capsys.readouterr().err
    assert "no-such-model" in err
    assert len(err.strip().splitlines()) == 1
