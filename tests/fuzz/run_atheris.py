"""The same targets with coverage leading the way: `python tests/fuzz/run_atheris.py TARGET`.

Options of libFuzzer may follow, such as `-max_total_time=600` or a folder of inputs to begin
with. Needs the package atheris, which no other test does.
"""

import importlib.util
import pkgutil
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

_MISSING = "atheris is not installed: pip install atheris, or use python -m pytest tests/fuzz"


_WATCHED = ("chunkscope.text", "chunkscope.splitting", "chunkscope.golden")


def main() -> int:
    """Fuzz one target until libFuzzer stops; 2 where that is not possible."""
    if importlib.util.find_spec("atheris") is None:
        print(_MISSING, file=sys.stderr)
        return 2
    import atheris

    # Where the modules that make seeds are; pytest knows these folders from the project's file.
    tests = Path(__file__).resolve().parent.parent
    sys.path += [str(tests / folder) for folder in ("evaluation", "text")]
    # Its hook on patterns knows no `match` from a place on, which we use.
    atheris.enabled_hooks.add("str")
    with atheris.instrument_imports(include=["chunkscope"]):
        import fuzz_targets

        # What is imported where it is used would come too late to be watched.
        for room in _WATCHED:
            import_all(room)
    names = (*fuzz_targets.BYTES, *fuzz_targets.TEXTS)
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in names:
        print(f"give one of {', '.join(names)}", file=sys.stderr)
        return 2
    from steered import file_of, seeds_of, steered

    from chunkscope.text.loading import converted

    # A process for each of them would be all that is measured.
    converted.package_version = lambda _package: None

    def once(data: bytes) -> None:
        if name in fuzz_targets.BYTES:
            chance, made = file_of(data) if name == "loading" else steered(data)
            fuzz_targets.BYTES[name](made, chance)
        else:
            chance, made = steered(data)
            fuzz_targets.TEXTS[name](made.decode("utf-8", "surrogateescape"), chance)

    from test_targets import PAGE, SEEDS, WORD

    shaped = {
        1: [one.encode() for one in WORD],
        4: [b"BT /F1 12 Tf 50 800 Td [(Low)-300(water)]TJ T* (at six)' ET 1 2 m 3 4 l S"],
        5: [one.encode() for one in PAGE],
    }
    with TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds_of(name, SEEDS[name], shaped)):
            (Path(folder) / str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], *sys.argv[2:], folder], once)
        atheris.Fuzz()
    return 0


def import_all(room: str) -> None:
    """Import a room of the package with everything in it that can be imported here."""
    package = importlib.import_module(room)
    for found in pkgutil.walk_packages(package.__path__, f"{room}."):
        # Some need packages that are not installed.
        with suppress(ImportError):
            importlib.import_module(found.name)


if __name__ == "__main__":
    sys.exit(main())
