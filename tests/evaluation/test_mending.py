"""What mends a question is checked by running it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis_neighbours import neighbours
from chunkscope.evaluation.diagnosis_trial import find_depth, try_configuration, try_depths
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.mending import mend, mend_all
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

TEXT = (
    "The tug leaves the north quay at dawn. The ferry leaves the south quay at noon, and only "
    "when the lock keeper has raised the green flag. The pilot boards at dusk. Nobody may moor "
    "at the east quay. The crane lifts forty tonnes. The lock opens twice a day, at high water."
)
EVIDENCE = {
    "ferry": ("When does the ferry leave?", TEXT[39:138]),
    "pilot": ("When does the pilot board?", "The pilot boards at dusk."),
    "crane": ("How much does the crane lift?", "The crane lifts forty tonnes."),
    "lost": ("Who owns the crane?", "The crane is owned by nobody at all."),
}
WORDS = Configuration(
    SplitterSettings(kind="words", size=8, overlap=0, unit="words"),
    retriever=RetrieverSettings(k=(1, 3)),
)


@pytest.fixture(scope="module")
def harbour():
    corpus = Corpus((Document("harbour.txt", TEXT),))
    golden = GoldenSet(
        tuple(
            Question(name, question, "harbour.txt", (Evidence(text),))
            for name, (question, text) in EVIDENCE.items()
        )
    )
    return CorpusIndex(corpus), tuple(locate(golden, corpus))


def hits(index, configuration, questions):
    lines = evaluate(index, configuration, questions).questions
    return {line.located.question.id for line in lines if line.verdict == "hit"}


def context(index, configuration, questions, name=None):
    lines = evaluate(index, configuration, questions).questions
    tokens = {
        line.located.question.id: line.metrics["context_tokens"] for line in lines if line.metrics
    }
    return tokens[name] if name else sum(tokens.values()) / len(tokens)


def test_every_mend_hits_and_its_price_is_that_of_a_run(harbour):
    index, questions = harbour
    before = hits(index, WORDS, questions)
    assert "ferry" not in before
    mends = mend(index, WORDS, questions, "ferry")
    assert mends
    for found in mends:
        after = hits(index, found.configuration, questions)
        assert "ferry" in after
        assert set(found.won) == after - before - {"ferry"}
        assert set(found.lost) == before - after
        assert found.context_before == pytest.approx(context(index, WORDS, questions))
        assert found.context_after == pytest.approx(context(index, found.configuration, questions))
        assert found.question_before == context(index, WORDS, questions, "ferry")
        assert found.question_after == context(index, found.configuration, questions, "ferry")
        splitter, enrich = found.configuration.splitter, found.configuration.enrich
        assert found.index_after == int(index.chunk_set(splitter, enrich).tokens.sum())


def test_the_cheapest_comes_first_and_one_change_before_two(harbour):
    index, questions = harbour
    mends = mend(index, WORDS, questions, "ferry")
    assert [found.context_after for found in mends] == sorted(
        found.context_after for found in mends
    )
    assert {len(found.changes) for found in mends} == {1}
    assert len({found.configuration.hash for found in mends}) == len(mends)


def test_a_hit_and_an_unmeasured_question_have_no_mends(harbour):
    index, questions = harbour
    wide = replace(WORDS, splitter=replace(WORDS.splitter, size=30))
    hit = sorted(hits(index, wide, questions))[0]
    assert mend(index, wide, questions, hit) == ()
    assert mend(index, WORDS, questions, "lost") == ()


def test_an_unknown_question_is_an_input_error(harbour):
    index, questions = harbour
    with pytest.raises(InputError, match="'buoy' is not in the golden set"):
        mend(index, WORDS, questions, "buoy")


def test_all_of_them_are_the_same_as_one_by_one(harbour):
    index, questions = harbour
    mending = mend_all(index, WORDS, questions)
    bad = set(EVIDENCE) - hits(index, WORDS, questions) - {"lost"}
    assert set(mending.mends) == bad
    one = {found.configuration: found for found in mend(index, WORDS, questions, "ferry")}
    assert {found.configuration: found for found in mending.mends["ferry"]} == one
    assert mending.mended == sum(bool(found) for found in mending.mends.values())


def test_the_best_of_the_set_are_not_beaten_by_what_sends_no_more(harbour):
    index, questions = harbour
    best = mend_all(index, WORDS, questions).best
    gains = [found.gain for found in best]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > 0
    costs = [found.context_after for found in best]
    assert costs == sorted(costs, reverse=True)
    for found in best:
        before, after = (hits(index, each, questions) for each in (WORDS, found.configuration))
        assert found.gain == len(after) - len(before)


@pytest.mark.parametrize(("budget", "value"), [(0, 3), (4, None)])
def test_the_cut_off_offered_is_the_rank_and_no_larger(budget, value):
    lines = "zinc copper\ncopper zinc tin\nbread is warm\nzinc is sold here\nmilk is cold"
    corpus = Corpus((Document("metal.txt", lines),))
    question = Question("sold", "zinc copper", "metal.txt", (Evidence("zinc is sold here"),))
    located = tuple(locate(GoldenSet((question,)), corpus))
    configuration = Configuration(
        SplitterSettings(kind="character", size=1, overlap=0, unit="words", separators=("\n",)),
        retriever=RetrieverSettings(k=(1, 2, 5), budget=budget),
    )
    index = CorpusIndex(corpus)
    deeper = [
        found
        for found in mend(index, configuration, located, "sold")
        if found.changes[0].section == "retriever"
    ]
    assert len(deeper) == 1
    if budget:
        ranked = evaluate(index, configuration, located).questions[0].retrieved[:3]
        tokens = evaluate(index, configuration, located).chunks.tokens
        value = int(sum(tokens[entry.chunk] for entry in ranked))
        assert deeper[0].configuration.retriever.budget == value
        assert deeper[0].change == f"budget {budget} → {value}"
    else:
        assert deeper[0].configuration.retriever.k == (value, 5)
        assert deeper[0].change == "k 1,2,5 → 3,5"


def test_trials_agree_with_runs(harbour):
    index, questions = harbour
    rows = ["ferry", "pilot", "crane"]
    for size in (3, 5, 8, 20):
        for budget in (0, 25):
            configuration = Configuration(
                replace(WORDS.splitter, size=size),
                retriever=RetrieverSettings(k=(2,), budget=budget),
            )
            limits = [20, 40] if budget else [1, 2, 5]
            trials = [try_configuration(index, configuration, questions)]
            trials += try_depths(index, configuration, questions, limits)
            for trial in trials:
                hit = hits(index, trial.configuration, questions)
                assert [name in hit for name in rows] == trial.hits.tolist()
                tokens = [context(index, trial.configuration, questions, name) for name in rows]
                assert trial.tokens.tolist() == tokens
            depth = find_depth(index, configuration, questions, 1000)
            lines = evaluate(index, configuration, questions).questions
            assert [line.rank or 0 for line in lines[:3]] == depth.needed.tolist()


def test_a_changed_percentage_is_named_with_its_size():
    configuration = Configuration(SplitterSettings(size=256, overlap="10%"))
    near = neighbours(configuration, Corpus((Document("a", "text"),)))
    assert configuration.hash not in {each.hash for each in (*near.single, *near.pairs)}
    sizes = {each.splitter.size for each in near.single if each.splitter != configuration.splitter}
    assert {64, 128, 192, 320, 384, 512, 768, 1024} <= sizes
    assert {each.enrich.parent for each in near.single} == {"none", "section", "512", "1024"}
    separators = {each.splitter.separators for each in near.single}
    assert ("\n\n", "\n", ". ", "? ", "! ", " ", "") in separators


def test_sizes_that_do_not_hold_the_overlap_are_untried_with_the_reason():
    configuration = Configuration(SplitterSettings(size=100, overlap=60))
    near = neighbours(configuration, Corpus((Document("a", "text"),)))
    untried = {each.value: each.reason for each in near.untried if each.setting == "size"}
    assert set(untried) == {25, 50}
    assert "overlap" in untried[25]


def test_patterns_are_not_guessed_at():
    configuration = Configuration(SplitterSettings(regex=True, separators=(r"\n+", "")))
    near = neighbours(configuration, Corpus((Document("a", "text"),)))
    assert "separators" in {each.setting for each in near.untried}
    assert {each.splitter.separators for each in near.single} == {(r"\n+", "")}


def test_a_cancelled_search_stops(harbour):
    index, questions = harbour
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        mend_all(CorpusIndex(index.corpus), WORDS, questions, token)


def test_progress_ends_at_the_total(harbour):
    index, questions = harbour
    heard = []
    mending = mend_all(
        index, WORDS, questions, progress=lambda done, total: heard.append((done, total))
    )
    assert heard
    assert heard[-1][0] <= mending.tried
    assert all(one[0] < other[0] for one, other in pairwise(heard))


def test_orphaned_sentences_are_mended_by_two_at_a_time(shared_data):
    folder = shared_data("toy_policy")
    corpus = load_corpus([folder / "docs"])
    questions = tuple(locate(read_golden(folder / "golden.jsonl"), corpus))
    configuration = Configuration(
        SplitterSettings(kind="sentence", size=1, overlap=0, unit="sentences"),
        EnrichSettings(heading_pattern="^Policy section: .*$"),
        RetrieverSettings(kind="tfidf", k=(3,)),
    )
    index = CorpusIndex(corpus)
    mends = mend(index, configuration, questions, "policy-0")
    assert mends[0].configuration.splitter.size == 2
    assert len(mends[0].won) == 39
    assert mends[0].lost == ()
    sent = evaluate(index, mends[0].configuration, questions).metrics["context_words"]
    assert sent == pytest.approx(27.0)
    assert "headings" in {found.configuration.enrich.prefix for found in mends}
