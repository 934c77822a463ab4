"""What binary data is by its first bytes, and what stands in a file that is named as such."""

import codecs

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF; convert it to text first"),
    (b"PK\x03\x04", "a zip archive or an office document; convert it to text first"),
    (b"PK\x05\x06", "an empty zip archive"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old or encrypted office document; save it as .docx without a password",
    ),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly program"),
    (b"\xca\xfe\xba\xbe", "a compiled Java class"),
    (b"OggS", "an Ogg recording"),
    (b"wOF2", "a font"),
    (b"wOFF", "a font"),
)
_BEGINNINGS = tuple(signature for signature, _ in _SIGNATURES)
_NAMED = {
    ".pdf": "PDF", ".docx": "Word document", ".docm": "Word document",
    ".pptx": "presentation", ".xlsx": "workbook", ".epub": "EPUB",
}  # fmt: skip
_LFS_POINTER = "a Git LFS pointer"
_BEGINNINGS_OF_TEXT = (
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<?xml", "XML"),
    (b"{\\rtf", "rich text"),
    (b"version https://git-lfs", _LFS_POINTER),
)
_BZIP2_BLOCK = b"1AY&SY"


def known_binary(head: bytes, suffix: str = "") -> str | None:
    """Why a file with these first bytes and this suffix is no text, where that is known."""
    if head.startswith(_BEGINNINGS):
        for signature, what in _SIGNATURES:
            if head.startswith(signature) and (signature != b"BZh" or head[4:10] == _BZIP2_BLOCK):
                return f"binary: {what}"
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI ", b"WEBP"):
        return "binary: a recording or an image"
    if head[4:8] == b"ftyp":
        return "binary: a film or an image"
    named = _NAMED.get(suffix.lower())
    if named is not None:
        inside = f"{_inside(head, named)}" if head else "empty"
        return f"named {suffix.lower()} but {inside}"
    return None


def _inside(head: bytes, named: str) -> str:
    """What stands in a file that is named as a binary format."""
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()[:64].lower()
    for beginning, what in _BEGINNINGS_OF_TEXT:
        if start.startswith(beginning):
            return f"{what} inside; {'fetch' if what == _LFS_POINTER else 'rename'} it"
    return f"no {named} inside; rename it if it is text"
