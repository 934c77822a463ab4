"""Settings as a person reads and types them."""

from dataclasses import dataclass

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import resolve_overlap
from chunkscope.tui.literal import literal


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the panel: where it stands, its label, and its choices if it has any."""

    section: str
    name: str
    label: str
    choices: tuple[str, ...] = ()


SETTINGS: tuple[Setting, ...] = (
    Setting("splitter", "kind", "splitter", ("kinds",)),
    Setting("splitter", "size", "size"),
    Setting("splitter", "overlap", "overlap"),
    Setting("splitter", "unit", "unit", ("tokens", "characters", "words")),
    Setting("splitter", "encoding", "encoding"),
    Setting("splitter", "separators", "separators"),
    Setting("splitter", "keep_separator", "keep", ("end", "start", "none")),
    Setting("retriever", "kind", "retriever", ("kinds",)),
    Setting("retriever", "k", "k"),
    Setting("enrich", "prefix", "prefix", ("none", "title", "headings")),
    Setting("enrich", "parent", "parent"),
    Setting("enrich", "heading_pattern", "headings"),
    Setting("splitter", "regex", "regex", ("no", "yes")),
    Setting("splitter", "strip", "strip", ("yes", "no")),
    Setting("splitter", "dedupe", "dedupe", ("no", "yes")),
    Setting("retriever", "budget", "budget"),
    Setting("retriever", "words", "words"),
    Setting("retriever", "query_terms", "query terms", ("bag", "set")),
    Setting("retriever", "ties", "ties", ("earlier", "later")),
)

_SHOWN = {"\n": "↵", "\t": "⇥", " ": "␣", "\r": "←", "\f": "␌", "\u00a0": "⍽"}
_READ = {mark: character for character, mark in _SHOWN.items()}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "\\": "\\", "|": "|"}


def choices(setting: Setting) -> tuple[str, ...]:
    """What a setting can be chosen from; empty where it is typed."""
    if setting.choices != ("kinds",):
        return setting.choices
    if setting.section == "splitter":
        from chunkscope.splitting.registry import splitter_kinds

        return splitter_kinds()
    from chunkscope.retrieval.registry import retriever_kinds

    return retriever_kinds()


def setting_text(configuration: Configuration, setting: Setting) -> str:
    """A setting's value as shown and typed."""
    value = getattr(getattr(configuration, setting.section), setting.name)
    if setting.name == "separators":
        return separators_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return str(value)


def parse_setting(configuration: Configuration, setting: Setting, text: str) -> object:
    """The value that `text` means.

    Raises:
        InputError: the reason, for the line beside the field.
    """
    name = setting.name
    if name == "separators":
        return parse_separators(text)
    if set(setting.choices) == {"no", "yes"}:
        return text == "yes"
    text = text.strip()
    if name in {"size", "budget"}:
        return _whole(name, text, least=1 if name == "size" else 0)
    if name == "overlap":
        return _overlap(text, configuration.splitter.size)
    if name == "k":
        values = tuple(_whole("k", part.strip(), least=1) for part in text.split(",") if part)
        if not values:
            raise InputError("k: give one or more numbers, such as 5, 10")
        return values
    if not text and name != "heading_pattern":
        raise InputError(f"{setting.label}: is empty")
    return text


def _whole(name: str, text: str, *, least: int) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise InputError(f"{name}: {text or 'nothing'} is not a whole number from {least} up")
    return int(text)


def _overlap(text: str, size: int) -> int | str:
    overlap: int | str = text if text.endswith("%") else _whole("overlap", text, least=0)
    resolved = resolve_overlap(overlap, size)
    if not 0 <= resolved < size:
        raise InputError(f"overlap: {resolved} must be under the size {size}")
    return overlap


def separators_text(separators: tuple[str, ...]) -> str:
    """Separators with a mark for what is not seen, parted by `|`."""
    shown = []
    for separator in separators:
        marks = []
        for character in separator:
            if character in _SHOWN:
                marks.append(_SHOWN[character])
            elif character in "|\\" or character in _READ or literal(character) != character:
                marks.append("\\" + character if character in "|\\" else _code(character))
            else:
                marks.append(character)
        shown.append("".join(marks))
    return "|".join(shown)


def parse_separators(text: str) -> tuple[str, ...]:
    r"""The separators that marks or escapes (`\n`, `\|`, `\u2026`) stand for.

    Raises:
        InputError: for an unfinished escape.
    """
    separators: list[str] = []
    current = ""
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "|":
            separators.append(current)
            current = ""
        elif character != "\\":
            current += _READ.get(character, character)
        else:
            made, position = _escape(text, position)
            current += made
    separators.append(current)
    return tuple(separators)


def _escape(text: str, position: int) -> tuple[str, int]:
    letter = text[position : position + 1]
    if letter == "u":
        digits = text[position + 1 : position + 5]
        try:
            return chr(int(digits, 16)), position + 5
        except ValueError:
            raise InputError(f"separators: \\u{digits} is not a character") from None
    if letter not in _ESCAPES or not letter:
        # A regular expression's own escapes, such as \s or \d, are taken as they are typed.
        return "\\" + letter, position + 1
    return _ESCAPES[letter], position + 1


def _code(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else character
