"""Ranking by the package rank-bm25 and by chunkscope, side by side, same scores checked.

Run: python benchmarks/ranking.py [FOLDER], where FOLDER holds docs/ and golden.jsonl; without it
the Chroma set where it is found, else the sample documents.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from rank_bm25 import BM25Okapi
from rich.console import Console
from rich.table import Table

from chunkscope.evaluation.index import CorpusIndex
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.loading.load import load_corpus

ROOT = Path(__file__).resolve().parent.parent
K = 10
RULE = "unicode"
T = TypeVar("T")


def timed(work: Callable[[], T], repeats: int = 1) -> tuple[float, T]:
    """Least milliseconds of some runs, and what the last one gave."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        times.append((time.perf_counter() - start) * 1000)
    return min(times), result


def default_folder() -> Path:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
    return data / "chroma" if (data / "chroma").is_dir() else ROOT / "sample_docs"


def by_package(texts: list[str], questions: list[str]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Per question every score, and the first chunks: what people write."""
    package = BM25Okapi([tokenise(text, RULE) for text in texts])
    found = []
    for question in questions:
        scores = package.get_scores(tokenise(question, RULE))
        found.append((scores, np.argsort(-scores, kind="stable")[:K]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("--sizes", default="64,128,256,512,1024", help="tokens, by commas")
    parser.add_argument("--questions", type=int, default=0, help="only the first so many")
    arguments = parser.parse_args()
    golden = arguments.folder / "golden.jsonl"
    docs = arguments.folder / "docs" if (arguments.folder / "docs").is_dir() else arguments.folder
    corpus = load_corpus([docs], exclude=[golden])
    lines = golden.read_text("utf-8").split("\n")
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    questions = questions[: arguments.questions or None]
    building, index = timed(lambda: WordIndex(corpus, RULE), repeats=3)

    table = Table(title=f"{arguments.folder.name}: {corpus.characters:,} characters")
    for column in ("size", "chunks", "package ms", "rank-bm25 ms", "ratio", "bm25 ms", "tfidf ms"):
        table.add_column(column, justify="right")
    for size in map(int, arguments.sizes.split(",")):
        chunks = CorpusIndex(corpus).chunk_set(SplitterSettings(size=size), EnrichSettings())
        texts = [chunks.indexed_text(chunk) for chunk in range(len(chunks))]
        theirs, scores = timed(lambda texts=texts: by_package(texts, questions))

        def ours(kind: str, chunks: ChunkSet = chunks) -> list:
            retriever = build_retriever(RetrieverSettings(kind=kind), chunks, index)
            return [
                (match, rank_matches(match, K, "earlier")) for match in retriever.match(questions)
            ]

        times = {}
        for kind in ("rank-bm25", "bm25", "tfidf"):
            times[kind], found = timed(lambda kind=kind, ours=ours: ours(kind), repeats=3)
            if kind == "rank-bm25":
                check(found, scores)
        table.add_row(
            str(size),
            f"{len(chunks):,}",
            f"{theirs:,.0f}",
            f"{times['rank-bm25']:.1f}",
            f"{theirs / times['rank-bm25']:.0f} x",
            f"{times['bm25']:.1f}",
            f"{times['tfidf']:.1f}",
        )
    console = Console()
    console.print(table)
    console.print(
        f"{len(questions)} questions, first {K} ranks, words by the rule {RULE!r}; scores compared "
        f"and found equal.\nThe word positions of the corpus are found once, in {building:.0f} ms "
        "(the package tokenises every chunk set anew)."
    )


def check(found: list, expected: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Stop where a score or a rank differs."""
    for (match, (chunks, _)), (scores, order) in zip(found, expected, strict=True):
        if not np.array_equal(match.scores, scores[match.chunks]):
            raise SystemExit("a score differs from the package's")
        matched = [chunk for chunk in order.tolist() if chunk in set(match.chunks.tolist())]
        if chunks.tolist()[: len(matched)] != matched:
            raise SystemExit("a rank differs from the package's")


if __name__ == "__main__":
    main()
