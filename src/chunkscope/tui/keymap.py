"""Every action of the inspector: its key without Shift, the others, and what it does.

The first key named is the one shown: a letter, an arrow or Enter. What needs Shift, a function
key or Alt on some keyboard only ever stands beside it.
"""

from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Key:
    """One action.

    Attributes:
        id: name for a user's own keymap.
        keys: comma-separated, the unshifted one first.
        action: the screen's action.
        label: a word or two for the footer.
        help: one sentence for the help screen.
        group: heading in the help screen.
        shown: whether the footer names it where there is little room.
        letter: its key in the menu of tools, for what is no key of the main screen.
    """

    id: str
    keys: str
    action: str
    label: str
    help: str
    group: str
    shown: bool = False
    letter: str = ""

    @property
    def display(self) -> str:
        """The unshifted key, as printed; for a tool the menu's key and its letter."""
        return f"t {self.letter}" if self.letter else self.keys.split(",", 1)[0]

    @property
    def others(self) -> str:
        """The other keys, as printed."""
        keys = self.keys.split(",") if self.keys else []
        return " ".join(_name(key) for key in (keys if self.letter else keys[1:]))


_NAMES = {
    "comma": ",", "full_stop": ".", "minus": "-", "plus": "+", "equals_sign": "=", "slash": "/",
    "question_mark": "?", "f1": "F1", "space": "Space", "enter": "Enter", "ctrl+p": "Ctrl+P",
    "upper_n": "N", "shift+n": "N", "N": "N", "right_square_bracket": "]",
    "left_square_bracket": "[", "f5": "F5", "ctrl+y": "Ctrl+Y", "ctrl+up": "Ctrl+↑",
    "ctrl+down": "Ctrl+↓", "backspace": "Back",
}  # fmt: skip


def _name(key: str) -> str:
    return _NAMES.get(key, key)


KEYS: tuple[Key, ...] = (
    Key("size-down", "k,minus,comma", "step_size(-1)", "size −",
        "Make the chunks of the active variant smaller.", "Tweak", shown=True),
    Key("size-up", "l,plus,equals_sign,full_stop", "step_size(1)", "size +",
        "Make the chunks of the active variant larger.", "Tweak", shown=True),
    Key("overlap-down", "o", "step_overlap(-1)", "overlap −",
        "Take overlap away from the active variant.", "Tweak", shown=True),
    Key("overlap-up", "p", "step_overlap(1)", "overlap +",
        "Give the active variant more overlap.", "Tweak", shown=True),
    Key("variant", "v", "cycle_variant", "A/B",
        "Draw variant A, then B, then both; keys change the variant drawn (B where both are).",
        "Tweak", shown=True),
    Key("settings", "s", "settings", "settings",
        "Go to the settings of A and B; Escape leaves them.", "Tweak"),
    Key("mend", "m", "mend", "mend",
        "Try the settings near A and show the cheapest that hits the chosen question in B.",
        "Tweak"),
    Key("sweep", "r", "sweep", "sweep",
        "Run a sweep in the background, or stop the one that runs.", "Tweak"),
    Key("ask", "a", "ask", "ask",
        "Ask: a question and what should have come back.", "Questions", shown=True),
    Key("next-miss", "x", "next_miss", "next miss",
        "Go to the next measured question that is not a hit.", "Questions", shown=True),
    Key("next-cut", "c", "next_cut", "next cut",
        "Go to the next question whose evidence is cut.", "Questions", shown=True),
    Key("next-difference", "b", "next_difference", "next A≠B",
        "Go to the next question that A and B answer differently.", "Questions", shown=True),
    Key("write", "w", "write_golden", "write golden",
        "Write the questions asked here as lines of the golden set.", "Questions"),
    Key("undo", "u", "undo", "undo",
        "Take back the last change of a setting or of a golden line.", "Questions"),
    Key("documents", "d", "documents", "documents",
        "Go to the list of documents.", "Move"),
    Key("panel", "i,1,2,3,4,5,6,7", "next_panel", "next panel",
        "Show the next of the bottom panels (or 1 to 7 for each).", "Move"),
    Key("zoom", "z", "zoom", "zoom panel",
        "Give the bottom panel the whole screen, or give it back.", "Move", shown=True),
    Key("find", "f,slash", "find", "find",
        "Find text in the open document; the arrows in the field step through what is found.",
        "Move"),
    Key("find-next", "n", "find_step(1)", "next match",
        "Go to the next match.", "Move"),
    Key("goto", "g", "goto", "go to",
        "Go to a line, an offset, a chunk, a question or a heading.", "Move"),
    Key("here", "enter", "here", "what is here",
        "Say everything about the cursor's place: chunks, boundaries, section.", "Move"),
    Key("export", "e", "export", "export",
        "Export the active configuration as code or config, with its proof.", "Take away"),
    Key("copy", "y", "copy", "copy",
        "Copy a summary and the command line of this view, and write them to a file.",
        "Take away"),
    Key("commands", "j,space,ctrl+p", "commands", "commands",
        "Jump to any command by typing a part of its name.", "Take away"),
    Key("tools", "t", "tools", "tools",
        "Open the menu of tools; each has a letter there.",
        "Take away"),
    Key("help", "h,question_mark,f1", "help", "help",
        "Show every key.", "Take away", shown=True),
    Key("quit", "q", "quit", "quit",
        "Leave; questions that are not written yet are offered to be saved.", "Take away",
        shown=True),
)  # fmt: skip

TOOLS: tuple[Key, ...] = (
    Key("redo", "ctrl+y", "redo", "redo",
        "Do again what was taken back.", "Tools", letter="r"),
    Key("swap", "", "swap", "swap A and B",
        "Swap A and B.", "Tools", letter="s"),
    Key("copy-a", "", "copy_a", "copy A to B",
        "Copy A into B, to change one thing from there.", "Tools", letter="c"),
    Key("pin", "0", "pin", "pin baseline",
        "Pin A's numbers as the baseline that A and B are compared with, or unpin it.", "Tools",
        letter="f"),
    Key("presets", "", "presets", "presets",
        "Give the active variant separators for prose, Markdown, code or CJK.", "Tools",
        letter="p"),
    Key("next-boundary", "right_square_bracket", "boundary_difference(1)", "next difference",
        "Go to the next boundary that only one of A and B has.", "Tools", letter="d"),
    Key("previous-boundary", "left_square_bracket", "boundary_difference(-1)",
        "previous difference",
        "Go to the previous boundary that only one of A and B has.", "Tools", letter="a"),
    Key("back", "backspace", "back", "back",
        "Go back to where you were before the last jump.", "Tools", letter="b"),
    Key("wrap", "", "wrap", "wrap",
        "Wrap long lines, or let them run on.", "Tools", letter="w"),
    Key("editor", "", "editor", "editor",
        "Open the document in $EDITOR at the cursor's line.", "Tools", letter="e"),
    Key("reload", "f5", "reload", "reload",
        "Read documents and golden set again, the place kept.", "Tools", letter="l"),
    Key("mark", "", "mark", "select",
        "Begin a selection at the cursor; the arrows extend it, Escape drops it.", "Tools",
        letter="m"),
    Key("add-evidence", "", "add_evidence", "add evidence",
        "Add the selection to the chosen question: needed, too.", "Tools", letter="n"),
    Key("add-alternative", "", "add_alternative", "add alternative",
        "Add the selection to the chosen question: serves as well as its last evidence.", "Tools",
        letter="o"),
    Key("edit-question", "", "edit_question", "edit question",
        "Edit the chosen question: its words, its type, its evidence.", "Tools", letter="g"),
    Key("delete-question", "", "delete_question", "delete question",
        "Delete the chosen question from the golden set; u takes it back.", "Tools", letter="x"),
    Key("places", "", "places", "places of evidence",
        "Places of evidence that moved, stands nowhere or several times: take one.", "Tools",
        letter="v"),
    Key("review", "9", "review", "review questions",
        "Review generated questions: accept, edit, reject, set spans.", "Tools",
        letter="9"),
    Key("grow", "ctrl+up", "resize_panel(2)", "larger panel",
        "Make the bottom panel higher.", "Tools", letter="k"),
    Key("shrink", "ctrl+down", "resize_panel(-2)", "smaller panel",
        "Make the bottom panel lower.", "Tools", letter="j"),
    Key("copy-menu", "", "copy_menu", "copy a part",
        "Copy the chunk, the selection, the question or the table.", "Tools", letter="y"),
    Key("widen", "", "widen_side", "wider settings",
        "Make settings and metrics wider, at the end narrow again (or drag).", "Tools",
        letter="z"),
    Key("alone", "", "alone", "document alone",
        "Give the document the whole screen, or give it back.", "Tools", letter="u"),
    Key("save-case", "", "save_case", "save a case",
        "Save the chosen question's failure as a case, which `chunkscope case` opens again.",
        "Tools", letter="h"),
    Key("screenshot", "", "save_screenshot", "screenshot",
        "Save the screen as an SVG file.", "Tools", letter="i"),
    Key("theme", "", "theme", "theme",
        "Change the theme: dark, light, high contrast, colour-blind safe, ANSI.", "Tools",
        letter="t"),
)  # fmt: skip

PANEL_KEYS = (("1", "questions"), ("2", "retrieved"), ("3", "sweep"), ("4", "chunks"),
              ("5", "diagnosis"), ("6", "health"), ("7", "compare"))  # fmt: skip


def bindings() -> list[Binding]:
    """The main screen's bindings."""
    made = [
        Binding(
            ",".join(key.keys.split(",")) if key.id != "panel" else key.display,
            key.action,
            key.label,
            id=key.id,
            tooltip=key.help,
            key_display=key.display,
        )
        for key in KEYS
    ]
    made += [
        Binding(key.keys, key.action, key.label, id=key.id, tooltip=key.help, show=False)
        for key in TOOLS
        if key.keys
    ]
    made += [
        Binding(number, f"panel('{name}')", name, id=f"panel-{name}", show=False,
                tooltip=f"Show the {name} panel.")
        for number, name in PANEL_KEYS
    ]  # fmt: skip
    made.append(
        Binding("N", "find_step(-1)", "previous match", id="find-previous", show=False,
                tooltip="Go to the previous match.")
    )  # fmt: skip
    made.append(
        Binding("escape", "leave", "document", id="leave", show=False,
                tooltip="Close what is open, or go back to the document.")
    )  # fmt: skip
    return made
