"""`chunkscope chunks`: the chunks of a corpus."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.fitted import Column
from chunkscope.cli.flags import add_configuration_flags, add_corpus_arguments
from chunkscope.cli.output import add_row, console, print_json, say, say_all, table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus
from chunkscope.cli.streams import to_stdout
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import place_of
from chunkscope.evaluation.summary import chunk_statistics
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.graphemes import grapheme_cuts
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.warnings import corpus_warnings, place_warnings

_PREVIEW = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    parser.add_argument("--format", choices=("table", "json", "jsonl"), default="table")
    add_configuration_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every chunk, in corpus order."""
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    corpus = read_corpus(arguments)
    warnings = corpus_warnings(corpus, configuration.splitter, configuration.enrich)
    say_all(f"warning: {line}" for line in warnings)
    with progress("cutting") as advance:
        chunks = CorpusIndex(corpus).chunk_set(
            configuration.splitter, configuration.enrich, progress=advance
        )
    say_all(f"warning: {line}" for line in place_warnings(chunks))
    if arguments.format == "json":
        print_json(list(chunk_objects(chunks)))
    elif arguments.format == "jsonl":
        with to_stdout():
            for chunk in chunk_objects(chunks):
                sys.stdout.write(json.dumps(chunk, ensure_ascii=True) + "\n")
    else:
        _print_table(chunks, configuration)
    return 0


def chunk_objects(chunks: ChunkSet) -> Iterator[dict[str, Any]]:
    """One object a chunk, with the fixed names of the `chunks` report.

    Of a document whose text has pages, rows and the like, also `place`.
    """
    oversize = chunks.oversize.tolist()
    overlaps = chunks.overlaps.tolist()
    tokens = chunks.tokens.tolist()
    number = 0
    for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True):
        for index, text in enumerate(cuts.texts(document.text)):
            spans = chunks.spans(number)
            yield {
                "doc": document.id,
                "index": index,
                "start": spans[0].start,
                "end": spans[-1].end,
                "spans": [list(span) for span in spans],
                "text": text,
                "prefix": chunks.prefixes.get(number, ""),
                "tokens": tokens[number],
                "altered": index in cuts.altered,
                "oversize": oversize[number],
                "overlap": overlaps[number],
                **place_of(document, spans[0].start, spans[-1].end),
            }
            number += 1


def _print_table(chunks: ChunkSet, configuration: Configuration) -> None:
    settings = configuration.splitter
    uses = get_splitter(settings.kind).uses
    asked = [
        f"size {settings.size} {settings.unit}" if "size" in uses else "",
        f"overlap {settings.overlap_size} asked" if "overlap" in uses else "",
    ]
    title = f"{', '.join(filter(None, [settings.kind, *asked]))}; tokens are {settings.encoding}"
    numbers = ("chunk", "start", "end", "tokens", "overlap")
    place: list[tuple[str, Column]] = []
    if any(document.has_places for document in chunks.corpus.documents):
        place.append(("place", "left"))
    made = table(
        title,
        [("doc", "left"), *((name, "right") for name in numbers), ("marks", "left"),
         *place, ("text", "fill")],
    )  # fmt: skip
    cut_graphemes = {
        (document.id, index)
        for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True)
        for index in grapheme_cuts(document.text, cuts)
    }
    cuts_of = [
        (document.id, cuts)
        for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True)
    ]
    uncertain = {
        "ambiguous": {(name, index) for name, cuts in cuts_of for index in cuts.ambiguous},
        "not placed": {(name, index) for name, cuts in cuts_of for index in cuts.unplaced},
    }
    blank = 0
    for chunk in chunk_objects(chunks):
        marks = [name for name in ("altered", "oversize") if chunk[name]]
        marks += [
            name for name, held in uncertain.items() if (chunk["doc"], chunk["index"]) in held
        ]
        if not chunk["text"].strip():
            marks.append("blank")
            blank += 1
        if (chunk["doc"], chunk["index"]) in cut_graphemes:
            marks.append("cut inside a grapheme")
        cells = [
            chunk["doc"], *(str(chunk[name]) for name in ("index", "start", "end", "tokens")),
            str(chunk["overlap"]), " ".join(marks),
            *(chunk.get("place", "") for _ in place), chunk["text"][:_PREVIEW],
        ]  # fmt: skip
        add_row(made, cells)
    console().print(made)
    say(_counted(chunks, blank=blank, graphemes=len(cut_graphemes)))
    say(_shared(chunks, settings))


def _counted(chunks: ChunkSet, *, blank: int, graphemes: int) -> str:
    statistics = chunk_statistics(chunks, chunk_geometry(chunks))
    counts = [
        (statistics.oversize, "oversize"),
        (statistics.altered, "altered"),
        (blank, "blank"),
        (graphemes, "cut inside a grapheme"),
        (statistics.uncovered_characters, "characters in no chunk"),
    ]
    return "; ".join(
        [f"{len(chunks)} chunks", *(f"{count} {name}" for count, name in counts if count)]
    )


def _shared(chunks: ChunkSet, settings: SplitterSettings) -> str:
    """The overlap that was asked for beside the one that neighbours really share."""
    shared = chunks.overlaps[chunks.overlaps > 0]
    borders = len(chunks) - int(np.count_nonzero(np.diff(chunks.first)))
    used = "overlap" in get_splitter(settings.kind).uses
    asked = f"overlap: {settings.overlap_size} {settings.unit} asked"
    if not used:
        asked = f"overlap: not used by splitter {settings.kind!r}"
    if not borders:
        return f"{asked}; no chunk has a neighbour"
    found = f"{asked}; {len(shared)} of {borders} neighbours share text"
    if len(shared):
        return f"{found}, {shared.mean():.1f} characters on average"
    if used and settings.overlap_size:
        return f"{found}: no piece is short enough to be repeated"
    return found
