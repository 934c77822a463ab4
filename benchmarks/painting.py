"""The document view and Textual's TextArea on the same texts, side by side, headless.

Run: python benchmarks/painting.py [--no-textarea]

Mounting is from the call to the first finished paint; a page is one page-down, painted; a
restyle is other chunks over the same text, painted; a resize is every row wrapped anew.
TextArea shows no chunks; it is measured with plain text.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable

import numpy as np
from rich.console import Console
from rich.table import Table
from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import TextArea

from chunkscope.text.document import Document
from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceMark, Layers
from chunkscope.tui.widgets.document_view import DocumentView

SIZE = (120, 40)
PAGES = 20

PROSE = "The harbour master signs for the cargo before the crane is moved again. "
TEXTS = {
    "100,000 lines": "\n".join(f"{line:06} {PROSE[:41]}" for line in range(100_000)),
    "one line of 1 MB": (PROSE * 14_000)[:1_000_000],
    "one line of 1 MB, tabs": ("4711\tcargo\tcrane " * 60_000)[:1_000_000],
    "200,000 CJK, no space": "港口很安静船长在睡觉灯塔在闪光" * 13_334,
    "5 MB prose": ((PROSE * 9 + "\n\n") * 8_000)[:5_000_000],
    "5 MB CJK": ("港口很安静。船长在睡觉，灯塔在闪光。" * 30 + "\n") * 9_000,
}


def layers(text: str, size: int) -> Layers:
    """Chunks of `size` with a tenth of overlap, and evidence every 40th."""
    starts = np.arange(0, max(1, len(text)), size - size // 10, dtype=np.int64)
    ends = np.minimum(starts + size, len(text))
    marks = tuple(
        EvidenceMark(Span(start, min(start + 90, len(text))), "cut", (start + 40,))
        for start in starts[::40].tolist()[:50]
    )
    chunks = ChunkLayer("A", starts, ends, tokens=(ends - starts) // 4)
    return Layers(chunks=chunks, other=ChunkLayer("B", starts, ends), evidence=marks)


async def timed(pilot: Pilot[None], act: Callable[[], object]) -> float:
    """Milliseconds from the act to the finished paint."""
    start = time.perf_counter()
    result = act()
    if isinstance(result, Awaitable):
        await result
    await pilot.pause(0)
    return (time.perf_counter() - start) * 1000


async def ours(text: str) -> dict[str, float]:
    app: App[None] = App()
    async with app.run_test(size=SIZE) as pilot:
        first, second = layers(text, 1000), layers(text, 700)

        def mount() -> object:
            view = DocumentView(Document("text", text))
            view.show_layers(first)
            return app.mount(view)

        found = {"mount": await timed(pilot, mount)}
        view = app.query_one(DocumentView)
        view.focus()
        found |= await pages(pilot, view, lambda: view.action_cursor_pages(1))
        found["restyle"] = await timed(pilot, lambda: view.show_layers(second))
        found["resize"] = await timed(pilot, lambda: pilot.resize_terminal(100, 40))
    return found


async def textarea(text: str) -> dict[str, float]:
    app: App[None] = App()
    async with app.run_test(size=SIZE) as pilot:
        found = {
            "mount": await timed(
                pilot, lambda: app.mount(TextArea(text, read_only=True, show_line_numbers=True))
            )
        }
        area = app.query_one(TextArea)
        found |= await pages(pilot, area, area.action_cursor_page_down, 3)
    return found


async def pages(
    pilot: Pilot[None], widget: Widget, turn: Callable[[], object], count: int = PAGES
) -> dict[str, float]:
    times = sorted([await timed(pilot, turn) for _ in range(count)])
    widget.scroll_end(animate=False)
    await pilot.pause(0)
    return {"page": times[len(times) // 2], "page p95": times[int(len(times) * 0.95)]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-textarea", action="store_true", help="measure the view alone")
    arguments = parser.parse_args()
    table = Table(title=f"milliseconds at {SIZE[0]}×{SIZE[1]}")
    for column in ("text", "mount", "page", "page p95", "restyle", "resize"):
        table.add_column(column, justify="left" if column == "text" else "right")
    if not arguments.no_textarea:
        for column in ("TextArea", "page", "× mount", "× page"):
            table.add_column(column, justify="right")
    console = Console(width=112)
    for name, text in TEXTS.items():
        mine = asyncio.run(ours(text))
        row = [name, *(f"{mine[key]:.0f}" for key in ("mount", "page", "page p95"))]
        row += [f"{mine[key]:.0f}" for key in ("restyle", "resize")]
        if not arguments.no_textarea:
            theirs = asyncio.run(textarea(text))
            row += [f"{theirs['mount']:.0f}", f"{theirs['page']:.0f}"]
            row += [f"{theirs[key] / mine[key]:.0f}" for key in ("mount", "page")]
        table.add_row(*row)
        console.print(f"{name} measured", style="dim")
    console.print(table)


if __name__ == "__main__":
    main()
