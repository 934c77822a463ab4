import random
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable

import pytest
from fake_endpoint import Answer, FakeEndpoint, in_turn, said

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.endpoint.client import Client, Reply
from chunkscope.endpoint.cost import Meter, Usage, cost
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.limits import LONGEST_WAIT, Pace, backoff, pause
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.endpoint.transport import without_secrets
from chunkscope.endpoint.workers import run_jobs
from chunkscope.errors import InputError

KEY = "sk-test-0123456789abcdef"
ASK = [{"role": "user", "content": "Hello?"}]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def client(url: str, waits: list[float] | None = None, **settings: object) -> Client:
    made = EndpointSettings(url, "some-model", **settings)  # type: ignore[arg-type]
    return Client(made, sleep=(waits if waits is not None else []).append, seed=7)


def failure(answer: Answer, **settings: object) -> tuple[str, int]:
    """What is raised, with all that is printed of it, and the number of requests."""
    with FakeEndpoint(in_turn(answer)) as server:
        with pytest.raises(EndpointError) as raised:
            client(server.url, **settings).chat(ASK, max_tokens=5)
        whole = "".join(traceback.format_exception(raised.value))
        assert KEY not in whole
        assert raised.value.exit_code == 2
        return str(raised.value).replace(server.url, "URL"), len(server.requests)


def test_a_chat_is_one_request():
    with FakeEndpoint(in_turn(said("Hi.", 12, 3))) as server:
        asked = client(server.url + "/")
        assert asked.chat(ASK, max_tokens=5) == Reply("Hi.", Usage(1, 12, 3), "fake-1")
        (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "some-model", "messages": ASK, "max_tokens": 5, "temperature": 0.0, "seed": 7,
    }  # fmt: skip
    assert asked.meter.usage == Usage(1, 12, 3)


def test_without_a_key_none_is_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with FakeEndpoint(in_turn(said("Hi."))) as server:
        client(server.url).chat(ASK, max_tokens=5)
        assert "Authorization" not in server.requests[0].headers


def test_proxies_of_the_environment_are_not_used_for_this_machine(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with FakeEndpoint(in_turn(said("Hi."))) as server:
        assert client(server.url).chat(ASK, max_tokens=5).text == "Hi."


def test_an_empty_answer_is_empty_and_a_cut_one_says_so():
    with FakeEndpoint(in_turn(said(None), said("Half", finish_reason="length"))) as server:
        asked = client(server.url)
        assert (asked.chat(ASK, max_tokens=5).text, asked.chat(ASK, max_tokens=5).cut) == ("", True)


def test_what_may_pass_is_tried_again_with_growing_waits():
    answers = (
        Answer({}, 500),
        Answer(b"not json"),
        Answer({"choices": []}),
        Answer({}, hang_up=True),
        said("Hi."),
    )
    waits: list[float] = []
    with FakeEndpoint(in_turn(*answers)) as server:
        assert client(server.url, waits).chat(ASK, max_tokens=5).text == "Hi."
        assert len(server.requests) == 5
    assert [0.25 * 2**n <= wait <= 0.5 * 2**n for n, wait in enumerate(waits)] == [True] * 4


def test_what_the_endpoint_asks_to_wait_is_waited():
    waits: list[float] = []
    busy = Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "17"})
    with FakeEndpoint(in_turn(busy, said("Hi."))) as server:
        client(server.url, waits).chat(ASK, max_tokens=5)
    assert waits == [17.0]


def test_tries_end_and_the_last_failure_is_told():
    message, requests = failure(Answer({"error": {"message": "overloaded"}}, 503), retries=2)
    assert requests == 3
    assert message == (
        "endpoint URL, model some-model: answers HTTP 503: overloaded (tried 3 times)"
    )


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer({"error": {"message": f"Incorrect API key provided: {KEY}"}}, 401),
         "answers HTTP 401: Incorrect API key provided: [key]; check the key in the environment"),
        (Answer({"detail": "no such model"}, 404), "answers HTTP 404: no such model"),
        (Answer(b"<html>Bad</html>", 400), "answers HTTP 400"),
        (Answer(b"", 307, {"Location": "http://127.0.0.1:1/v1"}),
         "answers HTTP 307; redirects are not followed: give the address it leads to"),
    ],
)  # fmt: skip
def test_what_stays_as_it_is_is_not_tried_again(answer, message):
    told, requests = failure(answer)
    assert (told, requests) == (f"endpoint URL, model some-model: {message}", 1)


def test_an_answer_that_never_ends_is_given_up():
    stall = threading.Event()
    answer = said("Hi.")
    answer.stall = stall
    try:
        message, _ = failure(answer, timeout=0.2, retries=0)
    finally:
        stall.set()
    assert "no whole answer within 0.2 seconds" in message


def test_nobody_there():
    with FakeEndpoint(in_turn(said("Hi."))) as server:
        url = server.url
    waits: list[float] = []
    made = Client(EndpointSettings(url, "some-model", retries=5), sleep=waits.append)
    with pytest.raises(EndpointError, match=r"cannot be reached .*nobody listens there; start it"):
        made.chat(ASK, max_tokens=5)
    # Nobody was ever there: it is not waited for.
    assert waits == []


def test_a_server_that_was_there_is_waited_for():
    waits: list[float] = []
    with FakeEndpoint(in_turn(said("Hi."))) as server:
        made = Client(EndpointSettings(server.url, "some-model", retries=2), sleep=waits.append)
        assert made.chat(ASK, max_tokens=5).text == "Hi."
    with pytest.raises(EndpointError, match=r"nobody listens there.*\(tried 3 times\)"):
        made.chat(ASK, max_tokens=5)
    assert len(waits) == 2


def test_embeddings_come_in_batches_and_in_order():
    def reply(request):
        data = [
            {"index": n, "embedding": [float(len(text)), 1]}
            for n, text in enumerate(request.body["input"])
        ]
        return Answer({"data": data[::-1], "usage": {"prompt_tokens": len(data)}})

    with FakeEndpoint(reply) as server:
        asked = client(server.url, batch=2, concurrency=1)
        assert asked.embed(["a", "bb", "ccc", "dddd", "eeeee"]) == [
            [1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0], [5.0, 1.0]
        ]  # fmt: skip
        assert [request.body["input"] for request in server.requests] == [
            ["a", "bb"], ["ccc", "dddd"], ["eeeee"]
        ]  # fmt: skip
        assert asked.meter.usage == Usage(3, 5, 0)
        assert asked.embed([]) == []


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"data": [{"embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0]}]},
    ],
)
def test_vectors_that_are_none_are_refused(body):
    with (
        FakeEndpoint(in_turn(Answer(body))) as server,
        pytest.raises(EndpointError, match="vector"),
    ):
        client(server.url, retries=1).embed(["a", "b"])


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://host/v1", "not a usable address"),
        ("http://", "not a usable address"),
        ("http://host:99999999/v1", "not a usable address"),
        ("http://ho st/v1", "not a usable address"),
        ("https://user:hunter22@host/v1", "holds a user or password"),
        ("https://host/v1?key=hunter22", "has a \\? or # part"),
    ],
)
def test_addresses_that_are_refused(url, message):
    with pytest.raises(InputError, match=message) as raised:
        EndpointSettings(url, "m")
    assert "hunter22" not in str(raised.value)


def test_a_key_travels_encrypted_or_within_this_machine_only(monkeypatch):
    with pytest.raises(InputError, match="unencrypted") as raised:
        client("http://192.0.2.1/v1").chat(ASK, max_tokens=5)
    assert KEY not in str(raised.value)
    monkeypatch.setenv("OPENAI_API_KEY", "two\nlines")
    with pytest.raises(InputError, match="holds characters no key has"):
        client("https://192.0.2.1/v1").chat(ASK, max_tokens=5)


@pytest.mark.parametrize(
    "settings", [{"model": " "}, {"timeout": 0}, {"batch": 0}, {"retries": -1}]
)
def test_settings_that_are_refused(settings):
    with pytest.raises(InputError):
        EndpointSettings(**{"url": "http://localhost/v1", "model": "m", **settings})


def test_secrets_are_taken_out_of_messages():
    assert without_secrets(f"bad {KEY}!", KEY) == "bad [key]!"
    assert without_secrets("got Bearer abcdefgh and sk-abc*****xyz", "") == "got [key] and [key]"
    assert without_secrets("a key to the door", "") == "a key to the door"


def test_waits_double_up_to_a_limit_and_keep_to_what_is_asked():
    chance = random.Random(1)
    for tries, low in ((1, 0.25), (2, 0.5), (5, 4.0), (30, 30.0)):
        assert low <= backoff(tries, None, chance) <= 2 * low
    assert backoff(1, 20.0, chance) == 20.0
    assert backoff(1, 9999.0, chance) == LONGEST_WAIT


def test_no_more_requests_begin_within_a_minute_than_are_let():
    now = [0.0]
    begun: list[float] = []

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace = Pace(3, clock=lambda: now[0], sleep=sleep)
    for _ in range(7):
        pace.wait()
        begun.append(now[0])
        now[0] += 1
    assert begun == [0, 1, 2, 60, 61, 62, 120]


def test_a_raised_cancel_ends_a_wait():
    token = CancelToken()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        token.cancel()

    with pytest.raises(CancelledError):
        pause(100, sleep, token)
    assert slept == [0.1]


def test_costs_are_known_with_the_prices_they_need_only():
    settings = EndpointSettings("http://localhost/v1", "m", price_in=2.0, price_out=8.0)
    assert cost(Usage(3, 1_000_000, 500_000), settings) == 6.0
    sending = EndpointSettings("http://localhost/v1", "m", price_in=2.0)
    assert cost(Usage(1, 1, 1), sending) is None
    assert cost(Usage(1, 3_000_000), sending) == 6.0
    assert cost(Usage(), sending) == 0.0
    assert cost(Usage(), EndpointSettings("http://localhost/v1", "m", price_out=2.0)) is None
    meter = Meter()
    meter.add(Usage(1, 2, 3))
    meter.add(Usage(1, 20, 30))
    assert meter.usage == Usage(2, 22, 33)


def in_order(count: int) -> Callable[[], int | None]:
    numbers = iter(range(count))
    return lambda: next(numbers, None)


def test_jobs_run_a_few_at_once_and_all_are_done():
    lock, running, most = threading.Lock(), [0], [0]
    together = threading.Barrier(3, timeout=5)

    def work(job: int) -> int:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait()
        with lock:
            running[0] -= 1
        return job * job

    found = dict(run_jobs(in_order(9), work, 3))
    assert found == {n: n * n for n in range(9)}
    assert most[0] == 3


def test_a_job_that_fails_is_told_and_further_ones_are_not_begun():
    begun = []

    def work(job: int) -> int:
        begun.append(job)
        if job == 2:
            raise EndpointError("no")
        return job

    with pytest.raises(EndpointError):
        list(run_jobs(in_order(100), work, 1))
    assert begun == [0, 1, 2]


def test_whoever_has_no_job_for_now_is_asked_again():
    done: list[int] = []
    waiting = [3, 2, 1]

    def take() -> int | None:
        free = len(done) + len(waiting) == 3
        return waiting.pop() if waiting and free else None

    found = run_jobs(take, abs, 3)
    for job, result in found:
        assert job == result
        done.append(job)
    assert done == [1, 2, 3]


def test_nothing_of_http_is_loaded_before_a_call():
    code = (
        "import sys, chunkscope.endpoint.client\n"
        "print([name for name in ('urllib.request', 'http.client', 'ssl', 'httpx') "
        "if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
