"""What is noise, in words."""

from collections.abc import Sequence

from chunkscope.evaluation.sweepresults import Sweep


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
