"""Corpus and golden set as the commands read them."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.cli.output import say
from chunkscope.cli.progress import Advance, progress
from chunkscope.errors import InputError
from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.golden.reading import read_golden
from chunkscope.text.document import Corpus, Document, Skipped
from chunkscope.text.loading.extractions import default_extractions
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.pdf import PASSWORD_VARIABLE
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.stream import DocumentStream

_SKIPPED_SHOWN = 5
_ALIKE_SHOWN = 5


def read_corpus(arguments: argparse.Namespace, exclude: Sequence[Path] = ()) -> Corpus:
    """The corpus of PATH…; what was left out is said on stderr.

    Neither the golden set nor the files in `exclude` are documents, wherever they lie.
    """
    golden = getattr(arguments, "golden", None)
    corpus = read_documents(arguments.paths, reading_of(arguments), golden, exclude)
    report_skipped(corpus, everything=arguments.list_skipped)
    return corpus


def read_documents(
    paths: list[Path], reading: Reading, golden: Path | None, exclude: Sequence[Path] = ()
) -> Corpus:
    """The corpus of `paths` without the golden set and `exclude`, behind a progress bar."""
    with progress("reading documents") as advance:
        return load_corpus(
            paths,
            reading=reading,
            exclude=[*exclude, *([golden] if golden is not None else [])],
            extractions=default_extractions(),
            progress=advance,
        )


def open_documents(
    arguments: argparse.Namespace,
    progress: Advance | None = None,
    cancel: CancelToken | None = None,
    exclude: Sequence[Path] = (),
) -> DocumentStream:
    """The documents of PATH…, to be read one after another; the files in `exclude` are none."""
    return DocumentStream(
        arguments.paths,
        reading=reading_of(arguments),
        exclude=exclude,
        extractions=default_extractions(),
        progress=progress,
        cancel=cancel,
    )


def reading_of(arguments: argparse.Namespace) -> Reading:
    """How the flags say that files are read.

    Raises:
        InputError: for a value that says nothing, or a file of passwords that cannot be read.
    """
    fields = () if arguments.records is None else tuple(arguments.records.split(","))
    if not all(fields):
        raise InputError(f"--records {arguments.records!r}: give fields such as title,text")
    return Reading(
        encoding_of=encodings(arguments.encoding_of),
        newline=arguments.newline,
        html="html" in arguments.extract,
        records=fields,
        record_id=arguments.record_id,
        join_hyphens=arguments.join_hyphens,
        passwords=_passwords(arguments.passwords),
        drop_running=arguments.drop_running,
    )


def _passwords(file: Path | None) -> tuple[str, ...]:
    """Those of the file, then that of the environment."""
    variable = os.environ.get(PASSWORD_VARIABLE, "")
    of_environment = (variable,) if variable else ()
    if file is None:
        return of_environment
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"--passwords {file}: cannot be read ({error.strerror}); give a text file, "
            "one password a line"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"--passwords {file}: not UTF-8 at byte {error.start}; save it as UTF-8"
        ) from None
    lines = text.replace("\r\n", "\n").split("\n")
    return (*(line for line in lines if line), *of_environment)


def report_skipped(corpus: Corpus, *, everything: bool = False) -> None:
    """Say on stderr how the documents were read where that matters, and what was left out."""
    how = HowRead(everything=everything)
    for document in corpus.documents:
        how.take(document)
    how.say(corpus.skipped)


class HowRead:
    """What is said of how documents were read that come one after another; none is kept.

    Args:
        everything: whether every document and every file that was left out is named.
    """

    def __init__(self, *, everything: bool = False) -> None:
        self._everything = everything
        self._alike: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}

    def take(self, document: Document) -> None:
        """Look at the next document."""
        if document.encoding == "utf-8" and not document.notes:
            return
        read_as = "" if document.encoding == "utf-8" else f"read as {document.encoding}"
        said = "; ".join(filter(None, (read_as, *document.notes)))
        ids = self._alike.setdefault(said, [])
        if self._everything or len(ids) < _ALIKE_SHOWN:
            ids.append(document.id)
        self._counts[said] = self._counts.get(said, 0) + 1

    def say(self, skipped: Sequence[Skipped]) -> None:
        """Say it on stderr, and what was left out."""
        for said, ids in self._alike.items():
            count = self._counts[said]
            few = ids if len(ids) == count else ids[:1]
            for document_id in few:
                say(f"{document_id}: {said}")
            if len(few) < count:
                say(f"{count - len(few)} more documents: {said}")
        shown = skipped if self._everything else skipped[:_SKIPPED_SHOWN]
        for entry in shown:
            say(f"skipped {entry.path}: {entry.reason}")
        if len(shown) < len(skipped):
            say(f"skipped {len(skipped) - len(shown)} more (--list-skipped names them)")


def read_questions(
    arguments: argparse.Namespace, corpus: Corpus
) -> tuple[GoldenSet, tuple[LocatedQuestion, ...]]:
    """The golden set of `--golden`, or the one question of `-q`, located in the corpus.

    Raises:
        InputError: when neither or both are given, or the set cannot be read.
    """
    question = getattr(arguments, "question", None)
    if question is not None:
        if arguments.golden is not None:
            raise InputError("--golden and -q: give one of them")
        if not arguments.evidence:
            raise InputError("-q: give what should have come back, too: --evidence TEXT or @FILE")

        asked = ask(question, read_evidence(arguments.evidence), corpus)
        return GoldenSet((asked.question,)), (asked,)
    if getattr(arguments, "evidence", None):
        raise InputError("--evidence: needs the question it belongs to; give -q TEXT")
    if arguments.golden is None:
        asking = " or -q TEXT --evidence TEXT" if hasattr(arguments, "question") else ""
        raise InputError(f"no golden set: give --golden FILE{asking}")
    golden = read_golden(arguments.golden)
    with progress("locating evidence") as advance:
        return golden, locate(golden, corpus, progress=advance)


def read_evidence(values: list[str]) -> list[str]:
    """Evidence texts; `@FILE` is replaced by the file's text.

    A byte order mark of the file and its final line end are no part of the evidence.
    """
    texts = []
    for value in values:
        if not value.startswith("@"):
            texts.append(value)
            continue
        path = Path(value[1:])
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise InputError(
                f"--evidence {value}: cannot be read ({error.strerror}); name a file after the @, "
                "where text that begins with @ goes too"
            ) from None
        except UnicodeDecodeError as error:
            raise InputError(
                f"--evidence {value}: not UTF-8 at byte {error.start}; save it as UTF-8"
            ) from None
        texts.append(text.removesuffix("\n").removesuffix("\r"))
    return texts


def encodings(values: list[str]) -> dict[str, str]:
    """Encoding by file, from the `FILE=NAME` values of `--encoding-of`."""
    named = {}
    for value in values:
        name, mark, encoding = value.rpartition("=")
        if not mark or not name or not encoding:
            raise InputError(f"--encoding-of {value!r}: give FILE=NAME, such as old.txt=cp1252")
        named[name] = encoding
    return named
