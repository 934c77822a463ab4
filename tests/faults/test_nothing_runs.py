"""No code runs from a document, a configuration, a golden set, a case or a session."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import chunkscope
from chunkscope.cli.main import main
from chunkscope.tui.remembered import recall
from chunkscope.tui.userkeys import read_user_keys

CODE = "import pathlib\npathlib.Path({ran!r}).write_text('ran')\n\n\nclass It:\n    pass\n"
HOSTILE = '=cmd|"/c calc"!A1 <script>x()</script> ${7*7} {{7*7}} `id` $(id) \x1b]0;x\x07 %n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder in which a module `evil` leaves a file once anybody imports it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("STATE", "CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    code = CODE.format(ran=str(tmp_path / "ran"))
    Path("evil.py").write_text(code)
    Path("docs").mkdir()
    Path("docs/evil.py").write_text(code)
    Path("docs/page.html").write_text(f"<html><script>{HOSTILE}</script><p>{HOSTILE}</p></html>")
    Path("docs/a.md").write_text(
        f"# {HOSTILE}\n\nThe tug leaves at dawn.\n\n```python\n{code}```\n"
    )
    cell = {"cell_type": "code", "source": code, "outputs": [], "metadata": {}}
    Path("docs/n.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    line = {"id": f"__import__('evil') {HOSTILE}", "question": f"When? {HOSTILE}", "doc": "a.md",
            "evidence": [{"text": "The tug leaves at dawn."}], "answer": "!!python/name:evil.It",
            "__reduce__": ["evil:It"], "py/object": "evil.It"}  # fmt: skip
    Path("golden.jsonl").write_text(f"{json.dumps(line)}\n")
    return tmp_path


def names_code(section: str, key: str) -> str:
    return f'[{section}]\n{key} = "evil:It"\n'


@pytest.mark.parametrize(
    "text",
    [
        names_code("splitter", "kind"),
        '[splitter]\nkind = "evil:It+recursive"\n',
        '[splitter]\nkind = "markdown+evil:It"\n',
        '[splitter]\nkind = "semantic"\nembedder = "evil:It"\n',
        names_code("retriever", "kind"),
        names_code("retriever", "rerank"),
        '[retriever]\nkind = "hybrid"\nfuse = ["evil:It", "bm25"]\n',
        names_code("retriever", "fuse"),
    ],
)
@pytest.mark.parametrize("command", ["eval", "chunks", "sweep", "export", "inspect"])
def test_a_configuration_that_names_code_is_refused(folder, capfd, text, command):
    Path("chunkscope.toml").write_text(text)
    arguments = {
        "eval": ["eval", "docs", "--golden", "golden.jsonl"],
        "chunks": ["chunks", "docs"],
        "sweep": ["sweep", "docs", "--golden", "golden.jsonl", "--sizes", "20"],
        "export": ["export", "--to", "langchain"],
        "inspect": ["docs", "--golden", "golden.jsonl"],
    }[command]
    assert main(arguments) == 2
    assert capfd.readouterr().err.splitlines()[-1].startswith("chunkscope: ")
    assert not (folder / "ran").exists()
    assert "evil" not in sys.modules


def test_no_document_and_no_golden_set_runs_code(folder, capfd):
    golden = ["docs", "--golden", "golden.jsonl"]
    for command in (
        ["chunks", "docs", "--format", "jsonl", "--extract", "html"],
        ["eval", *golden, "--save", "eval.json"],
        ["sweep", *golden, "--sizes", "20", "--overlaps", "0", "--save", "sweep.json"],
        ["health", "docs"],
        ["diagnose", *golden, "--k", "1", "--size", "3", "--save-cases", "cases"],
        ["check", *golden, "--min-recall", "1", "--junit", "junit.xml", "--summary", "sum.md"],
        ["report", *golden, "--out", "report.html", "--sizes", "20"],
        ["golden", "validate", *golden],
        ["golden", "stats", *golden],
        ["export", "--to", "langchain", "--verify", "docs"],
    ):
        assert main(command) in (0, 1), command
    said = "".join(capfd.readouterr())
    assert "Traceback" not in said
    assert "\x1b" not in said
    assert not (folder / "ran").exists()
    # The report and what CI reads carry the text as text.
    page = (folder / "report.html").read_text()
    assert "<script>x()" not in page
    assert "&lt;script&gt;x()" in page
    ElementTree.fromstring((folder / "junit.xml").read_bytes())
    assert "<script>" not in (folder / "sum.md").read_text()


def test_a_case_that_names_code_is_refused(folder, capfd):
    assert main(["diagnose", "docs", "--golden", "golden.jsonl", "--k", "1", "--size", "3",
                 "--unit", "words", "--save-cases", "cases"]) in (0, 1)  # fmt: skip
    case, *_ = Path("cases").glob("*.json")
    value = json.loads(case.read_bytes())
    value["a"]["config"]["splitter"]["kind"] = "evil:It"
    case.write_text(json.dumps(value))
    capfd.readouterr()
    assert main(["case", str(case), "--format", "json"]) == 2
    assert "evil:It" in capfd.readouterr().err
    assert not (folder / "ran").exists()


def test_a_session_and_a_file_of_keys_run_nothing(folder):
    mapping = {"splitter": {"kind": "evil:It"}}
    entry = {"a": mapping, "b": mapping, "document": "", "offset": 0, "question": "", "panel": "",
             "shown": "A", "theme": "x", "asked": ["__import__('evil')"]}  # fmt: skip
    Path("s.json").write_text(json.dumps({"version": 1, "sessions": {"k": entry}}))
    left = recall(Path("s.json"), "k")
    assert left is not None
    assert left.configurations() is None
    assert left.questions() == []
    Path("keys.toml").write_text('[keys]\nquit = "__import__(\'evil\')"\nevil = "x"\n')
    assert read_user_keys(Path("keys.toml"))[1] != ()
    assert not (folder / "ran").exists()


def test_modules_of_the_folder_one_works_in_are_not_imported(folder):
    """A folder of documents may hold a numpy.py: the command that is installed is not misled."""
    script = Path(sys.executable).with_name("chunkscope")
    if not script.exists():
        pytest.skip("the command is not installed beside this Python")
    for name in ("numpy", "rich", "random", "tomllib", "json", "tiktoken", "sitecustomize"):
        Path(f"{name}.py").write_text(CODE.format(ran=str(folder / "ran")))
    done = subprocess.run(
        [str(script), "eval", "docs", "--golden", "golden.jsonl", "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["golden"]["questions"] == 1
    assert not (folder / "ran").exists()


def calls_of(tree: ast.AST) -> set[str]:
    """Names and attributes that are called, as written."""
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


@pytest.fixture(scope="module")
def sources():
    """The package's modules, parsed, by name."""
    files = sorted(Path(chunkscope.__file__).parent.rglob("*.py"))
    return [(path.name, ast.parse(path.read_bytes())) for path in files]


def test_nothing_evaluates_text_or_unpickles(sources):
    banned = {"eval", "exec", "compile", "pickle.load", "pickle.loads", "marshal.loads",
              "yaml.load", "yaml.unsafe_load", "os.system", "os.popen", "shelve.open"}  # fmt: skip
    allowed = {
        # A splitter of one's own is loaded anew when its file changes: only one named by a flag.
        "reloading.py": {"compile", "exec"},
        # What the same process put into a temporary file that has no name.
        "kept.py": {"pickle.load"},
        "keptsets.py": {"pickle.loads"},
    }
    found = {
        name: called
        for name, tree in sources
        if (called := (calls_of(tree) & banned) - allowed.get(name, set()))
    }
    assert found == {}


def test_no_shell_is_asked(sources):
    found = [
        name
        for name, tree in sources
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "shell"
    ]
    assert found == []


def test_no_table_for_a_spreadsheet_is_written(sources):
    """A cell that begins with `=` is a formula there: whoever writes a CSV first has to guard."""
    writers = {"csv.writer", "csv.DictWriter", "writer", "DictWriter"}
    found = [name for name, tree in sources if calls_of(tree) & writers]
    assert found == []
