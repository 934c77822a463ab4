import json

import pytest

from chunkscope.errors import InputError
from chunkscope.golden.model import Question
from chunkscope.golden.users import Asked, balance, form_of, read_asked, said_of_balance


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many berths are there?", "how many"),
        ("How much is it", "how much"),
        ("how do I moor?", "how"),
        ("However it is, where?", "other question"),
        ("What's the fee?", "what"),
        ("Hi, please, where is the quay?", "where"),
        ("And who pays?", "who"),
        ("After how many days does it lapse?", "how many"),
        ("Up to what length?", "what"),
        ("In a storm, who decides?", "other question"),
        ("Is it open?", "yes or no"),
        ("“Can I moor here?”", "yes or no"),
        ("mooring fee", "keywords"),
        ("Wo liegt der Kai?", "other question"),
        ("码头什么时候开放？", "other question"),
        ("هل الرصيف مفتوح؟", "other question"),
        ("", "keywords"),
        ("?", "other question"),
    ],
)
def test_forms_of_questions(question, form):
    assert form_of(question) == form


def asked(*pairs: tuple[str, int]) -> list[Asked]:
    return [Asked(text) for text, count in pairs for _ in range(count)]


def golden(*pairs: tuple[str, int]) -> list[Question]:
    texts = [text for text, count in pairs for _ in range(count)]
    return [Question(str(number), text, "a", ()) for number, text in enumerate(texts)]


def test_shares_that_differ_beyond_chance_are_apart():
    found = balance(
        golden(("What is the fee?", 30), ("Where is the quay?", 10)),
        asked(("What is it?", 10), ("How do I moor?", 30)),
    )
    assert [(one.kind, one.golden, one.users, one.apart) for one in found.shares] == [
        ("how", 0.0, 0.75, True),
        ("what", 0.75, 0.25, True),
        ("where", 0.25, 0.0, True),
    ]
    assert said_of_balance(found) == [
        "how: 0% of the golden questions, 75% of what users ask; write more of these",
        "what: 75% of the golden questions, 25% of what users ask; write fewer, or more of the "
        "others",
        "where: 25% of the golden questions, 0% of what users ask; write fewer, or more of the "
        "others",
    ]


def test_small_differences_and_few_questions_say_nothing():
    near = balance(golden(("What is it?", 21), ("Who?", 19)), asked(("What?", 20), ("Who?", 20)))
    assert not any(one.apart for one in near.shares)
    few = balance(golden(("What is it?", 19)), asked(("How is it?", 19)))
    assert not any(one.apart for one in few.shares)
    assert said_of_balance(few) == []


def test_lengths_that_are_far_apart_are_said():
    found = balance(golden(("What is the price of one berth?", 3)), asked(("mooring price", 3)))
    assert (found.golden_words, found.users_words, found.longer) == (7.0, 2.0, True)
    assert said_of_balance(found) == [
        "a golden question has 7 words, a user's 2 (medians); write questions as long as users' are"
    ]
    assert not balance(golden(("one two three", 1)), asked(("one two", 1))).longer


def test_labels_are_compared_where_users_questions_have_them():
    own = [Question("1", "What?", "a", (), type="fact"), Question("2", "What?", "a", ())]
    found = balance(own, [Asked("How?", "table"), Asked("What?", "fact"), Asked("Who?")])
    assert found.by == "type"
    assert {one.kind: (one.golden, round(one.users, 2)) for one in found.shares} == {
        "fact": (0.5, 0.33), "no type": (0.5, 0.33), "table": (0.0, 0.33)
    }  # fmt: skip


def test_nothing_golden_is_no_crash():
    found = balance([], [Asked("What?")])
    assert [(one.kind, one.golden, one.users) for one in found.shares] == [("what", 0.0, 1.0)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "\ufeffWho?\r\n\r\n  When? \n", [Asked("Who?"), Asked("When?")]),
        ("a.log", "Who?", [Asked("Who?")]),
        ("a.csv", "query,type\nWho?,fact\n\"A, b\",\n", [Asked("Who?", "fact"), Asked("A, b")]),
        ("a.jsonl", '{"question":"Who?"}\n{"question":"When?","type":"x"}\n',
         [Asked("Who?"), Asked("When?", "x")]),
        ("a.json", json.dumps([{"user_input": "Who?"}]), [Asked("Who?")]),
    ],
)  # fmt: skip
def test_files_of_users_questions(tmp_path, name, content, expected):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    assert list(read_asked(path)) == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "\n \n", "a.txt: holds no question; give what users asked, one a line"),
        ("a.csv", "words\nWho?\n", "a.csv, row 2: field question: missing; add it"),
        ("a.jsonl", "x\n", "a.jsonl, line 1: not JSON"),
    ],
)
def test_files_that_are_no_questions(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as raised:
        read_asked(path)
    assert message in str(raised.value)
