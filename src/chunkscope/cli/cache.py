"""`chunkscope cache`: the vectors kept on disk, shown and pruned."""

import argparse
import re

from chunkscope.cli.output import add_row, console, print_json, print_text, say, table
from chunkscope.embedding.cache import Held, VectorCache, default_cache_path
from chunkscope.text.display import visible

_SIZE = re.compile(r"([0-9]{1,12})(|kB|MB|GB)")
_FACTORS = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--prune",
        type=_size,
        metavar="SIZE",
        help="drop the oldest vectors until the others take at most SIZE: 0, 500MB, 2GB",
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    """Show what the file holds, pruned first where that is asked for; a missing one stays so."""
    path = default_cache_path()
    held: list[Held] = []
    dropped = size = 0
    if path.exists():
        cache = VectorCache(path)
        if arguments.prune is not None:
            dropped = cache.prune(arguments.prune)
        held, size = cache.held(), cache.file_size()
        cache.close()
    if arguments.format == "json":
        models = [
            {"name": one.name, "revision": one.revision, "vectors": one.vectors, "bytes": one.size}
            for one in held
        ]
        print_json({"path": str(path), "bytes": size, "models": models, "dropped": dropped})
        return 0
    if arguments.prune is not None:
        say(f"{dropped:,} vectors dropped")
    print_text(f"{visible(str(path))}: {size / 1e6:,.1f} MB\n")
    made = table(
        "",
        [("model", "wrap"), ("revision", "wrap"), ("vectors", "right"), ("MB", "right")],
    )
    for one in held:
        add_row(made, [one.name, one.revision, f"{one.vectors:,}", f"{one.size / 1e6:,.1f}"])
    if held:
        console().print(made)
    return 0


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; give bytes, or 500MB")
    return int(found[1]) * _FACTORS[found[2]]
