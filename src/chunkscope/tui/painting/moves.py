"""Where the cursor goes: by characters with all that joins them, and by rows."""

from chunkscope.tui.painting.page import Page


def next_character(page: Page, offset: int) -> int:
    """The character after the one at `offset`; a line end is one."""
    rows, columns = page.rows, page.columns
    row = rows.row_of(offset)
    if offset >= rows.content(row).end:
        return rows.span(row).end
    return columns.hit(row, columns.column_of(row, offset)).end


def previous_character(page: Page, offset: int) -> int:
    """The character before the one at `offset`; a line end is one."""
    rows, columns = page.rows, page.columns
    row = rows.row_of(offset)
    if offset > rows.span(row).start:
        column = columns.column_of(row, offset)
    elif row > 0:
        row -= 1
        if rows.content(row).end < rows.span(row).end:
            return rows.content(row).end
        column = columns.end_column(row)
    else:
        return 0
    found = offset
    # A scissors is a column without a character.
    while found >= offset and column > 0:
        column -= 1
        found = columns.hit(row, column).start
    return found


def in_row(page: Page, row: int, column: int) -> int:
    """The character of the row at this column, or its last place."""
    rows, columns = page.rows, page.columns
    row = max(0, min(row, len(rows) - 1))
    offset = columns.hit(row, column).start
    span, content = rows.span(row), rows.content(row)
    if offset >= content.end == span.end and offset > span.start and row < len(rows) - 1:
        # Past the end of a wrapped row the next row begins.
        return previous_character(page, offset)
    return offset
