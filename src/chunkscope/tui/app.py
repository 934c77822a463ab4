"""The inspector: a small shell around session, engine and main screen."""

import gc
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.tui.baseline import from_mapping
from chunkscope.tui.engine import Engine
from chunkscope.tui.keymap import KEYS, TOOLS
from chunkscope.tui.reading import Opening
from chunkscope.tui.remembered import (
    leaving,
    recall,
    remember,
    session_key,
    state_file,
)
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.screens.main.screen import MainScreen
from chunkscope.tui.session import Session
from chunkscope.tui.theme import DARK, SHORT_NAMES, THEMES
from chunkscope.tui.tweaking import doubled
from chunkscope.tui.userkeys import read_user_keys, user_keys_file
from chunkscope.tui.widgets.panel_tabs import PANELS

if TYPE_CHECKING:
    from chunkscope.retrieval.models import Access


SWITCH_SECONDS = 0.001
"""The longest that a thread keeps the interpreter from the screen while documents are read or cut.

With Python's own 5 ms a key is answered late, because drawing asks for it again and again.
"""

INTERRUPTED = 130
"""The code of a program that Ctrl+C has ended."""


class InspectorApp(App[int]):
    """Opens at once; the documents are read behind it."""

    TITLE = "chunkscope"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        session: Session,
        opening: Opening,
        *,
        engine: Engine | None = None,
        options: Options | None = None,
        theme: str | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.session = session
        self.engine = engine or Engine()
        self._opening = opening
        self._options = options or Options()
        self._notes = tuple(notes)
        self.set_class(self._options.ascii_marks, "-ascii")
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme_name(theme)
        plain = {key.id: key.keys for key in (*KEYS, *TOOLS)}
        changed = {key.id: key for key in self._options.keys if key.keys != plain[key.id]}
        for name, key in changed.items():
            if not plain[name]:
                self.bind(key.keys, f"screen.{key.action}", show=False)
        self.set_keymap({name: key.keys for name, key in changed.items() if plain[name]})

    def on_mount(self) -> None:
        """The main screen, and what the command line had to say."""
        screen = MainScreen(self.session, self.engine, self._opening, self._options)
        self.push_screen(screen)
        for note in self._notes:
            self.call_later(screen.say, note, "warning")

    async def action_quit(self) -> None:
        """Ctrl+Q, too, must not lose questions that are not written yet."""
        main = next((s for s in self.screen_stack if isinstance(s, MainScreen)), None)
        if main is None:
            self.exit(0)
        elif self.screen.id != "confirm-quit":
            main.action_quit()

    def action_help_quit(self) -> None:
        """Ctrl+C where nothing is selected: while documents are read it ends the program."""
        main = next((s for s in self.screen_stack if isinstance(s, MainScreen)), None)
        if main is not None and main.is_reading:
            self.engine.stop()
            self.exit(return_code=INTERRUPTED)
        else:
            super().action_help_quit()

    def on_unmount(self) -> None:
        """However it ends, nothing is waited for."""
        self.engine.stop()


def theme_name(name: str | None) -> str:
    """A theme's full name.

    Raises:
        InputError: for an unknown one.
    """
    if name is None:
        return DARK.name
    full = SHORT_NAMES.get(name, name)
    known = {theme.name for theme in THEMES}
    if full not in known:
        raise InputError(f"--theme {name}: unknown; give one of {', '.join(SHORT_NAMES)}")
    return full


def run_inspector(
    paths: Sequence[Path],
    *,
    golden: Path | None,
    configuration_a: Configuration,
    configuration_b: Configuration | None,
    question: str | None = None,
    evidence: Sequence[str] = (),
    asked: LocatedQuestion | None = None,
    log: Path | None = None,
    encoding_of: Mapping[str, str] | None = None,
    reading: Reading | None = None,
    exclude: Sequence[Path] = (),
    case_golden: Path | None = None,
    corpus: Corpus | None = None,
    notes: Sequence[str] = (),
    ascii_marks: bool = False,
    theme: str | None = None,
    access: "Access | None" = None,
) -> int:
    """Open the inspector and return the process's exit code.

    Args:
        paths: files and folders, read behind the first paint unless `corpus` is given.
        golden: the golden set's file.
        configuration_a: variant A.
        configuration_b: variant B; None: A with double size.
        question: asked at once, with `evidence`, as from Ask.
        evidence: what should have come back for `question`.
        asked: a case's question with its evidence located, in place of both; it opens as it was
            saved, whatever these documents were left with.
        log: what a real system returned.
        encoding_of: encodings by document id or file name; None: those of `reading`.
        reading: how files are read again; None: as usual.
        exclude: files that are no documents, though they may stand among them.
        case_golden: the golden set that a reopened case was saved beside.
        corpus: the documents where they are read already.
        notes: shown as toasts, such as warnings of the configuration.
        ascii_marks: marks of plain ASCII.
        theme: dark, light or contrast.
        access: how the models behind retrievers are called.

    Raises:
        InputError: for an unknown theme.
        KeyboardInterrupt: on Ctrl+C while documents are read, and when a signal says so.
    """
    opening = Opening(
        tuple(paths),
        golden,
        corpus,
        question,
        tuple(evidence),
        dict(encoding_of or (reading.encoding_of if reading is not None else {})),
        asked,
        log,
        reading,
        tuple(exclude),
        case_golden,
    )
    configurations = {"A": configuration_a, "B": configuration_b or doubled(configuration_a)}
    session = Session(tuple(paths), configurations, golden_path=golden)  # type: ignore[arg-type]
    key, file = session_key(opening.paths, golden), state_file()
    left = recall(file, key)
    default = Configuration()
    given = configuration_a != default or configuration_b not in (None, doubled(default))
    if left is not None:
        session.panel = left.panel if left.panel in dict(PANELS) else session.panel
        theme = theme or (left.theme if left.theme in SHORT_NAMES.values() else None)
        session.baseline = from_mapping(left.baseline)
        session.panel_height = max(0, left.panel_height)
        session.widths = dict(left.widths)
    if asked is not None:
        left = None
    keys, problems = read_user_keys(user_keys_file())
    app: InspectorApp
    own = set(map(str, left.asked)) if left is not None else set()

    def keep() -> None:
        if asked is None:
            remember(file, key, leaving(session, app.theme), own)

    options = Options(ascii_marks, keys, left, restore_settings=not given, keep=keep)
    notes = (*notes, *problems)
    engine = Engine(access=access)
    app = InspectorApp(session, opening, engine=engine, options=options, theme=theme, notes=notes)
    # What is imported stays: the collector need not walk it again while keys are held.
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)
    result = app.run()
    if session.corpus is not None:
        keep()
    code = app.return_code or (result or 0)
    # Without a code of its own it was ended from outside.
    if code == INTERRUPTED or app.return_code is None:
        raise KeyboardInterrupt
    if code:
        sys.stderr.flush()
    return int(code)


__all__ = ["InspectorApp", "run_inspector"]
