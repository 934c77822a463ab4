"""The proof that an export cuts as the configuration does: it is run, chunk by chunk."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import configuration_from_mapping, read_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export import json as json_target
from chunkscope.export.cutters import counts_tokens
from chunkscope.export.running import run_split
from chunkscope.export.targets import export, get_target
from chunkscope.text.display import visible
from chunkscope.text.document import Corpus
from chunkscope.text.hf_tokens import is_tokenizer_file, tokenizer_path

_SHOWN = 20
"""Chunks of one document that are listed; once one is missing, all after it differ."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A chunk that an export cuts otherwise.

    Attributes:
        doc: the document's id.
        index: the chunk's number in its document, from 0.
        expected: the chunk's text as measured, or None: the export has one more.
        got: the export's text, or None: the export has one less.
    """

    doc: str
    index: int
    expected: str | None
    got: str | None


def verify(
    configuration: Configuration,
    target: str,
    corpus: Corpus,
    index: CorpusIndex,
    *,
    text: str | None = None,
    timeout: float | None = None,
    cancel: CancelToken | None = None,
) -> tuple[Mismatch, ...]:
    """Where the export cuts `corpus` otherwise than the configuration does; empty: proven.

    Code runs in a fresh isolated interpreter, in a temporary folder; a configuration file is
    read back and cut again from the start.

    Args:
        configuration: what was exported.
        target: what to.
        corpus: the documents to cut.
        index: the corpus's index, for the chunks as measured.
        text: the export to prove, or None: made anew.
        timeout: seconds for code to run, or None: a minute, and one more per million characters.
        cancel: looked at while code runs and between documents.

    Raises:
        InputError: for a target that is not known, a document that it cannot hold, or code that
            crashes or takes too long.
        MissingPackageError: when the code needs a package that is not installed.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if text is None:
        text = export(configuration, target)
    found = get_target(target)
    if found.utf8:
        _check_utf8(target, corpus)
    got = (
        _run(found.code(text), configuration, corpus, timeout, cancel)
        if found.code is not None
        else _chunks(_read_back(text, target, configuration), corpus, CorpusIndex(corpus), cancel)
    )
    expected = _chunks(configuration, corpus, index, cancel)
    return tuple(
        mismatch
        for document, wanted, found in zip(corpus.documents, expected, got, strict=True)
        for mismatch in _differences(document.id, wanted, found)
    )


def _chunks(
    configuration: Configuration, corpus: Corpus, index: CorpusIndex, cancel: CancelToken | None
) -> list[list[str]]:
    chunks = index.chunk_set(configuration.splitter, configuration.enrich, cancel)
    return [
        cuts.texts(document.text)
        for document, cuts in zip(corpus.documents, chunks.cuts, strict=True)
    ]


def _check_utf8(target: str, corpus: Corpus) -> None:
    for document in corpus.documents:
        try:
            document.text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"export: {target} cannot hold document {visible(document.id)!r}, which has half a "
                f"surrogate pair at character {error.start}; verify it on other documents"
            ) from None


def _run(
    text: str,
    configuration: Configuration,
    corpus: Corpus,
    timeout: float | None,
    cancel: CancelToken | None,
) -> list[list[str]]:
    splitter = configuration.splitter
    counted = counts_tokens(splitter)
    by_file = counted and is_tokenizer_file(splitter.encoding)
    return run_split(
        text,
        [document.text for document in corpus.documents],
        encoding=None if by_file or not counted else splitter.encoding,
        beside=(Path(tokenizer_path(splitter.encoding)),) if by_file else (),
        timeout=60 + 60 * corpus.characters / 1e6 if timeout is None else timeout,
        cancel=cancel,
        names=[document.id for document in corpus.documents],
    )


def _read_back(text: str, target: str, configuration: Configuration) -> Configuration:
    # The kinds were allowed when the configuration was made; the file alone allows none.
    splitter = configuration.splitter
    flags = (splitter.kind, splitter.embedder, configuration.retriever.kind)
    if target == "json":
        return configuration_from_mapping(json_target.sections(text), "json export", flags=flags)
    try:
        with tempfile.TemporaryDirectory(prefix="chunkscope-") as folder:
            path = Path(folder) / "export.toml"
            path.write_bytes(text.encode("utf-8"))
            return read_configuration(path, flags=flags)
    except OSError as error:
        raise InputError(
            f"export: its file cannot be read back ({error.strerror or error}); check the "
            "temporary folder and the space left"
        ) from None


def _differences(doc: str, expected: Sequence[str], got: Sequence[str]) -> list[Mismatch]:
    differing: list[Mismatch] = []
    for index, (wanted, found) in enumerate(zip_longest(expected, got)):
        if wanted != found:
            differing.append(Mismatch(doc, index, wanted, found))
            if len(differing) == _SHOWN:
                break
    return differing
