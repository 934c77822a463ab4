"""Running exported code apart from this program: fresh interpreter, own folder, no network."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError, MissingPackageError
from chunkscope.text.display import visible
from chunkscope.text.tokens import write_tiktoken_cache
from chunkscope.text.vocabularies import cache_folder, get_vocabulary, vocabulary_bytes

_RUNNER = """\
import importlib.util
import json
import os
import re
import sys

PAIR = re.compile("(?<=[\\ud800-\\udbff])(?=[\\udc00-\\udfff])")

# What the code prints goes to stderr; stdout is for the answer alone.
answer = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(2, 1)
texts = ["".join(parts) for parts in json.load(sys.stdin.buffer)]
spec = importlib.util.spec_from_file_location("exported", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["exported"] = module
try:
    spec.loader.exec_module(module)
except ImportError as error:
    named = error if error.name else error.__cause__
    print(getattr(named, "name", None) or error, file=sys.stderr)
    sys.exit(3)
if hasattr(module, "split_all"):
    chunks = module.split_all(texts)
else:
    chunks = []
    for number, text in enumerate(texts):
        with open("reached", "w", encoding="ascii") as reached:
            reached.write(str(number))
        chunks.append(module.split(text))
json.dump([[PAIR.split(chunk) for chunk in document] for document in chunks], answer)
answer.close()
"""

_GPT2_ADDRESS = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/encoder.json"
# tiktoken's cache calls a file by the hash of its address.
_GPT2_ENCODER = hashlib.sha1(_GPT2_ADDRESS.encode(), usedforsecurity=False).hexdigest()

_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")
_MISSING = 3

# What pip calls a package, where that is not the name of its module.
_PIP: Mapping[str, str] = MappingProxyType(
    {
        "haystack": "haystack-ai",
        "langchain_text_splitters": "langchain-text-splitters",
        "llama_index": "llama-index-core",
        "autorag": "AutoRAG",
    }
)

# Libraries that could reach for the network are told not to; the proxy below stops the others.
_OFFLINE: Mapping[str, str] = MappingProxyType(
    {
        "ANONYMIZED_TELEMETRY": "false",
        "DO_NOT_TRACK": "1",
        "HAYSTACK_TELEMETRY_ENABLED": "false",
        "HF_HUB_OFFLINE": "1",
        "LANGSMITH_TRACING": "false",
        "TRANSFORMERS_OFFLINE": "1",
    }
)

_LOOK = 0.1
_KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL")


def run_split(
    code: str,
    texts: Sequence[str],
    *,
    encoding: str | None,
    timeout: float,
    cancel: CancelToken | None = None,
    names: Sequence[str] = (),
    beside: Sequence[Path] = (),
) -> list[list[str]]:
    """The chunks that the code's `split` (or `split_all`) gives for each text.

    Args:
        code: a module that defines `split(text) -> list[str]`.
        texts: what to split; they reach it as JSON on stdin.
        encoding: the token vocabulary it needs, or None.
        timeout: seconds it may take.
        cancel: looked at while it runs.
        names: what the texts are called in error messages.
        beside: files that the code finds beside its own.

    Raises:
        InputError: when it cannot be run, crashes (the message ends with the last line of its
            stderr), takes too long or gives anything else.
        MissingPackageError: when it needs a package that is not installed.
        CancelledError: when `cancel` was raised meanwhile.
    """
    try:
        return _run_in_folder(
            code,
            texts,
            encoding=encoding,
            timeout=timeout,
            cancel=cancel,
            names=names,
            beside=beside,
        )
    except OSError as error:
        raise InputError(
            f"export: its code cannot be run ({error.strerror or error}); "
            "check the temporary folder and the space left"
        ) from None


def _run_in_folder(
    code: str,
    texts: Sequence[str],
    *,
    encoding: str | None,
    timeout: float,
    cancel: CancelToken | None,
    names: Sequence[str],
    beside: Sequence[Path],
) -> list[list[str]]:
    with tempfile.TemporaryDirectory(prefix="chunkscope-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        module, runner = folder / "exported.py", folder / "runner.py"
        module.write_bytes(code.encode("utf-8"))
        runner.write_bytes(_RUNNER.encode("ascii"))
        for file in beside:
            (folder / file.name).write_bytes(file.read_bytes())
        environment = _environment(folder, encoding)
        # Two halves of a surrogate pair side by side would come out of JSON as one character.
        sent = json.dumps([_PAIR.split(text) for text in texts]).encode("ascii")
        command = [sys.executable, "-I", str(runner), str(module)]
        try:
            output = _run(command, sent, folder, environment, timeout=timeout, cancel=cancel)
        except MissingPackageError:
            raise
        except InputError as error:
            raise InputError(f"{error}{_reached(folder, names)}") from None
    return _chunks(output, len(texts))


def _reached(folder: Path, names: Sequence[str]) -> str:
    path = folder / "reached"
    number = path.read_text("ascii") if path.is_file() else ""
    if not number.isdecimal() or int(number) >= len(names):
        return ""
    return f" (at document {visible(names[int(number)])!r})"


def _environment(folder: Path, encoding: str | None) -> Mapping[str, str]:
    # Nothing of the user's environment that the code does not need, keys above all; and a
    # proxy that leads nowhere, so that a download fails at once instead of taking place.
    nowhere = "http://127.0.0.1:9"
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder), "TEMP": str(folder), **_OFFLINE}
    environment |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), nowhere)
    environment |= dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), nowhere)
    if encoding is not None:
        vocabularies = folder / "vocabularies"
        environment["TIKTOKEN_CACHE_DIR"] = str(vocabularies)
        vocabulary = get_vocabulary(encoding)
        if vocabulary.bundled:
            write_tiktoken_cache(vocabularies, encoding)
        else:
            vocabularies.mkdir()
            (vocabularies / vocabulary.cache_name).write_bytes(vocabulary_bytes(encoding))
            if encoding == "gpt2":
                (vocabularies / _GPT2_ENCODER).write_bytes(_gpt2_encoder())
    return environment


def _gpt2_encoder() -> bytes:
    """The second file that tiktoken reads for gpt2, and checks, from its own cache."""
    folder = cache_folder()
    try:
        return b"" if folder is None else (folder / _GPT2_ENCODER).read_bytes()
    except OSError:
        raise InputError(
            f"export: to run its code tiktoken needs encoder.json beside gpt2's vocabulary "
            f"({visible(str(folder))}/{_GPT2_ENCODER}); save {_GPT2_ADDRESS} there"
        ) from None


def _run(
    command: Sequence[str],
    sent: bytes,
    folder: Path,
    environment: Mapping[str, str],
    *,
    timeout: float,
    cancel: CancelToken | None,
) -> bytes:
    # A file and no pipe: what communicate() has not sent when it is called again, it never sends.
    given = folder / "texts.json"
    given.write_bytes(sent)
    with (
        given.open("rb") as texts,
        subprocess.Popen(
            command,
            stdin=texts,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
        ) as process,
    ):
        try:
            output, errors = _communicate(process, timeout, cancel)
        except BaseException:
            process.kill()
            raise
    last = _last_line(errors)
    if process.returncode == _MISSING:
        module = last.partition(".")[0]
        package = _PIP.get(module, module)
        raise MissingPackageError(
            f"export: its code needs the package {package}, which is not installed; "
            f"pip install {package}"
        )
    if process.returncode != 0:
        raise InputError(f"export: its code stopped with an error; {last}")
    return output


def _communicate(
    process: "subprocess.Popen[bytes]", timeout: float, cancel: CancelToken | None
) -> tuple[bytes, bytes]:
    end = time.monotonic() + timeout
    while True:
        if cancel is not None:
            cancel.check()
        try:
            return process.communicate(timeout=_LOOK)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end:
                raise InputError(
                    f"export: its code ran longer than {timeout:.3g} seconds; "
                    "verify it on fewer documents"
                ) from None


def _chunks(output: bytes, texts: int) -> list[list[str]]:
    wrong = InputError("export: split gave something else than a list of texts; export it again")
    try:
        documents = json.loads(output)
        if not isinstance(documents, list) or len(documents) != texts:
            raise wrong
        return [["".join(parts) for parts in chunks] for chunks in documents]
    except (ValueError, TypeError):
        raise wrong from None


def _last_line(errors: bytes) -> str:
    lines = [line.strip() for line in errors.decode("utf-8", "replace").split("\n")]
    said = [line for line in lines if line]
    return visible(said[-1][:300]) if said else "it said nothing"
