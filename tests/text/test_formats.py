import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.text.headings import headings
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.notebook import extract_notebook
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.webtext import extract_html


def write(folder, files):
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def skipped(corpus):
    return [(one.path, one.reason) for one in corpus.skipped]


def notebook(*cells):
    made = [{"cell_type": kind, "source": source, "outputs": ["x"]} for kind, source in cells]
    return json.dumps({"nbformat": 4, "cells": made})


# --- notebooks ---------------------------------------------------------------------------------


def test_a_notebook_is_the_source_of_its_cells(tmp_path):
    source = notebook(("markdown", ["# Tides\n", "low"]), ("code", "print(1)"), ("raw", ""))
    write(tmp_path, {"a.ipynb": source})
    document = load_corpus([tmp_path]).documents[0]
    assert document.text == "# Tides\nlow\n\nprint(1)\n\n"
    assert (document.encoding, document.newline) == ("utf-8", "lf")
    assert document.notes == (
        "3 cells of a notebook, outputs left out: offsets refer to the extracted text",
    )
    assert document.place(0, 5) == "cell 1 (markdown)"
    assert document.place(13, 21) == "cell 2 (code)"
    assert document.place(5, 15) == "cell 1 (markdown) to cell 2 (code)"


def test_a_notebook_of_format_3():
    sheets = [
        {"cells": [{"cell_type": "heading", "source": "Tides"}]},
        {"cells": [{"cell_type": "code", "input": ["a = 1\n", "b = 2"]}]},
    ]
    extracted = extract_notebook("\ufeff" + json.dumps({"nbformat": 3, "worksheets": sheets}))
    assert extracted is not None
    assert extracted.text == "Tides\n\na = 1\nb = 2"


@pytest.mark.parametrize(
    "source",
    [
        "",
        "{",
        "[1]",
        "[" * 100_000,
        '{"nbformat": 4}',
        '{"cells": []}',
        '{"nbformat": 4, "cells": [1]}',
        '{"nbformat": 4, "cells": [{"source": [1]}]}',
        '{"nbformat": 4, "cells": [{"source": 7}]}',
        '{"nbformat": 3, "worksheets": [4]}',
        '{"nbformat": 4, "cells": [], "n": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_notebook_is_read_as_text_and_said(tmp_path, source):
    write(tmp_path, {"a.ipynb": source})
    document = load_corpus([tmp_path]).documents[0]
    assert (document.text, document.origin) == (source, None)
    assert document.notes == ("named .ipynb but no notebook inside: read as text",)


def test_a_told_encoding_reads_a_notebook_as_its_source(tmp_path):
    source = notebook(("code", "x"))
    write(tmp_path, {"a.ipynb": source})
    document = load_corpus([tmp_path], encoding_of={"a.ipynb": "utf-8"}).documents[0]
    assert (document.text, document.origin) == (source, None)


def test_lone_surrogates_in_a_notebook_are_said(tmp_path):
    write(tmp_path, {"a.ipynb": notebook(("code", "a\ud83db\0"))})
    document = load_corpus([tmp_path]).documents[0]
    assert document.text == "a\ud83db\0"
    assert document.notes[1:] == ("lone surrogates, kept: 1", "NUL characters, kept: 1")


def test_headings_of_a_notebook_are_those_of_its_cells(tmp_path):
    source = notebook(
        ("code", "# no heading"),
        ("markdown", "# Tides\ntext\n\nLow\n---"),
        ("markdown", "### Neap ###"),
    )
    write(tmp_path, {"a.ipynb": source})
    document = load_corpus([tmp_path]).documents[0]
    assert [
        (one.level, one.title, document.text[one.span.start : one.span.end])
        for one in headings(document.text, document_id=document.id, origin=document.origin)
    ] == [(1, "Tides", "# Tides"), (2, "Low", "Low\n---"), (3, "Neap", "### Neap ###")]


# --- JSON Lines --------------------------------------------------------------------------------

BEIR = (
    '{"_id": "d2", "title": "Tides", "text": "Low at six."}\n'
    '\n{"_id": "d1", "title": "", "text": "High at noon."}\r\n'
    '{"_id": 7, "text": "Seven."}\n'
    '{"text": "No id."}'
)


def test_records_are_documents_only_where_asked(tmp_path):
    write(tmp_path, {"corpus.jsonl": BEIR, "z.txt": "plain"})
    assert [one.id for one in load_corpus([tmp_path]).documents] == ["corpus.jsonl", "z.txt"]
    corpus = load_corpus([tmp_path], reading=Reading(records=("title", "text")))
    assert [(one.id, one.text) for one in corpus.documents] == [
        ("7", "Seven."),
        ("corpus.jsonl:5", "No id."),
        ("d1", "High at noon."),
        ("d2", "Tides\n\nLow at six."),
        ("z.txt", "plain"),
    ]
    last = corpus.documents[3]
    assert last.notes == ("title and text of a JSON Lines record: offsets refer to this text",)
    assert (last.place(0, 5), last.place(7, 10)) == ("title", "text")
    assert last.path == tmp_path / "corpus.jsonl"
    assert corpus.skipped == ()


def test_a_line_that_is_no_document_is_skipped_by_its_number(tmp_path):
    lines = [
        '{"_id": "a", "text": "first"}',
        "{oops",
        "[1]",
        '{"_id": "b"}',
        '{"_id": "c", "text": 4}',
        '{"_id": "a", "text": "again"}',
        "[" * 100_000,
        '{"_id": true, "text": "\u2028"}',
    ]
    write(tmp_path, {"c.jsonl": "\ufeff" + "\n".join(lines)})
    corpus = load_corpus([tmp_path], reading=Reading(records=("text",)))
    assert [(one.id, one.text) for one in corpus.documents] == [
        ("a", "first"), ("c.jsonl:8", "\u2028"),
    ]  # fmt: skip
    assert skipped(corpus) == [
        ("c.jsonl:2", "not JSON"),
        ("c.jsonl:3", "not a JSON object"),
        ("c.jsonl:4", "has no field 'text'"),
        ("c.jsonl:5", "its field 'text' is not a text"),
        ("c.jsonl:6", "its id 'a' is that of another document"),
        ("c.jsonl:7", "not JSON"),
    ]


def test_another_id_field_and_nothing_usable(tmp_path):
    write(tmp_path, {"c.ndjson": '{"key": "k", "page_content": "text"}'})
    reading = Reading(records=("page_content",), record_id="key")
    assert [one.id for one in load_corpus([tmp_path], reading=reading).documents] == ["k"]
    with pytest.raises(InputError, match=r"c.ndjson:1: has no field 'body' or 'text'"):
        load_corpus([tmp_path], reading=Reading(records=("body", "text")))


def test_cancel_is_looked_at_between_records(tmp_path):
    write(tmp_path, {"c.jsonl": BEIR})
    token = CancelToken()
    with pytest.raises(CancelledError):
        load_corpus(
            [tmp_path],
            reading=Reading(records=("text",)),
            progress=lambda *_: token.cancel(),
            cancel=token,
        )


# --- HTML --------------------------------------------------------------------------------------

PAGE = (
    "<html><head><title>Port</title><style>p {}</style></head><body><nav>Home <a>Up</a></nav>\n"
    "<h1>Fees &amp; tides</h1><p>The  fee\nis <b>4&nbsp;€</b> a day.<br>Pay early.</p>"
    "<script>var x = '<p>no</p>'</script><ul><li>one</li>\n<li>two</li></ul>"
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2 &lt; 3</td></tr></table>"
    "<pre>  kept\n    so &amp; so</pre><svg/><footer>Imprint</footer></body></html>"
)


def test_html_is_its_source_unless_asked(tmp_path):
    write(tmp_path, {"a.html": PAGE})
    source = load_corpus([tmp_path]).documents[0]
    assert (source.text, source.origin, source.notes) == (PAGE, None, ())
    document = load_corpus([tmp_path], reading=Reading(html=True)).documents[0]
    assert document.text == (
        "Fees & tides\n\nThe fee is 4\xa0€ a day.\nPay early.\n\none\ntwo\n\n"
        "a\tb\n1\t2 < 3\n\n  kept\n    so & so"
    )
    assert document.notes == (
        "the text of an HTML page: offsets refer to the extracted text",
        "left out: footer, nav",
    )


def test_every_character_of_html_leads_back_to_its_source():
    extracted = extract_html(PAGE)
    entities = {"&": "&amp;", "\xa0": "&nbsp;", "<": "&lt;"}
    for offset, character in enumerate(extracted.text):
        source = extracted.origin.source_of(offset)
        if not character.isspace() or character == "\xa0":
            assert PAGE.startswith(entities.get(character, character), source), (offset, character)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>around</p><main><header>Title</header>in</main><p>after", "Title\n\nin"),
        ("a<DIV class=x ROLE='main'>b<div>c</div>d</DIV>e", "b\n\nc\n\nd"),
        ("<p role=main>x<article>y</article></p>z", "x\n\ny"),
        ("<p data='role=mainly'>all", "all"),
        ("<main>a</main>b<main>c", "a\n\nc"),
        ("<article>one</article>between<article>two</article>", "one\n\ntwo"),
        ("<p>never closed<p>next<nav>hidden", "never closed\n\nnext"),
        ("no tags at all", "no tags at all"),
        ("</nav></main>stray", "stray"),
        ("a<svg/>b<template>hidden</template>c", "abc"),
        ("<textarea>a <b> c</textarea>", "a <b> c"),
        ("1 < 2 & 3 &unknown; &#x41; &#99999999;", "1 < 2 & 3 &unknown; A \ufffd"),
        ("<!-- <p>x</p> -->", ""),
        ("<pre>a &amp b</pre>&amp", "a & b\n\n&"),
        ("", ""),
    ],
)
def test_pages_that_are_not_well_formed(page, text):
    assert extract_html(page).text == text


PARTS = ["<p>", "</p>", "<pre>", "</pre>", "<main>", "</main>", "<svg/>", "<nav>", "</nav>", "<td>",
         "<!--", "-->", "<", ">", "&amp;", "&lt", "&", " ", "\n", "a", "b c", "<i role=main>",
         "</i>", "<textarea>", "</textarea>"]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=25).map("".join))
@example("<pre>&amp;&lt a&b")
@example("&lta &notit; &acE; &amp")
def test_any_markup_leads_back_to_its_source(source):
    extracted = extract_html(source)
    for offset, character in enumerate(extracted.text):
        if not character.isspace():
            place = extracted.origin.source_of(offset)
            assert source[place] == character or source[place] == "&"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<h1>Fees &amp; <b>tides</b><a>¶</a></h1><p>x<h2>Low</h2>", [
            (1, "Fees & tides", "Fees & tides¶"), (2, "Low", "Low"),
        ]),
        ("<h3>open<h2>next</h3>after", [(3, "open", "open"), (2, "next", "next")]),
        ("<h1> </h1><h1>¶</h1>text", []),
        ("<nav><h1>Site</h1></nav><h2>Own", [(2, "Own", "Own")]),
        ("use &lt;h1>no&lt;/h1>", []),
        ("</h1>stray", []),
    ],
)  # fmt: skip
def test_headings_of_a_page_stand_in_its_text(page, found):
    extracted = extract_html(page)
    made = headings(extracted.text, document_id="a.html", origin=extracted.origin)
    assert [
        (one.level, one.title, extracted.text[one.span.start : one.span.end]) for one in made
    ] == found


def test_what_is_marked_as_main_is_said():
    assert extract_html("a<main>b").notes == (
        "the text of <main> in an HTML page: offsets refer to the extracted text",
    )


def test_html_pages_of_the_data_lead_back_and_hold_their_evidence(shared_data):
    folder = shared_data("pydocs_html")
    corpus = load_corpus([folder / "docs"], reading=Reading(html=True))
    assert len(corpus.documents) == 8
    for document in corpus.documents:
        source = document.path.read_bytes().decode()
        for offset in range(0, len(document.text), 97):
            character = document.text[offset]
            if character.isalnum():
                assert source[document.origin.source_of(offset)] in (character, "&")
    located = locate(read_golden(folder / "golden.jsonl"), corpus)
    tiers = [item.places[0].tier for question in located for item in question.items]
    assert (tiers.count("exact"), len(tiers)) == (18, 19)


# --- line ends ---------------------------------------------------------------------------------


def test_line_ends_are_kept_unless_asked_and_it_is_said(tmp_path):
    write(tmp_path, {"a.txt": "a\r\nb\rc\n", "b.txt": "a\nb", "c.csv": "x,y\r\n1,2\r\n"})
    kept = load_corpus([tmp_path])
    assert [one.text for one in kept.documents] == ["a\r\nb\rc\n", "a\nb", "x,y\r\n1,2\r\n"]
    assert [one.notes for one in kept.documents] == [(), (), ()]
    corpus = load_corpus([tmp_path], reading=Reading(newline="lf"))
    assert [(one.text, one.newline, one.notes) for one in corpus.documents] == [
        (
            "a\nb\nc\n", "lf",
            ("line ends mixed made lf: offsets refer to the converted text",),
        ),
        ("a\nb", "lf", ()),
        ("x,y\n1,2\n", "lf", ("line ends crlf made lf: offsets refer to the converted text",)),
    ]  # fmt: skip


def test_line_ends_of_an_extracted_text_and_its_parts(tmp_path):
    write(tmp_path, {"a.ipynb": notebook(("code", "a\r\nb\r\n"), ("code", "c"))})
    document = load_corpus([tmp_path], reading=Reading(newline="lf")).documents[0]
    assert document.text == "a\nb\n\n\nc"
    assert document.place(6, 7) == "cell 2 (code)"
    assert document.notes[1] == "line ends mixed made lf: offsets refer to the converted text"
