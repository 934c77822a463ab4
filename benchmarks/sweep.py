"""A sweep by the harness that people write and by `chunkscope sweep`, side by side in one run.

    python benchmarks/sweep.py [FOLDER] [--measured 256:10,512:0] [--repeats N]

FOLDER holds docs/ and golden.jsonl; without it the Chroma set where it is found, else the sample
documents. The harness is LangChain's recursive splitter, rank-bm25 and a loop over the questions,
once with tiktoken as length function and once with toktok. It runs a few configurations only, and
its time for all of them is their mean times their number. `chunkscope sweep` runs them all, as a
whole process from start to end. The recall of every configuration that both ran is compared.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from langchain_text_splitters import RecursiveCharacterTextSplitter
from rank_bm25 import BM25Okapi
from rich.console import Console
from rich.table import Table

from chunkscope.golden.locating import locate
from chunkscope.golden.model import LocatedQuestion, Place
from chunkscope.golden.reading import read_golden
from chunkscope.splitting.settings import DEFAULT_SEPARATORS
from chunkscope.text.document import Corpus
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.tokens import write_tiktoken_cache

ROOT = Path(__file__).resolve().parent.parent
ENCODING = "cl100k_base"
SIZES = (64, 128, 256, 512, 1024)
OVERLAPS = (0, 10, 20, 30)
K = 5

Length = Callable[[str], int]
Placed = tuple[str, int, int]


def default_folder() -> Path:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
    return data / "chroma" if (data / "chroma").is_dir() else ROOT / "sample_docs"


def tiktoken_length() -> Length:
    """As `from_tiktoken_encoder` counts, with text that looks special taken as plain."""
    import tiktoken

    encode = tiktoken.get_encoding(ENCODING).encode
    return lambda text: len(encode(text, allowed_special=set(), disallowed_special=()))


def toktok_length() -> Length:
    from toktok import batch_count

    return lambda text: batch_count([text], ENCODING)[0]


def harness(
    corpus: Corpus, questions: list[LocatedQuestion], size: int, overlap: int, length: Length
) -> float:
    """Mean recall at K, the way it is usually measured."""
    splitter = RecursiveCharacterTextSplitter(
        separators=list(DEFAULT_SEPARATORS),
        chunk_size=size,
        chunk_overlap=overlap,
        keep_separator="end",
        length_function=length,
    )
    chunks: list[Placed] = []
    texts: list[str] = []
    for document in corpus.documents:
        start = -1
        for text in splitter.split_text(document.text):
            # The usual way to place a chunk: look for its text behind where the last one began.
            start = document.text.find(text, start + 1)
            chunks.append((document.id, start, start + len(text)))
            texts.append(text)
    retriever = BM25Okapi([text.split() for text in texts])
    recalls = []
    for located in questions:
        scores = retriever.get_scores(located.question.question.split())
        taken = [chunks[number] for number in np.argsort(-scores, kind="stable")[:K]]
        recalls.append(np.mean([held(item.places, taken) for item in located.items]))
    return float(np.mean(recalls))


def held(places: tuple[Place, ...], taken: list[Placed]) -> bool:
    return any(
        doc == place.doc and start <= place.span.start and place.span.end <= end
        for place in places
        for doc, start, end in taken
    )


def sweep_process(docs: Path, golden: Path) -> tuple[float, float, dict]:
    """Seconds on the clock and on the processors of one whole `chunkscope sweep`, and its JSON."""
    command = [
        str(Path(sys.executable).with_name("chunkscope")),
        *("sweep", str(docs), "--golden", str(golden), "--k", str(K), "--format", "json"),
        *("--sizes", ",".join(map(str, SIZES))),
        *("--overlaps", ",".join(f"{percent}%" for percent in OVERLAPS)),
        *("--retriever", "rank-bm25", "--words", "whitespace"),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(command, capture_output=True, check=True, cwd=empty)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("--measured", default="256:10,512:0", help="size:percent for the harness")
    parser.add_argument("--repeats", type=int, default=3, help="of chunkscope; the best counts")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    golden = folder / "golden.jsonl"
    docs = folder / "docs" if (folder / "docs").is_dir() else folder
    corpus = load_corpus([docs], exclude=[golden])
    questions = [one for one in locate(read_golden(golden), corpus) if one.measured]
    measured = [tuple(map(int, pair.split(":"))) for pair in arguments.measured.split(",")]
    count = len(SIZES) * len(OVERLAPS)

    runs = [sweep_process(docs, golden) for _ in range(arguments.repeats)]
    ours, used, report = min(runs, key=lambda run: run[0])
    recall = {
        (row["config"]["splitter"]["size"], row["config"]["splitter"]["overlap"]): row["metrics"][
            "recall"
        ]
        for row in report["rows"]
    }
    table = Table(
        title=f"{folder.name}: {corpus.characters:,} characters, {len(questions)} questions"
    )
    for column in ("harness", "s a configuration", f"s for {count}", "ratio", "recall agrees"):
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as cache:
        write_tiktoken_cache(Path(cache), ENCODING)
        os.environ["TIKTOKEN_CACHE_DIR"] = cache
        for name, length in (("tiktoken", tiktoken_length()), ("toktok", toktok_length())):
            times, differences = [], []
            for size, percent in measured:
                overlap = size * percent // 100
                began = time.perf_counter()
                theirs = harness(corpus, questions, size, overlap, length)
                times.append(time.perf_counter() - began)
                differences.append(abs(theirs - recall[size, overlap]))
            each = float(np.mean(times))
            agrees = (
                "to the digit" if max(differences) < 1e-12 else f"within {max(differences):.4f}"
            )
            table.add_row(
                f"LangChain + {name} + rank-bm25 + loop",
                f"{each:.2f}",
                f"{each * count:.1f}",
                f"{each * count / ours:.0f} x",
                agrees,
            )
    table.add_row(
        "chunkscope sweep, whole process", f"{ours / count:.3f}", f"{ours:.2f}", "1 x", ""
    )
    console = Console()
    console.print(table)
    console.print(
        f"chunkscope: {used:.2f} s on the processors, {len(os.sched_getaffinity(0))} of them; with "
        "every metric, intervals, boundary phases and advice, which the harness has not.\n"
        f"The harness ran {len(measured)} of {count} configurations."
    )


if __name__ == "__main__":
    main()
