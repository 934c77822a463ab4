"""Files read in order, and any of them at once, give the same documents, each file read once."""

import threading
from pathlib import Path

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.text.loading import reader as reader_module
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reader import CorpusReader
from chunkscope.text.loading.reading import Reading


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents, records, two that claim one id, and files that are none."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("a.md", "c.md", "e.md"):
        (docs / name).write_text(f"Text of {name}.\n")
    (docs / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (docs / "d.jsonl").write_text(
        '{"page_content": "Mole and quay.", "metadata": {}}\n'
        '{"page_content": "Rope and rudder.", "metadata": {}}\n'
    )
    return docs


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the files as they are read."""
    names: list[str] = []
    real = reader_module.read_parts

    def counted(found, *rest):
        names.append(found.id)
        yield from real(found, *rest)

    monkeypatch.setattr(reader_module, "read_parts", counted)
    return names


def test_what_is_wanted_first_is_read_once(folder: Path, read: list[str]) -> None:
    reader = CorpusReader([folder])
    assert [file.id for file in reader.files] == ["a.md", "b.png", "c.md", "d.jsonl", "e.md"]
    assert (reader.done, read) == (0, [])
    wanted = reader.first(4)
    assert read == ["e.md"]
    assert reader.first(4) is wanted
    assert reader.first(1) == "binary: a PNG image"
    first_record = reader.first(3)
    assert read == ["e.md", "b.png", "d.jsonl"]
    corpus = reader.read_all()
    assert reader.done == 5
    assert sorted(read) == [file.id for file in reader.files]
    assert corpus == load_corpus([folder])
    assert [document.id for document in corpus.documents] == [
        "a.md", "c.md", "d.jsonl:1", "d.jsonl:2", "e.md",
    ]  # fmt: skip
    assert corpus.documents[4] is wanted
    assert corpus.documents[2] is first_record
    # Afterwards they are known.
    read.clear()
    assert [reader.first(number) for number in range(5)] == [
        corpus.documents[0], "binary: a PNG image", *corpus.documents[1:3], corpus.documents[4],
    ]  # fmt: skip
    assert read == []


@pytest.mark.parametrize("stop_at", range(6))
def test_a_stopped_reading_goes_on_where_it_was(
    folder: Path, read: list[str], stop_at: int
) -> None:
    reader, token = CorpusReader([folder]), CancelToken()

    def progress(done: int, _total: int) -> None:
        if done == stop_at:
            token.cancel()

    try:
        stopped = reader.read_all(progress, token)
    except CancelledError:
        stopped = None
    # The file whose turn it is when it is called off is read to its end, but not its records.
    assert reader.done == (3 if stop_at == 3 else min(5, stop_at + 1))
    assert (stopped is None) is (stop_at < 4)
    corpus = reader.read_all()
    assert corpus == load_corpus([folder])
    names = [file.id for file in reader.files]
    again = ["d.jsonl"] if stop_at == 3 else []
    assert read == [*names[:4], *again, *names[4:], *names]  # the last are `load_corpus`'s


def test_a_file_whose_id_a_record_has_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"_id": "b.md", "text": "One."}\n')
    (tmp_path / "b.md").write_text("Two.")
    reader = CorpusReader([tmp_path], reading=Reading(records=("text",)))
    record, file = reader.first(0), reader.first(1)
    assert (record.id, record.text) == ("b.md", "One.")
    assert (file.id, file.text) == ("b.md", "Two.")
    assert reader.read_all().documents == (record,)
    assert reader.first(0) is record
    assert reader.first(1) == "its id 'b.md' is that of another document"


def test_nothing_to_read_is_told_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    reader = CorpusReader([tmp_path])
    assert reader.first(0) == "binary: a PNG image"
    with pytest.raises(InputError, match="no file can be read, 1 was skipped"):
        reader.read_all()


def test_a_file_in_whose_midst_another_thread_is_is_waited_for(
    folder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, go_on = threading.Event(), threading.Event()
    counted = reader_module.read_parts

    def held(found, *rest):
        if found.id == "c.md":
            inside.set()
            go_on.wait()
        yield from counted(found, *rest)

    monkeypatch.setattr(reader_module, "read_parts", held)
    # It looks again and again, until the other thread is let go.
    monkeypatch.setattr(reader_module.time, "sleep", lambda _seconds: go_on.set())
    reader = CorpusReader([folder])
    corpora: list[object] = []
    thread = threading.Thread(target=lambda: corpora.append(reader.read_all()), daemon=True)
    thread.start()
    inside.wait()
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        reader.first(2, token)
    found = reader.first(2)
    thread.join()
    assert read.count("c.md") == 1
    assert found is corpora[0].documents[1]
