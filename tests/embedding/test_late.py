"""Late chunking against the mean of token vectors, taken one by one; what is kept on disk."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx_models import TINY, WORDS, forward, write_model

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding import late
from chunkscope.embedding.late import LateTexts, check_late_model
from chunkscope.embedding.late_cache import LateCache, default_late_folder, held_texts
from chunkscope.embedding.late_reading import windows_of
from chunkscope.embedding.transformer import TransformerEmbedder, local_embedder
from chunkscope.errors import InputError

SHORT = "the tug left at dawn"
LONG = "the tug left at dawn. ships wait for the tide, fog bell rings. " * 4


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = default_late_folder()
    if tmp_path not in folder.parents:
        pytest.skip("this system's cache folder is not set by XDG_CACHE_HOME")
    return folder


@pytest.fixture
def model(tmp_path: Path) -> TransformerEmbedder:
    write_model(tmp_path / "tiny")
    return local_embedder(str(tmp_path / "tiny"))


def int_array(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def words_of(text: str) -> list[tuple[str, int, int]]:
    """Words and marks of a text with their places, one token each."""
    found, place = [], 0
    for piece in text.replace(".", " . ").replace(",", " , ").split():
        start = text.index(piece, place)
        place = start + len(piece)
        found.append((piece, start, place))
    return found


def token_vectors(weights: object, text: str, width: int) -> np.ndarray:
    """Every token's vector by the stated rule, one window and one token at a time."""
    words = words_of(text)
    ids = np.array([WORDS.index(word) for word, _, _ in words])
    count = len(ids)
    if count <= width:
        starts = [0]
    else:
        starts = [*range(0, count - width, width - width // 4), count - width]
    read = {}
    for start in starts:
        whole = np.concatenate([[2], ids[start : start + width], [3]])
        read[start] = forward(weights, TINY, whole, np.zeros_like(whole))[1:-1]
    rows = []
    for token in range(count):
        best, chosen = -1, -1
        for start in starts:
            if start <= token < start + width:
                left = token - start if start > 0 else count
                right = start + width - 1 - token if start + width < count else count
                if min(left, right) > best:
                    best, chosen = min(left, right), start
        rows.append(read[chosen][token - chosen])
    return np.array(rows)


def test_a_document_of_one_window_is_pooled_by_hand(tmp_path: Path):
    weights = write_model(tmp_path / "tiny")
    texts = LateTexts(local_embedder(str(tmp_path / "tiny")), [SHORT])
    ids = np.array([WORDS.index(word) for word in ["[CLS]", *SHORT.split(), "[SEP]"]])
    rows = forward(weights, TINY, ids, np.zeros_like(ids))[1:-1]
    spans = [(0, 20), (0, 3), (4, 12), (5, 6), (0, 0), (3, 4), (6, 9)]
    tokens = [[0, 1, 2, 3, 4], [0], [1, 2], [1], [], [], [1, 2]]
    starts, ends = (int_array(*column) for column in zip(*spans, strict=True))
    found = texts.vectors(np.zeros(7, np.int64), starts, ends)
    assert found.dtype == np.float64
    for row, held in zip(found, tokens, strict=True):
        mean = rows[held].mean(axis=0) if held else np.zeros(32)
        assert np.abs(row - mean).max() < 2e-3  # float16 holds eleven bits


def test_spans_of_a_long_document_are_means_by_the_stated_rule(tmp_path: Path):
    weights = write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    texts = LateTexts(embedder, ["", LONG, SHORT, LONG])
    rows = token_vectors(weights, LONG, 14)
    assert len(rows) == 64
    halves = rows.astype(np.float16).astype(np.float64)
    words = words_of(LONG)
    made = np.random.default_rng(5)
    starts = made.integers(0, len(LONG), 200)
    ends = np.minimum(starts + made.integers(0, 150, 200), len(LONG))
    documents = np.where(made.random(200) < 0.5, 1, 3)
    found = texts.vectors(documents, starts, ends)
    sums = texts.sums(documents, starts, ends)
    for row, total, start, end in zip(found, sums, starts.tolist(), ends.tolist(), strict=True):
        held = [n for n, (_, low, high) in enumerate(words) if low < end and high > start]
        held = held if start < end else []
        mean = halves[held].mean(axis=0) if held else np.zeros(32)
        assert np.abs(row - mean).max() < 2e-3
        assert np.abs(total - row * len(held)).max() < 1e-12
    assert not texts.vectors(int_array(0), int_array(0), int_array(0)).any()


def test_a_span_is_the_very_mean_of_what_is_kept(model: TransformerEmbedder, cache: Path):
    texts = LateTexts(model, [LONG])
    (file,) = cache.glob("*/*.npy")
    kept = np.load(file).astype(np.float64)
    assert kept.shape == (64, 32)
    words = words_of(LONG)
    for first, last in ((0, 64), (3, 5), (7, 61), (63, 64)):
        start, end = words[first][1], words[last - 1][2]
        found = texts.sums(int_array(0), int_array(start), int_array(end))[0]
        assert (found == kept[first:last].sum(axis=0)).all()


def test_the_second_time_nothing_is_read_and_all_is_the_same(
    model: TransformerEmbedder, cache: Path, monkeypatch: pytest.MonkeyPatch
):
    steps: list[tuple[int, int]] = []
    spans = (int_array(0, 1, 0), int_array(0, 3, 40), int_array(90, 15, 200))
    first = LateTexts(model, [LONG, SHORT], progress=lambda *step: steps.append(step))
    assert steps[-1] == (69, 69)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    expected = first.vectors(*spans)
    held = held_texts(cache)
    assert [(one.name, one.revision, one.texts) for one in held] == [("tiny", model.revision, 2)]
    assert held[0].size == (64 + 5) * 32 * 2 + 2 * (128 + 4)
    monkeypatch.setattr(model.engine, "token_vectors", None)
    steps.clear()
    again = LateTexts(model, [LONG, SHORT], progress=lambda *step: steps.append(step))
    assert steps == []
    assert (again.vectors(*spans) == expected).all()


def test_vectors_beyond_the_memory_are_read_from_their_files(
    model: TransformerEmbedder, monkeypatch: pytest.MonkeyPatch
):
    spans = (int_array(0, 1, 0), int_array(0, 3, 40), int_array(90, 15, 200))
    held = LateTexts(model, [LONG, SHORT]).vectors(*spans)
    monkeypatch.setattr(late, "_HELD_BYTES", 0)
    monkeypatch.setattr(late, "TABLE_BYTES", 0x200)
    read = LateTexts(model, [LONG, SHORT])
    assert (read.vectors(*spans) == held).all()
    for path in default_late_folder().glob("*/*.npy"):
        path.unlink()
    with pytest.raises(InputError, match="was removed or changed while it was in use"):
        read.vectors(*spans)


@pytest.mark.parametrize(
    "damage", ["cut", "cut numbers", "longer", "flipped", "no array", "empty", "shape"]
)
def test_a_damaged_file_is_made_anew(model: TransformerEmbedder, cache: Path, damage: str):
    spans = (int_array(0), int_array(0), int_array(90))
    expected = LateTexts(model, [LONG]).vectors(*spans)
    (file,) = cache.glob("*/*.npy")
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = bytes([whole[middle] ^ 1])
    file.write_bytes(
        {
            "cut": whole[:-1],
            "cut numbers": whole[:middle],
            "longer": whole + b"x",
            "flipped": whole[:middle] + flipped + whole[middle + 1 :],
            "no array": b"no array",
            "empty": b"",
            "shape": whole.replace(b"(64, 32)", b"(32, 64)"),
        }[damage]
    )
    assert file.read_bytes() != whole
    assert (LateTexts(model, [LONG]).vectors(*spans) == expected).all()
    assert file.read_bytes() == whole


def test_work_that_is_called_off_leaves_nothing_half(model: TransformerEmbedder, cache: Path):
    token = CancelToken()
    with pytest.raises(CancelledError):
        LateTexts(model, [LONG * 80], token, lambda _done, _total: token.cancel())
    assert [path.name for path in cache.glob("*/*")] == []


def test_a_killed_process_leaves_nothing_that_counts(
    model: TransformerEmbedder, tmp_path: Path, cache: Path
):
    code = (
        "import os, signal, sys\n"
        "from chunkscope.embedding.late import LateTexts\n"
        "from chunkscope.embedding.transformer import local_embedder\n"
        "def kill(done, total):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "LateTexts(local_embedder(sys.argv[1]), [sys.argv[2]], None, kill)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "tiny"), LONG * 80],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}, check=False, timeout=120,
    )  # fmt: skip
    assert run.returncode == -signal.SIGKILL
    assert [path.suffix for path in cache.glob("*/*")] == [".part"]
    assert held_texts(cache) == []
    found = LateTexts(model, [LONG * 80]).vectors(int_array(0), int_array(0), int_array(90))
    assert found.any()
    assert [one.texts for one in held_texts(cache)] == [1]


def test_a_folder_that_cannot_be_written_is_named(model: TransformerEmbedder, cache: Path):
    cache.parent.mkdir(parents=True)
    cache.write_text("a file")
    with pytest.raises(InputError, match=r"cannot be written .*; make room, or point XDG_CACHE"):
        LateTexts(model, [SHORT])


def test_another_model_of_one_name_has_files_of_its_own(tmp_path: Path, cache: Path):
    write_model(tmp_path / "one" / "tiny", seed=1)
    write_model(tmp_path / "two" / "tiny", seed=2)
    spans = (int_array(0), int_array(0), int_array(20))
    found = [
        LateTexts(local_embedder(str(tmp_path / part / "tiny")), [SHORT]).vectors(*spans)
        for part in ("one", "two")
    ]
    assert np.abs(found[0] - found[1]).max() > 0.01
    assert len(held_texts(cache)) == 2


def test_the_prompt_for_documents_stands_before_every_window(tmp_path: Path):
    weights = write_model(tmp_path / "tiny", prompts={"document": "passage : "})
    texts = LateTexts(local_embedder(str(tmp_path / "tiny")), [SHORT])
    words = ["[CLS]", "passage", ":", *SHORT.split(), "[SEP]"]
    ids = np.array([WORDS.index(word) for word in words])
    rows = forward(weights, TINY, ids, np.zeros_like(ids))[3:-1]
    found = texts.vectors(int_array(0), int_array(0), int_array(20))
    assert np.abs(found[0] - rows.mean(axis=0)).max() < 2e-3


def test_models_that_are_no_means_are_refused(tmp_path: Path):
    write_model(tmp_path / "tiny", pooling="cls")
    with pytest.raises(InputError, match="does not pool by the mean of its tokens"):
        check_late_model(str(tmp_path / "tiny"))
    with pytest.raises(InputError, match="does not pool by the mean of its tokens"):
        LateTexts(local_embedder(str(tmp_path / "tiny")), [SHORT])
    write_model(tmp_path / "narrow", limit=4)
    with pytest.raises(InputError, match="its context limit of 4 tokens holds 2 around a text"):
        LateTexts(local_embedder(str(tmp_path / "narrow")), [SHORT])


@given(st.integers(0, 400), st.integers(4, 60))
def test_every_token_has_one_window_and_room_on_both_sides(tokens: int, width: int):
    windows = windows_of(tokens, width)
    assert [n for one in windows for n in range(one.first, one.last)] == list(range(tokens))
    for one in windows:
        assert one.start <= one.first < one.last <= one.end
        assert one.end - one.start == min(width, tokens)
        for token in (one.first, one.last - 1):
            left = token - one.start if one.start else width
            right = one.end - 1 - token if one.end < tokens else width
            # Half of what neighbours share, but for the middle token of an odd share.
            assert min(left, right) >= width // 4 // 2 - (width // 4 % 2 == 0)


def test_minilm_reads_a_long_document(minilm: Path, cache: Path):
    embedder = local_embedder(str(minilm))
    text = "The pilot boards the tanker off the outer light. " * 40
    texts = LateTexts(embedder, [text])
    whole = texts.vectors(int_array(0), int_array(0), int_array(len(text)))[0]
    file = LateCache(cache, embedder.name, embedder.revision, "quarter-1-254").path(text)
    kept = np.load(file)
    assert kept.shape == (40 * 10, 384)
    assert np.abs(whole - kept.astype(np.float64).mean(axis=0)).max() < 1e-12
    asked = embedder.embed_questions(["Where does the pilot come aboard?", "How is rice cooked?"])
    near = asked @ (whole / np.linalg.norm(whole))
    assert near[0] > near[1] + 0.2
