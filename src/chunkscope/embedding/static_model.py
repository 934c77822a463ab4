"""The word vectors that the package wordllama ships, read from its own folder; no network."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.borders import Borders
from chunkscope.embedding.lexicon import Lexicon
from chunkscope.embedding.protocol import IntArray
from chunkscope.errors import InputError, MissingPackageError

_PACKAGE = "wordllama"
_VECTORS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"

_SPACE = "▁"
_HALF_PAIRS = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)

NEEDS = "needs wordllama, which is not installed; run: pip install 'chunkscope[static]'"


class StaticModel:
    """A vocabulary, its borders, and a vector for each token.

    A text is tokenised with a space put before it, its spaces as `▁`; text such as `</s>` is
    plain text, half pairs count as U+FFFD.

    Attributes:
        revision: version of the package.
        vectors: one row a token, float32 that float16 can hold, shape (vocabulary, 256).
    """

    def __init__(self, folder: Path, revision: str) -> None:
        """Load the files of the package's folder.

        Raises:
            InputError: when one of them is missing or damaged; the file is named.
            MissingPackageError: when the package tokenizers is not installed.
        """
        try:
            from tokenizers import Tokenizer, normalizers
        except ModuleNotFoundError:
            raise MissingPackageError(f"static vectors: {NEEDS}") from None
        self.revision = revision
        self.vectors = _read_vectors(folder / _VECTORS)
        path = folder / _TOKENIZER
        try:
            tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
        # The package raises Exception itself for whatever it cannot read.
        except Exception as error:
            raise _damaged(path) from error
        # The normaliser's work is done here, character for character, so that places stay known.
        tokenizer.normalizer = normalizers.Sequence([])
        tokenizer.encode_special_tokens = True
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._borders = Borders(tokenizer.get_vocab())

        def encode(segment: str) -> list[int]:
            ids: list[int] = tokenizer.encode(segment, add_special_tokens=False).ids
            return ids

        self._lexicon = Lexicon(encode)

    def segment_starts(self, text: str) -> IntArray:
        """Where the text can be parted without changing its tokens; see `Borders`."""
        return self._borders.segment_starts(plain(text))

    def tokens_of(
        self, segments: Sequence[str], cancel: CancelToken | None = None
    ) -> tuple[IntArray, IntArray]:
        """Token numbers of segments of plain text, and how many each has; see `Lexicon`.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        return self._lexicon.tokens_of(segments, cancel)

    def tokens_of_texts(
        self, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> tuple[IntArray, IntArray]:
        """Token numbers of whole texts, and how many each has; an empty text has none.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        segments: list[str] = []
        numbers = []
        for text in texts:
            led = leading(text)
            parts = slices(led, self._borders.segment_starts(led))
            segments += parts
            numbers.append(len(parts))
        tokens, counts = self.tokens_of(segments, cancel)
        before = np.append(0, np.cumsum(counts))
        bounds = before[np.append(0, np.cumsum(np.array(numbers, dtype=np.int64)))]
        return tokens, np.diff(bounds)


def plain(text: str) -> str:
    """The text as its tokens spell it, character for character."""
    spelled = text.replace(" ", _SPACE)
    return spelled if spelled.isascii() else spelled.translate(_HALF_PAIRS)


def leading(text: str) -> str:
    """A whole text as its tokens spell it: with the space before its first word."""
    return _SPACE + plain(text) if text else ""


def slices(text: str, starts: IntArray) -> list[str]:
    """The parts of a text that start at `starts`, up to its end."""
    bounds = [*starts.tolist(), len(text)]
    return list(map(text.__getitem__, map(slice, bounds, bounds[1:])))


@lru_cache(maxsize=1)
def load_static_model() -> StaticModel:
    """The model, loaded once.

    Raises:
        MissingPackageError: when the package is not installed; the command is named.
        InputError: when a file of it is missing or damaged.
    """
    from importlib.metadata import PackageNotFoundError, version

    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackageError(f"static vectors: {NEEDS}")
    try:
        revision = version(_PACKAGE)
    except PackageNotFoundError:
        revision = "unknown"
    return StaticModel(Path(spec.submodule_search_locations[0]), revision)


def check_static_model() -> None:
    """Refuse to go on without the package; nothing is loaded.

    Raises:
        MissingPackageError: when it is not installed; the command is named.
    """
    if find_spec(_PACKAGE) is None or find_spec("tokenizers") is None:
        raise MissingPackageError(f"static vectors: {NEEDS}")


def _read_vectors(path: Path) -> npt.NDArray[np.float32]:
    """The one tensor of a safetensors file: a length, a JSON header, the numbers."""
    try:
        data = path.read_bytes()
        size = int.from_bytes(data[:8], "little")
        entry = json.loads(data[8 : 8 + size])[_TENSOR]
        begin, end = entry["data_offsets"]
        halves = np.frombuffer(data[8 + size + begin : 8 + size + end], dtype="<f2")
        if entry["dtype"] != "F16":
            raise _damaged(path)
        vectors: npt.NDArray[np.float32] = halves.reshape(entry["shape"]).astype(np.float32)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"{path}: cannot be read ({reason}); install wordllama again") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path) from error
    return vectors


def _damaged(path: Path) -> InputError:
    return InputError(f"{path}: is not what wordllama 0.4 ships; install wordllama again")
