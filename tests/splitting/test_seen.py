"""Which texts were there before, packed, is what a dictionary knows."""

import tracemalloc
from hashlib import blake2b
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.splitting import seen
from chunkscope.splitting.seen import SeenTexts, number_of


@given(st.lists(st.text("ab\ud83d", max_size=4), max_size=120), st.integers(1, 9))
def test_numbers_are_those_of_a_dictionary(texts, recent):
    known, packed = {}, SeenTexts()
    with patch.object(seen, "_RECENT", recent):
        for text in texts:
            assert number_of(packed, text) == known.get(text)
            known.setdefault(text, len(known))
            assert len(packed) == len(known)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=60), st.integers(1, 5))
def test_digests_that_are_half_alike_are_told_apart(halves, recent):
    known, packed = {}, SeenTexts()
    with patch.object(seen, "_RECENT", recent):
        for first, second in halves:
            # The lower half is alike, or the upper one, or they are alike but for their order.
            key = first.to_bytes(8, "little") + (2**64 - 1 - second).to_bytes(8, "little")
            assert packed.get(key) == known.get(key)
            if key not in known:
                packed[key] = known[key] = len(known)


def test_it_takes_few_bytes_a_text():
    def digest(number):
        return blake2b(str(number).encode(), digest_size=16).digest()

    tracemalloc.start()
    packed = SeenTexts()
    count = 4 * seen._RECENT
    for number in range(count):
        packed[digest(number)] = number
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 26 * count
    assert [packed.get(digest(number)) for number in (0, 1, count - 1, count)] == [
        0, 1, count - 1, None,
    ]  # fmt: skip
