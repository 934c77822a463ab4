"""Scores of cross-encoders against a plain numpy forward of the same weights."""

from pathlib import Path

import numpy as np
import pytest
from onnx_models import TINY, WORDS, classified, write_model

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.cross_encoder import local_cross_encoder
from chunkscope.embedding.protocol import CrossEncoder
from chunkscope.errors import InputError

TEXTS = ["the tug left at dawn", "", "fog", "the tug left at dawn", "ships wait for the tide"]


def pair(question: str, text: str) -> tuple[np.ndarray, np.ndarray]:
    asked, answer = question.split(), text.split()
    words = ["[CLS]", *asked, "[SEP]", *answer, "[SEP]"]
    types = [0] * (len(asked) + 2) + [1] * (len(answer) + 1)
    return np.array([WORDS.index(word) for word in words]), np.array(types)


@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_those_of_the_weights(tmp_path: Path, labels: int):
    weights = write_model(tmp_path / "tiny", labels=labels)
    encoder = local_cross_encoder(str(tmp_path / "tiny"))
    assert isinstance(encoder, CrossEncoder)
    assert (encoder.name, encoder.context_limit, len(encoder.revision)) == ("tiny", 16, 16)
    found = encoder.score("fog bell", TEXTS)
    assert found.dtype == np.float64
    assert found.shape == (5,)
    for score, text in zip(found, TEXTS, strict=True):
        given = classified(weights, TINY, *pair("fog bell", text))
        assert score == pytest.approx(given[0] if labels == 1 else given[1] - given[0], abs=1e-5)
    assert found[0] == found[3]
    assert encoder.score("fog bell", []).shape == (0,)


def test_the_longer_of_the_two_is_cut(tmp_path: Path):
    weights = write_model(tmp_path / "tiny", labels=1, limit=8)
    encoder = local_cross_encoder(str(tmp_path / "tiny"))
    found = encoder.score("fog bell", ["the tug left at dawn the tug left"])
    given = classified(weights, TINY, *pair("fog bell", "the tug left"))
    assert found[0] == pytest.approx(given[0], abs=1e-5)


def test_other_models_are_refused(tmp_path: Path):
    write_model(tmp_path / "many", labels=3)
    with pytest.raises(InputError, match="gives 3 numbers for a question and a text"):
        local_cross_encoder(str(tmp_path / "many")).score("fog", ["bell"])
    write_model(tmp_path / "vectors")
    with pytest.raises(InputError, match="it has no output with a score or vector a text"):
        local_cross_encoder(str(tmp_path / "vectors")).score("fog", ["bell"])


def test_work_is_called_off_between_batches(tmp_path: Path):
    write_model(tmp_path / "tiny", labels=1)
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        local_cross_encoder(str(tmp_path / "tiny")).score("fog", ["bell"], token)
