"""Re-cutting 1 MB at five sizes: LangChain with tiktoken beside a split tree that stands.

    python benchmarks/recut.py [--repeats N] [--keep end|start|none]

The text is the `chroma` data set where it is present (CHUNKSCOPE_DATA, or ../shared/data), else
the sample documents over and over, each copy numbered. Every chunk is compared with LangChain's.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.tokens import get_token_counter, write_tiktoken_cache

ROOT = Path(__file__).resolve().parent.parent
SIZES = (64, 128, 256, 512, 1024)
CHARACTERS = 1_000_000


def megabyte(characters: int = CHARACTERS) -> tuple[str, str]:
    """A text of so many characters, and where it is from."""
    given = os.environ.get("CHUNKSCOPE_DATA")
    folder = (Path(given) if given else ROOT.parent / "shared" / "data") / "chroma" / "docs"
    name = "chroma"
    if not folder.is_dir():
        folder, name = ROOT / "sample_docs", "sample documents, repeated"
    texts = [
        path.read_bytes().decode("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".md", ".txt")
    ]
    parts: list[str] = []
    length = copy = 0
    while length < characters:
        copy += 1
        for text in texts:
            part = text if copy == 1 else text.replace(". ", f" ({copy}). ")
            parts.append(part + "\n\n")
            length += len(part) + 2
    return "".join(parts)[:characters], name


def langchain_splitter(settings: SplitterSettings, *, start_index: bool = False):  # noqa: ANN201
    """LangChain's splitter with the same settings, lengths by tiktoken."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    keep = settings.keep_separator
    return RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        settings.encoding,
        chunk_size=settings.size,
        chunk_overlap=settings.overlap_size,
        separators=list(settings.separators),
        keep_separator=False if keep == "none" else keep,
        disallowed_special=(),
        add_start_index=start_index,
    )


def use_bundled_vocabulary(folder: Path) -> None:
    """Let tiktoken, and so LangChain, work without a network."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    write_tiktoken_cache(folder, "cl100k_base")


def median_seconds(repeats: int, work) -> float:  # noqa: ANN001
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7, help="re-cuts a size; the median counts")
    parser.add_argument("--keep", default="end", choices=("end", "start", "none"))
    arguments = parser.parse_args()
    text, source = megabyte()
    with tempfile.TemporaryDirectory() as folder:
        use_bundled_vocabulary(Path(folder))
        # Both vocabularies are loaded before anything is timed.
        langchain_splitter(SplitterSettings()).split_text("harbour")
        get_token_counter("cl100k_base").count(["harbour"])

        print(f"{len(text):,} characters ({source}), recursive, cl100k_base, overlap 10 %")
        print(f"keep_separator {arguments.keep}; median of {arguments.repeats} re-cuts; ms\n")
        head = f"{'size':>5} {'chunks':>7} {'LangChain':>10} {'first cut':>10}"
        print(f"{head} {'re-cut':>8} {'×':>6}  text")
        for size in SIZES:
            settings = SplitterSettings(
                size=size, overlap=size // 10, keep_separator=arguments.keep
            )
            theirs = langchain_splitter(settings)
            expected = theirs.split_text(text)
            langchain = median_seconds(3, lambda theirs=theirs: theirs.split_text(text))

            prepared = get_splitter("recursive").prepare(text, settings)
            begin = time.perf_counter()
            cuts = prepared.cut(size, size // 10)
            first = time.perf_counter() - begin
            again = median_seconds(
                arguments.repeats,
                lambda prepared=prepared, size=size: prepared.cut(size, size // 10),
            )
            same = "identical" if cuts.texts(text) == expected else "DIFFERENT"
            print(
                f"{size:>5} {len(cuts):>7,} {langchain * 1e3:>10.1f} {first * 1e3:>10.1f} "
                f"{again * 1e3:>8.2f} {langchain / again:>6.0f}  {same}"
            )


if __name__ == "__main__":
    main()
