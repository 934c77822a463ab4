"""Which files under the given paths are documents, and why the others are not."""

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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


class Found(NamedTuple):
    """A regular file to be read: its document id and where it stands."""

    id: str
    where: str

    @property
    def path(self) -> Path:
        """Where it stands; made when it is asked for, because a folder may hold 100,000."""
        return Path(self.where)

    @property
    def suffix(self) -> str:
        """As that of `path`, which is not made for it."""
        name = self.where[self.where.rfind(os.sep) + 1 :]
        dot = name.rfind(".")
        return name[dot:] if 0 < dot < len(name) - 1 else ""


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


@dataclass
class _Scan:
    root: str
    given: frozenset[str]
    excluded: frozenset[str]
    cancel: CancelToken | None
    files: dict[str, str] = field(default_factory=dict)
    """Where the file of an id stands."""
    links: dict[str, tuple[str, os.stat_result]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    nodes: dict[int, dict[int, str]] = field(default_factory=dict)
    """The id of the first file with an inode, by device and inode."""
    alike: dict[str, list[str]] = field(default_factory=dict)
    """Of that id: further ones with the same inode."""

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
                    entries = list(listing)
                device = os.stat(folder).st_dev  # noqa: PTH116 - as in _status
            except OSError as error:
                self.skip(folder, reason_of(error))
                continue
            waiting.extend(self.entries(folder, device, entries, is_top=folder == top))

    def entries(
        self, folder: str, device: int, entries: Sequence[os.DirEntry[str]], *, is_top: bool
    ) -> Iterator[str]:
        names = {entry.name for entry in entries}
        beir = names.issuperset(("corpus.jsonl", "queries.jsonl"))
        looked_at = {*self._excluded_names, *(_BESIDE_BEIR if beir else ())}
        if is_top:
            looked_at.add(GOLDEN_NAME)
        below = f"{self.id_of(folder)}/" if len(folder) > self._below else ""
        nodes = self.nodes.setdefault(device, {})
        given, files, alike = self.given, self.files, self.alike
        for entry in entries:
            name, path = entry.name, entry.path
            if path in given:
                # It is taken by itself, whatever its name.
                continue
            # Most are plain files with plain names: the listing tells all that is to be known.
            plain = name not in looked_at and name[0] != "." and name.isascii()
            node = _node(entry) if plain else 0
            if not node or name.endswith(REJECTED_ENDING):
                inside = self.entry(entry, is_top=is_top, beir=beir)
                if inside is not None:
                    yield inside
                continue
            document_id = below + name
            files[document_id] = path
            first = nodes.setdefault(node, document_id)
            if first is not document_id:
                alike.setdefault(first, []).append(document_id)

    def entry(self, entry: os.DirEntry[str], *, is_top: bool, beir: bool) -> str | None:
        """Take or skip what is not plain; a folder to be entered is given back."""
        path, is_link = entry.path, entry.is_symlink()
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
            return path
        else:
            self.file(path, status, is_link=is_link)
        return None

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
        document_id = self.id_of(path)
        if is_link:
            self.links[document_id] = (path, status)
            return
        self.files[document_id] = path
        first = self.nodes.setdefault(status.st_dev, {}).setdefault(status.st_ino, document_id)
        if first != document_id:
            self.alike.setdefault(first, []).append(document_id)

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

    def drop_further_names(self) -> None:
        """Of names with one inode, leave out those that are really one file's."""
        for first, others in self.alike.items():
            known: dict[object, str] = {}
            for document_id in sorted([first, *others]):
                path = self.files[document_id]
                identity = _identity(path, _status(path))
                same = known.setdefault(identity, document_id)
                if same != document_id:
                    del self.files[document_id]
                    self.skipped[document_id] = f"the same file as {visible(same)}"

    def take_links(self) -> None:
        """Links to files that are not taken by a name of their own."""
        known: dict[object, str] = {}
        folders: dict[str, str] = {}
        for document_id, path in self.files.items() if self.links else ():
            # Without a look at each: a link leads to the file's real place.
            folder, name = os.path.split(path)
            if folder not in folders:
                folders[folder] = os.path.realpath(folder)
            known[os.path.join(folders[folder], name)] = document_id  # noqa: PTH118
        for document_id, (path, status) in sorted(self.links.items()):
            first = self._by_node(status) or known.get(os.path.realpath(path))
            first = first or known.setdefault(_identity(path, status), document_id)
            if first == document_id:
                self.files[document_id] = path
            else:
                self.skipped[document_id] = f"the same file as {visible(first)}"

    def _by_node(self, status: os.stat_result) -> str | None:
        """The id of the file with this inode, if it is taken."""
        first = self.nodes.get(status.st_dev, {}).get(status.st_ino)
        if first is None or not status.st_ino:
            return None
        for document_id in sorted([first, *self.alike.get(first, [])]):
            path = self.files.get(document_id)
            if path is not None and _identity(path, _status(path)) == _identity(path, status):
                return document_id
        return None

    def result(self) -> Discovery:
        self.drop_further_names()
        # A file's own name goes before a link to it.
        self.take_links()
        files = self.files
        found = tuple(Found(document_id, files[document_id]) for document_id in sorted(files))
        skipped = tuple(Skipped(path, why) for path, why in sorted(self.skipped.items()))
        return Discovery(Path(self.root), found, skipped)


def _node(entry: os.DirEntry[str]) -> int:
    """A regular file's inode as its folder has it; 0 where that is not known without a look."""
    try:
        return entry.inode() if entry.is_file(follow_symlinks=False) else 0
    except OSError:
        return 0


def _identity(path: str, status: os.stat_result | OSError) -> object:
    # Device and inode name a file whatever its path; some file systems have no inodes.
    if isinstance(status, OSError) or not status.st_ino:
        return os.path.realpath(path)
    return status.st_dev, status.st_ino
