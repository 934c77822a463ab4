"""Small files of each format, made by hand."""

import io
import zipfile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(*pages: str) -> bytes:
    """A PDF whose pages show these lines."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for index, text in enumerate(pages):
        shown = " T* ".join(f"({line})Tj" for line in text.split("\n")) if text else ""
        stream = f"BT /F1 12 Tf 14 TL 50 800 Td {shown} ET"
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents {5 + 2 * index} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>"
        )
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    end += f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + end.encode("latin-1")


def archive(files: dict[str, str | bytes]) -> bytes:
    """A zip archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def word_xml(body: str, root: str = "document") -> str:
    """A part of a Word document."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><w:{root} xmlns:w="{WORD}" xmlns:mc="urn:mc"'
        f' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">{body}</w:{root}>'
    )


def docx(body: str, **others: str) -> bytes:
    """A Word document with this body; `others` are further parts by name, without .xml."""
    parts = {"[Content_Types].xml": "<Types/>", "word/document.xml": word_xml(body)}
    for name, content in others.items():
        parts[f"word/{name}.xml"] = content
    return archive(dict(parts))


def paragraph(text: str) -> str:
    """A paragraph of one run."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
