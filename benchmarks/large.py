"""Seconds and peak memory of `chunks`, `health` and `sweep` on made corpora of doubling size.

    python benchmarks/large.py [--least MB] [--most MB] [--file KB] [--commands chunks,health,sweep]
                               [--records]

The corpus is made in a temporary folder: Markdown files of `--file` KB, no two alike. Each command
is a process of its own that writes to the null device; its peak is the largest process's, as the
system counts it. `chunks` and `health` hold some documents at a time, so that their memory stays
the same. `sweep` holds a corpus of up to 64 MB with everything that it works out for it; of a
larger one it holds some documents, and numbers for every chunk of one configuration. With
`--records` the corpus is one file of JSON Lines, a record of `--file` KB each line.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

COMMANDS: dict[str, list[str]] = {
    "chunks": ["chunks", "--format", "jsonl"],
    "health": ["health", "--format", "json"],
    "sweep": ["sweep", "--sizes", "128,256", "--overlaps", "0", "--format", "json"],
}


def write_made(folder: Path, megabytes: float, kilobytes: int) -> Path:
    """Files of made Markdown, and beside them a golden set on 20 of their sentences."""
    made = random.Random(1)
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(made.choices(letters, k=made.randint(2, 9))) for _ in range(5000)]
    sentences = [
        " ".join(made.choices(words, k=made.randint(8, 30))).capitalize() + "." for _ in range(2000)
    ]
    golden: list[dict[str, object]] = []
    for number in range(max(1, int(megabytes * 1000 / kilobytes))):
        parts = [f"# File {number}"]
        size = 0
        while size < kilobytes * 1000:
            heading = "## " + " ".join(made.choices(words, k=4)) + "\n\n"
            own = f"Number {number} has {made.random():.9f} of it."
            text = " ".join([*made.choices(sentences, k=4), own])
            parts.append(heading * (made.random() < 0.1) + text)
            size += len(parts[-1]) + 2
            if len(golden) < 20 and made.random() < 0.01:
                name = f"{number // 1000:03}/{number:06}.md"
                question = {"id": f"q{len(golden)}", "question": own, "doc": name}
                golden.append({**question, "evidence": [{"text": own}]})
        place = folder / "docs" / f"{number // 1000:03}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:06}.md").write_bytes("\n\n".join(parts).encode())
    file = folder / "golden.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in golden))
    return file


def into_one_file(folder: Path) -> Path:
    """The made files as records of one file, in whose order their ids are not."""
    lines = folder / "lines"
    lines.mkdir()
    places = sorted((folder / "docs").rglob("*.md"), key=lambda place: place.stem[::-1])
    with (lines / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for place in places:
            name = place.relative_to(folder / "docs").as_posix()
            title, _, text = place.read_text(encoding="utf-8").partition("\n\n")
            file.write(json.dumps({"_id": name, "title": title, "text": text}) + "\n")
    return lines


def measure(command: list[str]) -> tuple[float, float, float]:
    """Seconds on the clock, seconds on the processors, peak megabytes."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "chunkscope", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(said.decode())
    unit = 1e6 if sys.platform == "darwin" else 1e3
    seconds = time.perf_counter() - began
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=float, default=4)
    parser.add_argument("--most", type=float, default=64)
    parser.add_argument("--file", type=int, default=100)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--records", action="store_true")
    arguments = parser.parse_args()
    table = Table("MB of text", "command", "seconds", "processor seconds", "peak MB")
    megabytes = arguments.least
    while megabytes <= arguments.most:
        with tempfile.TemporaryDirectory() as folder:
            golden = write_made(Path(folder), megabytes, arguments.file)
            docs = [str(Path(folder) / "docs")]
            if arguments.records:
                docs = [str(into_one_file(Path(folder))), "--records", "title,text"]
            for name in arguments.commands.split(","):
                command = [*COMMANDS[name], *docs]
                if name == "sweep":
                    command += ["--golden", str(golden)]
                figures = [f"{one:.1f}" for one in measure(command)]
                print(f"{megabytes:g} MB {name}: {' '.join(figures)}", file=sys.stderr)
                table.add_row(f"{megabytes:g}", name, *figures)
        megabytes *= 2
    Console().print(table)


if __name__ == "__main__":
    main()
