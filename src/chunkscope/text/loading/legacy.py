"""Which legacy encoding a text was written in.

charset-normalizer says which encodings give readable text. Often several do; of those the one
whose letters fit a language best is taken, and the first of the list below when none fits better.
"""

import re
from collections.abc import Iterable

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

# Signs that Western text puts beside words, or between them, but not inside.
_SIGNS = frozenset("“”„‘’‚‹›«»–—…•·€£§©®™°±×÷½¼¾¿¡\u00a0\u00ad№")
_APOSTROPHES = frozenset("’\u00ad·")

_HIGH = re.compile(rb"[\x80-\xff]")
# A byte below 0x30 is a character of its own in all of these encodings.
_SAFE_CUT = re.compile(rb"[\x00-\x2f]")
_WINDOW = 8192
_SAMPLE = 65536
_ENOUGH = 2000


def find_legacy(data: bytes) -> tuple[str, str] | None:
    """The text of `data` and the encoding it was read with, or None when none reads well.

    The encoding is found on a sample and then proven on the whole: encoding the text again gives
    the same bytes.
    """
    for encoding in _ranked(_sample(data)):
        try:
            text = data.decode(encoding)
            if text.encode(encoding) == data:
                return text, _plain_name(encoding, data)
        except UnicodeError:
            continue
    return None


def _plain_name(encoding: str, data: bytes) -> str:
    # Without the bytes 0x80 to 0x9F, Windows' Western set is Latin-1.
    if encoding == "latin_1" or (encoding == "cp1252" and not re.search(rb"[\x80-\x9f]", data)):
        return "latin-1"
    return encoding


def _sample(data: bytes) -> bytes:
    """Stretches around bytes beyond ASCII, cut where no character is torn."""
    parts: list[bytes] = []
    size = high = position = 0
    while size < _SAMPLE and high < _ENOUGH:
        match = _HIGH.search(data, position)
        if match is None:
            break
        before = _last_safe(data, max(position, match.start() - 200), match.start())
        start = position if before is None else before
        safe = _SAFE_CUT.search(data, match.start() + _WINDOW)
        end = len(data) if safe is None else safe.end()
        parts.append(data[start:end])
        size += end - start
        high += len(_HIGH.findall(parts[-1]))
        position = end
    return b"".join(parts)


def _last_safe(data: bytes, first: int, last: int) -> int | None:
    cuts = [match.end() for match in _SAFE_CUT.finditer(data, first, last)]
    return cuts[0] if cuts else None


def _ranked(sample: bytes) -> list[str]:
    from charset_normalizer import from_bytes

    readings: list[tuple[float, int, int, str]] = []
    for place, match in enumerate(from_bytes(sample, cp_isolation=list(_CANDIDATES))):
        fit = round(_fit(str(match)), 2)
        # Windows' Western set is by far the most common one.
        readings.extend(
            (-fit, -1 if name == "cp1252" else place, _CANDIDATES.index(name), name)
            for name in match.could_be_from_charset
            if name in _CANDIDATES
        )
    return [name for *_, name in sorted(readings)]


def _fit(text: str) -> float:
    """How well the characters beyond ASCII fit one language: at most 1."""
    letters: dict[str, float] = {}
    total = 0
    worth = 0.0
    before = " "
    for character, after in zip(text, text[1:] + " ", strict=True):
        if character > "\x7f":
            total += 1
            if character.isalpha() and ord(character) < 0x2E80:
                share = _letter_worth(character, before, after)
                letters[character] = letters.get(character, 0.0) + share
            else:
                worth += _worth(character, inside=before.isalpha() and after.isalpha())
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
    return 1.0


def _known(letters: dict[str, float], alphabet: Iterable[str]) -> float:
    return sum(letters.get(letter, 0.0) for letter in alphabet)


def _worth(character: str, *, inside: bool) -> float:
    code = ord(character)
    if character in _SIGNS:
        return 0.0 if inside and character not in _APOSTROPHES else 0.9
    if 0x3000 <= code <= 0x30FF or 0xFF01 <= code <= 0xFF5E:
        return 1.0
    if 0x4E00 <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7A3:
        return 1.0 if _is_common(character) else 0.3
    # Combining marks of Thai, Hebrew, Arabic and Vietnamese belong to letters.
    if 0x0300 <= code <= 0x0323 or 0x0591 <= code <= 0x0670 or 0x0E31 <= code <= 0x0E4E:
        return 0.9
    if character.isprintable() or code == 0x3000:
        return 0.2
    return -1.0


def _is_common(character: str) -> bool:
    # The first level of each national set holds the characters in daily use.
    for encoding, first, last in (
        ("gb2312", 0xB0, 0xD7),
        ("shift_jis", 0x88, 0x97),
        ("big5", 0xA4, 0xC6),
        ("euc_kr", 0xB0, 0xC8),
    ):
        try:
            lead = character.encode(encoding)[0]
        except UnicodeEncodeError:
            continue
        if first <= lead <= last:
            return True
    return False
