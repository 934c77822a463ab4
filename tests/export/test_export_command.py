import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from batch import needs

from chunkscope.cli import export as command
from chunkscope.cli.main import main
from chunkscope.export.targets import target_names

TEXT = "The tug left at dawn. It came back at dusk.\r\n\r\nNobody asked why.\n" * 4


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harbour.txt").write_bytes(TEXT.encode())
    return "harbour.txt"


SETTINGS = ["--size", "30", "--overlap", "8", "--unit", "characters"]


@pytest.mark.parametrize("target", target_names())
def test_what_is_printed_is_proven_and_says_so(target, document, capsys):
    if target not in ("toml", "json"):
        needs(target)
    assert main(["export", "--to", target, *SETTINGS, "--verify", document]) == 0
    printed = capsys.readouterr()
    assert "verified on 1 document, 12 chunks: identical" in printed.err
    assert "proven to cut the same, 1 document, 12 chunks" in printed.out


def test_a_wrong_chunk_is_exit_1_with_document_and_index(document, capsys, monkeypatch):
    right = command.export

    def wrong(*arguments, **named):
        return right(*arguments, **named).replace("chunk_size=30", "chunk_size=20")

    monkeypatch.setattr(command, "export", wrong)
    given = ["export", "--to", "langchain", *SETTINGS, "--format", "json", "--verify", document]
    assert main(given) == 1
    printed = capsys.readouterr()
    said = json.loads(printed.out)
    assert said["verified"]["identical"] is False
    first = said["verified"]["mismatches"][0]
    assert first["doc"] == "harbour.txt"
    assert f"harbour.txt: chunk {first['index']} differs: expected " in printed.err
    assert "proven" not in said["text"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--to", "haystack", "--splitter", "sentence"], "haystack has no splitter that cuts as"),
        (["--to", "autorag"], "autorag counts characters in LangChain's splitters, not tokens"),
        (["--to", "weaviate"], "'weaviate' is not known; give one of langchain, llama-index"),
    ],
)
def test_a_refused_target_is_exit_2_with_one_line(given, said, document, capsys):
    assert main(["export", *given, "--verify", document]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = [line for line in printed.err.split("\n") if line]
    assert line.startswith("chunkscope: target: ")
    assert said in line


@pytest.mark.skipif(find_spec("autorag") is not None, reason="AutoRAG is installed")
def test_autorag_is_named_where_it_is_missing(document, capsys):
    assert main(["export", "--to", "autorag", *SETTINGS, "--verify", document]) == 2
    assert "needs the package AutoRAG, which is not installed; pip install AutoRAG" in (
        capsys.readouterr().err
    )


def test_a_missing_package_is_exit_2_with_the_pip_command(document, capsys, monkeypatch):
    def without(*_arguments, **_named):
        return "import no_such_package_of_ours\n"

    monkeypatch.setattr(command, "export", without)
    assert main(["export", "--to", "llama-index", *SETTINGS, "--verify", document]) == 2
    printed = capsys.readouterr()
    assert "pip install no_such_package_of_ours" in printed.err
    assert printed.out == ""
