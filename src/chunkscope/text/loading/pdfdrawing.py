"""Content of a PDF page without the operators that only draw: these give no text.

A chart may have a million lines, and each number in them costs as much to parse as a word. What
is left out are whole operations of lines, curves, fills and colours whose operands are numbers;
all else stays as it is, byte by byte, so that the same text comes out.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunkscope.cancel import CancelToken
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.pdfdamage import guarded

if TYPE_CHECKING:
    from pypdf import PageObject

HEAVY_BYTES = 500_000
"""Unpacked content from which drawing is left out; less than that is parsed soon enough."""

_SPACE = rb"[\t\n\f\r ]"
_NUMBER = rb"[-+]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)"
_STRING_0 = rb"\((?:[^()\\]|\\.)*+\)"
_STRING_1 = rb"\((?:[^()\\]|\\.|" + _STRING_0 + rb")*+\)"
_STRING = rb"\((?:[^()\\]|\\.|" + _STRING_1 + rb")*+\)"
_NAME = rb"/[^\s()<>\[\]{}/%\x00]*+"
_HEX = rb"<[0-9A-Fa-f\s]*+>"
_OPERAND = (
    rb"(?:"
    + _NUMBER
    + rb"(?![-+.0-9])|"
    + _NAME
    + rb"|"
    + _STRING
    + rb"|<<|>>|"
    + _HEX
    + rb"|[\[\]])"
)
_DRAWS = rb"re|RG|rg|SCN|scn|SC|sc|f\*|B\*|b\*|W\*|[mlcvyhSsfFBbnWwJjMigGkK]"
_SHOWS = re.compile(rb"(/[^\s()<>\[\]{}/%\x00]++)\s++Do(?![^\s()<>\[\]{}/%])")
_PACKING = frozenset({"/Length", "/Filter", "/DecodeParms", "/DL"})
_OPERATION = re.compile(
    rb"(?P<drawing>(?:(?:" + _NUMBER + _SPACE + rb"++)*+(?:" + _DRAWS + rb")(?:" + _SPACE
    + rb"++|\Z)){1,5000}+)"
    # A picture in the content: its bytes may look like anything.
    + rb"|BI(?=" + _SPACE + rb").*?" + _SPACE + rb"EI(?:" + _SPACE + rb"++|\Z)"
    + rb"|(?:" + _OPERAND + _SPACE + rb"*+)*+[A-Za-z'\"][^\s()<>\[\]{}/%\x00]*+" + _SPACE + rb"*+",
    re.DOTALL,
)  # fmt: skip


def without_drawing(data: bytes, cancel: CancelToken | None = None) -> bytes:
    """A content stream with nothing of it that only draws; as it is where not all is understood.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    kept: list[bytes] = []
    at = len(data) - len(data.lstrip(b"\t\n\f\r "))
    while at < len(data):
        if cancel is not None:
            cancel.check()
        match = _OPERATION.match(data, at)
        if match is None:
            return data
        if match["drawing"] is None:
            kept.append(match[0])
        at = match.end()
    return b"".join(kept)


class Drawing:
    """Leaves drawing out of the pages of one PDF, in memory only.

    A form is looked at once, however many pages show it.
    """

    def __init__(self, cancel: CancelToken | None = None) -> None:
        """`cancel` is looked at meanwhile."""
        self._cancel = cancel
        # By numbers of objects that are kept, so that no other gets the same.
        self._known: dict[tuple[int, str], Any] = {}
        self._light: dict[int, tuple[Any, Any]] = {}
        self._heavy = False

    def leave_out(self, page: "PageObject", data: bytes) -> bool:
        """Replace heavy content of a page, and of the forms that it shows.

        Args:
            page: the page.
            data: its content.

        Returns:
            Whether any of it, or a form of an earlier page, is heavy all the same.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        from pypdf.generic import DecodedStreamObject, NameObject

        if len(data) >= HEAVY_BYTES:
            data = without_drawing(data, self._cancel)
            stream = DecodedStreamObject()
            stream.set_data(data)
            page[NameObject("/Contents")] = stream
        showing: list[tuple[Any, bytes]] = [(page, data)]
        while showing:
            owner, content = showing.pop()
            for forms, name, form in self._shown(owner, content):
                try:
                    inner = guarded(form.get_data)
                except DecodeError:
                    # Whether it matters is found when text is taken from it.
                    continue
                if id(form) in self._light:
                    # One form, whoever names it: pypdf knows a circle of forms by this.
                    forms[NameObject(name)] = self._light[id(form)][1]
                    continue
                light: Any = form
                if len(inner) >= HEAVY_BYTES:
                    inner = without_drawing(inner, self._cancel)
                    light = DecodedStreamObject()
                    light.update({key: form[key] for key in form if key not in _PACKING})
                    light.set_data(inner)
                    forms[NameObject(name)] = light
                self._light[id(form)] = form, light
                self._heavy |= len(inner) >= HEAVY_BYTES
                showing.append((form, inner))
        return self._heavy or len(data) >= HEAVY_BYTES

    def _shown(self, owner: Any, content: bytes) -> Iterator[tuple[Any, str, Any]]:
        """The forms that content shows for the first time, with the dictionary that names them."""
        from pypdf.generic import DictionaryObject, StreamObject

        names = {name.decode("latin-1") for name in _SHOWS.findall(content)}
        resources = guarded(_entry, owner, "/Resources") if names else None
        forms = guarded(_entry, resources, "/XObject")
        if not isinstance(forms, DictionaryObject):
            return
        for name in sorted(names & forms.keys()):
            key = (id(forms), name)
            if key in self._known:
                continue
            self._known[key] = forms
            form = guarded(_entry, forms, name)
            if isinstance(form, StreamObject) and form.get("/Subtype") == "/Form":
                yield forms, name, form


def _entry(owner: Any, name: str) -> Any:
    """What a dictionary holds under a name; None where it is none, or holds nothing."""
    from pypdf.generic import DictionaryObject

    found = owner.get(name) if isinstance(owner, DictionaryObject) else None
    return None if found is None else found.get_object()
