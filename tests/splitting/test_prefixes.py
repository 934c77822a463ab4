"""What is put before a chunk: titles, a table's header row, what encloses code."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import cut

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.prefixes import check_enrich
from chunkscope.splitting.settings import PREFIXES, EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import corpus_warnings
from chunkscope.text.definitions import Definitions
from chunkscope.text.document import Corpus, Document
from chunkscope.text.tables import Table, header_above, tables
from chunkscope.text.tokens import get_token_counter

LINES = SplitterSettings(
    kind="recursive", unit="characters", size=18, overlap=0, separators=("\n",)
)

MARKDOWN = "# Port\n\n| quay | depth |\n|---|---|\n| north | 4 |\n| south | 5 |\n\nEnd of it."
PYTHON = '''import os

class Tug:
    """A tug.

bare words in a docstring
    """

    def leave(
        self,
        hour,
    ):
        if hour:
            return 1

    async def moor(self): return 2

x = 3
'''
GO = """package port

func Leave(hour int) int {
\tif hour > 2 {
\t\treturn 1
\t}
// a comment at the edge
\treturn 2
}

var x = 3
"""
JAVA = """public class Tug {
    private int hour;

    public int leave(int hour)
    {
        for (int i = 0; i < hour; i++) {
            moor(i);
        }
    }
}
"""


def chunks_of(text: str, name: str, prefix: str, settings: SplitterSettings = LINES) -> ChunkSet:
    corpus = Corpus((Document(name, text),))
    enrich = EnrichSettings(prefix=prefix)
    return build_chunk_set(corpus, [cut(text, settings)], settings, enrich)


def by_text(chunks: ChunkSet) -> dict[str, str]:
    return {chunks.text(index): chunks.prefixes.get(index, "") for index in range(len(chunks))}


def test_rows_carry_the_header_row_of_their_table() -> None:
    chunks = chunks_of(MARKDOWN, "a.md", "table")
    header = "| quay | depth |"
    assert {text.strip(): prefix for text, prefix in by_text(chunks).items()} == {
        "# Port": "",
        header: "",
        "|---|---|": header,
        "| north | 4 |": header,
        "| south | 5 |": header,
        "End of it.": "",
    }
    row = [text.strip() for text in chunks.texts()].index("| north | 4 |")
    assert chunks.indexed_text(row) == f"{header}\n| north | 4 |"
    # Counted in the tokens, not in the size, and no part of the text or its place.
    count = get_token_counter("cl100k_base").count_one
    assert chunks.tokens[row] == count(f"{header}\n| north | 4 |")
    assert chunks.sizes[row] == len("| north | 4 |")
    assert MARKDOWN[chunks.starts[row] : chunks.ends[row]] == "| north | 4 |"


def test_parts_stand_one_below_the_other() -> None:
    assert by_text(chunks_of(MARKDOWN, "a.md", "headings+table"))["| south | 5 |"] == (
        "Port\n| quay | depth |"
    )
    assert by_text(chunks_of(MARKDOWN, "a.md", "title+table"))["End of it."] == "Port"


def test_tables_of_other_files() -> None:
    csv = "\ufeffquay,depth\r\nnorth,4\r\nsouth,5\r\n"
    assert tables(csv, document_id="a.CSV") == [Table(0, 13, 31, "quay,depth")]
    page = (
        "<p>x</p><table><caption>c</caption><thead><tr><th>Quay <b>no</b></th><th>&lt; m</th></tr>"
        "</thead><tr><td>north<table><tr><td>in</td></tr></table></td><td>4</td></tr></table>y"
    )
    (table,) = tables(page, document_id="a.html")
    assert table.header == "Quay no | < m"
    assert page[table.start :].startswith("<table><caption>")
    assert page[table.body : table.end].startswith("</thead><tr><td>north")
    assert page[table.end :] == "y"
    assert header_above([table], page.index("north")) == "Quay no | < m"
    assert header_above([table], page.index("no</b>")) == ""
    assert header_above([table], len(page) - 1) == ""
    # Nothing is closed.
    loose = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    assert [one.header for one in tables(loose, document_id="a.htm")] == ["a | b"]
    assert tables("a,b\n1,2", document_id="a.txt") == []
    assert tables("\n", document_id="a.csv") == []


def test_code_carries_what_encloses_it() -> None:
    found = Definitions(PYTHON, document_id="a.py")
    tug, leave = "class Tug:", "    def leave("
    for text, lines in (
        ("import os", ()),
        ("class Tug", ()),
        ("bare words", (tug,)),
        ("def leave", (tug,)),
        ("hour,", (tug, leave)),
        ("return 1", (tug, leave)),
        ("async def", (tug,)),
        ("return 2", (tug,)),
        ("x = 3", ()),
    ):
        place = PYTHON.index(text)
        place = PYTHON.index("    " + text) if text == "return 1" else place
        assert found.enclosing(place) == lines, text
    chunks = by_text(chunks_of(PYTHON, "a.py", "definition"))
    assert {text.strip(): over for text, over in chunks.items() if "return 1" in text} == {
        "return 1": "class Tug:\n    def leave("
    }


def test_python_that_does_not_parse_goes_by_its_indentation() -> None:
    broken = PYTHON.replace("bare words in a docstring\n", "").replace("x = 3", "x = = 3")
    found = Definitions(broken, document_id="a.py")
    assert found.enclosing(broken.index("return 1")) == ("class Tug:", "    def leave(")
    assert found.enclosing(broken.index("x = =")) == ()


def test_other_languages_go_by_their_indentation() -> None:
    found = Definitions(GO, document_id="a.go")
    for text in ("return 1", "return 2", "if hour"):
        assert found.enclosing(GO.index(text)) == ("func Leave(hour int) int {",)
    for text in ("package", "func", "var x"):
        assert found.enclosing(GO.index(text)) == ()
    found = Definitions(JAVA, document_id="Tug.java")
    assert found.enclosing(JAVA.index("moor")) == (
        "public class Tug {",
        "    public int leave(int hour)",
    )
    assert found.enclosing(JAVA.index("private")) == ("public class Tug {",)
    assert len(Definitions(GO, document_id="a.txt")) == 0


@given(st.text("ab:(){}\n\t #=", max_size=80), st.sampled_from(["a.py", "a.js", "a.go"]))
def test_any_text_has_scopes_within_it(text: str, name: str) -> None:
    found = Definitions(text, document_id=name)
    for offset in range(len(text)):
        for line in found.enclosing(offset):
            assert line in text[:offset]


def test_real_code(shared_data: Callable[[str], Path]) -> None:
    """Of most places in indented code a definition is known, and it stands above them."""
    within = enclosed = 0
    for path in sorted((shared_data("code_qa") / "docs").iterdir())[:30]:
        text = path.read_bytes().decode()
        found = Definitions(text, document_id=f"{path.stem}.py")
        for match in re.finditer(r"\n {8,}return ", text):
            lines = found.enclosing(match.end())
            within += 1
            enclosed += bool(lines)
            assert all(f"{line}" in text[: match.end()] for line in lines)
    assert within > 50
    assert enclosed >= 0.9 * within


def test_what_a_prefix_finds_nothing_for_is_said() -> None:
    corpus = Corpus((Document("a.txt", "plain words"),))
    wanted = EnrichSettings(prefix="headings+table+definition")
    assert corpus_warnings(corpus, SplitterSettings(separators=("",)), wanted) == [
        "prefix: no heading found, so that the file's name serves (a.txt)",
        "prefix: no table found in any Markdown, HTML or CSV document",
        "prefix: no definition found in any document whose ending names code",
    ]


def test_settings() -> None:
    for prefix in PREFIXES:
        check_enrich(EnrichSettings(prefix=prefix))
    for prefix in ("table+headings", "none+table", "tables", ""):
        with pytest.raises(InputError, match="is not known; give one of none, title, headings"):
            check_enrich(EnrichSettings(prefix=prefix))
    enrich = EnrichSettings(prefix="table", heading_pattern="^x")
    configuration = Configuration(enrich=enrich)
    said = "heading_pattern is not used: prefix is not headings, parent no section"
    assert check_configuration(configuration, {"heading_pattern"}) == [said]
    configuration = replace(configuration, enrich=replace(enrich, prefix="headings+table"))
    assert check_configuration(configuration, {"heading_pattern"}) == []
