"""How long a folder of many small files takes to read, and whether the time grows with it.

Files of 200 characters, a thousand a folder, are made in a temporary folder; each number of files
is listed, read, and opened in the inspector three times, and the fastest counts. Opened is when
the first document's text is written to the terminal, in processor seconds of the whole program
from its start, and by the clock. A long Word document is read as well, new and kept.

    python benchmarks/many_files.py [--files 5000,10000,50000]
"""

import argparse
import io
import os
import pty
import select
import subprocess
import sys
import tempfile
import termios
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from chunkscope.text.loading.discover import discover
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import load_corpus

LENGTH = 200
A_FOLDER = 1000
ROUNDS = 3
ROWS, COLUMNS = 40, 120
PAINTED = b"harbour"
PATIENCE = 60
WORDS = "The harbour master signs the log at dawn and the lamps are lit. "
PARAGRAPHS = 20_000
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def make(root: Path, files: int) -> None:
    body = (WORDS * (LENGTH // len(WORDS) + 1))[: LENGTH - 9]
    for number in range(files):
        folder = root / f"{number // A_FOLDER:03}"
        if number % A_FOLDER == 0:
            folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(f"{body}{number:08}\n", encoding="ascii")


def fastest(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def first_paint(root: Path) -> tuple[float, float]:
    """Processor seconds and seconds until the inspector has painted a document."""
    own, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    with tempfile.TemporaryDirectory() as home:
        places = dict.fromkeys(
            ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), home
        )
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "chunkscope", str(root)],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, cwd=home,
            env={**os.environ, **places, "TERM": "xterm-256color"},
        )  # fmt: skip
        os.close(theirs)
        written = b""
        while PAINTED not in written:
            if not select.select([own], [], [], PATIENCE)[0]:
                raise SystemExit(f"nothing was painted for {PATIENCE} s")
            written += os.read(own, 65536)
        seconds = time.perf_counter() - began
        process.kill()
        _, _, used = os.wait4(process.pid, 0)
        os.close(own)
    return used.ru_utime + used.ru_stime, seconds


def word_document() -> bytes:
    paragraphs = f"<w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p>" * PARAGRAPHS
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{WORD}"><w:body>{paragraphs}</w:body></w:document>',
        )
    return out.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", default="5000,10000,50000")
    counts = [int(part) for part in parser.parse_args().files.split(",")]
    titles = ("listed, s", "read, s", "µs a file", "opened, CPU s", "by the clock, s")
    print(f"{'files':>7} " + " ".join(f"{title:>15}" for title in titles))
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            make(root, count)
            listed = fastest(lambda root=root: discover([root]))
            read = fastest(lambda root=root: load_corpus([root]))
            opened, seconds = min(first_paint(root) for _ in range(ROUNDS))
        print(
            f"{count:>7,} {listed:>15.2f} {read:>15.2f} {read / count * 1e6:>15.1f} "
            f"{opened:>15.2f} {seconds:>15.2f}"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.docx"
        file.write_bytes(word_document())
        new = fastest(lambda: load_corpus([file]))
        cache = ExtractionCache(Path(folder) / "kept")
        load_corpus([file], extractions=cache)
        kept = fastest(lambda: load_corpus([file], extractions=cache))
    print(f"a Word document of {PARAGRAPHS:,} paragraphs: {new:.2f} s new, {kept:.2f} s kept")


if __name__ == "__main__":
    main()
