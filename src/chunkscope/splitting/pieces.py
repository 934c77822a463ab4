"""Nodes of a split tree cut into pieces by one separator, many nodes at a time."""

from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.separators import Separator
from chunkscope.splitting.settings import KeepSeparator
from chunkscope.splitting.whitespace import Offsets

_NODES_PER_CHECK = 1024


def split_nodes(
    text: str,
    nodes: Sequence[tuple[int, int]],
    separator: Separator | None,
    keep: KeepSeparator,
    cancel: CancelToken | None,
) -> tuple[Offsets, Offsets, Offsets]:
    """The pieces of each range of `nodes`, empty ones left out.

    A kept separator belongs to the piece before it (`end`) or after it (`start`). Without a
    separator each range is one piece.

    Returns:
        Starts and ends of all pieces, node after node; and where each node's pieces begin
        among them, with the total last, shape (nodes + 1,).
    """
    inner_starts: list[int] = []
    inner_ends: list[int] = []
    counts: list[int] = []
    find = _whole if separator is None else separator.parts
    for number, (start, end) in enumerate(nodes):
        if cancel is not None and number % _NODES_PER_CHECK == 0:
            cancel.check()
        counts.append(find(text[start:end], inner_starts, inner_ends))
    node_of_part = np.repeat(np.arange(len(nodes), dtype=np.int32), counts)
    base = np.array([start for start, _ in nodes], dtype=np.int32)[node_of_part]
    starts = np.array(inner_starts, dtype=np.int32) + base
    ends = np.array(inner_ends, dtype=np.int32) + base
    first = np.diff(node_of_part, prepend=-1) != 0
    if keep == "end":
        last = np.diff(node_of_part, append=len(nodes)) != 0
        ends = np.where(last, ends, np.roll(starts, -1))
    elif keep == "start":
        starts = np.where(first, starts, np.roll(ends, 1))
    whole = starts < ends
    pieces_of_node = np.bincount(node_of_part[whole], minlength=len(nodes))
    begins = np.concatenate(([0], np.cumsum(pieces_of_node))).astype(np.int32)
    return starts[whole], ends[whole], begins


def _whole(part: str, starts: list[int], ends: list[int]) -> int:
    starts.append(0)
    ends.append(len(part))
    return 1
