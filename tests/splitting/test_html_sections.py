"""HTML by its headings, on the source."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from covering import assert_covers, assert_in_order
from html_parts import HTML_PARTS
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import cut

from chunkscope.errors import InputError
from chunkscope.splitting.registry import check_settings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.html import html_blocks

SETTINGS = SplitterSettings(kind="html", unit="characters", size=60, overlap=0)

_MORE = ("<li>", "the harbour", "é", "<section>", "</section>")
pages = st.lists(st.sampled_from((*HTML_PARTS, *_MORE)), max_size=40).map("".join)


def test_text_is_not_moved() -> None:
    text = "<h1>H</h1><p>Alpha <strong>beta</strong> gamma</p>"
    cuts = cut(text, SETTINGS)
    assert cuts.texts(text) == [text]
    assert cuts.altered == {}
    assert cut(text, replace(SETTINGS, size=40)).texts(text) == [
        "<h1>H</h1>",
        "<p>Alpha <strong>beta</strong> gamma</p>",
    ]


def test_sections_then_size() -> None:
    text = (
        "<html><body>\n<section><h1>Port</h1>\n<section><h2>Berths</h2>\n<p>One is free.</p>\n"
        "<table><tr><td>1</td></tr></table></section>\n<section><h2>Depth</h2>low</section>\n"
        "</section></body></html>\n"
    )
    assert cut(text, replace(SETTINGS, size=200)).texts(text) == [
        text[: text.index("<section><h2>Depth")].strip(),
        text[text.index("<section><h2>Depth") :].strip(),
    ]
    assert cut(text, replace(SETTINGS, size=100)).texts(text) == [
        "<html><body>\n<section><h1>Port</h1>\n<section><h2>Berths</h2>\n<p>One is free.</p>",
        "<table><tr><td>1</td></tr></table></section>",
        "<section><h2>Depth</h2>low</section>\n</section></body></html>",
    ]


@given(pages, st.integers(1, 60), st.data())
def test_nothing_is_lost_and_sections_are_kept_apart(
    text: str, size: int, data: st.DataObject
) -> None:
    wanted = replace(
        SETTINGS,
        size=size,
        overlap=data.draw(st.integers(0, size - 1)),
        strip=data.draw(st.booleans()),
    )
    cuts = cut(text, wanted)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)
    ranges = list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True))
    assert all(end - start <= size for start, end in ranges)
    found = html_blocks(text)
    for above, block in pairwise(found):
        if block.level and not 0 < above.level < block.level:
            assert not any(start < block.start < end for start, end in ranges)


def test_real_pages(shared_data: Callable[[str], Path]) -> None:
    for path in sorted((shared_data("pydocs_html") / "docs").iterdir()):
        text = path.read_bytes().decode()
        cuts = cut(text, replace(SETTINGS, size=256, unit="tokens", overlap=25))
        assert_covers(text, cuts)
        assert_in_order(text, cuts)


def test_settings() -> None:
    assert check_settings(SETTINGS, {"size", "separators", "regex"}) == []
    with pytest.raises(InputError, match="keep_separator: none drops separators, and splitter 'ht"):
        check_settings(replace(SETTINGS, keep_separator="none"))
