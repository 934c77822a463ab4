"""The files of a corpus, read one after another, and any of them at once when it is wanted."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.discover import reason_of
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import listed, nothing_read, read_parts
from chunkscope.text.loading.reading import Reading

_REPORTS = 1000
_LOOK_SECONDS = 0.02

_Parts = list[tuple[str, Document | str, bool]]


class CorpusReader:
    """Lists the files of `paths` at once and reads them when told to.

    Attributes:
        root: the folder that ids are relative to.
        files: the files to be read, by id in code-point order.
        done: how many of them are read.

    Args:
        paths: files and folders; of several, the deepest common folder is the root.
        reading: how files are read.
        exclude: files that are silently no part of it, such as the golden set.
        extractions: where texts extracted from PDFs, office documents and the like are kept.
        cancel: looked at while files are listed.

    Raises:
        InputError: a path that does not exist, an unknown encoding, or an encoding for a name
            that no file has.
        CancelledError: when `cancel` was raised meanwhile.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        reading: Reading | None = None,
        exclude: Collection[Path] = (),
        extractions: ExtractionCache | None = None,
        cancel: CancelToken | None = None,
    ) -> None:
        self._reading = reading or Reading()
        found, self._told = listed(paths, self._reading, exclude, cancel)
        self.root, self.files = found.root, found.files
        self._paths, self._extractions = tuple(paths), extractions
        self._gathered = _Gathered(list(found.skipped))
        self.done = 0
        # What `first` has read of files whose turn has not come.
        self._early: dict[int, _Parts] = {}
        # Of files that are not one document with the file's id: the first one, or why there is
        # none.
        self._odd: dict[int, Document | str] = {}
        self._at = -1

    def read_all(
        self,
        progress: Callable[[int, int], None] | None = None,
        cancel: CancelToken | None = None,
    ) -> Corpus:
        """Read every file that is not read yet; a call that was stopped is gone on with.

        Args:
            progress: called with files done and files in all, some thousand times at most.
            cancel: looked at between two files, and between two pages of one.

        Raises:
            InputError: when nothing can be read.
            CancelledError: when `cancel` was raised meanwhile; what is read stays read.
        """
        total = len(self.files)
        step = max(1, total // _REPORTS)
        try:
            while self.done < total:
                if cancel is not None:
                    cancel.check()
                number = self.done
                if progress is not None and number % step == 0:
                    progress(number, total)
                self._at = number
                early = self._early.pop(number, None)
                self._take(number, self._parts(number, cancel) if early is None else early)
                self.done = number + 1
        finally:
            self._at = -1
        if progress is not None:
            progress(total, total)
        gathered = self._gathered
        documents = gathered.documents
        if not documents:
            raise InputError(nothing_read(self._paths, gathered.skipped))
        ordered = tuple(documents[document_id] for document_id in sorted(documents))
        skipped = tuple(sorted(gathered.skipped, key=lambda one: one.path))
        return Corpus(ordered, skipped, self.root, self._reading.to_mapping())

    def first(self, number: int, cancel: CancelToken | None = None) -> Document | str:
        """The first document of the file at `number`, or why it holds none.

        It is read now, unless it was before; also while another thread is in `read_all`, which
        then takes what was read here.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        while self._at == number:
            # The other thread is in this very file.
            if cancel is not None:
                cancel.check()
            time.sleep(_LOOK_SECONDS)
        known = self._known(number)
        if known is None:
            parts = self._parts(number, cancel)
            self._early[number] = parts
            known = _first_of(parts)
        return known

    def _known(self, number: int) -> Document | str | None:
        early = self._early.get(number)
        if early is not None:
            return _first_of(early)
        if number >= self.done:
            return None
        odd = self._odd.get(number)
        return odd if odd is not None else self._gathered.documents[self.files[number].id]

    def _parts(self, number: int, cancel: CancelToken | None) -> _Parts:
        found = self.files[number]
        parts: _Parts = []
        told = self._told.of(found.id)
        try:
            for part in read_parts(found, told, self._reading, self._extractions, cancel):
                # One after the other: what came before an error is kept.
                parts.append(part)
        except DecodeError as error:
            parts.append((found.id, str(error), False))
        except OSError as error:
            parts.append((found.id, reason_of(error), False))
        return parts

    def _take(self, number: int, parts: _Parts) -> None:
        found = self.files[number]
        taken: _Parts = []
        for name, one, counted in parts:
            taken.append((name, self._gathered.take(name, one, counted=counted), counted))
        first = _first_of(taken)
        if isinstance(first, str) or first.id != found.id:
            self._odd[number] = first


class _Gathered:
    """The documents so far by their ids, and what is none."""

    def __init__(self, skipped: list[Skipped]) -> None:
        self.documents: dict[str, Document] = {}
        self.skipped = skipped
        self._counts: dict[str, int] = {}

    def take(self, name: str, document: Document | str, *, counted: bool) -> Document | str:
        """Take in a document, or of what is none, why; with `counted` its id may be made new.

        What was taken is given back, or why it was not.
        """
        if not isinstance(document, str):
            if document.id not in self.documents:
                self.documents[document.id] = document
                return document
            if counted:
                made = replace(document, id=self._next(document.id))
                self.documents[made.id] = made
                return made
            document = f"its id {visible(document.id)!r} is that of another document"
        self.skipped.append(Skipped(name, document))
        return document

    def _next(self, taken: str) -> str:
        """The first of `taken#2`, `taken#3`, … that no document has."""
        while True:
            self._counts[taken] = self._counts.get(taken, 1) + 1
            name = f"{taken}#{self._counts[taken]}"
            if name not in self.documents:
                return name


def _first_of(parts: _Parts) -> Document | str:
    for _name, one, _counted in parts:
        if not isinstance(one, str):
            return one
    return str(parts[0][1]) if parts else "it holds no document"
