"""Whatever stands in a case or a log: a value, or one clear error; never anything else."""

import copy
import json

import pytest
from evaluation_cases import make_corpus
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.evaluation.case import Case, make_case
from chunkscope.evaluation.casefile import case_from_json, case_to_json
from chunkscope.evaluation.casereplay import replay_case
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logfile import read_log
from chunkscope.evaluation.logoutcomes import log_outcomes
from chunkscope.evaluation.logplaces import place_log
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, Question
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings

TEXT = "The tug leaves at dawn.\n\nThe ferry leaves at noon.\n"
CORPUS = make_corpus(TEXT)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@pytest.fixture(scope="module")
def mapping():
    """A valid case as its file holds it."""
    settings = Configuration(
        SplitterSettings(size=30, overlap=0, unit="characters"), retriever=RetrieverSettings(k=(1,))
    )
    item = Evidence("The tug leaves at dawn.", 0, 23)
    asked = locate_question(Question("q", "When does the tug leave?", "d0", (item,)), CORPUS)
    run = evaluate(CorpusIndex(CORPUS), settings, (asked,))
    return json.loads(json.dumps(case_to_json(make_case("q", run, run))))


def places(value, path=()):
    """The place of every value inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, dict | list):
            yield from places(one, (*path, key))


def or_refusal(call):
    """What a call gives, or the message of its refusal."""
    try:
        return call()
    except InputError as error:
        return str(error)


@given(data=st.data())
def test_a_damaged_case_is_read_or_refused_in_one_line(mapping, data):
    changed = copy.deepcopy(mapping)
    place = data.draw(st.sampled_from(sorted(places(mapping), key=str)))
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    if isinstance(inner, dict) and data.draw(st.booleans()):
        del inner[place[-1]]
    else:
        inner[place[-1]] = data.draw(values)
    case = or_refusal(lambda: case_from_json(changed, "file"))
    if isinstance(case, str):
        assert case.startswith("file")
        assert "\n" not in case
        return
    assert isinstance(case, Case)
    assert case_from_json(json.loads(json.dumps(case_to_json(case))), "file") == case
    found = or_refusal(lambda: replay_case(case, CorpusIndex(CORPUS)))
    assert not isinstance(found, str) or "\n" not in found


lines = st.fixed_dictionaries(
    {"question": st.text(min_size=1, max_size=8),
     "retrieved": st.lists(st.sampled_from([TEXT[:23], TEXT[4:40], "nowhere", "e"])
                           | st.fixed_dictionaries({"doc": st.sampled_from(["d0", "x"]),
                                                    "start": st.integers(0, 60),
                                                    "end": st.integers(0, 80)}), max_size=4)},
    optional={"expected": st.sampled_from(["The tug leaves at dawn.", "dawn", [], ["nope"], ["e"]]),
              "ok": st.booleans(), "answer": st.text(max_size=3)},
)  # fmt: skip


@given(
    line=lines
    | st.dictionaries(st.sampled_from(["question", "retrieved", "ok", "expected"]), values)
)
def test_a_line_of_a_log_is_judged_or_refused_in_one_line(tmp_path_factory, line):
    file = tmp_path_factory.mktemp("log") / "log.jsonl"
    file.write_text(json.dumps(line))
    entries = or_refusal(lambda: read_log(file))
    if isinstance(entries, str):
        assert entries.startswith(f"{file}, line 1: ")
        assert "\n" not in entries
        return
    (outcome,) = log_outcomes(place_log(entries, CORPUS))
    assert (outcome.failure == "generation") <= (entries[0].ok is False)
    assert (outcome.failure == "none") == (entries[0].ok is True)
    if outcome.coverage is not None:
        assert 0 <= outcome.coverage <= 1
        assert (outcome.verdict == "hit") <= (outcome.coverage == 1)
