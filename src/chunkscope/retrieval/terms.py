"""What a term is: a word that is no stop word, reduced to its stem.

Lexical retrievers count terms. Without stems and stop words a term is a word as it stands.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from chunkscope.errors import InputError
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.stopwords import stop_word_languages, stop_words_of
from chunkscope.retrieval.words import holds_bigram_script, tokenise

NONE = "none"

_SURROGATE = re.compile("[\ud800-\udfff]")

_REMEMBERED_WORDS = 200_000

_ARROW = " → "

Stemmer = Callable[[list[str]], list[str]]


@dataclass(frozen=True, slots=True)
class TermRule:
    """How words become terms.

    Attributes:
        stem: a language, or `none`: words stay as they are.
        stop_words: a language, or `none`: no word is left out.
    """

    stem: str = NONE
    stop_words: str = NONE

    @classmethod
    def of(cls, settings: RetrieverSettings) -> "TermRule":
        """The rule of a retriever's settings."""
        return cls(settings.stem, settings.stop_words)

    @property
    def plain(self) -> bool:
        """Whether every word is its own term."""
        return self.stem == NONE and self.stop_words == NONE


WORDS_AS_THEY_STAND = TermRule()


class TermMaker:
    """Turns words into terms; remembers the words it has seen. For one thread at a time.

    Stop words are compared casefolded, and left out before anything is stemmed. A word with a
    Han, Hiragana or Katakana character, or with half a surrogate pair, has no stem but itself.
    """

    def __init__(self, rule: TermRule) -> None:
        """A maker of terms by this rule.

        Raises:
            InputError: for a language that is not known.
        """
        check_term_rule(rule)
        self._stop_words: frozenset[str] = frozenset()
        if rule.stop_words != NONE:
            self._stop_words = stop_words_of(rule.stop_words)
        self._stem: Stemmer | None = None if rule.stem == NONE else _stemmer(rule.stem)
        self._known: dict[str, str | None] = {}

    def terms(self, words: Sequence[str]) -> list[str | None]:
        """The term of each word; None for a stop word."""
        known = self._known
        fresh = [word for word in dict.fromkeys(words) if word not in known]
        if fresh:
            if len(known) + len(fresh) > _REMEMBERED_WORDS:
                known.clear()
                fresh = list(dict.fromkeys(words))
            known.update(zip(fresh, self._made(fresh), strict=True))
        return [known[word] for word in words]

    def kept(self, words: Sequence[str]) -> list[str]:
        """The terms of the words that are no stop words, in order, repeats included."""
        return [term for term in self.terms(words) if term is not None]

    def _made(self, words: list[str]) -> list[str | None]:
        made: list[str | None] = [None if self._stops(word) else word for word in words]
        if self._stem is None:
            return made
        places = [at for at, word in enumerate(made) if word is not None and _has_stem(word)]
        for at, stem in zip(places, self._stem([words[at] for at in places]), strict=True):
            made[at] = stem
        return made

    def _stops(self, word: str) -> bool:
        return word.casefold().replace("’", "'") in self._stop_words


def terms_of(text: str, words: str, rule: TermRule) -> list[str]:
    """The terms of a text, in order, repeats included: the definition faster paths must equal.

    Args:
        text: the text.
        words: what a word is.
        rule: how words become terms.

    Raises:
        InputError: for a rule of words that cannot be used, or a language that is not known.
    """
    return TermMaker(rule).kept(tokenise(text, words))


def check_term_rule(rule: TermRule) -> None:
    """Refuse a language that is not known.

    Raises:
        InputError: naming the languages that are.
    """
    for name, value, languages in (
        ("stem", rule.stem, stem_languages),
        ("stop_words", rule.stop_words, stop_word_languages),
    ):
        if value != NONE and value not in (known := languages()):
            raise InputError(
                f"{name}: {value!r} is unknown; give none or one of {', '.join(known)}"
            )


def stem_languages() -> tuple[str, ...]:
    """Languages, and named algorithms, that `stem` knows."""
    import snowballstemmer

    return tuple(sorted(snowballstemmer.algorithms()))


def _stemmer(language: str) -> Stemmer:
    import snowballstemmer

    stem: Stemmer = snowballstemmer.stemmer(language).stemWords
    return stem


def _has_stem(word: str) -> bool:
    return word.isascii() or not (holds_bigram_script(word) or _SURROGATE.search(word))


def shown_terms(words: Iterable[str], terms: Iterable[str | None]) -> dict[str, str]:
    """How each term is shown: as the words it was made of, with the stem where it differs.

    Such as `run`, `running → run`, or `ran, runs → run`; stop words have no term.
    """
    spelled: dict[str, dict[str, None]] = {}
    for word, term in zip(words, terms, strict=True):
        if term is not None:
            spelled.setdefault(term, {})[word] = None
    return {
        term: term if list(made_of) == [term] else f"{', '.join(made_of)}{_ARROW}{term}"
        for term, made_of in spelled.items()
    }


def words_behind(shown: str) -> tuple[str, ...]:
    """The words behind a term that is shown as `shown_terms` gives it."""
    made_of, arrow, _ = shown.rpartition(_ARROW)
    return tuple(made_of.split(", ")) if arrow else (shown,)
