"""Documents and evidence as they are shown, without their markup or their citation marks."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunkscope.golden.mapped import Mapped, edited, unchanged
from chunkscope.golden.rendering_html import SUP_CLOSES, SUP_OPENS, entity_edits, tag_edits
from chunkscope.golden.rendering_markdown import markdown_edits, without_pipes
from chunkscope.text.spans import Span

_HTML_NAMES = (".html", ".htm", ".xhtml")
_HTML_HEAD = re.compile(r"\ufeff?\s*<(?:!doctype\s+html|html)(?=[\s>])", re.IGNORECASE)
_TAG_OR_ENTITY = re.compile(r"</?[A-Za-z][^<>]*>|&#?\w{2,32};")
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,3}[.)][ \t]+")

_NUMBERS = r"[1-9]\d{0,2}(?:[ \u00a0]?[,;\u2013-][ \u00a0]?[1-9]\d{0,2})*"
_BRACKET = (
    rf"\[(?:{_NUMBERS}|[a-z]|\^[^\[\]\s]{{1,60}}|(?:note|nb)[ \u00a0]\d{{1,3}}|citation needed)\]"
)
_MARK = re.compile(
    rf"{_BRACKET}(?:[ \u00a0]?{_BRACKET})*"
    r"|[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*[⁰¹²³⁴⁵⁶⁷⁸⁹])?"
    rf"|{SUP_OPENS}[^{SUP_OPENS}{SUP_CLOSES}]{{1,20}}{SUP_CLOSES}"
)
# A mark follows a word or the end of a sentence: an index such as a[1] and a unit such as m²
# are no citations.
_BEFORE_MARK = re.compile(r"(?:[^\W\d_]{3}|[.,;:!?)\]”’\"'»…])\Z")
_HINT = re.compile(r"\[[\^a-z1-9]|[⁰¹²³⁴⁵⁶⁷⁸⁹]|<sup", re.IGNORECASE)
_SUP_MARK = re.compile(f"[{SUP_OPENS}{SUP_CLOSES}]")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SIGN = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Shown:
    """A document as it is shown.

    Attributes:
        text: what is shown, mapped to the source.
        marks: where in the source each citation mark that was left out begins, ascending.
        signs: the signs of each of those marks.
    """

    text: Mapped
    marks: Sequence[int] = ()
    signs: Sequence[tuple[str, ...]] = ()

    def signs_in(self, span: Span) -> tuple[str, ...]:
        """The signs of all marks in a range of the source."""
        first, last = bisect_left(self.marks, span.start), bisect_left(self.marks, span.end)
        return tuple(sign for signs in self.signs[first:last] for sign in signs)


def is_html(text: str, document_id: str) -> bool:
    """Whether a document is HTML, by its id's ending or its first tag."""
    return document_id.lower().endswith(_HTML_NAMES) or _HTML_HEAD.match(text) is not None


def shown_document(text: str, document_id: str, *, citations: bool = False) -> Shown:
    """A document as it is shown; with `citations` also without its citation marks.

    HTML by its id's ending or its first tag; everything else is read as Markdown, which leaves
    plain text nearly as it is.
    """
    shown = _html(text, citations) if is_html(text, document_id) else _markdown(text, citations)
    if not citations:
        return Shown(shown)
    found = list(_citations(shown.text))
    marks = [int(shown.starts[start]) for start, _end in found]
    signs = [_signs(shown.text[start:end]) for start, end in found]
    return Shown(_without_citations(shown), marks, signs)


def shown_evidence(text: str, *, citations: bool = False) -> Iterator[str]:
    """What a text may have been copied from, likeliest first: itself, and itself as markup."""
    forms = [unchanged(text), _markdown(text, citations)]
    if _TAG_OR_ENTITY.search(text):
        forms.append(_html(text, citations))
    texts = [(_without_citations(form) if citations else form).text for form in forms]
    if "|" in text:
        texts.append(without_pipes(texts[1]))
    if len(_LIST_NUMBER.findall(text)) > 1:
        texts.append(_LIST_NUMBER.sub("", texts[1]))
    yield from dict.fromkeys(texts)


def citation_signs(text: str) -> tuple[str, ...]:
    """The signs of the citation marks in a text as written: numbers, letters, words."""
    return tuple(sign for start, end in _citations(text) for sign in _signs(text[start:end]))


def may_cite(text: str) -> bool:
    """Whether anything in a text looks like a citation mark; if not, none is left out of it."""
    return _HINT.search(text) is not None


def _citations(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of the citation marks in a text, the space before a bracket included."""
    for found in _MARK.finditer(text):
        start, end = found.span()
        if text[start] == "[" and text[start - 1 : start] in (" ", "\u00a0"):
            start -= 1
        if _BEFORE_MARK.search(text[max(0, start - 3) : start]):
            yield start, end


def _signs(mark: str) -> tuple[str, ...]:
    return tuple(_SIGN.findall(mark.translate(_DIGITS)))


def _html(text: str, mark_superscripts: bool) -> Mapped:
    without_tags = edited(unchanged(text), tag_edits(text, mark_superscripts=mark_superscripts))
    return edited(without_tags, entity_edits(without_tags.text))


def _markdown(text: str, mark_superscripts: bool) -> Mapped:
    return edited(unchanged(text), markdown_edits(text, mark_superscripts=mark_superscripts))


def _without_citations(shown: Mapped) -> Mapped:
    kept = edited(shown, ((start, end, "") for start, end in _citations(shown.text)))
    return edited(kept, ((at.start(), at.end(), "") for at in _SUP_MARK.finditer(kept.text)))
