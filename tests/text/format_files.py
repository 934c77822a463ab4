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


def pdf_of(*pages: bytes, forms: dict[str, bytes] | None = None) -> bytes:
    """A PDF of pages with these contents; each may show the forms, and a form the others."""
    named = " ".join(f"/{name} {4 + at} 0 R" for at, name in enumerate(forms or {}))
    resources = f"/Resources<</Font<</F1 3 0 R>>/XObject<<{named}>>>>".encode()
    first = 4 + len(forms or {})
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    objects += [
        b"<</Type/XObject/Subtype/Form/BBox[0 0 600 850]" + resources
        + b"/Length %d>>stream\n%b\nendstream" % (len(content), content)
        for content in (forms or {}).values()
    ]  # fmt: skip
    for at, content in enumerate(pages):
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]"
            b"/Contents %d 0 R" % (first + 2 * at + 1)
            + resources + b">>"
        )  # fmt: skip
        objects.append(b"<</Length %d>>stream\n%b\nendstream" % (len(content), content))
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, table)
    end += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(out),
    )
    return out + end


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


def epub(*chapters: str) -> bytes:
    """An e-book with these bodies of HTML as its chapters."""
    names = [f"c{number}" for number in range(len(chapters))]
    items = "".join(f'<item id="{name}" href="{name}.xhtml"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    files: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles>'
        "</container>",
        "c.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Port'
        f"</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    for name, chapter in zip(names, chapters, strict=True):
        files[f"{name}.xhtml"] = f"<html><body>{chapter}</body></html>"
    return archive(files)


def xlsx(**sheets: list[list[str | int | None]]) -> bytes:
    """A workbook of sheets by their names, each of rows of cells."""
    ns = "http://schemas.openxmlformats.org"
    main, rels = f"{ns}/spreadsheetml/2006/main", f"{ns}/package/2006/relationships"
    office = f"{ns}/officeDocument/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    numbers = range(1, len(sheets) + 1)
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{ns}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        'relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/s{number}.xml" ContentType="{kind}.worksheet+xml"/>'
            for number in numbers
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r"'
        f' Target="xl/workbook.xml" Type="{office}/officeDocument"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>'
            for number, name in enumerate(sheets, 1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{rels}">'
        + "".join(
            f'<Relationship Id="r{number}" Target="s{number}.xml" Type="{office}/worksheet"/>'
            for number in numbers
        )
        + "</Relationships>",
    }
    for number, rows in enumerate(sheets.values(), 1):
        made = "".join(
            f'<row r="{at}">{"".join(_cell(at, column, cell) for column, cell in enumerate(row))}'
            "</row>"
            for at, row in enumerate(rows, 1)
        )
        files[f"xl/s{number}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{made}</sheetData></worksheet>'
        )
    return archive(files)


def _cell(row: int, column: int, value: str | int | None) -> str:
    place = f"{chr(65 + column)}{row}"
    if value is None:
        return ""
    if isinstance(value, int):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
