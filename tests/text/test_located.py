"""Evidence of real pages and PDFs: how much is located, by tier, and that none is wrongly."""

import html
import io
import json
import re
from collections import Counter

import pytest
from format_files import pdf

from chunkscope.cli.main import main
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading


def located(folder, golden, reading):
    """(tier or None, evidence, document, span) of each place, and the tiers of all items."""
    corpus = load_corpus([folder], reading=reading)
    documents = {document.id: document for document in corpus.documents}
    places, tiers = [], Counter()
    for question in locate(read_golden(golden), corpus):
        for item, evidence in zip(question.items, question.question.evidence, strict=True):
            tiers[item.places[0].tier if item.places else None] += 1
            places += [(evidence.text, documents[one.doc], one.span) for one in item.places]
    return places, tiers


def shown(text, *, hyphens=True):
    """What a person reads of a text: without tags, entities and white space."""
    plain = re.sub(r"\s+", "", html.unescape(re.sub(r"<[^<>]*>", "", text)))
    return plain if hyphens else plain.replace("-", "")


@pytest.mark.parametrize(
    ("main_text", "expected"),
    [
        (False, {"markup": 13, "whitespace": 4, "exact": 2}),
        (True, {"exact": 18, "whitespace": 1}),
    ],
)
def test_all_evidence_of_real_pages_is_located_and_none_wrongly(shared_data, main_text, expected):
    folder = shared_data("pydocs_html")
    places, tiers = located(folder / "docs", folder / "golden.jsonl", Reading(html=main_text))
    assert dict(tiers) == expected
    # The same places in the source and in the main text, some evidence at two or three of them.
    assert len(places) == 23
    for evidence, document, span in places:
        assert shown(document.text[span.start : span.end]) == shown(evidence)
        if main_text:
            # The map leads back to the same words in the page's own source.
            source = document.path.read_bytes().decode("utf-8")
            first = document.origin.source_of(span.start)
            last = document.origin.source_of(span.end - 1)
            assert shown(source[first : last + 1]) == shown(evidence)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (Reading(), {"given": 5, "exact": 2, "hyphenation": 1}),
        (Reading(join_hyphens=True), {"given": 5, "exact": 3}),
    ],
)
def test_all_evidence_of_awkward_files_is_located_with_its_page(shared_data, reading, expected):
    pytest.importorskip("pypdf")
    folder = shared_data("awkward")
    places, tiers = located(folder / "docs", folder / "golden.jsonl", reading)
    assert dict(tiers) == expected
    for evidence, document, span in places:
        found = document.text[span.start : span.end]
        assert shown(found, hyphens=False) == shown(evidence, hyphens=False)
        page = "page 1" if document.id.endswith(".pdf") else ""
        assert document.place(*span) == page
    assert Counter(document.id for _, document, _ in places) == {
        "m12_repeated_paragraphs.md": 1001, "m13_nested_headings.md": 1, "m14_code_fences.md": 1,
        "m05_latin1.txt": 1, "m06_utf16le_bom.txt": 1, "p01_two_columns.pdf": 11,
        "p05_hyphenated_lines.pdf": 7,
    }  # fmt: skip


PAGES = [
    "Port handbook\nThe north berth takes tugs.\n1",
    "Port handbook\nThe har-\nbour master signs\nevery log.\n2",
    "Port handbook\nLamps are lit at dusk and\nput out at dawn.\n3",
    "Port handbook\n4",
    "Port handbook\nThe quay's depth is 9 metres. The north berth takes tugs.\n5",
]
QUESTIONS = [
    ("a", ["The north berth takes tugs."], {"exact": ["page 1", "page 5"]}),
    ("b", ["The harbour master signs every log."], {"hyphenation": ["page 2"]}),
    ("c", ["Lamps are lit at dusk and put out at dawn."], {"whitespace": ["page 3"]}),
    ("d", ["The quay\u2019s depth is 9 metres."], {"typography": ["page 5"]}),
    ("e", ["The south berth takes tugs."], {}),
    ("f", ["every log. 2 Port handbook Lamps are lit"], {"whitespace": ["page 2 to page 3"]}),
]


@pytest.mark.parametrize("encrypted", [False, True])
def test_each_tier_names_the_page(tmp_path, encrypted):
    pypdf = pytest.importorskip("pypdf")
    docs = tmp_path / "docs"
    docs.mkdir()
    data = pdf(*PAGES)
    if encrypted:
        writer = pypdf.PdfWriter(io.BytesIO(data))
        writer.encrypt("lamp", algorithm="AES-256")
        writer.write(docs / "a.pdf")
    else:
        (docs / "a.pdf").write_bytes(data)
    lines = [
        {"id": name, "question": name, "doc": "a.pdf", "evidence": [{"text": one} for one in texts]}
        for name, texts, _ in QUESTIONS
    ]
    golden = tmp_path / "golden.jsonl"
    golden.write_text("\n".join(map(json.dumps, lines)))
    corpus = load_corpus([docs], reading=Reading(passwords=("lamp",)))
    (document,) = corpus.documents
    found = {}
    for question in locate(read_golden(golden), corpus):
        places = {}
        for one in question.items[0].places:
            places.setdefault(one.tier, []).append(document.place(*one.span))
        found[question.question.id] = places
    assert found == {name: places for name, _, places in QUESTIONS}


def test_every_awkward_file_by_its_manifest(shared_data, capsys):
    pytest.importorskip("pypdf")
    folder = shared_data("awkward")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    corpus = load_corpus([folder / "docs"])
    documents = {document.id: document for document in corpus.documents}
    for entry in manifest:
        if entry["encoding"] is None:
            continue
        document = documents.pop(entry["file"])
        data = (folder / "docs" / entry["file"]).read_bytes()
        assert document.encoding == entry["encoding"]
        assert document.text == data.decode(entry["encoding"])
        assert len(document.text) == entry["chars"]
        assert (document.origin, document.place(0, 1)) == (None, "")
    assert list(documents) == ["p01_two_columns.pdf", "p05_hyphenated_lines.pdf"]
    assert {one.path: one.reason for one in corpus.skipped} == {
        "p07_blank_page.pdf": "a PDF without a text layer (1 page); run OCR over it first",
        "p09_not_a_pdf.pdf": "named .pdf but no PDF inside; rename it if it is text",
    }
    assert len(corpus.documents) + len(corpus.skipped) == len(manifest)
    assert main(["chunks", str(folder / "docs"), "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    chunked = {json.loads(line)["doc"] for line in captured.out.split("\n") if line}
    # Only what holds nothing but white space has no chunk.
    empty = {one.id for one in corpus.documents if not one.text.strip()}
    assert chunked == {one.id for one in corpus.documents} - empty
    assert sum(line.startswith("skipped ") for line in captured.err.split("\n")) == 2
