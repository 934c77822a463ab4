"""The documents of files and folders, read one after another and held by nobody here."""

import heapq
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Document, Skipped
from chunkscope.text.loading.blocks import CHANGED
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.discover import Found, reason_of
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.kept import KeptDocuments
from chunkscope.text.loading.load import listed, nothing_read, read_parts
from chunkscope.text.loading.reading import Reading, Told
from chunkscope.text.loading.recordfile import is_large_lines, large_parts
from chunkscope.text.loading.records import may_hold_records

_RECORDS_A_REPORT = 1_000


class DocumentStream:
    """The documents that `load_corpus` gives, in its order, each read when it is asked for.

    Files are listed at once. Of a file that holds several documents the records go through a
    temporary file, because their ids decide where they stand among all others; a large file of
    JSON Lines is read line by line. To be gone through once.

    Attributes:
        root: the folder that ids are relative to.
        reading: how files are read.

    Args:
        paths: files and folders; of several, the deepest common folder is the root.
        reading: how files are read.
        exclude: files that are silently no part of it.
        extractions: where texts extracted from PDFs, office documents and the like are kept.
        progress: called with documents done and documents known of.
        cancel: looked at between two files, and between two pages of one.

    Raises:
        InputError: as `load_corpus`; where nothing can be read, at the end.
        CancelledError: when `cancel` was raised meanwhile.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        reading: Reading | None = None,
        exclude: Collection[Path] = (),
        extractions: ExtractionCache | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> None:
        self.reading = reading or Reading()
        found, self._told = listed(paths, self.reading, exclude, cancel)
        self.root = found.root
        self._paths, self._files = tuple(paths), found.files
        self._extractions, self._progress, self._cancel = extractions, progress, cancel
        # Each with the number of its file, in whose order reasons are told.
        self._skipped: list[tuple[int, Skipped]] = [(-1, one) for one in found.skipped]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was left out so far, by path in code-point order."""
        ordered = sorted(self._skipped, key=lambda one: (one[1].path, one[0]))
        return tuple(skipped for _, skipped in ordered)

    def __iter__(self) -> Iterator[Document]:
        """Each document; hold it no longer than it is needed."""
        given = 0
        with closing(_Records(self._files, self._readable)) as records:
            self._take_records(records)
            whole = [
                (found.id, number)
                for number, found in enumerate(self._files)
                if number not in records.files
            ]
            total = len(whole) + len(records)
            kept = ((document_id, -1) for document_id in records.ids())
            for done, (document_id, number) in enumerate(heapq.merge(whole, kept)):
                self._tell(done, total)
                document = records.read(document_id) if number < 0 else self._whole(number, records)
                if document is not None:
                    yield document
                    given += 1
                    # Not held while the next one is read.
                    del document
            self._tell(total, total)
        if not given:
            told = [skipped for _, skipped in sorted(self._skipped, key=lambda one: one[0])]
            raise InputError(nothing_read(self._paths, told))

    def _tell(self, done: int, total: int) -> None:
        if self._cancel is not None:
            self._cancel.check()
        if self._progress is not None:
            self._progress(done, total)

    def _parts(self, found: Found) -> Iterator[tuple[str, Document | str, bool]]:
        told = self._told.of(found.id)
        return read_parts(found, told, self.reading, self._extractions, self._cancel)

    def _take_records(self, records: "_Records") -> None:
        """Put the documents of all files that hold several into the temporary file."""
        for number, found in enumerate(self._files):
            if may_hold_records(found.suffix):
                told = self._told.of(found.id)
                self._tell(0, len(self._files) + len(records))
                try:
                    if is_large_lines(found, told):
                        self._take_large(number, told, records)
                    elif told is None or not told.exact:
                        self._take_small(number, records)
                except (DecodeError, OSError) as error:
                    # A file that is read again then says so itself.
                    if number in records.files:
                        self._skip(number, found.id, _reason(error))

    def _take_small(self, number: int, records: "_Records") -> None:
        found = self._files[number]
        for name, one, counted in self._parts(found):
            if name == found.id:
                break
            reason = one if isinstance(one, str) else records.put(one, number, counted)
            records.files.add(number)
            if reason:
                self._skip(number, name, reason)

    def _take_large(self, number: int, told: Told | None, records: "_Records") -> None:
        found, skipped, mark = self._files[number], len(self._skipped), records.mark()
        parts = large_parts(found, told, self.reading, self._cancel)
        try:
            for done, (name, one, counted) in enumerate(parts):
                reason = one if isinstance(one, str) else records.put(one, number, counted)
                records.files.add(number)
                if reason:
                    self._skip(number, name, reason)
                if done % _RECORDS_A_REPORT == 0:
                    self._tell(0, len(self._files) + len(records))
        except (DecodeError, OSError):
            # It is known now what the file is; that is all that is said of it.
            records.files.add(number)
            records.forget(mark)
            del self._skipped[skipped:]
            raise

    def _whole(self, number: int, records: "_Records") -> Document | None:
        """The document that a file is, or None where it is none; the reason is kept."""
        found = self._files[number]
        try:
            for name, one, _counted in self._parts(found):
                if isinstance(one, str):
                    self._skip(number, name, one)
                elif name != found.id:
                    self._skip(number, found.id, CHANGED)
                    break
                elif one.id in records:
                    self._skip(number, name, _taken(one.id))
                else:
                    return one
        except (DecodeError, OSError) as error:
            self._skip(number, found.id, _reason(error))
        return None

    def _readable(self, number: int) -> bool:
        """Whether a file is a document."""
        found = self._files[number]
        try:
            return any(
                name == found.id and not isinstance(one, str)
                for name, one, _counted in self._parts(found)
            )
        except (DecodeError, OSError):
            return False

    def _skip(self, number: int, name: str, reason: str) -> None:
        self._skipped.append((number, Skipped(name, reason)))


class _Records:
    """Documents of files that hold several, found by their ids.

    Attributes:
        files: numbers of the files that they are from.
    """

    def __init__(self, files: Sequence[Found], readable: Callable[[int], bool]) -> None:
        self.files: set[int] = set()
        self._kept = KeptDocuments()
        self._found = files
        self._readable = readable
        self._numbers: dict[str, int] | None = None
        self._counts: dict[str, int] = {}

    def close(self) -> None:
        self._kept.close()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, document_id: str) -> bool:
        return document_id in self._kept

    def ids(self) -> Iterator[str]:
        return self._kept.ids()

    def read(self, document_id: str) -> Document:
        return self._kept.read(document_id)

    def mark(self) -> int:
        return self._kept.mark()

    def forget(self, mark: int) -> None:
        self._kept.forget(mark)

    def put(self, document: Document, number: int, counted: bool) -> str:
        """Keep a document of the file at `number`; the reason where it has another one's id."""
        if not self._is_file(document.id, number) and self._kept.add(document):
            return ""
        if not counted:
            return _taken(document.id)
        self._kept.add(replace(document, id=self._next(document.id, number)))
        return ""

    def _is_file(self, document_id: str, number: int) -> bool:
        """Whether an earlier file is a document that has the id."""
        if self._numbers is None:
            self._numbers = {found.id: place for place, found in enumerate(self._found)}
        same = self._numbers.get(document_id, number)
        return same < number and same not in self.files and self._readable(same)

    def _next(self, taken: str, number: int) -> str:
        """The first of `taken#2`, `taken#3`, … that no document has."""
        while True:
            self._counts[taken] = self._counts.get(taken, 1) + 1
            name = f"{taken}#{self._counts[taken]}"
            if name not in self._kept and not self._is_file(name, number):
                return name


def _taken(document_id: str) -> str:
    return f"its id {visible(document_id)!r} is that of another document"


def _reason(error: DecodeError | OSError) -> str:
    return reason_of(error) if isinstance(error, OSError) else str(error)
