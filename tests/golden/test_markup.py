import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate, locate_question
from chunkscope.golden.mapped import edited, unchanged
from chunkscope.golden.model import Evidence, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.rendering import shown_document
from chunkscope.golden.validating import findings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span


def found(text: str, evidence: str, name: str = "guide.md") -> list[tuple[str, str]]:
    corpus = Corpus((Document(name, text),))
    one = locate_question(Question("q", "?", name, (Evidence(evidence),)), corpus)
    return [
        (place.tier, text[place.span.start : place.span.end])
        for item in one.items
        for place in item.places
    ]


def shown(text: str, name: str = "guide.md") -> str:
    return " ".join(shown_document(text, name).text.text.split())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The **north quay** opens", "The north quay opens"),
        ("The *north* __quay__ ***opens***", "The north quay opens"),
        ("un**believ**able", "unbelievable"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("2 * 3 * 4 stays", "2 * 3 * 4 stays"),
        ("f(*args, **kwargs) stays", "f(*args, **kwargs) stays"),
        ("~~old~~ new", "old new"),
        ("call `open()` first", "call open() first"),
        ("call `` a`b `` first", "call a`b first"),
        ("code `*a* [b](c)` stays", "code *a* [b](c) stays"),
        ("one ` tick *so*", "one ` tick so"),
        ("a [link](http://x.y/z_(1) 'T') b", "a link b"),
        ("a [**bold** link](<x y>) b", "a bold link b"),
        ("an ![image of *it*](a.png) b", "an image of it b"),
        ("a [text][ref] and [Ref]\n\n[ref]: http://x", "a text and Ref"),
        ("an a[0][1] index", "an a[0][1] index"),
        ("see <https://x.y> now", "see https://x.y now"),
        ("a <b>bold</b><br>line", "a bold line"),
        ("a <your-key> stays", "a <your-key> stays"),
        ("a \\*star\\* stays", "a *star* stays"),
        ("5 &lt; 6 &amp; 7 &#8211; x", "5 < 6 & 7 – x"),
        ("AT&T &nosuch; x", "AT&T &nosuch; x"),
        ("# Head # \ntext", "Head text"),
        ("Head\n====\ntext\n\n---\nmore", "Head text more"),
        ("- one\n- [ ] two\n  * three\n1. four", "one two three 1. four"),
        ("> quoted\n> > twice", "quoted twice"),
        ("| a | b |\n|---|:-:|\n| c\\|d | e |", "a b c|d e"),
        ("a | b\n--|--\nc | d\n\ne | f", "a b c d e | f"),
        ("```python\nx = *a*\n```\nend", "x = *a* end"),
        ("~~~\n```\n~~~\n*end*", "``` end"),
        ("a note[^1].\n\n[^1]: The *note*.", "a note1. The note."),
        ("a <!-- hidden --> b", "a b"),
        ("*open\n\nnew* block", "*open new* block"),
    ],
)
def test_markdown_as_it_is_shown(source, text):
    assert shown(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a <em>b</em>c</p><p>d</p>", "a bc d"),
        ("<td>a</td><td>b</td>", "a b"),
        ("a<br/>b<wbr>c", "a bc"),
        ("<title>T &amp; U</title><script>x<y</script>z", "T & U z"),
        ("<style>p {}</style><!-- no --><b title='>'>a</b>", "a"),
        ("&lt;b&gt; &eacute;&#x41;", "<b> éA"),
        ("a < b <3 c", "a < b <3 c"),
        ("&ampamp; &", "&amp; &"),
    ],
)
def test_html_as_it_is_shown(source, text):
    assert shown(source, "page.html") == text
    assert shown(f"<!DOCTYPE html>\n{source}", "page.txt") == text


@pytest.mark.parametrize(
    ("text", "evidence", "place"),
    [
        ("So **the *north* quay** opens.", "north quay opens", "north* quay** opens"),
        ("So [the quay](u) opens", "the quay opens.", None),
        ("- The berth\n- costs `5` a night\n", "The berth costs 5 a night",
         "The berth\n- costs `5` a night"),
        ("- The berth\n- costs **5**\n", "• The berth\n• costs 5", "The berth\n- costs **5"),
        ("| Berth | Fee |\n|--|--|\n| A | 5 |", "Berth Fee A 5", "Berth | Fee |\n|--|--|\n| A | 5"),
        ("| Berth | Fee |\n|--|--|\n| A | 5 |", "Fee | A", "Fee |\n|--|--|\n| A"),
        ("**bold**text", "bold", "bold"),
        ("**bold**text **on**", "bold text on", None),
        ("x &amp; **y**", "“x & y”", None),
        ("x &amp; **y**", "X & y", "x &amp; **y"),
        ("The *mas-\nter* signs", "the master signs", "The *mas-\nter* signs"),
        ("a **b**", "zzz", None),
    ],
)  # fmt: skip
def test_rendered_markdown_is_found_in_its_source(text, evidence, place):
    expected = [] if place is None else [("exact" if evidence in text else "markup", place)]
    assert found(text, evidence) == expected


def test_rendered_html_is_found_in_its_source():
    text = "<p>Call <a href='#f'><code><span>f(x&#44; </span>y)</code></a>\nonce.</p><p>Then</p>"
    assert found(text, "Call f(x, y) once.\n\nThen", "a.html") == [
        ("markup", text.removeprefix("<p>").removesuffix("</p>"))
    ]
    assert found(text, "Call `f(x, y)` once.", "a.html") == [
        ("markup", text[3 : text.index("</p>")])
    ]
    assert found(text, "y) onc", "a.html") == []


def test_half_of_a_replacement_is_no_place():
    mapped = edited(unchanged("a&x;b"), [(1, 4, "12")])
    assert mapped.text == "a12b"
    assert mapped.original(Span(0, 3)) == Span(0, 4)
    assert mapped.original(Span(1, 3)) == Span(1, 4)
    assert mapped.original(Span(0, 2)) is None
    assert mapped.original(Span(2, 4)) is None


def test_numbers_of_a_list_may_be_typed_where_the_source_has_none():
    text = "<ol><li>Open the <b>gate</b></li><li>Close it</li></ol>"
    assert found(text, "1. Open the gate\n2. Close it", "a.html") == [
        ("markup", "Open the <b>gate</b></li><li>Close it")
    ]


@pytest.mark.parametrize(
    ("text", "evidence", "place"),
    [
        ("The quay opened.[1] It closed[2][3] again.", "The quay opened. It closed again.",
         "The quay opened.[1] It closed[2][3] again."),
        ("The quay opened. It closed.", "The quay opened.[12] It closed.[3]",
         "The quay opened. It closed."),
        ("The quay¹ opened.²³ Then", "the quay opened. Then", "The quay¹ opened.²³ Then"),
        ("The quay [1, 2] opened", "The quay opened", "The quay [1, 2] opened"),
        ("The quay[^n] opened", "The quay opened", "The quay[^n] opened"),
        ("The quay opened[citation needed] then", "The quay opened then",
         "The quay opened[citation needed] then"),
        # Another source, an index, a unit, a power: not the same text.
        ("The quay opened.[1] Then", "The quay opened.[2] Then", None),
        ("set a[1] now", "set a now", None),
        ("covers 5 m² of land", "covers 5 m of land", None),
        ("covers 10² of land", "covers 10 of land", None),
    ],
)  # fmt: skip
def test_citation_marks_may_be_missing_on_either_side(text, evidence, place):
    assert found(text, evidence) == ([] if place is None else [("citations", place)])


def test_superscripts_of_html_may_be_citation_marks():
    text = "<p>The quay<sup>1</sup> opened.<sup class=x><a href=#2>[2]</a></sup> 10<sup>2</sup></p>"
    assert found(text, "The quay opened. 102", "a.html") == [("citations", text[3:-10])]
    assert found(text, "opened. 10", "a.html") == []
    assert found(text, "The quay opened.", "a.html") == [
        ("citations", "The quay<sup>1</sup> opened.")
    ]
    assert found(text, "The quay1 opened.[2] 102", "a.html") == [("markup", text[3:-10])]


def test_an_ellipsis_parts_the_text_into_several_ranges():
    text = "The quay opens. Boats come in and go out at nine. The quay closes. Boats go out at ten."
    assert found(text, "Boats come in … go out at ten.") == [
        ("ellipsis", "Boats come in"),
        ("ellipsis", "go out at ten."),
    ]
    assert found(text, "...Boats come in and") == [("ellipsis", "Boats come in and")]
    assert found(text, "The quay [...] go out") == [
        ("ellipsis", "The quay"),
        ("ellipsis", "go out"),
    ]
    assert found(text, "go out at ten ... Boats come in") == []
    assert found(text, "The quay … no such text") == []
    assert found(text, "The … q") == []


def test_each_part_is_needed_and_says_which_it_is():
    text = "The quay opens here. " * 2 + "Boats come in."
    corpus = Corpus((Document("d", text),))
    question = Question("q", "?", "d", (Evidence("quay opens"), Evidence("quay … come in")))
    items = locate_question(question, corpus).items
    assert [(item.part, item.evidence.text, len(item.places)) for item in items] == [
        (0, "quay opens", 2),
        (1, "quay", 1),
        (2, "come in", 1),
    ]
    # The nearer of the two.
    assert items[1].places[0].span == Span(25, 29)
    said = [one.message for one in findings_of(corpus, question)]
    assert [message.partition(":")[0] for message in said[:3]] == [
        "evidence[0]",
        "evidence[1], part 1",
        "evidence[1], part 2",
    ]


def findings_of(corpus, question):
    from chunkscope.golden.model import GoldenSet

    return findings(GoldenSet((question,)), (locate_question(question, corpus),), corpus)


def test_an_ellipsis_that_stands_in_the_document_parts_nothing():
    assert found("Wait… then go", "Wait... then") == [("typography", "Wait… then")]


def test_asking_finds_what_a_page_shows():
    corpus = Corpus((Document("a.md", "nothing"), Document("b.md", "The **quay** opens.")))
    one = ask("When?", ["The quay opens."], corpus)
    assert one.question.doc == "b.md"
    assert one.question.evidence == (Evidence("The **quay** opens.", 0, 19),)


def test_the_pages_of_the_python_manual_are_located_whole(shared_data):
    folder = shared_data("pydocs_html")
    files = sorted((folder / "docs").iterdir())
    corpus = Corpus(tuple(Document(file.name, file.read_bytes().decode()) for file in files))
    located = locate(read_golden(folder / "golden.jsonl"), corpus)
    assert len(located) == 17
    tiers = []
    for one in located:
        assert one.measured is not one.unanswerable
        for item in one.items:
            tiers.append(item.places[0].tier)
            for place in item.places:
                position = corpus.position(place.doc)
                assert position is not None
                source = corpus.documents[position].text[place.span.start : place.span.end]
                plain = " ".join(item.evidence.text.split())
                assert shown(source, "a.html") == plain
    assert tiers.count("markup") == 13


pieces = st.lists(
    st.sampled_from(
        ["*", "**", "_", "`", "``", "~~", "[", "](u)", "]", "![", "\\", "<b>", "</b>", "<", ">",
         "&amp;", "&", "|", "\n", "\n\n", "# ", "- ", "> ", "```\n", "---\n", " ", "quay", "a", "é",
         "[1]", "¹", "<sup>", "</sup>", "...", "\r\n", "\ufeff", "[^1]", "[a]: b\n", "\ue000"]
    ),
    max_size=25,
)  # fmt: skip


@given(pieces, st.sampled_from(["a.md", "a.html"]), st.booleans())
def test_every_shown_character_has_its_source(parts, name, citations):
    text = "".join(parts)
    made = shown_document(text, name, citations=citations).text
    assert len(made.text) == len(made.starts) == len(made.ends)
    low, high = list(made.starts), list(made.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(low, high, strict=True))
    assert low == sorted(low)
    assert high == sorted(high)
    for character, start, end in zip(made.text, low, high, strict=True):
        if end - start == 1:
            assert text[start] == character or (text[start], character) in {("|", " ")}


@given(pieces, pieces)
def test_marks_around_a_sentence_do_not_hide_it(before, after):
    # A blank line keeps the neighbours' marks apart.
    head = "".join(part for part in before if not set("`<~") & set(part))
    text = f"{head}\n\nThe **north *quay*** opens [at six](u) &amp; closes\n\n" + "".join(after)
    assert ("markup", "The **north *quay*** opens [at six](u) &amp; closes") in found(
        text, "The north quay opens at six & closes"
    )
