"""The command palette: the actions of the keymap by name."""

from collections.abc import Coroutine
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from chunkscope.tui.keymap import Key
from chunkscope.tui.screens.main.base import MainBase


class KeyCommands(Provider):
    """Every action of the main screen."""

    @property
    def _keys(self) -> tuple[Key, ...]:
        return self.screen.options.keys if isinstance(self.screen, MainBase) else ()

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for key in self._keys:
            if key.id != "commands":
                yield DiscoveryHit(_title(key), self._run(key), help=key.help)

    async def search(self, query: str) -> Hits:
        """Those that match what is typed."""
        matcher = self.matcher(query)
        for key in self._keys:
            title = _title(key)
            score = matcher.match(f"{title} {key.help}")
            if score > 0 and key.id != "commands":
                yield Hit(score, matcher.highlight(title), self._run(key), help=key.help)

    def _run(self, key: Key) -> "partial[Coroutine[Any, Any, None]]":
        return partial(self.screen.run_action, key.action)


def _title(key: Key) -> str:
    return f"{key.label} ({key.display})"
