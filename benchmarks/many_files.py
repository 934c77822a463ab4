"""How long a folder of many small files takes to read, and whether the time grows with it.

Files of 200 characters, a thousand a folder, are made in a temporary folder; each number of files
is read three times and the fastest counts. A long Word document is read as well, new and kept.

    python benchmarks/many_files.py [--files 5000,10000,50000]
"""

import argparse
import io
import tempfile
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
    print(f"{'files':>7} {'listed, s':>10} {'read, s':>8} {'µs a file':>10}")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            make(root, count)
            listed = fastest(lambda root=root: discover([root]))
            read = fastest(lambda root=root: load_corpus([root]))
        print(f"{count:>7,} {listed:>10.2f} {read:>8.2f} {read / count * 1e6:>10.1f}")
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
