"""Every measurement in one run, saved for this machine.

    python benchmarks/everything.py [--quick] [--folder benchmarks/results]

Runs, each as its own process: a sweep beside the plain harnesses on made text of 0.1, 1 and 10 MB
and on the Chroma set (`sweep.py`); re-cutting (`recut.py`); the 10 x 10 grid with its memory on
the Chroma set and on 10 MB with 1,000 questions (`grid.py`); growth (`growth.py`); key presses in
the inspector (`live.py`); painting (`painting.py`); starting. What is printed is saved as
FOLDER/MACHINE.txt, named by processor and count of cores. It takes about half an hour; with
--quick the 10 MB steps are left out.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

QUICK = (
    ("sweep.py", "--mb", "0.1"),
    ("sweep.py", "--mb", "1", "--few", "64:0,256:10,1024:30"),
    ("sweep.py",),
    ("recut.py",),
    ("grid.py",),
    ("growth.py", "--most", "4"),
    ("live.py",),
    ("painting.py",),
)
LARGE = (
    ("sweep.py", "--mb", "10", "--few", "256:10"),
    ("grid.py", "--mb", "10", "--questions", "1000"),
    ("growth.py", "--most", "16"),
)


def machine() -> str:
    """The processor and how many cores of it may be used."""
    name = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        found = re.search(r"model name\s*: (.+)", information.read_text(encoding="utf-8"))
        name = found[1] if found is not None else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, Python {platform.python_version()}, {platform.system()}"


def starting() -> str:
    """Best of five: `chunkscope --help` on the clock."""
    command = [str(Path(sys.executable).with_name("chunkscope")), "--help"]
    times = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - began)
    return f"chunkscope --help: {min(times):.2f} s\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave the 10 MB steps out")
    parser.add_argument("--folder", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    title = machine()
    path = arguments.folder / (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") + ".txt")
    path.write_text(f"{title}\n\n{starting()}", encoding="utf-8")
    print(path.read_text(encoding="utf-8"))
    for step in (*QUICK, *(() if arguments.quick else LARGE)):
        command = [sys.executable, str(HERE / step[0]), *step[1:]]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        out = done.stdout.decode("utf-8", "replace")
        failed = f"ended with {done.returncode}\n" if done.returncode else ""
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n$ python benchmarks/{' '.join(step)}\n{out}{failed}")
        print(f"$ {' '.join(step)}\n{out}{failed}", flush=True)
    print(f"saved as {path}")


if __name__ == "__main__":
    main()
