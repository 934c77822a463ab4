"""The text layer of a PDF, page by page, as pypdf reads it."""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.pdfdamage import guarded
from chunkscope.text.loading.pdfdrawing import Drawing
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.loading.running import running_note, without_running
from chunkscope.text.loading.watched import watched
from chunkscope.text.origin import Origin, joined

if TYPE_CHECKING:
    from pypdf import PdfReader

PAGE_BREAK = "\n\f"
"""Between two pages; LangChain's PyPDFLoader in its single mode writes the same."""

PASSWORD_VARIABLE = "CHUNKSCOPE_PDF_PASSWORD"
"""The environment variable that may hold a password."""

MAX_BYTES = 200_000_000
"""Bytes that all pages may unpack to."""

_MAX_PAGE_BYTES = 20_000_000
_SHOWN_PAGES = 8
_SHOWN_MESSAGE = 120
_HYPHEN = re.compile(
    r"(?P<before>[^\W\d_]+)(?P<mark>[-\u00ad\u2010])[ \t]*\n[ \t]*(?=(?P<after>[^\W\d_]+))"
)
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_KEEPS = frozenset(
    {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "self"}
)
"""Before these a hyphen belongs to the word, wherever a line ends."""


def extract_pdf(
    data: bytes,
    *,
    passwords: Sequence[str] = (),
    join_hyphens: bool = False,
    drop_running: bool = False,
    cancel: CancelToken | None = None,
) -> Extracted:
    """The text of every page, with pages as parts.

    Raises:
        DecodeError: pypdf is not installed, no password fits, the file is damaged, no page has
            text, or pages unpack to more than is read.
        CancelledError: when `cancel` was raised meanwhile.
    """
    try:
        import pypdf
    except ImportError:
        raise DecodeError("a PDF: pip install 'chunkscope[pdf]' reads it") from None
    with _warnings() as warnings:
        reader = guarded(pypdf.PdfReader, io.BytesIO(data))
        secret = _unlock(reader, passwords)
        count = guarded(lambda: len(reader.pages))
        texts: list[str] = []
        unread: dict[int, str] = {}
        unpacked = 0
        drawing = Drawing(cancel)
        for number in range(1, count + 1):
            if cancel is not None:
                cancel.check()
            text = ""
            try:
                size, text = guarded(_page, reader, number - 1, drawing, cancel)
            except DecodeError as error:
                unread[number] = str(error)
            else:
                unpacked += size
                if unpacked > MAX_BYTES:
                    raise DecodeError(f"a PDF whose pages unpack to over {MAX_BYTES:,} bytes")
            texts.append(text)
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    warned = [f"pypdf warns: {warnings[0]}{more}"] if warnings else []
    if unread and len(unread) == count:
        raise DecodeError(next(iter(unread.values())))
    empty = [
        number for number, text in enumerate(texts, 1) if number not in unread and not text.strip()
    ]
    counted = f"{count} page{'' if count == 1 else 's'}"
    if len(empty) + len(unread) == count:
        what = f"a PDF without a text layer ({counted}); run OCR over it first"
        raise DecodeError(f"no text in this PDF; {warned[0]}" if warned else what)
    notes = [
        f"{counted} of a PDF read by pypdf {pypdf.__version__}: offsets refer to the extracted text"
    ]
    if drop_running:
        texts, running = without_running(texts)
        notes.append(running_note(running))
    if join_hyphens:
        texts = _without_hyphens(texts)
        notes.append("words parted by a hyphen at a line's end are joined")
    pages = [(f"page {number}", text) for number, text in enumerate(texts, 1)]
    text, parts = joined(pages, PAGE_BREAK)
    if empty:
        notes.append(f"without a text layer: {_listed(empty)}")
    if unread:
        notes.append(f"cannot be read, left out: {_listed(list(unread))}")
    return Extracted(text, Origin("PDF", parts), (*notes, *warned), secret=secret)


def _without_hyphens(texts: list[str]) -> list[str]:
    """The pages with the words joined that lines part.

    The hyphen stays in a word that has it elsewhere in the document within a line, too.
    """
    hyphenated = {word.lower() for text in texts for word in _HYPHENATED.findall(text)}

    def join(match: re.Match[str]) -> str:
        before, mark, after = match["before"], match["mark"], match["after"]
        own = mark != "\u00ad" and (
            before.lower() in _KEEPS or f"{before}-{after}".lower() in hyphenated
        )
        return f"{before}-" if own else before

    return [_HYPHEN.sub(join, text) for text in texts]


def _page(
    reader: "PdfReader", index: int, drawing: Drawing, cancel: CancelToken | None
) -> tuple[int, str]:
    """Bytes that a page unpacks to, and its text."""
    page = reader.pages[index]
    contents = page.get_contents()
    data = b"" if contents is None else contents.get_data()
    size = len(data)
    if size > _MAX_PAGE_BYTES:
        raise DecodeError(f"a page that unpacks to {size:,} bytes")
    heavy = drawing.leave_out(page, data)
    if cancel is None:
        return size, page.extract_text()

    def extract() -> str:
        # Figures without text are parsed only where something looks at each step.
        return page.extract_text(visitor_operand_before=lambda *_: cancel.check())

    # No step is taken before all is parsed.
    return size, watched(extract, cancel) if heavy else extract()


def _unlock(reader: "PdfReader", passwords: Sequence[str]) -> bool:
    """Open an encrypted file; whether a password was needed."""
    if not guarded(lambda: reader.is_encrypted):
        return False
    # Many PDFs are encrypted with an empty password, only to forbid printing or copying.
    for password in ("", *passwords):
        if guarded(reader.decrypt, password):
            return bool(password)
    tried = (
        f"none of --passwords and {PASSWORD_VARIABLE} opens it"
        if passwords
        else f"give --passwords FILE or set {PASSWORD_VARIABLE}"
    )
    raise DecodeError(f"an encrypted PDF; {tried}")


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """What pypdf logs meanwhile, each message once; it does not reach the screen."""
    messages: dict[str, None] = {}

    class _Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said = " ".join(visible(record.getMessage()).split())[:_SHOWN_MESSAGE]
            messages.setdefault(said)

    found: list[str] = []
    collector = _Collector(logging.WARNING)
    logger = logging.getLogger("pypdf")
    logger.addHandler(collector)
    try:
        yield found
    finally:
        logger.removeHandler(collector)
        found.extend(messages)


def _listed(pages: Sequence[int]) -> str:
    shown = ", ".join(str(page) for page in pages[:_SHOWN_PAGES])
    more = f" and {len(pages) - _SHOWN_PAGES} more" if len(pages) > _SHOWN_PAGES else ""
    return f"page{'' if len(pages) == 1 else 's'} {shown}{more}"
