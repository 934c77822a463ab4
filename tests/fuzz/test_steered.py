"""What the bytes of a fuzzer mean; atheris itself is not needed for this."""

from pathlib import Path

import pytest
from format_files import paragraph, pdf
from fuzz_targets import BYTES, IMPORTED, SUFFIXES
from steered import CHOICES, SHAPES, Steered, file_of, seeds_of, steered

from chunkscope.text.loading.load import load_corpus

FILES = [pdf("Low at six."), b"a,b\n1,2\n", b'{"id": 1, "text": "x"}\n']
WORD = [paragraph("One").encode()]


def test_a_byte_is_a_choice_and_what_lacks_is_the_first():
    chance = Steered(bytes([1, 4, 128, 1, 2]))
    assert [chance.choice("abc"), chance.choice("abc"), chance.random()] == ["b", "b", 0.5]
    assert chance.randrange(100, 1000) == 100 + 258
    assert [chance.choice("abc"), chance.random(), chance.randrange(3, 9)] == ["a", 0.0, 3]


def test_the_rest_is_the_input():
    chance, made = steered(bytes([2]) + bytes(CHOICES - 1) + b"input")
    assert (chance.choice("abc"), made) == ("c", b"input")
    chance, made = file_of(bytes([0, 2]) + bytes(CHOICES - 2) + b"input")
    assert (chance.choice("abc"), made) == ("c", b"input")
    assert file_of(b"")[1] == b""


@pytest.mark.parametrize(
    ("shape", "content", "text"),
    [
        (0, b"plain", "plain"),
        (1, b"<w:p><w:r><w:t>of Word</w:t></w:r></w:p>", "of Word"),
        (2, b"<styles/>", "One"),
        (4, b"BT /F1 12 Tf 50 800 Td (of a page) Tj ET", "of a page"),
        (5, "é".encode(), "é"),
    ],
)
def test_a_shape_is_a_file_that_can_be_read(tmp_path: Path, shape, content, text):
    _, made = file_of(bytes([shape]).ljust(CHOICES, b"\0") + content)
    (tmp_path / "d.txt").write_bytes(made)
    (document,) = load_corpus([tmp_path]).documents
    assert document.text == text
    assert shape < len(SHAPES)


def test_every_seed_is_tried_under_every_ending():
    seeds = seeds_of("loading", FILES, {1: WORD})
    assert len(seeds) == len(FILES) * len(SUFFIXES) + len(WORD)
    endings = [file_of(seed)[0].choice(SUFFIXES) for seed in seeds[: len(SUFFIXES)]]
    assert endings == list(SUFFIXES)
    assert {file_of(seed)[1] for seed in seeds[: len(SUFFIXES)]} == {FILES[0]}
    asked = seeds_of("importing", FILES, {})
    assert [steered(seed)[0].choice(IMPORTED) for seed in asked[:5]] == list(IMPORTED)
    assert seeds_of("golden", [b"x"], {}) == [bytes(CHOICES) + b"x"]
    for seed in seeds:
        chance, made = file_of(seed)
        BYTES["loading"](made, chance)
