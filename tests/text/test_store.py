"""Texts in a temporary file are the texts that were put there."""

import errno
import gc
import hashlib
import tempfile
import weakref
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.text import store as store_module
from chunkscope.text.document import Corpus, Document
from chunkscope.text.store import TextStore, held_part, is_stored, parts_of


@given(st.lists(st.text(st.characters(), max_size=20), max_size=5))
def test_every_text_comes_back(texts):
    documents = [Document(f"{n}", text, notes=("n",)) for n, text in enumerate(texts)]
    with TextStore() as store:
        kept = [store.keep(one) for one in documents]
        assert [one.text for one in reversed(kept)] == [one.text for one in reversed(documents)]
        assert [one.held() for one in kept] == documents
        assert [one.sha256 for one in kept] == [one.sha256 for one in documents]
        assert [one.length for one in kept] == [len(text) for text in texts]
        held = Corpus(tuple(documents))
        stored = replace(held, documents=tuple(kept))
        assert stored.fingerprint == held.fingerprint
        assert stored.characters == held.characters
        assert is_stored(stored) == bool(texts)
        assert held_part(stored, 0, len(texts)) == held


def test_half_a_surrogate_pair_stays():
    text = "a\ud800b\udfff\ufeff\r\n"
    with TextStore() as store:
        kept = store.keep(Document("a", text))
        assert kept.text == text
        assert kept.sha256 == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def test_texts_are_not_held(monkeypatch):
    monkeypatch.setattr(store_module, "_HELD", 100)

    class Text(str):
        __slots__ = ("__weakref__",)

    text = Text("x" * 60)
    gone = weakref.ref(text)
    with TextStore() as store:
        kept = [store.keep(Document(f"{n}", text if n == 0 else str(n) * 60)) for n in range(4)]
        del text
        gc.collect()
        assert gone() is None
        first = kept[0].text
        assert kept[0].text is first
        assert [one.text[0] for one in kept] == ["x", "1", "2", "3"]
        assert kept[0].text is not first


class _Full:
    """A file on a disk without room."""

    def seek(self, place):
        return place

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self):
        pass


def test_a_full_disk_is_told(monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: _Full())
    with TextStore() as store, pytest.raises(InputError, match=r"No space left .* TMPDIR"):
        store.keep(Document("a", "text"))


def test_no_folder_for_temporary_files_is_told(monkeypatch):
    def refuse(**_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(InputError, match=r"temporary files cannot be written .Read-only"):
        TextStore()


def test_parts_hold_about_so_much():
    assert parts_of([3, 3, 3, 3], 6, 10) == [(0, 2), (2, 4)]
    assert parts_of([1, 9, 1], 5, 10) == [(0, 2), (2, 3)]
    assert parts_of([0, 0, 0], 5, 2) == [(0, 2), (2, 3)]
    assert parts_of([], 5, 2) == []
