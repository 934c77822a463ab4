"""Code of other people, found and called; what goes wrong in it is named with its place."""

import importlib
import inspect
import logging
import sys
import sysconfig
import traceback
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.text.display import visible

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "chunkscope.splitters"
"""The entry point group in which a package may offer splitters."""

_SIZE = ("size", "chunk_size")
_OVERLAP = ("overlap", "chunk_overlap")
_METHODS = ("split_text", "chunk", "get_nodes_from_documents")

_HERE = str(Path(__file__).parent)

T = TypeVar("T")


def offered(group: str) -> dict[str, "EntryPoint"]:
    """What installed packages offer in an entry point group, by name; nothing is imported."""
    from importlib.metadata import entry_points

    return {found.name: found for found in sorted(entry_points(group=group))}


def load_object(kind: str, role: str = "splitter") -> object:
    """The object that `module:object` names; the working directory may hold the module.

    Args:
        kind: the name.
        role: what error messages call it.

    Raises:
        InputError: when it cannot be had, whatever the reason.
        MissingPackageError: when its module imports one that is not installed.
    """
    module_name, _, name = kind.partition(":")
    if not module_name or not name:
        raise InputError(f"{role}: {kind!r} is not known; write module:object")
    module = guarded(kind, "importing it", lambda: _imported(module_name), role)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise InputError(
                f"{role} {kind!r}: module {module_name!r} has no {name!r}; check the name"
            )
        found = getattr(found, part)
    return found


def load_offered(entry: "EntryPoint", role: str = "splitter") -> object:
    """The object of an entry point; `role` is what error messages call it.

    Raises:
        InputError: when it cannot be had, whatever the reason.
        MissingPackageError: when it needs a package that is not installed.
    """
    return guarded(entry.name, "importing it", entry.load, role)


def _imported(name: str) -> object:
    here = str(Path.cwd())
    if here in sys.path or "" in sys.path:
        return importlib.import_module(name)
    sys.path.append(here)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(here)


def guarded(kind: str, doing: str, call: Callable[[], T], role: str = "splitter") -> T:
    """What `call`, which runs foreign code, returns.

    Args:
        kind: the code's name.
        doing: what it is called for.
        call: runs it.
        role: what error messages call it.

    Raises:
        InputError: for whatever it raises, with its place in the code.
        MissingPackageError: when a module that it imports is not installed.
    """
    try:
        # What it prints is no data of this program's, and a line of its log for each chunk is
        # nothing that anyone asked for.
        with redirect_stdout(sys.stderr), _quiet_log():
            return call()
    except ModuleNotFoundError as error:
        if error.name == kind.partition(":")[0]:
            raise InputError(
                f"{role} {kind!r}: no module {error.name!r} is found; run where it stands, or "
                "install it"
            ) from error
        raise MissingPackageError(
            f"{role} {kind!r}: {doing} needs {error.name!r}, which is not installed{_at(error)}"
        ) from error
    except KeyboardInterrupt:
        raise
    # Foreign code may raise anything, a panic of compiled code too, and must not take the program
    # down with it.
    except BaseException as error:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        said = visible(" ".join(text.split()))
        message = f"{type(error).__name__}: {said}" if said else type(error).__name__
        raise InputError(f"{role} {kind!r}: {doing} failed: {message}{_at(error)}") from error


@contextmanager
def _quiet_log() -> Iterator[None]:
    """Lines of a log that nobody set up go nowhere, instead of to the terminal."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def _at(error: BaseException) -> str:
    """Where it was raised: the innermost line of one's own code, else of any."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        # Code that cannot be read has not run: its place is in the error.
        return "" if error.lineno is None else f" ({visible(error.filename)}, line {error.lineno})"
    # The first frame is this module's own call.
    frames = traceback.extract_tb(error.__traceback__)[1:]
    if not frames:
        return ""
    installed = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    own = [frame for frame in frames if not frame.filename.startswith((*installed, _HERE, "<"))]
    frame = own[-1] if own else frames[-1]
    return f" ({visible(frame.filename)}, line {frame.lineno}, in {visible(frame.name)})"


def taken_settings(kind: str, found: object) -> frozenset[str]:
    """Which of `size` and `overlap` the object takes.

    Raises:
        InputError: when it is nothing that splits.
    """
    method = guarded(kind, "looking at it", lambda: _method(found))
    names = _parameters(found if isinstance(found, type) or method is None else method)
    if method is None and not callable(found):
        raise InputError(
            f"splitter {kind!r}: is of type {type(found).__name__} and cannot be called; give a "
            "function of a text, or an object with split_text"
        )
    if isinstance(found, type) and method is None:
        raise InputError(
            f"splitter {kind!r}: is a class without split_text; give a function of a text, or an "
            "object with split_text"
        )
    return frozenset(
        setting
        for setting, known in (("size", _SIZE), ("overlap", _OVERLAP))
        if not names.isdisjoint(known)
    )


def call_splitter(kind: str, found: object, text: str, size: int, overlap: int) -> list[object]:
    """What the object makes of a text: its chunks, of whatever type, in its order.

    A class is made an instance first. `size` (or `chunk_size`) and `overlap` (or
    `chunk_overlap`) are given to what has parameters of these names.

    Raises:
        InputError: for whatever it raises, or when it returns nothing that can be listed.
        MissingPackageError: when a module that it needs is not installed.
    """

    def run() -> object:
        splitter: Any = found
        if isinstance(found, type):
            splitter = found(**_arguments(_parameters(found), size, overlap))
        method: Any = _method(splitter) or splitter
        if getattr(method, "__name__", "") == _METHODS[-1]:
            return parsed_nodes(splitter, text)
        made = method(text, **_arguments(_parameters(method), size, overlap))
        if inspect.isawaitable(made):
            if inspect.iscoroutine(made):
                made.close()
            return None
        # Generators run here, so that their failures are named too.
        return None if isinstance(made, str) or made is None else list(made)

    made = guarded(kind, "splitting a text", run)
    if not isinstance(made, list):
        raise InputError(
            f"splitter {kind!r}: returned no list of chunks; return strings, (start, end) pairs "
            "or documents"
        )
    return made


def parsed_nodes(parser: Any, text: str) -> list[object]:
    """What a node parser of llama-index makes of a text."""
    from llama_index.core.schema import Document

    return list(parser.get_nodes_from_documents([Document(text=text)]))


def _method(found: object) -> Callable[..., object] | None:
    """The method that splits, where the object has one."""
    for name in _METHODS:
        method: object = getattr(found, name, None)
        if callable(method):
            return method
    return None


def _parameters(found: object) -> frozenset[str]:
    """Names of the parameters that can be given by name."""
    if isinstance(found, type) and _is_text_splitter(found):
        # Its subclasses hand their keyword arguments on.
        return frozenset({"chunk_size", "chunk_overlap"})
    if not callable(found):
        return frozenset()
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    return frozenset(
        one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    )


def _is_text_splitter(found: type) -> bool:
    return any(
        base.__name__ == "TextSplitter" and base.__module__.startswith("langchain_text_splitters")
        for base in found.__mro__
    )


def _arguments(names: Collection[str], size: int, overlap: int) -> dict[str, int]:
    given = {name: size for name in _SIZE if name in names}
    return given | {name: overlap for name in _OVERLAP if name in names}
