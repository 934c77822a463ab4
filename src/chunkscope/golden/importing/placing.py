"""Imported questions placed in the documents: every piece of evidence with its offsets."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.golden.asking import find_everywhere
from chunkscope.golden.importing.drafts import Draft, DraftEvidence, Source
from chunkscope.golden.locating import Progress, locate
from chunkscope.golden.model import Evidence, GoldenSet, LocatedEvidence, Place, Question
from chunkscope.text.document import Corpus

_ABSOLUTE = re.compile(r"/|[a-z]:/")


@dataclass(frozen=True)
class Lost:
    """A piece of evidence that was found nowhere.

    Attributes:
        where: file and row it came from.
        question_id: its question's id in the golden set.
        message: one sentence.
    """

    where: str
    question_id: str
    message: str


@dataclass(frozen=True)
class Imported:
    """A golden set made of another tool's questions.

    Attributes:
        golden: the questions; evidence found once has offsets and the document's own text.
        lost: evidence that was found nowhere; it stands in the set without offsets.
        ambiguous: pieces of evidence found several times, in one document or in several, any
            place of which serves.
        drifted: pieces whose offsets held other text, so that they were located anew.
        loose: pieces that were found in a looser tier than letter by letter.
        warnings: what a person should know of the set.
    """

    golden: GoldenSet
    lost: tuple[Lost, ...]
    ambiguous: int
    drifted: int
    loose: int
    warnings: tuple[str, ...]


def place(
    source: Source,
    corpus: Corpus,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> Imported:
    """The questions of `source` with their evidence placed in `corpus`.

    Raises:
        InputError: when offsets are given without text and lie beyond the document's end, or
            the corpus is empty.
        CancelledError: when `cancel` was raised meanwhile.
    """
    if not corpus.documents:
        raise InputError("corpus: no documents; give the documents the questions are about")
    placing = _Placing(source, corpus, cancel)
    drafts = [placing.spread(draft) for draft in source.drafts]
    questions = [placing.question(number, draft) for number, draft in enumerate(drafts)]
    located = locate(GoldenSet(tuple(questions)), corpus, progress, cancel)
    made: list[Question] = []
    lost: list[Lost] = []
    found: list[LocatedEvidence] = []
    ambiguous = 0
    for draft, given, one in zip(drafts, source.drafts, located, strict=True):
        groups = list(_groups(one.items))
        found.extend(item for group in groups for item in group if item.places)
        evidence: list[Evidence] = []
        for piece, asked in zip(draft.evidence, given.evidence, strict=True):
            own = [groups.pop(0) for _ in range(1 + len(piece.alternatives))]
            several = any(item.ambiguous for group in own for item in group)
            ambiguous += several or len(piece.alternatives) > len(asked.alternatives)
            pieces, message = _settled(own, one.question.doc, corpus)
            if message and placing.is_anywhere(draft, piece):
                message = "found in no document; the golden set keeps it without offsets"
            evidence.extend(pieces)
            if message:
                lost.append(Lost(draft.where, one.question.id, message))
        made.append(replace(one.question, evidence=tuple(evidence)))
    return Imported(
        GoldenSet(tuple(made)),
        tuple(lost),
        ambiguous=ambiguous,
        drifted=sum(item.drifted for item in found),
        loose=sum(item.places[0].tier not in ("given", "exact") for item in found),
        warnings=source.warnings,
    )


class _Placing:
    """Names of documents, and where texts without a document stand."""

    def __init__(self, source: Source, corpus: Corpus, cancel: CancelToken | None) -> None:
        self._source = source
        self._corpus = corpus
        self._names = _names(corpus)
        self._ids: dict[str, int] = {}
        self._taken = {draft.id for draft in source.drafts if draft.id}
        sought: dict[str, None] = {}
        for draft in source.drafts:
            for piece in _pieces(draft):
                if piece.within is not None:
                    sought[piece.within] = None
                elif piece.text is not None and self.is_anywhere(draft, piece):
                    sought[piece.text] = None
        self._found = find_everywhere(list(sought), corpus, cancel) if sought else {}

    def spread(self, draft: Draft) -> Draft:
        """The draft with a document for every text that had none.

        Found in several, a text takes the one that holds most of the question's evidence; in the
        others it is an alternative.
        """
        holders = {
            piece.text: [place.doc for place in self._found[piece.text]]
            for piece in draft.evidence
            if self.is_anywhere(draft, piece) and piece.text in self._found
        }
        counts = Counter(doc for docs in holders.values() for doc in dict.fromkeys(docs))
        made = []
        for piece in draft.evidence:
            docs = list(dict.fromkeys(holders.get(piece.text or "", ())))
            if docs and self.is_anywhere(draft, piece):
                docs.sort(key=lambda doc: -counts[doc])
                own, *others = [replace(piece, doc=doc, alternatives=()) for doc in docs]
                made.append(replace(own, alternatives=(*others, *piece.alternatives)))
            else:
                made.append(piece)
        return replace(draft, evidence=tuple(made))

    def is_anywhere(self, draft: Draft, piece: DraftEvidence) -> bool:
        """Whether a piece's text may stand in any document."""
        return piece.text is not None and piece.within is None and self._named(draft, piece) is None

    def question(self, number: int, draft: Draft) -> Question:
        """The question, every alternative a piece of evidence of its own for now."""
        placed = [self._evidence(draft, piece) for piece in _pieces(draft)]
        home = self._named(draft, None)
        home = home or next((doc for _evidence, doc in placed if doc), None)
        home = home or draft.doc or self._corpus.documents[0].id
        evidence = tuple(
            replace(piece, doc=doc if doc and doc != home else None) for piece, doc in placed
        )
        identity = self._free_id(draft.id or f"{self._source.format}-{number}")
        return Question(identity, draft.question, home, evidence, draft.answer, draft.type)

    def _evidence(self, draft: Draft, piece: DraftEvidence) -> tuple[Evidence, str | None]:
        named = self._named(draft, piece)
        if piece.within is not None:
            return self._inside(piece, piece.within, named)
        if piece.text is not None:
            places = self._found.get(piece.text, []) if named is None else []
            doc = places[0].doc if places else named
            return Evidence(piece.text, piece.start, piece.end), doc
        position = None if named is None else self._corpus.position(named)
        if position is None:
            raise InputError(
                f"{draft.where}: document {piece.doc or draft.doc!r} is not in the corpus, and "
                "nothing but offsets says what stands there; add the document"
            )
        text = self._corpus.documents[position].text[piece.start : piece.end]
        if piece.start is None or piece.end is None or len(text) != piece.end - piece.start:
            raise InputError(
                f"{draft.where}: offsets {piece.start}–{piece.end} lie beyond the end of "
                f"{named!r}; correct them or the document"
            )
        return Evidence(text, piece.start, piece.end), named

    def _inside(
        self, piece: DraftEvidence, within: str, named: str | None
    ) -> tuple[Evidence, str | None]:
        text = piece.text or ""
        places = self._found.get(within, [])
        here = next((one for one in places if one.doc == named), places[0] if places else None)
        if here is None:
            return Evidence(text), named
        if here.tier != "exact" or piece.start is None or piece.end is None:
            return Evidence(text), here.doc
        start = here.span.start + piece.start
        return Evidence(text, start, start + piece.end - piece.start), here.doc

    def _named(self, draft: Draft, piece: DraftEvidence | None) -> str | None:
        """The document's id; of a name that has to be known and is not, the name itself."""
        name = piece.doc if piece is not None and piece.doc else draft.doc
        if name is None:
            return None
        if self._corpus.position(name) is not None:
            return name
        known = self._names.get(_plain(name))
        if known is None and piece is not None and piece.text is not None:
            # A path of another machine; the text says whether its end names the right document.
            known = next((self._names[end] for end in _ends(name) if end in self._names), None)
        return known or (name if draft.surely else None)

    def _free_id(self, identity: str) -> str:
        count = self._ids.get(identity, 0) + 1
        self._ids[identity] = count
        if count == 1:
            return identity
        free = f"{identity}-{count}"
        return self._free_id(free) if free in self._taken or free in self._ids else free


def _pieces(draft: Draft) -> Iterator[DraftEvidence]:
    for piece in draft.evidence:
        yield piece
        yield from piece.alternatives


def _names(corpus: Corpus) -> Mapping[str, str]:
    """Ids by what they may be called: whole, by file name, and either without its ending."""
    found: dict[str, str | None] = {}
    for forms in (_whole, _without_ending, _file, _bare_file):
        level: dict[str, str | None] = {}
        for document in corpus.documents:
            name = forms(_plain(document.id))
            level[name] = None if name in level else document.id
        found = {**level, **found}
    return {name: identity for name, identity in found.items() if identity is not None}


def _plain(name: str) -> str:
    return name.replace("\\", "/").removeprefix("./").casefold()


def _ends(name: str) -> Iterator[str]:
    """What an absolute path ends with, longest first."""
    plain = _plain(name)
    if _ABSOLUTE.match(plain):
        parts = plain.split("/")[1:]
        yield from ("/".join(parts[first:]) for first in range(len(parts)))


def _whole(name: str) -> str:
    return name


def _without_ending(name: str) -> str:
    folder, slash, file = name.rpartition("/")
    return folder + slash + (file.rpartition(".")[0] or file)


def _file(name: str) -> str:
    return name.rpartition("/")[2]


def _bare_file(name: str) -> str:
    return _without_ending(_file(name))


def _groups(items: Sequence[LocatedEvidence]) -> Iterator[list[LocatedEvidence]]:
    """Located evidence by the piece it belongs to: the parts around an ellipsis together."""
    group: list[LocatedEvidence] = []
    for item in items:
        if item.part < 2 and group:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _settled(
    groups: Sequence[list[LocatedEvidence]], home: str, corpus: Corpus
) -> tuple[list[Evidence], str]:
    """Evidence with its offsets, and what to say when no alternative was found."""
    found = [group for group in groups if group[0].places]
    if not found:
        missing = groups[0][0]
        own = missing.evidence.doc or home
        message = missing.note or f"not found in {own!r}; the golden set keeps it without offsets"
        return [replace(missing.evidence, start=None, end=None)], message
    if len(found[0]) > 1:
        return [_filled(item, home, corpus) for item in found[0]], ""
    first, *others = [_filled(group[0], home, corpus) for group in found if len(group) == 1]
    served = {(first.doc, first.start, first.text)}
    unlike: list[Evidence] = []
    for other in others:
        key = (other.doc, other.start, other.text)
        if key not in served:
            served.add(key)
            # An alternative without a document of its own is one of its item's.
            unlike.append(replace(other, doc=home) if first.doc and not other.doc else other)
    return [replace(first, alternatives=tuple(unlike))], ""


def _filled(item: LocatedEvidence, home: str, corpus: Corpus) -> Evidence:
    places: tuple[Place, ...] = item.places
    doc = None if places[0].doc == home else places[0].doc
    if len(places) > 1:
        return Evidence(item.evidence.text, doc=doc)
    position = corpus.position(places[0].doc)
    text = "" if position is None else corpus.documents[position].text
    start, end = places[0].span
    return Evidence(text[start:end], start, end, doc)
