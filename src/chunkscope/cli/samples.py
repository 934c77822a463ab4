"""Where the sample documents lie: inside the installed package, or in the source tree."""

from pathlib import Path

import chunkscope
from chunkscope.errors import InputError


def sample_folder() -> Path:
    """The folder of sample documents, with its `golden.jsonl`.

    Raises:
        InputError: when the installation lacks them.
    """
    package = Path(chunkscope.__file__).resolve().parent
    for folder in (package / "sample_docs", package.parents[1] / "sample_docs"):
        if (folder / "golden.jsonl").is_file():
            return folder
    raise InputError("the sample documents are not installed; give a PATH, or install again")
