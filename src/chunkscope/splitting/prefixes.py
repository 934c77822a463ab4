"""What is put before a chunk in the index: where it stands, and what it would lack by itself."""

from bisect import bisect_right
from pathlib import PurePosixPath

from chunkscope.errors import InputError
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.settings import PREFIXES, EnrichSettings
from chunkscope.text.definitions import Definitions
from chunkscope.text.document import Document
from chunkscope.text.headings import heading_paths, headings
from chunkscope.text.tables import header_above, tables


def check_enrich(enrich: EnrichSettings) -> None:
    """Refuse a prefix that is not known.

    Raises:
        InputError: naming the setting.
    """
    if enrich.prefix not in PREFIXES:
        raise InputError(
            f"prefix: {enrich.prefix!r} is not known; give one of {', '.join(PREFIXES)}"
        )


def chunk_prefixes(document: Document, cuts: Cuts, enrich: EnrichSettings) -> list[str]:
    """The prefix of each chunk of a document; its parts stand one below the other.

    The title is the first heading of Markdown or HTML, else the file's name without its ending:
    headings by `heading_pattern` stand side by side. `headings` is the path of section titles at
    the chunk's start, title first, joined by ` > `. `table` is the header row of the table that
    the chunk begins in, below that row; `definition` the first lines of the classes and functions
    that it begins in.

    Raises:
        InputError: for a `heading_pattern` that is no pattern.
    """
    parts = enrich.prefix.split("+")
    columns = []
    if "title" in parts or "headings" in parts:
        columns.append(_titles(document, cuts, enrich, path="headings" in parts))
    if "table" in parts:
        found = tables(document.text, document_id=document.id, origin=document.origin)
        columns.append([header_above(found, _begins(document, cuts, index))
                        for index in range(len(cuts))])  # fmt: skip
    if "definition" in parts:
        definitions = Definitions(document.text, document_id=document.id)
        columns.append(["\n".join(definitions.enclosing(_begins(document, cuts, index)))
                        for index in range(len(cuts))])  # fmt: skip
    return ["\n".join(filter(None, row)) for row in zip(*columns, strict=True)]


def _begins(document: Document, cuts: Cuts, index: int) -> int:
    """Where the first character of a chunk that is not white space stands."""
    start, end = int(cuts.starts[index]), int(cuts.ends[index])
    while start < end and document.text[start].isspace():
        start += 1
    return start


def _titles(document: Document, cuts: Cuts, enrich: EnrichSettings, *, path: bool) -> list[str]:
    found = headings(document.text, document_id=document.id, origin=document.origin)
    title = found[0].title if found else PurePosixPath(document.id).stem
    if not path:
        return [title] * len(cuts)
    if not found:
        found = headings(
            document.text,
            document_id=document.id,
            origin=document.origin,
            pattern=enrich.heading_pattern,
        )
    paths = [path if path[0] == title else (title, *path) for path in heading_paths(found)]
    starts = [one.span.start for one in found]
    prefixes = []
    for start in cuts.starts.tolist():
        above = bisect_right(starts, start)
        prefixes.append(" > ".join(paths[above - 1]) if above else title)
    return prefixes
