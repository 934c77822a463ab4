"""What every splitter gives: a document prepared once, cut at any size and overlap."""

from typing import Protocol

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.settings import SplitterSettings


class PreparedText(Protocol):
    """One document's text, prepared for everything of a splitter but size and overlap."""

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap, in the splitter's unit.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...


class Splitter(Protocol):
    """A kind of splitter, as the registry holds it."""

    unit: str | None
    """The unit it fixes for `size` and `overlap`, or None: the settings decide."""

    uses: frozenset[str]
    """Names of the settings it looks at; others given are warned about."""

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings.

        Raises:
            InputError: when they cannot work; the message names the setting.
        """
        ...

    def prepare(self, text: str, settings: SplitterSettings) -> PreparedText:
        """The text ready to be cut; lazy, so that nothing is built that no size needs."""
        ...
