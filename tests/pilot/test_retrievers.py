"""A and B under retrievers of their own: models at work, explained, and endpoints asked about."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fake_embeddings import FakeEmbeddings
from fake_endpoint import FakeEndpoint
from inspector_driver import A, B, Driver, Start
from onnx_models import write_model

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.widgets.setting_fields import ChoiceSetting


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def model(tmp_path: Path) -> str:
    folder = tmp_path / "tiny"
    write_model(folder, limit=8)
    return f"dense:{folder}"


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with FakeEndpoint(FakeEmbeddings()) as made:
        yield made


def take(driver: Driver, variant: str, kind: str) -> None:
    driver.main.query_one(f"#retriever-kind-{variant}", ChoiceSetting).take(kind)


def by_endpoint(configuration: Configuration, url: str) -> Configuration:
    settings = replace(configuration.retriever, kind="openai:harbour", base_url=url)
    return replace(configuration, retriever=settings)


def retrieved(driver: Driver, variant: str, question: int = 0) -> list[int]:
    numbers = driver.session.numbers
    assert numbers is not None
    return [one.chunk for one in numbers.evaluations[variant].questions[question].retrieved]


async def asked(driver: Driver) -> None:
    """Wait for the question whether texts may be sent, drawn whole."""
    await driver.until(lambda: driver.app.screen.id == "confirm-send")
    await driver.until(lambda: "Escape" in driver.words("#confirm"))


async def test_b_may_have_another_retriever_than_a(start: Start, model: str) -> None:
    async with start(a=A, b=A, size=(200, 60)) as driver:
        before = retrieved(driver, "A")
        assert retrieved(driver, "B") == before
        take(driver, "B", model)
        await driver.settle()
        assert driver.session.configurations["A"].retriever.kind == "bm25"
        assert driver.session.configurations["B"].retriever.kind == model
        assert retrieved(driver, "A") == before
        chunks = driver.session.numbers.evaluations["B"].statistics.count
        assert len(retrieved(driver, "B")) == min(chunks, max(A.retriever.k))
        said = driver.words("#caution") + driver.words("#warnings")
        assert "tokens that" in said
        assert "reads: it cuts off what comes after them" in said
        # What ranked is told by its similarity; words are not marked for it.
        await driver.press("2", "x")
        await driver.settle()
        assert driver.main.terms
        for (variant, _chunk), parts in driver.main.terms.items():
            if variant == "B":
                assert [name for name, _share in parts] == ["similarity to the question"]
        # The choice is taken back like any other.
        await driver.press("u")
        await driver.settle()
        assert driver.session.configurations["B"].retriever.kind == "bm25"
        assert retrieved(driver, "B") == before


async def test_hybrid_is_explained_by_ranks(start: Start) -> None:
    async with start(a=A, b=A, size=(200, 60)) as driver:
        take(driver, "B", "hybrid")
        await driver.settle()
        assert driver.main.query_one("#retriever-fuse-B").value == "bm25, static"
        await driver.press("x")
        await driver.settle()
        names = [
            name
            for (variant, _chunk), parts in driver.main.terms.items()
            for name, _share in parts
            if variant == "B"
        ]
        assert names
        assert all(name.startswith(("bm25 rank ", "static rank ")) for name in names)


async def test_a_model_that_is_not_here_is_refused_beside_its_field(start: Start) -> None:
    async with start(a=A, b=B, size=(200, 60)) as driver:
        take(driver, "B", "dense:no-such-model")
        await driver.settle()
        assert driver.session.configurations["B"].retriever.kind == "bm25"
        assert "no-such-model" in driver.words("#reason-retriever")


async def test_nothing_is_sent_before_it_is_agreed_to(start: Start, endpoint: FakeEndpoint) -> None:
    async with start(a=A, b=A, size=(120, 40)) as driver:
        settings = driver.session.configurations["B"].retriever
        changed = by_endpoint(driver.session.configurations["B"], endpoint.url)
        assert settings.kind == "bm25"
        driver.main.change("B", changed)
        await asked(driver)
        said = driver.words("#confirm")
        assert f"openai:harbour at {endpoint.url}" in said
        assert "tokens" in said
        assert endpoint.requests == []
        await driver.pilot.press("n")
        await driver.until(lambda: driver.app.screen is driver.main)
        assert endpoint.requests == []
        assert driver.session.stale
        assert "nothing was sent" in " ".join(driver.toasts())
        # Asked again by the next change; agreed to, it is measured.
        driver.main.request()
        await asked(driver)
        await driver.pilot.press("y")
        await driver.until(lambda: not driver.session.stale)
        await driver.settle()
        assert endpoint.requests
        sent = [text for request in endpoint.requests for text in request.body["input"]]
        assert len(sent) == len(set(sent))
        chunks = driver.session.numbers.evaluations["B"].statistics.count
        assert len(retrieved(driver, "B")) == min(chunks, max(A.retriever.k))


async def test_reranking_by_an_endpoint_is_asked_about_too(
    start: Start, endpoint: FakeEndpoint
) -> None:
    async with start(a=A, b=A, size=(120, 40)) as driver:
        settings = replace(A.retriever, rerank="openai:judge", base_url=endpoint.url)
        driver.main.change("B", replace(A, retriever=settings))
        await asked(driver)
        assert f"openai:judge at {endpoint.url}: at most" in driver.words("#confirm")
        assert endpoint.requests == []
        await driver.pilot.press("y")
        await driver.until(lambda: not driver.session.stale)
        await driver.settle()
        assert {request.path for request in endpoint.requests} == {"/v1/rerank"}


async def test_a_sweep_asks_each_time_for_what_is_new(start: Start, endpoint: FakeEndpoint) -> None:
    a = by_endpoint(A, endpoint.url)
    async with start(a=a, b=a, size=(120, 40), settle=False) as driver:
        await asked(driver)
        await driver.pilot.press("y")
        await driver.until(lambda: not driver.session.stale)
        await driver.settle()
        count = len(endpoint.requests)
        await driver.pilot.press("3", "r")
        await asked(driver)
        assert len(endpoint.requests) == count
        await driver.pilot.press("n")
        await driver.until(lambda: driver.app.screen is driver.main)
        await driver.settle()
        assert len(endpoint.requests) == count
        assert driver.main.sweep_rows == ()
        await driver.pilot.press("r")
        await asked(driver)
        await driver.pilot.press("y")
        await driver.until(lambda: driver.session.sweep is not None)
        await driver.settle()
        assert len(endpoint.requests) > count
        sent = [text for request in endpoint.requests for text in request.body["input"]]
        assert len(sent) == len(set(sent))


async def test_nothing_retrieved_is_not_put_down_to_words(start: Start) -> None:
    settings = replace(A.retriever, kind="own_samples:nothing")
    whole = replace(A, splitter=replace(A.splitter, size=400), retriever=settings)
    async with start(a=whole, b=A, size=(200, 60)) as driver:
        await driver.press("2", "x")
        await driver.settle()
        said = driver.words("#retrieved-verdict-A")
        assert said.endswith("missed · evidence, no rank: scores nothing")
        assert retrieved(driver, "A") == []
