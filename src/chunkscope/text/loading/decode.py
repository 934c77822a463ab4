"""Bytes to text: the encoding told or found, nothing dropped, nothing replaced."""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass

from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.loading.legacy import find_legacy
from chunkscope.text.loading.signatures import known_binary

_SURROGATE = re.compile("[\ud800-\udfff]")
_HIGH = re.compile(rb"[\x80-\xff]")
_PLAIN = re.compile(rb"[A-Za-z\s]")

# Bytes that text hardly holds; white space, backspace and escape are left out.
_CONTROLS = bytes((*range(0x08), 0x0E, 0x0F, *range(0x10, 0x1B), *range(0x1C, 0x20), 0x7F))
_FEW = 3

WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
_MARKS = tuple(mark for mark, _, _ in WIDE_MARKS)
_MARKED_HEAD = 100

STRANGE_HEAD = 4096
"""First characters of a text that tell whether it is one."""

WIDE_HEAD = 65536
"""First bytes of a file that tell whether it is UTF-16 or UTF-32 without a mark."""


class DecodeError(ValueError):
    """The bytes are not text that can be read without loss; the message says why."""


@dataclass(frozen=True, slots=True)
class ByteCounts:
    """What is counted of bytes to tell what they are.

    Attributes:
        length: how many.
        nuls: NUL bytes at places that leave 0, 1, 2 and 3 when divided by 4.
        controls: bytes that text hardly holds.
    """

    length: int
    nuls: tuple[int, int, int, int]
    controls: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding it was read with, and what a person should know of it."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def check_encoding(encoding: str) -> None:
    """Make sure that Python knows a text encoding by this name.

    Raises:
        InputError: when it does not.
    """
    known = True
    try:
        b"x".decode(encoding)
    except UnicodeError:
        pass
    except (LookupError, ValueError):
        known = False
    if not known:
        raise InputError(
            f"encoding {visible(encoding)!r} is unknown; give one such as utf-8, cp1252, shift_jis"
        )


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of a file, read with `encoding`, or with the one its bytes speak for.

    A byte order mark of UTF-8 stays in the text as U+FEFF, that of UTF-16 and UTF-32 does not.
    Line ends and NUL characters stay as they are. Lone surrogates are kept.

    Raises:
        DecodeError: binary data, bytes that the encoding told or marked does not allow, or text
            whose encoding cannot be told.
        InputError: `encoding` is unknown.
    """
    if encoding is not None:
        return _told(data, encoding)
    refuse_binary(data)
    return _wide_marked(data) or _wide_unmarked(data) or _utf8(data) or _legacy(data)


def refuse_binary(head: bytes, suffix: str = "") -> None:
    """Look at a file's first bytes, so that a large binary file need not be read whole.

    Raises:
        DecodeError: when they are no text; the message says what they are.
    """
    known = known_binary(head, suffix)
    if known is not None:
        raise DecodeError(known)
    controls = _controls(head)
    if controls <= _FEW or head.startswith(_MARKS) or unmarked_codec(head):
        return
    refuse_controls(controls, len(head), utf8=_begins_utf8(head))


def refuse_controls(controls: int, length: int, *, utf8: bool) -> None:
    """Make sure that bytes without a wide encoding hold no more controls than a text may.

    Raises:
        DecodeError: when they do.
    """
    if controls > (0.3 if utf8 else 0.05) * length:
        raise DecodeError("binary: too many control characters for a text")


def few_controls(counts: ByteCounts, head: bytes) -> bool:
    """Whether bytes, given the first of them, are not to be refused for their controls."""
    return counts.controls <= _FEW or head.startswith(_MARKS)


def _begins_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("surrogatepass").decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _told(data: bytes, encoding: str) -> Decoded:
    check_encoding(encoding)
    codec = codecs.lookup(encoding).name
    for mark, marked_codec, _ in WIDE_MARKS:
        if codec == marked_codec and data.startswith(mark):
            data = data[len(mark) :]
    try:
        text = _surrogates_kept(data) if codec == "utf-8" else data.decode(codec)
    except UnicodeDecodeError as error:
        raise not_in(encoding, error.reason, error.start) from error
    except UnicodeError as error:
        raise DecodeError(f"not {visible(encoding)}: {visible(str(error))}") from error
    return Decoded(text, encoding, (*text_notes(text, codec), "its encoding was given"))


def not_in(encoding: str, reason: str, start: int) -> DecodeError:
    """The encoding that was told does not allow the bytes at `start`."""
    return DecodeError(
        f"not {visible(encoding)}: {reason} at byte {start}; "
        "name another encoding, or none to have it found"
    )


def _surrogates_kept(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogatepass")


def text_notes(text: str, codec: str = "utf-8") -> tuple[str, ...]:
    """What is unusual in a text that was read with this codec: a mark, surrogates, NULs."""
    notes: list[str] = []
    if codec == "utf-8" and text.startswith("\ufeff"):
        notes.append("begins with a byte order mark, kept: U+FEFF counts in every offset")
    if codec.startswith("utf") and not text.isascii():
        lone = len(_SURROGATE.findall(text))
        if lone:
            notes.append(f"lone surrogates, kept: {lone}")
    nuls = text.count("\0")
    if nuls:
        notes.append(f"NUL characters, kept: {nuls}")
    return tuple(notes)


def _wide_marked(data: bytes) -> Decoded | None:
    for mark, codec, name in WIDE_MARKS:
        if not data.startswith(mark):
            continue
        try:
            text = data[len(mark) :].decode(codec, "surrogatepass")
        except UnicodeDecodeError as error:
            if speaks_for_mark(data[:WIDE_HEAD], mark, codec):
                raise damaged(name, error.reason, len(mark) + error.start) from error
        else:
            return Decoded(text, name, text_notes(text, codec))
    return None


def speaks_for_mark(head: bytes, mark: bytes, codec: str) -> bool:
    """Whether a file is in the encoding of its mark, which yet does not read all of it.

    Args:
        head: its first bytes, at most `WIDE_HEAD`.
        mark: the one it begins with.
        codec: the encoding that the mark stands for.
    """
    rest = head[len(mark) :]
    controls = _controls(head)
    # The mark is there by chance before UTF-8 and before text of single bytes. These have no NUL,
    # and two of their bytes taken together are no text, unless they are mostly ASCII.
    if not controls and (_begins_utf8(rest) or len(_PLAIN.findall(head)) * 3 > len(head) * 2):
        return False
    try:
        text = codecs.getincrementaldecoder(codec)("surrogatepass").decode(rest)
    except UnicodeDecodeError as error:
        text = rest[: error.start].decode(codec, "surrogatepass")
        if not text:
            return False
    # A byte that is lost turns all text behind it into other characters.
    text = text[:_MARKED_HEAD]
    return is_hardly_strange(_SURROGATE.sub("", text) if controls else text)


def _wide_unmarked(data: bytes) -> Decoded | None:
    codec = unmarked_codec(data[:WIDE_HEAD])
    if codec is None:
        return None
    try:
        text = data.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return None
    notes = ("no byte order mark: found by its bytes", *text_notes(text, codec))
    return Decoded(text, codec, notes)


def unmarked_codec(head: bytes) -> str | None:
    """The wide encoding without a mark that a file's first bytes speak for."""
    if not head.count(0):
        return None
    return wide_codec(
        count_bytes(head), lambda: _begins_utf8(head), lambda codec: _reads_as_text(head, codec)
    )


def wide_codec(
    counts: ByteCounts, begins_utf8: Callable[[], bool], reads_as_text: Callable[[str], bool]
) -> str | None:
    """The wide encoding without a mark that bytes speak for.

    Args:
        counts: of the bytes.
        begins_utf8: whether they are UTF-8 but for a last character that is cut.
        reads_as_text: whether they are text in an encoding, a last character that is cut left out.
    """
    # ASCII characters, spaces and line ends leave a NUL in every second byte, or three of four;
    # which ones tells the byte order.
    length, nuls = counts.length, counts.nuls
    if not any(nuls):
        return None
    quarter = length // 4
    if length % 4 == 0 and nuls[3] == quarter > nuls[0] and nuls[2] > 0.9 * quarter:
        return "utf-32-le" if reads_as_text("utf-32-le") else None
    if length % 4 == 0 and nuls[0] == quarter > nuls[3] and nuls[1] > 0.9 * quarter:
        return "utf-32-be" if reads_as_text("utf-32-be") else None
    # In all other texts NULs are rare and stand at odd and even places alike, and other controls
    # are rare too; here the upper bytes of most scripts are among them.
    first, second = nuls[0] + nuls[2], nuls[1] + nuls[3]
    many, few = max(first, second), min(first, second)
    least = 0.3 if begins_utf8() or many == counts.controls else 0.03
    if many < _FEW or few * 20 > many or counts.controls < least * length:
        return None
    codec = "utf-16-le" if second > first else "utf-16-be"
    return codec if reads_as_text(codec) else None


def count_bytes(data: bytes) -> ByteCounts:
    """The counts of bytes that stand at the beginning, or at a place divisible by 4."""
    # Most texts have no NUL at all.
    some = data.count(0) > 0
    nuls = [data[place::4].count(0) if some else 0 for place in range(4)]
    return ByteCounts(len(data), (nuls[0], nuls[1], nuls[2], nuls[3]), _controls(data))


def _controls(data: bytes) -> int:
    return len(data) - len(data.translate(None, _CONTROLS))


def _reads_as_text(head: bytes, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)("surrogatepass")
    try:
        text = decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return is_hardly_strange(text)


def is_hardly_strange(text: str) -> bool:
    """Whether the first characters are such as text has."""
    strange = sum(
        not (character.isprintable() or character.isspace() or character in "\x1b\x08\xad\ufeff")
        for character in text[:STRANGE_HEAD]
    )
    return strange * 50 <= min(len(text), STRANGE_HEAD)


def _utf8(data: bytes) -> Decoded | None:
    try:
        text = _surrogates_kept(data)
    except UnicodeDecodeError:
        return None
    if b"\x1b$" in data and not _HIGH.search(data):
        for codec in ("iso2022_jp", "iso2022_kr"):
            try:
                return Decoded(data.decode(codec), codec, ("found by its escape sequences",))
            except UnicodeDecodeError:
                continue
    return Decoded(text, "utf-8", text_notes(text, "utf-8"))


def _legacy(data: bytes) -> Decoded:
    _refuse_damaged(data)
    found = find_legacy(data)
    if found is None:
        raise DecodeError("its encoding cannot be told; name it if it is text")
    text, encoding = found
    return Decoded(text, encoding, (*text_notes(text, encoding), "not UTF-8: found by its letters"))


def _refuse_damaged(data: bytes) -> None:
    rest = data.decode("utf-8", "ignore")
    whole = sum(1 for _ in re.finditer("[^\x00-\x7f]", rest))
    if not is_damaged(whole, len(data) - len(rest.encode("utf-8"))):
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged("utf-8", error.reason, error.start) from error


def is_damaged(whole: int, lost: int) -> bool:
    """Whether bytes are UTF-8 but for a few, which no other encoding's letters are made of.

    Args:
        whole: characters beyond ASCII that they hold as UTF-8.
        lost: bytes of no such character.
    """
    return whole >= 10 and lost * 10 <= whole


def damaged(encoding: str, reason: str, start: int) -> DecodeError:
    """The bytes are UTF-8, UTF-16 or UTF-32, damaged at `start`."""
    return DecodeError(
        f"damaged {encoding.upper()}: {reason} at byte {start}; "
        "mend it, or name the encoding to read it as"
    )
