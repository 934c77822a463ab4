import hashlib
import io
import json
import os
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from format_files import docx, paragraph, pdf
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cli.main import main
from chunkscope.text.loading import docx as docx_module
from chunkscope.text.loading import formats
from chunkscope.text.loading.extractions import (
    ExtractionCache,
    HeldExtractions,
    default_extractions,
    default_extractions_path,
    extraction_key,
)
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Extracted, Reading
from chunkscope.text.origin import Origin, Part

TEXT = Extracted(
    "a\ud83db\0é",
    Origin("PDF", (Part("page 1", 0, 3),), ((0, 7),), ((1, "a", 0, 1),)),
    ("a note", "another"),
)


@pytest.fixture
def cache(tmp_path):
    return ExtractionCache(tmp_path / "kept" / "texts", now=lambda: 5000.0)


def key(data=b"data", extractor="pdf 1", **options):
    return extraction_key(data, extractor, options)


def test_what_is_kept_comes_back_whole(cache):
    assert cache.get(key()) is None
    cache.put(key(), TEXT)
    assert cache.get(key()) == TEXT
    plain = Extracted("text", None, ())
    cache.put(key(b"other"), plain)
    assert cache.get(key(b"other")) == plain
    assert cache.held().entries == 2
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in cache.folder.iterdir())


def test_the_key_names_content_extractor_and_options():
    keys = {
        key(), key(b"datb"), key(extractor="pdf 2"), key(join=True), key(join=False),
        key(b"", "pdf 1data"),
    }  # fmt: skip
    assert len(keys) == 6
    assert key(a=1, b=2) == key(b=2, a=1)


def test_what_a_password_opened_is_kept_nowhere(cache):
    cache.put(key(), replace(TEXT, secret=True))
    assert not cache.folder.exists()


@given(st.integers(0, 400), st.integers(0, 40), st.binary(max_size=8))
def test_a_damaged_entry_is_none(tmp_path_factory, place, dropped, added):
    cache = ExtractionCache(tmp_path_factory.mktemp("cache"))
    cache.put(key(), TEXT)
    (file,) = cache.folder.iterdir()
    data = file.read_bytes()
    changed = data[:place] + added + data[place + dropped :]
    file.write_bytes(changed)
    assert cache.get(key()) == (TEXT if changed == data else None)
    cache.put(key(), TEXT)
    assert cache.get(key()) == TEXT


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        "{}",
        '{"text": "a", "notes": 1, "origin": null}',
        '{"text": "a", "notes": [], "origin": {"format": 1}}',
    ],
)
def test_an_entry_of_another_form_is_none(cache, content):
    cache.put(key(), TEXT)
    (file,) = cache.folder.iterdir()
    mark = hashlib.sha256(content.encode()).hexdigest()
    file.write_text(f"{mark}\n{content}")
    assert cache.get(key()) is None


def test_a_write_that_is_broken_off_leaves_the_entry_before(cache, monkeypatch):
    cache.put(key(), TEXT)

    def full(_self, _target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        cache.put(key(), Extracted("other", None, ()))
        cache.put(key(b"new"), TEXT)
    assert cache.get(key()) == TEXT
    assert cache.get(key(b"new")) is None
    assert len(list(cache.folder.iterdir())) == 1


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    cache = ExtractionCache(tmp_path / "file" / "texts")
    cache.put(key(), TEXT)
    assert cache.get(key()) is None
    assert (cache.held(), cache.prune(0)) == (HeldExtractions(0, 0), 0)


def test_the_longest_unused_go_first_and_the_abandoned_with_them(cache):
    for number in range(4):
        cache.put(key(b"%d" % number), TEXT)
        file = cache.folder / f"{key(b'%d' % number)}.json"
        os.utime(file, (1000 + number, 1000 + number))
    assert cache.get(key(b"0")) == TEXT
    size = file.stat().st_size
    for name, changed in ((".new-left", 1000), (".new-young", 4000)):
        (cache.folder / name).write_bytes(b"x")
        os.utime(cache.folder / name, (changed, changed))
    assert cache.held() == HeldExtractions(4, 4 * size)
    assert cache.prune(4 * size) == 0
    assert sorted(file.name for file in cache.folder.glob(".new-*")) == [".new-young"]
    assert cache.prune(2 * size) == 2
    assert [cache.get(key(b"%d" % number)) is not None for number in range(4)] == [
        True, False, False, True,
    ]  # fmt: skip
    assert cache.prune(0) == 2


READS = """
import os, sys
from pathlib import Path
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import load_corpus
if sys.argv[3] == "killed":
    Path.replace = lambda *_: os._exit(9)
for _ in range(3):
    corpus = load_corpus([Path(sys.argv[1])], extractions=ExtractionCache(Path(sys.argv[2])))
print(sum(len(one.text) for one in corpus.documents))
"""


def test_processes_share_a_folder_and_may_be_killed(tmp_path, cache):
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(20):
        (docs / f"{number}.docx").write_bytes(docx(paragraph(f"tide {number:02}")))

    def start(how):
        return subprocess.Popen(
            [sys.executable, "-c", READS, str(docs), str(cache.folder), how],
            stdout=subprocess.PIPE,
        )

    killed = start("killed")
    assert (killed.communicate()[0], killed.returncode) == (b"", 9)
    assert cache.held().entries == 0
    assert [file.name[:5] for file in cache.folder.iterdir()] == [".new-"]
    running = [start("whole") for _ in range(3)]
    assert [one.communicate()[0].strip() for one in running] == [b"140"] * 3
    assert cache.held().entries == 20
    late = ExtractionCache(cache.folder, now=lambda: time.time() + 4000)
    assert late.prune(10**9) == 0
    assert not list(cache.folder.glob(".new-*"))


# --- reading through it --------------------------------------------------------------------------


def test_a_text_is_extracted_once_and_plain_text_is_not_kept(tmp_path, cache, monkeypatch):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.docx").write_bytes(docx(paragraph("Low\r\ntide") + paragraph("High")))
    (docs / "b.txt").write_text("plain")
    (docs / "c.html").write_text("<p>page")
    first = load_corpus([docs], reading=Reading(html=True), extractions=cache)
    assert cache.held().entries == 1
    monkeypatch.setattr(docx_module, "extract_docx", None)
    again = load_corpus([docs], reading=Reading(html=True), extractions=cache)
    assert again.documents == first.documents
    lf = load_corpus([docs], reading=Reading(newline="lf"), extractions=cache)
    assert lf.documents[0].text == "Low\ntide\n\nHigh"
    monkeypatch.undo()
    monkeypatch.setattr(formats, "_REVISION", 999)
    load_corpus([docs], extractions=cache)
    assert cache.held().entries == 2


def test_options_and_passwords(tmp_path, cache):
    pypdf = pytest.importorskip("pypdf")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.pdf").write_bytes(pdf("The mainte-\nnance"))
    kept = [load_corpus([docs], extractions=cache), load_corpus([docs], extractions=cache)]
    assert [one.documents[0].text for one in kept] == ["The mainte-\nnance"] * 2
    joined = load_corpus([docs], reading=Reading(join_hyphens=True), extractions=cache)
    assert joined.documents[0].text == "The maintenance"
    assert cache.held().entries == 2
    writer = pypdf.PdfWriter(io.BytesIO(pdf("secret tide")))
    writer.encrypt("lamp oil", algorithm="AES-256")
    writer.write(docs / "b.pdf")
    opened = load_corpus([docs], reading=Reading(passwords=("lamp oil",)), extractions=cache)
    assert [one.text for one in opened.documents][1] == "secret tide"
    assert cache.held().entries == 2
    for file in cache.folder.iterdir():
        assert b"lamp" not in file.read_bytes()
        assert b"secret" not in file.read_bytes()


def test_the_command_keeps_shows_and_drops_texts(tmp_path, capsys):
    if os.environ["XDG_CACHE_HOME"] not in str(default_extractions_path()):
        pytest.skip("this system's cache folder is not set by XDG_CACHE_HOME")
    (tmp_path / "a.docx").write_bytes(docx(paragraph("Low tide")))
    for _ in range(2):
        assert main(["chunks", str(tmp_path), "--format", "jsonl"]) == 0
    held = default_extractions().held()
    assert held.entries == 1
    capsys.readouterr()
    assert main(["cache"]) == 0
    assert "extractions: 0.0 MB, 1 extracted text\n" in capsys.readouterr().out
    assert main(["cache", "--prune", "0", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["extractions"] == {
        "path": str(default_extractions_path()), "bytes": 0, "texts": 0, "dropped": 1,
    }  # fmt: skip
