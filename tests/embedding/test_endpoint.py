"""Embeddings and scores through a real endpoint: right, once, within the cap, and no key told."""

import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fake_embeddings import (
    FATAL,
    LENGTH,
    NO_FAULT,
    PASSING,
    FakeEmbeddings,
    score_of,
    units_of,
    vector_of,
)
from fake_endpoint import Answer, FakeEndpoint, in_turn
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.cached import CachedCrossEncoder, CachedEmbedder
from chunkscope.embedding.endpoint import (
    EndpointEmbedder,
    EndpointReranker,
    context_limit,
    estimate_embedding,
    estimate_reranking,
)
from chunkscope.embedding.protocol import CrossEncoder, Embedder
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.errors import CostLimitError, EndpointError
from chunkscope.endpoint.lots import sendable
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.text.tokens import get_token_counter

KEY = "q7-0123456789abcdef-verysecret"
COUNTER = get_token_counter("cl100k_base")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def client(url: str, waits: list[float] | None = None, **more: object) -> Client:
    made = EndpointSettings(url, "some-model", **more)  # type: ignore[arg-type]
    return Client(made, sleep=(waits if waits is not None else []).append, seed=7)


def text(number: int) -> str:
    return f"Berth {number} costs {3 * number} euros a night."


TEXTS = [text(number) for number in range(20)]


def assert_units(vectors: np.ndarray, texts: list[str]) -> None:
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, units_of(texts), atol=1e-6)


def test_every_text_has_its_own_vector_in_order():
    fake = FakeEmbeddings(["shuffled", "base64", "no index", "no usage"])
    with FakeEndpoint(fake) as server:
        embedder = EndpointEmbedder(client(server.url + "/", batch=3))
        assert isinstance(embedder, Embedder)
        assert (embedder.name, embedder.revision) == ("openai:some-model", server.url)
        assert (embedder.dimensions, server.requests) == (0, [])
        texts = [*TEXTS, TEXTS[3], "", " \n", TEXTS[0]]
        assert_units(embedder.embed(texts), texts)
        assert embedder.dimensions == LENGTH
        assert set(fake.billed.values()) == {1}
        assert sorted(fake.billed) == sorted(TEXTS)
        assert {request.path for request in server.requests} == {"/v1/embeddings"}
        body = server.requests[0].body
        assert (body["model"], body["encoding_format"]) == ("some-model", "float")
        assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
        assert embedder.embed([]).shape == (0, LENGTH)


def test_lots_keep_to_both_limits_and_usage_is_told():
    with FakeEndpoint(FakeEmbeddings(["no usage"])) as server:
        counts = COUNTER.count(TEXTS)
        asked = client(server.url, batch=8, tokens_per_request=sum(counts[:5]), concurrency=1)
        assert_units(EndpointEmbedder(asked).embed(TEXTS), TEXTS)
        lots = [request.body["input"] for request in server.requests]
        assert [one for lot in lots for one in lot] == TEXTS
        assert lots[0] == TEXTS[:5]
        assert all(sum(COUNTER.count(lot)) <= sum(counts[:5]) for lot in lots)
        estimate = estimate_embedding([*TEXTS, TEXTS[0], " "], COUNTER, asked.settings)
        assert estimate == Usage(len(lots), sum(counts), 0, sum(counts))
        assert estimate_embedding([], COUNTER, asked.settings) == Usage()
        # The endpoint says three tokens a text; of the first lot it said nothing.
        first = sum(counts[:5])
        assert asked.meter.usage == Usage(len(lots), first + 3 * 15, 0, first)


def test_several_requests_are_under_way_at_once():
    fake = FakeEmbeddings()
    together = threading.Barrier(4, timeout=10)

    def reply(request: object) -> Answer:
        together.wait()
        return fake(request)

    with FakeEndpoint(reply) as server:
        embedder = EndpointEmbedder(client(server.url, batch=1, concurrency=4))
        assert_units(embedder.embed(TEXTS[:8]), TEXTS[:8])


def test_halves_of_pairs_are_sent_as_utf_8():
    fake = FakeEmbeddings()
    with FakeEndpoint(fake) as server:
        texts = ["a\ud83d", "\ud83d\ude80"]
        vectors = EndpointEmbedder(client(server.url)).embed(texts)
        assert_units(vectors, ["a\ufffd", "\U0001f680"])


def test_numbers_too_large_for_32_bits_still_give_a_direction():
    data = [{"index": 0, "embedding": [3e300, 4e300]}, {"index": 1, "embedding": [0.0, 0.0]}]
    with FakeEndpoint(in_turn(Answer({"data": data}))) as server:
        vectors = EndpointEmbedder(client(server.url)).embed(["a", "b"])
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.0, 0.0]], atol=1e-7)


@pytest.mark.parametrize(
    ("model", "given", "limit"),
    [
        ("text-embedding-3-small", None, 8192),
        ("text-embedding-3-large", None, 8192),
        ("text-embedding-ada-002", None, 8191),
        ("text-embedding-3-small", 512, 512),
        ("nomic-embed-text", None, None),
        ("nomic-embed-text", 2048, 2048),
    ],
)
def test_context_limits_are_known_or_set(model: str, given: int | None, limit: int | None):
    made = EndpointSettings("http://localhost/v1", model, context_limit=given)
    assert context_limit(made) == limit
    assert EndpointEmbedder(Client(made)).context_limit == limit


def test_waits_are_those_that_are_asked_for():
    waits: list[float] = []
    with FakeEndpoint(FakeEmbeddings(["429", "429 limits"])) as server:
        EndpointEmbedder(client(server.url, waits)).embed(["a"])
    # In slices, so that a failure beside it ends the wait; 1m3s are more than is ever waited.
    assert sum(waits) == pytest.approx(62.0)


def test_an_answer_that_is_too_slow_is_given_up_and_asked_for_again():
    fake = FakeEmbeddings()
    slow = [True]

    def reply(request: object) -> Answer:
        if slow.pop() if slow else False:
            return Answer({"data": []}, stall=threading.Event())
        return fake(request)

    with FakeEndpoint(reply) as server:
        asked = client(server.url, timeout=0.2)
        assert_units(EndpointEmbedder(asked).embed(["a"]), ["a"])
        assert len(server.requests) == 2
    assert asked.meter.lost.requests == 1


@pytest.mark.parametrize("fault", [*PASSING, *NO_FAULT])
def test_every_fault_that_passes_is_lived_through(fault: str):
    fake = FakeEmbeddings([fault, "", fault])
    with FakeEndpoint(fake) as server:
        asked = client(server.url, batch=4, concurrency=2)
        assert_units(EndpointEmbedder(asked).embed(TEXTS[:12]), TEXTS[:12])
    assert fake.billed == dict.fromkeys(TEXTS[:12], 1)
    assert asked.meter.lost.requests == fake.spoiled


@pytest.mark.parametrize("fault", [*PASSING, *FATAL])
def test_what_came_before_a_failure_is_kept_and_not_paid_again(tmp_path: Path, fault: str):
    cache = VectorCache(tmp_path / "v.sqlite3")
    fake = FakeEmbeddings(["", "", fault], token=KEY)
    with FakeEndpoint(fake) as server:
        first = CachedEmbedder(
            EndpointEmbedder(client(server.url, batch=4, concurrency=1, retries=0)), cache
        )
        with pytest.raises(EndpointError) as raised:
            first.embed(TEXTS)
        assert raised.value.exit_code == 2
        assert KEY not in "".join(traceback.format_exception(raised.value))
        assert first.missing(TEXTS) == TEXTS[8:]
        second = CachedEmbedder(EndpointEmbedder(client(server.url, batch=4)), cache)
        assert second.dimensions == LENGTH
        assert_units(second.embed(TEXTS), TEXTS)
        assert fake.billed == dict.fromkeys(TEXTS, 1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int):
    with FakeEndpoint(FakeEmbeddings()) as other:
        away = Answer(b"", status, {"Location": f"{other.url}/embeddings"})
        with (
            FakeEndpoint(in_turn(away)) as server,
            pytest.raises(EndpointError, match="redirects are not followed"),
        ):
            EndpointEmbedder(client(server.url)).embed(["a"])
        assert other.requests == []


def test_vectors_of_another_length_in_a_later_lot_are_refused():
    def reply(request) -> Answer:
        length = 2 if request.body["input"] == [TEXTS[0]] else 3
        return Answer({"data": [{"index": 0, "embedding": [1.0] * length}]})

    with FakeEndpoint(reply) as server:
        embedder = EndpointEmbedder(client(server.url, batch=1, concurrency=1, retries=1))
        with pytest.raises(EndpointError, match=r"differ in length \(3 numbers, 2 before\)"):
            embedder.embed(TEXTS[:2])
        assert len(server.requests) == 3
        # What it learned holds for later calls as well.
        with pytest.raises(EndpointError, match="differ in length"):
            embedder.embed([TEXTS[5]])


def test_the_cap_holds_over_several_calls_and_what_came_is_kept(tmp_path: Path):
    cache = VectorCache(tmp_path / "v.sqlite3")
    fake = FakeEmbeddings(["no usage"] * 100)
    counts = COUNTER.count(TEXTS)
    cap = sum(counts[:11]) / 1e6
    with FakeEndpoint(fake) as server:
        asked = client(server.url, batch=4, concurrency=3, price_in=1.0, max_cost=cap)
        embedder = CachedEmbedder(EndpointEmbedder(asked), cache)
        embedder.embed(TEXTS[:3])
        with pytest.raises(CostLimitError, match=r"max cost: .* is spent") as raised:
            embedder.embed(TEXTS)
        spent = cost(asked.meter.usage, asked.settings)
        assert spent is not None
        assert spent <= cap < raised.value.spent + raised.value.following
        assert asked.meter.usage.tokens_in == sum(COUNTER.count(list(fake.billed)))
        left = embedder.missing(TEXTS)
        assert sorted([*left, *fake.billed]) == sorted(TEXTS)
        again = CachedEmbedder(EndpointEmbedder(client(server.url)), cache)
        assert_units(again.embed(TEXTS), TEXTS)
        assert fake.billed == dict.fromkeys(TEXTS, 1)


def test_a_raised_cancel_ends_it_and_what_came_is_kept(tmp_path: Path):
    cache = VectorCache(tmp_path / "v.sqlite3")
    fake, cancel = FakeEmbeddings(), CancelToken()

    def reply(request: object) -> Answer:
        if len(server.requests) == 2:
            cancel.cancel()
        return fake(request)

    with FakeEndpoint(reply) as server:
        embedder = CachedEmbedder(
            EndpointEmbedder(client(server.url, batch=4, concurrency=1)), cache
        )
        with pytest.raises(CancelledError):
            embedder.embed(TEXTS, cancel)
        assert embedder.missing(TEXTS) == TEXTS[8:]
        with pytest.raises(CancelledError):
            embedder.embed(TEXTS, cancel)
        assert len(server.requests) == 2
        assert_units(embedder.embed(TEXTS), TEXTS)
    assert fake.billed == dict.fromkeys(TEXTS, 1)


def test_texts_are_scored_for_a_question():
    fake = FakeEmbeddings(["shuffled"])
    with FakeEndpoint(fake) as server:
        asked = client(server.url, batch=8, concurrency=1)
        reranker = EndpointReranker(asked)
        assert isinstance(reranker, CrossEncoder)
        assert (reranker.name, reranker.revision) == ("openai:some-model", server.url)
        scores = reranker.score("How much?", TEXTS)
        assert scores.dtype == np.float64
        assert scores.tolist() == [score_of("How much?", one) for one in TEXTS]
        assert server.requests[0].path == "/v1/rerank"
        assert server.requests[0].body == {
            "model": "some-model", "query": "How much?", "documents": TEXTS[:8], "top_n": 8,
        }  # fmt: skip
        assert reranker.score("How much?", []).shape == (0,)
        sent = COUNTER.count_one("How much?") * 20 + sum(COUNTER.count(TEXTS))
        asking = ["How much?"] * len(TEXTS)
        estimate = estimate_reranking(asking, TEXTS, COUNTER, asked.settings)
        assert estimate == Usage(3, sent, 0, sent)


@pytest.mark.parametrize("fault", [*PASSING, *FATAL])
def test_scores_that_came_before_a_failure_are_kept(tmp_path: Path, fault: str):
    cache = VectorCache(tmp_path / "v.sqlite3")
    fake = FakeEmbeddings(["", fault], token=KEY)
    expected = np.array([score_of("q", one) for one in TEXTS], np.float32).tolist()
    with FakeEndpoint(fake) as server:
        asked = client(server.url, batch=4, concurrency=1, retries=0)
        with pytest.raises(EndpointError) as raised:
            CachedCrossEncoder(EndpointReranker(asked), cache).score("q", TEXTS)
        assert KEY not in "".join(traceback.format_exception(raised.value))
        encoder = CachedCrossEncoder(EndpointReranker(client(server.url)), cache)
        assert encoder.missing("q", TEXTS) == TEXTS[4:]
        assert encoder.score("q", TEXTS).tolist() == expected
    assert fake.billed == {("q", one): 1 for one in TEXTS}


def test_several_questions_are_asked_at_once_each_with_its_own_texts(tmp_path: Path):
    fake = FakeEmbeddings()
    together = threading.Barrier(3, timeout=10)

    def reply(request: object) -> Answer:
        together.wait()
        return fake(request)

    questions = ["q"] * 5 + ["r"] * 2 + ["s"] * 3
    texts = [*TEXTS[:5], *TEXTS[:2], *TEXTS[4:7]]
    pairs = list(zip(questions, texts, strict=True))
    with FakeEndpoint(reply) as server:
        asked = client(server.url, concurrency=3)
        encoder = CachedCrossEncoder(EndpointReranker(asked), VectorCache(tmp_path / "v.sqlite3"))
        assert encoder.questions_at_once == 3
        expected = np.array([score_of(*pair) for pair in pairs], np.float32).tolist()
        assert encoder.score_pairs(questions, texts).tolist() == expected
        bodies = [request.body for request in server.requests]
        assert {body["query"]: body["documents"] for body in bodies} == {
            "q": TEXTS[:5], "r": TEXTS[:2], "s": TEXTS[4:7]
        }  # fmt: skip
        assert encoder.score("r", TEXTS[:2]).tolist() == expected[5:7]
        assert estimate_reranking(questions, texts, COUNTER, asked.settings).requests == 3
    assert fake.billed == dict.fromkeys(pairs, 1)


_WORDS = st.text(st.characters(codec=None), max_size=6)


@settings(max_examples=80, deadline=None)
@given(
    texts=st.lists(_WORDS, max_size=12),
    plan=st.lists(st.sampled_from([*PASSING, *FATAL, *NO_FAULT]), max_size=25),
    batch=st.integers(1, 4),
    concurrency=st.integers(1, 3),
    retries=st.integers(0, 2),
)
def test_whatever_goes_wrong_nothing_is_lost_or_billed_twice(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    texts: list[str],
    plan: list[str],
    batch: int,
    concurrency: int,
    retries: int,
):
    cache = VectorCache(tmp_path_factory.mktemp("cache") / "v.sqlite3")
    fake = FakeEmbeddings(plan, token=KEY)
    told = ""
    with FakeEndpoint(fake) as server:
        for _run in range(len(plan) + 1):
            asked = client(server.url, batch=batch, concurrency=concurrency, retries=retries)
            embedder = CachedEmbedder(EndpointEmbedder(asked), cache)
            billed = fake.billed.total()
            missing = embedder.missing(texts)
            try:
                vectors = embedder.embed(texts)
            except EndpointError as error:
                told += "".join(traceback.format_exception(error))
                # Whatever was answered in this run is in the cache, and nothing else is.
                sent = [one for one in missing if one and not one.isspace()]
                left = [one for one in embedder.missing(texts) if one and not one.isspace()]
                assert len(sent) - len(left) == fake.billed.total() - billed
            else:
                break
        assert_or_empty(vectors, texts)
    distinct = {one for one in texts if one and not one.isspace()}
    expected: dict[str, int] = {}
    for one in distinct:
        expected[sendable(one)] = expected.get(sendable(one), 0) + 1
    assert fake.billed == expected
    cache.close()
    kept = b"".join(path.read_bytes() for path in cache.path.parent.iterdir())
    assert KEY not in told
    assert KEY.encode() not in kept


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=12, unique=True),
    plan=st.lists(st.sampled_from([*PASSING, *NO_FAULT]), max_size=12),
    share=st.floats(0, 1.5),
    batch=st.integers(1, 4),
    concurrency=st.integers(1, 3),
)
def test_no_request_is_made_that_could_exceed_the_cap(
    *, texts: list[str], plan: list[str], share: float, batch: int, concurrency: int
):
    tokens = dict(zip(texts, COUNTER.count(texts), strict=True))
    cap = share * sum(tokens.values()) / 1e6
    fake = FakeEmbeddings(plan, reports=False)
    worked = 0

    def reply(request) -> Answer:
        nonlocal worked
        before = fake.billed.total() + fake.spoiled
        answer = fake(request)
        if fake.billed.total() + fake.spoiled > before:
            worked += sum(map(tokens.__getitem__, request.body["input"]))
        return answer

    with FakeEndpoint(lambda request: locked(reply, request)) as server:
        asked = client(
            server.url, batch=batch, concurrency=concurrency, price_in=1.0, max_cost=cap, retries=9
        )
        ended: EndpointError | None = None
        try:
            EndpointEmbedder(asked).embed(texts)
        except EndpointError as error:
            ended = error
    # Ten faults at one lot are the other way to end.
    if len(plan) < 10:
        assert ended is None or isinstance(ended, CostLimitError)
    if isinstance(ended, CostLimitError):
        assert ended.spent + ended.following > 0.999999 * cap
    # What the endpoint worked for, whether its answer came whole or not.
    spent = asked.meter.usage + asked.meter.lost
    assert spent.tokens_in == worked
    assert worked / 1e6 <= cap


_ONE_AT_A_TIME = threading.Lock()


def locked(reply: Callable[[object], Answer], request: object) -> Answer:
    with _ONE_AT_A_TIME:
        return reply(request)


def assert_or_empty(vectors: np.ndarray, texts: list[str]) -> None:
    if any(one and not one.isspace() for one in texts):
        assert_units(vectors, [sendable(one) for one in texts])
    else:
        # No answer ever told the length.
        assert vectors.shape == (len(texts), 0)


def test_no_key_is_told_anywhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    caplog.set_level(0)
    cache = VectorCache(tmp_path / "v.sqlite3")
    errors = []
    with FakeEndpoint(FakeEmbeddings([*FATAL, *PASSING], token=KEY)) as server:
        asked = client(server.url, batch=1, concurrency=1, retries=0)
        for _ in [*FATAL, *PASSING]:
            with pytest.raises(EndpointError) as raised:
                CachedEmbedder(EndpointEmbedder(asked), cache).embed(["a"])
            errors += traceback.format_exception(raised.value)
        CachedEmbedder(EndpointEmbedder(asked), cache).embed(["a"])
        assert all(
            request.headers["Authorization"] == f"Bearer {KEY}" for request in server.requests
        )
    said = capfd.readouterr()
    everything = "".join(
        [*errors, caplog.text, said.out, said.err, repr(asked), repr(asked.settings), repr(cache)]
    )
    assert KEY not in everything
    cache.close()
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes()
    assert "[key]" in everything


def test_vectors_of_the_fake_are_all_different():
    assert len({tuple(vector_of(one)) for one in TEXTS}) == len(TEXTS)
