import codecs
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.text.loading.decode import DecodeError, decode

GERMAN = "Die Größe der Boote überrascht: Säcke, Öl und Käse füllen die Räume am Kai.\n"
TEXTS = {
    "cp1252": "The café opens at six — “the tug left”, it’s 20 € a day. Où êtes-vous ?\n",
    "latin-1": GERMAN,
    "iso8859_15": "Le cœur du port coûte 5 € par jour, dès l'été où les bateaux arrivent.\n",
    "cp1250": "Przystań otwiera się o szóstej. Żegluga śródlądowa jest wstrzymana, więc łodzie"
    " czekają.\n",
    "iso8859_2": "Přístav se otevírá v šest hodin. Remorkér připluje a lodivod řekl, že čeká.\n",
    "cp1251": "Порт открывается в шесть часов утра. Капитан сказал, что буксир придёт.\n",
    "koi8_r": "Порт открывается в шесть часов утра. Капитан сказал, что буксир придёт.\n",
    "cp866": "Порт открывается в шесть часов утра. Капитан сказал, что буксир придёт.\n",
    "iso8859_7": "Το λιμάνι ανοίγει στις έξι το πρωί και ο καπετάνιος είναι στο πλοίο.\n",
    "cp1254": "Liman sabah altıda açılıyor ve kılavuz şimdi gemide olduğunu söylüyor.\n",
    "cp1255": "הנמל נפתח בשש בבוקר. הקברניט אמר שהגוררת תגיע בצהריים.\n",
    "cp1256": "يفتح الميناء في السادسة صباحا وقال القبطان إن القاطرة تصل ظهرا.\n",
    "shift_jis": "港は朝六時に開きます。船長はタグボートが正午に着くと言いました。\n",
    "euc_jp": "港は朝六時に開きます。船長はタグボートが正午に着くと言いました。\n",
    "gb18030": "港口早上六点开放。船长说拖船中午到达，领航员已经上船。停泊费每天两百元。\n",
    "big5": "港口早上六點開放。船長說拖船中午到達，領航員已經上船。停泊費每天兩百元。\n",
    "euc_kr": "항구는 아침 여섯 시에 문을 엽니다. 선장은 예인선이 정오에 도착한다고 말했습니다.\n",
    "mac_roman": "The café is open “every day” — até à noite, où vous êtes déjà. Même l’été.\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_legacy_encodings_are_read_to_the_letter(encoding):
    text = TEXTS[encoding]
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.text.encode(decoded.encoding) == text.encode(encoding)
    assert decoded.notes == ("not UTF-8: found by its letters",)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "shift_jis", "euc_kr", "koi8_r"])
def test_the_shown_name_is_that_of_the_encoding(encoding):
    assert decode(TEXTS[encoding].encode(encoding)).encoding == encoding


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "koi8_r", "gb18030"])
def test_a_large_file_is_read_by_the_little_that_is_not_ascii(encoding):
    text = "plain line\n" * 200_000 + TEXTS[encoding] + "plain line\n" * 200_000
    assert decode(text.encode(encoding)).text == text


def test_a_large_text_without_white_space_is_not_cut_inside_a_character():
    text = "港口早上六点开放船长说拖船中午到达领航员已经上船" * 20_000
    assert decode(text.encode("gb18030")).text == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("\0")
def test_utf8_is_read_as_it_stands(text):
    decoded = decode(b"start " * 3 + text.encode())
    assert decoded.text == "start " * 3 + text
    assert decoded.encoding == "utf-8"


@pytest.mark.parametrize("text", ["", "\r", "a\r\nb\rc\nd\x0c\x85\u2028", "NUL \0 inside"])
def test_nothing_of_a_text_is_changed(text):
    assert decode(text.encode()).text == text


def test_utf8_mark_stays_and_counts():
    decoded = decode(codecs.BOM_UTF8 + b"# Title\n")
    assert decoded.text == "\ufeff# Title\n"
    assert decoded.encoding == "utf-8"
    assert decoded.notes == ("begins with a byte order mark, kept: U+FEFF counts in every offset",)
    assert decode(codecs.BOM_UTF8).text == "\ufeff"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [GERMAN, "Порт закрыт.\r\n", "灯台\n", "", "\ufeffx"])
def test_wide_marks_are_no_text(codec, text):
    mark = getattr(codecs, "BOM_" + codec.upper().replace("-", "", 1).replace("-", "_"))
    decoded = decode(mark + text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, codec[:6])


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [GERMAN, "Порт закрыт до утра, капитан спит.\r\n" * 3])
def test_wide_text_without_a_mark_is_found(codec, text):
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, codec)
    assert decoded.notes == ("no byte order mark: found by its bytes",)


def test_a_few_nuls_make_neither_binary_nor_wide_text():
    for text in ("a\0b", "one\0two\0three\0", "\0" * 3 + "some more text of a log", "caf\0é"):
        decoded = decode(text.encode())
        assert (decoded.text, decoded.encoding) == (text, "utf-8")
        assert decoded.notes == (f"NUL characters, kept: {text.count(chr(0))}",)
    latin = "Die Größe\0der Boote überrascht, Säcke füllen die Räume.\n"
    assert decode(latin.encode("latin-1")).text == latin


def test_lone_surrogates_are_kept_and_said():
    decoded = decode("a\ud83db".encode("utf-8", "surrogatepass"))
    assert (decoded.text, decoded.encoding) == ("a\ud83db", "utf-8")
    assert decoded.notes == ("lone surrogates, kept: 1",)
    wide = decode(codecs.BOM_UTF16_LE + "a\ud83db".encode("utf-16-le", "surrogatepass"))
    assert (wide.text, wide.notes) == ("a\ud83db", ("lone surrogates, kept: 1",))


def test_japanese_in_escape_sequences():
    text = "港は朝六時に開きます。\n"
    decoded = decode(text.encode("iso2022_jp"))
    assert (decoded.text, decoded.encoding) == (text, "iso2022_jp")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"%PDF-1.7\nplain", "binary: a PDF; convert it to text first"),
        (b"PK\x03\x04rest", "binary: a zip archive or an office document"),
        (b"\x89PNG\r\n\x1a\n", "binary: a PNG image"),
        (b"\x1f\x8b\x08\0\0", "binary: a gzip archive"),
        (b"\x7fELF\x02\x01\x01", "binary: a program"),
        (b"\0\0\0\x18ftypmp42", "binary: a film or an image"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "binary: a recording or an image"),
        (bytes(range(256)) * 20, "binary: too many control characters"),
        (b"\0" * 4096, "binary: too many control characters"),
    ],
)
def test_binary_data_is_refused_by_name(data, reason):
    with pytest.raises(DecodeError, match=reason):
        decode(data)


@pytest.mark.parametrize("text", ["BZh is a prefix", "GIF is a format", "RIFF and WAVE"])
def test_words_that_begin_like_binary_data_are_text(text):
    assert decode(text.encode()).text == text


def test_damaged_utf8_is_named_and_not_read_as_other_letters():
    data = bytearray(GERMAN.encode() * 5)
    data[100] = 0xFF
    with pytest.raises(DecodeError, match="damaged UTF-8: invalid start byte at byte 100"):
        decode(bytes(data))
    with pytest.raises(DecodeError, match="damaged UTF-8: unexpected end of data at byte"):
        decode((GERMAN * 5 + "ü").encode()[:-1])


MARKS = {
    "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE, "utf-32-be": codecs.BOM_UTF32_BE,
}  # fmt: skip
WIDE_TEXTS = [
    "The tug left at six.\r\n", "Порт закрыт.\n", "港は六時に開きます。", "港口早上開放", "灯台🚢",
    '{"text": "lamp"}\n', "a\ud83db", "é!",
]  # fmt: skip


@pytest.mark.parametrize("codec", MARKS)
@pytest.mark.parametrize("text", WIDE_TEXTS)
def test_marked_text_with_a_byte_missing_or_too_many_is_named_with_its_place(codec, text):
    mark, name = MARKS[codec], codec[:6].upper()
    data = mark + text.encode(codec, "surrogatepass")
    tail = "mend it, or name the encoding to read it as"
    unit = 2 if name == "UTF-16" else 4
    whole = len(data) - unit
    with pytest.raises(DecodeError) as missing:
        decode(data[:-1])
    assert str(missing.value) == f"damaged {name}: truncated data at byte {whole}; {tail}"
    with pytest.raises(DecodeError) as added:
        decode(data + b"x")
    assert str(added.value) == f"damaged {name}: truncated data at byte {len(data)}; {tail}"


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_marked_utf32_that_is_cut_is_not_read_as_utf16(cut):
    data = MARKS["utf-32-le"] + "lamp".encode("utf-32-le")
    with pytest.raises(DecodeError, match="damaged UTF-32: truncated data at byte 16; mend it"):
        decode(data[:-cut])


def test_marked_utf32_with_a_byte_too_many_inside_is_named_there():
    data = MARKS["utf-32-be"] + "lamp".encode("utf-32-be") + b"x" + "oil".encode("utf-32-be")
    said = r"damaged UTF-32: code ?point not in range\(0x110000\) at byte 20; mend it"
    with pytest.raises(DecodeError, match=said):
        decode(data)


def test_marked_text_that_lost_a_byte_inside_is_named():
    lines = "The tug left at six, the pilot boat at seven, the ferry an hour after it.\n" * 300
    data = MARKS["utf-16-le"] + lines.encode("utf-16-le")
    said = f"damaged UTF-16: truncated data at byte {len(data) - 2}; mend it"
    with pytest.raises(DecodeError, match=said):
        decode(data[:1001] + data[1002:])


def test_an_unpaired_half_at_the_end_of_marked_text_is_kept_and_said():
    for codec, mark in MARKS.items():
        decoded = decode(mark + "a\ud83d".encode(codec, "surrogatepass"))
        assert (decoded.text, decoded.encoding) == ("a\ud83d", codec[:6])
        assert decoded.notes == ("lone surrogates, kept: 1",)


def test_a_nul_behind_the_mark_of_utf16_is_no_mark_of_utf32():
    data = MARKS["utf-16-le"] + "\0lamp".encode("utf-16-le")
    assert decode(data).text == "\0lamp"
    padded = MARKS["utf-16-le"] + ("\0" + GERMAN).encode("utf-16-le")
    with pytest.raises(DecodeError, match=f"damaged UTF-16: truncated data at byte {len(padded)};"):
        decode(padded + b"x")


def odd(data):
    """Of an odd length, so that no mark's encoding reads it."""
    return data if len(data) % 2 else data + b"."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("’ž Boote: " + GERMAN, "iso8859_13"),
        ("яюный, но уже смелый лоцман ведёт буксир в порт, и все капитаны ждут. " * 3, "cp1251"),
    ],
)
def test_single_bytes_that_begin_like_a_mark_are_read_as_before(text, encoding):
    data = odd(text.encode(encoding))
    assert data[:2] == MARKS["utf-16-le"]
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (data.decode(encoding), encoding)
    assert decoded.notes == ("not UTF-8: found by its letters",)


def test_plain_ascii_behind_a_mark_of_utf16_is_read_as_before():
    for text in ("x", "lamp.\n and oil\n"):
        decoded = decode(odd(MARKS["utf-16-le"] + text.encode()))
        assert (decoded.text[:2], decoded.encoding) == ("’ž", "iso8859_13")
        assert decoded.text[2:].startswith(text)


def test_utf8_behind_a_mark_of_utf16_is_damaged_utf8():
    with pytest.raises(DecodeError, match="damaged UTF-8: invalid start byte at byte 0; mend it"):
        decode(odd(MARKS["utf-16-le"] + ("Порт закрыт до утра. " * 9).encode()))


def test_a_told_encoding_is_used_as_it_is():
    data = "¤50, Šibenik".encode("iso8859_15", "replace") + b"\xa4"
    assert decode(data, "iso8859_15").text.endswith("€")
    assert decode(data, "latin-1").text.endswith("¤")
    decoded = decode(b"%PDF-", "ascii")
    assert (decoded.text, decoded.encoding) == ("%PDF-", "ascii")
    assert decoded.notes == ("its encoding was given",)
    assert decode(codecs.BOM_UTF16_LE + b"a\0", "utf-16-le").text == "a"
    assert decode(codecs.BOM_UTF8 + b"a", "utf-8").text == "\ufeffa"


def test_bytes_that_a_told_encoding_does_not_allow_are_named():
    with pytest.raises(DecodeError, match="not utf-8: invalid start byte at byte 3"):
        decode(b"abc\xff", "utf-8")
    with pytest.raises(DecodeError, match=r"not cp1252: .* at byte 1"):
        decode(b"a\x81", "cp1252")


@pytest.mark.parametrize("encoding", ["no-such", "base64", "x\0y", "rot13", ""])
def test_unknown_encoding_is_an_input_error(encoding):
    with pytest.raises(InputError, match="is unknown; give one such as utf-8"):
        decode(b"abc", encoding)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_loss_or_refused(data):
    try:
        decoded = decode(data)
    except DecodeError:
        return
    if decoded.encoding in ("utf-16", "utf-32"):
        mark = 2 if decoded.encoding == "utf-16" else 4
        order = "le" if data[:1] == b"\xff" else "be"
        codec, data = f"{decoded.encoding}-{order}", data[mark:]
    else:
        codec = decoded.encoding
    errors = "surrogatepass" if codec.startswith("utf") else "strict"
    assert decoded.text.encode(codec, errors) == data


def test_awkward_files_are_read_as_their_manifest_says(shared_data):
    folder = shared_data("awkward")
    for entry in json.loads((folder / "manifest.json").read_text(encoding="utf-8")):
        data = (folder / "docs" / entry["file"]).read_bytes()
        if entry["encoding"] is None:
            continue
        decoded = decode(data)
        assert decoded.encoding == entry["encoding"], entry["file"]
        assert len(decoded.text) == entry["chars"], entry["file"]
        assert decoded.text == data.decode(entry["encoding"]), entry["file"]
