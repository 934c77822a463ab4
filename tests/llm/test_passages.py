import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.llm.answers import (
    Grades,
    Pair,
    UnusableError,
    read_evidence,
    read_grades,
    read_pair,
)
from chunkscope.llm.filtering import Asked, low_score, speaks_of_passage
from chunkscope.llm.passages import sample_passages
from chunkscope.llm.prompts import Prompts
from chunkscope.text.document import Corpus, Document

PARAGRAPH = (
    "The pilot boards every vessel that is longer than thirty metres before the outer buoy. "
)


def section(name: str, paragraphs: int) -> str:
    return f"# {name}\n\n" + "".join(f"{PARAGRAPH * 3}\n\n" for _ in range(paragraphs))


def test_every_round_is_spread_over_documents_by_their_length():
    corpus = Corpus(
        (Document("long.md", section("Long", 60)), Document("short.md", section("Short", 20)))
    )
    passages = sample_passages(corpus, 8, seed=5)
    first = [passage.doc for passage in passages[:8]]
    assert (first.count("long.md"), first.count("short.md")) == (6, 2)
    assert len({(passage.doc, passage.span) for passage in passages}) == len(passages)
    assert passages == sample_passages(corpus, 8, seed=5)
    assert passages != sample_passages(corpus, 8, seed=6)


def test_a_passage_is_whole_paragraphs_of_one_section_and_knows_its_headings():
    text = section("One", 4) + "## Inner\n\n" + section("Two", 4).partition("\n\n")[2]
    corpus = Corpus((Document("a.md", text),))
    inner = text.index("## Inner")
    for passage in sample_passages(corpus, 10, characters=800):
        start, end = passage.span
        assert passage.text == text[start:end]
        assert text[start:].startswith(("# One", "The pilot", "## Inner"))
        assert passage.text.endswith(PARAGRAPH.strip()) or end == inner - 2
        assert passage.path == (("One",) if start < inner else ("One", "Inner"))
        if end > inner > start:
            assert inner - start < 800 // 3
        assert len(passage.text) <= 800


def test_one_line_without_end_is_parted_at_sentences_or_words():
    (one, *_) = sample_passages(Corpus((Document("a.txt", PARAGRAPH * 400),)), 5, characters=600)
    assert one.text.startswith("The pilot")
    assert one.text.endswith("outer buoy.")
    (one, *_) = sample_passages(Corpus((Document("a.txt", "word " * 4000),)), 5, characters=600)
    assert one.text.startswith("word")


def test_text_with_little_to_say_is_left_out():
    corpus = Corpus((Document("a.md", "| 1 | 2 |\n" * 300), Document("b.md", section("B", 2))))
    assert {passage.doc for passage in sample_passages(corpus, 20)} == {"b.md"}


@given(st.lists(st.text(max_size=400), min_size=1, max_size=3), st.integers(0, 3))
def test_any_text_gives_slices(texts, seed):
    corpus = Corpus(tuple(Document(f"{n}.md", text * 20) for n, text in enumerate(texts)))
    for passage in sample_passages(corpus, 3, seed=seed, characters=300):
        position = corpus.position(passage.doc)
        assert position is not None
        text = corpus.documents[position].text
        assert passage.text == text[passage.span.start : passage.span.end]
        assert passage.text == passage.text.strip()


GOOD = '{"question":"Q?","answer":"A","evidence":["e"],"type":"fact"}'


@pytest.mark.parametrize(
    "text",
    [GOOD, f"```json\n{GOOD}\n```", f"Here {{it}} is: {GOOD} Good luck {{}}!",
     GOOD.replace('["e"]', '"e"')],
)  # fmt: skip
def test_a_pair_is_read_out_of_what_models_put_around_it(text):
    assert read_pair(text) == Pair("Q?", "A", ("e",), "fact")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no usable answer"),
        ("no", "no usable answer"),
        ("[1]", "no usable answer"),
        ("{" * 100_000, "no usable answer"),
        ('{"a":' * 100_000, "no usable answer"),
        ('{"question": null}', "nothing to ask"),
        (GOOD.replace('"Q?"', '" "'), "no usable answer"),
        (GOOD.replace('"Q?"', "7"), "no usable answer"),
        (GOOD.replace('"Q?"', f'"{"x" * 500}"'), "no usable answer"),
        (GOOD.replace('["e"]', '["e", 3]'), "no usable answer"),
        (GOOD.replace('["e"]', "[]"), "no usable answer"),
        (GOOD[:-4], "no usable answer"),
    ],
)
def test_what_is_no_pair_says_why(text, reason):
    with pytest.raises(UnusableError, match=reason):
        read_pair(text)


def test_scores_are_three_whole_numbers():
    scores = {"groundedness": 5, "relevance": 4, "quality": 1}
    text = json.dumps(scores)
    assert read_grades(f"x {text}") == Grades(scores)
    assert read_grades(text[:-1] + ', "reason": " a fee "}') == Grades(scores, "a fee")
    # What would steer a terminal is not kept; neither is what is no text.
    assert read_grades(text[:-1] + r', "reason": "\u001b[31m"}') == Grades(scores)
    assert read_grades(text[:-1] + ', "reason": 3}') == Grades(scores)
    assert len(read_grades(text[:-1] + f', "reason": "{"x" * 999}"}}').reason) == 300
    for quality in ("6", "true", '"4"', "4.0", "null"):
        bad = f'{{"groundedness":5,"relevance":4,"quality":{quality}}}'
        with pytest.raises(UnusableError, match="no usable scores"):
            read_grades(bad)
    with pytest.raises(UnusableError, match="no usable scores"):
        read_grades("")


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ('{"answers": false}', None),
        ('{"answers": false, "evidence": "x"}', None),
        ('{"answers": true, "evidence": " here "}', "here"),
        ('Yes: {"answers": true, "evidence": ["here"]}', "here"),
        ('<think>{"answers": true, "evidence": "a"}</think>{"answers": false}', None),
    ],
)
def test_what_is_said_of_another_passage(text, evidence):
    assert read_evidence(text) == evidence


@pytest.mark.parametrize(
    "text",
    ["", "no", "{}", "[true]", '{"answers": "true", "evidence": "x"}', '{"answers": true}',
     '{"answers": true, "evidence": " "}', '{"answers": true, "evidence": ["a", "b"]}',
     '{"answers": 1, "evidence": "x"}', '<think>{"answers": false}'],
)  # fmt: skip
def test_what_says_nothing_of_another_passage(text):
    with pytest.raises(UnusableError, match="no usable answer"):
        read_evidence(text)


def test_a_pair_after_a_thought_is_the_pair():
    thought = '<think>First {"question": "Draft?", "answer": "a", "evidence": ["a"]}.</think>\n'
    final = '{"question": "Final?", "answer": "b", "evidence": ["b"]}'
    assert read_pair(thought + final) == Pair("Final?", "b", ("b",), None)
    with pytest.raises(UnusableError, match="no usable answer"):
        read_pair(thought.removesuffix("</think>\n"))


@pytest.mark.parametrize("field", ["question", "answer"])
@pytest.mark.parametrize("mark", ["\x1b[2J", "\x07", "\x9b", "\x00"])
def test_text_that_steers_a_terminal_is_no_pair(field, mark):
    pair = {"question": "Who?", "answer": "I", "evidence": ["I"], field: f"a{mark}b"}
    with pytest.raises(UnusableError, match="no usable answer"):
        read_pair(json.dumps(pair))
    odd = {"question": "Who?", "answer": "I", "evidence": ["I"], "type": f"f{mark}"}
    assert read_pair(json.dumps(odd)).type is None


def test_the_first_low_score_is_the_reason():
    assert low_score({"groundedness": 4, "relevance": 3, "quality": 1}) == "low relevance"
    assert low_score({"groundedness": 4, "relevance": 4, "quality": 4}) is None
    assert low_score({"groundedness": 4, "relevance": 5, "quality": 5}, 5) == "low groundedness"


@pytest.mark.parametrize(
    ("question", "speaks"),
    [
        ("What does the passage say about fees?", True),
        ("According to the context, when does it open?", True),
        ("Which fee is named in the text?", True),
        ("What is this document about?", True),
        ("What does the author state?", True),
        ("Which ships may use the narrow passage in winter?", False),
        ("How is a React context created?", False),
        ("What does the document type declaration do?", False),
        ("Who signs the article of agreement?", False),
        ("Welche Gebühr steht im Text?", True),
        ("Was sagt dieser Absatz über die Gebühr?", True),
        ("Was bedeutet Entgelt im Kontext der Satzung?", False),
        ("Was steht in diesem Abschnitt?", True),
        ("Selon ce passage, qui paie ?", True),
        ("Comment franchir le passage du col ?", False),
        ("¿Qué dice en el texto el autor?", True),
        ("¿Qué significa en el contexto naval?", False),
        ("Secondo il testo, chi paga?", True),
        ("De acordo com o texto, quem paga?", True),
        ("この文章によると、港はいつ開きますか？", True),
        ("港はいつ開きますか？", False),
        ("根据上下文，码头什么时候开放？", True),
        ("文章怎么提交？", False),
    ],
)
def test_questions_that_speak_of_the_passage(question, speaks):
    assert speaks_of_passage(question) is speaks


def test_questions_asked_already():
    asked = Asked(["What does berth 5 cost a night?"])
    assert asked.holds("what does berth 5 cost, a night")
    assert not asked.holds("What does berth 6 cost a night?")
    assert not asked.holds("Who keeps the list?")
    asked.add("Who keeps the list?")
    assert asked.holds("Who keeps the list?")


def test_other_prompts_have_another_fingerprint_and_keep_the_fence():
    (passage,) = sample_passages(Corpus((Document("a.md", section("A", 1)),)), 1)
    own = Prompts(write='Ask about what is between {fence}. {"question": …}')
    assert own.fingerprint != Prompts().fingerprint
    system, user = own.writing(passage, 0)
    fence = system["content"].split("between ")[1].split(".")[0]
    assert user["content"] == f"From: a.md > A\n{fence}\n{passage.text}\n{fence}"
    assert fence not in passage.text
