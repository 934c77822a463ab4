"""The rows of the Health panel: what is wrong with the chunks of A and of B, and where."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chunkscope.text.document import Corpus
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.widgets.line_list import Cell, Column, Row

if TYPE_CHECKING:
    from chunkscope.evaluation.health import Example, Health, HealthFinding

COLUMNS = (
    Column("chunks, unless another unit is named", middle=True),
    Column("A", 5, right=True, role="a"),
    Column("B", 5, right=True, role="b"),
)
EXAMPLE_COLUMNS = (Column("chunk", 6, right=True), Column("around the place"))

_AROUND = 24


def finding_names(health: "Mapping[Variant, Health]") -> tuple[str, ...]:
    """The checks in the order shown: those that found something in A or B, then the others."""
    names = [finding.name for finding in health["A"].findings]
    return tuple(
        sorted(names, key=lambda name: not any(h.finding(name).count for h in health.values()))
    )


def finding_rows(health: "Mapping[Variant, Health]") -> list[Row]:
    """One row a check: what was counted, in A and in B."""
    rows: list[Row] = []
    for name in finding_names(health):
        found = [health[variant].finding(name) for variant in VARIANTS]
        some = any(finding.count for finding in found)
        unit = "" if found[0].unit == "chunks" else f" ({found[0].unit})"
        rows.append(
            (
                Cell(f"{found[0].title}{unit}", "" if some else "dim"),
                *(Cell(_count(finding), "" if finding.count else "dim") for finding in found),
            )
        )
    return rows


def _count(finding: "HealthFinding") -> str:
    return str(finding.count) if finding.of else "–"


def share_text(finding: "HealthFinding", variant: Variant) -> str:
    """How many of how many, and what would mend it."""
    share = f" ({finding.share:.0%})" if finding.share is not None else ""
    edges = ""
    if finding.begins is not None and finding.ends is not None and finding.count:
        edges = f", {finding.begins} begin so, {finding.ends} end so"
    mend = f" · {flattened(finding.mend)}" if finding.count else ""
    return f"{variant}: {finding.count} of {finding.of} {finding.unit}{share}{edges}{mend}"


def example_rows(examples: "Sequence[Example]", corpus: Corpus) -> list[Row]:
    """One row a place: the text left and right of it, the document."""
    rows: list[Row] = []
    for example in examples:
        position = corpus.position(example.doc)
        text = corpus.documents[position].text if position is not None else ""
        at = example.at
        left = flattened(text[max(0, at - _AROUND) : at])
        right = flattened(text[at : at + _AROUND])
        rows.append(
            (
                Cell("none" if example.index is None else str(example.index)),
                Cell(f"{left}▏{right}  ({literal(example.doc)})"),
            )
        )
    return rows
