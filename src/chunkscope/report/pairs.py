"""Every row of a sweep against every other: which difference is real, and which is noise."""

from itertools import combinations

import numpy as np

from chunkscope.evaluation.statistics import Difference, differences
from chunkscope.evaluation.sweepresults import Sweep
from chunkscope.report.markup import literal, row, table

MOST = 16
"""More rows make a table that nobody reads."""


def pair_table(sweep: Sweep) -> str:
    """Recall of each row less that of each other; empty for one row, or too many.

    A sign and a number: beyond noise. `noise`: the interval contains 0. `same`: surely within
    0.02. The interval stands in the cell's title.
    """
    compared = sweep.compared
    if not 1 < len(compared) <= MOST:
        return ""
    found = pair_differences(sweep)
    heads = (("row", True), *((str(number + 1), True) for number in compared))
    rows = []
    for a in compared:
        cells = [f'<span title="{literal(sweep.rows[a].label)}">{a + 1}</span>']
        cells += [_cell(found.get((b, a))) for b in compared]
        rows.append(row(cells, numbers=[True] * len(cells)))
    caption = "Recall of the row less that of the column, paired over the questions"
    return table(caption, heads, rows, "pairs")


def pair_differences(sweep: Sweep) -> dict[tuple[int, int], Difference]:
    """Recall of the second row less that of the first, by their numbers; both ways round."""
    pairs = list(combinations(sweep.compared, 2))
    values = np.column_stack(
        [sweep.rows[b].judged_recall - sweep.rows[a].judged_recall for a, b in pairs]
    )
    found: dict[tuple[int, int], Difference] = {}
    for (a, b), difference in zip(pairs, differences(values), strict=True):
        found[a, b] = difference
        found[b, a] = Difference(
            mean=-difference.mean,
            low=-difference.high,
            high=-difference.low,
            noise=difference.noise,
            equivalent=difference.equivalent,
        )
    return found


def _cell(found: Difference | None) -> str:
    if found is None:
        return "·"
    between = f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
    if found.equivalent:
        shown = '<span class="quiet">same</span>'
    elif found.noise:
        shown = '<span class="quiet">noise</span>'
    else:
        shown = f'<span class="{"won" if found.mean > 0 else "lost"}">{found.mean:+.3f}</span>'
    return f'<span title="{literal(between)}">{shown}</span>'
