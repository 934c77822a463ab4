"""The same targets with coverage leading the way: `python tests/fuzz/run_atheris.py TARGET`.

Options of libFuzzer may follow, such as `-max_total_time=600` or a folder of inputs to begin
with. Needs the package atheris, which no other test does.
"""

import importlib.util
import sys
from random import Random

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
        provider = atheris.FuzzedDataProvider(data)
        chance = Random(provider.ConsumeInt(4))
        if name in fuzz_targets.BYTES:
            fuzz_targets.BYTES[name](provider.ConsumeBytes(1 << 16), chance)
        else:
            fuzz_targets.TEXTS[name](provider.ConsumeUnicode(1 << 12), chance)

    atheris.Setup([sys.argv[0], *sys.argv[2:]], once)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
