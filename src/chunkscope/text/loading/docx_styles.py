"""Which paragraph styles of a Word document are headings, and of which level."""

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.packed import parse, unpacked, xml_parser

STYLES = "word/styles.xml"
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_LEVELS = 9
_DEEPEST = 20
"""Styles that are based on one another are followed this far."""


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str = ""
    outline: int | None = None


def attribute(attributes: Mapping[str, str], name: str) -> str:
    """An attribute by its local name; empty where it is missing."""
    return next(
        (value for key, value in attributes.items() if key.rpartition(" ")[2] == name),
        "",
    )


def outline_level(value: str) -> int | None:
    """The level of a heading, from 1, that an outline level stands for; 0: body text."""
    if not value.isdecimal() or len(value) > 1:
        return None
    return int(value) + 1 if int(value) < _LEVELS else 0


def heading_styles(archive: zipfile.ZipFile, cancel: CancelToken | None = None) -> dict[str, int]:
    """The level of each style that makes headings, by its id; a title's is 1.

    Names in Word's files are the same in every language, ids are not.

    Raises:
        DecodeError: when the styles are damaged or more than is unpacked.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if STYLES not in archive.namelist():
        return {}
    styles: dict[str, _Style] = {}
    current = _Style()

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal current
        local = name.rpartition(" ")[2]
        if local == "style":
            current = styles.setdefault(attribute(attributes, "styleId"), _Style())
        elif local == "name":
            current.name = attribute(attributes, "val")
        elif local == "basedOn":
            current.based_on = attribute(attributes, "val")
        elif local == "outlineLvl":
            current.outline = outline_level(attribute(attributes, "val"))

    parser = xml_parser()
    parser.StartElementHandler = start
    for data in unpacked(archive, STYLES, cancel):
        parse(parser, data)
    parse(parser, b"", last=True)
    levels = {style_id: _level(styles, style_id) for style_id in styles}
    return {style_id: level for style_id, level in levels.items() if level}


def _level(styles: Mapping[str, _Style], style_id: str) -> int:
    for _ in range(_DEEPEST):
        style = styles.get(style_id)
        if style is None:
            return 0
        if style.outline is not None:
            return style.outline
        named = _HEADING.fullmatch(style.name.strip())
        if named or style.name.strip().lower() == "title":
            return int(named[1]) if named else 1
        style_id = style.based_on
    return 0
