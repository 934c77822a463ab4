import contextlib
import os
import random
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.text.document import Skipped
from chunkscope.text.loading import load as load_module
from chunkscope.text.loading import reader as reader_module
from chunkscope.text.loading.load import load_corpus, newline_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names and links of POSIX")


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def ids(corpus):
    return [document.id for document in corpus.documents]


def skipped(corpus):
    return {one.path: one.reason for one in corpus.skipped}


def test_ids_are_paths_below_the_folder_in_code_point_order(tmp_path):
    write(tmp_path, {"b.md": "b", "B.md": "B", "a/z.txt": "z", "a.md": "a", "é.md": "e"})
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["B.md", "a.md", "a/z.txt", "b.md", "é.md"]
    assert [document.text for document in corpus.documents] == ["B", "a", "z", "b", "e"]
    assert corpus.root == tmp_path
    assert corpus.documents[2].path == tmp_path / "a" / "z.txt"
    assert corpus.skipped == ()


def test_the_root_of_a_file_is_its_parent(tmp_path):
    write(tmp_path, {"docs/one.md": "1", "docs/two.md": "2"})
    corpus = load_corpus([tmp_path / "docs" / "one.md"])
    assert (ids(corpus), corpus.root) == (["one.md"], tmp_path / "docs")


def test_the_root_of_several_paths_is_their_deepest_common_folder(tmp_path):
    write(tmp_path, {"x/a/1.md": "", "x/a/2.md": "", "x/b/c/3.md": "", "x/d.md": ""})
    corpus = load_corpus([tmp_path / "x" / "b" / "c", tmp_path / "x" / "a" / "1.md"])
    assert (ids(corpus), corpus.root) == (["a/1.md", "b/c/3.md"], tmp_path / "x")
    nested = load_corpus([tmp_path / "x", tmp_path / "x" / "a", tmp_path / "x" / "d.md"])
    assert ids(nested) == ["a/1.md", "a/2.md", "b/c/3.md", "d.md"]
    assert nested.skipped == ()


def test_what_is_given_is_taken_whatever_its_name(tmp_path):
    write(tmp_path, {"a.md": "", ".h/b.md": "", "s/golden.jsonl": "{}", "s/c.md": ""})
    given = [tmp_path, tmp_path / ".h", tmp_path / "s"]
    for paths in (given, given[::-1]):
        corpus = load_corpus(paths)
        assert ids(corpus) == [".h/b.md", "a.md", "s/c.md"]
        assert skipped(corpus) == {"s/golden.jsonl": "a golden set, not a document"}


def test_relative_paths_and_dots(tmp_path, monkeypatch):
    write(tmp_path, {"docs/one.md": "1"})
    monkeypatch.chdir(tmp_path / "docs")
    assert ids(load_corpus([Path()])) == ["one.md"]
    assert ids(load_corpus([Path("../docs/one.md")])) == ["one.md"]


def test_what_is_no_document_is_left_out_with_its_reason(tmp_path):
    write(
        tmp_path,
        {
            "a.md": "text",
            ".git/config": "x",
            ".hidden.md": "x",
            "node_modules/p/readme.md": "x",
            "pkg/__pycache__/m.pyc": b"\0",
            "env/pyvenv.cfg": "home = x",
            "env/lib/readme.md": "x",
            "image.png": b"\x89PNG\r\n\x1a\n",
            "archive.bin": b"\x1f\x8b\x08",
            "page.pdf": "<html>not found</html>",
            "golden.jsonl": "{}",
            "deep/golden.jsonl": "{}",
            "noise": bytes(range(256)) * 10,
        },
    )
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md", "deep/golden.jsonl"]
    assert skipped(corpus) == {
        ".git": "a hidden folder",
        ".hidden.md": "a hidden file",
        "archive.bin": "binary: a gzip archive",
        "env": "a Python environment",
        "golden.jsonl": "a golden set, not a document",
        "image.png": "binary: a PNG image",
        "node_modules": "installed packages",
        "noise": "binary: too many control characters for a text",
        "page.pdf": "named .pdf but an HTML page inside; rename it",
        "pkg/__pycache__": "compiled Python",
    }
    assert [one.path for one in corpus.skipped] == sorted(skipped(corpus))


def test_a_hidden_file_that_is_named_itself_is_read(tmp_path):
    write(tmp_path, {".notes": "text"})
    assert ids(load_corpus([tmp_path / ".notes"])) == [".notes"]


def test_excluded_files_are_silently_no_part(tmp_path):
    write(tmp_path, {"a.md": "a", "q.jsonl": "{}", "golden.jsonl": "{}", ".q": "{}"})
    (tmp_path / "link.jsonl").symlink_to("q.jsonl")
    corpus = load_corpus(
        [tmp_path],
        exclude=[tmp_path / "link.jsonl", tmp_path / "golden.jsonl", tmp_path / ".q"],
    )
    assert (ids(corpus), corpus.skipped) == (["a.md"], ())


def test_a_link_to_an_excluded_file_is_excluded_too(tmp_path):
    write(tmp_path, {"a.md": "a", "sub/q.jsonl": "{}"})
    (tmp_path / "other.md").symlink_to("sub/q.jsonl")
    corpus = load_corpus([tmp_path], exclude=[tmp_path / "sub" / "q.jsonl"])
    assert (ids(corpus), corpus.skipped) == (["a.md"], ())


def test_links(tmp_path):
    write(tmp_path, {"docs/m.md": "m", "docs/sub/n.md": "n", "outside.md": "out"})
    docs = tmp_path / "docs"
    (docs / "a_link.md").symlink_to("m.md")
    (docs / "dangling.md").symlink_to("nowhere.md")
    (docs / "loop").symlink_to(docs)
    (docs / "self.md").symlink_to("self.md")
    (docs / "sub" / "up").symlink_to("..")
    (docs / "out.md").symlink_to("../outside.md")
    (docs / "out2.md").symlink_to("../outside.md")
    os.link(docs / "m.md", docs / "z.md")
    corpus = load_corpus([docs])
    assert ids(corpus) == ["m.md", "out.md", "sub/n.md"]
    found = skipped(corpus)
    assert found.pop("self.md").startswith("a link that cannot be followed: ")
    assert found == {
        "a_link.md": "the same file as m.md",
        "dangling.md": "a link to nothing",
        "loop": "a link to a folder, not followed; give that folder itself",
        "out2.md": "the same file as out.md",
        "sub/up": "a link to a folder, not followed; give that folder itself",
        "z.md": "the same file as m.md",
    }


def test_a_link_to_a_folder_that_is_given_itself_is_entered(tmp_path):
    write(tmp_path, {"real/a.md": "a"})
    (tmp_path / "link").symlink_to("real")
    corpus = load_corpus([tmp_path / "link"])
    assert (ids(corpus), corpus.root) == (["a.md"], tmp_path / "link")
    both = load_corpus([tmp_path / "link", tmp_path / "real"])
    assert ids(both) == ["link/a.md"]
    assert skipped(both) == {"real/a.md": "the same file as link/a.md"}


def test_a_folder_named_like_a_document_is_a_folder(tmp_path):
    write(tmp_path, {"x.md/inner.md": "text"})
    assert ids(load_corpus([tmp_path])) == ["x.md/inner.md"]


def test_pipes_and_sockets_are_not_waited_for(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": "a"})
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.md")
        corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md"]
    assert skipped(corpus) == {
        "pipe.md": "a named pipe, not a regular file",
        "socket.md": "a socket, not a regular file",
    }


def test_a_file_that_grows_or_changes_while_it_is_read_is_skipped(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": "a", "grows.log": "line\n", "same_size.md": "one", "shrinks.md": "x"})
    real = load_module.binary_format

    def looked_at(head, suffix):
        # Between the first bytes and the rest.
        if head == b"line\n":
            with (tmp_path / "grows.log").open("a") as stream:
                stream.write("another\n")
        if head == b"one":
            (tmp_path / "same_size.md").write_text("two")
            os.utime(tmp_path / "same_size.md", (1, 1))
        if head == b"x":
            (tmp_path / "shrinks.md").write_text("")
        return real(head, suffix)

    monkeypatch.setattr(load_module, "binary_format", looked_at)
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md"]
    assert skipped(corpus) == dict.fromkeys(
        ["grows.log", "same_size.md", "shrinks.md"],
        "it changed while it was read; run again when it is at rest",
    )


def test_what_changed_since_the_listing_is_skipped(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": "a", "gone.md": "x", "pipe.md": "x", "secret.md": "x"})
    real_open = os.open

    def opened(path, flags, *rest):
        name = Path(path).name
        if name == "gone.md":
            Path(path).unlink()
        if name == "pipe.md":
            Path(path).unlink()
            os.mkfifo(path)
        if name == "secret.md":
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *rest)

    monkeypatch.setattr(load_module.os, "open", opened)
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md"]
    assert skipped(corpus) == {
        "gone.md": "no such file or folder",
        "pipe.md": "a named pipe, not a regular file",
        "secret.md": "permission denied",
    }


def test_a_folder_that_may_not_be_listed_is_skipped(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": "a", "locked/b.md": "b"})
    real = os.scandir

    def listed(path):
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", listed)
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md"]
    assert skipped(corpus) == {"locked": "permission denied"}


def test_odd_names(tmp_path):
    names = ["a b.md", "line\nend.md", "esc\x1b[31m.md", "[/b].md", "文書.md", "-x.md"]
    write(tmp_path, dict.fromkeys(names, "text"))
    broken = os.fsencode(tmp_path) + b"/broken\xff.md"
    descriptor = os.open(broken, os.O_CREAT | os.O_WRONLY)
    os.close(descriptor)
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == sorted(names)
    assert skipped(corpus) == {"broken\udcff.md": "its name is not UTF-8; rename it"}
    notes = {document.id: document.notes for document in corpus.documents}
    assert notes["line\nend.md"] == ("its name holds control or invisible characters",)
    assert notes["[/b].md"] == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "none"),
        ("a\x0cb\u2028c\x85d", "none"),
        ("a\nb\n", "lf"),
        ("a\r\nb\r\n", "crlf"),
        ("a\rb\r\r", "cr"),
        ("a\r\nb\n", "mixed"),
        ("a\r\r\n", "mixed"),
        ("a\n\r", "mixed"),
    ],
)
def test_line_ends_are_named_and_kept(tmp_path, text, kind):
    assert newline_of(text) == kind
    write(tmp_path, {"a.txt": text})
    document = load_corpus([tmp_path]).documents[0]
    assert (document.text, document.newline) == (text, kind)


def test_encodings_are_found_shown_and_overridden(tmp_path):
    write(
        tmp_path,
        {
            "bom.md": b"\xef\xbb\xbf# Title\n",
            "latin.txt": "Größe der Boote".encode("latin-1"),
            "sub/latin.txt": "Größe ½".encode("latin-1"),
            "wide.txt": "Öl und Käse".encode("utf-16"),
        },
    )
    corpus = load_corpus([tmp_path])
    assert {one.id: one.encoding for one in corpus.documents} == {
        "bom.md": "utf-8",
        "latin.txt": "latin-1",
        "sub/latin.txt": "latin-1",
        "wide.txt": "utf-16",
    }
    assert corpus.documents[0].text == "\ufeff# Title\n"
    again = load_corpus([tmp_path], encoding_of={"sub/latin.txt": "iso8859_15"})
    assert again.documents[2].text == "Größe œ"
    assert again.documents[2].encoding == "iso8859_15"
    by_name = load_corpus([tmp_path], encoding_of={"latin.txt": "cp1250"})
    assert [one.encoding for one in by_name.documents] == ["utf-8", "cp1250", "cp1250", "utf-16"]


def test_a_file_its_told_encoding_does_not_fit_is_skipped_and_the_rest_goes_on(tmp_path):
    write(tmp_path, {"a.txt": b"\xff", "b.txt": "b"})
    corpus = load_corpus([tmp_path], encoding_of={"a.txt": "utf-8"})
    assert ids(corpus) == ["b.txt"]
    assert skipped(corpus)["a.txt"].startswith("not utf-8: invalid start byte at byte 0; ")


def test_a_told_encoding_reads_what_looks_binary(tmp_path):
    write(tmp_path, {"a.pdf": "plain text", "b.txt": "b", "c.docx": "PK\x03\x04 as text"})
    corpus = load_corpus([tmp_path], encoding_of={"a.pdf": "utf-8", "c.docx": "ascii"})
    assert [document.text for document in corpus.documents] == [
        "plain text", "b", "PK\x03\x04 as text",
    ]  # fmt: skip


def test_input_errors_are_one_line_with_what_where_and_what_to_do(tmp_path):
    write(tmp_path, {"a.md": "a"})
    (tmp_path / "dangling").symlink_to("nowhere")
    cases = [
        ([tmp_path / "no\nsuch"], {}, "no␊such: no such file or folder; give a file or a folder"),
        ([tmp_path / "dangling"], {}, "dangling: a link to nothing; give a file or a folder"),
        ([Path("a\0b")], {}, "a␀b: embedded null byte; give a file or a folder"),
        ([], {}, "no path given: name a file or a folder"),
        ([tmp_path], {"a.md": "no-such"}, "encoding 'no-such' is unknown; give one such as"),
        ([tmp_path], {"b.md": "ascii"}, "for 'b.md', which no file is called; give a document's"),
    ]
    for paths, encodings, message in cases:
        with pytest.raises(InputError) as error:
            load_corpus(paths, encoding_of=encodings)
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_nothing_to_read_says_why(tmp_path):
    with pytest.raises(InputError, match="no file to read; give a folder that holds text files"):
        load_corpus([tmp_path])
    write(tmp_path, {f"{number}.png": b"\x89PNG\r\n\x1a\n" for number in range(4)})
    with pytest.raises(InputError) as error:
        load_corpus([tmp_path])
    assert str(error.value) == (
        f"{tmp_path}: no file can be read, 4 were skipped (0.png: binary: a PNG image; "
        "1.png: binary: a PNG image; 2.png: binary: a PNG image; and 1 more)"
    )


def test_an_empty_file_is_a_document(tmp_path):
    write(tmp_path, {"empty.txt": ""})
    corpus = load_corpus([tmp_path])
    assert (ids(corpus), corpus.characters) == (["empty.txt"], 0)


def test_progress_counts_files_and_cancel_stops(tmp_path, monkeypatch):
    write(tmp_path, {"a.md": "a", "b.md": "b"})
    seen = []
    load_corpus([tmp_path], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 2), (1, 2), (2, 2)]
    monkeypatch.setattr(reader_module, "_REPORTS", 2)
    write(tmp_path, {f"{number}.md": "" for number in range(5)})
    seen.clear()
    load_corpus([tmp_path], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 7), (3, 7), (6, 7), (7, 7)]
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        load_corpus([tmp_path], cancel=token)


def test_deep_folders_need_no_recursion(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    depth = 400
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("x.md").write_text("deep")
    os.chdir(tmp_path)
    assert ids(load_corpus([tmp_path])) == ["d/" * depth + "x.md"]


def test_awkward_folder(shared_data):
    corpus = load_corpus([shared_data("awkward") / "docs"])
    assert len(corpus.documents) == 23
    assert corpus.skipped == (
        Skipped("p07_blank_page.pdf", "a PDF without a text layer (1 page); run OCR over it first"),
        Skipped("p09_not_a_pdf.pdf", "named .pdf but no PDF inside; rename it if it is text"),
    )
    newlines = {document.id: document.newline for document in corpus.documents}
    assert newlines["r08_crlf_mail.txt"] == "crlf"
    assert newlines["m10_cr_only.txt"] == "cr"
    assert newlines["m19_control_ansi.txt"] == "mixed"


def test_reading_leaves_no_trace(tmp_path):
    write(tmp_path, {"a.md": "a"})
    (tmp_path / "a.md").chmod(stat.S_IRUSR)
    before = sorted(tmp_path.rglob("*"))
    load_corpus([tmp_path])
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_is_the_same_in_every_locale(tmp_path):
    write(tmp_path, {"文書 ünïcode.md": "text"})
    script = (
        "import sys; from pathlib import Path; from chunkscope.text.loading.load import "
        "load_corpus; c = load_corpus([Path(sys.argv[1])]); "
        "print([d.id for d in c.documents] == ['\\u6587\\u66f8 \\u00fcn\\u00efcode.md'], c.skipped)"
    )
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"True", b"()"]


class Entry:
    """A folder's entry whose listing tells what `told` says, and nothing of its kind if None."""

    def __init__(self, real, told):
        self._real, self._told = real, told
        self.name, self.path = real.name, real.path

    def inode(self):
        return self._told

    def is_symlink(self):
        return self._real.is_symlink()

    def is_file(self, *, follow_symlinks=True):
        if self._told is None:
            raise PermissionError(13, "Permission denied")
        return self._real.is_file(follow_symlinks=follow_symlinks)


def listing(monkeypatch, told):
    real = os.scandir

    @contextlib.contextmanager
    def listed(folder):
        with real(folder) as entries:
            yield [Entry(entry, told) for entry in entries]

    monkeypatch.setattr(os, "scandir", listed)


@pytest.mark.parametrize("told", [7, 0, None])
def test_a_listing_that_tells_wrong_or_nothing_loses_no_file(tmp_path, monkeypatch, told):
    write(tmp_path, {"a.md": "a", "b.md": "b", "sub/c.md": "c", "sub/é.md": "e"})
    os.link(tmp_path / "b.md", tmp_path / "sub" / "b.md")
    (tmp_path / "0.md").symlink_to("sub/c.md")
    listing(monkeypatch, told)
    corpus = load_corpus([tmp_path])
    assert ids(corpus) == ["a.md", "b.md", "sub/c.md", "sub/é.md"]
    assert skipped(corpus) == {
        "0.md": "the same file as sub/c.md",
        "sub/b.md": "the same file as b.md",
    }


def slowly_found(root):
    """Which ids stand for which files, looking at each, whatever it is called."""
    own, links = {}, {}
    for path in root.rglob("*"):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            status = path.stat()
            (links if path.is_symlink() else own)[name] = (status.st_dev, status.st_ino)
    first = {}
    for names in (own, links):
        for name in sorted(names):
            first.setdefault(names[name], name)
    given = {**own, **links}
    return sorted(first.values()), {
        name: f"the same file as {first[given[name]]}"
        for name in given
        if first[given[name]] != name
    }


@pytest.mark.parametrize("seed", range(8))
def test_names_and_links_of_files_against_a_look_at_each(tmp_path, seed):
    chance = random.Random(seed)
    root = tmp_path / "docs"
    folders = [root, root / "a", root / "a" / "ü", tmp_path / "out"]
    for folder in folders:
        folder.mkdir()
    (tmp_path / "docs2").symlink_to(root)
    files = []
    for number in range(40):
        folder = chance.choice(folders)
        path = folder / f"{chance.choice('azé')}{number}.md"
        kind = chance.choice(["own", "own", "hard", "link"]) if files else "own"
        if kind == "own":
            path.write_text(str(number))
        elif kind == "hard":
            os.link(chance.choice(files), path, follow_symlinks=False)
        else:
            path.symlink_to(chance.choice(files))
        files.append(path)
    expected, same = slowly_found(root)
    for given in (root, tmp_path / "docs2"):
        corpus = load_corpus([given])
        assert ids(corpus) == expected
        assert skipped(corpus) == same
