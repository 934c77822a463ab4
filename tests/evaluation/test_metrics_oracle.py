"""Vectorised metrics against sets of characters, on random chunk sets and rankings."""

import pytest
from character_oracle import oracle
from evaluation_cases import make_chunks, make_corpus, make_question, measure_ranked
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.evaluation import termcoverage
from chunkscope.evaluation.evidence import evidence_table
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.splitting.chunkset import uncovered_characters

TEXTS = st.text("ab é港\n.", min_size=1, max_size=30)


@st.composite
def ranges(draw, length, *, low=0):
    start = draw(st.integers(low, length - 1))
    return start, draw(st.integers(start + 1, length))


@st.composite
def chunk_lists(draw, length, *, kind):
    found = draw(st.lists(ranges(length), max_size=6))
    if kind == "monotone":
        starts = sorted(start for start, _ in found)
        ends = sorted(end for _, end in found)
        return list(zip(starts, ends, strict=True))
    if kind == "joined":
        return [
            draw(st.sampled_from([chunk, disjoint(chunk, draw(ranges(length)))])) for chunk in found
        ]
    return found


def disjoint(first, second):
    """Two ranges as one joined chunk, where they do not meet; else the first alone."""
    first, second = sorted((first, second))
    return [first, second] if first[1] < second[0] else first


@st.composite
def cases(draw):
    corpus = make_corpus(*draw(st.lists(TEXTS, min_size=1, max_size=3)))
    kind = draw(st.sampled_from(["monotone", "any", "joined"]))
    lists = [draw(chunk_lists(len(document.text), kind=kind)) for document in corpus.documents]
    chunks = make_chunks(corpus, lists)
    questions = []
    for number in range(draw(st.integers(1, 4))):
        items = []
        for _ in range(draw(st.integers(1, 3))):
            places = []
            for _ in range(draw(st.integers(1, 3))):
                document = draw(st.sampled_from(corpus.documents))
                places.append((document.id, *draw(ranges(len(document.text)))))
            items.append(places)
        questions.append(make_question(number, items))
    numbers = list(range(len(chunks)))
    rows = [draw(st.permutations(numbers))[: draw(st.integers(0, len(numbers)))] for _ in questions]
    return chunks, questions, rows


@pytest.mark.parametrize("cells", [1, 10_000])
@given(cases(), st.integers(1, 4), st.sampled_from(["unicode", "whitespace", "[a-z]"]))
def test_every_metric_equals_the_character_sets(cells, case, k, rule):
    chunks, questions, rows = case
    with pytest.MonkeyPatch.context() as patch:
        # Questions are looked at block by block.
        patch.setattr(termcoverage, "_CELLS", cells)
        check_against_oracle(chunks, questions, rows, k, rule)


def check_against_oracle(chunks, questions, rows, k, rule):
    measured = measure_ranked(chunks, questions, rows, k=(k, 2), words=rule)
    for cut, suffix in ((k, ""), (k, f"@{k}"), (2, "@2")):
        for row, question in enumerate(questions):
            for name, expected in oracle(chunks, question, rows[row], cut, rule).items():
                if suffix and name in ("precision_omega", "split_rate"):
                    continue
                value = measured.per_question[name + suffix][row]
                assert value == pytest.approx(expected, abs=1e-12), (name + suffix, row)


@given(cases())
def test_holding_and_touching_pairs_equal_plain_comparison(case):
    chunks, questions, _ = case
    geometry = chunk_geometry(chunks)
    table = evidence_table(chunks.corpus, questions)
    pieces = list(
        zip(geometry.starts.tolist(), geometry.ends.tolist(), geometry.chunk.tolist(), strict=True)
    )
    places = list(enumerate(zip(table.low.tolist(), table.high.tolist(), strict=True)))
    index, chunk = geometry.holding(table.low, table.high)
    expected = sorted(
        {
            (place, owner)
            for place, (low, high) in places
            for start, end, owner in pieces
            if start <= low and high <= end
        }
    )
    assert list(zip(index.tolist(), chunk.tolist(), strict=True)) == expected
    index, touching = geometry.touching(table.low, table.high)
    expected = [
        (place, number)
        for place, (low, high) in places
        for number, (start, end, _) in enumerate(pieces)
        if start < high and low < end
    ]
    assert list(zip(index.tolist(), touching.tolist(), strict=True)) == expected


@given(cases())
def test_uncovered_characters_by_union_and_by_marking_each(case):
    chunks, _, _ = case
    geometry = chunk_geometry(chunks)
    assert chunks.corpus.characters - geometry.union_length == uncovered_characters(chunks)
