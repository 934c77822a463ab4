"""The chunks of a corpus of any size, made and let go of some documents at a time."""

from collections.abc import Iterable, Iterator

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.seen import SeenTexts
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

CHARACTERS = 1_000_000
_DOCUMENTS = 1_000


def chunk_batches(
    documents: Iterable[Document],
    splitter: SplitterSettings,
    enrich: EnrichSettings,
    cancel: CancelToken | None = None,
    *,
    characters: int = CHARACTERS,
) -> Iterator[ChunkSet]:
    """The chunk sets of documents that stand one after another, together those of them all.

    Duplicates are looked for over all documents: `Duplicate.earlier` is a chunk's number among all
    so far. Everything else counts from its own set's beginning.

    Args:
        documents: in the corpus's order.
        splitter: how they are cut.
        enrich: what is put before the chunks.
        cancel: looked at while they are cut.
        characters: of documents that are held together, the last one over.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    earlier = SeenTexts()
    for part in _parts(documents, characters):
        yield CorpusIndex(part).chunk_set(splitter, enrich, cancel, earlier=earlier)
        # Not held while the next documents are read.
        del part


def _parts(documents: Iterable[Document], most: int) -> Iterator[Corpus]:
    taken: list[Document] = []
    characters = 0
    for document in documents:
        taken.append(document)
        characters += len(document.text)
        del document
        if characters >= most or len(taken) >= _DOCUMENTS:
            part, taken, characters = Corpus(tuple(taken)), [], 0
            yield part
            del part
    if taken:
        yield Corpus(tuple(taken))
