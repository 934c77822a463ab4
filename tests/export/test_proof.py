import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError, MissingPackageError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export.proof import Mismatch, verify
from chunkscope.export.running import run_split
from chunkscope.export.targets import export
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

TEXTS = {
    "cjk.md": "田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。\n" * 9,
    "crlf.txt": 'The tug left at dawn.\r\n\r\nThe "pilot" stayed; it\'s late.\r\n' * 9,
    "empty.txt": "",
    "special.md": "The token <|endoftext|> ends a document. <|fim_prefix|> does not.\n\n" * 9,
    "surrogates.txt": "half \ud83d a pair, \ude00 the other, both \ud83d\ude00 apart. " * 9,
    "symbols.txt": 'path\\to\\it "quoted" \xa0 e\u0301 \U0001f468\u200d\U0001f469 \x1b[0m\x00 ' * 9,
    "twin.md": "田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。\nEnd.\n",
    "white.txt": " \n\t \n\n",
}
CORPUS = Corpus(tuple(Document(name, text) for name, text in sorted(TEXTS.items())))
SEPARATORS = ("\n\n", "\r\n", "\n", "。", '"', "\\", "\xa0", ". ", " ", "")

CONFIGURATIONS = {
    "tokens": SplitterSettings(size=20, overlap="25%", separators=SEPARATORS),
    "o200k, separators at the start": SplitterSettings(
        size=16, overlap=3, encoding="o200k_base", separators=SEPARATORS, keep_separator="start"
    ),
    "characters, separators dropped": SplitterSettings(
        size=30, overlap=7, unit="characters", separators=SEPARATORS, keep_separator="none"
    ),
    "words, not stripped": SplitterSettings(
        size=8, overlap=2, unit="words", separators=SEPARATORS, strip=False
    ),
    "patterns": SplitterSettings(
        size=40, overlap=9, unit="characters", separators=(r"[.。]\s*", r"\s+", ""), regex=True
    ),
    "character": SplitterSettings(
        kind="character", size=40, overlap=9, unit="characters", separators=('"',)
    ),
    "character, a pattern dropped": SplitterSettings(
        kind="character", size=9, overlap=2, separators=(r"[;.]\s*",), regex=True,
        keep_separator="none",
    ),
    "token": SplitterSettings(kind="token", size=11, overlap=3),
    "code": SplitterSettings(kind="code:markdown", size=14, overlap=3),
    "code, characters, not stripped": SplitterSettings(
        kind="code:latex", size=40, overlap=9, unit="characters", strip=False
    ),
    "window of words": SplitterSettings(kind="words", size=9, overlap=4, unit="words"),
    "repeats dropped": SplitterSettings(
        size=30, overlap=0, unit="characters", separators=SEPARATORS, dedupe=True
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_code_cuts_as_the_configuration_does(name):
    configuration = Configuration(CONFIGURATIONS[name], EnrichSettings(prefix="title"))
    index = CorpusIndex(CORPUS)
    assert verify(configuration, "langchain", CORPUS, index) == ()
    assert len(index.chunk_set(configuration.splitter, configuration.enrich)) >= 12


@pytest.mark.parametrize("target", ["toml", "json"])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_files_cut_as_the_configuration_does(name, target):
    configuration = Configuration(CONFIGURATIONS[name])
    assert verify(configuration, target, CORPUS, CorpusIndex(CORPUS)) == ()


def small() -> tuple[Configuration, Corpus]:
    configuration = Configuration(SplitterSettings(kind="words", size=2, overlap=0, unit="words"))
    return configuration, Corpus((Document("a", "one"), Document("b", "one two three four five")))


def test_a_wrong_export_is_found_by_document_and_index():
    configuration, corpus = small()
    code = export(configuration, "langchain").replace("SIZE = 2\nSTEP = 2", "SIZE = 3\nSTEP = 2")
    assert verify(configuration, "langchain", corpus, CorpusIndex(corpus), text=code) == (
        Mismatch("b", 0, "one two", "one two three"),
        Mismatch("b", 1, "three four", "three four five"),
        Mismatch("b", 2, "five", None),
    )


@pytest.mark.parametrize("target", ["toml", "json"])
def test_a_file_with_another_size_is_found(target):
    configuration, corpus = small()
    text = export(configuration, target)
    changed = text.replace("size = 2", "size = 9").replace('"size": 2', '"size": 9')
    assert changed != text
    assert verify(configuration, target, corpus, CorpusIndex(corpus), text=changed) == (
        Mismatch("b", 0, "one two", "one two three four five"),
        Mismatch("b", 1, "three four", None),
        Mismatch("b", 2, "five", None),
    )


def run(code: str, timeout: float = 60, cancel: CancelToken | None = None) -> list[list[str]]:
    return run_split(code, ["a b", "\ud83d\ude00"], encoding=None, timeout=timeout, cancel=cancel)


def test_the_code_runs_apart(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    code = """\
import os, sys
print("noise", flush=True)
os.system("echo noise")
def split(text):
    return [text, str(sys.flags.isolated), str("OPENAI_API_KEY" in os.environ),
            os.getcwd().split(os.sep)[-1][:11]]
"""
    said = ["1", "False", "chunkscope-"]
    assert run(code) == [["a b", *said], ["\ud83d\ude00", *said]]


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("import no_such_package_of_ours", MissingPackageError, "package no_such_package_of_ours,"),
        ("def split(text):\n    raise ValueError('too\x1b[31m odd')", InputError, "too␛[31m odd"),
        ("def other(text): ...", InputError, "has no attribute 'split'"),
        ("x = (", InputError, "SyntaxError"),
        ("import os\nos._exit(5)", InputError, "it said nothing"),
        ("def split(text):\n    return 3", InputError, "stopped with an error"),
        ("def split(text):\n    return [3]", InputError, "stopped with an error"),
        ("def split_all(texts):\n    return []", InputError, "something else"),
        ("import os\nos.close(0)\nsplit = list\nos._exit(0)", InputError, "something else"),
    ],
)
def test_code_that_cannot_be_proven_says_why(code, error, said):
    with pytest.raises(error) as caught:
        run(code)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


ENDLESS = "def split(text):\n    while True:\n        pass\n"


def test_code_that_does_not_end_is_stopped():
    with pytest.raises(InputError, match=r"ran longer than 0\.5 seconds"):
        run(ENDLESS, timeout=0.5)


def test_an_error_names_the_document_it_was_at():
    code = "def split(text):\n    return [text] if text == 'a' else 1 // 0\n"
    with pytest.raises(InputError, match=r"ZeroDivisionError: .* \(at document 'b\.md'\)$"):
        run_split(code, ["a", "b"], encoding=None, timeout=60, names=["a.md", "b.md"])


def test_texts_that_take_long_to_send_all_arrive(monkeypatch):
    # The code is looked after at once, before a pipe could have taken these texts in.
    monkeypatch.setattr("chunkscope.export.running._LOOK", 1e-3)
    texts = ["a" * 300_000, "b" * 300_000]
    code = "def split(text):\n    return [text[:2], str(len(text))]\n"
    assert run_split(code, texts, encoding=None, timeout=60) == [["aa", "300000"], ["bb", "300000"]]


def test_both_files_of_gpt2_come_from_tiktokens_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("chunkscope.export.running.vocabulary_bytes", lambda _encoding: b"bpe")
    code = """\
import os, pathlib
def split(text):
    folder = pathlib.Path(os.environ["TIKTOKEN_CACHE_DIR"])
    return [f"{file.name} {file.read_text()}" for file in sorted(folder.iterdir())]
"""
    second = "6c7ea1a7e38e3a7f062df639a5b80947f075ffe6"
    with pytest.raises(InputError, match=f"needs encoder.json .*{second}.; save https://openaip"):
        run_split(code, [""], encoding="gpt2", timeout=60)
    (tmp_path / second).write_text("names")
    assert run_split(code, [""], encoding="gpt2", timeout=60) == [
        [f"{second} names", "6d1cbeee0f20b3d9449abfede4726ed8212e3aee bpe"]
    ]


def test_libraries_are_told_to_stay_offline(monkeypatch):
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "true")
    names = ("HAYSTACK_TELEMETRY_ENABLED", "HF_HUB_OFFLINE", "DO_NOT_TRACK")
    code = f"import os\ndef split(text):\n    return [os.environ[name] for name in {names}]\n"
    assert run(code) == [["false", "1", "1"]] * 2


@pytest.mark.parametrize(
    ("module", "package"),
    [("llama_index.nothing", "llama-index-core"), ("haystack.nothing", "haystack-ai")],
)
def test_a_missing_package_is_named_as_pip_names_it(module, package):
    # Of another module of the same package the name is the same.
    code = f"raise ModuleNotFoundError(name={module!r})"
    with pytest.raises(MissingPackageError) as caught:
        run(code)
    assert str(caught.value) == (
        f"export: its code needs the package {package}, which is not installed; "
        f"pip install {package}"
    )


def test_a_proof_can_be_called_off():
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        run(ENDLESS, cancel=token)


def test_a_download_fails_at_once_and_is_said():
    code = """\
import urllib.request
def split(text):
    return [urllib.request.urlopen("https://example.com/").read().decode()]
"""
    with pytest.raises(InputError, match="Connection refused"):
        run(code)


def test_the_module_runs_by_itself(tmp_path):
    configuration, _ = small()
    module, document = tmp_path / "chunker.py", tmp_path / "b.txt"
    module.write_text(export(configuration, "langchain"))
    document.write_bytes(b"one\r\ntwo three")
    done = subprocess.run(
        [sys.executable, "-I", module, document], capture_output=True, check=True, text=True
    )
    assert done.stdout == '"one\\r\\ntwo"\n"three"\n'


def test_public_documents_are_cut_the_same(shared_data: Callable[[str], Path]):
    folder = shared_data("toy_policy") / "docs"
    corpus = Corpus(
        tuple(Document(file.name, file.read_bytes().decode()) for file in sorted(folder.iterdir()))
    )
    index = CorpusIndex(corpus)
    assert verify(Configuration(), "langchain", corpus, index) == ()
    assert len(index.chunk_set(SplitterSettings(), EnrichSettings())) > 1
