"""What kind of file stands before us, and the text that is in it."""

import io
import zipfile
from importlib.metadata import PackageNotFoundError, version

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.decode import Decoded
from chunkscope.text.loading.extractions import ExtractionCache, extraction_key
from chunkscope.text.loading.notebook import extract_notebook
from chunkscope.text.loading.reading import Extracted, Reading
from chunkscope.text.loading.records import record_hint

_PDF_LEAD = 1024
"""A PDF's first line may stand this far into the file."""

_REVISION = 2
"""Counted up when a text is extracted in another way than before: kept ones are made anew."""

_ENDINGS = {
    ".pdf": "pdf", ".docx": "docx", ".docm": "docx", ".pptx": "pptx", ".xlsx": "xlsx",
    ".epub": "epub",
}  # fmt: skip
_PACKAGES = {
    "pdf": "pypdf", "pptx": "markitdown", "xlsx": "openpyxl", "epub": "markitdown"
}  # fmt: skip
_ARCHIVES = (
    ("xl/workbook.xml", "xlsx"),
    ("ppt/presentation.xml", "pptx"),
    ("META-INF/container.xml", "epub"),
)
_HTML = (".html", ".htm", ".xhtml")


def is_extracted(name: str) -> bool:
    """Whether a file's name is that of a format whose text must be extracted, which takes time."""
    return name[name.rfind(".") :].lower() in _ENDINGS


def binary_format(head: bytes, suffix: str) -> str | None:
    """`pdf` or `zip`, when a file's first bytes say so; its text must be extracted."""
    if head.startswith(b"%PDF-") or (suffix.lower() == ".pdf" and b"%PDF-" in head[:_PDF_LEAD]):
        return "pdf"
    return "zip" if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) else None


def extract_binary(
    data: bytes,
    kind: str,
    reading: Reading,
    *,
    extractions: ExtractionCache | None = None,
    cancel: CancelToken | None = None,
) -> tuple[str, Extracted]:
    """The format's name as shown, and the text of a file of this `binary_format`.

    Raises:
        DecodeError: when it holds no text that can be read; the message says why.
        CancelledError: when `cancel` was raised meanwhile.
    """
    name = _archive_format(data) if kind == "zip" else kind
    options = (
        {"join_hyphens": reading.join_hyphens, "drop_running": reading.drop_running}
        if name == "pdf"
        else {}
    )
    key = extraction_key(data, _extractor(name), options)
    kept = extractions.get(key) if extractions is not None else None
    if kept is not None:
        return name, kept
    extracted = _extract(data, name, reading, cancel)
    if extractions is not None:
        extractions.put(key, extracted)
    return name, extracted


def _archive_format(data: bytes) -> str:
    """What an archive is, by the parts that it has; `docx` where nothing else is known."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = frozenset(archive.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return "docx"
    return next((name for part, name in _ARCHIVES if part in parts), "docx")


def _extractor(name: str) -> str:
    """The name and version of what reads a format, this package's own part in it counted."""
    package = _PACKAGES.get(name, "")
    try:
        return (
            f"{name} {_REVISION} {package} {version(package)}" if package else f"{name} {_REVISION}"
        )
    except PackageNotFoundError:
        return f"{name} {_REVISION} {package}"


def _extract(data: bytes, name: str, reading: Reading, cancel: CancelToken | None) -> Extracted:
    if name == "pdf":
        from chunkscope.text.loading.pdf import extract_pdf

        return extract_pdf(
            data,
            passwords=reading.passwords,
            join_hyphens=reading.join_hyphens,
            drop_running=reading.drop_running,
            cancel=cancel,
        )
    if name == "docx":
        from chunkscope.text.loading.docx import extract_docx

        return extract_docx(data, cancel=cancel)
    from chunkscope.text.loading.converted import extract_converted

    return extract_converted(data, name, cancel=cancel)


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
