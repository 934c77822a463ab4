"""Chunks made some documents at a time are those made at once, and no document is held."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

from chunkscope.evaluation.batches import chunk_batches
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.health import HealthCheck, check_health
from chunkscope.evaluation.health_report import findings_to_json, health_to_json
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import (
    CorpusWarnings,
    PlaceWarnings,
    corpus_warnings,
    place_warnings,
)
from chunkscope.text.counting import CorpusCounts
from chunkscope.text.document import Corpus, Document

SPLITTER = SplitterSettings(size=40, overlap=8, unit="characters")
TEXTS = {
    "a.md": "# Tugs\n\nThe tug leaves at dawn. It is red.\n\nThe tug leaves at dawn.\n\n# Quay",
    "b.md": "",
    "c.md": "The tug leaves at dawn.\r\n\r\nIt blows from the north all day long, they say.",
    "d.txt": "no heading here <|endoftext|>\n\nThe tug leaves at dawn.",
    "e.md": "| a | b |\n|---|---|\n" + "| lamp | quay |\n" * 9,
    "f.txt": "x" * 90,
}


def corpus():
    return Corpus(tuple(Document(name, text) for name, text in TEXTS.items()))


@pytest.mark.parametrize("characters", [1, 100, 10_000])
@pytest.mark.parametrize("dedupe", [False, True])
@pytest.mark.parametrize("enrich", [EnrichSettings(), EnrichSettings(prefix="headings")])
def test_parts_together_are_the_whole(characters, dedupe, enrich):
    splitter = replace(SPLITTER, dedupe=dedupe)
    whole = CorpusIndex(corpus()).chunk_set(splitter, enrich)
    parts = list(chunk_batches(corpus().documents, splitter, enrich, characters=characters))
    assert [one for part in parts for one in part.corpus.documents] == list(corpus().documents)
    for name in ("starts", "ends", "tokens", "sizes", "overlaps"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert joined.tolist() == getattr(whole, name).tolist()
    assert [text for part in parts for text in part.texts()] == whole.texts()
    prefixed, duplicates, number, document = {}, [], 0, 0
    for part in parts:
        prefixed |= {number + chunk: prefix for chunk, prefix in part.prefixes.items()}
        duplicates += [one._replace(document=document + one.document) for one in part.duplicates]
        number, document = number + len(part), document + len(part.corpus.documents)
    assert prefixed == whole.prefixes
    assert duplicates == list(whole.duplicates)
    assert bool(duplicates) == dedupe


@pytest.mark.parametrize("kind", ["recursive", "markdown", "words"])
def test_what_is_said_of_parts_is_said_of_the_whole(kind):
    splitter = replace(SPLITTER, kind=kind, dedupe=True, separators=("\n\n", "nowhere", " ", ""))
    enrich = EnrichSettings(prefix="headings")
    whole = CorpusIndex(corpus()).chunk_set(splitter, enrich)
    of_corpus, of_places = CorpusWarnings(splitter, enrich), PlaceWarnings()
    for part in chunk_batches(corpus().documents, splitter, enrich, characters=1):
        of_places.take(part)
        for document in part.corpus.documents:
            of_corpus.take(document)
    assert of_corpus.sentences() == corpus_warnings(corpus(), splitter, enrich)
    assert of_places.sentences() == place_warnings(whole)
    if kind == "markdown":
        assert of_places.sentences() == [
            "dedupe: 5 of 17 chunks dropped, because their text stands in an earlier one: "
            "c.md 0–23 as in chunk 2 of a.md; d.txt 31–54 as in chunk 2 of a.md; "
            "e.md 66–101 as in chunk 1 of e.md; and 2 more"
        ]


@pytest.mark.parametrize("characters", [1, 100, 10_000])
def test_health_of_parts_is_that_of_the_whole(characters):
    configuration = Configuration(splitter=SPLITTER)
    enrich = configuration.enrich
    whole = check_health(CorpusIndex(corpus()).chunk_set(SPLITTER, enrich), configuration)
    check, counts, chunks = HealthCheck(configuration), CorpusCounts(), 0
    for part in chunk_batches(corpus().documents, SPLITTER, enrich, characters=characters):
        check.take(part)
        chunks += len(part)
        for document in part.corpus.documents:
            counts.take(document)
    assert check.findings() == whole.findings
    assert whole.finding("duplicate").count > 1
    assert findings_to_json(configuration, counts, {}, chunks, check.findings()) == (
        health_to_json(whole)
    )


def test_documents_that_have_passed_are_let_go_of():
    alive: weakref.WeakSet[Document] = weakref.WeakSet()
    most = 0

    def documents():
        for number in range(40):
            document = _Held(f"{number:02}.md", f"# Tug {number}\n\nIt leaves at dawn.")
            alive.add(document)
            yield document
            del document

    check = HealthCheck(Configuration(splitter=SPLITTER))
    places = PlaceWarnings()
    chunks = 0
    made = chunk_batches(
        documents(), replace(SPLITTER, dedupe=True), EnrichSettings(), characters=100
    )
    for part in made:
        check.take(part)
        places.take(part)
        chunks += len(part)
        gc.collect()
        most = max(most, len(alive))
    del part
    gc.collect()
    assert chunks == 40
    # Those that are looked at, and those that were cut before them at the most.
    assert most <= 8
    assert len(alive) == 0


class _Held(Document):
    """Told apart from others by what it is, not by what is in it."""

    __hash__ = object.__hash__
