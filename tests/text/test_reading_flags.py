"""The flags that say how files are read, through the command itself."""

import json

import pytest
from format_files import docx, paragraph, pdf

from chunkscope.cli.main import main


def run(capsys, *arguments):
    code = main(["chunks", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def chunks(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--format", "jsonl")
    assert code == 0
    usual = ("warning: separators", "read: ")
    said = [line for line in err.split("\n") if line and not line.startswith(usual)]
    return [json.loads(line) for line in out.split("\n") if line], said


def test_extracted_documents_are_cut_and_said(tmp_path, capsys):
    pytest.importorskip("pypdf")
    (tmp_path / "a.pdf").write_bytes(pdf("The mainte-\nnance"))
    (tmp_path / "b.docx").write_bytes(docx(paragraph("Word")))
    found, said = chunks(capsys, tmp_path)
    assert [(one["doc"], one["text"]) for one in found] == [
        ("a.pdf", "The mainte-\nnance"), ("b.docx", "Word"),
    ]  # fmt: skip
    assert "b.docx: read as docx; a Word document: offsets refer to the extracted text" in said
    found, _ = chunks(capsys, tmp_path, "--join-hyphens")
    assert found[0]["text"] == "The maintenance"
    assert [one["place"] for one in found] == ["page 1", "paragraph 1"]
    _, said = chunks(capsys, tmp_path, "--drop-running")
    assert any(line.endswith("; no running lines found") for line in said)


def test_places_have_a_column_where_a_document_has_any(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("Berth,Fee\nNorth,4")
    _, out, _ = run(capsys, tmp_path)
    lines = [line.split() for line in out.split("\n") if line.startswith((" doc", " a.csv"))]
    assert [line[6:11] for line in lines] == [
        ["marks", "place", "text"], ["row", "1", "to", "row", "2"],
    ]  # fmt: skip
    (tmp_path / "a.csv").rename(tmp_path / "a.txt")
    _, out, _ = run(capsys, tmp_path)
    assert "place" not in out


def test_line_ends_html_and_records(tmp_path, capsys):
    (tmp_path / "a.html").write_bytes(b"<p>one</p>\r\n<p>two")
    (tmp_path / "c.jsonl").write_text('{"key": "k", "title": "T", "text": "x"}')
    found, said = chunks(capsys, tmp_path)
    assert [one["text"] for one in found] == [
        "<p>one</p>\r\n<p>two", '{"key": "k", "title": "T", "text": "x"}',
    ]  # fmt: skip
    assert said == []
    flags = ("--newline", "lf", "--records", "title,text", "--record-id", "key")
    found, said = chunks(capsys, tmp_path, *flags)
    assert [(one["doc"], one["text"]) for one in found] == [
        ("a.html", "<p>one</p>\n<p>two"), ("k", "T\n\nx"),
    ]  # fmt: skip
    assert said == [
        "a.html: line ends crlf made lf: offsets refer to the converted text",
        "k: title and text of a JSON Lines record: offsets refer to this text",
    ]
    found, _ = chunks(capsys, tmp_path, "--extract", "html")
    assert found[0]["text"] == "one\n\ntwo"


def test_encoding_and_line_ends_of_each_document_are_stated(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(b"a\r\nb")
    (tmp_path / "b.txt").write_bytes("Größe\n".encode("cp1252"))
    (tmp_path / "c.txt").write_bytes(b"a\rb\r\nc")
    (tmp_path / "d.txt").write_bytes(b"a\nb")
    (tmp_path / "e.txt").write_bytes(b"")
    for form in ("json", "jsonl"):
        _, out, err = run(capsys, tmp_path, "--format", form)
        found = (
            json.loads(out)
            if form == "json"
            else [json.loads(line) for line in out.split("\n")[:-1]]
        )
        assert [one.get("reading") for one in found] == [
            {"encoding": "utf-8", "newline": "keep", "line_ends": "crlf"},
            {"encoding": "latin-1", "newline": "keep", "line_ends": "lf"},
            {"encoding": "utf-8", "newline": "keep", "line_ends": "mixed"},
            None,
        ]  # fmt: skip
        assert (
            "read: 5 documents; encoding utf-8 4, latin-1 1; "
            "line ends lf 2, crlf 1, mixed 1, none 1, as they are in the files"
        ) in err.split("\n")
    found, _said = chunks(capsys, tmp_path, "--newline", "lf")
    assert [one.get("reading") for one in found] == [
        {"encoding": "utf-8", "newline": "lf", "line_ends": "lf", "line_ends_before": "crlf"},
        {"encoding": "latin-1", "newline": "lf", "line_ends": "lf"},
        {"encoding": "utf-8", "newline": "lf", "line_ends": "lf", "line_ends_before": "mixed"},
        None,
    ]
    for command in (["chunks", "--format", "table"], ["health", "--format", "json"]):
        assert main([*command, str(tmp_path), "--newline", "lf"]) == 0
        assert (
            "read: 5 documents; encoding utf-8 4, latin-1 1; "
            "line ends lf 4, none 1, changed in 2: crlf 1, mixed 1"
        ) in capsys.readouterr().err.split("\n")
    _, _, err = run(capsys, tmp_path / "d.txt", "--newline", "lf")
    assert "read: 1 document; encoding utf-8; line ends lf, none of them changed" in err.split("\n")


def test_what_many_documents_share_is_said_once(tmp_path, capsys):
    for number in range(8):
        (tmp_path / f"{number}.txt").write_bytes(b"a\r\nb")
    _, said = chunks(capsys, tmp_path, "--newline", "lf")
    note = "line ends crlf made lf: offsets refer to the converted text"
    assert said == [f"0.txt: {note}", f"7 more documents: {note}"]
    _, said = chunks(capsys, tmp_path, "--newline", "lf", "--list-skipped")
    assert said == [*(f"{number}.txt: {note}" for number in range(8))]


def test_passwords_come_from_a_file_or_the_environment(tmp_path, capsys, monkeypatch):
    pypdf = pytest.importorskip("pypdf")
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / "plain.pdf").write_bytes(pdf("secret"))
    writer = pypdf.PdfWriter(tmp_path / "plain.pdf")
    writer.encrypt("lamp oil", algorithm="AES-256")
    writer.write(docs / "a.pdf")
    (tmp_path / "passwords").write_bytes(b"\xef\xbb\xbfother\r\n\r\nlamp oil\r\n")
    found, said = chunks(capsys, docs, "--passwords", tmp_path / "passwords")
    assert [one["text"] for one in found] == ["secret"]
    assert not any("lamp oil" in line for line in said)
    code, _, said = run(capsys, docs)
    assert code == 2
    assert said.rstrip().endswith(
        "(a.pdf: an encrypted PDF; give --passwords FILE or set CHUNKSCOPE_PDF_PASSWORD)"
    )
    monkeypatch.setenv("CHUNKSCOPE_PDF_PASSWORD", "lamp oil")
    for flags in ([], ["--passwords", tmp_path / "others"]):
        (tmp_path / "others").write_text("wrong")
        found, said = chunks(capsys, docs, *flags)
        assert [one["text"] for one in found] == ["secret"]
        assert not any("lamp oil" in line for line in said)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--records", "title,"], "--records 'title,': give fields such as title,text"),
        (["--passwords", "no-such-file"], "--passwords no-such-file: cannot be read"),
    ],
)
def test_flags_that_say_nothing_are_refused(tmp_path, capsys, flags, message):
    (tmp_path / "a.txt").write_text("a")
    code, out, err = run(capsys, tmp_path, *flags)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
