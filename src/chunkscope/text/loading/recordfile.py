"""Records of a large file of JSON Lines, read one after another: the file is never held."""

from collections.abc import Iterable, Iterator

from chunkscope.cancel import CancelToken
from chunkscope.text.document import Document
from chunkscope.text.loading.blocks import FileBlocks
from chunkscope.text.loading.blockwise import can_be_told, find_encoding, text_blocks
from chunkscope.text.loading.discover import Found
from chunkscope.text.loading.load import documents_of, kind_of, opened
from chunkscope.text.loading.reading import Reading, Told
from chunkscope.text.loading.records import holds_lines, line_records

LARGE = 4_000_000
"""Bytes of a file from which on it is read so; a smaller one costs less when it is held."""


def is_large_lines(found: Found, told: Told | None) -> bool:
    """Whether a file's records, if it has any, are read one after another.

    Raises:
        OSError: when nothing is known of the file.
    """
    if not holds_lines(found.suffix) or (told is not None and told.exact):
        return False
    return found.path.stat().st_size >= LARGE and (told is None or can_be_told(told.encoding))


def large_parts(
    found: Found, told: Told | None, reading: Reading, cancel: CancelToken | None
) -> Iterator[tuple[str, Document | str, bool]]:
    """What `read_parts` gives of the records of a large file; nothing where it has none.

    That the file changed meanwhile is known at the end: what was given is then none of it.

    Raises:
        DecodeError: when it cannot be read as text, or has changed; the message says which.
        OSError: when it cannot be read at all.
        CancelledError: when `cancel` was raised meanwhile.
    """
    with opened(found.where) as (stream, before):
        _, kind = kind_of(stream, found.suffix)
        if kind is not None:
            return
        source = FileBlocks(stream, before, cancel)
        encoding = find_encoding(source, None if told is None else told.encoding)

        def blocks() -> Iterable[str]:
            return text_blocks(source, encoding)

        records = line_records(blocks, reading)
        if records is not None:
            yield from documents_of(found, encoding.name, records, reading, cancel)
        source.check_unchanged()
