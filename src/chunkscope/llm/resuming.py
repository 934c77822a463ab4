"""A run that goes on adds to what stands in its file; nothing that was done to it is lost."""

from dataclasses import replace
from pathlib import Path

from chunkscope.golden.model import GoldenSet
from chunkscope.golden.reading import read_golden
from chunkscope.golden.reviewfile import rejected_path


def joined(generated: GoldenSet, out: Path) -> GoldenSet:
    """What `out` holds, and after it the generated questions that are new.

    Questions that were accepted, edited or added since stay as they are; those that were rejected
    do not come back.

    Raises:
        InputError: when `out`, or the file of what was rejected from it, is no golden set.
    """
    if not out.exists():
        return generated
    there = read_golden(out)
    known = {question.id for question in there.questions}
    rejected = rejected_path(out)
    if rejected.exists():
        known |= {question.id for question in read_golden(rejected).questions}
    new = tuple(question for question in generated.questions if question.id not in known)
    return replace(there, questions=(*there.questions, *new))
