"""The corpus of files and folders."""

import os
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.loading.decode import DecodeError, check_encoding, decode, refuse_binary
from chunkscope.text.loading.discover import Found, discover, reason_of, special_kind

_HEAD = 8192
_SHOWN_REASONS = 3


def load_corpus(
    paths: Sequence[Path],
    *,
    encoding_of: Mapping[str, str] | None = None,
    exclude: Collection[Path] = (),
    progress: Callable[[int, int], None] | None = None,
    cancel: CancelToken | None = None,
) -> Corpus:
    """Read the documents of `paths` (files and folders).

    Args:
        paths: files and folders; of several, the deepest common folder is the root.
        encoding_of: encoding by document id or file name; others are found.
        exclude: files that are silently no part of it, such as the golden set.
        progress: called with files done and files in all.
        cancel: looked at between two files.

    Raises:
        InputError: a path that does not exist, an unknown encoding, a name in `encoding_of` that
            no file has, or nothing that can be read.
        CancelledError: when `cancel` was raised meanwhile.
    """
    encodings = encoding_of or {}
    for encoding in encodings.values():
        check_encoding(encoding)
    discovery = discover(paths, exclude=exclude)
    _check_names(encodings, discovery.files)
    documents: list[Document] = []
    skipped = list(discovery.skipped)
    for done, found in enumerate(discovery.files):
        if cancel is not None:
            cancel.check()
        if progress is not None:
            progress(done, len(discovery.files))
        given = encodings.get(found.id) or encodings.get(found.path.name)
        try:
            documents.append(_read_document(found, given))
        except DecodeError as error:
            skipped.append(Skipped(found.id, str(error)))
        except OSError as error:
            skipped.append(Skipped(found.id, reason_of(error)))
    if progress is not None:
        progress(len(discovery.files), len(discovery.files))
    if not documents:
        raise InputError(_nothing_read(paths, skipped))
    skipped.sort(key=lambda one: one.path)
    return Corpus(tuple(documents), tuple(skipped), discovery.root)


def newline_of(text: str) -> str:
    """The line ends that stand in `text`: `lf`, `crlf`, `cr`, `mixed` or `none`."""
    pairs = text.count("\r\n")
    kinds = {
        "crlf": pairs,
        "lf": text.count("\n") - pairs,
        "cr": text.count("\r") - pairs,
    }
    present = [name for name, count in kinds.items() if count]
    return "mixed" if len(present) > 1 else present[0] if present else "none"


def _check_names(encodings: Mapping[str, str], files: Sequence[Found]) -> None:
    known = {file.id for file in files} | {file.path.name for file in files}
    for name in encodings:
        if name not in known:
            raise InputError(
                f"an encoding is given for {visible(name)!r}, which no file is called; "
                "give a document's id or a file's name"
            )


def _read_document(found: Found, encoding: str | None) -> Document:
    data = _read(found.path, sniff=encoding is None)
    decoded = decode(data, encoding)
    notes = list(decoded.notes)
    if visible(found.id) != found.id:
        notes.append("its name holds control or invisible characters")
    return Document(
        found.id,
        decoded.text,
        decoded.encoding,
        newline_of(decoded.text),
        found.path,
        tuple(notes),
    )


def _read(path: Path, *, sniff: bool) -> bytes:
    # Not to wait for a pipe that took the file's place since the folder was listed.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as stream:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise DecodeError(f"{special_kind(mode) or 'a folder'}, not a regular file")
        head = stream.read(_HEAD)
        if sniff:
            refuse_binary(head, path.suffix)
        return head + stream.read()


def _nothing_read(paths: Sequence[Path], skipped: Sequence[Skipped]) -> str:
    where = ", ".join(visible(str(path)) for path in paths)
    if not skipped:
        return f"{where}: no file to read; give a folder that holds text files"
    reasons = "; ".join(f"{visible(one.path)}: {one.reason}" for one in skipped[:_SHOWN_REASONS])
    more = len(skipped) - _SHOWN_REASONS
    rest = f"; and {more} more" if more > 0 else ""
    verb = "was" if len(skipped) == 1 else "were"
    return f"{where}: no file can be read, {len(skipped)} {verb} skipped ({reasons}{rest})"
