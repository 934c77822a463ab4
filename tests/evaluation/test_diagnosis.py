"""One hand-made corpus for each signature, and what is said of it."""

from dataclasses import replace

import pytest

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import diagnose
from chunkscope.evaluation.diagnosis_proofs import MENDABLE, SIGNATURES, ChunkAt, RankAt
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

# Every line is a chunk: no piece fits size 1 together with another.
LINES = SplitterSettings(
    kind="character", size=1, overlap=0, unit="words", separators=("\n",), keep_separator="none"
)


def corpus_of(*texts, names=()):
    names = names or [f"d{number}.txt" for number in range(len(texts))]
    return Corpus(tuple(Document(name, text) for name, text in zip(names, texts, strict=True)))


def diagnosed(corpus, question, *evidence, splitter=LINES, k=1, **retriever):
    configuration = Configuration(splitter, retriever=RetrieverSettings(k=(k,), **retriever))
    index = CorpusIndex(corpus)
    located = ask(question, evidence, corpus)
    return diagnose(index, evaluate(index, configuration, (located,)))


def only(diagnosis):
    assert len(diagnosis.questions) == 1
    question = diagnosis.questions[0]
    assert diagnosis.totals == {name: int(name == question.signature) for name in SIGNATURES}
    return question


def test_a_hit_is_not_diagnosed():
    found = diagnosed(corpus_of("zinc is blue\ncopper is red\ntin is grey"), "zinc", "zinc is blue")
    assert found.questions == ()
    assert set(found.totals.values()) == {0}
    assert found.mendable_share is None


def test_unmeasured():
    found = diagnosed(corpus_of("zinc is blue\ncopper is red"), "zinc", "lead is heavy")
    question = only(found)
    assert question.signature == "unmeasured"
    assert question.decisive.proof.text == "lead is heavy"
    assert not question.mendable
    assert found.mendable_share is None


def test_split_names_boundary_separator_and_characters_on_each_side():
    text = "The valve opens at nine.\nIt closes at ten.\nThe pump rests."
    found = diagnosed(corpus_of(text), "valve", "opens at nine.\nIt closes")
    question = only(found)
    assert question.signature == "split"
    proof = question.decisive.proof
    assert (proof.doc, proof.start, proof.end) == ("d0.txt", 10, 34)
    assert (proof.at, proof.before, proof.after) == (24, 14, 10)
    assert proof.boundary == "cut at ↵, separator 1 of 1"
    assert proof.stands_at == "the line end before “It”"
    assert proof.longest == 24
    assert question.sentence == (
        "cut into 14 and 10 characters by the line end before “It” (cut at ↵, separator 1 of 1)"
    )
    assert found.mendable_share == 1.0


def test_split_says_when_no_chunk_could_be_long_enough():
    words = SplitterSettings(kind="words", size=2, overlap=0, unit="words")
    found = diagnosed(corpus_of("one two three four"), "two", "one two three", splitter=words)
    proof = only(found).decisive.proof
    assert (proof.at, proof.before, proof.after, proof.longest) == (7, 7, 6, 10)
    assert "13 characters are longer than any chunk there (10)" in proof.sentence
    assert proof.boundary == "a window of 2 words ends here"


def test_split_in_a_set_without_duplicates_names_the_true_neighbour():
    text = "same line here\nother one\nsame line here\nlast words stand"
    splitter = replace(LINES, dedupe=True)
    found = diagnosed(corpus_of(text), "last", "other one\nsame line", splitter=splitter)
    proof = only(found).decisive.proof
    assert (proof.at, proof.boundary) == (24, "cut at ↵, separator 1 of 1")


def test_crowded_by_repeats_of_one_text():
    text = (
        "pump fault fault\npump fault fault\n"
        "a pump fault clears with the seventh key in the long cabinet\nthe door is open"
    )
    question = only(diagnosed(corpus_of(text), "pump fault", "seventh key", k=2))
    assert question.signature == "crowded"
    proof = question.decisive.proof
    assert (proof.rank, proof.rank_without, proof.taken) == (3, 2, 2)
    assert (proof.repeats, proof.same_text) == (1, 1)
    assert proof.passage == ChunkAt("d0.txt", 0, 0, 16)
    assert proof.holder.index == 2


def test_crowded_by_overlaps_of_one_passage():
    words = SplitterSettings(kind="words", size=4, overlap=3, unit="words")
    texts = ("x pump fault x x x x", "a b pump c")
    question = only(diagnosed(corpus_of(*texts), "pump fault", "a b pump c", splitter=words, k=2))
    assert question.signature == "crowded"
    proof = question.decisive.proof
    assert (proof.rank, proof.rank_without, proof.taken) == (4, 2, 2)
    assert (proof.repeats, proof.same_text) == (1, 0)
    assert "repeats overlapping text (chunk 0 of d0.txt first)" in question.sentence


def test_repeats_that_are_not_the_cause_are_not_blamed():
    text = (
        "pump fault\npump fault\nfault pump\n"
        "the pump is old\nthe door is open\nthe roof is flat\nrain falls\nsnow falls"
    )
    question = only(diagnosed(corpus_of(text), "pump fault", "the pump is old", k=2))
    assert question.signature != "crowded"


@pytest.mark.parametrize(
    ("name", "text", "where", "heading", "words"),
    [
        ("a.txt", "Laptop refund.\nThe limit is 78 days.\nPhone refund.\nThe limit is 9 days.\n"
         "Tablet repair.\nThe limit is 4 days.", "chunk before", "", ("laptop",)),
        ("b.txt", "Phone refund.\nThe limit is 9 days.\nTablet repair.\nThe limit is 4 days.\n"
         "The limit is 78 days.\nLaptop refund.", "chunk after", "", ("laptop",)),
        ("c.md", "# Laptop refund\nAsk us.\nThe limit is 78 days.\n# Phone refund\nWe help.\n"
         "The limit is 9 days.\n# Tablet repair\nCome in.\nThe limit is 4 days.",
         "heading", "Laptop refund", ("laptop",)),
    ],
)  # fmt: skip
def test_orphaned(name, text, where, heading, words):
    corpus = corpus_of(text, names=(name,))
    question = only(diagnosed(corpus, "limit for a laptop", "The limit is 78 days."))
    assert question.signature == "orphaned"
    proof = question.decisive.proof
    assert (proof.where, proof.heading, proof.words) == (where, heading, words)
    assert proof.gain >= proof.score > 0
    assert proof.score + proof.gain > proof.cut_off
    assert question.mendable


def test_vocabulary():
    text = (
        "The kettle boils.\nRain fell.\nWater heats in nine minutes.\nSnow fell.\n"
        "The kettle stands."
    )
    question = only(diagnosed(corpus_of(text), "kettle boils when", "Water heats in nine minutes."))
    assert question.signature == "vocabulary"
    proof = question.decisive.proof
    assert proof.rank is None
    assert proof.telling == ("kettle", "boils")
    assert proof.absent == ("when",)
    assert not question.mendable


def test_a_word_of_most_chunks_tells_nothing():
    text = "the kettle boils\nthe rain fell\nthe water heats\nthe snow fell\nthe sun shone"
    question = only(diagnosed(corpus_of(text), "the kettle", "the water heats"))
    assert question.signature == "vocabulary"
    proof = question.decisive.proof
    assert proof.rank is not None
    assert (proof.telling, proof.common) == (("kettle",), ("the",))


def test_diluted_gives_the_ranks_at_smaller_sizes():
    texts = (
        "zinc a b c copper d e f",
        "zinc copper red blue grey pink gold teal",
        "one two three four five six seven eight",
        "oak elm ash fir yew bay fig nut",
    )
    words = SplitterSettings(kind="words", size=8, overlap=0, unit="words")
    question = only(
        diagnosed(corpus_of(*texts), "zinc copper", "zinc copper red blue", splitter=words)
    )
    assert question.signature == "diluted"
    proof = question.decisive.proof
    assert (proof.rank, proof.size, proof.unit) == (2, 8, "words")
    assert proof.at_sizes == (RankAt(6, 2, False), RankAt(4, 1, True), RankAt(2, None, False))
    assert "2 at 6, 1 at 4, cut at 2" in question.sentence


def test_outranked_says_by_what_and_on_which_terms():
    text = "zinc copper alloy\nbread is warm\nzinc is sold here\nmilk is cold\neggs are white"
    question = only(diagnosed(corpus_of(text), "zinc copper", "zinc is sold here"))
    assert question.signature == "outranked"
    proof = question.decisive.proof
    assert proof.rank == 2
    assert proof.winner == ChunkAt("d0.txt", 0, 0, 17)
    assert [term.word for term in proof.terms] == ["zinc"]
    assert [term.word for term in proof.winner_terms] == ["copper", "zinc"]
    assert proof.won_on[0].word == "copper"
    assert proof.winner_score == pytest.approx(sum(term.score for term in proof.winner_terms))
    assert not question.mendable


def test_a_retriever_that_gives_nothing_has_no_winner():
    text = "zinc copper alloy\nzinc is sold here"
    found = diagnosed(corpus_of(text), "zinc", "zinc is sold here", kind="own_samples:nothing")
    question = only(found)
    assert question.signature == "outranked"
    assert question.sentence == "nothing is retrieved for the question"
    proof = question.decisive.proof
    assert (proof.rank, proof.winner, proof.winner_score) == (None, None, 0.0)
    assert (proof.winner_terms, proof.won_on) == ((), ())


def test_of_several_items_the_first_in_precedence_decides_and_all_must_be_mendable():
    text = (
        "zinc copper alloy\nbread is warm\nzinc is sold here\nmilk is cold\neggs are white\n"
        "the valve opens\nat nine"
    )
    found = diagnosed(corpus_of(text), "zinc copper", "zinc is sold here", "valve opens\nat nine")
    question = only(found)
    assert [item.signature for item in question.items] == ["outranked", "split"]
    assert question.signature == "split"
    assert question.sentence.startswith("item 2 of 2: cut into 11 and 8 characters")
    assert not question.mendable
    assert found.mendable_share == 0.0


def test_a_budget_is_counted_in_tokens():
    text = "pump fault fault\npump fault fault\nthe pump fault clears with key seven here\nrain"
    question = only(diagnosed(corpus_of(text), "pump fault", "key seven", budget=12))
    assert question.signature == "crowded"
    proof = question.decisive.proof
    assert proof.rank == 3
    assert proof.rank_without == 2


def test_a_holder_that_stands_first_is_not_outranked_but_exceeds_the_budget():
    text = "the pump fault clears with key seven here\nrain"
    question = only(diagnosed(corpus_of(text), "pump fault", "key seven", budget=3))
    proof = question.decisive.proof
    assert proof.rank == 1
    assert proof.winner == proof.holder
    assert question.sentence == (
        f"chunk 0 of d0.txt stands first with {proof.score:.2f}, but exceeds the budget alone"
    )


def test_mendable_signatures_are_signatures():
    assert set(SIGNATURES) > MENDABLE
    assert "vocabulary" not in MENDABLE


@pytest.mark.parametrize("pattern", ["", "^Policy section: .*$"])
def test_sentences_without_their_heading_are_orphaned(shared_data, pattern):
    folder = shared_data("toy_policy")
    corpus = load_corpus([folder / "docs"])
    questions = tuple(locate(read_golden(folder / "golden.jsonl"), corpus))
    configuration = Configuration(
        replace(LINES, keep_separator="end"),
        EnrichSettings(heading_pattern=pattern),
        RetrieverSettings(kind="tfidf", k=(3,)),
    )
    index = CorpusIndex(corpus)
    found = diagnose(index, evaluate(index, configuration, questions))
    assert found.totals["orphaned"] == len(found.questions) == 40
    assert {question.decisive.proof.where for question in found.questions} == {
        "heading" if pattern else "chunk before"
    }
    assert found.mendable_share == 1.0
