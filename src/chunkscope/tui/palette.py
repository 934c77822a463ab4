"""What the command palette offers: every action, and every place by its name."""

from collections.abc import Sequence

from chunkscope.tui.keymap import PANEL_KEYS, Key
from chunkscope.tui.presets import PRESETS
from chunkscope.tui.screens.palette import Command
from chunkscope.tui.session import VARIANTS, Session
from chunkscope.tui.theme import SHORT_NAMES
from chunkscope.tui.views.settings import SETTINGS
from chunkscope.tui.widgets.setting_fields import field_id

_MOST_PLACES = 5_000
"""Documents, and questions, that are offered by name."""


def commands(session: Session, keys: Sequence[Key], copies: Sequence[Key]) -> list[Command]:
    """Everything, actions first."""
    made = [
        Command(f"{key.label} ({key.display})", key.help, key.action)
        for key in keys
        if key.id != "commands"
    ]
    made += [
        Command(f"panel {name} ({number})", f"Show the {name} panel.", f"panel('{name}')")
        for number, name in PANEL_KEYS
    ]
    made.append(Command("previous match (N)", "Go to the previous match.", "find_step(-1)"))
    made += [Command(f"copy {key.label}", key.help, key.action) for key in copies]
    made += [
        Command(f"preset {name}", sentence, f"preset('{name}')")
        for _letter, name, sentence in PRESETS
    ]
    made += [
        Command(f"theme {name}", "Draw in these colours.", f"set_theme('{name}')")
        for name in SHORT_NAMES
    ]
    made += [
        Command(
            f"{setting.label} of {variant}",
            f"Go to this setting of {variant}.",
            f"setting('{field_id(setting, variant)}')",
        )
        for setting in SETTINGS
        for variant in VARIANTS
    ]
    if session.corpus is not None:
        documents = session.corpus.documents[:_MOST_PLACES]
        made += [
            Command(document.id, "Open this document.", f"open_position({number})")
            for number, document in enumerate(documents)
        ]
    made += [
        Command(f"question {number}", located.question.question, f"choose({number})")
        for number, located in enumerate(session.questions[:_MOST_PLACES], 1)
    ]
    return made
