"""The encoding of a file that is not held: the one with which `decode` reads its bytes."""

import codecs
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from chunkscope.text.display import visible
from chunkscope.text.loading.blocks import FileBlocks
from chunkscope.text.loading.decode import (
    STRANGE_HEAD,
    WIDE_HEAD,
    WIDE_MARKS,
    ByteCounts,
    DecodeError,
    check_encoding,
    count_bytes,
    damaged,
    few_controls,
    is_damaged,
    is_hardly_strange,
    not_in,
    refuse_binary,
    refuse_controls,
    speaks_for_mark,
    unmarked_codec,
    wide_codec,
)
from chunkscope.text.loading.legacy import plain_name, ranked_encodings

_HEAD = 8192
_HIGH = re.compile(rb"[\x80-\xff]")
_ESCAPE = b"\x1b$"
# What they read depends on more than the bytes at hand and those before them.
_WHOLE_ONLY = frozenset(("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"))
_NATIVE = "le" if sys.byteorder == "little" else "be"


@dataclass(frozen=True, slots=True)
class Encoding:
    """How bytes become text.

    Attributes:
        name: as shown to a person.
        codec: what Python calls it.
        errors: what becomes of lone surrogates.
        skip: bytes of a byte order mark that is no text.
    """

    name: str
    codec: str
    errors: str = "strict"
    skip: int = 0


class _NotTextError(Exception):
    """Bytes that an encoding does not allow, counted from behind the mark that is skipped."""

    def __init__(self, reason: str, start: int) -> None:
        super().__init__(reason)
        self.reason, self.start = reason, start


def can_be_told(encoding: str) -> bool:
    """Whether a file in this encoding can be read block by block."""
    name = codecs.lookup(encoding).name.replace("-", "_")
    return name not in _WHOLE_ONLY and codecs.lookup(encoding).incrementaldecoder is not None


def find_encoding(source: FileBlocks, told: str | None = None) -> Encoding:
    """How `decode` reads these bytes; every one of them is looked at.

    Raises:
        DecodeError: as `decode`.
        InputError: `told` is unknown.
        OSError: when they cannot be read.
        CancelledError: when it was asked for.
    """
    if told is not None:
        return _told(source, told)
    head = source.read(0, _HEAD)
    refuse_binary(head)
    seen = _look(source)
    _refuse_controls(source, seen, head)
    wide = _wide_marked(source) or _wide_unmarked(source)
    if wide is not None:
        return wide
    utf8 = Encoding("utf-8", "utf-8", "surrogatepass")
    if not _reads(source, utf8):
        return _legacy(source)
    if seen.escapes and not seen.high:
        for codec in ("iso2022_jp", "iso2022_kr"):
            if _reads(source, Encoding(codec, codec)):
                return Encoding(codec, codec)
    return utf8


def text_blocks(source: FileBlocks, encoding: Encoding) -> Iterator[str]:
    """The text in blocks.

    Raises:
        DecodeError: when the bytes are others than those that the encoding was found for.
    """
    try:
        yield from _decoded(source, encoding)
    except (_NotTextError, UnicodeError) as error:
        raise DecodeError(f"not {visible(encoding.name)}: {error}") from error


def _decoded(source: FileBlocks, encoding: Encoding) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding.codec)(encoding.errors)
    at = waiting = 0
    try:
        for block in source.blocks(encoding.skip):
            waiting = len(decoder.getstate()[0])
            yield decoder.decode(block)
            at += len(block)
        waiting = len(decoder.getstate()[0])
        yield decoder.decode(b"", True)
    except UnicodeDecodeError as error:
        raise _NotTextError(error.reason, at - waiting + error.start) from error


def _reads(source: FileBlocks, encoding: Encoding) -> bool:
    try:
        for _ in _decoded(source, encoding):
            pass
    except (_NotTextError, UnicodeError):
        return False
    return True


def _told(source: FileBlocks, told: str) -> Encoding:
    check_encoding(told)
    codec = codecs.lookup(told).name
    errors = "surrogatepass" if codec == "utf-8" else "strict"
    head = source.read(0, 4)
    skip = shift = 0
    for mark, marked_codec, name in WIDE_MARKS:
        if codec == marked_codec and head.startswith(mark):
            skip = len(mark)
            break
        if codec == name and head.startswith(mark):
            # The mark counts where Python itself takes it off.
            codec, skip, shift = marked_codec, len(mark), len(mark)
            break
    if codec in ("utf-16", "utf-32"):
        codec = f"{codec}-{_NATIVE}"
    elif codec == "utf-8-sig":
        codec, skip = "utf-8", 3 * head.startswith(codecs.BOM_UTF8)
    encoding = Encoding(told, codec, errors, skip)
    try:
        for _ in _decoded(source, encoding):
            pass
    except _NotTextError as error:
        raise not_in(told, error.reason, error.start + shift) from error
    except UnicodeError as error:
        raise DecodeError(f"not {visible(told)}: {visible(str(error))}") from error
    return encoding


@dataclass(frozen=True, slots=True)
class _Seen:
    """What all bytes together are.

    Attributes:
        high: whether any is beyond ASCII.
        escapes: whether an escape sequence of ISO 2022 may be among them.
    """

    counts: ByteCounts
    high: bool
    escapes: bool


def _look(source: FileBlocks) -> _Seen:
    nuls, controls, high, escapes = [0, 0, 0, 0], 0, False, False
    last = b""
    place = 0
    for block in source.blocks():
        counts = count_bytes(block)
        for number, count in enumerate(counts.nuls):
            nuls[(place + number) % 4] += count
        controls += counts.controls
        high = high or _HIGH.search(block) is not None
        escapes = escapes or _ESCAPE in last + block[:1] or _ESCAPE in block
        last = block[-1:]
        place += len(block)
    found = ByteCounts(source.length, (nuls[0], nuls[1], nuls[2], nuls[3]), controls)
    return _Seen(found, high, escapes)


def _refuse_controls(source: FileBlocks, seen: _Seen, head: bytes) -> None:
    if few_controls(seen.counts, head):
        return

    def begins_utf8() -> bool:
        return _begins(source, "utf-8") is not None

    def reads_as_text(codec: str) -> bool:
        beginning = _begins(source, codec)
        return beginning is not None and is_hardly_strange(beginning)

    if wide_codec(seen.counts, begins_utf8, reads_as_text):
        return
    refuse_controls(seen.counts.controls, seen.counts.length, utf8=begins_utf8())


def _begins(source: FileBlocks, codec: str) -> str | None:
    """The first characters of what is text in an encoding but for a last one that is cut."""
    decoder = codecs.getincrementaldecoder(codec)("surrogatepass")
    beginning = ""
    try:
        for block in source.blocks():
            text = decoder.decode(block)
            beginning += text[: STRANGE_HEAD - len(beginning)]
    except UnicodeDecodeError:
        return None
    return beginning


def _wide_marked(source: FileBlocks) -> Encoding | None:
    head = source.read(0, WIDE_HEAD)
    for mark, codec, name in WIDE_MARKS:
        if not head.startswith(mark):
            continue
        encoding = Encoding(name, codec, "surrogatepass", len(mark))
        try:
            for _ in _decoded(source, encoding):
                pass
        except _NotTextError as error:
            if speaks_for_mark(head, mark, codec):
                raise damaged(name, error.reason, len(mark) + error.start) from error
        else:
            return encoding
    return None


def _wide_unmarked(source: FileBlocks) -> Encoding | None:
    codec = unmarked_codec(source.read(0, WIDE_HEAD))
    if codec is None:
        return None
    encoding = Encoding(codec, codec, "surrogatepass")
    return encoding if _reads(source, encoding) else None


def _legacy(source: FileBlocks) -> Encoding:
    _refuse_damaged(source)
    for codec in ranked_encodings(source):
        if _reads_back(source, codec):
            return Encoding(plain_name(codec, source.blocks()), codec)
    raise DecodeError("its encoding cannot be told; name it if it is text")


def _refuse_damaged(source: FileBlocks) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    whole, lost = 0, source.length
    for last, block in _with_last(source):
        text = decoder.decode(block, last)
        whole += len(text) - len(text.encode("ascii", "ignore"))
        lost -= len(text.encode("utf-8"))
    if not is_damaged(whole, lost):
        return
    try:
        for _ in _decoded(source, Encoding("utf-8", "utf-8")):
            pass
    except _NotTextError as error:
        raise damaged("utf-8", error.reason, error.start) from error


def _reads_back(source: FileBlocks, codec: str) -> bool:
    """Whether the text of an encoding, encoded again, is these bytes."""
    decoder = codecs.getincrementaldecoder(codec)()
    encoder = codecs.getincrementalencoder(codec)()
    waiting = b""
    try:
        for last, block in _with_last(source):
            again = encoder.encode(decoder.decode(block, last), last)
            waiting += block
            if not waiting.startswith(again):
                return False
            waiting = waiting[len(again) :]
    except UnicodeError:
        return False
    return not waiting


def _with_last(source: FileBlocks) -> Iterator[tuple[bool, bytes]]:
    """The blocks, and an empty one at the end that is said to be the last."""
    for block in source.blocks():
        yield False, block
    yield True, b""
