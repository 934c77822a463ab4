"""A sweep with `static`: a configuration beside bm25, and beside embedding every chunk anew.

Run: python benchmarks/static.py [FOLDER], where FOLDER holds docs/ and golden.jsonl; without it
the Chroma set where it is found, else the sample documents. Needs pip install 'chunkscope[static]'.

Processor time of this process, chunk sets given: what a configuration costs to index and to rank
all questions by. Embedding anew is wordllama's own `embed` over the text of every chunk, the
cosines taken as here. Ranks are compared.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import wordllama
from rich.console import Console
from rich.table import Table

import chunkscope.cli.onethread
from chunkscope.embedding.static import get_static_embedder
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.retrieval.dense_search import DenseRetriever
from chunkscope.retrieval.protocol import BlockRetriever
from chunkscope.retrieval.ranking import rank_block
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.static import StaticCorpus
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.loading.load import load_corpus

ROOT = Path(__file__).resolve().parent.parent
SIZES = (64, 128, 256, 512, 1024)
OVERLAPS = ("0%", "10%", "20%", "30%")
K = 10
T = TypeVar("T")

assert chunkscope.cli.onethread  # one thread of linear algebra, as in the commands


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of processor time, and what came out."""
    start = time.process_time()
    result = work()
    return (time.process_time() - start) * 1000, result


def default_folder() -> Path:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
    return data / "chroma" if (data / "chroma").is_dir() else ROOT / "sample_docs"


def ranked(retriever: object, questions: list[str]) -> np.ndarray:
    assert isinstance(retriever, BlockRetriever)
    parts = [rank_block(block, K, "earlier")[0] for block in retriever.blocks(questions)]
    width = min(part.shape[1] for part in parts)
    return np.concatenate([part[:, :width] for part in parts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    arguments = parser.parse_args()
    golden = arguments.folder / "golden.jsonl"
    docs = arguments.folder / "docs" if (arguments.folder / "docs").is_dir() else arguments.folder
    corpus = load_corpus([docs], exclude=[golden])
    lines = golden.read_text("utf-8").split("\n")
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    index = CorpusIndex(corpus)
    words = index.words("unicode")
    model = wordllama.WordLlama.load(
        cache_dir=Path(wordllama.__file__).parent, disable_download=True
    )
    # Here and there, text such as <unk> is plain text.
    model.tokenizer.encode_special_tokens = True

    def by(kind: str, chunks: ChunkSet) -> Callable[[], np.ndarray]:
        settings = RetrieverSettings(kind=kind)
        return lambda: ranked(build_retriever(settings, chunks, words), questions)

    def embedded(chunks: ChunkSet) -> np.ndarray:
        return model.embed([chunks.indexed_text(number) for number in range(len(chunks))])

    def anew(chunks: ChunkSet, vectors: np.ndarray) -> np.ndarray:
        retriever = DenseRetriever(
            vectors.astype(np.float64),
            lambda texts: model.embed(list(texts)).astype(np.float64),
            lambda _question: [],
        )
        return ranked(retriever, questions)

    loading, _ = timed(get_static_embedder)
    first = index.chunk_set(SplitterSettings(size=SIZES[0], overlap=0), EnrichSettings())
    preparing = timed(by("static", first))[0]
    by("bm25", first)()
    kept = StaticCorpus(get_static_embedder(), corpus)
    table = Table(title=f"{arguments.folder.name}: {corpus.characters:,} characters")
    for column in ("configuration", "chunks", "bm25 ms", "static ms", "anew ms", "same top 10"):
        table.add_column(column, justify="right")
    total = np.zeros(5)
    for size in SIZES:
        for overlap in OVERLAPS:
            chunks = index.chunk_set(SplitterSettings(size=size, overlap=overlap), EnrichSettings())
            lexical, _ = timed(by("bm25", chunks))
            static, order = timed(by("static", chunks))
            alone, _ = timed(lambda made=chunks: kept.vectors(made))
            embedding, vectors = timed(lambda made=chunks: embedded(made))
            ranking, expected = timed(lambda made=chunks, rows=vectors: anew(made, rows))
            slow = embedding + ranking
            total += (lexical, static, slow, alone, embedding)
            same = float((np.sort(order, axis=1) == np.sort(expected, axis=1)).all(axis=1).mean())
            figures = (f"{lexical:.0f}", f"{static:.0f}", f"{slow:.0f}", f"{same:.1%}")
            table.add_row(f"{size}/{overlap}", f"{len(chunks):,}", *figures)
    Console(width=110).print(table)
    lexical, static, slow, alone, embedding = total / (len(SIZES) * len(OVERLAPS))
    sys.stdout.write(
        f"loading the vectors {loading:.0f} ms, finding the tokens of the corpus (with the first "
        f"configuration) {preparing:.0f} ms, once\n"
        f"a configuration: static {static:.0f} ms, {static / lexical:.1f} x bm25's "
        f"{lexical:.0f} ms; embedding anew takes {slow / static:.0f} x as long ({slow:.0f} ms)\n"
        f"of that the vectors alone: {alone:.0f} ms; anew {embedding / alone:.0f} x as long "
        f"({embedding:.0f} ms)\n"
    )


if __name__ == "__main__":
    main()
