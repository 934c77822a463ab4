"""A grid of 10 x 10 sizes and overlaps as a whole process: seconds, and memory at its highest.

    python benchmarks/grid.py [--mb 10] [--questions 1000] [--save FILE]

Without --mb the grid runs on the Chroma set where it is found, else on the sample documents. With
it, on text of that many megabytes, made as `growth.py` makes it, and questions drawn from it.
Memory is the resident size of the parent and what its workers have for themselves, looked at
every 50 ms (Linux only).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from growth import write_made
from rich.console import Console
from rich.table import Table
from sweep import default_folder

SIZES = (64, 96, 128, 192, 256, 384, 512, 640, 768, 1024)
OVERLAPS = tuple(f"{percent}%" for percent in range(0, 50, 5))


@dataclass(frozen=True)
class Figures:
    """One whole process: seconds on the clock, rows, memory in MB."""

    seconds: float
    rows: int
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, help="of text to make; default: the Chroma set")
    parser.add_argument("--questions", type=int, default=1000, help="to draw from made text")
    parser.add_argument("--save", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        if arguments.mb is None:
            folder = default_folder()
            docs = folder / "docs" if (folder / "docs").is_dir() else folder
            golden = folder / "golden.jsonl"
        else:
            docs, golden = Path(made) / "docs", Path(made) / "golden.jsonl"
            write_made(docs, golden, int(arguments.mb * 1_000_000), arguments.questions)
        figures = measured(docs, golden)
        size = sum(path.stat().st_size for path in docs.rglob("*") if path.is_file()) / 1e6
    table = Table(title=f"{len(SIZES)} sizes x {len(OVERLAPS)} overlaps, {size:.1f} MB of text")
    for column in ("rows", "s", "memory, MB", "x the text"):
        table.add_column(column, justify="right")
    table.add_row(
        str(figures.rows),
        f"{figures.seconds:.1f}",
        f"{figures.megabytes:.0f}",
        f"{figures.megabytes / size:.1f}",
    )
    Console(width=100).print(table)
    if arguments.save is not None:
        saved = {"text_mb": size, "seconds": figures.seconds, "memory_mb": figures.megabytes}
        arguments.save.write_text(json.dumps(saved, indent=2) + "\n", encoding="utf-8")


def measured(docs: Path, golden: Path) -> Figures:
    """`chunkscope sweep` over the grid, watched."""
    command = [
        str(Path(sys.executable).with_name("chunkscope")),
        *("sweep", str(docs), "--golden", str(golden), "--k", "5", "--format", "json"),
        *("--sizes", ",".join(map(str, SIZES)), "--overlaps", ",".join(OVERLAPS)),
    ]
    most = 0.0
    with tempfile.TemporaryDirectory() as empty:
        out = Path(empty) / "out.json"
        began = time.perf_counter()
        with out.open("wb") as stdout:
            process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, cwd=empty)
            while process.poll() is None:
                most = max(most, memory(process.pid))
                time.sleep(0.05)
        seconds = time.perf_counter() - began
        if process.returncode:
            raise SystemExit(f"chunkscope sweep ended with {process.returncode}")
        rows = len(json.loads(out.read_bytes())["rows"])
    return Figures(seconds, rows, most)


def memory(parent: int) -> float:
    """MB: all that `parent` holds, and what only its children hold."""
    total = _rolled_up(parent, ("Rss:",))
    children = Path(f"/proc/{parent}/task/{parent}/children")
    try:
        pids = children.read_text(encoding="ascii").split()
    except OSError:
        return total
    return total + sum(_rolled_up(int(pid), ("Private_Clean:", "Private_Dirty:")) for pid in pids)


def _rolled_up(pid: int, names: tuple[str, ...]) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").split("\n")
    except OSError:
        # It has ended, or this is no Linux.
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith(names)) / 1024


if __name__ == "__main__":
    main()
