"""Parts of a zip archive, unpacked within bounds, and XML in which no entity can grow."""

import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.decode import DecodeError

MAX_BYTES = 200_000_000
"""Unpacked bytes of one part beyond which a file is refused."""

MAX_RATIO = 300
"""Unpacked to packed size beyond which a part of over `FREE_BYTES` is refused."""

FREE_BYTES = 10_000_000

_STEP = 1 << 16


def check_part(info: zipfile.ZipInfo) -> None:
    """Look at what an archive declares of a part before it is unpacked.

    Raises:
        DecodeError: when it is encrypted, or unpacks to more than is read.
    """
    if info.flag_bits & 1:
        raise DecodeError("an encrypted zip archive; save it without a password")
    large = info.file_size > FREE_BYTES and info.file_size > MAX_RATIO * info.compress_size
    if info.file_size > MAX_BYTES or large:
        raise DecodeError(
            f"{info.filename} unpacks to {info.file_size:,} bytes from {info.compress_size:,}: "
            "more than is read"
        )


def unpacked(
    archive: zipfile.ZipFile, name: str, cancel: CancelToken | None = None
) -> Iterator[bytes]:
    """The bytes of a part, some at a time.

    Raises:
        DecodeError: as `check_part` says.
        CancelledError: when `cancel` was raised meanwhile.
    """
    info = archive.getinfo(name)
    check_part(info)
    # zipfile gives no more than the declared size, and compares the checksum at the end.
    with archive.open(info) as stream:
        while data := stream.read(_STEP):
            if cancel is not None:
                cancel.check()
            yield data


def xml_parser() -> expat.XMLParserType:
    """A parser of names with their namespaces, a space between; refuses type declarations."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    return parser


def _refuse(*_: object) -> None:
    raise DecodeError("a Word document with a document type declaration; save it anew")


def parse(parser: expat.XMLParserType, data: bytes, *, last: bool = False) -> None:
    """Take in some bytes; with `last` there are no more.

    Raises:
        DecodeError: when they are not well formed.
    """
    try:
        parser.Parse(data, last)
    except expat.ExpatError as error:
        raise DecodeError(f"a damaged Word document: {error}") from error
