from dataclasses import replace

import numpy as np
import pytest
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.geometry import Offset

from chunkscope.text.document import Document
from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceMark, Layers
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.minimap import Minimap

# At 80 columns without layers: number 3, tokens 5, warning 1, line 1, evidence 1, space 1.
GUTTER = 12
LINES = "\n".join(f"line {number} of the text" for number in range(300))


def layer(*ranges: tuple[int, int], **values) -> ChunkLayer:
    starts = np.array([start for start, _ in ranges], dtype=np.int64)
    ends = np.array([end for _, end in ranges], dtype=np.int64)
    return ChunkLayer(values.pop("variant", "A"), starts, ends, **values)


class Shown(App[None]):
    """One document, a map beside it, and what the view said."""

    CSS = "DocumentView { width: 1fr; }"

    def __init__(self, text: str, layers: Layers | None = None, **values) -> None:
        super().__init__()
        self.view = DocumentView(Document("text.md", text), **values)
        self.layers = layers
        self.told: list = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self.view
            yield Minimap(self.view)

    def on_mount(self) -> None:
        if self.layers is not None:
            self.view.show_layers(self.layers)
        self.view.focus()

    def on_document_view_cursor_moved(self, message: DocumentView.CursorMoved) -> None:
        self.told.append(("cursor", message.offset, message.chunk))

    def on_document_view_chunk_clicked(self, message: DocumentView.ChunkClicked) -> None:
        self.told.append(("chunk", message.chunk, message.offset))

    def on_document_view_text_selected(self, message: DocumentView.TextSelected) -> None:
        self.told.append(("selected", message.span))

    def row(self, y: int) -> str:
        return self.view.render_line(y).text

    def text(self, y: int) -> str:
        return self.row(y)[self.view.page.plan.width :].rstrip()


async def drag(pilot, start: tuple[int, int], end: tuple[int, int]) -> None:
    view = pilot.app.view
    await pilot.mouse_down(view, offset=(start[0] + GUTTER, start[1]))
    await pilot.hover(view, offset=(end[0] + GUTTER, end[1]))
    await pilot.mouse_up(view, offset=(end[0] + GUTTER, end[1]))
    await pilot.pause()


async def test_rows_are_drawn_with_their_gutter():
    layers = Layers(chunks=layer((0, 7), (8, 13), tokens=np.array([2, 3])))
    app = Shown("one two\nthree", layers)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert app.row(0).rstrip() == "  0    2 ╶  one two"
        assert app.row(1).rstrip() == "  1    3 ╶  three"
        assert app.row(2).strip() == ""


async def test_markup_and_codes_in_the_text_are_shown_literally():
    app = Shown("see [/etc/motd] now [/ a[i]\n\x1b[31mred\x1b]0;title\x07")
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert app.text(0) == "see [/etc/motd] now [/ a[i]"
        assert app.text(1) == "␛[31mred␛]0;title␇"


async def test_dragging_over_tabs_takes_what_is_drawn_there():
    app = Shown("\tdock\tpier")
    async with app.run_test(size=(80, 10)) as pilot:
        await drag(pilot, (8, 0), (11, 0))
        assert app.view.selected_text == "dock"
        assert app.view.selected_span == (1, 5)
        await drag(pilot, (3, 0), (13, 0))
        assert app.view.selected_text == "\tdock\t"
        await drag(pilot, (19, 0), (16, 0))
        assert app.view.selected_text == "pier"
        assert app.told[-1] == ("selected", Span(6, 10))


async def test_dragging_takes_whole_wide_and_combined_characters():
    app = Shown("a港口b e\u0301x")
    async with app.run_test(size=(80, 10)) as pilot:
        await drag(pilot, (2, 0), (3, 0))
        assert app.view.selected_text == "港口"
        await drag(pilot, (1, 0), (2, 0))
        assert app.view.selected_text == "港"
        await drag(pilot, (6, 0), (7, 0))
        assert app.view.selected_text == " e\u0301"


async def test_what_is_copied_is_the_source_without_marks():
    text = "ab\r\ncd\x0cef\r\ngh"
    evidence = (EvidenceMark(Span(0, 9), "cut", (1, 5)),)
    app = Shown(text, Layers(evidence=evidence))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert app.text(0) == "a✂b"
        assert app.text(1) == "c✂d␌ef"
        await drag(pilot, (0, 0), (1, 2))
        assert app.view.selected_text == text
        assert app.screen.get_selected_text() == text
        await drag(pilot, (1, 0), (2, 0))
        assert app.view.selected_text == "b"


async def test_a_lone_surrogate_can_be_copied():
    app = Shown("a\ud83db")
    async with app.run_test(size=(80, 10)) as pilot:
        await drag(pilot, (0, 0), (2, 0))
        assert app.view.selected_text == "a\ud83db"
        assert app.screen.get_selected_text() == "a\ufffdb"


async def test_a_click_moves_the_cursor_and_clears_the_selection():
    layers = Layers(chunks=layer((0, 8), (8, 13)))
    app = Shown("one two\nthree", layers)
    async with app.run_test(size=(80, 10)) as pilot:
        await drag(pilot, (0, 0), (2, 0))
        assert app.view.selected_text == "one"
        await pilot.click(app.view, offset=(GUTTER + 2, 1))
        await pilot.pause()
        assert app.view.cursor_offset == 10
        assert app.view.selected_span.length == 0
        assert ("chunk", 1, 10) in app.told
        assert ("cursor", 10, 1) in app.told


async def test_a_click_in_the_gutter_goes_to_the_start_of_the_row():
    app = Shown("one two\nthree", Layers(chunks=layer((0, 8), (8, 13))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.click(app.view, offset=(1, 1))
        await pilot.pause()
        assert ("chunk", 1, 8) in app.told


async def test_two_clicks_take_the_word_and_three_the_chunk():
    app = Shown("one two_2, three", Layers(chunks=layer((0, 10), (10, 16))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.click(app.view, offset=(GUTTER + 5, 0), times=2)
        await pilot.pause()
        assert app.view.selected_text == "two_2"
        await pilot.click(app.view, offset=(GUTTER + 5, 0), times=3)
        await pilot.pause()
        assert app.view.selected_text == "one two_2,"
        assert app.told[-1] == ("selected", Span(0, 10))


async def test_keys_move_the_cursor_and_the_view_follows():
    app = Shown(LINES)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.press("down", "down", "right", "right")
        assert app.view.cursor_offset == LINES.index("line 2") + 2
        await pilot.press("pagedown")
        assert app.view.top_row == 9
        assert app.view.cursor_offset == LINES.index("line 11") + 2
        await pilot.press("end")
        assert app.view.cursor_offset == len(LINES)
        assert app.text(9) == "line 299 of the text"
        await pilot.press("home")
        assert app.view.cursor_offset == 0
        assert app.view.top_row == 0
        await pilot.press("up", "left")
        assert app.view.cursor_offset == 0


async def test_after_the_wheel_keys_go_on_from_what_is_read():
    app = Shown(LINES)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_row(100)
        await pilot.press("down")
        assert app.view.cursor_offset == LINES.index("line 100 ")
        assert app.view.top_row == 100


@pytest.mark.parametrize("wrap", [True, False])
async def test_an_offset_is_shown_in_the_middle(wrap):
    app = Shown(LINES, wrap=wrap)
    async with app.run_test(size=(80, 11)) as pilot:
        await pilot.pause()
        offset = LINES.index("line 150 ")
        app.view.scroll_to_offset(offset)
        await pilot.pause()
        assert app.view.cursor_offset == offset
        assert app.text(5) == "line 150 of the text"
        top = app.view.top_row
        app.view.scroll_to_offset(LINES.index("line 152 "))
        assert app.view.top_row == top


async def test_an_offset_asked_for_before_the_first_layout_is_shown():
    app = Shown("word " * 4000)
    app.view.scroll_to_offset(10_000)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert app.view.cursor_offset == 10_000
        assert app.view.visible_span.start <= 10_000 < app.view.visible_span.end


async def test_the_text_at_the_top_stays_when_the_width_changes():
    app = Shown("".join(f"word{number} " for number in range(4000)))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_row(50)
        await pilot.pause()
        top = app.view.top_offset
        for width in (60, 120, 43, 100):
            await pilot.resize_terminal(width, 10)
            await pilot.pause()
            span = app.view.page.rows.span(app.view.top_row)
            assert span.start <= top < span.end
        await pilot.resize_terminal(80, 10)
        await pilot.pause()
        assert app.view.top_row == 50


async def test_the_text_at_the_top_stays_when_wrapping_changes():
    text = "\n".join("word " * 60 for _ in range(100))
    app = Shown(text)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_row(101)
        await pilot.pause()
        top = app.view.top_offset
        line = text.count("\n", 0, top)
        app.view.wrap = False
        await pilot.pause()
        assert app.view.top_row == line
        app.view.wrap = True
        await pilot.pause()
        assert app.view.top_row == 101


async def test_long_lines_scroll_sideways_to_the_cursor():
    text = "x" * 500 + "HERE" + "y" * 500
    app = Shown(text, wrap=False)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_offset(500)
        await pilot.pause()
        assert "HERE" in app.text(0)
        column = app.text(0).index("HERE")
        await drag(pilot, (column, 0), (column + 3, 0))
        assert app.view.selected_text == "HERE"


async def test_new_layers_keep_the_place_and_drop_old_drawings():
    app = Shown(LINES, Layers(chunks=layer((0, 3000), (3000, len(LINES)))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_row(60)
        await pilot.pause()
        before = app.view.top_offset
        assert app.row(0)[:3] == " ↑0"
        starts = app.view.page.rows.span(62).start
        app.view.show_layers(Layers(1, chunks=layer((0, starts), (starts, len(LINES)))))
        await pilot.pause()
        assert app.view.top_offset == before
        assert app.row(2)[:3] == "  1"


async def test_a_wider_gutter_keeps_the_place():
    app = Shown("word " * 4000, Layers(chunks=layer((0, 10))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        app.view.scroll_to_row(100)
        await pilot.pause()
        top = app.view.top_offset
        many = [(number, number + 1) for number in range(15_000)]
        app.view.show_layers(Layers(chunks=layer(*many)))
        await pilot.pause()
        assert app.view.page.plan.number == 5
        span = app.view.page.rows.span(app.view.top_row)
        assert span.start <= top < span.end


async def test_stale_layers_stay_on_the_screen():
    layers = Layers(chunks=layer((0, 7), (8, 13), tokens=np.array([2, 3])))
    app = Shown("one two\nthree", layers)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        fresh = app.view.render_line(0)
        app.view.show_layers(replace(layers, stale=True))
        await pilot.pause()
        stale = app.view.render_line(0)
        assert stale.text.rstrip() == "  0    … ╶  one two"
        assert [segment.style for segment in stale] != [segment.style for segment in fresh]


async def test_neighbouring_bands_differ_in_lightness():
    text = "aaaabbbbccccdddd"
    app = Shown(text, Layers(chunks=layer((0, 4), (4, 10), (8, 12), (13, 16))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.press("end")
        lightness = [
            sum(segment.style.bgcolor.get_truecolor())
            for segment in app.view.render_line(0)
            for _ in segment.text
        ][GUTTER:]
        first, begun, second, shared, third, gap = (lightness[at] for at in (0, 4, 5, 9, 10, 12))
        assert len({first, begun, second, shared, gap}) == 5
        assert third == first
        assert [lightness.count(shade) for shade in (begun, shared, gap)] == [3, 1, 1]


async def test_a_theme_change_draws_other_colours():
    app = Shown("one two", Layers(chunks=layer((0, 7))))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        dark = [segment.style for segment in app.view.render_line(0)]
        app.theme = "textual-light"
        await pilot.pause()
        assert [segment.style for segment in app.view.render_line(0)] != dark


async def test_ascii_marks_replace_every_glyph():
    layers = Layers(
        chunks=layer((0, 7), (4, 13)),
        other=layer((0, 13), variant="B"),
        evidence=(EvidenceMark(Span(0, 13), "cut", (7,)),),
    )
    app = Shown("one two\nthree", layers, ascii_marks=True)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert all(app.row(y).isascii() for y in range(10))
        assert app.text(0) == "one two%"
        app.view.ascii_marks = False
        await pilot.pause()
        assert app.text(0) == "one two✂"


async def test_another_document_starts_at_its_start_without_layers():
    app = Shown(LINES, Layers(chunks=layer((0, 100))))
    async with app.run_test(size=(80, 10)) as pilot:
        await drag(pilot, (0, 0), (3, 0))
        await pilot.press("end")
        app.view.show_document(Document("other", "other text"))
        await pilot.pause()
        assert app.text(0) == "other text"
        assert app.row(0)[:GUTTER].strip() == ""
        assert app.view.cursor_offset == 0
        assert app.view.selected_text == ""
        assert app.view.describe() == "line 1"


async def test_an_empty_document_is_drawn():
    app = Shown("", Layers(chunks=layer()))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.press("down", "up", "left", "right", "pagedown", "pageup", "home", "end")
        await pilot.click(app.view, offset=(20, 3))
        assert app.view.cursor_offset == 0
        assert app.view.describe() == "line 1 · A: no chunks"


async def test_a_view_of_a_few_columns_is_drawn():
    app = Shown("港口 text\twith\u0301 tabs", Layers(chunks=layer((0, 5), (5, 14))))
    async with app.run_test(size=(10, 5)) as pilot:
        await pilot.pause()
        for width in (5, 3, 14, 30):
            await pilot.resize_terminal(width, 5)
            await pilot.pause()
            shown = app.view.scrollable_content_region.width
            assert app.view.render_line(0).cell_length == shown


async def test_every_strip_is_as_wide_as_the_view():
    text = "a\tb\r\n港口" * 40 + "e\u0301\x1b" + "👩‍👩‍👧" * 30 + "\n\u0301"
    evidence = (EvidenceMark(Span(0, 200), "cut", tuple(range(0, 200, 3))),)
    for wrap in (True, False):
        app = Shown(text, Layers(chunks=layer((0, 90), (70, 300)), evidence=evidence), wrap=wrap)
        async with app.run_test(size=(50, 20)) as pilot:
            await pilot.pause()
            width = app.view.scrollable_content_region.width
            for y in range(20):
                strip = app.view.render_line(y)
                assert strip.cell_length == width
                assert sum(segment.cell_length for segment in strip) == width


async def test_the_map_scrolls_the_view():
    app = Shown(LINES)
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        minimap = app.query_one(Minimap)
        await pilot.click(minimap, offset=(0, 10))
        await pilot.pause()
        assert 130 <= app.view.top_row <= 170
        await pilot.mouse_down(minimap, offset=(0, 10))
        await pilot.hover(minimap, offset=(0, 19))
        await pilot.mouse_up(minimap, offset=(0, 19))
        await pilot.pause()
        assert app.view.top_row == 280


async def test_the_map_shows_evidence_and_the_visible_part():
    evidence = (
        EvidenceMark(Span(3000, 3010), "cut", (3005,)),
        EvidenceMark(Span(6000, 6010), "not retrieved"),
    )
    app = Shown(LINES, Layers(evidence=evidence))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        minimap = app.query_one(Minimap)
        column = "".join(minimap.render_line(y).text[1] for y in range(20))
        assert column.strip() == "✂".ljust(column.index("○") - column.index("✂")) + "○"
        assert [minimap.render_line(y).text[0] for y in range(20)] == ["▐"] * 2 + [" "] * 18
        app.view.ascii_marks = True
        await pilot.pause()
        assert all(minimap.render_line(y).text.isascii() for y in range(20))


async def test_dragging_below_the_view_scrolls_it():
    app = Shown(LINES)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.mouse_down(app.view, offset=(GUTTER, 9))
        app.view.drag_to(Offset(GUTTER + 3, 12))
        app.view.scroll_drag()
        assert app.view.top_row == 3
        await pilot.mouse_up(app.view, offset=(GUTTER + 3, 9))
        await pilot.pause()
        start = LINES.index("line 9 ")
        assert app.view.selected_span.start == start
        assert app.view.selected_span.end > LINES.index("line 12 ")


async def test_without_colour_every_meaning_has_a_glyph(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    layers = Layers(
        chunks=layer((0, 4), (4, 7), (8, 13), altered=frozenset({2})),
        evidence=(EvidenceMark(Span(8, 10), "not retrieved"),),
    )
    app = Shown("one two\nthree", layers)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert app.no_color
        begun = [segment for segment in app.view.render_line(0) if segment.text == "t"]
        assert begun[0].style.reverse
        assert app.row(1).rstrip() == "  2    …~╶○ three"
