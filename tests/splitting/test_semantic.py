"""`semantic` against plain implementations of the published rules, over the same vectors."""

import itertools
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import semantic_samples
from covering import assert_covers, assert_in_order
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import texts

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError, MissingPackageError
from chunkscope.splitting import semantic_embedders
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.registry import check_settings, get_splitter
from chunkscope.splitting.semantic import Sentences
from chunkscope.splitting.semantic_clusters import MOST_SENTENCES, cluster_starts, mean_likeness
from chunkscope.splitting.sentences import sentence_starts
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import place_warnings
from chunkscope.text.document import Corpus, Document

HUGE = 10**9
OWN = SplitterSettings(
    kind="semantic", size=HUGE, overlap=0, unit="characters", embedder="semantic_samples:by_subject"
)

THRESHOLDS = ("percentile", "standard_deviation", "interquartile", "gradient")
AMOUNTS = {"percentile": 95, "standard_deviation": 3, "interquartile": 1.5, "gradient": 95}

stories = st.lists(
    st.builds(
        "{} {} {}.{}".format,
        st.sampled_from(("The", "A", "No")),
        st.sampled_from(semantic_samples.SUBJECTS),
        st.sampled_from((*semantic_samples.SUBJECTS, "stays", "is cold")),
        st.sampled_from((" ", "\n", "\n\n", "  ")),
    ),
    max_size=30,
).map("".join)


def chunks(text: str, settings: SplitterSettings) -> Cuts:
    prepared = get_splitter("semantic").prepare(text, settings)
    return prepared.cut(settings.size, settings.overlap_size)


def held(text: str, settings: SplitterSettings) -> list[str]:
    return chunks(text, settings).texts(text)


def bounds_of(text: str) -> np.ndarray:
    return np.array([*sentence_starts(text), len(text)], np.int64)


def distances_of(text: str, buffer: int) -> np.ndarray:
    embedder = semantic_embedders.get_embedder(OWN.embedder)
    return Sentences().distances(text, embedder, buffer, None)


def plain_distances(text: str, buffer: int) -> list[float]:
    """The published steps: sentences with their neighbours, embedded, each held to the next."""
    sentences = list(pairwise(bounds_of(text).tolist()))
    groups = [
        text[sentences[max(0, n - buffer)][0] : sentences[min(len(sentences) - 1, n + buffer)][1]]
        for n in range(len(sentences))
    ]
    vectors = semantic_samples.by_subject([group.strip() for group in groups])
    found = []
    for left, right in pairwise(vectors):
        dot = sum(a * b for a, b in zip(left, right, strict=True))
        lengths = sum(a * a for a in left) ** 0.5 * sum(b * b for b in right) ** 0.5
        found.append(1 - dot / lengths)
    return found


def published(text: str, distances: list[float], rule: str, amount: float) -> list[str]:
    """Chunks as the published loop makes them of the distances."""
    values = distances
    if rule == "gradient" and len(distances) > 1:
        values = np.gradient(distances).tolist()
    threshold = -np.inf
    if values and rule == "standard_deviation":
        threshold = np.mean(values) + amount * np.std(values)
    elif values and rule == "interquartile":
        first, third = np.percentile(values, [25, 75])
        threshold = np.mean(values) + amount * (third - first)
    elif values and (rule == "percentile" or len(values) > 1):
        threshold = np.percentile(values, amount)
    bounds = bounds_of(text).tolist()
    found, first_sentence = [], 0
    for n, value in enumerate(values):
        if value > threshold:
            found.append(text[bounds[first_sentence] : bounds[n + 1]].strip())
            first_sentence = n + 1
    last = text[bounds[first_sentence] :].strip()
    return [*found, last] if last else found


@given(stories, st.integers(0, 3))
def test_distances_are_those_of_sentences_with_their_neighbours(text: str, buffer: int):
    expected = plain_distances(text, buffer) if text else []
    np.testing.assert_allclose(distances_of(text, buffer) if text else [], expected, atol=1e-6)


@given(stories, st.sampled_from(THRESHOLDS), st.integers(0, 2), st.data())
def test_chunks_are_those_of_the_published_rules(
    text: str, rule: str, buffer: int, data: st.DataObject
):
    amount = data.draw(st.sampled_from(("default", 0, 0.5, 1, 50, 80.5, 100)))
    settings = replace(OWN, breakpoint=rule, breakpoint_amount=amount, buffer=buffer)
    check_settings(settings)
    used = AMOUNTS[rule] if amount == "default" else amount
    distances = distances_of(text, buffer).tolist() if text else []
    assert held(text, settings) == published(text, distances, rule, used)


def test_a_change_of_subject_is_where_the_chunk_ends():
    text = "The boat left. The boat is out.\n\nBread is baked. The bread is warm."
    settings = replace(OWN, breakpoint_amount=90, buffer=0)
    assert held(text, settings) == [
        "The boat left. The boat is out.",
        "Bread is baked. The bread is warm.",
    ]


def best_grouping(vectors: np.ndarray, lengths: list[int], size: int) -> float:
    """The largest sum over every grouping there is: all of them are tried."""
    count = len(vectors)
    likeness = vectors @ vectors.T
    pairs = list(itertools.combinations(range(count), 2))
    mean = np.mean([likeness[pair] for pair in pairs]) if pairs else 0.0
    best = -np.inf
    for cuts in itertools.product((False, True), repeat=max(0, count - 1)):
        bounds = [0, *(n + 1 for n, cut in enumerate(cuts) if cut), count]
        groups = [range(*pair) for pair in pairwise(bounds)]
        if any(len(group) > 1 and sum(lengths[n] for n in group) > size for group in groups):
            continue
        best = max(best, grouping_sum(likeness - mean, groups))
    return best


def grouping_sum(likeness: np.ndarray, groups: list[range]) -> float:
    return sum(2 * likeness[a, b] for group in groups for a, b in itertools.combinations(group, 2))


@given(st.integers(1, 9), st.integers(0, 2**32), st.integers(1, 30))
def test_clusters_are_the_best_of_all_groupings(count: int, seed: int, size: int):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths = rng.integers(1, 12, count)
    starts = cluster_starts(vectors, lengths, size).tolist()
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    groups = [range(*pair) for pair in pairwise([*starts, count])]
    assert all(len(group) == 1 or sum(lengths[n] for n in group) <= size for group in groups)
    likeness = vectors @ vectors.T - mean_likeness(vectors)
    reached = grouping_sum(likeness, groups)
    assert reached == pytest.approx(best_grouping(vectors, lengths.tolist(), size), abs=1e-9)


def test_the_mean_likeness_is_that_of_every_two():
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.0, 0.0]])
    likeness = (vectors @ vectors.T)[np.triu_indices(4, 1)]
    assert mean_likeness(vectors) == pytest.approx(float(likeness.mean()))
    assert mean_likeness(vectors[:1]) == 0.0


def test_a_cluster_has_a_largest_number_of_sentences():
    vectors = np.ones((2 * MOST_SENTENCES + 10, 1))
    vectors[::7] *= -1
    starts = cluster_starts(vectors, np.ones(len(vectors), np.int64), HUGE)
    assert np.diff([*starts.tolist(), len(vectors)]).max() <= MOST_SENTENCES


def test_clusters_keep_to_the_size():
    text = "The boat left. The boat is out. The boat came. Bread is baked. The bread is warm."
    settings = replace(OWN, breakpoint="cluster", size=47)
    assert held(text, settings) == [
        "The boat left. The boat is out. The boat came.",
        "Bread is baked. The bread is warm.",
    ]
    single = [f"{part}." for part in text.removesuffix(".").split(". ")]
    assert held(text, replace(settings, size=20)) == single


@given(
    texts,
    st.builds(
        lambda rule, size, overlap, unit, strip: replace(
            OWN, breakpoint=rule, size=size, overlap=min(overlap, size - 1), unit=unit, strip=strip
        ),
        st.sampled_from((*THRESHOLDS, "cluster")),
        st.integers(1, 60),
        st.integers(0, 12),
        st.sampled_from(("characters", "words", "tokens")),
        st.booleans(),
    ),
)
def test_nothing_is_lost_and_no_chunk_is_longer(text: str, settings: SplitterSettings):
    cuts = chunks(text, settings)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)
    if settings.unit == "characters":
        assert (cuts.ends - cuts.starts <= settings.size).all()
    elif settings.unit == "words":
        assert all(len(one.split()) <= settings.size for one in cuts.texts(text))


def test_a_chunk_longer_than_the_size_is_cut_further_and_counted():
    text = "The boat left. The boat is out. The boat came. Bread is baked."
    settings = replace(OWN, breakpoint_amount=90, buffer=0, size=32)
    cuts = chunks(text, settings)
    assert cuts.texts(text) == [
        "The boat left. The boat is out.",
        "The boat came.",
        "Bread is baked.",
    ]
    assert cuts.divided == 1
    assert boundary_reason(text, cuts, 1, settings) == (
        "the subject changes here by the embedder, or the size is reached; nothing repeated"
    )
    corpus = Corpus((Document("a.txt", text),))
    made = build_chunk_set(corpus, [cuts], settings, EnrichSettings())
    assert place_warnings(made) == [
        "size: 1 semantic chunk was longer than 32 and cut further at sentences"
    ]
    twice = replace(settings, dedupe=True)
    corpus = Corpus((Document("a.txt", text), Document("b.txt", text)))
    made = build_chunk_set(corpus, [cuts, cuts], twice, EnrichSettings())
    assert len(made) == 3
    said = [line for line in place_warnings(made) if line.startswith("size:")]
    assert said == ["size: 2 semantic chunks were longer than 32 and cut further at sentences"]


def test_sentences_are_embedded_once_for_every_threshold_and_size():
    semantic_samples.Counting.asked.clear()
    base = replace(OWN, embedder="semantic_samples:Counting", buffer=0)
    text = "The tide is low. Boats are here. Flour is in. The lamp is on."
    for rule, amount, size in (
        ("percentile", 50, 900),
        ("interquartile", 1, 40),
        ("percentile", 90, 7),
    ):
        chunks(text, replace(base, breakpoint=rule, breakpoint_amount=amount, size=size))
    assert semantic_samples.Counting.asked == [
        "The tide is low.", "Boats are here.", "Flour is in.", "The lamp is on."
    ]  # fmt: skip


def test_an_embedder_that_says_its_revision_is_asked_once_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = "The oven is hot. A lamp is lit."
    settings = replace(OWN, embedder="semantic_samples:Revised", buffer=0, breakpoint="cluster")
    found = []
    for _ in range(2):
        semantic_embedders.get_embedder.cache_clear()
        semantic_samples.Revised.asked.clear()
        found.append((held(text, settings), list(semantic_samples.Revised.asked)))
    semantic_embedders.get_embedder.cache_clear()
    assert found[0][0] == found[1][0]
    assert [one for one in found[0][1] if one != "word"] == ["The oven is hot.", "A lamp is lit."]
    assert [one for one in found[1][1] if one != "word"] == []


def test_static_vectors_part_what_is_of_another_subject():
    pytest.importorskip("wordllama", reason="the extra 'static' is not installed")
    text = (
        "The ship left the harbour. The crew hoisted the sails. The captain watched the waves. "
        "Add flour and butter to the bowl. Bake the cake in the oven. Let the bread cool."
    )
    settings = replace(OWN, embedder="static", breakpoint_amount=75, buffer=0)
    assert held(text, settings) == [text[: text.index(" Add")], text[text.index("Add") :]]


def test_the_command_is_named_where_the_package_is_missing(monkeypatch: pytest.MonkeyPatch):
    from chunkscope.embedding import static_model

    monkeypatch.setattr(static_model, "find_spec", lambda _name: None)
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[static\]'"):
        check_settings(replace(OWN, embedder="static"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"breakpoint": "median"}, "breakpoint: 'median' is not known; give one of percentile,"),
        ({"breakpoint_amount": -1}, "breakpoint_amount: -1 is no number from 0 up"),
        ({"breakpoint_amount": float("nan")}, "breakpoint_amount: nan is no number"),
        ({"breakpoint_amount": True}, "breakpoint_amount: True is no number"),
        ({"breakpoint_amount": "much"}, "breakpoint_amount: 'much' is no number"),
        ({"breakpoint_amount": 101}, "breakpoint_amount: 101 is no percentile"),
        ({"buffer": -1}, "buffer: -1 is not a number of sentences"),
        ({"buffer": 1.5}, "buffer: 1.5 is not a number of sentences"),
        ({"unit": "sentences"}, "unit: 'sentences' does not go with splitter 'semantic'"),
        ({"embedder": "nothing"}, "embedder: 'nothing' is not known; give static or module:object"),
        ({"embedder": "semantic_samples:number"}, "embedder: 'semantic_samples:number' is of type"),
        ({"embedder": "semantic_samples:absent"}, "embedder 'semantic_samples:absent': module"),
    ],
)
def test_settings_that_cannot_work_are_refused(change: dict[str, object], said: str):
    with pytest.raises(InputError) as refused:
        check_settings(replace(OWN, **change))
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("uneven", "embedder 'semantic_samples:uneven': embedding texts failed: ValueError"),
        ("not_finite", "embedder 'semantic_samples:not_finite': gave a vector that holds no"),
        ("failing", "embedder 'semantic_samples:failing': embedding texts failed: RuntimeError"),
    ],
)
def test_an_embedder_that_fails_is_named(name: str, said: str):
    settings = replace(OWN, embedder=f"semantic_samples:{name}", buffer=0)
    with pytest.raises(InputError) as refused:
        chunks("The boat is in. Bread now!", settings)
    assert str(refused.value).startswith(said)


def test_is_called_off():
    cancel = CancelToken()
    cancel.cancel()
    prepared = get_splitter("semantic").prepare("The boat. The bread.", OWN)
    with pytest.raises(CancelledError):
        prepared.cut(10, 0, cancel)
