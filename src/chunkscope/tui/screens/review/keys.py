"""Keys of the review, of its editing of spans, and the words that the help has for them."""

from collections.abc import Sequence

from textual.binding import Binding

from chunkscope.tui.keymap import Key

REVIEW_KEYS: tuple[Key, ...] = (
    Key("review-accept", "a", "accept", "accept",
        "Accept the question: it counts, with your name and the time.", "Verdict", shown=True),
    Key("review-reject", "r", "reject", "reject",
        "Reject it: it goes out of the golden set, into FILE.rejected.jsonl beside it.",
        "Verdict", shown=True),
    Key("review-edit", "e", "edit", "edit",
        "Edit question, answer, type and the text of its evidence.", "Verdict", shown=True),
    Key("review-span", "s", "span", "span",
        "Set where evidence begins and ends in the text; add evidence or an alternative.",
        "Verdict", shown=True),
    Key("review-undo", "u", "undo", "undo",
        "Take back the last step, on the disk too; again for the one before it.", "Verdict",
        shown=True),
    Key("review-next", "n,right", "move(1)", "skip",
        "Go to the next question; this one is left as it is.", "Move", shown=True),
    Key("review-back", "b,left", "move(-1)", "back",
        "Go back to the question before.", "Move", shown=True),
    Key("review-open", "o", "next_open", "next open",
        "Go to the next question without a verdict.", "Move"),
    Key("review-evidence", "i", "next_piece", "evidence",
        "Go to the next evidence or alternative of the question in the text.", "Move"),
    Key("review-up", "up", "scroll_rows(-1)", "up",
        "Scroll the text up; Page Up by a page.", "Move"),
    Key("review-down", "down", "scroll_rows(1)", "down",
        "Scroll the text down; Page Down by a page.", "Move"),
    Key("review-zoom", "z", "zoom", "more room",
        "Give question, answer and flags the whole screen, or give it back.", "Move"),
    Key("review-help", "h,question_mark,f1", "help", "help",
        "Show these keys.", "Leave", shown=True),
    Key("review-leave", "q,escape", "leave", "leave",
        "Leave; every step is on the disk already.", "Leave", shown=True),
)  # fmt: skip

SPAN_KEYS: tuple[Key, ...] = (
    Key("span-left", "left", "characters(-1)", "character",
        "Move the active end by a character.", "Active end"),
    Key("span-right", "right", "characters(1)", "character",
        "Move the active end by a character.", "Active end"),
    Key("span-word-back", "b", "words(-1)", "− word",
        "Move the active end by a word.", "Active end", shown=True),
    Key("span-word", "w", "words(1)", "+ word",
        "Move the active end by a word.", "Active end", shown=True),
    Key("span-up", "up", "rows(-1)", "row up",
        "Move the active end by a row; Page Up by a page.", "Active end"),
    Key("span-down", "down", "rows(1)", "row down",
        "Move the active end by a row; Page Down by a page.", "Active end"),
    Key("span-other", "o", "other_end", "other end",
        "The other end is the active one, at which the cursor stands.", "Active end", shown=True),
    Key("span-collapse", "c", "collapse", "begin here",
        "Begin a new span at the active end.", "Active end"),
    Key("span-take", "enter,t", "take", "take",
        "The evidence stands there from now on.", "Take", shown=True),
    Key("span-add", "n", "add", "new evidence",
        "Add the span as further evidence, needed as well.", "Take", shown=True),
    Key("span-alternative", "v", "alternative", "alternative",
        "Add the span as an alternative: it serves as well as this evidence.", "Take", shown=True),
    Key("span-delete", "d", "delete", "delete",
        "Take this evidence or alternative away.", "Take"),
    Key("span-piece", "i", "next_piece", "next",
        "Choose the next evidence or alternative of the question.", "Take", shown=True),
    Key("span-help", "h,question_mark,f1", "help", "help",
        "Show these keys.", "Leave", shown=True),
    Key("span-leave", "escape,q", "leave", "leave",
        "Back to the review; nothing is changed.", "Leave", shown=True),
)  # fmt: skip

ARROWS = frozenset({"review-up", "review-down", "span-left", "span-right", "span-up", "span-down"})
"""Ids of what the arrows do, which needs no word beneath the text."""


def bindings(keys: Sequence[Key]) -> list[Binding]:
    """A screen's bindings; arrows and the like go before those of the text."""
    return [
        Binding(each, key.action, key.label, id=key.id if not number else None,
                tooltip=key.help, key_display=key.display, priority=each in _PRIORITY)
        for key in keys
        for number, each in enumerate(key.keys.split(","))
    ]  # fmt: skip


_PRIORITY = frozenset({"left", "right", "up", "down", "enter"})
