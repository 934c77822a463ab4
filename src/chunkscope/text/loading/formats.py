"""What kind of file stands before us, and the text that is in it."""

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.decode import Decoded
from chunkscope.text.loading.notebook import extract_notebook
from chunkscope.text.loading.reading import Extracted, Reading
from chunkscope.text.loading.records import record_hint

_PDF_LEAD = 1024
"""A PDF's first line may stand this far into the file."""

_ENDINGS = {".pdf": "pdf", ".docx": "docx", ".docm": "docx"}
_HTML = (".html", ".htm", ".xhtml")


def binary_format(head: bytes, suffix: str) -> str | None:
    """`pdf` or `zip`, when a file's first bytes say so; its text must be extracted."""
    if head.startswith(b"%PDF-") or (suffix.lower() == ".pdf" and b"%PDF-" in head[:_PDF_LEAD]):
        return "pdf"
    return "zip" if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) else None


def extract_binary(
    data: bytes, kind: str, reading: Reading, cancel: CancelToken | None = None
) -> tuple[str, Extracted]:
    """The format's name as shown, and the text of a file of this `binary_format`.

    Raises:
        DecodeError: when it holds no text that can be read; the message says why.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if kind == "pdf":
        from chunkscope.text.loading.pdf import extract_pdf

        return "pdf", extract_pdf(
            data,
            passwords=reading.passwords,
            join_hyphens=reading.join_hyphens,
            drop_running=reading.drop_running,
            cancel=cancel,
        )
    from chunkscope.text.loading.docx import extract_docx

    return "docx", extract_docx(data, cancel=cancel)


def mislabelled(suffix: str, kind: str) -> tuple[str, ...]:
    """What to say of a file whose name speaks of another format than what is inside."""
    named = _ENDINGS.get(suffix.lower())
    return (
        (f"named {suffix.lower()}, a {kind.upper()} inside",) if named not in (None, kind) else ()
    )


def extract_text(decoded: Decoded, suffix: str, reading: Reading) -> Extracted | None:
    """What is taken out of a text of this kind of file; None where it stays as it is."""
    if suffix.lower() == ".ipynb":
        note = "named .ipynb but no notebook inside: read as text"
        return extract_notebook(decoded.text) or Extracted(
            decoded.text, None, (*decoded.notes, note)
        )
    if reading.html and suffix.lower() in _HTML:
        from chunkscope.text.loading.webtext import extract_html

        return extract_html(decoded.text)
    hint = record_hint(decoded.text, suffix)
    return Extracted(decoded.text, None, (*decoded.notes, hint)) if hint else None
