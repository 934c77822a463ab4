"""The report: self-contained, escaped, readable without its script, worked by it in a browser."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest

from chunkscope.cli.main import main
from chunkscope.report.markup import literal, running
from chunkscope.report.pairs import pair_differences, pair_table

HOSTILE = '<script>document.title="owned"</script><img src=x onerror=alert(1)> </style></script>'
NAME = "a<b>&\"'.txt"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report over hostile documents, names and questions, and its text."""
    folder = tmp_path_factory.mktemp("report")
    docs = folder / "docs"
    docs.mkdir()
    rules = [f"Rule {n}. Boat {n} leaves pier {n * 7} at hour {n}. {HOSTILE}" for n in range(12)]
    text = "\n\n".join(rules) + "\n\x1b[31m\u202ereversed\ud800".encode(
        "utf-8", "surrogatepass"
    ).decode("utf-8", "surrogatepass")
    (docs / NAME).write_bytes(text.encode("utf-8", "surrogatepass"))
    golden = folder / "golden.jsonl"
    with golden.open("w") as stream:
        for n in range(12):
            line = {
                "id": f"q{n}<i>", "question": f"When does boat {n} leave pier {n * 7}? {HOSTILE}",
                "doc": NAME,
                "evidence": [{"text": f"Boat {n} leaves pier {n * 7} at hour {n}. {HOSTILE}"}],
            }  # fmt: skip
            stream.write(json.dumps(line) + "\n")
        missing = {
            "id": "lost",
            "question": "Where?",
            "doc": NAME,
            "evidence": [{"text": HOSTILE + "x"}],
        }
        stream.write(json.dumps(missing) + "\n")
    out = folder / "report.html"
    arguments = [
        "report", str(docs), "--golden", str(golden), "--out", str(out), "--size", "60",
        "--overlap", "0", "--unit", "characters", "--k", "1", "--sizes", "60,160",
        "--overlaps", "0,20", "--title", f"T {HOSTILE}",
    ]  # fmt: skip
    assert main(arguments) == 0
    return out, out.read_text(encoding="utf-8")


class Elements(HTMLParser):
    """Every element with its attributes, text outside script and style, and the nesting checked."""

    VOID = frozenset({"meta", "input", "line", "polygon", "circle", "rect", "br"})

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.open, self.text = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)


def test_every_element_is_ours_closed_and_loads_nothing(page):
    elements = Elements(page[1])
    assert elements.open == []
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"img", "iframe", "link", "object", "embed", "i", "b", "base", "video"}
    assert [tag for tag, _ in elements.found].count("script") == 1
    for tag, attributes in elements.found:
        assert not any(name.startswith("on") for name in attributes), tag
        assert not {"src", "style", "action", "srcset", "formaction"} & set(attributes), tag
        assert attributes.get("href", "#main") == "#main"
    style = re.search(r"<style>(.*?)</style>", page[1], re.S).group(1)
    assert "url(" not in style
    assert "@import" not in style


def test_hostile_text_is_shown_as_it_is(page):
    text = "".join(Elements(page[1]).text)
    assert HOSTILE in text
    assert "q3<i>" in text
    assert NAME in text
    assert f"T {HOSTILE}" in text
    assert "\x1b" not in page[1]
    assert "\u202e" not in page[1]


def test_a_policy_allows_its_own_script_and_style_only(page):
    elements = Elements(page[1])
    policy = next(
        attributes["content"] for tag, attributes in elements.found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2


def test_it_reads_without_its_script(page):
    text = " ".join("".join(Elements(page[1]).text).split())
    for heading in ("Advice", "Sweep", "A against B", "Why A fails", "Questions", "In the text"):
        assert heading in text
    assert "recursive 60/0 characters" in text
    assert "13 questions" in text or "13: 12 measured, 1 unmeasured" in text
    assert "beyond noise" in text
    assert "✂" in text
    filters = [a for tag, a in Elements(page[1]).found if a.get("id") == "filters"]
    assert "hidden" in filters[0]


def test_tables_and_pictures_can_be_heard(page):
    elements = Elements(page[1])
    assert elements.found[0] == ("html", {"lang": "en"})
    tags = [tag for tag, _ in elements.found]
    assert tags.count("table") == tags.count("caption") == 4
    assert all("scope" in attributes for tag, attributes in elements.found if tag == "th")
    (svg,) = [attributes for tag, attributes in elements.found if tag == "svg"]
    assert svg["role"] == "img"
    assert svg["aria-labelledby"] == "plot-title plot-text"
    assert {"title", "desc", "main", "h1"} <= set(tags)
    assert tags.count("h1") == 1


def test_the_plot_has_a_point_an_interval_and_a_bar_a_row(page):
    classes = [attributes.get("class") for tag, attributes in Elements(page[1]).found if tag in
               ("circle", "line", "polygon", "rect")]  # fmt: skip
    assert classes.count("recall") == 4
    assert classes.count("error") == 12
    assert classes.count("coverage") == 4
    assert len([css for css in classes if css and css.startswith("cost")]) == 4


def test_pairs_of_rows_are_told_apart_or_called_noise():
    class Row:
        def __init__(self, recall):
            self.judged_recall = np.array(recall)
            self.label = "<row>"

    same = [1.0] * 30 + [0.0] * 30
    rows = (Row(same), Row(same), Row([1.0] * 55 + [0.0] * 5), Row([1.0] * 32 + [0.0] * 28))
    sweep = SimpleNamespace(rows=rows, compared=(0, 1, 2, 3))
    found = pair_differences(sweep)
    assert found[0, 2].mean == pytest.approx(25 / 60)
    assert found[2, 0].mean == pytest.approx(-25 / 60)
    assert (found[2, 0].low, found[2, 0].high) == (-found[0, 2].high, -found[0, 2].low)
    cells = re.findall(r"<td[^>]*>(?:<span[^>]*>)*([^<]*)", pair_table(sweep))
    assert cells[:4] == ["·", "same", "-0.417", "noise"]
    assert cells[8:12] == ["+0.417", "+0.417", "·", "+0.383"]
    assert pair_table(SimpleNamespace(rows=rows, compared=(0,))) == ""


def test_every_question_has_a_line_that_the_filters_know(page):
    rows = [attributes for tag, attributes in Elements(page[1]).found
            if tag == "tr" and "data-change" in attributes]  # fmt: skip
    assert len(rows) == 13
    assert {row["data-change"] for row in rows} <= {
        "won", "lost", "same", "unmeasured", "unanswerable"}  # fmt: skip
    assert sum(row["data-signature"] == "unmeasured" for row in rows) == 1


def test_literal_and_running_text():
    assert literal("<a href='x'>&\n\x00") == "&lt;a href=&#x27;x&#x27;&gt;&amp;␊␀"
    assert running("a\n<b") == 'a<span class="mark">↵</span>\n&lt;b'


@pytest.fixture(scope="module")
def browser():
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser is installed: one of {', '.join(BROWSERS)}")
    return found


def dumped(browser, file, profile, *flags):
    """The document as the browser has it after its script ran."""
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", f"--user-data-dir={profile}", *flags, "--dump-dom", file.as_uri()],
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")


def test_a_browser_runs_its_script_and_none_of_the_documents(page, browser, tmp_path):
    dom = dumped(browser, page[0], tmp_path / "profile")
    assert 'id="shown">13 of 13 questions</output>' in dom
    assert not re.search(r'<form id="filters"[^>]*\bhidden', dom)
    title = re.search(r"<title>(.*?)</title>", dom, re.S).group(1)
    assert title.startswith("T &lt;script&gt;")
    assert "<img" not in dom


def test_a_filter_hides_what_does_not_match(page, browser, tmp_path):
    # The policy lets no other script in, so the filter is set where the page is made.
    text = page[1].replace('<option value="">all</option><option>won', '<option value="">all'
                           "</option><option selected>won")  # fmt: skip
    won = text.count('data-change="won"') - text.count('<details data-change="won"')
    assert 0 < won < 13
    changed = tmp_path / "filtered.html"
    changed.write_text(text, encoding="utf-8")
    dom = dumped(browser, changed, tmp_path / "profile")
    assert f'id="shown">{won} of 13 questions</output>' in dom
