"""What every room's tests share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from chunkscope.text.tokens import write_tiktoken_cache

settings.register_profile(
    "default",
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# The same examples in every run, so that a build fails for its change and for nothing else.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=5000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default")
)

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    """Where the public data sets are, whether or not the folder exists."""
    given = os.environ.get("CHUNKSCOPE_DATA")
    return Path(given) if given else ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """The folder of a named data set; the test is skipped, by name, where it is missing."""

    def find(name: str) -> Path:
        folder = data_folder() / name
        if not folder.is_dir():
            pytest.skip(f"data set {name!r} is missing: {folder} (set CHUNKSCOPE_DATA)")
        return folder

    return find


@pytest.fixture(scope="session")
def tiktoken_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder from which tiktoken itself loads both bundled vocabularies, offline."""
    folder = tmp_path_factory.mktemp("tiktoken")
    for encoding in ("cl100k_base", "o200k_base"):
        write_tiktoken_cache(folder, encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        yield folder
