"""The documents of files and folders, read one after another and held by nobody here."""

import heapq
import pickle
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Document, Skipped
from chunkscope.text.loading.decode import DecodeError, check_encoding
from chunkscope.text.loading.discover import Found, discover, reason_of
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import CHANGED, nothing_read, read_parts
from chunkscope.text.loading.reading import Reading, ToldEncodings
from chunkscope.text.loading.records import may_hold_records


class DocumentStream:
    """The documents that `load_corpus` gives, in its order, each read when it is asked for.

    Files are listed at once. Of a file that holds several documents the records go through a
    temporary file, because their ids decide where they stand among all others. To be gone through
    once.

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
        for encoding in self.reading.encoding_of.values():
            check_encoding(encoding)
        found = discover(paths, exclude=exclude, cancel=cancel)
        self._told = ToldEncodings(self.reading.encoding_of)
        self._told.check_used([file.id for file in found.files])
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
        with _opened() as file:
            records = _Records(file, self._files, self._readable)
            self._take_records(records)
            whole = [
                (found.id, number)
                for number, found in enumerate(self._files)
                if number not in records.files
            ]
            total = len(whole) + len(records.places)
            kept = ((document_id, -1) for document_id in sorted(records.places))
            for done, (document_id, number) in enumerate(heapq.merge(whole, kept)):
                self._tell(done, total)
                if number < 0:
                    yield records.read(document_id)
                    given += 1
                    continue
                document = self._whole(number, records)
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
            told = self._told.of(found.id)
            if not may_hold_records(found.path.suffix) or (told is not None and told.exact):
                continue
            self._tell(0, len(self._files) + len(records.places))
            try:
                for name, one, counted in self._parts(found):
                    if name == found.id:
                        break
                    records.files.add(number)
                    reason = one if isinstance(one, str) else records.put(one, number, counted)
                    if reason:
                        self._skip(number, name, reason)
            except (DecodeError, OSError) as error:
                # A file that is read again then says so itself.
                if number in records.files:
                    self._skip(number, found.id, _reason(error))

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
                elif one.id in records.places:
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
    """Documents in a temporary file, found by their ids.

    Attributes:
        files: numbers of the files that they are from.
        places: where each stands in the temporary file.
    """

    def __init__(
        self, file: IO[bytes], files: Sequence[Found], readable: Callable[[int], bool]
    ) -> None:
        self.files: set[int] = set()
        self.places: dict[str, int] = {}
        self._file = file
        self._found = files
        self._readable = readable
        self._numbers: dict[str, int] | None = None
        self._counts: dict[str, int] = {}

    def put(self, document: Document, number: int, counted: bool) -> str:
        """Keep a document of the file at `number`; the reason where it has another one's id."""
        if self._is_taken(document.id, number):
            if not counted:
                return _taken(document.id)
            document = replace(document, id=self._next(document.id, number))
        try:
            self.places[document.id] = self._file.tell()
            pickle.dump(document, self._file, pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise temporary_unwritable(error) from None
        return ""

    def read(self, document_id: str) -> Document:
        self._file.seek(self.places[document_id])
        document: Document = pickle.load(self._file)
        return document

    def _is_taken(self, document_id: str, number: int) -> bool:
        """Whether a document of an earlier file, or of this one, has the id."""
        if document_id in self.places:
            return True
        if self._numbers is None:
            self._numbers = {found.id: place for place, found in enumerate(self._found)}
        same = self._numbers.get(document_id, number)
        return same < number and self._readable(same)

    def _next(self, taken: str, number: int) -> str:
        """The first of `taken#2`, `taken#3`, … that no document has."""
        while True:
            self._counts[taken] = self._counts.get(taken, 1) + 1
            name = f"{taken}#{self._counts[taken]}"
            if not self._is_taken(name, number):
                return name


def _opened() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile(prefix="chunkscope-")
    except OSError as error:
        raise temporary_unwritable(error) from None


def temporary_unwritable(error: OSError) -> InputError:
    """What to say where a temporary file cannot be made or written."""
    return InputError(
        f"the folder for temporary files cannot be written ({error.strerror or error}); "
        "make room there, or name another in TMPDIR"
    )


def _taken(document_id: str) -> str:
    return f"its id {visible(document_id)!r} is that of another document"


def _reason(error: DecodeError | OSError) -> str:
    return reason_of(error) if isinstance(error, OSError) else str(error)
