import json
from pathlib import Path

import pytest

from chunkscope.errors import InputError
from chunkscope.golden.model import Evidence
from chunkscope.golden.reading import parse_line, read_golden

GOOD = {"id": "q1", "question": "Who?", "doc": "a.md", "evidence": [{"text": "me"}]}


def line(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def item(**changes: object) -> str:
    return line(evidence=[{"text": "me", **changes}])


def write(folder: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    path = folder / "golden.jsonl"
    encoded = [one if isinstance(one, bytes) else one.encode() for one in lines]
    path.write_bytes(b"".join(one + end for one in encoded))
    return path


def test_every_field_is_read(tmp_path):
    full = {
        "id": "q1",
        "question": "Who?",
        "doc": "a.md",
        "evidence": [
            {
                "text": "me",
                "start": 3,
                "end": 5,
                "doc": "b.md",
                "alternatives": [{"text": "I", "start": 0, "end": 1, "note": 7}],
                "match": "exact",
            },
            {"text": "you", "start": None, "end": None},
        ],
        "answer": "me",
        "type": "fact",
        "source": {"page": 4},
    }
    golden = read_golden(write(tmp_path, json.dumps(full)))
    (question,) = golden.questions
    assert (question.id, question.question, question.doc) == ("q1", "Who?", "a.md")
    assert (question.answer, question.type, question.line) == ("me", "fact", 1)
    assert question.extra == {"source": {"page": 4}}
    assert question.evidence == (
        Evidence(
            "me",
            3,
            5,
            "b.md",
            (Evidence("I", 0, 1, extra={"note": 7}),),
            {"match": "exact"},
        ),
        Evidence("you"),
    )


def test_blank_lines_a_byte_order_mark_and_crlf_are_allowed(tmp_path):
    path = write(tmp_path, b"\xef\xbb\xbf", b"", line(), b"  \t", line(id="q2"), b"", end=b"\r\n")
    assert [(one.id, one.line) for one in read_golden(path).questions] == [("q1", 3), ("q2", 5)]


def test_no_lines_give_no_questions(tmp_path):
    assert read_golden(write(tmp_path)).questions == ()


def test_line_separators_inside_a_string_end_no_line(tmp_path):
    text = "a\u2028b\x0cc\x85d"
    path = write(tmp_path, json.dumps({**GOOD, "question": text}, ensure_ascii=False))
    assert read_golden(path).questions[0].question == text


def test_lone_surrogate_escapes_are_kept(tmp_path):
    path = write(tmp_path, '{"id":"q","question":"a\\ud83db","doc":"d","evidence":[]}')
    assert read_golden(path).questions[0].question == "a\ud83db"


def test_an_unanswerable_question_has_no_evidence(tmp_path):
    assert read_golden(write(tmp_path, line(evidence=[]))).questions[0].evidence == ()


BAD = [
    ("{", "not JSON"),
    ('{"id": NaN}', "NaN"),
    (item(start=0, end=1).replace("1}", "1e999}"), "too large"),
    ("[1, 2]", "a list, not an object"),
    ('"text"', "text, not an object"),
    ("null", "null, not an object"),
    ("[" * 100_000, "nested too deeply"),
    ('{"id": ' + "9" * 5000 + "}", "too many digits"),
    ('{"id":"a","id":"b"}', '"id": stands twice'),
    *[
        (json.dumps({key: GOOD[key] for key in GOOD if key != name}), f"field {name}: missing")
        for name in GOOD
    ],
    (line(id=" "), "field id: blank"),
    (line(id=7), "field id: a number"),
    (line(question=""), "field question: blank"),
    (line(question=None), "field question: null"),
    (line(doc=["a"]), "field doc: a list"),
    (line(doc="\t"), "field doc: blank"),
    (line(answer=3), "field answer: a number"),
    (line(type={}), "field type: an object"),
    (line(evidence="me"), "field evidence: text, not a list"),
    (line(evidence=None), "field evidence: null, not a list"),
    (line(evidence=["me"]), "field evidence[0]: text, not an object"),
    (line(evidence=[{}]), "field evidence[0].text: missing"),
    (item(text=" \n"), "field evidence[0].text: blank"),
    (item(text=5), "field evidence[0].text: a number"),
    (item(start=1), "field evidence[0].end: missing beside start"),
    (item(end=1, start=None), "field evidence[0].start: missing beside end"),
    (item(start=-1, end=2), "field evidence[0].start: -1 is negative"),
    (item(start=2, end=2), "field evidence[0].start: 2 is not before end 2"),
    (item(start=3, end=2), "field evidence[0].start: 3 is not before end 2"),
    (item(start=True, end=2), "field evidence[0].start: true is not a whole number"),
    (item(start=0, end=2.0), "field evidence[0].end: 2.0 is not a whole number"),
    (item(start="0", end=2), 'field evidence[0].start: "0" is not a whole number'),
    (item(doc=""), "field evidence[0].doc: blank"),
    (item(doc=1), "field evidence[0].doc: a number"),
    (item(alternatives="me"), "field evidence[0].alternatives: text, not a list"),
    (item(alternatives=[{"text": ""}]), "field evidence[0].alternatives[0].text: blank"),
    (
        item(alternatives=[{"text": "I", "alternatives": []}]),
        "field evidence[0].alternatives[0].alternatives: an alternative has none",
    ),
]


@pytest.mark.parametrize(("bad", "said"), BAD, ids=[said for _, said in BAD])
def test_a_bad_line_names_file_line_and_field(tmp_path, bad, said):
    path = write(tmp_path, line(id="first"), "", bad)
    with pytest.raises(InputError) as caught:
        read_golden(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line 3: ")
    assert said in message
    assert "\n" not in message
    assert len(message) < len(str(path)) + 300


def test_ids_that_stand_twice_name_both_lines(tmp_path):
    path = write(tmp_path, line(), "", line())
    with pytest.raises(InputError, match=r"line 3: field id: \"q1\" stands in line 1 already"):
        read_golden(path)


def test_bytes_that_are_not_utf8_are_named_by_their_place(tmp_path):
    path = write(tmp_path, line(), b'{"id": "\xe9"}')
    with pytest.raises(InputError, match=r"line 2: not UTF-8: byte 0xe9 at byte 9"):
        read_golden(path)


def test_a_line_without_end_is_not_read_into_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("chunkscope.golden.reading.LINE_LIMIT", 200)
    path = write(tmp_path, line(), b"x" * 10_000)
    with pytest.raises(InputError, match="line 2: longer than 200 bytes"):
        read_golden(path)


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "nul\0byte"])
def test_what_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(InputError):
        read_golden(tmp_path / name)


def test_one_line_alone_is_parsed():
    assert parse_line(line(), line=4).line == 4
    with pytest.raises(InputError, match="golden set, line 4: field id: blank"):
        parse_line(line(id=""), line=4)


SETS = {
    "toy_cli": 8,
    "toy_policy": 40,
    "chroma": 472,
    "cuad": 840,
    "jaquad": 3939,
    "xquad_ar": 1190,
    "awkward": 8,
}


@pytest.mark.parametrize("name", SETS)
def test_public_sets_are_read(shared_data, name):
    assert len(read_golden(shared_data(name) / "golden.jsonl").questions) == SETS[name]
