from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.golden.borders import inside_word
from chunkscope.golden.folding import TIERS, fold, fold_character, fold_text, places
from chunkscope.golden.locating import locate, locate_question
from chunkscope.golden.model import Evidence, GoldenSet, LocatedEvidence, Question
from chunkscope.golden.reading import read_golden
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.spans import Span


def corpus_of(*texts: str, **named: str) -> Corpus:
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    return Corpus((*documents, *(Document(name, text) for name, text in named.items())))


def located(corpus: Corpus, *items: Evidence, doc: str = "d0") -> tuple[LocatedEvidence, ...]:
    return locate_question(Question("q", "?", doc, items), corpus).items


def found(text: str, evidence: str) -> list[tuple[str, int, int]]:
    (item,) = located(corpus_of(text), Evidence(evidence))
    return [(place.tier, *place.span) for place in item.places]


def test_offsets_that_hold_the_text_decide_where_it_stands_elsewhere_too():
    (item,) = located(corpus_of("lamp lamp lamp"), Evidence("lamp", 5, 9))
    assert [(p.doc, p.span, p.tier) for p in item.places] == [("d0", Span(5, 9), "given")]
    assert not item.ambiguous
    assert not item.drifted


def test_a_leading_byte_order_mark_counts():
    (item,) = located(corpus_of("\ufefflamp"), Evidence("lamp", 1, 5))
    assert item.places[0].span == Span(1, 5)
    (item,) = located(corpus_of("\ufefflamp"), Evidence("lamp", 0, 4))
    assert (item.drifted, item.places[0].span) == (True, Span(1, 5))


@pytest.mark.parametrize("offsets", [(0, 4), (5, 10), (6, 9), (900, 904), (10**30, 10**30 + 4)])
def test_offsets_that_hold_other_text_have_drifted(offsets):
    (item,) = located(corpus_of("red, lamp."), Evidence("lamp", *offsets))
    assert item.drifted
    assert [(place.tier, place.span) for place in item.places] == [("exact", Span(5, 9))]


def test_drifted_and_found_nowhere_is_unmeasured():
    question = Question("q", "?", "d0", (Evidence("lamp", 0, 4), Evidence("red")))
    one = locate_question(question, corpus_of("a red boat"))
    assert [(item.drifted, len(item.places)) for item in one.items] == [(True, 0), (False, 1)]
    assert not one.measured


def test_several_places_without_offset_all_serve_and_are_ambiguous():
    (item,) = located(corpus_of("lamp\n\nlamp\n\nlamp"), Evidence("lamp"))
    assert item.ambiguous
    assert [place.span for place in item.places] == [Span(0, 4), Span(6, 10), Span(12, 16)]


def test_places_that_overlap_each_other_are_counted_once():
    assert found("aa aa aa", "aa aa") == [("exact", 0, 5)]


def test_exact_places_that_part_no_word_or_number_go_first():
    assert found("The rate is 4.5 now. The rate is 4.", "The rate is 4.") == [("exact", 21, 35)]
    assert found("your boat, our boat", "our boat") == [("exact", 11, 19)]
    assert found("1,250 or 250", "250") == [("exact", 9, 12)]


def test_exact_text_counts_inside_a_word_when_it_stands_nowhere_else():
    assert found("harbourmaster", "master") == [("exact", 7, 13)]


def test_scripts_without_spaces_have_a_border_everywhere():
    assert found("彼は奈良県に住む。奈良へ行く。", "奈良") == [("exact", 2, 4), ("exact", 9, 11)]


def test_white_space_is_folded_through_an_offset_map():
    text = "\ufeffOpen\r\n  from\u00a0\tsix\n\nto nine."
    ((tier, start, end),) = found(text, " Open from six  to nine.")
    assert tier == "whitespace"
    assert text[start:end] == text[1:]


def test_exact_goes_before_white_space():
    assert found("to  nine, to nine", "to nine") == [("exact", 10, 17)]


def test_looser_tiers_respect_word_borders():
    assert found("concat b", "cat  b") == []
    assert found("cat bolt", "cat  b") == []
    assert found("cat  4.5", "cat 4") == []
    assert found("cat  4,500", "cat 4") == []
    assert found("cat  4. Five", "cat 4") == [("whitespace", 0, 6)]
    assert found("co\u00adop  opens", "op opens") == []
    assert found("5  cafe\u0301", "5 cafe") == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("the o\ufb03ce", "the office"),
        ("the office", "the o\ufb03ce"),
        ("a caf\u00e9 b", "a cafe\u0301 b"),
        ("a cafe\u0301 b", "a caf\u00e9 b"),
        ("a\u0323\u0307 b", "\u1ea1\u0307 b"),
        ("a\u0307\u0323 b", "\u1ea1\u0307 b"),
        ("it’s “here”", 'it\'s "here"'),
        ("pages 4–6", "pages 4-6"),
        ("har\u00adbour", "harbour"),
        ("har\u200bbour", "harbour"),
        ("The Quay", "the quay"),
        ("Straße", "STRASSE"),
        ("ＡＢＣ　１", "ABC 1"),
        ("wait…", "wait..."),
        ("港で\n働く", "港で働く"),
        ("\ud55c\uad6d", "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
    ],
)
def test_typography_is_folded_through_an_offset_map(text, evidence):
    assert found(f"-- {text}; --", evidence) == [("typography", 3, 3 + len(text))]


def test_folding_may_change_the_length_before_the_place():
    text = "İİ ﬁ quay opens"
    assert found(text, "Quay opens") == [("typography", 5, 15)]
    assert found(text, "i̇i̇ fi") == [("typography", 0, 4)]


def test_half_a_folded_character_is_no_place():
    assert found("x \ufb01", "X f") == []
    assert found("x \ufb01", "X fi") == [("typography", 0, 3)]
    assert found("é", "E") == []
    assert found("x \u1112\u1161\u11ab y", "X \ud558") == []


def test_superscripts_stay_apart_from_digits():
    assert found("A 10² b", "a 102 b") == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("the harbour mas-\nter signs", "the harbour master signs"),
        ("the harbour mas-  \r\n   ter signs", "the harbour master signs"),
        ("the harbour mas\u00ad\nter signs", "the harbour master signs"),
        ("the harbour mas\u2010\nter signs", "The harbour master signs"),
        ("twenty-\nfour months", "twenty-four months"),
        ("pages 10-\n12 only", "pages 10-12 only"),
        ("une soiré-\ne", "une soirée"),
    ],
)
def test_words_parted_at_a_line_end_are_joined(text, evidence):
    assert found(f"( {text} )", evidence) == [("hyphenation", 2, 2 + len(text))]


def test_numbers_keep_their_hyphen():
    assert found("from 10-12", "from 1012") == []


def test_alternatives_serve_beside_the_item_each_in_its_own_document():
    corpus = corpus_of("one lamp", "two lamps, a lantern")
    item = Evidence(
        "lamp", 4, 8, alternatives=(Evidence("lantern", doc="d1"), Evidence("lamp", 4, 8))
    )
    (one,) = located(corpus, item)
    assert [(place.doc, place.span, place.tier) for place in one.places] == [
        ("d0", Span(4, 8), "given"),
        ("d1", Span(13, 20), "exact"),
    ]
    assert not one.ambiguous


def test_an_item_is_looked_for_in_its_own_document_only():
    corpus = corpus_of("one lamp", "two lamp")
    own, other = located(corpus, Evidence("lamp", doc="d1"), Evidence("two"))
    assert [place.doc for place in own.places] == ["d1"]
    assert other.places == ()


def test_an_alternative_serves_where_the_item_stands_nowhere():
    (item,) = located(corpus_of("one lamp"), Evidence("boat", alternatives=(Evidence("lamp"),)))
    assert [place.span for place in item.places] == [Span(4, 8)]


def test_a_document_that_is_missing_is_named_with_ids_close_to_it():
    corpus = Corpus(
        (Document("guide/berths.md", "x"), Document("tides.md", "x")),
        (Skipped("old/plan.pdf", "binary"),),
    )

    def note(doc: str) -> str:
        (item,) = located(corpus, Evidence("x"), doc=doc)
        assert item.places == ()
        return item.note

    assert note("docs/Berths.md").endswith('did you mean "guide/berths.md"?')
    assert note("tide.md").endswith('did you mean "tides.md"?')
    assert "old/plan.pdf was skipped (binary)" in note("plan.pdf")
    assert note("zzz").startswith('document "zzz" is not in the corpus')


def test_unanswerable_is_neither_measured_nor_missing():
    one = locate_question(Question("q", "?", "gone", ()), corpus_of("x"))
    assert one.unanswerable
    assert not one.measured


def test_progress_is_told_and_cancel_obeyed():
    corpus = corpus_of("a b", "c d")
    golden = GoldenSet(
        (Question("1", "?", "d0", (Evidence("a"),)), Question("2", "?", "d1", (Evidence("c"),)))
    )
    told: list[tuple[int, int]] = []
    locate(golden, corpus, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        locate(golden, corpus, cancel=token)


def read_corpus(folder: Path) -> Corpus:
    files = sorted(folder.rglob("*"), key=lambda file: file.relative_to(folder).as_posix())
    return Corpus(
        tuple(
            Document(file.relative_to(folder).as_posix(), file.read_bytes().decode())
            for file in files
        )
    )


@pytest.mark.parametrize(
    "name", ["toy_cli", "toy_policy", "chroma", "cuad", "jaquad", "xquad_ar", "techdocs_md"]
)
def test_public_sets_are_located_whole(shared_data, name):
    folder = shared_data(name)
    corpus = read_corpus(folder / "docs")
    texts = {document.id: document.text for document in corpus.documents}
    for one in locate(read_golden(folder / "golden.jsonl"), corpus):
        assert one.measured is not one.unanswerable
        for item in one.items:
            assert not item.drifted
            assert item.ambiguous is (item.evidence.start is None)
            if item.evidence.start is not None:
                assert item.places[0].span == (item.evidence.start, item.evidence.end)
            for place in item.places:
                assert texts[place.doc][place.span.start : place.span.end] == item.evidence.text


def test_a_thousand_places_serve(shared_data):
    folder = shared_data("awkward")
    name = "m12_repeated_paragraphs.md"
    text = (folder / "docs" / name).read_bytes().decode()
    golden = read_golden(folder / "golden.jsonl")
    question = next(one for one in golden.questions if one.id == "aw-2")
    (item,) = locate_question(question, Corpus((Document(name, text),))).items
    assert len(item.places) == 1000
    assert item.ambiguous


# Letters, marks, ligatures, line ends and characters that fold to none or to two.
odd = st.text(
    st.sampled_from(
        "aAbfis éÉ\u0301\u0323ß İﬁ…’'\"“-‐\u00ad\u200b\u00a0 \t\n\r.,45²"
        "港で한\ud83d\u1112\u1161\u11ab"
    ),
    max_size=30,
)


@given(odd, odd, st.sampled_from(TIERS))
def test_what_a_tier_finds_folds_to_the_evidence(text, evidence, tier):
    sought = fold_text(evidence, tier)
    folded = fold(text, tier)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert folded.text.strip() == fold_text(text, tier)
    for span in folded.find(sought) if sought else ():
        assert 0 <= span.start < span.end <= len(text)
        assert fold_text(text[span.start : span.end], tier) == sought
        assert not inside_word(text, span.start)
        assert not inside_word(text, span.end)


def test_folded_characters_fold_to_themselves():
    for code in range(0x30000):
        folded = fold_character(chr(code))
        assert all(fold_character(part) == part for part in folded)


@given(st.text(max_size=200), st.sampled_from(TIERS))
def test_a_text_with_many_characters_folds_alike(text, tier):
    assert fold(text, tier).text.strip() == fold_text(text, tier)


@given(odd, odd, odd, st.sampled_from(TIERS))
def test_a_tier_finds_its_own_text_between_borders(before, evidence, after, tier):
    text = f"{before};; {evidence} ;;{after}"
    sought = fold_text(evidence, tier)
    if sought and sought[0].isalnum() and sought[-1].isalnum():
        spans = fold(text, tier).find(sought)
        assert any(fold_text(text[span.start : span.end], tier) == sought for span in spans)


@given(odd, odd)
def test_located_evidence_slices_to_its_text(text, evidence):
    for tier, start, end in found(text, evidence) if evidence.strip() else ():
        if tier == "exact":
            assert text[start:end] == evidence
        else:
            assert evidence not in text
            assert fold_text(text[start:end], tier) == fold_text(evidence, tier)


@given(st.text("ab", max_size=40), st.text("ab", min_size=1, max_size=4))
def test_places_are_those_of_a_plain_scan(text, part):
    def accept(start: int, end: int) -> bool:
        return (start + end) % 3 != 0

    expected: list[Span] = []
    at = 0
    while at + len(part) <= len(text):
        if text.startswith(part, at) and accept(at, at + len(part)):
            expected.append(Span(at, at + len(part)))
            at += len(part)
        else:
            at += 1
    assert places(text, part, accept) == expected
