"""One-line fields with characters that a terminal would act on."""

from textual.app import App, ComposeResult

from chunkscope.tui.widgets.field import Field


class OneField(App[None]):
    CSS = "Field { width: 20; }"

    def compose(self) -> ComposeResult:
        yield Field(compact=True)


async def test_the_cursor_is_seen_at_the_end_of_a_long_text() -> None:
    app = OneField()
    async with app.run_test() as pilot:
        field = app.query_one(Field)
        field.value = "\x1b" * 50_000 + "end"
        field.cursor_position = len(field.value)
        await pilot.pause()
        strip = field.render_line(0)
        assert strip.text == "␛" * 16 + "end "
        assert strip.cell_length == 20
        field.cursor_position = 0
        await pilot.pause()
        assert field.render_line(0).text == "␛" * 20


async def test_plain_text_is_drawn_as_ever() -> None:
    app = OneField()
    async with app.run_test() as pilot:
        field = app.query_one(Field)
        field.value = "plain"
        await pilot.pause()
        assert field.render_line(0).text.strip() == "plain"
