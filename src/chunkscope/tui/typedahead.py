"""Keys typed faster than the screen follows reach what the keys before them have opened."""

from bisect import insort
from operator import itemgetter
from weakref import WeakKeyDictionary, WeakSet

from textual.app import App
from textual.events import Event, Key
from textual.screen import Screen
from textual.widget import Widget

Numbered = tuple[int, Key]


class TypedAheadApp(App[int]):
    """Hands a key on where the one before it has opened a screen or moved the focus meanwhile.

    A key goes to the widget that has the focus when it is read, which may be before the key ahead
    of it has done its work. When it comes back from there unused, it is given to what has the
    focus then. For a screen that is not mounted yet, keys are kept in their order.
    """

    def __init__(self) -> None:
        super().__init__()
        self._keys_read = 0
        self._keys_sent: WeakKeyDictionary[Key, tuple[int, Widget]] = WeakKeyDictionary()
        self._keys_kept: list[Numbered] = []
        self._screens_mounted: WeakSet[Screen[object]] = WeakSet()
        self._screen_awaited: Screen[object] | None = None

    async def on_event(self, event: Event) -> None:
        """Follow every key on its way."""
        if not isinstance(event, Key):
            await super().on_event(event)
        elif not event.is_forwarded:
            self._keys_read += 1
            await self._give_key(self._keys_read, event)
        else:
            number, target = self._keys_sent.pop(event, (0, None))
            if target is None or target is (self.focused or self.screen):
                await super().on_event(event)
            else:
                await self._give_key(number, Key(event.key, event.character))

    async def _give_key(self, number: int, key: Key) -> None:
        screen = self.screen
        mounted = screen.focused is not None or screen in self._screens_mounted
        if self._keys_kept or not mounted:
            insort(self._keys_kept, (number, key), key=itemgetter(0))
            self._await_screen(screen)
        else:
            self._keys_sent[key] = (number, self.focused or screen)
            await super().on_event(key)

    def _await_screen(self, screen: Screen[object]) -> None:
        """Give the keys kept once the screen is mounted, and the focus set that it asks for."""
        if self._screen_awaited is screen:
            return
        self._screen_awaited = screen
        # Behind the screen's mounting in its own queue, then behind the wish for the focus in ours.
        screen.call_later(self.call_later, self._give_kept, screen)

    async def _give_kept(self, screen: Screen[object]) -> None:
        self._screen_awaited = None
        self._screens_mounted.add(screen)
        kept, self._keys_kept = self._keys_kept, []
        if self.screen_stack:
            for number, key in kept:
                await self._give_key(number, key)
