"""Which files under the given paths are documents, and why the others are not."""

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.document import Skipped

GOLDEN_NAME = "golden.jsonl"
REJECTED_ENDING = ".rejected.jsonl"

_PRUNED = {
    "node_modules": "installed packages",
    "__pycache__": "compiled Python",
    "site-packages": "installed packages",
}


_BESIDE_BEIR = {
    "queries.jsonl": "the questions of a BEIR corpus, not a document",
    "qrels": "what answers the questions of a BEIR corpus, not documents",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file to be read: its document id and its path."""

    id: str
    path: Path


@dataclass(frozen=True)
class Discovery:
    """What stands under the given paths.

    Attributes:
        root: the folder that ids are relative to.
        files: the files to read, by id in code-point order, each file once.
        skipped: what was left out, by path in code-point order.
    """

    root: Path
    files: tuple[Found, ...]
    skipped: tuple[Skipped, ...]


def discover(
    paths: Sequence[Path], *, exclude: Collection[Path] = (), cancel: CancelToken | None = None
) -> Discovery:
    """List the files of `paths` (files and folders).

    A file is taken once, by what it really is: links to a file and further names of it are
    skipped. Links to folders are not followed; hidden folders and folders of installed packages
    are not entered. `exclude` names files that are silently no part of it.

    Raises:
        InputError: when no path is given, or one does not exist.
        CancelledError: when `cancel` was raised meanwhile.
    """
    given = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - links stay as given
    if not given:
        raise InputError("no path given: name a file or a folder")
    for path, absolute in zip(paths, given, strict=True):
        _check_exists(path, absolute)
    root = _root(given)
    excluded = frozenset(os.path.realpath(path) for path in exclude)
    scan = _Scan(str(root), frozenset(map(str, given)), excluded, cancel)
    for path in given:
        if path.is_dir():
            scan.folder(str(path))
        else:
            scan.file(str(path), _status(str(path)), is_link=path.is_symlink())
    return scan.result()


def _check_exists(given: Path, absolute: Path) -> None:
    try:
        absolute.stat()
    except (OSError, ValueError) as error:
        what = "a link to nothing" if absolute.is_symlink() else reason_of(error)
        raise InputError(f"{visible(str(given))}: {what}; give a file or a folder") from error


def _root(given: Sequence[Path]) -> Path:
    folders = [path if path.is_dir() else path.parent for path in given]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:
        raise InputError("the paths have no common folder; give paths of one drive") from error


def reason_of(error: OSError | ValueError) -> str:
    """Why the system refused a file, in plain words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


def special_kind(mode: int) -> str | None:
    """What a thing that is neither a file nor a folder is, or None."""
    for test, name in (
        (stat.S_ISREG, None),
        (stat.S_ISDIR, None),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if test(mode):
            return name
    return "not a regular file"


def _status(path: str) -> os.stat_result | OSError:
    try:
        return os.stat(path)  # noqa: PTH116 - paths are strings here: a folder may hold 100,000
    except OSError as error:
        return error


def _identity(path: str, status: os.stat_result) -> object:
    # Device and inode name a file whatever its path; some file systems have no inodes.
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)


@dataclass
class _Scan:
    root: str
    given: frozenset[str]
    excluded: frozenset[str]
    cancel: CancelToken | None
    files: dict[str, tuple[str, object]] = field(default_factory=dict)
    links: dict[str, tuple[str, object]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._below = len(self.root.rstrip(os.sep)) + 1
        self._excluded_names = {os.path.basename(path) for path in self.excluded}  # noqa: PTH119

    def folder(self, top: str) -> None:
        waiting = [top]
        while waiting:
            if self.cancel is not None:
                self.cancel.check()
            folder = waiting.pop()
            if folder in self.seen:
                continue
            self.seen.add(folder)
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self.skip(folder, reason_of(error))
                continue
            waiting.extend(self.entries(entries, is_top=folder == top))

    def entries(self, entries: Sequence[os.DirEntry[str]], *, is_top: bool) -> Iterator[str]:
        beir = {entry.name for entry in entries}.issuperset(("corpus.jsonl", "queries.jsonl"))
        for entry in entries:
            path = entry.path
            if path in self.given:
                # It is taken by itself, whatever its name.
                continue
            is_link = entry.is_symlink()
            status = _status(path)
            is_folder = not isinstance(status, OSError) and stat.S_ISDIR(status.st_mode)
            reason = self.name_reason(entry.name, is_folder=is_folder)
            if reason is None and is_folder and is_link:
                reason = "a link to a folder, not followed; give that folder itself"
            if reason is None and is_folder and Path(path, "pyvenv.cfg").is_file():
                reason = "a Python environment"
            if reason is None and is_top and not is_folder and entry.name == GOLDEN_NAME:
                reason = "a golden set, not a document"
            if reason is None and not is_folder and entry.name.endswith(REJECTED_ENDING):
                reason = "questions rejected in a review, not a document"
            if reason is None and beir:
                reason = _BESIDE_BEIR.get(entry.name)
            if reason is not None:
                if not self.is_excluded(path, is_link=is_link):
                    self.skip(path, reason)
            elif is_folder:
                yield path
            else:
                self.file(path, status, is_link=is_link)

    def is_excluded(self, path: str, *, is_link: bool) -> bool:
        # What is no link keeps its name when it is resolved.
        name = os.path.basename(path)  # noqa: PTH119
        if not self.excluded or not (is_link or name in self._excluded_names):
            return False
        return os.path.realpath(path) in self.excluded

    def name_reason(self, name: str, *, is_folder: bool) -> str | None:
        try:
            os.fsencode(name).decode("utf-8")
        except UnicodeDecodeError:
            return "its name is not UTF-8; rename it"
        if name.startswith("."):
            return "a hidden folder" if is_folder else "a hidden file"
        return _PRUNED.get(name) if is_folder else None

    def file(self, path: str, status: os.stat_result | OSError, *, is_link: bool) -> None:
        if self.is_excluded(path, is_link=is_link):
            return
        if isinstance(status, OSError):
            self.skip(path, self.broken(status, is_link=is_link))
            return
        kind = special_kind(status.st_mode)
        if kind is not None:
            self.skip(path, f"{kind}, not a regular file")
            return
        (self.links if is_link else self.files)[self.id_of(path)] = (path, _identity(path, status))

    def broken(self, error: OSError, *, is_link: bool) -> str:
        if not is_link:
            return reason_of(error)
        if isinstance(error, FileNotFoundError):
            return "a link to nothing"
        return f"a link that cannot be followed: {reason_of(error)}"

    def skip(self, path: str, reason: str) -> None:
        self.skipped[self.id_of(path)] = reason

    def id_of(self, path: str) -> str:
        name = path[self._below :].replace(os.sep, "/") or "."
        # By its bytes, so that a file has one id whatever encoding the locale names.
        return name if name.isascii() else os.fsencode(name).decode("utf-8", "surrogateescape")

    def result(self) -> Discovery:
        taken: dict[object, str] = {}
        found: list[Found] = []
        # A file's own name goes before a link to it.
        for group in (self.files, self.links):
            for document_id, (path, identity) in sorted(group.items()):
                first = taken.setdefault(identity, document_id)
                if first == document_id:
                    found.append(Found(document_id, Path(path)))
                else:
                    self.skipped[document_id] = f"the same file as {visible(first)}"
        found.sort(key=lambda file: file.id)
        skipped = tuple(Skipped(path, why) for path, why in sorted(self.skipped.items()))
        return Discovery(Path(self.root), tuple(found), skipped)
