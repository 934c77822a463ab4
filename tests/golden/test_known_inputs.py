"""Evidence as people paste it, over documents as they come: found, or said not to be."""

import json

import pytest

from chunkscope.cli.main import main
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.text.loading.load import load_corpus

AWKWARD = {
    "aw-1": ("given", 1, 83000, 83076),
    "aw-2": ("exact", 1000, 0, 164),
    "aw-3": ("given", 1, 2793, 2839),
    "aw-4": ("given", 1, 547, 563),
    "aw-9": ("given", 1, 200, 260),
    "aw-10": ("given", 1, 200, 260),
    "aw-p01": ("exact", 11, None, None),
    "aw-p05": ("hyphenation", 7, None, None),
}


def test_the_awkward_questions_are_located(shared_data):
    pytest.importorskip("pypdf")
    folder = shared_data("awkward")
    corpus = load_corpus([folder / "docs"])
    texts = {document.id: document.text for document in corpus.documents}
    located = {one.question.id: one for one in locate(read_golden(folder / "golden.jsonl"), corpus)}
    assert set(located) == set(AWKWARD)
    for identity, (tier, count, start, end) in AWKWARD.items():
        (item,) = located[identity].items
        assert (len(item.places), item.drifted, item.ambiguous) == (count, False, count > 1)
        assert {place.tier for place in item.places} == {tier}
        place = item.places[0]
        if start is not None:
            assert place.span == (start, end)
        shown = texts[place.doc][place.span.start : place.span.end]
        if tier == "hyphenation":
            # Offsets of the extracted text, line ends and hyphens as a PDF has them.
            assert "mainte-\nnance" in shown
            assert shown.replace("twenty-\n", "twenty-").replace("-\n", "").replace("\n", " ") == (
                item.evidence.text
            )
        else:
            assert shown == item.evidence.text


def test_without_the_skipped_files_their_questions_are_unmeasured(shared_data, tmp_path):
    folder = shared_data("awkward")
    for name in ("m13_nested_headings.md", "m12_repeated_paragraphs.md"):
        (tmp_path / name).write_bytes((folder / "docs" / name).read_bytes())
    located = locate(read_golden(folder / "golden.jsonl"), load_corpus([tmp_path]))
    measured = {one.question.id for one in located if one.measured}
    assert measured == {"aw-1", "aw-2", "aw-3"}
    notes = {one.question.id: one.items[0].note for one in located if not one.measured}
    assert notes["aw-4"].startswith('document "m14_code_fences.md" is not in the corpus')


# Text of a document, evidence as it is pasted, the tier that finds it, and the text that it finds.
PASTED = [
    pytest.param(("The of\ufb01ce\u00a0opens at six.", "the office opens at six", "typography",
                  "The of\ufb01ce\u00a0opens at six"), id="ligature, NBSP, case"),
    pytest.param(("He said \u201cno\u201d \u2013 twice.", 'said "no" - twice', "typography",
                  "said \u201cno\u201d \u2013 twice"), id="quotes, dash"),
    pytest.param(("A cafe\u0301 at the har\u00adbour.", "caf\u00e9 at the harbour", "typography",
                  "cafe\u0301 at the har\u00adbour"), id="NFD, soft hyphen"),
    pytest.param(("Here the harbour mas-\nter signs it.", "the harbour master signs", "hyphenation",
                  "the harbour mas-\nter signs"), id="line end"),
    pytest.param(("The rate is 4.5 now. The rate is 4.", "The rate is 4.", "exact",
                  "The rate is 4."), id="inside a number"),
    pytest.param(("\u0130\u0130 quay opens at six.", "Quay opens", "typography", "quay opens"),
                 id="folding that grows"),
]  # fmt: skip


@pytest.mark.parametrize("case", PASTED)
def test_pasted_evidence_is_found_and_its_tier_named(tmp_path, capsys, case):
    text, pasted, tier, found = case
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(text, encoding="utf-8")
    golden = tmp_path / "g.jsonl"
    line = {"id": "q", "question": "x", "doc": "a.txt", "evidence": [{"text": pasted}]}
    golden.write_text(json.dumps(line) + "\n")
    ((item,),) = (one.items for one in locate(read_golden(golden), load_corpus([docs])))
    (place,) = item.places
    assert (place.tier, text[place.span.start : place.span.end]) == (tier, found)
    assert place.span.start == text.rindex(found)
    command = ["golden", "stats", str(docs), "--golden", str(golden), "--format", "json"]
    assert main(command) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["measured"], made["evidence"]["tiers"]) == (1, {tier: 1})


@pytest.mark.parametrize(
    ("text", "pasted"),
    [
        ("The rate is 4.5 now.", "rate is  4"),
        ("concat bolt", "cat  b"),
        ("A berth is 25 euros a night.", "A berth costs twenty euros"),
    ],
)
def test_what_is_not_there_is_unmeasured_and_validate_fails(tmp_path, capsys, text, pasted):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(text)
    golden = tmp_path / "g.jsonl"
    line = {"id": "q", "question": "x", "doc": "a.txt", "evidence": [{"text": pasted}]}
    golden.write_text(json.dumps(line) + "\n")
    command = ["golden", "validate", str(docs), "--golden", str(golden), "--format", "json"]
    assert main(command) == 1
    made = json.loads(capsys.readouterr().out)
    (first, *_) = made["findings"]
    assert (first["severity"], first["id"], first["line"]) == ("error", "q", 1)
    assert first["message"].startswith('evidence[0]: not found in "a.txt"')
    assert made["detectable"]["difference"] is None
