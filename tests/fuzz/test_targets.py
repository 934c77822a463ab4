"""Each target of `fuzz_targets` on inputs that hypothesis makes out of valid ones."""

import json
import os
from random import Random

import fuzz_targets
import pytest
from evaluation_cases import make_corpus
from format_files import docx, epub, paragraph, pdf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkscope.evaluation.case import make_case
from chunkscope.evaluation.casefile import case_to_json
from chunkscope.evaluation.configfile import to_toml
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, Question
from chunkscope.splitting.settings import SplitterSettings

GIVEN = os.environ.get("CHUNKSCOPE_FUZZ_EXAMPLES")
EXAMPLES = settings(
    max_examples=int(GIVEN or 150),
    deadline=None,
    # The usual run is the same every time; one that looks for something new is not.
    derandomize=not GIVEN,
    database=None,
    suppress_health_check=list(HealthCheck),
)

PIECES = (
    *("# A", "## B\n", "\n", "\n\n", "\r\n", "\r", "\t", " ", "word", "One is. ", "Two? ", "a"),
    *("```\n", "| a | b |\n", "|---|---|\n", "---\n", "<h1>", "</h1>", "<p>", "<script>", "<!--"),
    *("&nbsp;", "&#0;", "def f():\n", "    return\n", "x" * 30, "港口。", "é", "e\u0301", "\u0301"),
    *("\ufeff", "\x00", "\x1b[31m", "\x85", "\x9b", "\xad", "\u200b", "\u200d", "\u202e", "\u2028"),
    *("🇩🇪", "👩‍👩‍👧", "👍🏽", "⚠\ufe0f", "\ufe0f", "ｱ", "\u1160", "ก\u0e33", "نص", "[/x]"),
    *("$x", "\\", "|", "<|endoftext|>", "ﬁ", "mas-\nter", "İ", "“", "’", "\u00a0",),
    *("- item\n", "1. one\n", "> q\n"),
)  # fmt: skip
texts = st.lists(
    st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=60
).map("".join)
torn_texts = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=()), max_size=60)

QUESTION = {
    "id": "q1", "question": "Wo?", "doc": "d.md", "answer": "hier", "type": "fact", "note": [1.5],
    "evidence": [{"text": "é x", "start": 0, "end": 3, "alternatives": [{"text": "y"}]}],
}  # fmt: skip
LINE = json.dumps(QUESTION)
GOLDEN = (
    f"{LINE}\n",
    f"\ufeff{LINE}\r\n\n{LINE.replace('q1', 'q2')}",
    '{"id": "a", "question": "Q", "doc": "d", "evidence": []}\n',
)
TOML = (
    to_toml(Configuration()),
    '[splitter]\nsize = 12\noverlap = "10%"\nseparators = ["\\n", ""]\n[retriever]\nk = [1, 2]\n',
    '[enrich]\nprefix = "headings"\nparent = "100"\nheading_pattern = "^# .*$"\n',
)
SESSION = json.dumps(
    {
        "version": 1,
        "sessions": {
            "k": {
                "a": Configuration().to_mapping(), "b": Configuration().to_mapping(),
                "document": "d", "offset": 3, "question": "", "panel": "", "shown": "A",
                "theme": "x", "asked": [LINE], "widths": {"w": 3}, "panel_height": 0,
            }
        },
    }
)  # fmt: skip
NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "markdown", "source": ["# A\n", "b"]},
               {"cell_type": "code", "source": "x = 1", "outputs": []}],
     "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
)  # fmt: skip


def case() -> str:
    """A valid case as its file holds it."""
    corpus = make_corpus("The tug leaves at dawn.\n\nThe ferry leaves at noon.\n")
    question = Question("q", "When?", "d0", (Evidence("The tug leaves at dawn.", 0, 23),))
    splitter = SplitterSettings(size=30, overlap=0, unit="characters")
    run = evaluate(
        CorpusIndex(corpus), Configuration(splitter), (locate_question(question, corpus),)
    )
    return json.dumps(case_to_json(make_case("q", run, run)))


CASE = case()
TOKENS = ("{", "}", "[", "]", '"', ":", ",", "null", "true", "-1", "1e999", "NaN", "\\u d83d", "\\",
          "\n", "\r\n", "=", "'", "#", "0", "9" * 25, "\ufeff", "é", "\x00", '"id"', '"evidence"',
          "[[", "[splitter]", "kind", "-", "%", " ")  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, seeds: tuple[str, ...], tokens: tuple[str, ...] = TOKENS) -> str:
    """One of the seeds with pieces of it dropped, doubled, moved or replaced."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["drop", "double", "token", "text"]))
        put = {
            "drop": "",
            "double": text[start:end] * 2,
            "token": draw(st.sampled_from(tokens)),
            "text": draw(st.text(max_size=3)),
        }[kind]
        text = text[:start] + put + text[end:]
    return text


@st.composite
def damaged(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """One of the seeds with some of its bytes dropped, doubled or replaced."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 8)))
        put = draw(st.binary(max_size=4) | st.just(data[start:end] * 2))
        data = data[:start] + put + data[end:]
    return data


def encoded(made: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    codecs = st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-16-be", "latin-1", "cp1252",
                              "shift-jis", "utf-32"])  # fmt: skip
    return st.builds(lambda text, codec: text.encode(codec, "replace"), made, codecs)


FILES = (pdf("Tugs leave.\nAt dawn.", "Two"), docx(paragraph("One") + paragraph("Two")))
WORD = (
    paragraph("One &amp; two")
    + "<w:tbl><w:tr><w:tc>"
    + paragraph("cell")
    + "</w:tc></w:tr></w:tbl>",
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/>'
    "</w:numPr></w:pPr><w:r><w:t>A</w:t><w:tab/><w:br/><w:t>b</w:t></w:r></w:p><w:sectPr/>",
    "<w:p><w:hyperlink><w:r><w:t>x</w:t></w:r></w:hyperlink><w:ins><w:r><w:t>y</w:t></w:r></w:ins>"
    "<w:del><w:r><w:delText>z</w:delText></w:r></w:del><m:oMath><m:t>q</m:t></m:oMath></w:p>",
)
PAGE = (
    "<h1>Port</h1><p>Tugs <b>leave</b> at&nbsp;dawn.</p>"
    "<table><tr><th>a</th><td>b</td></tr></table>",
    '<ul><li>one<li>two</ul><pre>x\n y</pre><img alt="z"><br/><script>x()</script><!-- c -->',
)
TAGS = ("<", ">", "</p>", "<p>", "<td>", "</table>", "<w:p>", "</w:p>", "<w:t>", "&", "&#0;", "]]>",
        "&#xd800;", "<!DOCTYPE x>", "<?x?>", '"', "\x00", "\ud83d", "w:val=", "9" * 25)  # fmt: skip


def written(made: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return made.map(lambda one: one.encode("utf-8", "replace").decode())


PACKED = written(mutated(WORD, TAGS)).map(docx) | written(mutated(PAGE, TAGS)).map(epub)
HALVES = ("|", "\\", "\\ud83d", "\\ude00", "\ud83d", "\ude00", "\\n", "[", "]", '"', ",", " ")
SEPARATORS = ('["\\n\\n", " ", ""]', "\\n\\n|\\n| |", "[,;]", "\\ud83d\\ude00|a")
IMPORTED = (
    LINE,
    f"[{LINE}]",
    "question,evidence,doc\nWo?,hier,d\n",
    'question\tanswer\nWo?\t"hier\n"\n',
    '{"data": [{"paragraphs": [{"context": "c", "qas": []}]}]}',
)
REMEMBERED = (SESSION, '[keys]\nquit = "q"\n')
READ = (NOTEBOOK, LINE, "a,b\n1,2\n")
DRAWN = tuple("".join(PIECES[at : at + 12]) for at in range(0, len(PIECES), 12))


def as_bytes(texts: tuple[str, ...]) -> list[bytes]:
    return [one.encode("utf-8", "surrogatepass") for one in texts]


SEEDS: dict[str, list[bytes]] = {
    "loading": [*FILES, epub(*PAGE), *map(docx, WORD), *as_bytes((*READ, *PAGE))],
    "golden": as_bytes(GOLDEN),
    "importing": as_bytes(IMPORTED),
    "remembering": as_bytes(REMEMBERED),
    "configuration": as_bytes(TOML),
    "separators": as_bytes(SEPARATORS),
    "case": as_bytes((CASE,)),
    **dict.fromkeys(("splitting", "locating", "painting", "showing"), as_bytes(DRAWN)),
}


def utf8(made: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return made.map(lambda one: one.encode("utf-8", "surrogatepass"))


INPUTS: dict[str, st.SearchStrategy[bytes] | st.SearchStrategy[str]] = {
    "loading": st.one_of(
        st.binary(max_size=200),
        encoded(texts),
        damaged(FILES),
        PACKED,
        encoded(mutated(PAGE, TAGS)),
        utf8(mutated(READ)),
    ),
    "golden": utf8(mutated(GOLDEN)) | damaged(tuple(as_bytes(GOLDEN))),
    "importing": encoded(mutated(IMPORTED)),
    "remembering": utf8(mutated(REMEMBERED)),
    "configuration": mutated(TOML),
    "separators": torn_texts.map("".join) | mutated(SEPARATORS, HALVES),
    "splitting": texts,
    "locating": texts,
    "painting": torn_texts.map("".join),
    "case": mutated((CASE,)),
    "showing": torn_texts.map("".join),
}


@pytest.mark.parametrize("name", [*fuzz_targets.BYTES, *fuzz_targets.TEXTS])
def test_target(name: str) -> None:
    target = {**fuzz_targets.BYTES, **fuzz_targets.TEXTS}[name]

    @EXAMPLES
    @given(made=INPUTS[name], seed=st.integers(0, 2**32 - 1))
    def run(made: bytes | str, seed: int) -> None:
        target(made, Random(seed))

    run()
