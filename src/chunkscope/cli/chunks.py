"""`chunkscope chunks`: the chunks of a corpus."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Any

import numpy as np

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.flags import add_configuration_flags, add_corpus_arguments
from chunkscope.cli.longtable import LongTable
from chunkscope.cli.output import say, say_all
from chunkscope.cli.passing import INTERRUPTED, Passing
from chunkscope.cli.readas import reading_of_document
from chunkscope.cli.streams import write_out
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.report import place_of
from chunkscope.evaluation.summary import chunk_statistics
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.graphemes import grapheme_cuts
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.warnings import PlaceWarnings

_PREVIEW = 200
_PLACE = "place"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    parser.add_argument("--format", choices=("table", "json", "jsonl"), default="table")
    add_configuration_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every chunk, in corpus order; no more documents are held than are cut together."""
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    passing = Passing(
        arguments, configuration.splitter, configuration.enrich, warn_of=configuration.enrich
    )
    places = PlaceWarnings(dedupe=configuration.splitter.dedupe)
    with closing(_WRITERS[arguments.format](configuration, arguments.newline)) as writer:

        def take(chunks: ChunkSet) -> bool:
            places.take(chunks)
            return writer.take(chunks)

        # A bar on the terminal that chunks are written to would stand among them.
        bar = arguments.format == "table" or not sys.stdout.isatty()
        passing.through(take, bar=bar)
        if passing.left:
            return 0
        say_all(f"warning: {line}" for line in places.sentences())
        writer.end()
    if passing.stopped:
        say(f"stopped: the chunks of the first {writer.documents:,} documents are written")
        return INTERRUPTED
    return 0


def chunk_objects(chunks: ChunkSet, newline: str = "keep") -> Iterator[dict[str, Any]]:
    """One object a chunk, with the fixed names of the `chunks` report.

    Of a document whose text has pages, rows and the like, also `place`. Of one that is not plain
    UTF-8 with line ends `lf` or none, or whose line ends were changed, also `reading`.

    Args:
        chunks: the chunks.
        newline: what `Reading.newline` was for their documents.
    """
    oversize = chunks.oversize.tolist()
    overlaps = chunks.overlaps.tolist()
    tokens = chunks.tokens.tolist()
    number = 0
    for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True):
        reading = reading_of_document(document, newline)
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
                **reading,
            }
            number += 1


class _Lines:
    """JSON Lines on stdout.

    Attributes:
        documents: how many were taken.
    """

    def __init__(self, _configuration: Configuration, newline: str) -> None:
        self.documents = 0
        self._newline = newline

    def take(self, chunks: ChunkSet) -> bool:
        """Write the chunks of some documents; whether more are wanted."""
        self.documents += len(chunks.corpus.documents)
        objects = chunk_objects(chunks, self._newline)
        lines = [json.dumps(chunk, ensure_ascii=True) + "\n" for chunk in objects]
        return write_out("".join(lines))

    def end(self) -> None:
        """All that there is was taken."""

    def close(self) -> None:
        """Let go of what is held."""


class _Array(_Lines):
    """One JSON array on stdout, as `print_json` writes it."""

    def __init__(self, configuration: Configuration, newline: str) -> None:
        super().__init__(configuration, newline)
        self._any = False

    def take(self, chunks: ChunkSet) -> bool:
        """Write the chunks of some documents; whether more are wanted."""
        self.documents += len(chunks.corpus.documents)
        objects = list(chunk_objects(chunks, self._newline))
        if not objects:
            return True
        text = json.dumps(objects, ensure_ascii=True, allow_nan=False, indent=2)
        before = ",\n" if self._any else "[\n"
        self._any = True
        return write_out(before + text.removeprefix("[\n").removesuffix("\n]"))

    def end(self) -> None:
        """Close the array."""
        write_out("\n]\n" if self._any else "[]\n")


class _Table(_Lines):
    """A table on stdout, printed at the end, and what its chunks have in common on stderr."""

    def __init__(self, configuration: Configuration, newline: str) -> None:
        super().__init__(configuration, newline)
        self._settings = configuration.splitter
        numbers = ("chunk", "start", "end", "tokens", "overlap")
        self._table = LongTable(
            [("doc", "left"), *((name, "right") for name in numbers), ("marks", "left"),
             (_PLACE, "left"), ("text", "fill")],
        )  # fmt: skip
        self._totals = _Totals()
        self._places = False

    def take(self, chunks: ChunkSet) -> bool:
        """Take the chunks of some documents; more are wanted."""
        self.documents += len(chunks.corpus.documents)
        self._totals.take(chunks)
        self._places |= any(document.has_places for document in chunks.corpus.documents)
        objects = chunk_objects(chunks)
        for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True):
            in_grapheme = frozenset(grapheme_cuts(document.text, cuts))
            self._totals.graphemes += len(in_grapheme)
            for index, chunk in enumerate(islice(objects, len(cuts))):
                blank = not chunk["text"].strip()
                self._totals.blank += blank
                marks = [
                    ("altered", chunk["altered"]),
                    ("oversize", chunk["oversize"]),
                    ("ambiguous", index in cuts.ambiguous),
                    ("not placed", index in cuts.unplaced),
                    ("blank", blank),
                    ("cut inside a grapheme", index in in_grapheme),
                ]
                self._table.add(
                    [chunk["doc"],
                     *(str(chunk[name]) for name in ("index", "start", "end", "tokens", "overlap")),
                     " ".join(name for name, held in marks if held),
                     chunk.get("place", ""), chunk["text"][:_PREVIEW]]
                )  # fmt: skip
        return True

    def end(self) -> None:
        """Print it."""
        settings = self._settings
        uses = get_splitter(settings.kind).uses
        asked = [
            f"size {settings.size} {settings.unit}" if "size" in uses else "",
            f"overlap {settings.overlap_size} asked" if "overlap" in uses else "",
        ]
        title = (
            f"{', '.join(filter(None, [settings.kind, *asked]))}; tokens are {settings.encoding}"
        )
        self._table.print(title, without=() if self._places else (_PLACE,))
        say(self._totals.counted())
        say(self._totals.shared(settings))

    def close(self) -> None:
        """Let go of the rows."""
        self._table.close()


_WRITERS: dict[str, type[_Lines]] = {"table": _Table, "json": _Array, "jsonl": _Lines}


class _Totals:
    """Counts over chunk sets that follow each other.

    Attributes:
        blank: chunks without text.
        graphemes: chunks that begin or end inside a grapheme.
    """

    def __init__(self) -> None:
        self.blank = 0
        self.graphemes = 0
        self._chunks = 0
        self._oversize = 0
        self._altered = 0
        self._uncovered = 0
        self._borders = 0
        self._sharing = 0
        self._shared = 0

    def take(self, chunks: ChunkSet) -> None:
        """Count the next chunk set; blank chunks and graphemes are its caller's."""
        statistics = chunk_statistics(chunks, chunk_geometry(chunks))
        self._chunks += len(chunks)
        self._oversize += statistics.oversize
        self._altered += statistics.altered
        self._uncovered += statistics.uncovered_characters
        self._borders += len(chunks) - int(np.count_nonzero(np.diff(chunks.first)))
        self._sharing += int(np.count_nonzero(chunks.overlaps))
        self._shared += int(chunks.overlaps.sum())

    def counted(self) -> str:
        """How many chunks there are, and of each kind."""
        counts = [
            (self._oversize, "oversize"),
            (self._altered, "altered"),
            (self.blank, "blank"),
            (self.graphemes, "cut inside a grapheme"),
            (self._uncovered, "characters in no chunk"),
        ]
        return "; ".join(
            [f"{self._chunks} chunks", *(f"{count} {name}" for count, name in counts if count)]
        )

    def shared(self, settings: SplitterSettings) -> str:
        """The overlap that was asked for beside the one that neighbours really share."""
        used = "overlap" in get_splitter(settings.kind).uses
        asked = f"overlap: {settings.overlap_size} {settings.unit} asked"
        if not used:
            asked = f"overlap: not used by splitter {settings.kind!r}"
        if not self._borders:
            return f"{asked}; no chunk has a neighbour"
        found = f"{asked}; {self._sharing} of {self._borders} neighbours share text"
        if self._sharing:
            mean = self._shared / self._sharing
            return f"{found}, {mean:.1f} characters on average"
        if used and settings.overlap_size:
            return f"{found}: no piece is short enough to be repeated"
        return found
