"""The public sets, converted to every format by this project's tests and imported back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import other_formats as to
import pytest

from chunkscope.golden.importing.placing import Imported, place
from chunkscope.golden.importing.reading import read_source
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.writing import write_golden
from chunkscope.text.document import Corpus, Document


def shared_set(folder: Path) -> tuple[GoldenSet, Corpus]:
    files = sorted((folder / "docs").rglob("*"))
    documents = [
        Document(file.relative_to(folder / "docs").as_posix(), file.read_bytes().decode())
        for file in files
        if file.is_file()
    ]
    return read_golden(folder / "golden.jsonl"), Corpus(tuple(documents))


def with_offsets(golden: GoldenSet) -> GoldenSet:
    """Questions of which every piece of evidence has its offsets, unanswerable ones too."""
    kept = [one for one in golden.questions if all(item.start is not None for item in one.evidence)]
    return GoldenSet(tuple(kept))


def single(golden: GoldenSet) -> GoldenSet:
    """Of those, the ones that fit formats with one document and one piece of evidence."""
    kept = [one for one in with_offsets(golden).questions if len(one.evidence) < 2]
    return GoldenSet(tuple(one for one in kept if not any(item.doc for item in one.evidence)))


def back(convert: to.Convert, golden: GoldenSet, corpus: Corpus, folder: Path) -> Imported:
    """Imported, and read again from the lines that were written."""
    path, options = convert(golden, corpus, folder)
    made = place(read_source(path, **options), corpus)
    write_golden(made.golden, folder / "out.jsonl")
    return replace(made, golden=read_golden(folder / "out.jsonl"))


def pairs(
    before: GoldenSet, after: GoldenSet
) -> Iterator[tuple[Question, Evidence, Question, Evidence]]:
    for old, new in zip(before.questions, after.questions, strict=True):
        assert new.question == old.question
        for given, item in zip(old.evidence, new.evidence, strict=True):
            yield old, given, new, item


CARRY_OFFSETS = [to.as_chroma, to.as_legalbench, to.as_chunktuner, to.as_chunk_dump]


@pytest.mark.parametrize("convert", CARRY_OFFSETS, ids=lambda convert: convert.__name__)
@pytest.mark.parametrize(
    "name",
    ["chroma", "cuad", "contractnli_dev", "tatqa", "code_qa", "xquad_ar", "techdocs_md",
     "toy_policy"],
)  # fmt: skip
def test_offsets_come_back_as_they_were(shared_data, tmp_path, convert, name):
    golden, corpus = shared_set(shared_data(name))
    golden = with_offsets(golden)
    if convert is not to.as_legalbench:
        # Only this format says the document of each piece.
        kept = [one for one in golden.questions if not any(item.doc for item in one.evidence)]
        golden = GoldenSet(tuple(kept))
    if convert is to.as_legalbench:
        golden = GoldenSet(tuple(one for one in golden.questions if one.evidence))
    made = back(convert, golden, corpus, tmp_path)
    assert (made.lost, made.ambiguous, made.drifted, made.loose) == ((), 0, 0, 0)
    assert len(made.golden.questions) == len(golden.questions)
    for old, given, new, item in pairs(golden, made.golden):
        assert (item.text, item.start, item.end) == (given.text, given.start, given.end)
        assert (item.doc or new.doc) == (given.doc or old.doc)


@pytest.mark.parametrize(
    ("name", "convert"),
    [(name, to.as_squad) for name in ("xquad_en", "xquad_zh", "xquad_de", "jaquad")]
    + [(name, to.as_squad_rows) for name in ("xquad_ar", "techdocs_md")],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_squad_comes_back_as_it_was(shared_data, tmp_path, convert, name):
    golden, corpus = shared_set(shared_data(name))
    golden = single(golden)
    made = back(convert, golden, corpus, tmp_path)
    assert (made.lost, made.ambiguous, made.drifted, made.loose) == ((), 0, 0, 0)
    # Nested questions come article by article.
    known = {one.id: one for one in made.golden.questions}
    assert len(known) == len(golden.questions)
    for old in golden.questions:
        new = known[old.id]
        assert [
            (item.doc or new.doc, item.text, item.start, item.end) for item in new.evidence
        ] == [(item.doc or old.doc, item.text, item.start, item.end) for item in old.evidence]


CARRY_TEXT = [to.as_chunklab, to.as_ragas, to.as_ragas_csv, to.as_csv, to.as_autorag]


@pytest.mark.parametrize("convert", CARRY_TEXT, ids=lambda convert: convert.__name__)
@pytest.mark.parametrize("name", ["techdocs_md", "toy_cli", "toy_policy", "code_qa", "cuad"])
def test_text_comes_back_to_its_place_or_to_all_of_them(shared_data, tmp_path, convert, name):
    golden, corpus = shared_set(shared_data(name))
    golden = GoldenSet(tuple(one for one in with_offsets(golden).questions if one.evidence))
    made = back(convert, golden, corpus, tmp_path)
    assert made.lost == ()
    located = locate(made.golden, corpus)
    counted = 0
    for (old, given, new, item), one in zip(
        pairs(golden, made.golden),
        (item for question in located for item in question.items),
        strict=True,
    ):
        doc = given.doc or old.doc
        assert {place.tier for place in one.places} <= {"given", "exact"}
        assert (doc, given.start, given.end) in [(p.doc, *p.span) for p in one.places]
        if len(one.places) == 1:
            counted += 1
            assert (item.doc or new.doc, item.text, item.start, item.end) == (
                doc, given.text, given.start, given.end
            )  # fmt: skip
    assert made.ambiguous == sum(len(one.evidence) for one in golden.questions) - counted


@pytest.mark.parametrize("name", ["toy_cli", "xquad_en"])
def test_document_labels_come_back_as_whole_documents(shared_data, tmp_path, name):
    golden, corpus = shared_set(shared_data(name))
    path, _options = to.as_beir(golden, corpus, tmp_path)
    source = read_source(path)
    assert sorted(source.documents.values()) == sorted(one.text for one in corpus.documents)
    made = place(source, corpus)
    assert made.lost == ()
    assert len(made.golden.questions) == len(golden.questions)
    texts = {one.id: one.text for one in corpus.documents}
    for old, new in zip(golden.questions, made.golden.questions, strict=True):
        assert (new.id, new.question) == (old.id, old.question)
        assert [(item.doc or new.doc, item.start, item.end) for item in new.evidence] == [
            (old.doc, 0, len(texts[old.doc]))
        ]
    assert "cannot tell sizes apart" in made.warnings[0]


def test_the_published_questions_of_chroma_are_its_golden_set(shared_data, tmp_path):
    golden, corpus = shared_set(shared_data("chroma"))
    source = read_source(shared_data("chroma") / "questions_df.csv")
    made = place(source, corpus)
    assert source.format == "chroma"
    assert (len(made.golden.questions), made.lost) == (472, ())
    assert (made.ambiguous, made.drifted, made.loose) == (0, 0, 0)
    write_golden(made.golden, tmp_path / "out.jsonl")
    again = read_golden(tmp_path / "out.jsonl")
    assert [(one.id, one.doc, one.type) for one in again.questions] == [
        (one.id, one.doc, one.type) for one in golden.questions
    ]
    count = 0
    for _old, given, _new, item in pairs(golden, again):
        count += 1
        assert (item.text, item.start, item.end) == (given.text, given.start, given.end)
    assert count == 790
