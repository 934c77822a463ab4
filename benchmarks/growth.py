"""How the time of a sweep grows with text, questions and configurations, and how much memory.

    python benchmarks/growth.py [--most MB] [--save FILE]

Text is made of the Chroma set where it is found, else of the sample documents, repeated with its
words varied, so that neither chunks nor words repeat. Each step doubles one thing: text from
0.5 MB to MB (16), questions from 125 to 1,000, configurations from 5 to 40. Each is a whole
`run_sweep` in a process of its own, the better of two; its time on the processors, to that of the
step before, says how it grows: up to 2 is linear, less where what every run costs weighs most.
"""

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
SIZES = (64, 128, 256, 512, 1024)
OVERLAPS = tuple(f"{percent}%" for percent in range(0, 40, 5))


def source_text() -> str:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data")) / "chroma"
    folder = data / "docs" if data.is_dir() else ROOT / "sample_docs"
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".md", ".txt"})
    return "\n\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def varied(text: str, characters: int) -> list[str]:
    """Documents of about 250,000 characters; from the second round on, some words are new."""
    words = re.compile(r"[A-Za-z]{5,}")
    documents: list[str] = []
    made = 0
    number = 0
    while made < characters:
        generator = random.Random(number)
        part = text[(number * 250_000) % len(text) :][: min(250_000, characters - made)]
        pieces = words.split(part)
        found = words.findall(part)
        for place in range(0, len(found), 20):
            found[place] += generator.choice("abcdefgh")
        changed = "".join(gap + word for gap, word in zip(pieces, [*found, ""], strict=True))
        documents.append(changed)
        made += len(changed)
        number += 1
    return documents


def questions_of(texts: dict[str, str], count: int) -> Iterator[tuple[str, str, str, str, int]]:
    """Questions drawn from documents: id, question, document, evidence, its start."""
    generator = random.Random(1)
    names = list(texts)
    for number in range(count):
        name = generator.choice(names)
        start = generator.randrange(max(1, len(texts[name]) - 300))
        text = texts[name][start : start + 200]
        words = text.split()
        asked = " ".join(generator.sample(words, min(10, len(words))))
        yield f"q{number}", asked, name, text, start


def write_made(docs: Path, golden: Path, characters: int, questions: int) -> None:
    """Documents and a golden set of made text."""
    docs.mkdir()
    texts = {f"{n:05}.txt": text for n, text in enumerate(varied(source_text(), characters))}
    for name, text in texts.items():
        (docs / name).write_bytes(text.encode())
    lines = [
        json.dumps(
            {"id": id_, "question": asked, "doc": doc,
             "evidence": [{"text": text, "start": start, "end": start + len(text)}]}
        )
        for id_, asked, doc, text, start in questions_of(texts, questions)
    ]  # fmt: skip
    golden.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(characters: int, questions: int, configurations: int) -> None:
    """One sweep in this process; prints its figures as JSON."""
    from chunkscope.evaluation.configuration import Configuration
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.evaluation.sweep import plan_sweep, run_sweep
    from chunkscope.golden.model import Evidence, LocatedEvidence, LocatedQuestion, Place, Question
    from chunkscope.text.document import Corpus, Document
    from chunkscope.text.spans import Span

    texts = {f"{n:05}.txt": text for n, text in enumerate(varied(source_text(), characters))}
    corpus = Corpus(tuple(Document(name, text) for name, text in texts.items()))
    located = []
    for id_, asked, name, text, start in questions_of(texts, questions):
        item = Evidence(text, start, start + len(text))
        place = Place(name, Span(start, start + len(text)), "offsets")
        question = Question(id_, asked, name, (item,))
        located.append(LocatedQuestion(question, (LocatedEvidence(item, (place,)),)))
    overlaps = OVERLAPS[: max(1, configurations // len(SIZES))]
    plan = plan_sweep(Configuration(), SIZES, overlaps)
    began = time.perf_counter()
    sweep = run_sweep(CorpusIndex(corpus), plan, located)
    seconds = time.perf_counter() - began
    own, workers = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        json.dumps(
            {
                "rows": len(sweep.rows),
                "seconds": seconds,
                "cpu": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
                "parent_mb": own.ru_maxrss / 1024,
                "worker_mb": workers.ru_maxrss / 1024,
            }
        )
    )


def measured(characters: int, questions: int, configurations: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", str(characters), str(questions)]
    # numpy's own threads would spin beside the workers.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(configurations)], capture_output=True, check=True, env=environment
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=float, default=16, metavar="MB")
    parser.add_argument("--save", type=Path, help="write the figures as JSON, too")
    parser.add_argument("--one", nargs=3, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        run(*arguments.one)
        return
    megabytes = [size for size in (0.5, 1, 2, 4, 8, 16) if size <= arguments.most]
    series = {
        "text, MB": [(size, (int(size * 1_000_000), 100, 5)) for size in megabytes],
        "questions": [(count, (1_000_000, count, 5)) for count in (125, 250, 500, 1000)],
        "configurations": [(count, (1_000_000, 250, count)) for count in (5, 10, 20, 40)],
    }
    table = Table(title="growth of a sweep, boundary phases included")
    for column in ("what doubles", "at", "s", "CPU s", "CPU ratio", "parent MB", "worker MB"):
        table.add_column(column, justify="right")
    figures = []
    for name, steps in series.items():
        before = None
        for at, step in steps:
            found = min((measured(*step) for _ in range(2)), key=lambda one: one["cpu"])
            ratio = None if before is None else found["cpu"] / before
            before = found["cpu"]
            figures.append({"what": name, "at": at, "ratio": ratio, **found})
            table.add_row(
                name,
                f"{at:g}",
                f"{found['seconds']:.2f}",
                f"{found['cpu']:.2f}",
                "" if ratio is None else f"{ratio:.2f}",
                f"{found['parent_mb']:.0f}",
                f"{found['worker_mb']:.0f}",
            )
    Console(width=110).print(table)
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
