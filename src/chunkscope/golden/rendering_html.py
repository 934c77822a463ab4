"""HTML as a browser shows it: which ranges of the source are left out or replaced."""

import html
import re
from collections.abc import Iterator

from chunkscope.golden.mapped import Edit
from chunkscope.text.html import html_markup

SUP_OPENS, SUP_CLOSES = "\ue000", "\ue001"
"""What stands for the tags around a superscript where citation marks are looked for."""

_INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output "
    "q rb rp rt ruby s samp small span strike strong sub sup time tt u var wbr"
)
_INLINE = frozenset(_INLINE_NAMES.split())
"""Elements that part no word; every other tag stands between two words."""

_HIDDEN = frozenset({"script", "style", "iframe", "noframes"})
_SHOWN_RAW = frozenset({"title", "textarea", "xmp"})

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_OTHER_NAMES = (
    "address article aside blockquote br caption center col colgroup dd details div dl dt "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr iframe img input li main nav ol "
    "option p pre section select summary svg table tbody td tfoot th thead tr ul video"
)
_TAG_NAMES = _INLINE.union(_OTHER_NAMES.split())
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=[\s/>])[^<>]*>")


def tag_edits(text: str, *, mark_superscripts: bool) -> Iterator[Edit]:
    """Edits that take the tags, comments and hidden elements out of an HTML text."""
    for markup in html_markup(text):
        name = markup.name
        if name in _SHOWN_RAW and not markup.closes:
            opened = text.find(">", markup.start, markup.end) + 1 or markup.end
            closing = text.rfind("</", opened, markup.end)
            yield markup.start, opened, " "
            if closing >= 0:
                yield closing, markup.end, " "
        else:
            new = " " if name in _HIDDEN else _in_place(name, markup.closes, mark_superscripts)
            yield markup.start, markup.end, new


def known_tag(source: str, *, mark_superscripts: bool) -> str | None:
    """What stands in place of a tag; None when `source` is no tag of HTML."""
    found = _TAG.fullmatch(source)
    if found is None or found[1].lower() not in _TAG_NAMES:
        return None
    return _in_place(found[1].lower(), source.startswith("</"), mark_superscripts)


def entity_edits(text: str) -> Iterator[Edit]:
    """Edits that put the characters in place of their entities."""
    for found in _ENTITY.finditer(text):
        shown = html.unescape(found.group())
        if shown != found.group():
            yield found.start(), found.end(), shown


def _in_place(name: str, closes: bool, mark_superscripts: bool) -> str:
    if name == "sup" and mark_superscripts:
        return SUP_CLOSES if closes else SUP_OPENS
    # Comments and declarations have no name.
    return "" if name in _INLINE or not name else " "
