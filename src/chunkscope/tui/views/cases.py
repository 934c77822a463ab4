"""What is said of a case: the command that opens it again."""

from pathlib import Path

from chunkscope.evaluation.case import Case
from chunkscope.evaluation.configfile import is_code
from chunkscope.tui.views.summary import literal_shell


def reopening(case: Case, path: Path) -> str:
    """The command line, with the flags without which no code of one's own is run."""
    words = ["chunkscope", "case", str(path)]
    for _letter, variant in case.variants:
        settings = variant.configuration
        kinds = (
            ("--splitter", settings.splitter.kind),
            ("--retriever", settings.retriever.kind),
            ("--embedder", settings.splitter.embedder),
        )
        for flag, kind in kinds:
            if is_code(kind) and [flag, kind] not in [words[n : n + 2] for n in range(len(words))]:
                words += [flag, kind]
    return literal_shell(words)
