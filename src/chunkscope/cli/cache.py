"""`chunkscope cache`: vectors, extracted texts and token vectors kept on disk, shown and pruned."""

import argparse
import re

from chunkscope.cli.output import add_row, console, print_json, print_text, say, table
from chunkscope.embedding.cache import Held, VectorCache, default_cache_path
from chunkscope.embedding.late_cache import default_late_folder, held_texts, prune_texts
from chunkscope.text.display import visible
from chunkscope.text.loading.extractions import default_extractions

_SIZE = re.compile(r"([0-9]{1,12})(|kB|MB|GB)")
_FACTORS = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--prune",
        type=_size,
        metavar="SIZE",
        help="drop the oldest vectors until the others take at most SIZE: 0, 500MB, 2GB; token "
        "vectors of late chunking go first, then texts extracted from PDFs and the like",
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    """Show what is kept, pruned first where that is asked for; a missing file stays so."""
    path, folder = default_cache_path(), default_late_folder()
    held: list[Held] = []
    dropped = size = 0
    if path.exists():
        cache = VectorCache(path)
        if arguments.prune is not None:
            dropped = cache.prune(arguments.prune)
        held, size = cache.held(), cache.file_size()
        cache.close()
    extractions = default_extractions()
    read_again = extracted_again = 0
    if arguments.prune is not None:
        # Vectors may have been paid for; texts are only read again.
        room = arguments.prune - sum(one.size for one in held)
        extracted_again = extractions.prune(max(0, room))
        room -= extractions.held().size
        read_again = prune_texts(folder, max(0, room))
    extracted = extractions.held()
    late = held_texts(folder)
    late_size = sum(one.size for one in late)
    if arguments.format == "json":
        models = [
            {"name": one.name, "revision": one.revision, "vectors": one.vectors, "bytes": one.size}
            for one in held
        ]
        texts = [
            {"name": one.name, "revision": one.revision, "texts": one.texts, "bytes": one.size}
            for one in late
        ]
        print_json(
            {
                "path": str(path),
                "bytes": size,
                "models": models,
                "dropped": dropped,
                "late": {
                    "path": str(folder),
                    "bytes": late_size,
                    "models": texts,
                    "dropped": read_again,
                },
                "extractions": {
                    "path": str(extractions.folder),
                    "bytes": extracted.size,
                    "texts": extracted.entries,
                    "dropped": extracted_again,
                },
            }
        )
        return 0
    if arguments.prune is not None:
        say(f"{dropped:,} vectors dropped")
        say(f"token vectors of {read_again:,} texts dropped")
        say(f"{extracted_again:,} extracted texts dropped")
    print_text(f"{visible(str(path))}: {size / 1e6:,.1f} MB\n")
    _show("vectors", [(one.name, one.revision, one.vectors, one.size) for one in held])
    print_text(f"{visible(str(folder))}: {late_size / 1e6:,.1f} MB\n")
    _show("texts", [(one.name, one.revision, one.texts, one.size) for one in late])
    count = f"{extracted.entries:,} extracted text{'' if extracted.entries == 1 else 's'}"
    print_text(f"{visible(str(extractions.folder))}: {extracted.size / 1e6:,.1f} MB, {count}\n")
    return 0


def _show(what: str, rows: list[tuple[str, str, int, int]]) -> None:
    made = table("", [("model", "wrap"), ("revision", "wrap"), (what, "right"), ("MB", "right")])
    for name, revision, count, size in rows:
        add_row(made, [name, revision, f"{count:,}", f"{size / 1e6:,.1f}"])
    if rows:
        console().print(made)


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; give bytes, or 500MB")
    return int(found[1]) * _FACTORS[found[2]]
