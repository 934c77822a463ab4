"""A sweep by the harness that people write and by `chunkscope sweep`, side by side in one run.

    python benchmarks/sweep.py [FOLDER] [--measured 64:0,256:10,1024:30] [--repeats N] [--save FILE]

FOLDER holds docs/ and golden.jsonl; without it the Chroma set where it is found, else the sample
documents. The harness is LangChain's recursive splitter, a retriever and a loop over the questions:
with tiktoken and rank-bm25, and where bm25s is installed with bm25s, and with bm25s and toktok as
length function. It runs a few configurations only, and its time for all of them is their mean times
their number. `chunkscope sweep` runs them all, as a whole process from start to end. The recall of
every configuration that both ran is compared.
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
from dataclasses import dataclass
from importlib.util import find_spec
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
Rank = Callable[[list[str], list[str]], list[list[int]]]
"""Texts of chunks and questions to the numbers of the first K chunks of each question."""


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

    # One text at a time is faster without a thread for each.
    return lambda text: batch_count([text], ENCODING, 1)[0]


def rank_with_rank_bm25(texts: list[str], questions: list[str]) -> list[list[int]]:
    retriever = BM25Okapi([text.split() for text in texts])
    return [
        np.argsort(-retriever.get_scores(question.split()), kind="stable")[:K].tolist()
        for question in questions
    ]


def rank_with_bm25s(texts: list[str], questions: list[str]) -> list[list[int]]:
    import bm25s

    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    retriever.index([text.split() for text in texts], show_progress=False)
    ranked = []
    for question in questions:
        scores = retriever.get_scores(question.split())
        kept = np.flatnonzero(scores >= np.partition(scores, -K)[-K])
        ranked.append(kept[np.argsort(-scores[kept], kind="stable")][:K].tolist())
    return ranked


def harness(
    corpus: Corpus,
    questions: list[LocatedQuestion],
    setting: tuple[int, int],
    length: Length,
    rank: Rank,
) -> float:
    """Mean recall at K, the way it is usually measured."""
    splitter = RecursiveCharacterTextSplitter(
        separators=list(DEFAULT_SEPARATORS),
        chunk_size=setting[0],
        chunk_overlap=setting[1],
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
    ranked = rank(texts, [located.question.question for located in questions])
    recalls = []
    for located, numbers in zip(questions, ranked, strict=True):
        taken = [chunks[number] for number in numbers]
        recalls.append(np.mean([held(item.places, taken) for item in located.items]))
    return float(np.mean(recalls))


def held(places: tuple[Place, ...], taken: list[Placed]) -> bool:
    return any(
        doc == place.doc and start <= place.span.start and place.span.end <= end
        for place in places
        for doc, start, end in taken
    )


@dataclass(frozen=True)
class Ours:
    """One whole `chunkscope sweep`: seconds on the clock and on the processors, and recall."""

    seconds: float
    used: float
    recall: dict[tuple[int, int], float]


def sweep_process(docs: Path, golden: Path, retriever: str) -> Ours:
    command = [
        str(Path(sys.executable).with_name("chunkscope")),
        *("sweep", str(docs), "--golden", str(golden), "--k", str(K), "--format", "json"),
        *("--sizes", ",".join(map(str, SIZES))),
        *("--overlaps", ",".join(f"{percent}%" for percent in OVERLAPS)),
        *("--retriever", retriever, "--words", "whitespace"),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(command, capture_output=True, check=True, cwd=empty)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    recall = {
        (row["config"]["splitter"]["size"], row["config"]["splitter"]["overlap"]): row["metrics"][
            "recall"
        ]
        for row in json.loads(done.stdout)["rows"]
    }
    return Ours(seconds, used, recall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("--measured", default="64:0,256:10,1024:30", help="size:percent, harness")
    parser.add_argument("--repeats", type=int, default=3, help="of chunkscope; the best counts")
    parser.add_argument("--save", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    golden = folder / "golden.jsonl"
    docs = folder / "docs" if (folder / "docs").is_dir() else folder
    corpus = load_corpus([docs], exclude=[golden])
    questions = [one for one in locate(read_golden(golden), corpus) if one.measured]
    measured = [tuple(map(int, pair.split(":"))) for pair in arguments.measured.split(",")]
    count = len(SIZES) * len(OVERLAPS)

    ours = {}
    for retriever in ("rank-bm25", "bm25"):
        runs = [sweep_process(docs, golden, retriever) for _ in range(arguments.repeats)]
        ours[retriever] = min(runs, key=lambda run: run.seconds)
    columns = ("harness", "s a configuration", f"s for {count}", "CPU s", "chunkscope is",
               "recall agrees")  # fmt: skip
    table = Table(
        title=f"{folder.name}: {corpus.characters:,} characters, {len(questions)} questions"
    )
    for column in columns:
        table.add_column(column, justify="right")
    figures = []
    with tempfile.TemporaryDirectory() as cache:
        write_tiktoken_cache(Path(cache), ENCODING)
        os.environ["TIKTOKEN_CACHE_DIR"] = cache
        variants: list[tuple[str, str, Length, Rank]] = [
            ("tiktoken + rank-bm25", "rank-bm25", tiktoken_length(), rank_with_rank_bm25)
        ]
        if find_spec("bm25s") is not None:
            variants += [
                ("tiktoken + bm25s", "bm25", tiktoken_length(), rank_with_bm25s),
                ("toktok + bm25s", "bm25", toktok_length(), rank_with_bm25s),
            ]
        for name, retriever, length, rank in variants:
            length("a vocabulary is loaded at the first text")
            beside = ours[retriever]
            times, used, differences = [], [], []
            for size, percent in measured:
                overlap = size * percent // 100
                began, cpu = time.perf_counter(), time.process_time()
                theirs = harness(corpus, questions, (size, overlap), length, rank)
                times.append(time.perf_counter() - began)
                used.append(time.process_time() - cpu)
                differences.append(abs(theirs - beside.recall[size, overlap]))
            each = float(np.mean(times))
            agrees = "to the digit" if max(differences) < 1e-12 else f"to {max(differences):.4f}"
            ratio = each * count / beside.seconds
            table.add_row(
                f"LangChain + {name} + loop",
                f"{each:.2f}",
                f"{each * count:.1f}",
                f"{float(np.mean(used)) * count:.1f}",
                f"{ratio:.1f} x faster",
                agrees,
            )
            figures.append({"harness": name, "seconds": each * count, "ratio": ratio,
                            "recall_differs": max(differences)})  # fmt: skip
    for retriever, run in ours.items():
        table.add_row(
            f"chunkscope sweep --retriever {retriever}, whole process",
            f"{run.seconds / count:.3f}",
            f"{run.seconds:.2f}",
            f"{run.used:.2f}",
            "",
            "",
        )
        figures.append({"chunkscope": retriever, "seconds": run.seconds, "cpu": run.used})
    console = Console(width=140)
    console.print(table)
    console.print(
        f"{len(os.sched_getaffinity(0))} processors. chunkscope gives every metric, intervals, "
        "boundary phases and advice, which the harness has not.\n"
        f"The harness ran {len(measured)} of {count} configurations: {arguments.measured}."
    )
    if find_spec("bm25s") is None:
        console.print("bm25s is not installed (pip install bm25s): its two variants are left out.")
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
