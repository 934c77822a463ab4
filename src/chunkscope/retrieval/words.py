"""What a word is: the plain definition that every faster path has to equal.

Three rules: `unicode`, `whitespace`, or a regular expression applied to the casefolded text.
"""

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache

from chunkscope.errors import InputError

# Script property Han, Hiragana or Katakana (Unicode 15), with the marks that lengthen or repeat
# kana. Characters in these ranges that are no letters never reach them: `\w` leaves them out.
_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096"
    "\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00016fe2-\U00016ff1\U0001aff0-\U0001b16f"
    "\U00020000-\U000323af"
)
_RUN = re.compile(r"\w+")

# One character class, greedily repeated at least n times: its matches are exactly the maximal
# runs of at least n members, so a cut can only shorten the run it falls into.
_ONE_CLASS = re.compile(
    r"(?P<atom>\\[wWsSdD]|\.|\[\^?\]?(?:[^\]\\]|\\.)*\])(?:\+|\{(?P<least>[1-9][0-9]{0,4}),\})",
    re.DOTALL,
)
_SAME_AS = {
    r"\b\w+\b": r"\w+",
    r"\w\w+": r"\w{2,}",
    r"\b\w\w+\b": r"\w{2,}",
    r"(?u)\b\w\w+\b": r"\w{2,}",
}
"""Patterns in wide use with the one-class pattern that finds the same words."""

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class WordRule:
    """A rule taken apart.

    Attributes:
        rule: as it was given.
        pattern: finds the words in the (folded) text; for `unicode` the runs.
        fold: the text is casefolded first.
        bigrams: Han, Hiragana and Katakana stretches give bigrams.
        atom: one member of the single character class the pattern repeats, or None: the
            pattern is not provably local, and each chunk has to be tokenised by itself.
        least: shortest run that is a word, in characters.
    """

    rule: str
    pattern: re.Pattern[str]
    fold: bool
    bigrams: bool
    atom: re.Pattern[str] | None
    least: int = 1

    def prepared(self, text: str) -> str:
        """The text that the pattern is applied to."""
        return text.casefold() if self.fold else text

    def kind(self, character: str) -> int:
        """0: in no word; 1: in a word; 2: in a stretch that gives bigrams."""
        if self.atom is None or self.atom.match(character) is None:
            return 0
        return 2 if self.bigrams and holds_bigram_script(character) else 1


@lru_cache(maxsize=64)
def parse_rule(rule: str) -> WordRule:
    """The rule taken apart.

    Raises:
        InputError: for a pattern that is empty, does not compile or has a capturing group.
    """
    if rule == "unicode":
        return WordRule(rule, _RUN, fold=True, bigrams=True, atom=re.compile(r"\w"))
    if rule == "whitespace":
        # `\S` and `str.split` ask the same question of a character.
        return WordRule(rule, re.compile(r"\S+"), fold=False, bigrams=False, atom=re.compile(r"\S"))
    pattern = _compiled(rule)
    one_class = _ONE_CLASS.fullmatch(_SAME_AS.get(rule, rule))
    if one_class is None:
        return WordRule(rule, pattern, fold=True, bigrams=False, atom=None)
    atom = _quietly_compiled(one_class["atom"])
    least = int(one_class["least"] or 1)
    return WordRule(rule, pattern, fold=True, bigrams=False, atom=atom, least=least)


def _compiled(rule: str) -> re.Pattern[str]:
    if not rule:
        raise InputError("words: the pattern is empty; give unicode, whitespace or a pattern")
    try:
        pattern = _quietly_compiled(rule)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        place = (
            f" at position {error.pos}"
            if isinstance(error, re.error) and error.pos is not None
            else ""
        )
        reason = error.msg if isinstance(error, re.error) else str(error)
        raise InputError(
            f"words: {rule!r} is not a regular expression ({reason}{place}); "
            "give unicode, whitespace or a valid pattern"
        ) from None
    if pattern.groups:
        raise InputError(
            f"words: {rule!r} has a capturing group; write (?:…) in place of (…), "
            "the whole match is the word"
        )
    return pattern


def _quietly_compiled(pattern: str) -> re.Pattern[str]:
    # Python warns of brackets inside a class, on standard error: no place for it here.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern)


def holds_bigram_script(word: str) -> bool:
    """Whether a word has a Han, Hiragana or Katakana character."""
    return not word.isascii() and _cjk().search(word) is not None


@lru_cache(maxsize=1)
def _cjk() -> re.Pattern[str]:
    # Compiled where it is first needed: its many ranges take longer than all of this module.
    return re.compile(f"[{_CJK}]+")


def _parts(run: str) -> list[str]:
    """The words of a run: bigrams of its bigram stretches, and what is between them."""
    if run.isascii():
        return [run]
    words: list[str] = []
    end = 0
    for stretch in _cjk().finditer(run):
        start = stretch.start()
        if end < start:
            words.append(run[end:start])
        end = stretch.end()
        if end - start == 1:
            words.append(run[start])
        else:
            words += [run[at : at + 2] for at in range(start, end - 1)]
    if end < len(run):
        words.append(run[end:])
    return words


def check_word_rule(rule: str) -> None:
    """Refuse a rule that cannot be used.

    Raises:
        InputError: for a pattern that is empty, does not compile or has a capturing group.
    """
    parse_rule(rule)


def is_local(rule: str) -> bool:
    """Whether a cut is proved to touch no word but the one it falls into.

    Then word positions of the whole text serve every chunk; else each chunk is tokenised.

    Raises:
        InputError: as `check_word_rule`.
    """
    return parse_rule(rule).atom is not None


def tokenise(text: str, rule: str) -> list[str]:
    r"""The words of a text, in order, repeats included.

    `unicode`: casefolded runs of `\w`; inside a run each stretch of Han, Hiragana or Katakana
    of n >= 2 characters gives its n - 1 bigrams, of one character itself, and each stretch
    between them is one word. `whitespace`: `str.split`, case kept. Else the non-empty matches
    of the pattern in the casefolded text. A leading U+FEFF is no part of any word.

    Raises:
        InputError: as `check_word_rule`.
    """
    parsed = parse_rule(rule)
    folded = parsed.prepared(text.removeprefix(_BYTE_ORDER_MARK))
    if rule == "whitespace":
        return folded.split()
    if not parsed.bigrams:
        return [match.group() for match in parsed.pattern.finditer(folded) if match.group()]
    return [word for run in parsed.pattern.findall(folded) for word in _parts(run)]
