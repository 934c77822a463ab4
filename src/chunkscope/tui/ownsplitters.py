"""Splitters of one's own, taken in anew when their file has changed while the inspector runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configfile import is_code
from chunkscope.tui.messages import SplittersReloaded

if TYPE_CHECKING:
    from chunkscope.splitting.reloading import SourceVersion

Sources = Mapping[str, "SourceVersion"]
"""The file behind each kind of splitter that is code of one's own, as it is in use."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the files found.

    Attributes:
        sources: every kind with the file that is in use.
        changed: those whose file is another now, with the file that is in use.
    """

    sources: Sources
    changed: Sources

    @property
    def names(self) -> list[str]:
        """Names of the changed files."""
        return list(dict.fromkeys(Path(version.path).name for version in self.changed.values()))


def look(kinds: list[str], known: Sources) -> Look:
    """Look at the files of `kinds` and of all that are known; reads none of them."""
    from chunkscope.splitting.reloading import source_version

    sources, changed = dict(known), {}
    for kind in dict.fromkeys([*kinds, *known]):
        if not is_code(kind):
            continue
        now = source_version(kind)
        if now is None:
            continue
        if kind in known and known[kind] != now:
            changed[kind] = known[kind]
        else:
            sources[kind] = now
    return Look(sources, changed)


def take_in(changed: Sources, forget: Callable[[str], None]) -> SplittersReloaded:
    """Import each changed file once; one that cannot be imported leaves what was before.

    Args:
        changed: kinds with the file that is in use.
        forget: lets go of all that a kind made.
    """
    from chunkscope.splitting.reloading import reload_splitter, source_version

    reasons: list[str] = []
    done: set[str] = set()
    versions: dict[str, SourceVersion] = {}
    for kind, before in changed.items():
        now = source_version(kind)
        if now is None:
            continue
        versions[kind] = now
        if now.path in done:
            continue
        done.add(now.path)
        try:
            versions[kind] = reload_splitter(kind, before) or now
        except ChunkscopeError as error:
            reasons.append(str(error))
    for kind in versions:
        forget(kind)
    return SplittersReloaded(versions, "\n".join(reasons))
