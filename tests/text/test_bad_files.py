"""A folder of everything that goes wrong, through the command: one line each, the rest goes on."""

import io
import json
import os
import sys
import zlib

import pytest
from format_files import archive, docx, paragraph, pdf, word_xml

from chunkscope.cli.main import main
from chunkscope.text.loading import load as load_module
from chunkscope.text.loading.load import load_corpus

pypdf = pytest.importorskip("pypdf")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and links of POSIX")

BOMB = word_xml("<w:p/>").replace(
    "<w:document", '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:document'
)


def encrypted(data):
    writer = pypdf.PdfWriter(io.BytesIO(data))
    writer.encrypt("lamp", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def packed_page():
    packed = zlib.compress(b"BT (x) Tj ET" + b" " * 30_000_000)
    data = pdf("one")
    stream = data[data.rindex(b"<</Length") : data.rindex(b"\nendstream")]
    return data.replace(stream, b"<</Length %d/Filter/FlateDecode>>stream\n" % len(packed) + packed)


FILES = {
    "cut.pdf": (pdf("one")[:300], "a damaged or truncated PDF: "),
    "locked.pdf": (
        encrypted(pdf("one")),
        "an encrypted PDF; give --passwords FILE or set CHUNKSCOPE_PDF_PASSWORD",
    ),
    "empty.pdf": (b"", "named .pdf but empty"),
    "page.pdf": (b"\n<!DOCTYPE HTML><p>x", "named .pdf but an HTML page inside; rename it"),
    "text.pdf": (b"text", "named .pdf but no PDF inside; rename it if it is text"),
    "scan.pdf": (pdf("", ""), "a PDF without a text layer (2 pages); run OCR over it first"),
    "large.pdf": (packed_page(), "a page that unpacks to 30,000,012 bytes"),
    "lfs.pdf": (
        b"version https://git-lfs.github.com/spec/v1\n",
        "named .pdf but a Git LFS pointer inside; fetch it",
    ),
    "cut.docx": (docx(paragraph("x"))[:-30], "a damaged or truncated zip archive or Word document"),
    "empty.docx": (b"", "named .docx but empty"),
    "rich.docx": (b"{\\rtf1 x}", "named .docx but rich text inside; rename it"),
    "bomb.docx": (
        archive({"word/document.xml": word_xml(paragraph("0" * 20_000_000))}),
        "word/document.xml unpacks to 20,000,",
    ),
    "entities.docx": (
        archive({"word/document.xml": BOMB}),
        "a Word document with a document type declaration; save it anew",
    ),
    "old.doc": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "binary: an old or encrypted office document; save it as .docx without a password",
    ),
    "any.zip": (archive({"a.txt": "x"}), "binary: a zip archive; unpack it"),
    "empty.xlsx": (b"", "named .xlsx but empty"),
    "torn.txt": ("é".encode() * 200 + b"\xc3", "damaged UTF-8: "),
    "noise.bin": (bytes(range(256)) * 10, "binary: too many control characters for a text"),
}


def test_each_bad_file_is_one_line_and_the_rest_goes_on(tmp_path, capsys):
    expected = {}
    for name, (data, reason) in FILES.items():
        (tmp_path / name).write_bytes(data)
        expected[name] = reason
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    os.mkfifo(tmp_path / "pipe")
    descriptor = os.open(os.fsencode(tmp_path) + b"/broken\xff.md", os.O_CREAT | os.O_WRONLY)
    os.close(descriptor)
    expected["loop"] = "a link to a folder, not followed; give that folder itself"
    expected["self"] = "a link that cannot be followed: "
    expected["pipe"] = "a named pipe, not a regular file"
    expected["broken\\udcff.md"] = "its name is not UTF-8; rename it"
    (tmp_path / "zero.txt").write_bytes(b"")
    (tmp_path / "esc\x1b[31m.md").write_text("shown")
    (tmp_path / "word.txt").write_text("x" * 1_000_000)
    (tmp_path / "really.docx").write_bytes(pdf("a PDF after all"))
    assert main(["chunks", str(tmp_path), "--list-skipped", "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    lines = captured.err.rstrip("\n").split("\n")
    skipped = {}
    for line in lines:
        if line.startswith("skipped "):
            name, _, reason = line.removeprefix("skipped ").partition(": ")
            assert name not in skipped
            skipped[name] = reason
    # However a terminal shows the byte that is no UTF-8.
    odd = next(name for name in skipped if name.startswith("broken"))
    skipped["broken\\udcff.md"] = skipped.pop(odd)
    assert set(skipped) == set(expected)
    for name, reason in expected.items():
        assert skipped[name].startswith(reason), name
    assert "\x1b" not in captured.err + captured.out
    assert any(
        line.startswith("really.docx: read as pdf; ") and line.endswith("named .docx, a PDF inside")
        for line in lines
    )
    chunks = [json.loads(line) for line in captured.out.split("\n") if line]
    assert {one["doc"] for one in chunks} == {"esc\x1b[31m.md", "really.docx", "word.txt"}
    word = [one for one in chunks if one["doc"] == "word.txt"]
    assert (word[0]["start"], word[-1]["end"]) == (0, 1_000_000)


def test_nothing_usable_is_an_error(tmp_path, capsys):
    for name, (data, _) in FILES.items():
        (tmp_path / name).write_bytes(data)
    assert main(["chunks", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert f"no file can be read, {len(FILES)} were skipped (any.zip: binary: " in captured.err


def test_a_file_that_is_too_large_is_not_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(load_module, "LARGEST", 100_000_000)
    (tmp_path / "a.txt").write_text("a")
    with (tmp_path / "b.log").open("wb") as stream:
        stream.truncate(250_000_000)
    corpus = load_corpus([tmp_path])
    assert [one.id for one in corpus.documents] == ["a.txt"]
    assert [one.reason for one in corpus.skipped] == [
        "0.2 GB: over the 0.1 GB that are read; split it"
    ]
