"""A document of three times, a golden set of two questions on it, and two configurations."""

import json
from pathlib import Path

TEXT = "The tug leaves at dawn.\n\nThe ferry leaves at noon.\n\nThe pilot boards at dusk.\n"
# With --size 10 no chunk holds an answer whole, with --size 30 each does.
BY_CHARACTERS = ("--unit", "characters", "--overlap", "0", "--k", "1")


def write_harbour(folder: Path, golden: str, pilot: str = "pilot") -> None:
    """Write docs/times.txt, and the golden set: questions `tug` and whatever `pilot` is."""
    docs = folder / "docs"
    docs.mkdir()
    (docs / "times.txt").write_bytes(TEXT.encode())
    questions = [
        {"id": "tug", "question": "When does the tug leave?", "doc": "times.txt",
         "evidence": [{"text": "The tug leaves at dawn.", "start": 0, "end": 23}]},
        {"id": pilot, "question": "When does the pilot board?", "doc": "times.txt",
         "evidence": [{"text": "The pilot boards at dusk."}]},
    ]  # fmt: skip
    (folder / golden).write_text("".join(json.dumps(one) + "\n" for one in questions))


def write_configurations(folder: Path, more: str = "") -> None:
    """Write a.toml of 10 characters and b.toml of 30."""
    for name, size in (("a", 10), ("b", 30)):
        settings = f'[splitter]\nsize = {size}\noverlap = 0\nunit = "characters"\n'
        (folder / f"{name}.toml").write_text(settings + more)
