import json

from chunkscope.cli.main import main

FIXED = ["doc", "index", "start", "end", "spans", "text", "prefix", "tokens", "altered",
         "oversize", "overlap"]  # fmt: skip


def chunks(capsys, *arguments):
    assert main(["chunks", *map(str, arguments), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def said(capsys, *arguments):
    assert main(["chunks", *map(str, arguments)]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err.splitlines()


def test_repeated_text_at_its_own_places(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(b"lamp\n\nlamp\n\nlamp")
    found = chunks(capsys, tmp_path, "--size", 8, "--overlap", 4, "--unit", "characters")
    assert [list(chunk) for chunk in found] == [FIXED] * 3
    assert [chunk["start"] for chunk in found] == [0, 6, 12]


def test_encodings_are_shown(tmp_path, capsys):
    (tmp_path / "plain.txt").write_bytes(b"plain")
    (tmp_path / "wide.txt").write_bytes("Öl und Käse".encode("utf-16"))
    (tmp_path / "old.txt").write_bytes("Öl und Käse".encode("cp1252"))
    _out, lines = said(capsys, tmp_path, "--encoding-of", "old.txt=cp1252")
    assert "wide.txt: read as utf-16" in lines
    assert "old.txt: read as cp1252; its encoding was given" in lines
    assert not any(line.startswith("plain.txt") for line in lines)


def test_overlap_asked_beside_the_overlap_there_is(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes(
        b"First sentence here abcdefg.\n\nSecond sentence is here x.\n\nThird sentence stands xyz."
    )
    _out, lines = said(capsys, tmp_path, "--size", 30, "--overlap", 29, "--unit", "characters")
    assert lines[-2:] == [
        "3 chunks; 4 characters in no chunk",
        "overlap: 29 characters asked; 0 of 2 neighbours share text: "
        "no piece is short enough to be repeated",
    ]
    _out, lines = said(capsys, tmp_path, "--size", 4, "--overlap", 1, "--splitter", "words")
    assert lines[-1] == (
        "overlap: 1 words asked; 3 of 3 neighbours share text, 5.0 characters on average"
    )


def test_what_is_wrong_with_chunks_is_marked_and_counted(tmp_path, capsys):
    (tmp_path / "blank.txt").write_bytes(b" " * 10)
    (tmp_path / "flag.txt").write_bytes("ab🇩🇪".encode())
    out, lines = said(
        capsys, tmp_path, "--size", 3, "--overlap", 0, "--unit", "characters",
        "--separators", '["\\n", ""]',
    )  # fmt: skip
    assert [line.split()[:2] for line in out.splitlines() if "grapheme" in line] == [
        ["flag.txt", "0"], ["flag.txt", "1"],
    ]  # fmt: skip
    out, lines = said(
        capsys, tmp_path / "blank.txt", "--size", 3, "--overlap", 0, "--unit", "characters",
        "--separators", "x",
    )  # fmt: skip
    assert lines[-2:] == [
        "1 chunks; 1 oversize; 1 blank",
        "overlap: 0 characters asked; no chunk has a neighbour",
    ]
    assert "oversize blank" in out


def test_no_chunk_is_a_result(tmp_path, capsys):
    (tmp_path / "empty.txt").write_bytes(b"")
    assert chunks(capsys, tmp_path) == []
    _out, lines = said(capsys, tmp_path)
    assert lines[-2:] == ["0 chunks", "overlap: 25 tokens asked; no chunk has a neighbour"]


def test_chunks_without_a_sure_place_are_marked(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cut_unsurely.py").write_text(
        "def split(text):\n    print('a line of its own')\n    return ['lamp', 'elsewhere']\n"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_bytes(b"lamp lamp")
    flags = [tmp_path / "docs", "--splitter", "cut_unsurely:split"]
    out, lines = said(capsys, *flags)
    rows = [line.split() for line in out.splitlines() if line.startswith(" a.txt")]
    assert [row[6:] for row in rows] == [
        ["ambiguous", "lamp"],
        ["altered", "not", "placed", "elsewhere"],
    ]
    # What foreign code prints is no data.
    assert "a line of its own" in lines
    assert [chunk["text"] for chunk in chunks(capsys, *flags)] == ["lamp", "elsewhere"]


def test_what_a_splitter_does_not_use_is_not_said_to_be_asked_of_it(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cut_in_half.py").write_text("def split(text):\n    return [text[:5], text[5:]]\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_bytes(b"lamp quay")
    out, lines = said(capsys, tmp_path / "docs", "--splitter", "cut_in_half:split")
    assert out.splitlines()[0].rstrip() == "cut_in_half:split; tokens are cl100k_base"
    assert lines[-1] == (
        "overlap: not used by splitter 'cut_in_half:split'; 0 of 1 neighbours share text"
    )
