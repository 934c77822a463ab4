"""A published figure of dense retrieval measured again: all-MiniLM-L6-v2, recursive 200/0, k = 5.

Run: python benchmarks/dense.py [FOLDER] [--model NAME_OR_FOLDER], where FOLDER holds docs/ and
golden.jsonl; without it the Chroma set where it is found. Needs the model on this machine, and
pip install 'chunkscope[onnx]' (for a model with an ONNX file) or 'chunkscope[dense]'.

The chunking-evaluation report counts BERT tokens by len(tokenizer.encode(text)), so that [CLS] and
[SEP] count for every piece: `+specials`. What it calls recall is coverage here. It counts a chunk
that only touches the evidence among those that overlap it, which makes its precision_omega
smaller; that form is printed too. Mean and population standard deviation over questions, per cent.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.models import find_model
from chunkscope.embedding.transformer import local_embedder
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import LocatedQuestion
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.models import Access, Models
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.loading.load import load_corpus

ROOT = Path(__file__).resolve().parent.parent
MODEL = "all-MiniLM-L6-v2"
SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")
PUBLISHED = {"coverage": (75.7, 40.7), "precision": (6.5, 6.2), "precision_omega": (31.2, 18.4)}


def default_folder() -> Path:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
    return data / "chroma"


def touching_omega(chunks: ChunkSet, questions: Sequence[LocatedQuestion]) -> tuple[float, float]:
    """precision_omega where a chunk that touches the evidence overlaps it: mean and deviation."""
    document = {one.id: number for number, one in enumerate(chunks.corpus.documents)}
    values = []
    for question in questions:
        covered = missed = lengths = 0
        places = {(place.doc, place.span) for item in question.items for place in item.places[:1]}
        for doc in {doc for doc, _ in places}:
            number = document[doc]
            here = slice(int(chunks.first[number]), int(chunks.first[number + 1]))
            starts, ends = chunks.starts[here], chunks.ends[here]
            spans = merged(sorted((span.start, span.end) for own, span in places if own == doc))
            touched = np.zeros(len(starts), np.bool_)
            inside = 0
            for low, high in spans:
                touched |= (starts <= high) & (ends >= low)
                inside += int((np.minimum(ends, high) - np.maximum(starts, low)).clip(0).sum())
            covered += inside
            lengths += int((ends - starts)[touched].sum())
            missed += sum(high - low for low, high in spans) - inside
        values.append(covered / (lengths + missed))
    return 100 * float(np.mean(values)), 100 * float(np.std(values))


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for low, high in spans:
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=default_folder())
    parser.add_argument("--model", default=MODEL, help="name or folder of the model")
    arguments = parser.parse_args()
    golden = arguments.folder / "golden.jsonl"
    corpus = load_corpus([arguments.folder / "docs"], exclude=[golden])
    questions = locate(read_golden(golden), corpus)
    tokenizer = find_model(arguments.model).folder / "tokenizer.json"
    splitter = SplitterSettings(
        size=200, overlap=0, encoding=f"{tokenizer}+specials", separators=SEPARATORS,
        keep_separator="start",
    )  # fmt: skip
    retriever = RetrieverSettings(kind=f"dense:{arguments.model}", k=(5,))
    embedder = local_embedder(arguments.model)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.sqlite3"
        index = CorpusIndex(corpus, Models(Access(cache=path)))
        chunks = index.chunk_set(splitter, EnrichSettings())
        texts = chunks.texts()
        begin, before = time.perf_counter(), time.process_time()
        vectors = embedder.embed(texts)
        seconds, used = time.perf_counter() - begin, time.process_time() - before
        cache = VectorCache(path)
        cache.put(embedder.name, embedder.revision, texts, vectors)
        cache.close()
        found = evaluate(index, Configuration(splitter=splitter, retriever=retriever), questions)
    longer = int((embedder.token_counts(texts) > (embedder.context_limit or 10**9)).sum())
    sys.stdout.write(
        f"{arguments.folder.name}: {len(questions)} questions, {len(chunks):,} chunks of "
        f"{embedder.name}'s tokens, {longer} of them longer than it reads\n"
    )
    for name, (mean, deviation) in PUBLISHED.items():
        own, sd = found.metrics[name], found.sd[name]
        assert own is not None
        assert sd is not None
        sys.stdout.write(
            f"{name:<26} {100 * own:5.1f} ± {100 * sd:4.1f}   published {mean} ± {deviation}\n"
        )
    mean, deviation = touching_omega(chunks, questions)
    sys.stdout.write(f"{'  touching counted too':<26} {mean:5.1f} ± {deviation:4.1f}\n")
    counts = embedder.token_counts(texts)
    sys.stdout.write(
        f"embedded in {seconds:.1f} s: {len(texts) / seconds:.0f} chunks a second; "
        f"{used:.1f} s of processor time: {len(texts) / used:.0f} chunks and "
        f"{counts.sum() / used:,.0f} tokens a second of it\n"
    )


if __name__ == "__main__":
    main()
