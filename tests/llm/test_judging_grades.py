import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.llm.judging_grades import Grade, read_grade

GOOD = {
    '{"reason": "same number", "grade": "pass"}': Grade(True, "same number"),
    ' \n{"grade": "fail", "reason": "other number"}\n': Grade(False, "other number"),
    '```json\n{"reason": "r", "grade": "pass"}\n```': Grade(True, "r"),
    '```\n{"reason": "r", "grade": "fail"}\n```': Grade(False, "r"),
    '<think>pass: or {"grade": "pass"}?\n\n</think>\n{"reason": "r", "grade": "fail"}': Grade(
        False, "r"
    ),
    '{"reason": "two\\nlines\\t and {braces}", "grade": "pass"}': Grade(
        True, "two lines and {braces}"
    ),
    "pass: the same": Grade(True, "the same"),
    "FAIL:  12 is not 13 ": Grade(False, "12 is not 13"),
    "PASS: the same\nAnd a line more.\r\nIt passes the test.": Grade(True, "the same"),
}

NONE = [
    "",
    " \n",
    "pass",
    "pass:",
    "pass: ",
    "Pass: title case",
    "The answer passes. pass: yes",
    "I would say\npass: the same",
    "pass: the same\nfail: not the same",
    "pass: the same\n**FAIL**",
    "pass: the same\n> Fail: not the same",
    "passed: the same",
    "**pass**: the same",
    '{"grade": "pass"}',
    '{"reason": "", "grade": "pass"}',
    '{"reason": " ", "grade": "pass"}',
    '{"reason": 1, "grade": "pass"}',
    '{"reason": "r", "grade": "PASS"}',
    '{"reason": "r", "grade": "pass or fail"}',
    '{"reason": "r", "grade": true}',
    '{"reason": "r", "grade": ["pass"]}',
    '{"reason": "r", "grade": "fail", "grade": "pass"}',
    '{"reason": "r", "grade": "pass", "score": 5}',
    '[{"reason": "r", "grade": "pass"}]',
    '{"reason": "r", "grade": "pass"} {"reason": "r", "grade": "fail"}',
    'Here it is: {"reason": "r", "grade": "pass"}',
    '{"reason": "r", "grade": "pass"} I hope this helps.',
    '{"reason": "r", "grade": "pass"',
    '<think>{"reason": "r", "grade": "pass"}',
    '```json\n{"reason": "r", "grade": "pass"}\n``` and {"reason": "r", "grade": "fail"}',
    "[" * 100_000,
    '{"reason": ' * 100_000,
    "!" * 100_000,
    "pass: x\n" + "!" * 100_000 + "fail",
]


@pytest.mark.parametrize(("text", "grade"), GOOD.items())
def test_what_is_as_asked_is_a_grade(text, grade):
    assert read_grade(text) == grade


@pytest.mark.parametrize("text", NONE, ids=lambda text: text[:40])
def test_what_is_not_as_asked_is_none(text):
    assert read_grade(text) is None


def test_a_reason_is_one_short_line():
    grade = read_grade(json.dumps({"reason": "so\n" * 500, "grade": "pass"}))
    assert grade is not None
    assert grade.reason == ("so " * 100) + "…"


@given(st.text(), st.sampled_from(["pass", "fail"]))
def test_whatever_a_reason_says_the_grade_stays(reason, grade):
    found = read_grade(json.dumps({"reason": reason, "grade": grade}))
    if not reason.strip():
        assert found is None
    else:
        assert found is not None
        assert found.passed == (grade == "pass")
        assert not set("\r\n\t") & set(found.reason)


@given(st.text(alphabet=st.sampled_from('{}":,pasfil gred\n`*<>/think')))
def test_no_reply_raises(text):
    grade = read_grade(text)
    assert grade is None or grade.reason
