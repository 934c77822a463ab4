"""What to say of a document id that is not in the corpus."""

import difflib
import json
from functools import cached_property

from chunkscope.text.document import Corpus

_CLOSE_LIMIT = 2_000
"""Documents up to which ids are compared letter by letter; beyond, by file name alone."""


class DocumentNames:
    """A corpus's ids, to explain one that is missing; each is explained once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._explained: dict[str, str] = {}

    def explain(self, document_id: str) -> str:
        """One sentence: the id is not in the corpus, and what was probably meant."""
        if document_id not in self._explained:
            self._explained[document_id] = self._sentence(document_id)
        return self._explained[document_id]

    def close(self, document_id: str) -> list[str]:
        """Up to three ids of the corpus that resemble this one, best first."""
        same_name = self._by_name.get(_name(document_id), [])[:3]
        if same_name or len(self._corpus.documents) > _CLOSE_LIMIT:
            return same_name
        ids = [document.id for document in self._corpus.documents]
        return difflib.get_close_matches(document_id, ids, n=3, cutoff=0.6)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for document in self._corpus.documents:
            names.setdefault(_name(document.id), []).append(document.id)
        return names

    @cached_property
    def _skipped(self) -> dict[str, tuple[str, str]]:
        return {_name(skipped.path): (skipped.path, skipped.reason)
                for skipped in reversed(self._corpus.skipped)}  # fmt: skip

    def _sentence(self, document_id: str) -> str:
        shown = json.dumps(document_id, ensure_ascii=False)
        sentence = f"document {shown} is not in the corpus"
        close = self.close(document_id)
        if close:
            offered = " or ".join(json.dumps(name, ensure_ascii=False) for name in close)
            return f"{sentence}; did you mean {offered}?"
        if _name(document_id) in self._skipped:
            path, reason = self._skipped[_name(document_id)]
            return f"{sentence}: {path} was skipped ({reason})"
        return f"{sentence}; ids are paths relative to the corpus's root"


def _name(document_id: str) -> str:
    return document_id.replace("\\", "/").rpartition("/")[2].casefold()
