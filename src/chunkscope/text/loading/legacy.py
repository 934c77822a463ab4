"""Which legacy encoding a text was written in.

The encoding whose letters fit a language best is taken; of several that fit alike, the one that
charset-normalizer finds most readable.
"""

import codecs
import re
from collections.abc import Iterable
from typing import Protocol

_CANDIDATES = (
    "cp1252",
    "cp1250",
    "cp1251",
    "shift_jis",
    "cp932",
    "gb18030",
    "big5",
    "cp950",
    "euc_kr",
    "cp949",
    "euc_jp",
    "koi8_r",
    "koi8_u",
    "iso8859_2",
    "cp1253",
    "iso8859_7",
    "cp1254",
    "cp1255",
    "iso8859_8",
    "cp1256",
    "iso8859_6",
    "cp1257",
    "iso8859_13",
    "cp1258",
    "cp874",
    "iso8859_15",
    "iso8859_5",
    "cp866",
    "mac_roman",
    "mac_cyrillic",
    "cp850",
    "cp852",
    "cp437",
    "latin_1",
)

# The letters beyond ASCII that a language is written with, one language a line, lower case.
_ALPHABETS = """
äöüß
éèêëàâçîïôùûœæÿ
áéíóúñüªº
ãõáéíóúâêôàçªº
àèéìòù
åäöé
æøåé
ëïéèöü
ðþáéíóúýæö
àçèéíïòóúü
ąćęłńóśźż
áčďéěíňóřšťúůýž
áäčďéíĺľňóôŕšťúýž
áéíóöőúüű
ăâîșşțţ
čćžšđ
çğıöşüâî
ąčęėįšųūž
āčēģīķļņšūž
õäöüšž
ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ
абвгдеёжзийклмнопрстуфхцчшщъыьэюя
абвгґдеєжзиіїйклмнопрстуфхцчшщьюя
абвгдеёжзійклмнопрстуўфхцчшыьэюя
абвгдђежзијклљмнњопрстћуфхцчџш
абвгдѓежзѕијклљмнњопрстќуфхцчџш
αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ
אבגדהוזחטיךכלםמןנסעףפץצקרשת
ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي
ءآئابپتثجچحخدذرزژسشصضطظعغفقکگلمنهوی
"""
_LANGUAGES = tuple(
    frozenset(letters + letters.upper() + ("İ" if "ı" in letters else ""))
    for letters in _ALPHABETS.split()
)

# The letters that make up most of a text in Cyrillic or Arabic script.
_FREQUENT = frozenset("оеаинтсрвлкмдпуя" + "оеаинтсрвлкмдпуя".upper() + "اليمونربتعدسفهكقةى")

# Signs that Western text puts beside words, or between them, but not inside.
_SIGNS = frozenset("“”„‘’‚‹›«»–—…•·€£§©®™°±×÷½¼¾¿¡µ²³\u00a0\u00ad№")
_APOSTROPHES = frozenset("’\u00ad·")

# The first level of a national set holds the characters in daily use, by their first byte.
_DAILY = {
    "gb18030": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "cp950": ("big5", 0xA4, 0xC6),
    "shift_jis": ("shift_jis", 0x88, 0x97),
    "cp932": ("shift_jis", 0x88, 0x97),
    "euc_jp": ("shift_jis", 0x88, 0x97),
    "euc_kr": ("euc_kr", 0xB0, 0xC8),
    "cp949": ("euc_kr", 0xB0, 0xC8),
}
_JAPANESE = ("shift_jis", "cp932", "euc_jp")

# charset-normalizer refuses a text for a NUL in it.
_CONTROLS_AS_SPACES = bytes(
    byte if byte in b"\t\n\r" or byte > 0x1F else 0x20 for byte in range(256)
)
_HIGH = re.compile(rb"[\x80-\xff]")
_WINDOWS = re.compile(rb"[\x80-\x9f]")
# In all of these encodings a byte below 0x30 is a character of its own, and so is a byte of ASCII
# after another one.
_SAFE_CUT = re.compile(rb"[\x00-\x2f]|(?<=[\x00-\x7f])[\x00-\x7f]")
_WINDOW = 4096
_SAMPLE = 32768
_ENOUGH = 2000
_JUDGED = 5000


class Stretches(Protocol):
    """Bytes that are looked at in places."""

    def next_high(self, position: int) -> int | None:
        """Place of the first byte beyond ASCII at or behind `position`."""

    def read(self, start: int, end: int) -> bytes:
        """The bytes of a stretch; fewer where they end before."""


class _Held:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def next_high(self, position: int) -> int | None:
        match = _HIGH.search(self._data, position)
        return None if match is None else match.start()

    def read(self, start: int, end: int) -> bytes:
        return self._data[start:end]


def find_legacy(data: bytes) -> tuple[str, str] | None:
    """The text of `data` and the encoding it was read with, or None when none reads well.

    The encoding is found on a sample and then proven on the whole: encoding the text again gives
    the same bytes.
    """
    for encoding in ranked_encodings(_Held(data)):
        try:
            text = data.decode(encoding)
            if text.encode(encoding) == data:
                return text, plain_name(encoding, (data,))
        except UnicodeError:
            continue
    return None


def ranked_encodings(data: Stretches) -> list[str]:
    """The encodings that a sample of `data` can be read with, the best first."""
    return _ranked(_sample(data))


def plain_name(encoding: str, blocks: Iterable[bytes]) -> str:
    """The name to show for the encoding of bytes that come in blocks."""
    if encoding not in ("latin_1", "cp1252"):
        return encoding
    # Without the bytes 0x80 to 0x9F, Windows' Western set is Latin-1.
    plain = encoding == "latin_1" or not any(map(_WINDOWS.search, blocks))
    return "latin-1" if plain else encoding


def _sample(data: Stretches) -> bytes:
    """Stretches around bytes beyond ASCII; only the last may end inside a character."""
    parts: list[bytes] = []
    size = high = position = 0
    while size < _SAMPLE and high < _ENOUGH:
        found = data.next_high(position)
        if found is None:
            break
        start = max(position, found - 200)
        limit = start + _SAMPLE
        # One byte before the first that may end the stretch is looked at, too.
        before = found + _WINDOW - 1
        safe = _SAFE_CUT.search(data.read(before, limit), 1)
        position = before + safe.end() if safe else limit
        parts.append(data.read(start, position))
        size += len(parts[-1])
        high += len(_HIGH.findall(parts[-1]))
        if safe is None:
            break
    return b"".join(parts)


def _ranked(sample: bytes) -> list[str]:
    """The encodings that `sample` can be read with, the best first."""
    places = _readable(sample)
    readings: list[tuple[float, int, int, str]] = []
    for order, encoding in enumerate(_CANDIDATES):
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
        fit = round(_fit(text[:_JUDGED], encoding), 2)
        # Windows' Western set is by far the most common one.
        place = -1 if encoding == "cp1252" else places.get(encoding, len(places))
        readings.append((-fit, place, order, encoding))
    return [encoding for *_, encoding in sorted(readings)]


def _readable(sample: bytes) -> dict[str, int]:
    """The place of each encoding in charset-normalizer's own order."""
    from charset_normalizer import from_bytes

    matches = from_bytes(sample.translate(_CONTROLS_AS_SPACES), cp_isolation=list(_CANDIDATES))
    return {
        encoding: place
        for place, match in enumerate(matches)
        for encoding in match.could_be_from_charset
    }


def _fit(text: str, encoding: str) -> float:
    """How well the characters beyond ASCII fit one language: at most 1."""
    letters: dict[str, float] = {}
    total = 0
    worth = 0.0
    before = " "
    for place, character in enumerate(text):
        if character > "\x7f":
            total += 1
            after = text[place + 1 : place + 2]
            if character.isalpha() and character < "\u2e80" and character not in _SIGNS:
                share = _letter_worth(character, before, after)
                letters[character] = letters.get(character, 0.0) + share
            else:
                worth += _worth(character, before, after, encoding)
        before = character
    if not total:
        return 0.0
    best = max(_known(letters, alphabet) for alphabet in _LANGUAGES)
    thai = sum(count for letter, count in letters.items() if "\u0e00" <= letter <= "\u0e7f")
    return (worth + max(best, thai)) / total


def _letter_worth(character: str, before: str, after: str) -> float:
    # A capital after a small letter, or two scripts in one word, is the mark of a wrong reading.
    if before.islower() and character.isupper():
        return 0.2
    latin = character < "\u0250" or "\u1e00" <= character <= "\u1eff"
    if not latin and any(one.isascii() and one.isalpha() for one in (before, after)):
        return 0.0
    if not before.isalpha() and not after.isalpha():
        return 0.6
    measured = "\u0400" <= character <= "\u04ff" or "\u0600" <= character <= "\u06ff"
    usual = 0.8 if measured and character not in _FREQUENT else 1.0
    return usual * (0.95 if before.isupper() and character.isupper() else 1.0)


def _known(letters: dict[str, float], alphabet: Iterable[str]) -> float:
    return sum(letters.get(letter, 0.0) for letter in alphabet)


def _worth(character: str, before: str, after: str, encoding: str) -> float:
    code = ord(character)
    if character in _SIGNS:
        inside = before.isalpha() and after.isalpha() and character not in _APOSTROPHES
        worth = 0.0 if inside else 0.9
    elif 0x2E80 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7A3 or 0xFF01 <= code <= 0xFF5E:
        latin = before.isascii() and before.islower() and after.isascii() and after.islower()
        worth = 0.0 if latin else 1.0 if _is_daily(character, encoding) else 0.3
    elif 0x0300 <= code <= 0x0323 or 0x0591 <= code <= 0x0670 or 0x0E31 <= code <= 0x0E4E:
        # Combining marks of Thai, Hebrew, Arabic and Vietnamese belong to letters.
        worth = 0.9 if before > "\x7f" else 0.2
    elif "\u2500" <= character <= "\u259f":
        worth = 0.2 if before.isalpha() and after.isalpha() else 0.85
    else:
        worth = 0.2 if character.isprintable() else -1.0
    return worth


def _is_daily(character: str, encoding: str) -> bool:
    if "\u3041" <= character <= "\u30ff":
        return encoding in _JAPANESE
    if character < "\u4e00" or character > "\uff00":
        return not "\u3131" <= character <= "\u318e"
    national, first, last = _DAILY.get(encoding, ("ascii", 0, 0))
    try:
        return first <= character.encode(national)[0] <= last
    except UnicodeEncodeError:
        return False
