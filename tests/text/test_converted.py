import importlib.util
import io
import random

import pytest
from format_files import archive, epub, xlsx

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.text.headings import headings
from chunkscope.text.loading import converted as converted_module
from chunkscope.text.loading import packed
from chunkscope.text.loading.converted import check_archive, extract_converted
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.tables import tables

BOOK = archive({"xl/workbook.xml": ""})


def needs(package):
    return pytest.mark.skipif(
        importlib.util.find_spec(package) is None, reason=f"{package} is not installed"
    )


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(converted_module, "package_version", lambda _: "9.9")


@pytest.fixture
def worker(tmp_path, installed):
    """Makes a worker of this code, which gets the ending as an argument and the file on stdin."""

    def make(code):
        path = tmp_path / "worker.py"
        path.write_text(f"import json, sys\nending = sys.argv[1]\n{code}\n")
        return path

    return make


def answering(worker, text):
    return worker(f"sys.stdin.buffer.read()\nprint(json.dumps({{'text': {text!r}}}))")


def places(extracted):
    return [(part.name, extracted.text[part.start : part.end]) for part in extracted.origin.parts]


# --- what is made of the answer ------------------------------------------------------------------


def test_slides_are_parts_and_their_titles_headings(worker):
    text = (
        "<!-- Slide number: 1 -->\n# Tides\nlow\n\n<!-- Slide number: 2 -->\n# Fees\n"
        "### Notes:\nask"
    )
    extracted = extract_converted(BOOK, "pptx", worker=answering(worker, text))
    assert extracted.text == text
    assert places(extracted) == [
        ("slide 1", "<!-- Slide number: 1 -->\n# Tides\nlow\n\n"),
        ("slide 2", "<!-- Slide number: 2 -->\n# Fees\n### Notes:\nask"),
    ]
    found = headings(text, document_id="a.pptx", origin=extracted.origin)
    assert [(one.level, one.title) for one in found] == [(1, "Tides"), (1, "Fees"), (3, "Notes:")]
    assert extracted.notes == (
        "a presentation read by markitdown 9.9: offsets refer to the extracted text",
    )


def test_slides_out_of_order_are_not_guessed(worker):
    text = "<!-- Slide number: 1 -->\na\n<!-- Slide number: 1 -->\n<!-- Slide number: 2 -->\nb"
    extracted = extract_converted(BOOK, "pptx", worker=answering(worker, text))
    assert (extracted.origin.parts, extracted.origin.place(0, 9)) == ((), "")


def test_rows_of_a_sheet_are_lines_counted_as_the_sheet_counts_them(worker):
    sheets = [
        ["Fees", [[3, ["Berth", "Fee"]], [4, ["North", "4"]], [7, ["", "5"]]]],
        ["Blank", []],
        ["Own, row 1", [[1, ["x"]]]],
    ]
    made = worker(f"sys.stdin.buffer.read()\nprint(json.dumps({{'sheets': {sheets!r}}}))")
    extracted = extract_converted(BOOK, "xlsx", worker=made)
    assert extracted.text == "Fees\nBerth\tFee\nNorth\t4\n\t5\n\nOwn, row 1\nx"
    assert places(extracted) == [
        ("sheet 'Fees'", "Fees"),
        ("sheet 'Fees', row 3", "Berth\tFee"),
        ("sheet 'Fees', row 4", "North\t4"),
        ("sheet 'Fees', row 7", "\t5"),
        ("sheet 'Own, row 1'", "Own, row 1"),
        ("sheet 'Own, row 1', row 1", "x"),
    ]
    assert extracted.notes == (
        "a workbook read by openpyxl 9.9: offsets refer to the extracted text",
        "formulas are their saved values",
    )
    start = extracted.text.index("North")
    assert extracted.origin.place(start, start + 5) == "sheet 'Fees', row 4"
    found = headings(extracted.text, document_id="a.xlsx", origin=extracted.origin)
    assert [one.title for one in found] == ["Fees", "Own, row 1"]
    first, second = tables(extracted.text, document_id="a.xlsx", origin=extracted.origin)
    assert (first.header, extracted.text[first.body : first.end]) == (
        "Berth\tFee", "North\t4\n\t5",
    )  # fmt: skip
    assert second.header == "x"


def test_sections_of_a_book(worker):
    text = "**Title:** Port\n\n## One\n\na\n\n### Deep\n\n## Two\n\nb"
    extracted = extract_converted(BOOK, "epub", worker=answering(worker, text))
    assert [name for name, _ in places(extracted)] == ["section 'One'", "section 'Two'"]
    assert extracted.origin.place(0, 4) == ""
    assert extracted.origin.place(text.index("Deep"), text.index("Deep") + 4) == "section 'One'"
    bare = extract_converted(BOOK, "epub", worker=answering(worker, "no heading"))
    assert bare.origin.parts == ()


# --- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('{}'[:1])", "a workbook that takes too much memory or time to convert"),
        ("sys.exit(9)", "a workbook that takes too much memory or time to convert"),
        (
            "print(json.dumps({'error': 'KeyError: \\x1b[31m\\nno'}))",
            "a workbook that openpyxl cannot read: KeyError: ␛[31m␊no",
        ),
        (
            "print(json.dumps({'error': 'x', 'missing': True}))",
            "a workbook: pip install 'chunkscope[xlsx]' reads it, or save its sheets as CSV",
        ),
        (
            "print(json.dumps({'error': 'MissingDependencyException: x'}))",
            "a workbook: pip install 'chunkscope[xlsx]' reads it, or save its sheets as CSV",
        ),
        ("print(json.dumps({'text': ' '}))", "a workbook without text"),
        ("print(json.dumps({'text': 3}))", "a workbook without text"),
    ],
)
def test_whatever_the_worker_does_is_one_reason(worker, code, reason):
    with pytest.raises(DecodeError) as error:
        extract_converted(BOOK, "xlsx", worker=worker(code))
    assert str(error.value) == reason


def test_a_conversion_that_takes_too_long_is_ended(worker):
    path = worker("sys.stdin.read()\nwhile True:\n    pass")
    clock = iter(range(0, 1000, 20))
    with pytest.raises(DecodeError, match=r"^an EPUB that takes too long to convert$"):
        extract_converted(BOOK, "epub", worker=path, seconds=30, now=lambda: next(clock))


def test_a_conversion_can_be_cancelled(worker):
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        extract_converted(BOOK, "epub", worker=worker("while True:\n    pass"), cancel=token)


@pytest.mark.parametrize("reads", [True, False])
def test_a_large_file_is_no_deadlock_whether_it_is_read_or_not(worker, reads):
    # It begins to read after the first looks at the clock, and answers with much, too.
    code = (
        "import time\nuntil = time.monotonic() + 0.5\nwhile time.monotonic() < until:\n    pass\n"
        f"size = len(sys.stdin.buffer.read()) if {reads} else 7\n"
        "print(json.dumps({'text': f'{size} ' + 'x' * 1_000_000}))"
    )
    large = archive({"xl/workbook.xml": random.Random(0).randbytes(3_000_000)})
    extracted = extract_converted(large, "epub", worker=worker(code))
    assert extracted.text == f"{len(large) if reads else 7} " + "x" * 1_000_000


def test_bombs_are_refused_before_anything_is_unpacked(monkeypatch):
    check_archive(archive({"a": "text"}))
    with pytest.raises(DecodeError, match=r"^b unpacks to 20,000,000 bytes from .*: more than is"):
        check_archive(archive({"a": "x", "b": b"0" * 20_000_000}))
    monkeypatch.setattr(converted_module, "MAX_BYTES", 30)
    with pytest.raises(DecodeError, match=r"^an archive that unpacks to 40 bytes: more than is"):
        check_archive(archive({"a": "0" * 20, "b": "1" * 20}))
    monkeypatch.setattr(converted_module, "MAX_PARTS", 1)
    with pytest.raises(DecodeError, match=r"^an archive of 2 parts: more than is read$"):
        check_archive(archive({"a": "0", "b": "1"}))
    with pytest.raises(DecodeError, match=r"^a damaged or truncated zip archive: "):
        check_archive(BOOK[:-30])
    monkeypatch.setattr(packed, "MAX_BYTES", 1)
    with pytest.raises(DecodeError, match="more than is read"):
        check_archive(archive({"a": "00"}))


def test_what_is_missing_is_named_and_the_rest_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(converted_module, "package_version", lambda _: None)
    files = {
        "a.txt": b"a",
        "b.xlsx": BOOK,
        "c.pptx": archive({"ppt/presentation.xml": ""}),
        "d.epub": archive({"META-INF/container.xml": ""}),
        "e.epub": b"",
        "f.pptx": b"<html>",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    corpus = load_corpus([tmp_path])
    assert [one.id for one in corpus.documents] == ["a.txt"]
    missing = "pip install 'chunkscope[markitdown]' reads it"
    assert {one.path: one.reason for one in corpus.skipped} == {
        "b.xlsx": "a workbook: pip install 'chunkscope[xlsx]' reads it, or save its sheets as CSV",
        "c.pptx": f"a presentation: {missing}, or save it as PDF",
        "d.epub": f"an EPUB: {missing}",
        "e.epub": "named .epub but empty",
        "f.pptx": "named .pptx but an HTML page inside; rename it",
    }


# --- the real converter --------------------------------------------------------------------------


@needs("openpyxl")
def test_a_real_workbook(tmp_path):
    rows = [[], [], ["Berth", "Fee"], ["North  quay", 4], [], [None, 5, None]]
    (tmp_path / "fees.xlsx").write_bytes(xlsx(Fees=rows, None_here=[[]], Two=[["x\ny"]]))
    (tmp_path / "cut.xlsx").write_bytes(BOOK[:-9])
    (tmp_path / "hollow.xlsx").write_bytes(BOOK)
    corpus = load_corpus([tmp_path])
    (document,) = corpus.documents
    assert document.encoding == "xlsx"
    assert document.text == "Fees\nBerth\tFee\nNorth quay\t4\n\t5\n\nTwo\nx y"
    for part, place in (
        ("North", "sheet 'Fees', row 4, column A"), ("North quay\t4", "sheet 'Fees', row 4"),
        ("5", "sheet 'Fees', row 6, column B"), ("x", "sheet 'Two', row 1, column A"),
    ):  # fmt: skip
        start = document.text.index(part)
        assert document.place(start, start + len(part)) == place
    reasons = {one.path: one.reason for one in corpus.skipped}
    assert reasons["cut.xlsx"].startswith("a damaged or truncated zip archive")
    assert reasons["hollow.xlsx"].startswith("a workbook that openpyxl cannot read: ")


@needs("openpyxl")
def test_values_of_a_workbook_are_shown_as_a_person_reads_them():
    import datetime

    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "A"
    day = datetime.datetime(2024, 5, 6)
    book.active.append([True, 2.0, 2.5, day, day.replace(hour=7), "a\tb", "=1+1", 1e300])
    out = io.BytesIO()
    book.save(out)
    extracted = extract_converted(out.getvalue(), "xlsx")
    assert extracted.text == "A\nTRUE\t2\t2.5\t2024-05-06\t2024-05-06 07:00:00\ta b\t\t1e+300"


@needs("markitdown")
def test_a_real_book_and_damaged_files(tmp_path):
    whole = epub("<h1>One</h1><p>Low at six.</p>", "<h1>Two</h1><p>High.</p>")
    files = {
        "a.epub": whole,
        "cut.epub": whole[:-30],
        "no_parts.epub": archive({"META-INF/container.xml": "<x/>"}),
        "bomb.epub": archive(
            {
                "META-INF/container.xml": '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
                "<container>&b;</container>"
            }
        ),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    corpus = load_corpus([tmp_path])
    (document,) = corpus.documents
    start = document.text.index("High")
    assert document.place(start, start + 4) == "section 'Two'"
    reasons = {one.path: one.reason for one in corpus.skipped}
    assert reasons.pop("cut.epub").startswith("a damaged or truncated zip archive")
    assert sorted(reasons) == ["bomb.epub", "no_parts.epub"]
    for reason in reasons.values():
        assert " that markitdown cannot read: " in reason
        assert "\n" not in reason
