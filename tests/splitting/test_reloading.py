"""One's own splitter read again when its file has changed."""

import os
import sys
from pathlib import Path

import pytest

from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.reloading import reload_splitter, source_version
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

KIND = "own_cutter:split"
SETTINGS = SplitterSettings(kind=KIND, unit="characters")
TEXT = "one\ntwo three"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "own_cutter", raising=False)
    path = tmp_path / "own_cutter.py"
    path.write_text("def split(text):\n    return text.split('\\n')\n")
    return path


def pieces() -> list[str]:
    return get_splitter(KIND).prepare(TEXT, SETTINGS).cut(1, 0).texts(TEXT)


def rewrite(path: Path, body: str) -> None:
    """Another text of the file, of the same length or not, and as of the same second."""
    before = path.stat()
    path.write_text(body)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1000))


def test_a_changed_file_is_read_again(source: Path) -> None:
    assert source_version(KIND) is None
    assert pieces() == ["one", "two three"]
    known = source_version(KIND)
    assert known is not None
    assert (known.path, known.size) == (str(source), source.stat().st_size)
    assert reload_splitter(KIND, known) == known
    held = get_splitter(KIND).prepare(TEXT, SETTINGS)
    rewrite(source, "def split(text):\n    return text.split(' ' )\n")
    assert pieces() == ["one", "two three"]
    new = reload_splitter(f"markdown+{KIND}", known)
    assert new is not None
    assert new != known
    assert pieces() == ["one\ntwo", "three"]
    # What was held before is what it was.
    assert held.cut(1, 0).texts(TEXT) == ["one", "two three"]


def test_the_index_forgets_what_the_old_code_made(source: Path) -> None:
    index = CorpusIndex(Corpus((Document("a", TEXT),)))
    assert index.chunk_set(SETTINGS, EnrichSettings()).texts() == ["one", "two three"]
    known = source_version(KIND)
    rewrite(source, "def split(text):\n    return text.split(' ' )\n")
    assert reload_splitter(KIND, known) != known
    index.forget_splitter(KIND)
    assert index.chunk_set(SETTINGS, EnrichSettings()).texts() == ["one\ntwo", "three"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def split(text:\n", "importing it again failed: SyntaxError"),
        ("import no_such_package\n", "importing it again needs 'no_such_package'"),
        ("1 / 0\n", r"failed: ZeroDivisionError: division by zero \(.*own_cutter.py, line 1, in"),
    ],
)
def test_a_file_that_fails_leaves_the_one_before(source: Path, body: str, said: str) -> None:
    assert pieces() == ["one", "two three"]
    known = source_version(KIND)
    rewrite(source, body)
    with pytest.raises(InputError, match=said):
        reload_splitter(KIND, known)
    assert pieces() == ["one", "two three"]
    source.unlink()
    assert reload_splitter(KIND, known) == known


def test_kinds_without_a_file_of_ones_own() -> None:
    for kind in ("recursive", "code:python", "markdown+token", "no_such_module:split"):
        assert source_version(kind) is None
        assert reload_splitter(kind, None) is None
