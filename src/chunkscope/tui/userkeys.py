"""Keys of a person's own: a TOML file that gives actions other keys, clashes reported."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chunkscope.tui.keymap import KEYS, TOOLS, Key

_SPELLED = {
    ",": "comma", ".": "full_stop", "-": "minus", "+": "plus", "=": "equals_sign", "/": "slash",
    "?": "question_mark", " ": "space", "[": "left_square_bracket", "]": "right_square_bracket",
    ";": "semicolon", "'": "apostrophe", "<": "less_than_sign", ">": "greater_than_sign",
}  # fmt: skip

_FIXED = frozenset({"escape", "N", "upper_n", "ctrl+q"})
"""Keys that no action of the keymap has, and none may take."""


def user_keys_file() -> Path:
    """Where the file is looked for."""
    from platformdirs import user_config_path

    return user_config_path("chunkscope") / "keys.toml"


def read_user_keys(path: Path) -> tuple[tuple[Key, ...], tuple[str, ...]]:
    """Every action with the keys of the file, and what is wrong with it, a sentence each.

    The file has a table `[keys]`: an action's name (as in the help) and its key or keys. What
    is wrong is left out; the other lines count.
    """
    plain = (*KEYS, *TOOLS)
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig")).get("keys", {})
    except FileNotFoundError:
        return plain, ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return plain, (f"{path}: not used: {error}",)
    if not isinstance(table, dict):
        return plain, (f"{path}: keys must be a table: [keys]",)
    return remapped(plain, table, str(path))


def remapped(
    plain: Sequence[Key], wanted: Mapping[str, Any], where: str
) -> tuple[tuple[Key, ...], tuple[str, ...]]:
    """The actions with the keys wanted; a key that two actions would have stays where it was."""
    problems: list[str] = []
    known = {key.id for key in plain}
    changes: dict[str, str] = {}
    for name, value in wanted.items():
        values = value if isinstance(value, list) else [value]
        if name not in known:
            problems.append(f"{where}: {name} is no action; the help names them")
        elif any(_SPELLED.get(str(each), str(each)) in _FIXED for each in values):
            problems.append(f"{where}: {name}: Escape, N and Ctrl+Q are fixed; left as it was")
        elif not all(isinstance(each, str) and each for each in values) or not values:
            problems.append(f"{where}: {name}: give a key, or a list of keys")
        else:
            spelled = [_SPELLED.get(str(each), str(each)) for each in values]
            changes[name] = ",".join(spelled)
    while True:
        made = [replace(key, keys=changes.get(key.id, key.keys)) for key in plain]
        clash = _clash(made, changes)
        if clash is None:
            return tuple(made), tuple(problems)
        key, name, other = clash
        problems.append(f"{where}: {name}: {key} is the key of {other} already; left as it was")
        del changes[name]


def _clash(keys: Sequence[Key], changes: Mapping[str, str]) -> tuple[str, str, str] | None:
    holders: dict[str, str] = {}
    for changed in (False, True):
        for action in keys:
            if (action.id in changes) is not changed or not action.keys:
                continue
            for key in action.keys.split(","):
                other = holders.setdefault(key, action.id)
                if other != action.id:
                    return key, action.id, other
    return None
