"""A sweep by the harness that people write and by `chunkscope sweep`, side by side in one run.

    python benchmarks/sweep.py [--mb MB] [--questions N] [--few 64:0,256:10] [--save FILE]

The text is the Chroma set where it is found, else the sample documents; with --mb, made text of
that many megabytes with questions drawn from it. The harness is `plain_harness.py` with tiktoken
and rank-bm25, with bm25s, and with bm25s and toktok (`pip install bm25s`). Both are whole
processes from start to end over the same 20 configurations, and the recall of each must agree to
the last digit. With --few the harness runs those (size:percent) only, and its time for all of them
is what it takes to start and that many times their mean; rank-bm25 always does so, being slow.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from growth import write_made
from rich.console import Console
from rich.table import Table

from chunkscope.text.tokens import write_tiktoken_cache

ROOT = Path(__file__).resolve().parent.parent
ENCODING = "cl100k_base"
SIZES = (64, 128, 256, 512, 1024)
OVERLAPS = (0, 10, 20, 30)
ALL = tuple((size, percent) for size in SIZES for percent in OVERLAPS)
FEW = ((64, 0), (256, 10), (1024, 30))
K = 5

Setting = tuple[int, int]


def default_folder() -> Path:
    data = Path(os.environ.get("CHUNKSCOPE_DATA", ROOT.parent / "shared" / "data"))
    return data / "chroma" if (data / "chroma").is_dir() else ROOT / "sample_docs"


@dataclass(frozen=True)
class Run:
    """One whole process: seconds on the clock and on the processors, and recall by setting."""

    seconds: float
    used: float
    recall: dict[Setting, float]


@dataclass(frozen=True)
class Set:
    """Documents and the golden set of them."""

    name: str
    docs: Path
    golden: Path


def watched(command: list[str], environment: dict[str, str]) -> tuple[bytes, float, float]:
    """Output of a command, its seconds on the clock and on the processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(command, capture_output=True, check=True, cwd=empty, env=environment)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds, used


def chunkscope_run(data: Set, retriever: str) -> Run:
    """`chunkscope sweep` over all settings."""
    command = [
        str(Path(sys.executable).with_name("chunkscope")),
        *("sweep", str(data.docs), "--golden", str(data.golden), "--k", str(K)),
        *("--format", "json", "--sizes", ",".join(map(str, SIZES))),
        *("--overlaps", ",".join(f"{percent}%" for percent in OVERLAPS)),
        *("--retriever", retriever, "--words", "whitespace"),
    ]
    out, seconds, used = watched(command, dict(os.environ))
    splitters = [(row["config"]["splitter"], row["metrics"]) for row in json.loads(out)["rows"]]
    recall = {(one["size"], one["overlap"]): metrics["recall"] for one, metrics in splitters}
    return Run(seconds, used, recall)


def harness_run(
    data: Set, variant: tuple[str, str], settings: tuple[Setting, ...], vocabulary: Path
) -> Run:
    """The plain harness over some settings; its time is that of all of them."""
    length, retriever = variant
    tokens = [(size, size * percent // 100) for size, percent in settings]
    command = [
        *(sys.executable, str(Path(__file__).with_name("plain_harness.py"))),
        *(str(data.docs), str(data.golden), "--k", str(K)),
        *("--settings", ",".join(f"{size}:{overlap}" for size, overlap in tokens)),
        *("--length", length, "--retriever", retriever),
    ]
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": str(vocabulary)}
    out, seconds, used = watched(command, environment)
    found = {tuple(map(int, name.split(":"))): entry for name, entry in json.loads(out).items()}
    each = sum(entry["seconds"] for entry in found.values()) / len(found)
    more = (len(ALL) - len(settings)) * each
    recall = {setting: entry["recall"] for setting, entry in found.items()}
    return Run(seconds + more, used + more, recall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, help="of text to make; default: the Chroma set")
    parser.add_argument("--questions", type=int, default=100, help="to draw from made text")
    parser.add_argument("--few", help="size:percent,… that the harness runs; default: all 20")
    parser.add_argument("--repeats", type=int, default=3, help="of chunkscope; the best counts")
    parser.add_argument("--save", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    few = FEW
    if arguments.few is not None:
        few = tuple(
            (int(size), int(percent))
            for size, percent in (pair.split(":") for pair in arguments.few.split(","))
        )
    with tempfile.TemporaryDirectory() as made:
        if arguments.mb is None:
            folder = default_folder()
            docs = folder / "docs" if (folder / "docs").is_dir() else folder
            data = Set(folder.name, docs, folder / "golden.jsonl")
        else:
            data = Set(f"{arguments.mb:g} MB made", Path(made) / "docs", Path(made) / "g.jsonl")
            write_made(data.docs, data.golden, int(arguments.mb * 1_000_000), arguments.questions)
        vocabulary = Path(made) / "vocabulary"
        vocabulary.mkdir()
        write_tiktoken_cache(vocabulary, ENCODING)
        figures = compared(data, few, vocabulary, arguments)
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def compared(
    data: Set, few: tuple[Setting, ...], vocabulary: Path, arguments: argparse.Namespace
) -> list[dict[str, object]]:
    """Run everything, print the table, and give its figures."""
    ours: dict[str, Run] = {}
    for retriever in ("rank-bm25", "bm25"):
        runs = [chunkscope_run(data, retriever) for _ in range(arguments.repeats)]
        ours[retriever] = min(runs, key=lambda run: run.seconds)
    some = ALL if arguments.few is None else few
    variants = [("tiktoken", "rank-bm25", few)]
    if find_spec("bm25s") is not None:
        variants += [("tiktoken", "bm25s", some), ("toktok", "bm25s", some)]
    table = Table(title=f"{data.name}: a sweep of {len(ALL)} configurations, whole processes")
    for column in ("", "configurations run", "s", "CPU s", "chunkscope is", "recall"):
        table.add_column(column, justify="right")
    figures: list[dict[str, object]] = []
    for length, retriever, settings in variants:
        run = harness_run(data, (length, retriever), settings, vocabulary)
        beside = ours["rank-bm25" if retriever == "rank-bm25" else "bm25"]
        off = max(abs(recall - beside.recall[setting]) for setting, recall in run.recall.items())
        ratio = run.seconds / beside.seconds
        agrees = "the same" if off < 1e-12 else f"differs by {off:.4f}"
        name = f"LangChain + {length} + {retriever} + loop"
        table.add_row(
            name, str(len(settings)), f"{run.seconds:.1f}", f"{run.used:.1f}",
            f"{ratio:.1f} x faster", agrees,
        )  # fmt: skip
        figures.append(
            {"what": name, "seconds": run.seconds, "ratio": ratio, "recall_differs": off}
        )
    for retriever, run in ours.items():
        name = f"chunkscope sweep --retriever {retriever}"
        table.add_row(name, str(len(ALL)), f"{run.seconds:.2f}", f"{run.used:.2f}", "", "")
        figures.append({"what": name, "seconds": run.seconds, "cpu": run.used})
    console = Console(width=120)
    console.print(table)
    console.print(
        f"{len(os.sched_getaffinity(0))} processors. chunkscope gives every metric, intervals, "
        "boundary phases and advice, too."
    )
    if find_spec("bm25s") is None:
        console.print("bm25s is not installed (pip install bm25s): its two variants are left out.")
    return figures


if __name__ == "__main__":
    main()
