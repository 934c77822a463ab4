import pytest

from chunkscope.cli.golden_detectable import detectable, said


@pytest.mark.parametrize("measured", [*range(60), 98, 400, 1000, 1001, 5000, 100_000])
def test_a_detectable_difference_is_never_over_1_and_shrinks(measured):
    found = detectable(measured)
    assert found.measured == measured
    if measured < 8:
        assert found.difference is None
        assert not found.enough_for(1.0)
    else:
        assert found.difference is not None
        # Six questions that differ are the fewest beyond chance.
        assert 6 / measured - 1e-9 <= found.difference <= 1
        assert found.enough_for(found.difference)
        assert not found.enough_for(found.difference - 1e-6)
    assert all(count > measured for count in found.questions_for.values())


def test_more_questions_detect_less():
    differences = [detectable(measured).difference for measured in (8, 20, 50, 100, 400, 4000)]
    assert differences == sorted(differences, reverse=True)  # type: ignore[type-var]
    assert differences[2] == pytest.approx(0.179, abs=1e-3)


@pytest.mark.parametrize("hoped", [1.0, 0.5, 0.3, 0.1, 0.05, 0.03, 0.02, 0.01])
def test_as_many_questions_as_are_needed_are_about_enough(hoped):
    needed = detectable(0, hoped).questions_for[hoped]
    found = detectable(needed)
    assert found.difference == pytest.approx(hoped, rel=0.35)
    assert needed >= 6 / hoped


def test_it_is_said_in_one_sentence():
    assert said(detectable(1)) == (
        "1 measured question is too few to tell configurations apart; questions needed: 162 for "
        "0.1, 645 for 0.05, 4,026 for 0.02"
    )
    assert said(detectable(7)).startswith("7 measured questions are too few to tell")
    assert said(detectable(400)) == (
        "0.063 in recall, if two configurations differ on 20% of the questions; questions needed: "
        "645 for 0.05, 4,026 for 0.02"
    )
    assert said(detectable(10_000)) == (
        "0.013 in recall, if two configurations differ on 20% of the questions"
    )
