"""The boundary that cut a piece of evidence, and what made it."""

import numpy as np

from chunkscope.evaluation.cutting import boundary_name, nearest_cut
from chunkscope.evaluation.diagnosis_proofs import SplitProof
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, EvidenceOutcome
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunks import Cuts


def split_proof(index: CorpusIndex, evaluation: Evaluation, outcome: EvidenceOutcome) -> SplitProof:
    """How boundaries cut the place of an outcome that is `cut`."""
    place = outcome.place
    assert place is not None
    position = index.corpus.position(place.doc)
    assert position is not None
    cut = nearest_cut(evaluation.chunks, place)
    stands_at = boundary = ""
    if cut.at is not None:
        text = index.corpus.documents[position].text
        settings = evaluation.configuration.splitter
        # Before duplicates are dropped, so that the chunk before a boundary is its neighbour.
        cuts = index.cuts(position, settings)
        stands_at = boundary_name(text, cut.at)
        behind = _chunk_behind(cuts, cut.at)
        # What became of the overlap is no part of who made the cut.
        boundary = boundary_reason(text, cuts, behind, settings).split("; ")[0]
    return SplitProof(
        doc=place.doc,
        start=place.span.start,
        end=place.span.end,
        at=cut.at,
        before=0 if cut.at is None else cut.at - place.span.start,
        after=0 if cut.at is None else place.span.end - cut.at,
        stands_at=stands_at,
        boundary=boundary,
        boundaries=cut.boundaries,
        longest=cut.longest,
        edge=outcome.edge_cut,
    )


def _chunk_behind(cuts: Cuts, at: int) -> int:
    """The chunk that begins at the boundary which a chunk ends or begins at `at`."""
    ending = int(np.searchsorted(cuts.ends, at, "right")) - 1
    if ending >= 0 and int(cuts.ends[ending]) == at and ending + 1 < len(cuts):
        return ending + 1
    return min(int(np.searchsorted(cuts.starts, at, "left")), len(cuts) - 1)
