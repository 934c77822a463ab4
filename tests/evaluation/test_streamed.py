"""A corpus swept part by part gives what one held in memory gives, to the last digit."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.luck import phases_of
from chunkscope.evaluation.report import sweep_to_json
from chunkscope.evaluation.streamed import StreamedIndex, unstreamable
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.evaluation.sweepplan import SweepPlan
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.store import TextStore

TUGS = "# Tugs\n\nThe tug leaves quay {n} at dawn.  It runs until {n} bells.\n\n"
TEXTS = {
    "a.md": "".join(TUGS.format(n=n) for n in range(6)) + "## Quay\n\n* one\n* two\n* three\n",
    "b.md": "",
    "c.md": "The tug leaves quay 2 at dawn.\r\n\r\nIt blows from the north all day, they say.",
    "d.txt": "\ufeffno heading here <|endoftext|>\n\nİstanbul: STRASSE, straße, running runs.",
    "e.md": "| a | b |\n|---|---|\n"
    + "| lamp | quay |\n" * 9
    + "\n\ufeff\ufeffthe lamp of the quay",
    "f.txt": "港口的灯塔在夜里发光。它很亮。" * 5 + "\ud800 ran " + "x" * 90,
    "g.html": "<h1>Tug</h1><p>The tug <b>leaves</b> at dawn.</p><p>Bells ring twice.</p>" * 3,
}
QUESTIONS = GoldenSet(
    (
        Question("q0", "When does the tug leave quay 3?", "a.md",
                 (Evidence("leaves quay 3 at dawn.  It runs until 3 bells."),), type="when"),
        Question("q1", "Who says that it blows from the north?", "c.md",
                 (Evidence("north all day, they say"),)),
        Question("q2", "strasse runs", "d.txt",
                 (Evidence("STRASSE, straße"), Evidence("running runs"))),
        Question("q3", "灯塔 夜里", "f.txt", (Evidence("灯塔在夜里发光"),), type="when"),
        Question("q4", "the lamp the quay the lamp", "e.md", (Evidence("| lamp | quay |"),)),
        Question("q5", "what stands nowhere", "a.md", (Evidence("zeppelin"),)),
        Question("q6", "bells ring", "g.html", (Evidence("Bells ring twice."),)),
    )
)  # fmt: skip
SMALL = SplitterSettings(size=40, overlap=8, unit="characters")


def corpus():
    return Corpus(tuple(Document(name, text) for name, text in sorted(TEXTS.items())))


def swept(index, plan, questions):
    sweep = run_sweep(index, plan, questions, luck_all=True, workers=1)
    return json.dumps(sweep_to_json(sweep, QUESTIONS))


def check_same(configurations, *, part=150, **options):
    """The report of a sweep over the held corpus and over the stored one."""
    rows = tuple(configurations)
    plan = SweepPlan(rows=rows)
    held = corpus()
    questions = locate(QUESTIONS, held)
    with TextStore() as store:
        stored = replace(held, documents=tuple(map(store.keep, held.documents)))
        assert locate(QUESTIONS, stored) == questions
        index = StreamedIndex(stored, questions, part=part, **{"workers": 1, **options})
        passes: list[int] = []
        index.progress = lambda done, total: passes.append(1) if done == total else None
        assert swept(index, plan, questions) == swept(CorpusIndex(held), plan, questions)
        index.close()
        return len(passes)


SPLITTERS = {
    "recursive": SMALL,
    "dropped duplicates": replace(SMALL, dedupe=True, size=31, overlap=0),
    "character": replace(SMALL, kind="character", separators=("\n\n",)),
    "tokens": replace(SMALL, kind="token", size=9, overlap=2, unit="tokens"),
    "words": replace(SMALL, kind="words", size=7, overlap=3, unit="words"),
    "sentence": replace(SMALL, kind="sentence", size=12, overlap=0, unit="tokens"),
    "markdown": replace(SMALL, kind="markdown"),
    "html": replace(SMALL, kind="html"),
    "langchain-markdown": replace(SMALL, kind="langchain-markdown"),
}


@pytest.mark.parametrize("name", sorted(SPLITTERS))
@pytest.mark.parametrize("prefix", ["none", "title+headings"])
def test_every_splitter(name, prefix):
    splitter = SPLITTERS[name]
    enrich = EnrichSettings(prefix=prefix if prefix == "none" else "headings")
    check_same(
        Configuration(replace(splitter, size=size), enrich, RetrieverSettings(k=(1, 3)))
        for size in (splitter.size, splitter.size * 2, splitter.size * 50)
    )


RETRIEVERS = [
    RetrieverSettings(k=(2, 1, 100)),
    RetrieverSettings(budget=30),
    RetrieverSettings(k=(2,), ties="later", query_terms="set"),
    RetrieverSettings(k=(2,), words="whitespace"),
    RetrieverSettings(k=(2,), words=r"[a-z]+(?=[^a-z])"),
    RetrieverSettings(k=(2,), stem="english", stop_words="english"),
]


@pytest.mark.parametrize("enrich", [EnrichSettings(), EnrichSettings(prefix="headings")])
def test_every_way_to_rank_in_one_sweep(enrich):
    check_same(Configuration(SMALL, enrich, retriever) for retriever in RETRIEVERS)


@pytest.mark.parametrize("part", [1, 10**9])
@pytest.mark.parametrize("room", [0, 4_000, 10**9])
def test_parts_and_room_change_no_number(part, room):
    rows = [Configuration(replace(SMALL, size=size)) for size in (20, 40, 80, 160)]
    passes = check_same(rows, part=part, room=room)
    phases = sum(len(set(phases_of(row))) for row in rows)
    # One for all rows and one for all phases, or one for each.
    assert passes == 2 if room == 10**9 else passes > 2
    assert room or passes == len(rows) + phases


def test_processes_share_the_parts():
    rows = [Configuration(replace(SMALL, size=size)) for size in (20, 40)]
    check_same(rows, part=1, workers=3)


@settings(max_examples=25)
@given(
    texts=st.lists(st.text("abc \n.#ßİ港\ufeff", max_size=60), min_size=1, max_size=6),
    asked=st.lists(st.text("abc ß港", min_size=1, max_size=9), min_size=1, max_size=3),
    size=st.integers(1, 30),
    part=st.integers(1, 100),
    retriever=st.sampled_from(RETRIEVERS),
)
def test_any_corpus(texts, asked, size, part, retriever):
    held = Corpus(tuple(Document(f"{n}.md", text) for n, text in enumerate(texts)))
    golden = GoldenSet(
        tuple(
            Question(f"q{n}", question, f"{n % len(texts)}.md",
                     (Evidence(texts[n % len(texts)][2:9] or "a"),))
            for n, question in enumerate(asked)
        )
    )  # fmt: skip
    questions = locate(golden, held)
    splitter = replace(SMALL, size=size, overlap=0)
    plan = SweepPlan(rows=(Configuration(splitter, EnrichSettings(), retriever),))
    index = StreamedIndex(held, questions, part=part, workers=1)
    reports = [
        json.dumps(sweep_to_json(run_sweep(one, plan, questions, luck_all=True, workers=1), golden))
        for one in (index, CorpusIndex(held))
    ]
    assert reports[0] == reports[1]


def test_a_public_set(shared_data):
    folder = shared_data("chroma")
    held = load_corpus([folder / "docs"])
    golden = read_golden(folder / "golden.jsonl")
    questions = locate(golden, held)
    plan = plan_sweep(Configuration(), [128, 256], [0], {})
    with TextStore() as store:
        stored = replace(held, documents=tuple(map(store.keep, held.documents)))
        index = StreamedIndex(stored, questions, part=300_000, workers=2)
        found = run_sweep(index, plan, questions)
        index.close()
    expected = run_sweep(CorpusIndex(held), plan, questions)
    assert json.dumps(sweep_to_json(found, golden)) == json.dumps(sweep_to_json(expected, golden))


def test_what_needs_the_whole_corpus_is_told():
    told = [
        unstreamable(Configuration(SMALL, EnrichSettings(parent=parent), retriever))
        for parent, retriever in (
            ("none", RetrieverSettings()),
            ("none", RetrieverSettings(kind="tfidf")),
            ("none", RetrieverSettings(rerank="model")),
            ("section", RetrieverSettings()),
        )
    ]
    assert told == ["", "retriever 'tfidf'", "reranking", "parents"]


def test_progress_counts_characters_and_cancel_ends_it():
    held = corpus()
    questions = locate(QUESTIONS, held)
    token, heard = CancelToken(), []

    def hear(done, total):
        heard.append((done, total))
        if len(heard) == 2:
            token.cancel()

    index = StreamedIndex(held, questions, part=150, workers=1)
    index.progress = hear
    with pytest.raises(CancelledError):
        index.chunk_set(SMALL, EnrichSettings(), token)
    assert [total for _, total in heard] == [held.characters] * 2
    assert heard[0][0] < heard[1][0] < held.characters
    index.progress = None
    whole = CorpusIndex(held).chunk_set(SMALL, EnrichSettings())
    again = index.chunk_set(SMALL, EnrichSettings())
    assert again.texts() == whole.texts()
    assert np.array_equal(again.tokens, whole.tokens)
    index.close()


def test_only_the_chunk_set_asked_for_last_is_held():
    held = corpus()
    index = StreamedIndex(held, locate(QUESTIONS, held), workers=1)
    first = index.chunk_set(SMALL, EnrichSettings())
    index.chunk_set(replace(SMALL, size=80), EnrichSettings())
    with pytest.raises(ValueError, match="another chunk set"):
        index.retriever(RetrieverSettings(), first)
    index.close()
