"""Golden sets: located evidence slices to its text; files survive; bad lines are named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.writing import append_question, write_golden
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

EXAMPLES = settings(
    max_examples=max(500, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

# ---------------------------------------------------------------- locating

PARTS = (
    *("dock", "tide", "lamp", "4.5", "4", "İİ quay", "ﬁne", "港口很安静", "Straße", "a", "e\u0301"),
    *(" ", " ", "  ", "\n", "\r\n", "\t", "\xa0", "\u3000", "\x85", ". ", ".", ",", "\n\n"),
    *("👩‍👩‍👧‍👦", "\ufeff", "\u00ad", "“", "”", "-\n", "*", "|"),
)
TEXTS = st.lists(st.sampled_from(PARTS), min_size=2, max_size=30).map("".join)


def folded(text: str) -> str:
    """White space runs as one blank, none at the ends."""
    return " ".join(text.split())


def occurrences(text: str, part: str) -> list[tuple[int, int]]:
    return [
        (start, start + len(part))
        for start in range(len(text) - len(part) + 1)
        if text.startswith(part, start)
    ]


def at_word_borders(text: str, start: int, end: int) -> bool:
    """No letter or digit of the place has a letter or digit of the text beside it."""

    def inside(offset: int) -> bool:
        return 0 < offset < len(text) and text[offset - 1].isalnum() and text[offset].isalnum()

    return not inside(start) and not inside(end)


def stands_alone(text: str, start: int, end: int) -> bool:
    """White space or nothing on both sides: a word border by anyone's rule."""
    return not text[:start][-1:].strip() and not text[end:][:1].strip()


@st.composite
def texts_and_spans(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(TEXTS)
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    assume(text[start:end].strip())
    return text, start, end


def places_of(text: str, evidence: Evidence) -> list[tuple[int, int, str]]:
    corpus = Corpus((Document("other", "nothing here"), Document("z", text)))
    golden = GoldenSet((Question("q", "?", "z", (evidence,)),))
    (located,) = locate(golden, corpus)
    assert {place.doc for place in located.items[0].places} <= {"z"}
    return [(*place.span, place.tier) for place in located.items[0].places]


@EXAMPLES
@given(texts_and_spans())
def test_offsets_decide(tried: tuple[str, int, int]) -> None:
    text, start, end = tried
    assert places_of(text, Evidence(text[start:end], start, end)) == [(start, end, "given")]


@EXAMPLES
@given(texts_and_spans())
def test_exact_text_without_offsets(tried: tuple[str, int, int]) -> None:
    text, start, end = tried
    part = text[start:end]
    found = places_of(text, Evidence(part))
    assert found
    assert all(text[low:high] == part for low, high, _ in found)
    assert {tier for _, _, tier in found} == {"exact"}
    everywhere = occurrences(text, part)
    bordered = [place for place in everywhere if stands_alone(text, *place)]
    got = [(low, high) for low, high, _ in found]
    assert got == sorted(got)
    assert set(got) <= set(everywhere)
    assert set(bordered) <= set(got)


@st.composite
def respaced(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and a run of its words with other white space between them."""
    spaces = [part for part in PARTS if part.isspace()]
    words = draw(
        st.lists(st.sampled_from([part for part in PARTS if part.strip()]), min_size=2, max_size=12)
    )
    gaps = draw(st.lists(st.sampled_from(spaces), min_size=len(words), max_size=len(words)))
    first = draw(st.integers(0, len(words) - 2))
    last = draw(st.integers(first + 2, len(words)))
    part = draw(st.sampled_from([" ", "\n", "\n\n  ", "\t", "\r\n"])).join(words[first:last])
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    return text, part


@EXAMPLES
@given(respaced())
def test_white_space_folded(tried: tuple[str, str]) -> None:
    text, part = tried
    found = places_of(text, Evidence(part))
    assert found
    if part in text:
        return
    for low, high, tier in found:
        assert tier != "exact"
        assert tier != "given"
        assert folded(text[low:high]) == folded(part)
        assert not text[low].isspace()
        assert not text[high - 1].isspace()
        assert at_word_borders(text, low, high)


@EXAMPLES
@given(TEXTS, TEXTS)
def test_whatever_is_located_holds_the_letters_of_its_text(text: str, part: str) -> None:
    assume(part.strip())
    for low, high, tier in places_of(text, Evidence(part)):
        assert 0 <= low < high <= len(text)
        if tier == "exact":
            assert text[low:high] == part
        elif "space" in tier:
            assert folded(text[low:high]) == folded(part)


@EXAMPLES
@given(texts_and_spans(), st.integers(-5, 5))
def test_drifted_offsets_are_located_anew(tried: tuple[str, int, int], slip: int) -> None:
    text, start, end = tried
    moved = start + slip
    part = text[start:end]
    assume(moved >= 0 and text[moved : moved + len(part)] != part)
    corpus = Corpus((Document("z", text),))
    evidence = Evidence(part, moved, moved + len(part))
    (located,) = locate(GoldenSet((Question("q", "?", "z", (evidence,)),)), corpus)
    assert located.items[0].drifted
    assert all(text[slice(*place.span)] == part for place in located.items[0].places)
    assert located.items[0].places


def test_exact_first_and_looser_tiers_keep_to_words() -> None:
    text = "The rate is 4.5 now. The rate is 4."
    assert places_of(text, Evidence("The rate is 4.")) == [(21, 35, "exact")]
    assert places_of("a big harbour", Evidence("g  h")) == []


def test_several_places_are_alternatives_and_said() -> None:
    corpus = Corpus((Document("z", "dock one, dock two"),))
    (located,) = locate(GoldenSet((Question("q", "?", "z", (Evidence("dock"),)),)), corpus)
    assert [tuple(place.span) for place in located.items[0].places] == [(0, 4), (10, 14)]
    assert located.items[0].ambiguous


@pytest.mark.parametrize("name", ["toy_cli", "toy_policy", "chroma", "techdocs_md", "xquad_zh"])
def test_public_sets_slice_to_their_text(shared_data: Callable[[str], Path], name: str) -> None:
    folder = shared_data(name)
    corpus = load_corpus([folder / "docs"])
    golden = read_golden(folder / "golden.jsonl")
    for question in locate(golden, corpus):
        for item in question.items:
            for place in item.places:
                position = corpus.position(place.doc)
                assert position is not None
                source = corpus.documents[position].text[slice(*place.span)]
                if place.tier in {"given", "exact"}:
                    assert source == item.evidence.text
                elif "space" in place.tier:
                    assert folded(source) == folded(item.evidence.text)
            if item.evidence.start is not None:
                assert [tuple(p.span) for p in item.places] == [
                    (item.evidence.start, item.evidence.end)
                ], question.question.id


# ---------------------------------------------------------------- reading and writing

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=8),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KNOWN = {"id", "question", "doc", "evidence", "answer", "type"}
KNOWN_OF_EVIDENCE = {"text", "start", "end", "doc", "alternatives"}
FREE = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    str.strip
)


def extras(known: set[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(
        st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6).filter(
            lambda name: name not in known
        ),
        VALUES,
        max_size=3,
    )


@st.composite
def evidence_objects(draw: st.DrawFn, depth: int = 1) -> dict[str, Any]:
    made: dict[str, Any] = {"text": draw(FREE)}
    place = draw(st.sampled_from(["none", "null", "given"]))
    if place == "null":
        made |= {"start": None, "end": None}
    if place == "given":
        start = draw(st.integers(0, 50))
        made |= {"start": start, "end": start + len(made["text"])}
    if draw(st.booleans()):
        made["doc"] = draw(FREE)
    if depth and draw(st.booleans()):
        made["alternatives"] = draw(st.lists(evidence_objects(depth=0), min_size=1, max_size=2))
    return made | draw(extras(KNOWN_OF_EVIDENCE))


@st.composite
def question_objects(draw: st.DrawFn) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": draw(FREE),
        "question": draw(FREE),
        "doc": draw(FREE),
        "evidence": draw(st.lists(evidence_objects(), max_size=3)),
    }
    for name in ("answer", "type"):
        if draw(st.booleans()):
            made[name] = draw(FREE)
    made |= draw(extras(KNOWN))
    order = draw(st.permutations(list(made)))
    return {name: made[name] for name in order}


LINES = st.lists(question_objects(), min_size=1, max_size=4, unique_by=lambda made: made["id"])


@EXAMPLES
@given(LINES, st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n"]), st.booleans())
def test_a_rewrite_changes_nothing(
    tmp_path: Path, lines: list[dict[str, Any]], ascii_only: bool, ending: str, last: bool
) -> None:
    path = tmp_path / "golden.jsonl"
    texts = [json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    path.write_bytes((ending.join(texts) + (ending if last else "")).encode("utf-8"))
    before = path.read_bytes()
    golden = read_golden(path)
    assert [question.id for question in golden.questions] == [line["id"] for line in lines]
    write_golden(golden, path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["golden.jsonl"]


@EXAMPLES
@given(LINES, FREE)
def test_unknown_keys_survive_a_change(
    tmp_path: Path, lines: list[dict[str, Any]], question: str
) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    golden = read_golden(path)
    first = golden.questions[0]
    changed = Question(
        first.id, question, first.doc, first.evidence, first.answer, first.type, first.extra
    )
    write_golden(GoldenSet((changed, *golden.questions[1:])), path)
    written = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert len(written) == len(lines)
    assert without_nulls(written[0]) == without_nulls(lines[0] | {"question": question})
    assert written[1:] == lines[1:]
    assert read_golden(path).questions[0].question == question


def without_nulls(value: dict[str, Any]) -> dict[str, Any]:
    """A question with null offsets left out: absent and null mean the same there."""

    def plain(item: dict[str, Any]) -> dict[str, Any]:
        kept = {
            name: part
            for name, part in item.items()
            if not (name in {"start", "end"} and part is None)
        }
        if "alternatives" in kept:
            kept["alternatives"] = [plain(other) for other in kept["alternatives"]]
        return kept

    return value | {"evidence": [plain(item) for item in value["evidence"]]}


@EXAMPLES
@given(LINES, question_objects())
def test_an_appended_question_leaves_the_lines_before(
    tmp_path: Path, lines: list[dict[str, Any]], added: dict[str, Any]
) -> None:
    assume(added["id"] not in {line["id"] for line in lines})
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    before = path.read_bytes()
    other = tmp_path / "one" / "golden.jsonl"
    other.parent.mkdir(exist_ok=True)
    other.write_text(json.dumps(added), encoding="utf-8")
    (question,) = read_golden(other).questions
    append_question(path, question)
    assert path.read_bytes().startswith(before)
    assert [one.id for one in read_golden(path).questions] == [
        *(line["id"] for line in lines),
        added["id"],
    ]


# ---------------------------------------------------------------- bad lines

GOOD = {"id": "q", "question": "?", "doc": "a.md", "evidence": [{"text": "dock"}]}


def with_evidence(**changes: Any) -> dict[str, Any]:
    return GOOD | {"evidence": [{"text": "dock", "start": 0, "end": 4} | changes]}


BAD_LINES = [
    *(pytest.param({k: v for k, v in GOOD.items() if k != name}, name, id=f"no {name}")
      for name in ("question", "doc", "evidence")),
    *(pytest.param(GOOD | {name: bad}, name, id=f"{name} is {bad!r}")
      for name in ("question", "doc", "evidence") for bad in (None, 3, True, {"a": 1})),
    *(pytest.param(GOOD | {name: ["x"]}, name, id=f"{name} is a list")
      for name in ("id", "question", "doc", "type", "answer")),
    pytest.param(GOOD | {"evidence": "dock"}, "evidence", id="evidence is a text"),
    pytest.param(GOOD | {"evidence": [None]}, "evidence", id="evidence item is null"),
    pytest.param(GOOD | {"evidence": ["dock"]}, "evidence", id="evidence item is a text"),
    pytest.param(GOOD | {"evidence": [{"start": 0, "end": 4}]}, "text", id="no evidence text"),
    *(pytest.param(with_evidence(text=bad), "text", id=f"evidence text is {bad!r}")
      for bad in (None, 3, [], "", " ", "\n\t\xa0")),
    *(pytest.param(with_evidence(start=bad), "start", id=f"start is {bad!r}")
      for bad in ("0", 0.5, True, [], -1)),
    *(pytest.param(with_evidence(end=bad), "end", id=f"end is {bad!r}")
      for bad in ("4", 4.5, True, {}, -1)),
    pytest.param(with_evidence(start=None), "start", id="end without start"),
    pytest.param(with_evidence(end=None), "end", id="start without end"),
    pytest.param(with_evidence(start=4, end=0), "end", id="end before start"),
    pytest.param(with_evidence(doc=5), "doc", id="evidence doc is a number"),
    pytest.param(with_evidence(alternatives={"text": "x"}), "alternatives", id="alternatives"),
    pytest.param(with_evidence(alternatives=[{}]), "alternatives", id="empty alternative"),
    pytest.param(with_evidence(alternatives=[{"text": " "}]), "alternatives", id="blank one"),
]  # fmt: skip


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_golden(path)
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message
    return message


@pytest.mark.parametrize(("line", "field"), BAD_LINES)
def test_a_bad_line_names_file_line_and_field(
    tmp_path: Path, line: dict[str, Any], field: str
) -> None:
    content = f"{json.dumps(GOOD | {'id': 'first'})}\n\n{json.dumps(line)}\n"
    message = refusal(tmp_path / "set.jsonl", content.encode())
    assert field in message
    assert "3" in message.replace("set.jsonl", "")


@pytest.mark.parametrize(
    "line",
    [
        *(b"{", b"[]", b"null", b"3", b'"text"', b"{}{}", b"{'id': 1}", b"not json", b"\xff\xfe{"),
        *(b'{"id": NaN}', b"[" * 5000, b'{"id": "\x01"}', b'{"a": Infinity}', b'{"id": "q",}'),
    ],
)
def test_what_is_no_object_names_file_and_line(tmp_path: Path, line: bytes) -> None:
    content = json.dumps(GOOD).encode() + b"\n" + line + b"\n"
    message = refusal(tmp_path / "set.jsonl", content)
    assert "2" in message.replace("set.jsonl", "")


def test_a_repeated_id_names_both(tmp_path: Path) -> None:
    content = "\n".join([json.dumps(GOOD)] * 2).encode()
    message = refusal(tmp_path / "set.jsonl", content)
    assert "id" in message
    assert "2" in message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.jsonl"):
        read_golden(tmp_path / "absent.jsonl")
