"""The same targets with coverage leading the way: `python tests/fuzz/run_atheris.py TARGET`.

Options of libFuzzer may follow, such as `-max_total_time=600` or a folder of inputs to begin
with. Needs the package atheris, which no other test does.
"""

import importlib.util
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

_MISSING = "atheris is not installed: pip install atheris, or use python -m pytest tests/fuzz"


def main() -> int:
    """Fuzz one target until libFuzzer stops; 2 where that is not possible."""
    if importlib.util.find_spec("atheris") is None:
        print(_MISSING, file=sys.stderr)
        return 2
    import atheris

    with atheris.instrument_imports(include=["chunkscope"]):
        import fuzz_targets
    names = (*fuzz_targets.BYTES, *fuzz_targets.TEXTS)
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in names:
        print(f"give one of {', '.join(names)}", file=sys.stderr)
        return 2

    def once(data: bytes) -> None:
        chance, made = Random(data[:4]), data[4:]
        if name in fuzz_targets.BYTES:
            fuzz_targets.BYTES[name](made, chance)
        else:
            fuzz_targets.TEXTS[name](made.decode("utf-8", "surrogateescape"), chance)

    with TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds(name)):
            (Path(folder) / str(number)).write_bytes(bytes(4) + seed)
        atheris.Setup([sys.argv[0], *sys.argv[2:], folder], once)
        atheris.Fuzz()
    return 0


def seeds(name: str) -> list[bytes]:
    """Valid inputs of a target, to begin with."""
    # Where the modules that make them are; pytest knows these folders from the project's file.
    tests = Path(__file__).resolve().parent.parent
    sys.path += [str(tests / folder) for folder in ("evaluation", "text")]
    from test_targets import SEEDS

    return SEEDS[name]


if __name__ == "__main__":
    sys.exit(main())
