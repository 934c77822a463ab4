"""Lots, the cap on costs, paces, and jobs of which one fails."""

import threading
from collections.abc import Callable, Iterable
from email.message import Message
from itertools import pairwise
from typing import TypeVar

import pytest
from fake_embeddings import FakeEmbeddings, vector_of
from fake_endpoint import Answer, FakeEndpoint, Request, in_turn
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Meter, Usage, cost, described
from chunkscope.endpoint.errors import CostLimitError, EndpointError
from chunkscope.endpoint.limits import Pace
from chunkscope.endpoint.lots import Lots, cut_lots, most_tokens, sendable
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.endpoint.transport import wait_of
from chunkscope.endpoint.workers import run_all
from chunkscope.errors import InputError

T = TypeVar("T")


def settings(url: str = "http://localhost/v1", **more: object) -> EndpointSettings:
    return EndpointSettings(url, "m", **{"price_in": 1.0, **more})  # type: ignore[arg-type]


def in_order(count: int) -> Callable[[], int | None]:
    numbers = iter(range(count))
    return lambda: next(numbers, None)


def collect(results: Iterable[T], into: list[T]) -> None:
    """What came before an exception stays in the list."""
    for result in results:
        into.append(result)  # noqa: PERF402 - so it is certain that each is there at once


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 6), st.integers(1, 40))
def test_lots_hold_every_text_once_and_are_as_long_as_they_may_be(
    tokens: list[int], texts: int, most: int
):
    lots = list(cut_lots(tokens, texts, most))
    assert list(cut_lots(tokens, texts, most, ["q"] * len(tokens))) == lots
    assert [place for lot in lots for place in lot] == list(range(len(tokens)))
    for lot in lots:
        assert 1 <= len(lot) <= texts
        assert len(lot) == 1 or sum(tokens[place] for place in lot) <= most
        if lot.stop < len(tokens):
            longer = sum(tokens[lot.start : lot.stop + 1])
            assert len(lot) == texts or longer > most


@given(st.lists(st.sampled_from("qrs")), st.integers(1, 4))
def test_a_lot_holds_texts_of_one_question(questions: list[str], texts: int):
    lots = list(cut_lots([1] * len(questions), texts, 100, questions))
    assert [place for lot in lots for place in lot] == list(range(len(questions)))
    for lot, following in pairwise([*lots, range(0)]):
        assert len({questions[place] for place in lot}) == 1
        full = len(lot) == texts
        assert full or not following or questions[lot.start] != questions[following.start]


@given(st.text(st.characters(codec=None), max_size=20))
def test_what_is_sent_is_utf_8(text: str):
    sent = sendable(text)
    assert sent.encode("utf-8").decode("utf-8") == sent
    assert len(most_tokens([text])) == 1
    assert most_tokens([text])[0] >= len(sent.encode("utf-8"))


def test_halves_of_pairs_are_joined_or_replaced():
    assert sendable("\ud83d\ude80 \ud83d") == "\U0001f680 \ufffd"


def test_the_cap_counts_what_is_under_way_and_what_may_be_billed():
    meter, capped = Meter(), settings(max_cost=10e-6)
    first = meter.hold(Usage(1, 4), capped)
    second = meter.hold(Usage(1, 4), capped)
    with pytest.raises(CostLimitError) as raised:
        meter.hold(Usage(1, 3), capped)
    assert str(raised.value) == (
        "max cost: 8e-06 is spent, the next request may cost 3e-06, the most is 1e-05; what came "
        "is kept: give more, and run again to go on"
    )
    told = (raised.value.spent, raised.value.following, raised.value.limit)
    assert told == pytest.approx((8e-6, 3e-6, 10e-6))
    assert raised.value.exit_code == 2
    # Exactly the most is not more than it.
    third = meter.hold(Usage(1, 2), capped)
    meter.release(first, billed=True)
    meter.release(second, billed=False)
    meter.settle(third, Usage(1, 2), Usage(1, 2))
    assert (meter.usage, meter.lost) == (Usage(1, 2), Usage(1, 4))
    meter.hold(Usage(1, 4), capped)
    with pytest.raises(CostLimitError):
        meter.hold(Usage(1, 1), capped)


def test_an_endpoint_that_counts_more_than_we_is_taken_to_do_so_again():
    meter, capped = Meter(), settings(max_cost=100e-6)
    meter.settle(meter.hold(Usage(1, 10), capped), Usage(1, 10), Usage(1, 15))
    assert meter.hold(Usage(1, 10), capped).tokens_in == 15
    meter.settle(meter.hold(Usage(1, 10), capped), Usage(1, 10), Usage(1, 1))
    assert meter.hold(Usage(1, 10), capped).tokens_in == 10


def test_what_no_endpoint_reports_is_said_to_be_our_count():
    meter = Meter()
    meter.settle(meter.hold(Usage(1, 1200), settings()), Usage(1, 1200), Usage(1))
    assert meter.usage == Usage(1, 1200, 0, 1200)
    assert described(meter.usage, settings()) == (
        "1 request, 1,200 tokens sent by our count, cost 0.0012"
    )
    meter.settle(meter.hold(Usage(1, 300), settings()), Usage(1, 300), Usage(1, 300))
    assert described(meter.usage, settings(price_in=None)) == (
        "2 requests, 1,500 tokens sent, 1,200 of them by our count, cost unknown without a price"
    )


def test_without_a_cap_nothing_is_refused():
    meter = Meter()
    assert meter.hold(Usage(1, 10**12), settings()).tokens_in == 10**12
    assert cost(Usage(1, 10**12), settings()) == 1e6


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"max_cost": 1.0, "price_in": None}, "max_cost: needs the price of tokens sent"),
        ({"max_cost": -1.0}, "max_cost: -1.0; give 0 or more"),
        ({"price_in": float("nan")}, "price_in: nan; give a number"),
        ({"max_cost": float("inf")}, "max_cost: inf; give a number"),
        ({"tokens_per_request": 0}, "tokens_per_request: 0; give more than 0"),
        ({"tokens_per_minute": -1}, "tokens_per_minute: -1; give 0 or more"),
        ({"context_limit": 0}, "context_limit: 0; give 1 or more"),
    ],
)
def test_limits_that_are_refused(more: dict[str, object], told: str):
    with pytest.raises(InputError, match=told):
        settings(**more)


def test_the_cap_stops_before_the_request_and_keeps_what_came():
    fake = FakeEmbeddings()
    texts = [f"text {number}" for number in range(10)]
    with FakeEndpoint(fake) as server:
        # Three tokens a text, two texts a request, six a request: two of them fit into 15.
        asked = Client(settings(server.url, batch=2, concurrency=1, max_cost=15e-6))
        found: list[tuple[range, list[list[float]]]] = []
        with pytest.raises(CostLimitError, match=r"max cost: 1.2e-05 is spent"):
            collect(asked.embed_lots(texts, [3] * 10), found)
        assert found == [
            (range(2), [vector_of(text) for text in texts[:2]]),
            (range(2, 4), [vector_of(text) for text in texts[2:4]]),
        ]
        assert len(server.requests) == 2
    assert (asked.meter.usage, asked.meter.lost) == (Usage(2, 12), Usage())


def test_a_request_that_alone_costs_too_much_is_not_made():
    with FakeEndpoint(FakeEmbeddings()) as server:
        asked = Client(settings(server.url, max_cost=2e-6))
        with pytest.raises(CostLimitError, match="max cost: 0 is spent"):
            asked.embed(["three bytes at least"])
        assert server.requests == []


def test_a_spoiled_answer_counts_and_its_second_try_has_to_fit():
    fake = FakeEmbeddings(["cut"])
    with FakeEndpoint(fake) as server:
        asked = Client(settings(server.url, max_cost=5e-6), sleep=lambda _: None)
        with pytest.raises(CostLimitError, match=r"max cost: 3e-06 is spent"):
            list(asked.embed_lots(["a"], [3]))
        assert len(server.requests) == 1
    assert asked.meter.lost == Usage(1, 3)


def test_no_more_tokens_begin_within_a_minute_than_are_let():
    now = [0.0]
    begun: list[float] = []

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(0, 100, clock=lambda: now[0], sleep=sleep)
    for tokens in (60, 40, 30, 500, 10):
        pace.wait(tokens=tokens)
        begun.append(now[0])
        now[0] += 1
    # The fourth is larger than a minute has, and has one for itself.
    assert begun == [0, 1, 60, 120, 180]


def test_a_client_keeps_to_its_pace():
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    with FakeEndpoint(FakeEmbeddings()) as server:
        asked = Client(
            settings(server.url, batch=1, tokens_per_minute=5, concurrency=1),
            sleep=sleep, clock=lambda: now[0],
        )  # fmt: skip
        list(asked.embed_lots(["a", "b", "c"], [3, 3, 3]))
        assert len(server.requests) == 3
    assert now[0] == pytest.approx(120.0)


def headers(**given: str) -> Message:
    made = Message()
    for name, value in given.items():
        made[name.replace("_", "-")] = value
    return made


@pytest.mark.parametrize(
    ("given", "wait"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"Retry_After": "-7"}, 0.0),
        ({"Retry_After": "soon"}, None),
        ({"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "1m3s"}, 63.0),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "12ms"}, 0.012),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "1h0m2.5s"}, 3602.5),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "9"}, 9.0),
        ({"x_ratelimit_remaining_tokens": "0", "x_ratelimit_reset_tokens": "a day"}, None),
        ({"x_ratelimit_remaining_tokens": "5", "x_ratelimit_reset_tokens": "6m"}, None),
        ({"x_ratelimit_remaining_tokens": "0"}, None),
        ({}, None),
    ],
)
def test_how_long_an_endpoint_asks_to_wait(given: dict[str, str], wait: float | None):
    assert wait_of(headers(**given)) == (None if wait is None else pytest.approx(wait))


def test_what_comes_beside_a_failure_is_given_before_it():
    begun = threading.Barrier(3, timeout=5)
    given: list[tuple[int, int]] = []

    def work(job: int, stop: CancelToken) -> int:
        begun.wait()
        if job == 1:
            raise EndpointError("no")
        while not stop.cancelled:
            pass
        return -job

    with pytest.raises(EndpointError, match="no"):
        collect(run_all(in_order(100), work, 3), given)
    assert sorted(given) == [(0, 0), (2, -2)]


def test_a_failure_ends_what_only_waits():
    waits = threading.Event()

    def work(job: int, stop: CancelToken) -> int:
        if job == 0:
            waits.wait(5)
            raise EndpointError("no")
        waits.set()
        while True:
            stop.check()

    with pytest.raises(EndpointError, match="no"):
        list(run_all(in_order(2), work, 2))


def test_a_raised_cancel_waits_for_what_is_under_way():
    cancel = CancelToken()

    def work(job: int, _stop: CancelToken) -> int:
        cancel.cancel()
        return job

    given: list[tuple[int, int]] = []
    with pytest.raises(CancelledError):
        collect(run_all(in_order(9), work, 1, cancel), given)
    assert given == [(0, 0)]


def test_a_refusal_ends_the_tries_beside_it():
    refused = threading.Event()

    class Watching(Meter):
        def release(self, held: Usage, *, billed: bool) -> None:
            super().release(held, billed=billed)
            if held.tokens_in == 1:
                refused.set()

    def reply(request: Request) -> Answer:
        if request.body["input"] == ["refused"]:
            return Answer({"error": "no such model"}, 404)
        return Answer({"error": "busy"}, 429, {"Retry-After": "50"})

    def sleep(_seconds: float) -> None:
        assert refused.wait(10)

    with FakeEndpoint(reply) as server:
        asked = Client(settings(server.url, batch=1, retries=500), Watching(), sleep)
        with pytest.raises(EndpointError, match="no such model"):
            list(asked.embed_lots(["refused", "busy"], [1, 2]))
        assert len(server.requests) < 50


def refusing(status: int, said: str, refused: Callable[[list[str]], bool]) -> FakeEmbeddings:
    """Refuses some inputs, and embeds all others."""

    class Refusing(FakeEmbeddings):
        def __call__(self, request: Request) -> Answer:
            if refused(request.body["input"]):
                return Answer({"error": {"message": said}}, status)
            return super().__call__(request)

    return Refusing()


TOO_LONG = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"


def test_a_text_that_is_too_long_is_named_and_those_beside_it_are_not_lost():
    texts = ["a", "b", "c", "long\x1b text", "d", "e", "f"]
    fake = refusing(400, TOO_LONG, lambda sent: texts[3] in sent)
    given: list[tuple[range, object]] = []
    with FakeEndpoint(fake) as server:
        asked = Client(settings(server.url, concurrency=1))
        with pytest.raises(EndpointError) as raised:
            collect(asked.embed_lots(texts, [1, 1, 1, 9000, 1, 1, 1]), given)
        assert [request.body["input"] for request in server.requests] == [
            texts, texts[:4], texts[:2], texts[2:4], ["c"], [texts[3]]
        ]  # fmt: skip
        assert [places for places, _ in given] == [range(2), range(2, 3)]
        assert str(raised.value).replace(server.url, "URL") == (
            f"endpoint URL, model m: answers HTTP 400: {TOO_LONG}; the text has 9,000 tokens by "
            "our count and begins 'long\\x1b text': make chunks smaller"
        )
        # That one text was too long says nothing of how many it takes.
        list(asked.embed_lots(["g", "h", "i"], [1, 1, 1]))
        assert server.requests[-1].body["input"] == ["g", "h", "i"]
    assert asked.meter.lost == Usage()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (422, "Validation: batch size 64 > maximum allowed batch size 5"),
        (413, "Too many inputs"),
        (400, "Invalid 'input': array too long. Expected an array with maximum length 5"),
        (400, "documents must hold at most 5 elements"),
    ],
)
def test_an_endpoint_that_takes_fewer_texts_at_once_gets_fewer(status: int, said: str):
    fake = refusing(status, said, lambda sent: len(sent) > 5)
    texts = [f"text {number}" for number in range(30)]
    with FakeEndpoint(fake) as server:
        asked = Client(settings(server.url, batch=16, concurrency=1))
        assert asked.embed(texts) == [vector_of(text) for text in texts]
        # 16 and 8 are refused, 4 are taken.
        assert [len(request.body["input"]) for request in server.requests][:3] == [16, 8, 4]
        assert fake.billed == dict.fromkeys(texts, 1)
        before = len(server.requests)
        asked.embed(texts)
        assert [len(request.body["input"]) for request in server.requests[before:]] == [4] * 7 + [2]


@given(st.integers(1, 40), st.integers(1, 16), st.integers(1, 16), st.integers(1, 3))
def test_lots_are_halved_until_they_are_taken(texts: int, batch: int, limit: int, workers: int):
    lots = Lots(cut_lots([1] * texts, batch, 1000), batch)
    taken: list[int] = []
    refusals = 0
    under_way: list[range] = []
    while True:
        while len(under_way) < workers and (lot := lots.take()) is not None:
            under_way.append(lot)
        if not under_way:
            break
        lot = under_way.pop(0)
        if len(lot) > limit:
            refusals += 1
            lots.halve(lot, all_others=True)
        else:
            taken += lot
    assert sorted(taken) == list(range(texts))
    assert refusals <= 5 * workers


@pytest.mark.parametrize(
    ("status", "said", "named"),
    [
        (413, "inputs must have less than 512 tokens. Given: 600", True),
        (422, "Input validation error: `inputs` must have less than 512 tokens", True),
        (400, "the input is longer than the maximum of 512 tokens", True),
        (400, "unknown model", False),
        (404, "input too long", False),
    ],
)
def test_only_refusals_for_length_name_a_text(status: int, said: str, named: bool):
    with FakeEndpoint(in_turn(Answer({"error": said}, status))) as server:
        with pytest.raises(EndpointError) as raised:
            list(Client(settings(server.url)).embed_lots(["some text"], [600]))
        assert ("begins 'some text'" in str(raised.value)) is named
        assert raised.value.status == status
        assert len(server.requests) == 1
