"""What is fuzzed: one function a target, given an input and where its choices come from.

Each raises AssertionError when a promise is broken; every error that is not one of ours comes
through as it is. Hypothesis and atheris call the same functions.
"""

import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.cells import cell_len

from chunkscope.cli.separators import parse_separators
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.evaluation.casefile import case_from_json, case_to_json
from chunkscope.evaluation.configfile import (
    configuration_from_mapping,
    read_configuration,
    to_toml,
)
from chunkscope.golden.importing.reading import read_source
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, Question
from chunkscope.golden.reading import golden_from_bytes, read_golden
from chunkscope.golden.writing import format_line, write_golden
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.registry import check_settings, get_splitter, splitter_kinds
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.display import visible, visible_separator
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceMark, Layers
from chunkscope.tui.painting.marks import ASCII, BOX
from chunkscope.tui.painting.page import Page
from chunkscope.tui.painting.rows import SLACK
from chunkscope.tui.remembered import recall
from chunkscope.tui.userkeys import read_user_keys

SUFFIXES = (".txt", ".md", ".html", ".csv", ".tsv", ".jsonl", ".json", ".ipynb", ".docx", ".pdf",
            ".epub", ".xhtml", ".py", "")  # fmt: skip
IMPORTED = (".json", ".jsonl", ".csv", ".tsv", ".txt")
PACKAGES = ("chonkie:", "llama-index:", "semantic", "sentence-transformers")
KINDS = (*(kind for kind in splitter_kinds() if not kind.startswith(PACKAGES)), "html+words")
_SURROGATES = frozenset(map(chr, range(0xD800, 0xE000)))


def one_line(error: ChunkscopeError) -> None:
    """An error is one line that says something."""
    said = str(error)
    assert said.strip()
    assert "\n" not in visible(said)


def in_file(data: bytes, name: str, use: Callable[[Path], Any]) -> Any:
    """What `use` gives of a file that holds `data`; None when it refuses it in one line."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            return use(path)
        except ChunkscopeError as error:
            one_line(error)
            return None


def loading(data: bytes, chance: Random) -> None:
    """A document of any bytes is read or skipped with a reason; its places lie in its text."""
    suffix = chance.choice(SUFFIXES)
    newline = chance.choice(("keep", "lf"))
    html = chance.random() < 0.5
    reading = Reading(
        newline=newline,
        html=html,
        records=chance.choice(((), ("text",), ("id", "question"))),
        join_hyphens=chance.random() < 0.5,
        drop_running=chance.random() < 0.5,
    )

    def load(path: Path) -> Corpus:
        kept = ExtractionCache(path.parent / "kept")
        first = load_corpus([path], reading=reading, extractions=kept)
        again = load_corpus([path], reading=reading, extractions=kept)
        assert [one.text for one in again.documents] == [one.text for one in first.documents]
        assert [one.origin for one in again.documents] == [one.origin for one in first.documents]
        return first

    corpus = in_file(data, f"d{suffix}", load)
    if corpus is None:
        return
    for document in corpus.documents:
        assert isinstance(document.text, str)
        # What no file of UTF-8 can hold is found when it is read, not when it is written.
        assert _SURROGATES.isdisjoint(document.text) or suffix in (".json", ".jsonl", ".ipynb")
        assert newline != "lf" or "\r" not in document.text
        assert all(isinstance(note, str) and note for note in document.notes)
    for skipped in corpus.skipped:
        assert skipped.reason.strip()


def golden_reading(data: bytes, _chance: Random) -> None:
    """A golden set is refused in one line, or read, and written again with the same bytes."""
    try:
        golden = golden_from_bytes(data, Path("g.jsonl"))
    except InputError as error:
        one_line(error)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "g.jsonl"
        write_golden(golden, path)
        read = read_golden(path)
        assert [one.raw for one in read.questions] == [
            one.raw if at == len(golden.questions) - 1 else _ended(one.raw)
            for at, one in enumerate(golden.questions)
        ]
        if golden.questions:
            assert path.read_bytes() == data
        for question in golden.questions:
            changed = replace(question, question=f"{question.question}?", raw="", line=0)
            write_golden(replace(golden, questions=(changed,), tail=""), path)
            (back,) = read_golden(path).questions
            assert replace(back, raw="", line=0) == changed
            assert json.loads(format_line(question))["id"] == question.id


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def configuration_reading(text: str, _chance: Random) -> None:
    """A configuration is refused in one line, or read, written and read again as the same."""
    data = text.encode("utf-8", "surrogatepass")
    configuration = in_file(data, "c.toml", read_configuration)
    if configuration is None:
        return
    try:
        written = to_toml(configuration)
    except InputError as error:
        one_line(error)
        return
    again = in_file(written.encode("utf-8"), "c.toml", read_configuration)
    assert again == configuration
    assert again.hash == configuration.hash
    mapping = json.loads(json.dumps(configuration.to_mapping()))
    assert configuration_from_mapping(mapping, "c").hash == configuration.hash


def separators(text: str, _chance: Random) -> None:
    """Separators are refused in one line, or read; as a JSON list they come back the same."""
    try:
        found = parse_separators(text)
    except InputError as error:
        one_line(error)
        return
    assert found
    assert parse_separators(json.dumps(list(found))) == found
    for separator in found:
        shown = visible_separator(separator)
        assert shown
        assert visible(shown) == shown


def splitting(text: str, chance: Random) -> None:
    """A chunk is the slice of its range or says that it is not; every range lies in the text."""
    size = chance.choice((1, 2, 3, 7, 20, 60, 1000))
    settings = SplitterSettings(
        kind=chance.choice(KINDS),
        size=size,
        overlap=chance.choice((0, size // 4, size - 1)),
        unit=chance.choice(("tokens", "characters", "words")),
        separators=tuple(
            chance.choice(("\n\n", "\n", ". ", " ", "", ",", text[:2], text[3:5], "(?=#)", "x*"))
            for _ in range(chance.randrange(1, 5))
        ),
        keep_separator=chance.choice(("end", "start", "none")),
        regex=chance.random() < 0.3,
        strip=chance.random() < 0.5,
        dedupe=chance.random() < 0.2,
    )
    try:
        check_settings(settings)
        prepared = get_splitter(settings.kind).prepare(text, settings)
        cuts = prepared.cut(settings.size, settings.overlap_size)
    except ChunkscopeError as error:
        one_line(error)
        return
    places_are_true(text, cuts)


def places_are_true(text: str, cuts: Cuts) -> None:
    """Ranges lie in the text, and a chunk's text is that of its range unless it is altered."""
    ends = cuts.ends.tolist()
    for index, (start, end) in enumerate(zip(cuts.starts.tolist(), ends, strict=True)):
        assert 0 <= start <= end <= len(text)
        assert (text[start:end] == cuts.text(index, text)) == (index not in cuts.altered)
        spans = cuts.spans.get(index, ((start, end),))
        assert (spans[0][0], spans[-1][1]) == (start, end)
        assert all(low <= high for low, high in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


def locating(text: str, chance: Random) -> None:
    """Evidence taken from a text is found in it; a place always lies in the text."""
    document = Document("d", text, "utf-8", "lf")
    corpus = Corpus((document,), (), None)
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.randrange(1, 60))
    taken = text[start:end]
    if not taken.strip():
        return
    form = chance.choice((str, str.upper, str.split, lambda one: one.replace("\n", " ")))
    wanted = form(taken)
    wanted = " ".join(wanted) if isinstance(wanted, list) else wanted
    if not wanted.strip():
        return
    located = locate_question(Question("q", "Which?", "d", (Evidence(wanted),)), corpus)
    for item in located.items:
        for place in item.places:
            assert place.doc == "d"
            assert 0 <= place.span.start < place.span.end <= len(text)
            if place.tier == "exact":
                assert text[place.span.start : place.span.end] == wanted
    if form is str:
        assert located.measured
        places = [place.span for item in located.items for place in item.places]
        assert any(text[one.start : one.end] == taken for one in places)
    given = Question("q", "Which?", "d", (Evidence(taken, start, end),))
    (item,) = locate_question(given, corpus).items
    assert [(one.span, one.tier) for one in item.places] == [(Span(start, end), "given")]


def painting(text: str, chance: Random) -> None:
    """Every code point is drawn once, rows are as wide as they say, no control comes through."""
    page = Page(text, chance.choice((1, 4, 8)))
    page.show(_layers(text, chance))
    width, wrap = chance.choice((1, 5, 20, 80, 100_000)), chance.random() < 0.7
    page.lay_out(width, wrap=wrap)
    if chance.random() < 0.3:
        page.show(_layers(text, chance))
    page.selection = _span(text, chance)
    page.cursor = chance.randrange(-1, len(text) + 1)
    marks = chance.choice((BOX, ASCII))
    drawn: list[int] = []
    for row in range(len(page.rows)):
        painted = page.paint(row, marks)
        content = page.rows.content(row)
        column = painted.column
        for piece in painted.pieces:
            assert visible(piece.text) == piece.text
            inside = piece.start < min(piece.end, content.end)
            if inside and not page.rows.cells.zero_width(piece.start):
                assert column == page.columns.column_of(row, piece.start)
            column += cell_len(piece.text)
            drawn.extend(range(piece.start, piece.end))
        if page.rows.width is not None and content.length > 1:
            assert page.columns.end_column(row) <= max(page.rows.width, 8) + SLACK
        for cell in page.gutter(row, marks, top=row == 0):
            assert visible(cell.text) == cell.text
        span = page.rows.span(row)
        for offset in {span.start, (span.start + span.end) // 2}:
            place = page.columns.column_of(row, offset)
            hit = page.columns.hit(row, place)
            assert hit.start <= len(text)
    assert len(drawn) == len(set(drawn))
    if not wrap and width == 100_000:
        assert drawn == list(range(len(text)))


def _span(text: str, chance: Random) -> Span:
    start = chance.randrange(len(text) + 1)
    return Span(start, chance.randrange(start, len(text) + 1))


def _layers(text: str, chance: Random) -> Layers:
    def chunks(variant: Any) -> ChunkLayer | None:
        if chance.random() < 0.2:
            return None
        spans = sorted(_span(text, chance) for _ in range(chance.randrange(6)))
        starts = np.array([one.start for one in spans], np.int64)
        ends = np.maximum.accumulate(np.array([one.end for one in spans], np.int64))
        return ChunkLayer(variant, starts, ends, retrieved={0: 1} if spans else {})

    marked = []
    for _ in range(chance.randrange(3)):
        span = _span(text, chance)
        if span.length:
            cut = chance.randrange(span.start, span.end)
            state = chance.choice(("whole", "cut", "not retrieved", "unmeasured"))
            marked.append(EvidenceMark(span, state, (cut,) if cut > span.start else ()))
    return Layers(chunks=chunks("A"), other=chunks("B"), evidence=tuple(marked))


def case_reading(text: str, _chance: Random) -> None:
    """A case is refused in one line, or read, and written again as the same."""
    try:
        value = json.loads(text)
        case = case_from_json(value, "c.json")
    except (ValueError, RecursionError):
        return
    except InputError as error:
        one_line(error)
        return
    assert case_from_json(json.loads(json.dumps(case_to_json(case))), "c.json") == case


def importing(data: bytes, chance: Random) -> None:
    """Another tool's questions are refused in one line, or read."""
    suffix = chance.choice(IMPORTED)
    source = in_file(data, f"q{suffix}", read_source)
    if source is not None:
        assert isinstance(source.format, str)


def remembering(data: bytes, _chance: Random) -> None:
    """A file of sessions or of keys, whatever is in it, stops nobody from starting."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes(data)
        left = recall(path, "k")
        if left is not None:
            left.questions()
            left.configurations()
        keys, problems = read_user_keys(path)
        assert keys
        assert all(one.strip() for one in problems)


def showing(text: str, _chance: Random) -> None:
    """One visible code point for each, and what is visible already stays."""
    shown = visible(text)
    assert len(shown) == len(text)
    assert visible(shown) == shown
    io.TextIOWrapper(io.BytesIO(), "utf-8").write(shown)


BYTES: dict[str, Callable[[bytes, Random], None]] = {
    "loading": loading,
    "golden": golden_reading,
    "importing": importing,
    "remembering": remembering,
}
TEXTS: dict[str, Callable[[str, Random], None]] = {
    "configuration": configuration_reading,
    "separators": separators,
    "splitting": splitting,
    "locating": locating,
    "painting": painting,
    "case": case_reading,
    "showing": showing,
}
