"""Your own splitter taken in anew when its file has changed, while a program runs on."""

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from chunkscope.errors import InputError
from chunkscope.splitting.foreign_code import guarded
from chunkscope.splitting.packages import FAMILIES
from chunkscope.text.display import visible


class SourceVersion(NamedTuple):
    """What is known of a module's file without reading it.

    Attributes:
        path: the file.
        changed: when it was last changed, in nanoseconds.
        size: its bytes.
    """

    path: str
    changed: int
    size: int


def source_version(kind: str) -> SourceVersion | None:
    """The file behind `module:object`, in either of two stages, as it is now.

    None where no code of one's own is named, it was not imported yet, or its file is gone.
    """
    module = _module(kind)
    if module is None or module.__file__ is None:
        return None
    try:
        found = Path(module.__file__).stat()
    except OSError:
        return None
    return SourceVersion(module.__file__, found.st_mtime_ns, found.st_size)


def reload_splitter(kind: str, known: SourceVersion | None) -> SourceVersion | None:
    """Import the module of a kind again if its file is no longer as `known`.

    `get_splitter(kind)` gives the new object from then on; splitters and prepared texts that are
    held already stay what they were. Only the module itself is read again, not what it imports.
    When it fails, the module before stays.

    Returns:
        The version that is in use now; the caller compares it with `known`.

    Raises:
        InputError: when the changed module cannot be imported; its place is named.
        MissingPackageError: when it needs one that is not installed.
    """
    version = source_version(kind)
    module = _module(kind)
    if version is None or version == known or module is None:
        return version or known

    def run() -> ModuleType:
        spec = importlib.util.spec_from_file_location(
            module.__name__,
            version.path,
            loader=SourceFileLoader(module.__name__, version.path),
            submodule_search_locations=getattr(module, "__path__", None),
        )
        if spec is None:
            raise InputError(f"splitter {kind!r}: {visible(version.path)} is no Python file")
        made = importlib.util.module_from_spec(spec)
        # Compiled here: a cached compilation is told from the file only to the second.
        code = compile(Path(version.path).read_bytes(), version.path, "exec", dont_inherit=True)
        before = sys.modules[module.__name__]
        sys.modules[module.__name__] = made
        try:
            exec(code, made.__dict__)
        except BaseException:
            sys.modules[module.__name__] = before
            raise
        return made

    guarded(kind, "importing it again", run)
    return version


def _module(kind: str) -> ModuleType | None:
    for stage in kind.split("+"):
        name, colon, _ = stage.partition(":")
        # Families such as code:LANG share their form with module:object.
        if colon and name not in ("code", "semantic", *FAMILIES) and name in sys.modules:
            return sys.modules[name]
    return None
