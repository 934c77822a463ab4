"""A quick no for texts that stand in no document, however loosely they are looked for.

Looser tiers fold white space, typography, hyphens and markup; letters and digits they leave in
their order. A text whose letters and digits do not stand in a document in that order, as it is
or as it is shown, need not be looked for there.
"""

import re
import unicodedata
from collections.abc import Iterable

from chunkscope.cancel import CancelToken
from chunkscope.golden.rendering import shown_document, shown_evidence
from chunkscope.text.document import Corpus

_OTHER = re.compile(r"[\W_]+")


class Letters:
    """The letters and digits of every document, as it is and as it is shown."""

    def __init__(self, corpus: Corpus, cancel: CancelToken | None = None) -> None:
        """Fold every document once; linear in the corpus.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        folded: dict[str, None] = {}
        for document in corpus.documents:
            if cancel is not None:
                cancel.check()
            folded[_letters(document.text)] = None
            for citations in (False, True):
                shown = shown_document(document.text, document.id, citations=citations)
                folded[_letters(shown.text.text)] = None
        self._folded = tuple(folded)

    def may_hold(self, text: str) -> bool:
        """Whether the text may stand somewhere; False is certain."""
        forms: Iterable[str] = (
            form
            for citations in (False, True)
            for form in shown_evidence(text, citations=citations)
        )
        wanted = {_letters(form) for form in (text, *forms)}
        return any(one in folded for one in wanted for folded in self._folded)


def _letters(text: str) -> str:
    return _OTHER.sub("", unicodedata.normalize("NFKC", text).casefold())
