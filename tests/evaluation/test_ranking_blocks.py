"""Rankings out of blocks of scores, against ranking one question after another."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.evaluation.rankings import Demand, rank_question_blocks, rank_questions
from chunkscope.retrieval.protocol import ScoreBlock


@st.composite
def block_lists(draw):
    """Blocks over one chunk set; few different scores, so that many are equal."""
    size = draw(st.integers(0, 400))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.integers(1, 40))
    plain = draw(st.booleans())
    blocks = []
    for rows in draw(st.lists(st.integers(1, 5), max_size=3)):
        scores = generator.integers(0, kinds, (rows, size)) / 7
        scores[generator.random((rows, size)) < draw(st.sampled_from([0.0, 0.6, 0.99]))] = 0.0
        if plain:
            blocks.append(ScoreBlock(scores))
        else:
            # Scores of 0 and below count where a term is shared.
            shared = generator.random((rows, size)) < 0.5
            blocks.append(ScoreBlock(np.where(shared, scores - 1, 0.0), shared))
    return blocks, generator.integers(0, 60, size)


demands = st.builds(
    Demand,
    cut=st.integers(1, 12),
    budget=st.sampled_from([0, 0, 30, 500]),
    chunks=st.integers(1, 12),
    tokens=st.sampled_from([0, 0, 100, 5000]),
)


@given(block_lists(), demands, st.sampled_from(["earlier", "later"]))
def test_blocks_rank_as_single_questions_do(case, demand, ties):
    blocks, tokens = case
    single = [block.matches(row) for block in blocks for row in range(len(block.scores))]
    options = {"count": len(single), "tokens": tokens, "demand": demand, "ties": ties}
    seen = []
    found = rank_question_blocks(
        blocks, watch=lambda row, matches: seen.append((row, matches.chunks.tolist())), **options
    )
    expected = rank_questions(single, **options)
    for name in ("chunks", "scores", "counts", "complete"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    assert list(found.ties) == list(expected.ties)
    for row, tie in found.ties.items():
        assert tie.certain.tolist() == expected.ties[row].certain.tolist()
        assert tie.tied.tolist() == expected.ties[row].tied.tolist()
        assert tie.room == expected.ties[row].room
    assert seen == [(row, match.chunks.tolist()) for row, match in enumerate(single)]
    assert {one.name for one in fields(found)} == {
        "chunks", "scores", "counts", "complete", "ties"
    }  # fmt: skip


def test_no_block_is_ranked_after_it_was_called_off():
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        rank_question_blocks(
            [ScoreBlock(np.ones((1, 3)))],
            count=1,
            tokens=np.ones(3, np.int64),
            demand=Demand(cut=1),
            ties="earlier",
            cancel=cancel,
        )
