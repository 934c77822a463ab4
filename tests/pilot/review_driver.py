"""The review on its own, driven by keys, over two documents and a small generated set."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inspector_driver import HARBOUR, LIGHTS, MOST_SECONDS, Driver, Heard
from textual.widgets import TextArea

from chunkscope.golden.model import Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.reviewfile import ReviewFile
from chunkscope.golden.reviewing import Reviewer
from chunkscope.golden.writing import format_line
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.lanes import Inline
from chunkscope.tui.reviewing import ReviewApp
from chunkscope.tui.screens.review.screen import ReviewScreen
from chunkscope.tui.screens.review.span import SpanScreen

AT = "2026-03-04T05:06:07Z"
CORPUS = Corpus((Document("harbour.md", HARBOUR), Document("lights.txt", LIGHTS)))


def reviewer() -> Reviewer:
    """Ada, always at the same second."""
    return Reviewer("ada", lambda: datetime.fromisoformat(AT).astimezone(UTC))


def generated(
    id: str,
    question: str,
    texts: Sequence[str],
    *,
    doc: str = "harbour.md",
    text: str = HARBOUR,
    answer: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A line as a generator writes it; each text where it first stands."""
    starts = [text.index(each) for each in texts]
    made: dict[str, Any] = {"id": id, "question": question, "doc": doc}
    made["evidence"] = [
        {"text": each, "start": start, "end": start + len(each)}
        for each, start in zip(texts, starts, strict=True)
    ]
    if answer is not None:
        made["answer"] = answer
    scores = {"groundedness": 5, "relevance": 4, "quality": 3}
    kept = {"model": "m-1", "seed": 0, "scores": scores, "reviewed": False, **more}
    return {**made, "type": "fact", "generated": kept}


DEEP, BUOY, STEPS = (
    "The largest draught is nine metres.",
    "Pilots board at the outer buoy.",
    "ninety",
)
LINES: tuple[dict[str, Any], ...] = (
    generated("g1", "How deep may a ship lie?", [DEEP], answer="Nine metres.",
              reason="Asked as a captain would."),
    {"id": "own", "question": "Is water free?", "doc": "harbour.md",
     "evidence": [{"text": "Water is free of charge."}]},
    generated("g2", "Where do the pilots board?", [BUOY]),
    generated("g3", "How many steps has the tower?", [STEPS], doc="lights.txt", text=LIGHTS),
)  # fmt: skip


def write_lines(path: Path, lines: Sequence[dict[str, Any]] = LINES) -> bytes:
    """Write a golden set; gives its bytes."""
    from chunkscope.golden.reading import question_from_mapping

    text = "".join(f"{format_line(question_from_mapping(line))}\n" for line in lines)
    path.write_bytes(text.encode())
    return path.read_bytes()


class Review(Driver):
    """What a test does and sees of a review."""

    @property
    def screen(self) -> ReviewScreen:
        """The review."""
        return next(s for s in self.app.screen_stack if isinstance(s, ReviewScreen))

    @property
    def span(self) -> SpanScreen:
        """The text in which a span is set."""
        screen = self.app.screen
        assert isinstance(screen, SpanScreen)
        return screen

    @property
    def shown(self) -> str:
        """Id of the question that is shown."""
        return self.screen.question.id

    @property
    def failures(self) -> list[BaseException | None]:
        """Defects that the review met and told its user of."""
        return [f for s in self.app.screen_stack if isinstance(s, ReviewScreen) for f in s.failures]

    async def press(self, *keys: str) -> None:
        """Press keys, then wait for what follows from them."""
        for key in keys:
            await self.pilot.press(key)
            await self.until(lambda: not self.at_work, "flags")

    async def fill(self, selector: str, text: str) -> None:
        """Put a text in place of what stands in a field of the form."""
        self.app.screen.query_one(selector, TextArea).text = text
        await self.pilot.pause()


@asynccontextmanager
async def reviewed(
    path: Path,
    *,
    corpus: Corpus = CORPUS,
    size: tuple[int, int] = (120, 40),
    everything: bool = False,
    ascii_marks: bool = False,
    theme: str | None = None,
) -> AsyncIterator[Review]:
    """A review of the golden set at a path, its flags found."""
    screen = ReviewScreen(
        ReviewFile(path, reviewer()),
        corpus,
        everything=everything,
        ascii_marks=ascii_marks,
        executor=Inline(),
        debounce=at_once,
    )
    app = ReviewApp(screen, ascii_marks=ascii_marks, theme=theme)
    app.NOTIFICATION_TIMEOUT = MOST_SECONDS  # type: ignore[misc]
    heard = Heard()
    async with app.run_test(size=size, notifications=True, message_hook=heard.hear) as pilot:
        driver = Review(app, pilot, heard)  # type: ignore[arg-type]
        await driver.until(lambda: not driver.at_work, "flags")
        yield driver
        if app.is_running:
            assert driver.failures == []


async def at_once() -> None:
    """No debounce."""


def question(path: Path, id: str) -> Question:
    """The question of that id in a golden set."""
    return next(each for each in read_golden(path).questions if each.id == id)


def ids(path: Path) -> list[str]:
    """Ids in a golden set, in order."""
    return [each.id for each in read_golden(path).questions]


def spans(found: Question) -> list[Span]:
    """Where the evidence of a question is said to stand."""
    return [Span(item.start or 0, item.end or 0) for item in found.evidence]


def held(path: Path) -> bytes:
    """What a file holds."""
    return path.read_bytes()
