"""The corpus of files and folders."""

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.loading.decode import (
    DecodeError,
    check_encoding,
    decode,
    refuse_binary,
    text_notes,
)
from chunkscope.text.loading.discover import Found, discover, reason_of, special_kind
from chunkscope.text.loading.formats import (
    binary_format,
    extract_binary,
    extract_text,
    holds_records,
)
from chunkscope.text.loading.newlines import newline_of, with_lf
from chunkscope.text.loading.reading import Extracted, Reading
from chunkscope.text.loading.records import records

_HEAD = 8192
_SHOWN_REASONS = 3
_REPORTS = 1000
_CHANGED = "it changed while it was read; run again when it is at rest"
_ODD_NAME = "its name holds control or invisible characters"


def load_corpus(
    paths: Sequence[Path],
    *,
    encoding_of: Mapping[str, str] | None = None,
    reading: Reading | None = None,
    exclude: Collection[Path] = (),
    progress: Callable[[int, int], None] | None = None,
    cancel: CancelToken | None = None,
) -> Corpus:
    """Read the documents of `paths` (files and folders).

    Args:
        paths: files and folders; of several, the deepest common folder is the root.
        encoding_of: encoding by document id or file name; others are found.
        reading: further choices; `encoding_of` goes before the one in it.
        exclude: files that are silently no part of it, such as the golden set.
        progress: called with files done and files in all, some thousand times at most.
        cancel: looked at between two files, and between two pages of one.

    Raises:
        InputError: a path that does not exist, an unknown encoding, a name in `encoding_of` that
            no file has, or nothing that can be read.
        CancelledError: when `cancel` was raised meanwhile.
    """
    reading = reading or Reading()
    if encoding_of is not None:
        reading = replace(reading, encoding_of=encoding_of)
    for encoding in reading.encoding_of.values():
        check_encoding(encoding)
    discovery = discover(paths, exclude=exclude, cancel=cancel)
    _check_names(reading.encoding_of, discovery.files)
    documents: dict[str, Document] = {}
    skipped = list(discovery.skipped)
    step = max(1, len(discovery.files) // _REPORTS)
    for done, found in enumerate(discovery.files):
        if cancel is not None:
            cancel.check()
        if progress is not None and done % step == 0:
            progress(done, len(discovery.files))
        try:
            for name, one in _read_file(found, reading, cancel):
                if isinstance(one, str):
                    skipped.append(Skipped(name, one))
                elif documents.setdefault(one.id, one) is not one:
                    taken = f"its id {visible(one.id)!r} is that of another document"
                    skipped.append(Skipped(name, taken))
        except DecodeError as error:
            skipped.append(Skipped(found.id, str(error)))
        except OSError as error:
            skipped.append(Skipped(found.id, reason_of(error)))
    if progress is not None:
        progress(len(discovery.files), len(discovery.files))
    if not documents:
        raise InputError(_nothing_read(paths, skipped))
    skipped.sort(key=lambda one: one.path)
    ordered = tuple(documents[document_id] for document_id in sorted(documents))
    return Corpus(ordered, tuple(skipped), discovery.root)


def _check_names(encodings: Mapping[str, str], files: Sequence[Found]) -> None:
    if not encodings:
        return
    known = {file.id for file in files} | {file.path.name for file in files}
    for name in encodings:
        if name not in known:
            raise InputError(
                f"an encoding is given for {visible(name)!r}, which no file is called; "
                "give a document's id or a file's name"
            )


def _read_file(
    found: Found, reading: Reading, cancel: CancelToken | None
) -> Iterator[tuple[str, Document | str]]:
    """(name, document) of each document in a file; of a part that is none, why."""
    told = reading.encoding_of.get(found.id) or reading.encoding_of.get(found.path.name)
    suffix = found.path.suffix
    data, kind = _read(found.path, sniff=told is None)
    if kind is not None:
        encoding, extracted = extract_binary(data, kind, reading, cancel)
        yield found.id, _document(found, encoding, extracted, reading)
        return
    decoded = decode(data, told)
    if told is None and holds_records(suffix, reading):
        for record in records(decoded.text, reading.records, reading.record_id):
            if cancel is not None:
                cancel.check()
            name = f"{found.id}:{record.line}"
            if record.extracted is None:
                yield name, record.reason
            else:
                named = replace(found, id=record.id or name)
                yield name, _document(named, decoded.encoding, record.extracted, reading)
        return
    taken = extract_text(decoded, suffix, reading) if told is None else None
    taken = taken or Extracted(decoded.text, None, decoded.notes)
    yield found.id, _document(found, decoded.encoding, taken, reading)


def _document(found: Found, encoding: str, extracted: Extracted, reading: Reading) -> Document:
    text, origin, notes = extracted.text, extracted.origin, extracted.notes
    if origin is not None:
        notes += text_notes(text)
    if reading.newline == "lf" and "\r" in text:
        before = newline_of(text)
        text, origin = with_lf(text, origin)
        notes = (*notes, f"line ends {before} made lf: offsets refer to the converted text")
    if visible(found.id) != found.id:
        notes = (*notes, _ODD_NAME)
    return Document(found.id, text, encoding, newline_of(text), found.path, notes, origin)


def _read(path: Path, *, sniff: bool) -> tuple[bytes, str | None]:
    """A file's bytes, and its `binary_format` where `sniff` asks for it."""
    # Not to wait for a pipe that took the file's place since the folder was listed.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise DecodeError(f"{special_kind(before.st_mode) or 'a folder'}, not a regular file")
        head = stream.read(_HEAD) or b""
        kind = None
        if sniff:
            kind = binary_format(head, path.suffix)
            if kind is None:
                refuse_binary(head, path.suffix)
        data = (
            head if len(head) < _HEAD and len(head) == before.st_size else head + stream.readall()
        )
        after = os.fstat(descriptor)
    # A file that has no size of its own, as under /proc, is taken as it comes.
    same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    if not same or (before.st_size and len(data) != before.st_size):
        raise DecodeError(_CHANGED)
    return data, kind


def _nothing_read(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    where = ", ".join(visible(str(path)) for path in paths)
    if not skipped:
        return f"{where}: no file to read; give a folder that holds text files"
    reasons = "; ".join(f"{visible(one.path)}: {one.reason}" for one in skipped[:_SHOWN_REASONS])
    more = len(skipped) - _SHOWN_REASONS
    rest = f"; and {more} more" if more > 0 else ""
    verb = "was" if len(skipped) == 1 else "were"
    return f"{where}: no file can be read, {len(skipped)} {verb} skipped ({reasons}{rest})"
