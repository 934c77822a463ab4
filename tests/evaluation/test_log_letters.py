"""The quick no never says no to a text that a looser tier finds."""

import random
import re
from pathlib import Path

import pytest

from chunkscope.evaluation.logletters import Letters
from chunkscope.golden.asking import find_everywhere
from chunkscope.golden.rendering import shown_document
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"

ALTERED = {
    "white space": lambda text: re.sub(r"\s+", " \n", text),
    "typography": lambda text: text.replace('"', "“").replace("-", "–").replace(" ", "\u00a0"),
    "case": str.upper,
    "hyphens": lambda text: re.sub(r"(\w{4})(\w{4})", "\\1-\n\\2", text, count=1),
}


@pytest.fixture(scope="module")
def corpus():
    return load_corpus([SAMPLES])


@pytest.mark.parametrize("name", [*ALTERED, "shown"])
def test_what_is_found_loosely_passes(corpus, name):
    letters = Letters(corpus)
    rng = random.Random(name)
    texts = []
    for _ in range(15):
        document = rng.choice(corpus.documents)
        text = document.text
        if name == "shown":
            text = shown_document(text, document.id).text.text
        at = rng.randrange(max(1, len(text) - 200))
        part = text[at : at + 200].strip()
        if part:
            texts.append(part if name == "shown" else ALTERED[name](part))
    found = {text for text, places in find_everywhere(texts, corpus).items() if places}
    assert found
    assert [text for text in found if not letters.may_hold(text)] == []


def test_a_text_that_stands_nowhere_is_refused(corpus):
    letters = Letters(corpus)
    assert not letters.may_hold("no harbour of these documents holds such a sentence")
    assert letters.may_hold(corpus.documents[0].text[:80])


def test_ligatures_entities_and_links():
    text = "See [the ofﬁce](http://x.y) &amp; *sign* in the har-\nbour [12]."
    letters = Letters(Corpus((Document("a.md", text),)))
    assert letters.may_hold("the office & sign in the harbour")
    assert letters.may_hold(text)
    assert not letters.may_hold("the office or sign in the harbour")
