"""The promises of the shipped sample documents and their golden questions."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import toktok
from langchain_text_splitters import RecursiveCharacterTextSplitter

SAMPLES = Path(__file__).parent.parent / "sample_docs"
GOLDEN = SAMPLES / "golden.jsonl"
INCIDENT = "incidents/2026-02-gauge-drift.md"
TRANSCRIPT = "transcripts/winter-briefing.txt"
JAPANESE = "ja/kaisen-annai.txt"
AGREEMENT = "policy/berth-agreement.txt"

TYPES = {"fact", "explanation", "table"}
KEYS = {"id", "question", "doc", "type", "evidence", "answer"}


def read_documents() -> dict[str, str]:
    """Return the text of every document by id, newlines as they stand."""
    return {
        path.relative_to(SAMPLES).as_posix(): path.read_bytes().decode("utf-8")
        for path in sorted(SAMPLES.rglob("*"))
        if path.is_file() and path != GOLDEN and not path.name.startswith(".")
    }


def read_questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_bytes().decode("utf-8").split("\n") if line]


DOCUMENTS = read_documents()
QUESTIONS = read_questions()


def places(question: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (document id, place) for each evidence item and each alternative."""
    for item in question["evidence"]:
        doc = item.get("doc", question["doc"])
        yield doc, item
        for alternative in item.get("alternatives", ()):
            yield alternative.get("doc", doc), alternative


def split(text: str, size: int) -> list[str]:
    """Return the chunks of LangChain's recursive splitter at 10 % overlap."""
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size,
        chunk_overlap=size // 10,
        separators=["\n\n", "\n", ". ", " ", ""],
        keep_separator="end",
        length_function=lambda piece: toktok.batch_count([piece])[0],
    )
    return splitter.split_text(text)


def split_items(size: int) -> tuple[int, int]:
    """Return how many evidence items no chunk holds in any of their places, and how many exist."""
    chunks = {doc: split(text, size) for doc, text in DOCUMENTS.items()}
    lost = total = 0
    for question in QUESTIONS:
        for item in question["evidence"]:
            alone = {**question, "evidence": [item]}
            whole = any(
                place["text"] in chunk for doc, place in places(alone) for chunk in chunks[doc]
            )
            lost += not whole
            total += 1
    return lost, total


def test_there_are_enough_documents_of_a_fitting_size() -> None:
    assert len(DOCUMENTS) >= 9
    assert {Path(doc).suffix for doc in DOCUMENTS} == {".md", ".txt"}
    size = sum(len(text.encode("utf-8")) for text in DOCUMENTS.values())
    assert 140 * 1024 <= size <= 165 * 1000


def test_one_guide_is_long() -> None:
    assert len(DOCUMENTS["guides/operator-guide.md"]) >= 28_000


def test_every_text_is_valid_and_without_surprises() -> None:
    for doc, text in DOCUMENTS.items():
        assert "\x00" not in text, doc
        assert "\ufffd" not in text, doc
        assert "\ufeff" not in text, doc
        assert text.endswith("\n"), doc


def test_only_the_incident_report_has_crlf_line_ends() -> None:
    incident = DOCUMENTS[INCIDENT]
    assert incident.count("\r\n") == incident.count("\n") == incident.count("\r")
    assert incident.count("\n") > 100
    assert [doc for doc, text in DOCUMENTS.items() if "\r" in text] == [INCIDENT]


def test_the_transcript_has_no_punctuation_and_long_lines() -> None:
    transcript = DOCUMENTS[TRANSCRIPT]
    assert re.findall(r"[^a-z0-9 \n]", transcript) == []
    assert max(len(line) for line in transcript.split("\n")) > 1_000


def test_the_japanese_text_has_line_ends_as_its_only_white_space() -> None:
    japanese = DOCUMENTS[JAPANESE]
    assert set(re.findall(r"\s", japanese)) == {"\n"}
    assert len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", japanese)) > 2_000


def test_the_agreement_repeats_its_notice_paragraph() -> None:
    agreement = DOCUMENTS[AGREEMENT]
    start = agreement.index("Notices under this section")
    paragraph = agreement[start : agreement.index("\n\n", start)]
    assert agreement.count(paragraph) == 10
    assert len(re.findall(r"^Section \d+\. ", agreement, flags=re.MULTILINE)) == 11


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("umlauts", r"[äöüßÄÖÜ]"),
        ("tabs", r"\t"),
        ("characters outside the basic plane", r"[\U00010000-\U0010ffff]"),
        ("a fence of shell", r"```shell\r?\n"),
        ("a fence of Python", r"```python\r?\n"),
        ("a fence of TOML", r"```toml\r?\n"),
        ("a table", r"\|---\|"),
        ("a nested list", r"\n  - .*\n    - "),
        ("a numbered list", r"\n1\. .*\n2\. "),
        ("a reference to another document", r"\]\(\.\./"),
    ],
)
def test_the_set_is_varied(what: str, pattern: str) -> None:
    assert any(re.search(pattern, text) for text in DOCUMENTS.values()), what


def test_links_between_documents_lead_somewhere() -> None:
    for doc, text in DOCUMENTS.items():
        for target in re.findall(r"\]\(([^)#:]+\.(?:md|txt))\)", text):
            assert (SAMPLES / doc).parent.joinpath(target).is_file(), (doc, target)


def test_the_golden_set_is_large_enough_to_decide_with() -> None:
    assert len(QUESTIONS) >= 50
    assert [question["id"] for question in QUESTIONS] == [
        f"harbour-{number:02d}" for number in range(1, len(QUESTIONS) + 1)
    ]
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)


def test_questions_use_the_known_keys_and_documents() -> None:
    for question in QUESTIONS:
        assert set(question) <= KEYS, question["id"]
        assert question["doc"] in DOCUMENTS, question["id"]
        for doc, _ in places(question):
            assert doc in DOCUMENTS, question["id"]


def test_every_document_is_asked_about() -> None:
    assert {doc for question in QUESTIONS for doc, _ in places(question)} == set(DOCUMENTS)


def test_types_are_balanced() -> None:
    counts = Counter(question["type"] for question in QUESTIONS)
    assert set(counts) == TYPES
    assert min(counts.values()) >= 14
    assert max(counts.values()) <= 2 * min(counts.values())


def test_two_span_cross_document_and_unanswerable_questions_exist() -> None:
    two = [question for question in QUESTIONS if len(question["evidence"]) == 2]
    across = [
        question
        for question in two
        if len({item.get("doc", question["doc"]) for item in question["evidence"]}) == 2
    ]
    unanswerable = [question for question in QUESTIONS if not question["evidence"]]
    assert len(two) >= 8
    assert len(across) >= 3
    assert 2 <= len(unanswerable) <= 3
    assert all("answer" not in question for question in unanswerable)
    assert sum("answer" in question for question in QUESTIONS) >= 20


def test_every_evidence_text_is_the_slice_at_its_offsets() -> None:
    for question in QUESTIONS:
        for doc, place in places(question):
            assert 0 <= place["start"] < place["end"], question["id"]
            found = DOCUMENTS[doc][place["start"] : place["end"]]
            assert found == place["text"], question["id"]
            assert found == found.strip(), question["id"]


def test_repeated_evidence_names_all_its_other_places() -> None:
    repeated = 0
    for question in QUESTIONS:
        for item in question["evidence"]:
            doc = item.get("doc", question["doc"])
            count = DOCUMENTS[doc].count(item["text"])
            if count > 1:
                repeated += 1
                starts = {item["start"], *(other["start"] for other in item["alternatives"])}
                assert len(starts) == count, question["id"]
    assert repeated == 1


def test_no_question_quotes_its_evidence() -> None:
    for question in QUESTIONS:
        asked = question["question"].casefold().split()
        runs = {" ".join(asked[i : i + 9]) for i in range(len(asked) - 8)}
        for _, place in places(question):
            text = " ".join(place["text"].casefold().split())
            assert not any(run in text for run in runs), question["id"]


@pytest.mark.parametrize(
    ("size", "low", "high"), [(128, 0.30, 0.50), (256, 0.15, 0.30), (512, 0.07, 0.20)]
)
def test_an_ordinary_setting_splits_evidence(size: int, low: float, high: float) -> None:
    lost, total = split_items(size)
    assert lost >= 10
    assert low <= lost / total <= high
