"""What users ask, to hold a golden set against: kinds of question, and how long they are."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from chunkscope.errors import InputError
from chunkscope.golden.importing.records import read_records, read_text
from chunkscope.golden.model import Question
from chunkscope.golden.suspects import words_of

FEWEST = 20
"""Questions on each side below which shares say nothing."""

_APART, _DEVIATIONS = 0.1, 2.0
_LONGER = 1.5
_OPENERS = ("how many", "how much", "how", "what", "when", "where", "which", "who", "why")
_YES_OR_NO = frozenset(
    ("am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "must",
     "shall", "should", "was", "were", "will", "would")
)  # fmt: skip
_LEAD = re.compile(
    r"[^\w]*(?:(?:and|but|so|please|hi|hello|hey|about|after|at|before|between|by|during|for|from|"
    r"in|into|of|on|per|through|to|under|until|up|with|within)\b[^\w]*)*"
)
_ENDS = ("?", "？", "؟")
_FIELDS = ("question", "query", "user_input", "text")


@dataclass(frozen=True)
class Asked:
    """One question of a user.

    Attributes:
        text: what was asked.
        type: its label, if the file gives one.
    """

    text: str
    type: str | None = None


@dataclass(frozen=True)
class Share:
    """One kind of question in the golden set and among what users ask.

    Attributes:
        kind: a label (`type`), or a form such as `how many`, `yes or no` or `keywords`.
        golden: its share of the golden questions.
        users: its share of the users' questions.
        apart: they differ by a tenth and beyond chance.
    """

    kind: str
    golden: float
    users: float
    apart: bool


@dataclass(frozen=True)
class Balance:
    """A golden set held against what users ask.

    Attributes:
        asked: users' questions read.
        by: what kinds are told by: `type`, or `form` where the users' questions have no label.
        shares: by kind, what users ask most first.
        golden_words: median words of a golden question.
        users_words: median words of a user's question.
    """

    asked: int
    by: str
    shares: tuple[Share, ...]
    golden_words: float
    users_words: float

    @property
    def longer(self) -> bool:
        """Whether the lengths are far apart."""
        low, high = sorted((self.golden_words, self.users_words))
        return high > _LONGER * low


def form_of(question: str) -> str:
    """What kind of question it is by its opening words; they are told in English alone.

    One of `how many`, `how much`, `how`, `what`, `when`, `where`, `which`, `who`, `why`,
    `yes or no`, `other question` (it ends with a question mark) and `keywords`.
    """
    text = question.casefold().strip()
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    words = re.findall(r"\w+", text)
    opening = " ".join(words[:2])
    for opener in _OPENERS:
        if opening == opener or (words and words[0] == opener):
            return opener
    if words and words[0] in _YES_OR_NO:
        return "yes or no"
    return "other question" if question.rstrip("\"'”’)» ").endswith(_ENDS) else "keywords"


def read_asked(path: Path) -> tuple[Asked, ...]:
    """Users' questions: one a line, or the field question, query, user_input or text of records.

    Records are the rows of CSV, TSV and Parquet files, of JSON Lines and of a JSON list; their
    field `type` is kept. Blank lines are left out.

    Raises:
        InputError: when the file cannot be read or holds no question.
    """
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"):
        found = [
            Asked(record.text(*_FIELDS), record.maybe_text("type")) for record in read_records(path)
        ]
    else:
        found = [Asked(line.strip()) for line in read_text(path).split("\n") if line.strip()]
    if not found:
        raise InputError(f"{path}: holds no question; give what users asked, one a line")
    return tuple(found)


def balance(questions: Sequence[Question], asked: Sequence[Asked]) -> Balance:
    """How the golden questions compare with what users ask."""
    typed = [one for one in asked if one.type is not None]
    by_type = bool(typed)
    if by_type:
        golden = Counter(one.type or "no type" for one in questions)
        users = Counter(one.type or "no type" for one in asked)
    else:
        golden = Counter(form_of(one.question) for one in questions)
        users = Counter(form_of(one.text) for one in asked)
    kinds = sorted({*golden, *users}, key=lambda kind: (-users[kind], -golden[kind], kind))
    return Balance(
        len(asked),
        "type" if by_type else "form",
        tuple(_share(kind, golden, users) for kind in kinds),
        _median([len(words_of(one.question)) for one in questions]),
        _median([len(words_of(one.text)) for one in asked]),
    )


def _share(kind: str, golden: Mapping[str, int], users: Mapping[str, int]) -> Share:
    here, there = sum(golden.values()), sum(users.values())
    own, other = golden.get(kind, 0), users.get(kind, 0)
    first, second = own / here if here else 0.0, other / there if there else 0.0
    apart = False
    if min(here, there) >= FEWEST:
        pooled = (own + other) / (here + there)
        error = (pooled * (1 - pooled) * (1 / here + 1 / there)) ** 0.5
        apart = abs(first - second) >= max(_APART, _DEVIATIONS * error)
    return Share(kind, first, second, apart)


def _median(lengths: list[int]) -> float:
    return float(median(lengths)) if lengths else 0.0


def said_of_balance(found: Balance) -> list[str]:
    """What a person should know of it, one sentence each."""
    said = [
        f"{one.kind}: {one.golden:.0%} of the golden questions, {one.users:.0%} of what users ask; "
        + (
            "write more of these"
            if one.users > one.golden
            else "write fewer, or more of the others"
        )
        for one in found.shares
        if one.apart
    ]
    if found.longer:
        said.append(
            f"a golden question has {found.golden_words:g} words, a user's {found.users_words:g} "
            "(medians); write questions as long as users' are"
        )
    return said
