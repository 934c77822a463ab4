"""The harness that people write, as a program of its own: LangChain, a retriever, a loop.

    python benchmarks/plain_harness.py DOCS GOLDEN --settings 64:0,256:25
        [--length tiktoken|toktok] [--retriever rank-bm25|bm25s] [--k 5]

Prints JSON: for each size:overlap its mean span recall, and the seconds it took. It imports
nothing of chunkscope. Evidence is taken at its offsets; a chunk is placed by looking for its text
behind where the last one began, as is usual.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from langchain_text_splitters import RecursiveCharacterTextSplitter

ENCODING = "cl100k_base"
SEPARATORS = ["\n\n", "\n", ". ", " ", ""]

Rank = Callable[[list[str], list[str], int], list[list[int]]]


def tiktoken_length() -> Callable[[str], int]:
    """As `from_tiktoken_encoder` counts, with text that looks special taken as plain."""
    import tiktoken

    encode = tiktoken.get_encoding(ENCODING).encode
    return lambda text: len(encode(text, allowed_special=set(), disallowed_special=()))


def toktok_length() -> Callable[[str], int]:
    """`truncate` is toktok's quickest way to count one text: nothing is cut off here."""
    from toktok import truncate

    return lambda text: truncate(text, sys.maxsize, ENCODING)[1]


def rank_with_rank_bm25(texts: list[str], questions: list[str], k: int) -> list[list[int]]:
    from rank_bm25 import BM25Okapi

    retriever = BM25Okapi([text.split() for text in texts])
    return [
        np.argsort(-retriever.get_scores(question.split()), kind="stable")[:k].tolist()
        for question in questions
    ]


def rank_with_bm25s(texts: list[str], questions: list[str], k: int) -> list[list[int]]:
    """Scores from bm25s; the first k by hand, as its own `retrieve` orders ties at will."""
    import bm25s

    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    retriever.index([text.split() for text in texts], show_progress=False)
    ranked = []
    for question in questions:
        scores = retriever.get_scores(question.split())
        kept = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
        ranked.append(kept[np.argsort(-scores[kept], kind="stable")][:k].tolist())
    return ranked


LENGTHS = {"tiktoken": tiktoken_length, "toktok": toktok_length}
RETRIEVERS: dict[str, Rank] = {"rank-bm25": rank_with_rank_bm25, "bm25s": rank_with_bm25s}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("golden", type=Path)
    parser.add_argument("--settings", required=True, help="size:overlap,… in tokens")
    parser.add_argument("--length", choices=LENGTHS, default="tiktoken")
    parser.add_argument("--retriever", choices=RETRIEVERS, default="rank-bm25")
    parser.add_argument("--k", type=int, default=5)
    arguments = parser.parse_args()
    texts = {
        path.relative_to(arguments.docs).as_posix(): path.read_bytes().decode("utf-8")
        for path in sorted(arguments.docs.rglob("*"))
        if path.is_file()
    }
    lines = arguments.golden.read_text(encoding="utf-8").split("\n")
    golden = [json.loads(line) for line in lines if line]
    golden = [
        entry
        for entry in golden
        if entry["evidence"] and all(item["start"] is not None for item in entry["evidence"])
    ]
    length = LENGTHS[arguments.length]()
    length("the vocabulary is loaded at the first text")
    found = {}
    for setting in arguments.settings.split(","):
        size, overlap = map(int, setting.split(":"))
        began = time.perf_counter()
        splitter = RecursiveCharacterTextSplitter(
            separators=SEPARATORS,
            chunk_size=size,
            chunk_overlap=overlap,
            keep_separator="end",
            length_function=length,
        )
        chunks: list[tuple[str, int, int]] = []
        chunk_texts: list[str] = []
        for doc, text in texts.items():
            start = -1
            for chunk in splitter.split_text(text):
                start = text.find(chunk, start + 1)
                chunks.append((doc, start, start + len(chunk)))
                chunk_texts.append(chunk)
        questions = [entry["question"] for entry in golden]
        ranked = RETRIEVERS[arguments.retriever](chunk_texts, questions, arguments.k)
        recalls = [
            sum(
                any(
                    doc == item.get("doc", entry["doc"])
                    and start <= item["start"]
                    and item["end"] <= end
                    for doc, start, end in (chunks[number] for number in numbers)
                )
                for item in entry["evidence"]
            )
            / len(entry["evidence"])
            for entry, numbers in zip(golden, ranked, strict=True)
        ]
        found[setting] = {
            "recall": float(np.mean(recalls)),
            "seconds": time.perf_counter() - began,
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
