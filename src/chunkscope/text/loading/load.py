"""The corpus of files and folders."""

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.loading.blocks import CHANGED, is_changed
from chunkscope.text.loading.decode import (
    DecodeError,
    check_encoding,
    decode,
    refuse_binary,
    text_notes,
)
from chunkscope.text.loading.discover import Discovery, Found, discover, special_kind
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.formats import binary_format, extract_binary, extract_text, mislabelled
from chunkscope.text.loading.newlines import newline_of, with_lf
from chunkscope.text.loading.reading import Extracted, Reading, Told, ToldEncodings
from chunkscope.text.loading.records import Record, records_of

LARGEST = 1_000_000_000
"""Bytes of a file beyond which it is skipped."""

_HEAD = 8192
_SHOWN_REASONS = 3
_ODD_NAME = "its name holds control or invisible characters"


def load_corpus(
    paths: Sequence[Path],
    *,
    encoding_of: Mapping[str, str] | None = None,
    reading: Reading | None = None,
    exclude: Collection[Path] = (),
    extractions: ExtractionCache | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: CancelToken | None = None,
) -> Corpus:
    """Read the documents of `paths` (files and folders).

    Args:
        paths: files and folders; of several, the deepest common folder is the root.
        encoding_of: encoding by document id, file name or pattern; others are found.
        reading: further choices; `encoding_of` goes before the one in it.
        exclude: files that are silently no part of it, such as the golden set.
        extractions: where texts extracted from PDFs, office documents and the like are kept.
        progress: called with files done and files in all, some thousand times at most.
        cancel: looked at between two files, and between two pages of one.

    Raises:
        InputError: a path that does not exist, an unknown encoding, a name in `encoding_of` that
            no file has, or nothing that can be read.
        CancelledError: when `cancel` was raised meanwhile.
    """
    # It reads each file by what stands below.
    from chunkscope.text.loading.reader import CorpusReader

    reading = reading or Reading()
    if encoding_of is not None:
        reading = replace(reading, encoding_of=encoding_of)
    reader = CorpusReader(
        paths, reading=reading, exclude=exclude, extractions=extractions, cancel=cancel
    )
    return reader.read_all(progress, cancel)


def listed(
    paths: Sequence[Path],
    reading: Reading,
    exclude: Collection[Path],
    cancel: CancelToken | None,
) -> tuple[Discovery, ToldEncodings]:
    """The files of `paths`, and the encodings that `reading` tells of them.

    Raises:
        InputError: a path that does not exist, an unknown encoding, or an encoding for a name
            that no file has.
        CancelledError: when `cancel` was raised meanwhile.
    """
    for encoding in reading.encoding_of.values():
        check_encoding(encoding)
    found = discover(paths, exclude=exclude, cancel=cancel)
    told = ToldEncodings(reading.encoding_of)
    if reading.encoding_of:
        told.check_used([file.id for file in found.files])
    return found, told


def read_parts(
    found: Found,
    told: Told | None,
    reading: Reading,
    extractions: ExtractionCache | None,
    cancel: CancelToken | None,
) -> Iterator[tuple[str, Document | str, bool]]:
    """(name, document, whether its id may be counted on) of each document in a file.

    Of a part that is no document, why. The name is the file's id where the file is one document
    itself, else that and the part's number.

    Raises:
        DecodeError: when the file cannot be read as text; the message says why.
        OSError: when it cannot be read at all.
        CancelledError: when `cancel` was raised meanwhile.
    """
    suffix = found.suffix
    as_it_stands = told is not None and told.exact
    data, kind = _read(found.where, suffix, sniff=not as_it_stands)
    if kind is not None:
        encoding, extracted = extract_binary(
            data, kind, reading, extractions=extractions, cancel=cancel
        )
        extracted = replace(extracted, notes=(*extracted.notes, *mislabelled(suffix, encoding)))
        yield found.id, _document(found.id, found.path, encoding, extracted, reading), False
        return
    decoded = decode(data, told.encoding if told is not None else None)
    records = None if as_it_stands else records_of(decoded.text, suffix, reading)
    if records is not None:
        yield from documents_of(found, decoded.encoding, records, reading, cancel)
        return
    taken = None if as_it_stands else extract_text(decoded, suffix, reading)
    taken = taken or Extracted(decoded.text, None, decoded.notes)
    yield found.id, _document(found.id, found.path, decoded.encoding, taken, reading), False


def documents_of(
    found: Found,
    encoding: str,
    records: Iterable[Record],
    reading: Reading,
    cancel: CancelToken | None,
) -> Iterator[tuple[str, Document | str, bool]]:
    """What `read_parts` gives of a file's records.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    path = found.path
    for record in records:
        if cancel is not None:
            cancel.check()
        name = f"{found.id}:{record.number}"
        if record.extracted is None:
            yield name, record.reason, False
        else:
            document = _document(record.id or name, path, encoding, record.extracted, reading)
            yield name, document, record.counted


def _document(
    document_id: str, path: Path, encoding: str, extracted: Extracted, reading: Reading
) -> Document:
    text, origin, notes = extracted.text, extracted.origin, extracted.notes
    if origin is not None:
        notes += text_notes(text)
    before = ""
    if reading.newline == "lf" and "\r" in text:
        before = newline_of(text)
        text, origin = with_lf(text, origin)
        notes = (*notes, f"line ends {before} made lf: offsets refer to the converted text")
    if visible(document_id) != document_id:
        notes = (*notes, _ODD_NAME)
    newline = newline_of(text)
    return Document(document_id, text, encoding, newline, path, notes, origin, before)


@contextmanager
def opened(path: str) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """A file to be read, without a buffer, and what the system says of it.

    Raises:
        DecodeError: when it is no file, or a larger one than is read.
        OSError: when it cannot be opened.
    """
    # Not to wait for a pipe that took the file's place since the folder was listed.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise DecodeError(f"{special_kind(status.st_mode) or 'a folder'}, not a regular file")
        if status.st_size > LARGEST:
            raise DecodeError(
                f"{status.st_size / 1e9:,.1f} GB: over the {LARGEST / 1e9:,.1f} GB that are read; "
                "split it"
            )
        yield stream, status


def kind_of(stream: IO[bytes], suffix: str) -> tuple[bytes, str | None]:
    """A file's first bytes, and its `binary_format`.

    Raises:
        DecodeError: when it is no text either; the message says what it is.
    """
    head = stream.read(_HEAD) or b""
    kind = binary_format(head, suffix)
    if kind is None:
        refuse_binary(head, suffix)
    return head, kind


def _read(path: str, suffix: str, *, sniff: bool) -> tuple[bytes, str | None]:
    """A file's bytes, and its `binary_format` where `sniff` asks for it."""
    with opened(path) as (stream, before):
        head, kind = kind_of(stream, suffix) if sniff else (stream.read(_HEAD) or b"", None)
        data = head if len(head) < _HEAD and len(head) == before.st_size else head + stream.read()
        after = os.fstat(stream.fileno())
    # A file that has no size of its own, as under /proc, is taken as it comes.
    if is_changed(before, after) or (before.st_size and len(data) != before.st_size):
        raise DecodeError(CHANGED)
    return data, kind


def nothing_read(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    """What to say where `paths` hold no document at all."""
    where = ", ".join(visible(str(path)) for path in paths)
    if not skipped:
        return f"{where}: no file to read; give a folder that holds text files"
    reasons = "; ".join(f"{visible(one.path)}: {one.reason}" for one in skipped[:_SHOWN_REASONS])
    more = len(skipped) - _SHOWN_REASONS
    rest = f"; and {more} more" if more > 0 else ""
    verb = "was" if len(skipped) == 1 else "were"
    return f"{where}: no file can be read, {len(skipped)} {verb} skipped ({reasons}{rest})"
