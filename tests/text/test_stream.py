"""Documents read one after another are those that are read at once."""

import json
from dataclasses import replace

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.text.counting import CorpusCounts
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.stream import DocumentStream


def line(text, source=None):
    metadata = {} if source is None else {"source": source}
    return json.dumps({"page_content": text, "metadata": metadata}) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Files whose records stand among, before and behind other files, and take their names."""
    (tmp_path / "a.md").write_bytes(b"# A\n\nlamp")
    (tmp_path / "b.jsonl").write_text(
        line("one", "m.txt") + line("two", "m.txt") + line("three") + line("four", "a.md")
        + line("five", "zz.txt")
    )  # fmt: skip
    (tmp_path / "broken.json").write_bytes(b"\x00\x01\x02")
    (tmp_path / "m.txt").write_bytes(b"a file of that name")
    (tmp_path / "m.txt#2").write_bytes(b"and of this")
    (tmp_path / "old.txt").write_bytes("Öl und Käse".encode("cp1252"))
    (tmp_path / "plain.json").write_bytes(b'{"no": "records"}')
    (tmp_path / "z.jsonl").write_text(line("six", "m.txt") + line("seven", "broken.json"))
    (tmp_path / "z2.json").write_text(json.dumps([{"page_content": "eight", "metadata": {}}]))
    (tmp_path / "golden.jsonl").write_bytes(b"")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    return tmp_path


def test_documents_order_and_reasons_are_those_of_the_corpus(folder):
    corpus = load_corpus([folder])
    stream = DocumentStream([folder])
    assert tuple(stream) == corpus.documents
    assert stream.skipped == corpus.skipped
    assert stream.root == corpus.root
    ids = [document.id for document in corpus.documents]
    assert ids == sorted(ids)
    assert {"a.md#2", "b.jsonl:3", "broken.json", "m.txt#2", "m.txt#3"} <= set(ids)
    assert ("m.txt", "its id 'm.txt' is that of another document") in {
        (one.path, one.reason) for one in corpus.skipped
    }


def test_records_by_field_too(folder):
    (folder / "r.jsonl").write_bytes(
        b'{"_id": "q", "text": "lamp"}\nno json\n{"text": "quay"}\n{"_id": "q", "text": "dawn"}\n'
    )
    (folder / "e.jsonl").write_bytes(b"")
    reading = Reading(records=("text",))
    corpus = load_corpus([folder], reading=reading)
    stream = DocumentStream([folder], reading=reading)
    assert tuple(stream) == corpus.documents
    assert stream.skipped == corpus.skipped


def test_a_file_named_with_its_encoding_holds_no_records(folder):
    reading = Reading(encoding_of={"b.jsonl": "utf-8", "*.txt": "cp1252"})
    corpus = load_corpus([folder], reading=reading)
    stream = DocumentStream([folder], reading=reading)
    assert tuple(stream) == corpus.documents
    assert stream.skipped == corpus.skipped


def test_counts_are_those_of_the_corpus(folder):
    corpus = load_corpus([folder], reading=Reading())
    counts = CorpusCounts()
    for document in DocumentStream([folder]):
        counts.take(document)
    assert counts.documents == len(corpus.documents)
    assert counts.characters == corpus.characters
    assert counts.fingerprint == corpus.fingerprint
    assert counts.read_as(corpus.reading) == corpus.read_as
    assert counts.read_as({}) == replace(corpus, reading={}).read_as == {}


def test_nothing_to_read_is_the_same_line(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.bin").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    with pytest.raises(InputError) as whole:
        load_corpus([tmp_path])
    with pytest.raises(InputError) as streamed:
        list(DocumentStream([tmp_path]))
    assert str(streamed.value) == str(whole.value)


def test_progress_and_an_end_before_the_last(folder):
    told = []
    token = CancelToken()

    def tell(done, total):
        told.append((done, total))
        if done == 3:
            token.cancel()

    stream = iter(DocumentStream([folder], progress=tell, cancel=token))
    given = [next(stream), next(stream), next(stream)]
    with pytest.raises(CancelledError):
        list(stream)
    corpus = load_corpus([folder])
    assert tuple(given) == corpus.documents[:3]
    # What files hold is known before the first document is given.
    assert told[-1] == (3, told[-2][1])


def test_a_temporary_folder_that_cannot_be_written_is_one_line(folder, monkeypatch):
    def refuse(**_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(InputError, match=r"temporary files cannot be written \(No space left"):
        list(DocumentStream([folder]))
