"""Tokenizer files of Hugging Face as length units."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from covering import assert_covers, assert_in_order
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import cut, texts

from chunkscope.cli.main import main
from chunkscope.errors import InputError
from chunkscope.splitting.registry import check_settings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.hf_tokens import FileTokenCounter, pinned_encoding
from chunkscope.text.tokens import get_token_counter

tokenizers = pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")

SAMPLE = [
    "The harbour master signs the berth plan at noon, and the tug leaves at two.",
    "Low water is at six; the pilots stay ashore. Grüße aus dem Hafen, 港口很安静。",
] * 4


@pytest.fixture(scope="session")
def word_pieces(tmp_path_factory: pytest.TempPathFactory) -> str:
    """As BERT's: lower case, no accents, two tokens put around a text, 16 read."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from tokenizers.trainers import WordPieceTrainer

    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    special = ["[UNK]", "[CLS]", "[SEP]"]
    made.train_from_iterator(
        SAMPLE, WordPieceTrainer(vocab_size=160, special_tokens=special, show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    made.enable_truncation(16)
    made.enable_padding(length=16)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return str(path)


@pytest.fixture(scope="session")
def byte_pairs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """As GPT-2's: bytes, so that a character may be several tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(
        SAMPLE,
        BpeTrainer(
            vocab_size=300,
            special_tokens=["<|endoftext|>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    path = tmp_path_factory.mktemp("tokenizer") / "Tokenizer.JSON"
    made.save(str(path))
    return str(path)


def test_counts_leave_out_what_is_put_around_cut_off_and_filled_up(word_pieces: str) -> None:
    counter = get_token_counter(word_pieces)
    assert isinstance(counter, FileTokenCounter)
    assert (counter.limit, counter.around) == (16, 2)
    one = counter.count_one(SAMPLE[0])
    assert one > 16
    assert counter.count(["", SAMPLE[0], "harbour", "a\ud800b"]) == [
        0,
        one,
        1,
        counter.count_one("ab"),
    ]
    # Text that reads like a special token is text: three characters and two brackets.
    assert counter.count_one("[CLS]") >= 3


def test_special_text_is_plain_text(byte_pairs: str) -> None:
    counter = get_token_counter(byte_pairs)
    assert counter.count_one("<|endoftext|>") > 1
    assert counter.token_spans("<|endoftext|>").decode(0, 12) == "<|endoftext|>"


@settings(max_examples=150)
@given(text=texts, size=st.integers(1, 9), data=st.data())
def test_windows_of_bytes_are_slices_that_cover_the_text(
    byte_pairs: str, text: str, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    wanted = SplitterSettings(kind="token", encoding=byte_pairs, size=size, overlap=overlap)
    cuts = cut(text, wanted)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)
    counter = get_token_counter(byte_pairs)
    spans = counter.token_spans(text)
    assert len(spans) == counter.count_one(text)
    step = size - overlap
    first = range(0, max(1, len(spans) - overlap), step) if text else ()
    starts = [int(spans.starts[number]) for number in first]
    assert cuts.starts.tolist() == starts


@settings(max_examples=150)
@given(text=texts, size=st.integers(1, 9))
def test_words_in_lower_case_stand_where_they_do(word_pieces: str, text: str, size: int) -> None:
    wanted = SplitterSettings(kind="token", encoding=word_pieces, size=size, overlap=0)
    cuts = cut(text, wanted)
    assert cuts.altered == {}
    assert cuts.starts.tolist() == sorted(cuts.starts.tolist())
    # Without overlap and with characters never cut, no letter is in two chunks or in none.
    held = "".join(cuts.texts(text))
    assert [one for one in held if one.isalnum()] == [one for one in text if one.isalnum()]


def test_decoded_windows_as_langchain_makes_them(word_pieces: str) -> None:
    from langchain_text_splitters.base import Tokenizer as Windows
    from langchain_text_splitters.base import split_text_on_tokens

    model = tokenizers.Tokenizer.from_file(word_pieces)
    model.no_truncation()
    model.no_padding()
    text = SAMPLE[0] + "\n\n" + SAMPLE[1]
    wanted = SplitterSettings(kind="sentence-transformers", encoding=word_pieces, size=9, overlap=3)
    cuts = cut(text, wanted)
    assert cuts.texts(text) == split_text_on_tokens(
        text=text,
        tokenizer=Windows(
            chunk_overlap=3,
            tokens_per_chunk=9,
            decode=lambda ids: model.decode(ids, skip_special_tokens=False),
            encode=lambda text: model.encode(text).ids[1:-1],
        ),
    )
    assert cuts.altered
    slices = [
        text[start:end] for start, end in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
    ]
    assert slices == cut(text, replace(wanted, kind="token")).texts(text)
    assert text.startswith(slices[0])


def test_sizes_are_held_in_every_splitter(word_pieces: str) -> None:
    text = "\n\n".join(SAMPLE)
    count = get_token_counter(word_pieces).count
    for kind in ("recursive", "sentence", "markdown"):
        wanted = SplitterSettings(kind=kind, encoding=word_pieces, size=12, overlap=0)
        found = cut(text, wanted).texts(text)
        assert max(count(found)) <= 12
        assert len(found) > len(SAMPLE)


def test_more_than_the_model_reads_is_said(word_pieces: str, byte_pairs: str) -> None:
    wanted = SplitterSettings(kind="token", encoding=word_pieces, size=15, overlap=0)
    said = (
        "size: 15 tokens and the 2 put around a text are more than the 16 that the tokenizer "
        "leaves its model to read; the rest is not embedded"
    )
    assert check_settings(wanted) == [said]
    assert check_settings(replace(wanted, size=14)) == []
    assert check_settings(replace(wanted, encoding=byte_pairs)) == []
    assert check_settings(replace(wanted, kind="words")) == []
    assert check_settings(replace(wanted, kind="sentence-transformers")) == [
        "splitter: chunks are decoded tokens, and altered where that is not the text",
        said,
    ]
    with pytest.raises(InputError, match=r"'cl100k_base' is no tokenizer of a model"):
        check_settings(SplitterSettings(kind="sentence-transformers"))


def test_the_file_is_known_by_its_content(word_pieces: str, tmp_path: Path) -> None:
    pinned = pinned_encoding(word_pieces)
    assert pinned.startswith(f"{word_pieces}#")
    assert len(pinned) == len(word_pieces) + 17
    assert pinned_encoding(pinned) == pinned
    assert pinned_encoding("cl100k_base") == "cl100k_base"
    assert get_token_counter(pinned).count_one("harbour") == 1
    moved = tmp_path / "tokenizer.json"
    moved.write_bytes(Path(word_pieces).read_bytes() + b"\n")
    with pytest.raises(InputError, match=r"has the hash \w{16}, not \w{16}: it is another"):
        get_token_counter(f"{moved}#{pinned[-16:]}")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read \(No such file"):
        get_token_counter(str(tmp_path / "missing.json"))
    with pytest.raises(InputError, match=r"cannot be read"):
        pinned_encoding("nul\0.json")
    broken = tmp_path / "a\x1b.json"
    broken.write_text('{"model": 3}')
    with pytest.raises(InputError, match=r"a␛\.json is no tokenizer file: ") as caught:
        get_token_counter(str(broken))
    assert "\n" not in str(caught.value)


def test_command_line(word_pieces: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("\n".join(SAMPLE[:2]))
    flags = ["--encoding", word_pieces, "--size", "10", "--overlap", "0"]
    assert main(["chunks", str(tmp_path), *flags, "--format", "json"]) == 0
    chunks = json.loads(capsys.readouterr().out)
    assert max(chunk["tokens"] for chunk in chunks) <= 10
    assert chunks[0]["start"] == 0


def test_what_is_put_around_counts_where_that_is_asked_for(word_pieces: str) -> None:
    plain, counter = get_token_counter(word_pieces), get_token_counter(f"{word_pieces}+specials")
    sample = ["", "harbour", SAMPLE[0], "a\ud800b"]
    assert counter.count(sample) == [length + 2 for length in plain.count(sample)]
    pinned = pinned_encoding(f"{word_pieces}+specials")
    assert pinned == f"{word_pieces}+specials{pinned_encoding(word_pieces)[-17:]}"
    assert get_token_counter(pinned).count_one("harbour") == 3
    with pytest.raises(InputError, match=r"cannot be read \(No such file"):
        get_token_counter("missing.json+specials")
    wanted = SplitterSettings(encoding=f"{word_pieces}+specials", size=17, overlap=0)
    said = (
        "size: 17 tokens are more than the 16 that the tokenizer leaves its model to read; the "
        "rest is not embedded"
    )
    assert said in check_settings(wanted)
    assert check_settings(replace(wanted, size=16)) == []


@settings(max_examples=150)
@given(
    text=texts,
    size=st.integers(4, 30),
    keep=st.sampled_from(["start", "end", "none"]),
    data=st.data(),
)
def test_cuts_as_langchain_with_a_length_that_counts_them(
    word_pieces: str, text: str, size: int, keep: str, data: st.DataObject
) -> None:
    from langchain_text_splitters import CharacterTextSplitter, RecursiveCharacterTextSplitter

    overlap = data.draw(st.integers(0, size - 1))
    kind = data.draw(st.sampled_from(["recursive", "character"]))
    separators = ("\n\n", "\n", ". ", " ", "") if kind == "recursive" else (" ",)
    wanted = SplitterSettings(
        kind=kind, encoding=f"{word_pieces}+specials", size=size, overlap=overlap,
        keep_separator=keep, separators=separators,
    )  # fmt: skip
    shared = {
        "chunk_size": size,
        "chunk_overlap": overlap,
        "length_function": get_token_counter(wanted.encoding).count_one,
        "keep_separator": False if keep == "none" else keep,
    }
    if kind == "recursive":
        splitter = RecursiveCharacterTextSplitter(separators=list(separators), **shared)
    else:
        splitter = CharacterTextSplitter(separator=separators[0], **shared)
    assert cut(text, wanted).texts(text) == splitter.split_text(text)


def test_an_export_counts_them_too(
    word_pieces: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join(SAMPLE), encoding="utf-8")
    flags = ["--encoding", f"{word_pieces}+specials", "--size", "14", "--overlap", "5"]
    assert main(["chunks", str(tmp_path), *flags, "--format", "json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert max(chunk["tokens"] for chunk in counted) <= 14
    assert main(["export", "--to", "langchain", *flags, "--verify", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "Tokens, with those that a model puts around a text." in said.out
    assert "add_special_tokens=True" in said.out
