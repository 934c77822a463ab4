"""Each check of the chunks on a text made for it, and none on clean chunks."""

import numpy as np
import pytest

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.health import HEALTH_CHECKS, check_health
from chunkscope.evaluation.health_edges import EDGE_CHECKS, EdgeExaminer, inside_word
from chunkscope.evaluation.health_structure import find_structure
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

CHARACTERS = {"unit": "characters", "overlap": 0}


def checked(text, name="a.md", examples=5, pattern="", **settings):
    configuration = Configuration(
        SplitterSettings(**(CHARACTERS | settings)), EnrichSettings(heading_pattern=pattern)
    )
    texts = [text] if isinstance(text, str) else text
    names = [name] if isinstance(text, str) else [f"{number}{name}" for number in range(len(text))]
    corpus = Corpus(tuple(Document(*pair) for pair in zip(names, texts, strict=True)))
    chunks = CorpusIndex(corpus).chunk_set(configuration.splitter, configuration.enrich)
    return check_health(chunks, configuration, examples=examples)


def fired(health):
    return {finding.name: finding.count for finding in health.findings if finding.count}


def edges(text, name="a.md"):
    """Names of the checks that fire at each offset marked with ¦."""
    parts = text.split("¦")
    offsets = np.cumsum([len(part) for part in parts[:-1]])
    document = Document(name, "".join(parts))
    inside = EdgeExaminer(document.text, find_structure(document)).inside(offsets)
    return [
        {check for check in EDGE_CHECKS if inside[check][number]} for number in range(len(offsets))
    ]


def test_whole_paragraphs_are_healthy():
    text = "The tug leaves at dawn.\n\nThe ferry leaves at noon.\n\nThe pilot boards at dusk."
    health = checked(text, size=30)
    assert len(health.chunks) == 3
    assert fired(health) == {}
    assert tuple(finding.name for finding in health.findings) == HEALTH_CHECKS
    assert all(finding.mend for finding in health.findings)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("The tug leaves.¦ The ferry waits.", False),
        ("The tug leaves. ¦The ferry waits.", False),
        ("The tug¦ leaves. The ferry waits.", True),
        ("He said “go.”¦ Then he left.", False),
        ("It costs 4.¦5 crowns.", True),
        ("Ask Dr.¦ Brown about it.", True),
        ("Ask J.¦ Brown about it.", True),
        ("It is big, e.g.¦ A crane.", True),
        ("approx.¦ five tonnes", True),
        ("A line that goes¦\non here.", True),
        ("A line that ends.¦\nOn here.", False),
        ("A paragraph without mark¦\n\nAnother one.", False),
        ("A paragraph without mark\r\n¦\r\nAnother one.", False),
        ("# A heading¦\nIts text.", False),
        ("Some text:\n¦- an item\n- another", False),
        ("乗組員は来た。¦北門で待つ。", False),
        ("乗組員は¦来た。", True),
        ("¦The tug leaves.¦", False),
        ("Does it leave?¦ Yes.", False),
    ],
)
def test_inside_a_sentence(text, inside):
    assert [("sentence" in found) for found in edges(text)] == [inside] * text.count("¦")


def test_tags_part_sentences_and_inline_tags_do_not():
    assert edges("<p>One line</p>¦\n<p>Other</p>", "a.html") == [set()]
    assert edges("<p>One line</p>\n¦<p>Other</p>", "a.html") == [set()]
    assert edges("<p>Go <b>now</b>¦ please.</p>", "a.html") == [{"sentence"}]
    assert edges("<p>Go <b>now.</b>¦ Please.</p>", "a.html") == [set()]


def test_source_code_has_no_sentences():
    assert edges("x = 1\n¦y = 2", "a.py") == [set()]


@pytest.mark.parametrize(
    ("text", "offset", "inside"),
    [("harbour", 4, True), ("the tug", 3, False), ("tug, ferry", 3, False), ("灯台", 1, False),
     ("E419", 1, True), ("naïve", 3, True), ("word", 0, False), ("word", 4, False)],
)  # fmt: skip
def test_inside_a_word(text, offset, inside):
    assert inside_word(text, offset) is inside


def test_inside_a_grapheme():
    assert edges("cafe¦\u0301 is open.") == [{"grapheme", "sentence"}]
    assert edges("one\r¦\ntwo.") == [{"grapheme", "sentence"}]


def test_a_flag_is_two_halves_wherever_the_row_begins():
    flags = "\U0001f1e9\U0001f1f0" * 3
    assert [
        "grapheme" in found for found in edges(f"x¦{flags[0]}¦{flags[1]}¦{flags[2]}¦{flags[3:]}¦.")
    ] == [False, True, False, True, False]


FENCED = "Text.\n\n```python\n¦a = 1\n\n¦b = 2\n```¦\n\nMore ¦text."


def test_inside_a_code_fence():
    assert edges(FENCED) == [{"code_fence"}, {"code_fence"}, set(), {"sentence"}]
    assert edges("~~~\na\n```\n¦b\n~~~\n¦c") == [{"code_fence"}, set()]
    assert edges("```\nnever ¦closed") == [{"code_fence"}]
    assert edges("<pre>a\n¦b</pre>¦<p>c</p>", "a.html") == [{"code_fence"}, set()]


TABLE = "| Code | Means |\n|------|-------|\n| E-1 | no tide |\n| E-2 | no wind |\n\nEnd."


def test_inside_a_table_row():
    assert edges("| a | b |\n|---|---|\n¦| c ¦| d |\n") == [set(), {"table_row", "sentence"}]
    assert edges("a | b\n¦c | d") == [{"sentence"}], "no table without a line of dashes"
    assert edges("<table><tr><td>a</td>¦<td>b</td></tr>¦</table>", "a.html") == [
        {"table_row"}, set(),
    ]  # fmt: skip
    assert edges("code,means\nE-1,¦no tide\n¦E-2,no wind", "a.csv") == [{"table_row"}, set()]


def test_inside_a_list():
    assert edges("Text.\n\n¦- one\n- two\n\n¦- three\n  goes on.\n\n¦Text.") == [
        set(), {"list"}, set(),
    ]  # fmt: skip
    assert edges("1. one.\n¦2. two.\n") == [{"list"}]
    assert edges("It was in\n2019. ¦Then it ended.") == [set()], "a wrapped year is no item"
    assert edges("- a\n- - -\n¦") == [set()]
    assert edges("<ul><li>a</li>¦<li>b</li></ul>¦", "a.html") == [{"list"}, set()]


def test_counts_begins_and_ends_apart():
    health = checked("aaaa bbbb cccc dddd", size=10)
    finding = health.finding("sentence")
    assert (finding.count, finding.begins, finding.ends, finding.of) == (2, 1, 1, 2)
    assert finding.share == 1.0
    assert [(each.index, each.start, each.end, each.at) for each in finding.examples] == [
        (0, 0, 9, 9),
        (1, 10, 19, 10),
    ]


def test_a_word_cut_is_found_and_the_mend_names_what_cuts_it():
    health = checked("abcdefghij", name="a.txt", size=4)
    assert health.finding("word").count == 3
    assert health.finding("word").mend == (
        "separators: without the last, empty one; longer words are then oversize"
    )
    token = checked("abcdefghij", name="a.txt", size=1, kind="token", unit="tokens")
    assert token.finding("word").count > 0
    assert token.finding("word").mend.startswith("splitter: recursive")


def test_heading_parted_from_its_text():
    text = "# Tides\n\nHigh water comes at nine today.\n\n## Winds\n\nNorth winds come later on."
    parted = checked(text, size=32, separators=("\n\n", " ", ""))
    finding = parted.finding("heading_parted")
    assert (finding.count, finding.of, finding.unit) == (2, 2, "headings")
    assert [(each.index, each.at) for each in finding.examples] == [(0, 7), (3, 50)]
    assert checked(text, size=45).finding("heading_parted").count == 0


def test_a_heading_repeated_by_overlap_is_not_parted():
    text = "One two.\n\n# Tides\n\nHigh water."
    assert checked(text, size=18, overlap=0).finding("heading_parted").count == 1
    assert checked(text, size=21, overlap=9).finding("heading_parted").count == 0


def test_a_heading_at_the_very_end_has_no_text_to_be_parted_from():
    assert checked("Text here.\n\n# Tides\n", size=100).finding("heading_parted").count == 0


def test_over_several_sections():
    text = "# A\n\n## B\n\nOne.\n\n## C\n\nTwo.\n\n## D\n\nThree."
    whole = checked(text, size=1000).finding("several_sections")
    assert (whole.count, whole.of) == (1, 1)
    assert whole.examples[0].at == text.index("## C")
    apart = checked(text, size=17).finding("several_sections")
    assert apart.count == 0, "a heading right below another begins no second section"


def test_plain_text_headings_by_pattern():
    text = "Section: a\nOne.\nSection: b\nTwo."
    assert checked(text, name="a.txt", size=99).finding("several_sections").count == 0
    found = checked(text, name="a.txt", size=99, pattern="^Section: .*$")
    assert found.finding("several_sections").count == 1


def test_table_rows_without_their_header():
    assert checked(TABLE, size=1000).finding("table_header").count == 0
    finding = checked(TABLE, size=34, separators=("\n", "")).finding("table_header")
    chunks = checked(TABLE, size=34, separators=("\n", "")).chunks
    assert [chunks.text(number) for number in range(len(chunks))] == [
        "| Code | Means |\n|------|-------|",
        "| E-1 | no tide |",
        "| E-2 | no wind |\n\nEnd.",
    ]
    assert [each.index for each in finding.examples] == [1, 2]
    rows = checked("code,means\nE-1,tide\nE-2,wind", name="a.csv", size=12)
    assert rows.finding("table_header").count == 2


def test_blank_tiny_oversize_duplicate():
    blank = checked("one\n\n   \n\ntwo", size=5, strip=False, separators=("\n\n",))
    assert blank.finding("blank").count == 1
    tiny = checked("a\n\n" + "b" * 20 + "\n\n" + "c" * 10, size=20, separators=("\n\n",))
    assert [each.index for each in tiny.finding("tiny").examples] == [0]
    assert checked("a", size=20).finding("tiny").count == 0
    oversize = checked("short\n\n" + "b" * 30, size=20, separators=("\n\n",))
    assert [each.index for each in oversize.finding("oversize").examples] == [1]
    assert oversize.finding("oversize").mend.startswith("separators: finer ones")
    twice = checked(["lamp\n\nlamp", "lamp"], size=4)
    assert twice.finding("duplicate").count == 2
    assert [(each.doc, each.index) for each in twice.finding("duplicate").examples] == [
        ("0a.md", 1), ("1a.md", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("opening", "count"), [("It", 1), ("“They", 1), ("THIS", 1), ("Item", 0), ("Ittefaq", 0)]
)
def test_opens_on_a_pronoun(opening, count):
    text = f"The pump is old.\n\n{opening} hums at night."
    assert checked(text, size=25).finding("pronoun").count == count
    assert checked(text, name="a.py", size=25).finding("pronoun").count == 0


def test_the_first_words_of_a_document_refer_to_nothing_before():
    assert checked("It is a pump.", size=25).finding("pronoun").count == 0


def test_characters_in_no_chunk():
    text = "one;two;three"
    lost = checked(text, name="a.txt", size=5, separators=(";",), keep_separator="none")
    finding = lost.finding("uncovered")
    assert (finding.count, finding.of, finding.unit) == (2, 13, "characters")
    assert [(each.index, each.start, each.end) for each in finding.examples] == [
        (None, 3, 4), (None, 7, 8),
    ]  # fmt: skip
    assert finding.mend.startswith("keep_separator: end")
    assert checked("\ufeffone two", size=4).finding("uncovered").count == 0


def test_repeats_dropped_on_purpose_are_said_to_be():
    finding = checked("lamp\n\nlamp", size=4, dedupe=True).finding("uncovered")
    assert finding.count == 4
    assert finding.mend.startswith("dedupe: off")


def test_overlap_that_does_nothing():
    text = "alpha beta gamma\n\ndelta epsilon"
    idle = checked(text, size=20, overlap=4).finding("idle_overlap")
    assert (idle.count, idle.of, idle.unit) == (1, 1, "boundaries")
    busy = checked("a b c d e f g h", size=5, overlap=2).finding("idle_overlap")
    assert busy.of == len(checked("a b c d e f g h", size=5, overlap=2).chunks) - 1
    assert busy.count == 0
    none = checked(text, size=16, overlap=0).finding("idle_overlap")
    assert (none.count, none.of, none.share) == (0, 0, None)


def test_examples_are_the_first_and_no_more_than_asked():
    text = "\n\n".join(["lamp"] * 9)
    finding = checked(text, size=4, examples=2).finding("duplicate")
    assert finding.count == 8
    assert [each.index for each in finding.examples] == [1, 2]
    assert checked(text, size=4, examples=0).finding("duplicate").examples == ()


def test_empty_documents_and_white_space():
    for text in ("", " \n\n "):
        assert fired(checked(text, size=10)) == {}
    assert fired(checked("\ufeff", size=10)) == {"blank": 1}


def test_windows_and_carriage_returns_count_as_lines():
    text = "| a | b |\r\n|---|---|\r\n¦| c | d |\r\n\r\nText\r¦# B"
    assert edges(text) == [set(), set()]
