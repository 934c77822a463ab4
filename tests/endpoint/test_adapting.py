"""Models that refuse settings of a chat get the chat without them."""

import pytest
from fake_endpoint import Answer, FakeEndpoint, Request, said

from chunkscope.endpoint.adapting import adapted
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.settings import EndpointSettings

ASKED = [{"role": "user", "content": "the seed of a temperature"}]
REFUSALS = {
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
    "'max_completion_tokens' instead.",
    "temperature": "Unsupported value: 'temperature' does not support 0.0 with this model.",
    "seed": "Extra inputs are not permitted: body.seed",
}


def picky(*refused: str):
    def reply(request: Request) -> Answer:
        for name in refused:
            if name in request.body:
                return Answer({"error": {"message": REFUSALS[name]}}, 400)
        return said("yes")

    return reply


@pytest.mark.parametrize("refused", [(), ("max_tokens",), ("temperature",), ("seed",),
                                     ("max_tokens", "temperature", "seed")])  # fmt: skip
def test_what_is_refused_is_left_out_from_then_on(refused):
    with FakeEndpoint(picky(*refused)) as server:
        client = Client(EndpointSettings(server.url, "m"))
        assert client.chat(ASKED, max_tokens=7).text == "yes"
        assert client.chat(ASKED, max_tokens=9).text == "yes"
        bodies = [request.body for request in server.requests]
    assert len(bodies) == len(refused) + 2
    for body, longest in zip(bodies[-2:], (7, 9), strict=True):
        kept = {"max_tokens": longest, "temperature": 0.0, "seed": 0}
        for name in refused:
            del kept[name]
        if "max_tokens" in refused:
            kept["max_completion_tokens"] = longest
        assert body == {"model": "m", "messages": ASKED, **kept}


@pytest.mark.parametrize(
    "answer",
    [
        Answer({"error": {"message": "no such model"}}, 400),
        Answer({"error": {"message": REFUSALS["seed"]}}, 404),
        Answer({"error": {"message": REFUSALS["max_tokens"].replace("_completion", "")}}, 400),
    ],
)
def test_any_other_refusal_is_final(answer):
    with FakeEndpoint(lambda _request: answer) as server:
        client = Client(EndpointSettings(server.url, "m"))
        with pytest.raises(EndpointError):
            client.chat(ASKED, max_tokens=7)
        assert len(server.requests) == 1


def test_an_endpoint_that_refuses_whatever_is_sent_is_given_up_on():
    everything = "max_completion_tokens, temperature, seed"
    with FakeEndpoint(lambda _request: Answer({"detail": everything}, 422)) as server:
        client = Client(EndpointSettings(server.url, "m"))
        with pytest.raises(EndpointError, match="HTTP 422"):
            client.chat(ASKED, max_tokens=7)
        assert len(server.requests) == 4


def test_a_setting_that_is_not_sent_cannot_be_left_out():
    error = EndpointError(REFUSALS["seed"], status=400)
    assert adapted({"model": "m"}, error) is None
    assert adapted({"seed": 1, "model": "m"}, error) == {"model": "m"}
