"""Places judged against a twin text in which every letter shows where it stands."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "alignment.py"


@pytest.fixture(scope="module")
def alignment() -> ModuleType:
    spec = importlib.util.spec_from_file_location("alignment_benchmark", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_twin_has_the_same_shape_and_no_letter_twice(alignment: ModuleType) -> None:
    text = "# One one\nOne, two; one.\n\n日 one"
    plain, twin = alignment.twins(text)
    assert len(plain) == len(twin) == len(text)
    for kind, other, character in zip(plain, twin, text, strict=True):
        assert (kind == character) == (not character.isalnum())
        assert len(kind.encode()) == len(other.encode())
    # What was repeated is; headings stay as they are in both.
    assert plain[2:5] == plain[10:13]
    assert plain[6:9] == plain[-3:]
    assert plain[:9] == twin[:9]
    letters = [one for one in twin[9:] if one.isalnum()]
    assert len(set(letters)) == len(letters) == 13


def test_what_is_wrong_is_seen(alignment: ModuleType) -> None:
    """A splitter that leaves out the first of two equal words, and says where it stood."""

    class Chunk:
        def __init__(self, text: str, start: int) -> None:
            self.text, self.start_index, self.end_index = text, start, start + len(text)

    def second_of_two(text: str) -> list[object]:
        middle = len(text) // 2
        return [text[middle:].strip()]

    assert alignment.judge("lamp. lamp.", second_of_two).ambiguous == 1

    def lying(text: str) -> list[object]:
        # Each half says that it is the other; where both read the same, nobody could tell.
        middle = len(text) // 2
        return [Chunk(text[middle:], 0), Chunk(text[:middle], middle)]

    assert alignment.judge("lamp.lamp.", lying).wrong == 2


@pytest.mark.parametrize("library", ["LangChain", "chonkie", "llama-index"])
def test_nothing_is_placed_wrongly(
    library: str, alignment: ModuleType, shared_data: Callable[[str], Path]
) -> None:
    module, splitters = alignment.LIBRARIES[library]
    pytest.importorskip(module, reason=f"{library} is not installed")
    texts = []
    for name, files, most in (
        ("techdocs_md", 2, 12_000),
        ("toy_policy", 1, 6_000),
        ("xquad_de", 1, 6_000),
        ("jaquad", 1, 6_000),
        ("chroma", 1, 12_000),
    ):
        for path in sorted((shared_data(name) / "docs").iterdir())[:files]:
            text = path.read_bytes().decode()[:most]
            texts += [text, alignment.repeating(text[:2_000])]
    total = alignment.Tally()
    for _, split in splitters():
        for text in texts:
            tally = alignment.judge(text, split)
            assert tally.wrong == 0
            assert tally.unplaced == 0
            total = total.plus(tally)
    placed = total.exact + total.altered
    assert placed > 1_000
    assert 20 * total.ambiguous < placed
