"""Slides of a presentation: by a converter that plays its part, and by the real one."""

import importlib.util
import io
import json
from pathlib import Path

import pytest
from format_files import archive

from chunkscope.text.loading import converted as converted_module
from chunkscope.text.loading.converted import extract_converted
from chunkscope.text.loading.load import load_corpus

DECK = archive({"ppt/presentation.xml": ""})
MARK = "<!-- Slide number: {} -->"
FAKED = MARK.format(2)

real = pytest.mark.skipif(
    importlib.util.find_spec("markitdown") is None or importlib.util.find_spec("pptx") is None,
    reason="markitdown or python-pptx is not installed",
)


@pytest.fixture
def converts(tmp_path, monkeypatch):
    """What is made of a presentation that the converter answers this for."""
    monkeypatch.setattr(converted_module, "package_version", lambda _: "9.9")

    def convert(**answer):
        worker = tmp_path / "worker.py"
        worker.write_text(f"import sys\nsys.stdin.buffer.read()\nprint({json.dumps(answer)!r})\n")
        return extract_converted(DECK, "pptx", worker=worker)

    return convert


def test_slides_are_places_and_text_stays_as_converted(converts):
    text = f"{MARK.format(1)}\n# Tides [/b]\u202e\x1b[0m\nlow\n\n{MARK.format(2)}\n# Fees\nsix"
    extracted = converts(text=text, slides=2)
    assert extracted.text == text
    named = [(part.name, text[part.start : part.end]) for part in extracted.origin.parts]
    assert named == [
        ("slide 1", f"{MARK.format(1)}\n# Tides [/b]\u202e\x1b[0m\nlow\n\n"),
        ("slide 2", f"{MARK.format(2)}\n# Fees\nsix"),
    ]
    start = text.index("six")
    assert extracted.origin.place(start, start + 3) == "slide 2"
    assert extracted.origin.short_place(0, len(text)) == "slide 1–2"


@pytest.mark.parametrize(
    ("marks", "slides"),
    [([1, 2], 1), ([1, 2], 3), ([1, 2, 2], 2), ([2, 3], 2), ([2], 1), ([], 1)],
)
def test_a_slide_that_holds_such_a_mark_makes_none_up(converts, marks, slides):
    text = "\n".join(f"{MARK.format(mark)}\nwords" for mark in marks) or "words"
    extracted = converts(text=text, slides=slides)
    assert (extracted.text, extracted.origin.parts) == (text, ())
    assert extracted.origin.place(0, 5) == ""


def deck(*slides: tuple[str, str, str]) -> bytes:
    """A presentation of slides with title, body and notes."""
    from pptx import Presentation

    made = Presentation()
    for title, body, notes in slides:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def only_document(folder: Path):
    (document,) = load_corpus([folder]).documents
    return document


@real
def test_a_real_presentation(tmp_path):
    slides = (
        ("Tides", "High water comes at nine.", "Ask the pilot."),
        ("Fees [/b] \u202e", "A ticket costs six euros.", ""),
        ("Locks", "The upper lock closes at dusk.", "The keeper has a spare key."),
    )
    (tmp_path / "talk.pptx").write_bytes(deck(*slides))
    document = only_document(tmp_path)
    assert document.encoding == "pptx"
    for number, slide in enumerate(slides, 1):
        for part in filter(None, slide):
            start = document.text.index(part.strip())
            assert document.place(start, start + len(part.strip())) == f"slide {number}"
    assert document.short_place(0, len(document.text)) == "slide 1–3"
    assert [title for _, title, *_ in document.origin.headings][:2] == ["Tides", "Notes:"]


@real
def test_a_real_slide_that_holds_a_mark(tmp_path):
    (tmp_path / "talk.pptx").write_bytes(deck(("One", FAKED, "")))
    document = only_document(tmp_path)
    assert FAKED in document.text
    assert document.place(0, len(document.text)) == ""
    assert not document.has_places
