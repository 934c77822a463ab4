"""`chunkscope golden import`: another tool's questions as a golden set with offsets."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from chunkscope.cli.flags import add_reading_flags, path
from chunkscope.cli.output import add_row, console, print_json, say, say_all, table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus
from chunkscope.errors import InputError
from chunkscope.golden.atomic import replace_file
from chunkscope.golden.importing.formats import COLUMNS
from chunkscope.golden.importing.placing import Imported, place
from chunkscope.golden.importing.reading import FORMATS, read_source
from chunkscope.golden.wording import counted
from chunkscope.golden.writing import write_golden

_LISTED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("file", type=path, metavar="FILE", help="questions of another tool")
    parser.add_argument(
        "paths", nargs="*", type=path, metavar="PATH", help="the documents they are about"
    )
    parser.add_argument(
        "--out", required=True, type=path, metavar="FILE", help="golden set to write"
    )
    parser.add_argument("--force", action="store_true", help="replace --out if it exists")
    parser.add_argument(
        "--from", dest="source", choices=FORMATS, metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; told by the content where not given",
    )  # fmt: skip
    parser.add_argument(
        "--column", action="append", default=[], metavar="OURS=THEIRS",
        help=f"a column of a CSV file; ours are {', '.join(COLUMNS)}; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--chunks", type=path, metavar="FILE", help="the chunks that FILE names by id"
    )
    parser.add_argument(
        "--write-documents", type=path, metavar="FOLDER",
        help="write the texts that FILE brings along; in place of PATH",
    )  # fmt: skip
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_reading_flags(parser)
    # FILE alone would else be taken to be all of FILE and PATH when a flag stands between them.
    parser.set_defaults(scattered=True)


def run(arguments: argparse.Namespace) -> int:
    """Write the golden set; 1 when no question of it can be measured."""
    if arguments.out.exists() and not arguments.force:
        raise InputError(f"{arguments.out}: exists; give --force to replace it, or another --out")
    source = read_source(
        arguments.file,
        arguments.source,
        chunks=arguments.chunks,
        columns=_columns(arguments.column),
    )
    if arguments.write_documents is not None:
        if arguments.paths:
            raise InputError("--write-documents: stands in place of PATH; leave one of them out")
        if not source.documents:
            raise InputError(f"{arguments.file}: brings no texts along; give the documents as PATH")
        _write_documents(arguments.write_documents, source.documents)
        arguments.paths = [arguments.write_documents]
    if not arguments.paths:
        own = ", or --write-documents FOLDER" if source.documents else ""
        raise InputError(f"no documents: give the PATH of those the questions are about{own}")
    corpus = read_corpus(arguments, exclude=_no_documents(arguments))
    with progress("locating evidence") as advance:
        imported = place(source, corpus, progress=advance)
    write_golden(imported.golden, arguments.out, known=None if arguments.force else "")
    say_all(imported.warnings)
    if arguments.format == "json":
        print_json(_object(source.format, imported))
    else:
        _print(imported)
    say(f"{_summary(source.format, imported)}; written to {arguments.out}")
    lost = {one.question_id for one in imported.lost}
    measured = [one for one in imported.golden.questions if one.evidence and one.id not in lost]
    return 0 if measured else 1


def _no_documents(arguments: argparse.Namespace) -> list[Path]:
    """Files that hold the questions themselves: their evidence must not be found in them."""
    files = [arguments.file, arguments.out]
    if arguments.file.is_dir():
        files.extend(path for path in arguments.file.rglob("*") if path.is_file())
    return files if arguments.chunks is None else [*files, arguments.chunks]


def _columns(values: list[str]) -> Mapping[str, str]:
    columns = {}
    for value in values:
        ours, mark, theirs = value.partition("=")
        if not mark or ours not in COLUMNS or not theirs:
            raise InputError(
                f"--column {value!r}: give OURS=THEIRS, ours one of {', '.join(COLUMNS)}"
            )
        columns[ours] = theirs
    return columns


def _write_documents(folder: Path, documents: Mapping[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror}); give another") from None
    for name, text in documents.items():
        target = folder / name
        data = text.encode("utf-8", "surrogatepass")
        if target.exists() and target.read_bytes() != data:
            raise InputError(f"{target}: exists and differs; give an empty folder")
        replace_file(target, data)


def _summary(name: str, imported: Imported) -> str:
    questions = imported.golden.questions
    pieces = sum(len(question.evidence) for question in questions)
    return (
        f"{counted(len(questions), 'question')} from {name}, "
        f"{counted(pieces, 'piece')} of evidence: "
        f"{len(imported.lost)} not found, {imported.ambiguous} ambiguous, "
        f"{imported.drifted} drifted, {imported.loose} found loosely"
    )


def _object(name: str, imported: Imported) -> dict[str, object]:
    return {
        "format": name,
        "questions": len(imported.golden.questions),
        "evidence": sum(len(question.evidence) for question in imported.golden.questions),
        "ambiguous": imported.ambiguous,
        "drifted": imported.drifted,
        "loose": imported.loose,
        "lost": [
            {"where": one.where, "id": one.question_id, "message": one.message}
            for one in imported.lost
        ],
        "warnings": list(imported.warnings),
    }


def _print(imported: Imported) -> None:
    if not imported.lost:
        return
    made = table("not found", [("where", "left"), ("question", "left"), ("", "wrap")])
    for one in imported.lost[:_LISTED]:
        add_row(made, [one.where, one.question_id, one.message])
    console().print(made)
    if len(imported.lost) > _LISTED:
        say(f"{len(imported.lost) - _LISTED} more not found (--format json lists them all)")
