"""`chunkscope export`: a configuration as code or config, proven to cut the same."""

import argparse

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.flags import add_configuration_flags, add_reading_flags, path
from chunkscope.cli.output import print_json, print_text, save_text, say, say_all
from chunkscope.cli.sources import read_corpus
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export.proof import verify
from chunkscope.export.targets import export, target_names

_CHECK_FAILED = 1
_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--to", required=True, metavar="TARGET", help=", ".join(target_names()))
    parser.add_argument(
        "--verify",
        nargs="+",
        type=path,
        default=[],
        dest="paths",
        metavar="PATH",
        help="run the export on these documents and compare chunk by chunk",
    )
    parser.add_argument("--save", type=path, metavar="FILE", help="write it here, not to stdout")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: the proof as an object"
    )
    add_reading_flags(parser)
    add_configuration_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print or save the export; with `--verify` prove it first."""
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    code = export(configuration, arguments.to)
    proof = None
    if arguments.paths:
        corpus = read_corpus(arguments)
        index = CorpusIndex(corpus)
        mismatches = verify(configuration, arguments.to, corpus, index, text=code)
        chunks = len(index.chunk_set(configuration.splitter, configuration.enrich))
        proof = {
            "documents": len(corpus.documents),
            "chunks": chunks,
            "identical": not mismatches,
            "mismatches": [
                {"doc": found.doc, "index": found.index, "expected": found.expected,
                 "got": found.got}
                for found in mismatches
            ],
        }  # fmt: skip
        for found in mismatches[:_SHOWN]:
            say(
                f"{found.doc}: chunk {found.index} differs: "
                f"expected {_short(found.expected)}, got {_short(found.got)}"
            )
        outcome = "identical" if not mismatches else f"{len(mismatches)} differ"
        proven_on = f"{_counted(len(corpus.documents), 'document')}, {_counted(chunks, 'chunk')}"
        say(f"verified on {proven_on}: {outcome}")
        if not mismatches:
            code = export(configuration, arguments.to, note=f"proven to cut the same, {proven_on}")
    if arguments.format == "json":
        print_json({"target": arguments.to, "config": configuration.to_mapping(),
                    "hash": configuration.hash, "text": code, "verified": proof})  # fmt: skip
    if arguments.save is not None:
        save_text(arguments.save, code)
        say(f"written: {arguments.save}")
    elif arguments.format == "text":
        print_text(code)
    return _CHECK_FAILED if proof is not None and not proof["identical"] else 0


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _short(text: str | None) -> str:
    if text is None:
        return "no chunk"
    return repr(text if len(text) <= 60 else text[:59] + "…")
