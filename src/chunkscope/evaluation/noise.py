"""What a table of a sweep says of a row beside its numbers, noise first of all."""

from collections.abc import Sequence

from chunkscope.evaluation.advice import boundaries_cut
from chunkscope.evaluation.sweepresults import Sweep, SweepRow


def chunk_notes(row: SweepRow) -> list[str]:
    """What is to be known of a row's chunks; empty where nothing is."""
    notes = {
        "saturated": row.saturated,
        "one chunk a document": row.one_chunk,
        "boundaries cut": boundaries_cut(row),
    }
    return [note for note, holds in notes.items() if holds]


def tie_note(row: SweepRow, between: str) -> str:
    """The recall that ties could have given; empty where they change nothing.

    Args:
        row: the row.
        between: what stands between the least and the most.
    """
    low, high = row.evaluation.recall_range
    if low is None or high is None or low == high:
        return ""
    return f"ties: {low:.3f}{between}{high:.3f}"


def against_best(sweep: Sweep, number: int) -> str:
    """How sure it is that a row has less recall than the best; empty where nothing was compared.

    Args:
        sweep: the sweep.
        number: the row's.
    """
    same_as = sweep.rows[number].same_as
    compared: Sequence[int] = sweep.compared
    representative = number if same_as is None else same_as
    if sweep.comparison is None or representative not in compared or len(compared) < 2:
        return ""
    place = compared.index(representative)
    if place == sweep.comparison.best:
        return "best recall"
    if sweep.comparison.ruled_out[place]:
        return "worse than the best beyond noise"
    found = sweep.comparison.against_best[place]
    return "as good as the best" if found.equivalent else "less than the best by noise"
