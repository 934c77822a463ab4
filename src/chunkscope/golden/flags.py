"""What validating has to say, by question: what a reviewer should look at."""

from collections.abc import Mapping

from chunkscope.golden.locating import locate
from chunkscope.golden.model import GoldenSet
from chunkscope.golden.validating import Finding, findings
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import TokenCounter

Flags = Mapping[str, tuple[Finding, ...]]
"""Findings by question id, in the order in which validating names them."""


def flags_of(golden: GoldenSet, corpus: Corpus, counter: TokenCounter | None = None) -> Flags:
    """The findings of each question that has any.

    Args:
        golden: the questions; near-duplicates are told among all of them.
        corpus: the documents.
        counter: counts tokens; with it, evidence longer than typical chunks is flagged, too.
    """
    found: dict[str, list[Finding]] = {}
    for finding in findings(golden, locate(golden, corpus), corpus, counter):
        if finding.question_id:
            found.setdefault(finding.question_id, []).append(finding)
    return {id: tuple(told) for id, told in found.items()}
