"""Each target's export, run on its real package, beside the chunks that are measured on."""

from dataclasses import replace

import pytest
from batch import cut_as_measured, cut_by_exports, needs
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import PRESETS, check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export.proof import Mismatch, verify
from chunkscope.export.refusals import no_such_splitter
from chunkscope.export.running import run_split
from chunkscope.export.targets import export, get_target
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

CODE = ("langchain", "llama-index", "haystack", "chonkie")

MARKDOWN = """\
# Harbour

Pilots board at the outer buoy. The "signal" is \\Delta.

## Limits

| berth | draught |
|---|---|
| 1 | 9.5 m |

```python
# no heading
def moor(line): return "fast"
```

# Tides
Low at six; high at noon.
"""
TEXTS = {
    "prose.txt": "The tug left at dawn. It came back at dusk, empty.\n\nNobody asked why. " * 7,
    "markdown.md": MARKDOWN * 3,
    "cjk.md": "# 港\n田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。\n" * 6,
    "crlf.txt": "One line.\r\n\r\nAnother, after a blank one; it goes on and on.\r\n" * 6,
    "quotes.txt": "path\\to\\it \"quoted\" and 'single' \xa0 e\u0301 \U0001f468\u200d\U0001f469 "
    * 6,
    "special.txt": "The token <|endoftext|> ends it. <|fim_prefix|> does not.\n" * 6,
    "symbols.txt": "\x1b[0m\x00\ufeff tab\there\x0cform feed\u2028line " * 5,
    "blank.txt": " \n\t \n\n",
    "empty.txt": "",
}
HALVES = "half \ud83d a pair, \ude00 the other, both \ud83d\ude00 apart. " * 6
SEPARATORS = ("\n\n", "\r\n", "\n", "。", '"', "\\", "'", "\xa0", ". ", " ", "")


def documents(target: str) -> Corpus:
    texts = dict(TEXTS)
    if not get_target(target).utf8:
        texts["halves.txt"] = HALVES
    return Corpus(tuple(Document(name, text) for name, text in sorted(texts.items())))


def splitter(kind: str = "recursive", size: int = 24, overlap: int | str = 5, **rest: object):
    return SplitterSettings(kind=kind, size=size, overlap=overlap, **rest)  # type: ignore[arg-type]


CHARACTERS = {"unit": "characters", "separators": SEPARATORS}
FORMS = {
    "default": replace(PRESETS["default"].splitter, size=24),
    "cookbook": replace(PRESETS["cookbook"].splitter, size=24),
    "tokens": splitter(separators=SEPARATORS),
    "o200k_base": splitter(encoding="o200k_base", separators=SEPARATORS, keep_separator="start"),
    "words, not stripped": splitter(size=8, unit="words", separators=SEPARATORS, strip=False),
    "characters": splitter(size=40, **CHARACTERS),
    "separators at the start": splitter(size=40, keep_separator="start", **CHARACTERS),
    "separators dropped": splitter(size=40, keep_separator="none", **CHARACTERS),
    "not stripped": splitter(size=40, strip=False, **CHARACTERS),
    "no overlap": splitter(size=40, overlap=0, strip=False, **CHARACTERS),
    "patterns": splitter(
        size=40, unit="characters", separators=(r"[.。]\s*", r"\s+", ""), regex=True
    ),
    "patterns dropped": splitter(
        size=40, unit="characters", separators=(r"[.。]\s*", r"\s+"), regex=True,
        keep_separator="none",
    ),
    "repeats dropped": splitter(size=40, overlap=0, dedupe=True, **CHARACTERS),
    "one separator": splitter("character", 40, unit="characters", separators=('"',)),
    "one separator, words": splitter("character", 9, 2, unit="words", separators=("\\",)),
    "one pattern dropped": splitter(
        "character", 9, 2, separators=(r"[;.]\s*",), regex=True, keep_separator="none"
    ),
    "token": splitter("token", 11, 3),
    "token, o200k_base, no repeats": splitter("token", 7, 0, encoding="o200k_base", dedupe=True),
    "words": splitter("words", 9, 4, unit="words"),
    "words, no repeats": splitter("words", 3, 0, unit="words", dedupe=True),
    "code:python": splitter("code:python", 14, 3),
    "code:markdown": splitter("code:markdown", 60, 9, unit="characters", strip=False),
    "code:cpp": splitter("code:cpp", 9, 3, unit="words"),
    "langchain-markdown": splitter("langchain-markdown"),
    "langchain-markdown, headings": splitter("langchain-markdown", keep_separator="start"),
    "langchain-markdown:2,kept": splitter("langchain-markdown:2,kept", unit="characters"),
    "markdown, then recursive": splitter("langchain-markdown+recursive", 20, 4),
    "markdown, then token": splitter("langchain-markdown:1+token", 9, 2),
    "markdown, then words": splitter("langchain-markdown+words", 5, 2),
    "markdown, then by words": splitter("langchain-markdown:2,kept+recursive", 9, unit="words"),
    "markdown, then code": splitter("langchain-markdown+code:html", 30, unit="characters"),
}  # fmt: skip


@pytest.mark.parametrize("target", CODE)
def test_the_real_package_cuts_as_measured(target):
    needs(target)
    corpus = documents(target)
    configurations = [Configuration(form) for form in FORMS.values()]
    made = cut_by_exports(target, configurations, corpus)
    for name, configuration, cut in zip(FORMS, configurations, made, strict=True):
        expected = cut_as_measured(configuration, corpus)
        assert sum(map(len, expected)) > 10, name
        assert cut == expected, name


AUTORAG = {
    name: form
    for name, form in FORMS.items()
    if form.unit == "characters" and not form.dedupe and "langchain" not in form.kind
}


def test_autorag_cuts_as_measured():
    needs("autorag")
    corpus = documents("autorag")
    configurations = [Configuration(form) for form in AUTORAG.values()]
    made = cut_by_exports("autorag", configurations, corpus)
    assert len(AUTORAG) == 9
    for name, configuration, cut in zip(AUTORAG, configurations, made, strict=True):
        assert cut == cut_as_measured(configuration, corpus), name


# A text of these is cut differently by every setting; the forms vary all that a target is given.
pieces = st.sampled_from(
    [*SEPARATORS[:-1], "a", "bc", "港", "end", "# T\n", "```\n", "<|endoftext|>", "\U0001f600"]
)
texts = st.lists(st.lists(pieces, max_size=30).map("".join), min_size=4, max_size=4)


@st.composite
def forms(draw: st.DrawFn) -> SplitterSettings:
    size = draw(st.integers(1, 20))
    regex = draw(st.booleans())
    separators = [r"\s+", "[.。]", "a|bc", ""] if regex else list(SEPARATORS)
    kinds = ["recursive", "recursive", "character", "token", "words", "code:python", "code:rst"]
    stage = draw(st.sampled_from(["", "", "langchain-markdown+", "langchain-markdown:1,kept+"]))
    return SplitterSettings(
        kind=stage + draw(st.sampled_from(kinds)),
        size=size,
        overlap=draw(st.integers(0, size - 1)),
        unit=draw(st.sampled_from(["tokens", "characters", "words"])),
        encoding=draw(st.sampled_from(["cl100k_base", "o200k_base"])),
        separators=tuple(draw(st.lists(st.sampled_from(separators), min_size=1, max_size=4))),
        keep_separator=draw(st.sampled_from(["end", "start", "none"])),
        regex=regex,
        strip=draw(st.booleans()),
        dedupe=draw(st.booleans()),
    )


def is_refused(configuration: Configuration, target: str) -> bool:
    try:
        export(configuration, target)
    except InputError as error:
        said = str(error)
    else:
        return False
    assert said.startswith(f"target: {target} ")
    return True


@pytest.mark.parametrize("target", [*CODE, "autorag"])
@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # Each example starts a process: a failure names its settings instead of being made smaller.
    phases=[Phase.reuse, Phase.generate],
)
@given(made=st.lists(forms(), min_size=30, max_size=30), given_texts=texts)
def test_what_is_not_refused_verifies(target, made, given_texts):
    needs(target)
    corpus = Corpus(
        tuple(Document(f"{number}.md", text) for number, text in enumerate(given_texts))
    )
    every = [Configuration(form) for form in made]
    for one in every:
        check_configuration(one)
    kept = [one for one in every if not is_refused(one, target)]
    assert kept == every or target == "autorag"
    for one, cut in zip(kept, cut_by_exports(target, kept, corpus), strict=True):
        assert cut == cut_as_measured(one, corpus), one.splitter


@pytest.mark.parametrize("target", [*CODE, "autorag"])
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("sentence", "its sentences are those that sentencex finds, grouped by chunkscope"),
        ("markdown", "chunkscope keeps headings, fences and tables whole"),
        ("html", "chunkscope cuts the source at its headings and moves no text"),
        ("markdown+recursive", "chunkscope keeps headings, fences and tables whole"),
    ],
)
def test_splitters_of_our_own_are_refused(target, kind, reason):
    configuration = Configuration(splitter(kind))
    with pytest.raises(InputError) as caught:
        export(configuration, target)
    said = str(caught.value)
    assert said.startswith(f"target: {target} has no splitter that cuts as '{kind}' does: {reason}")
    assert said.endswith("; export to toml or json")
    for other in ("toml", "json"):
        assert f'"{kind}"' in export(configuration, other)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("semantic", "its boundaries come from an embedding"),
        ("langchain-markdown+semantic", "its boundaries come from an embedding"),
        ("sentence-transformers", "LangChain's splitter of that name loads the model itself"),
    ],
)
def test_splitters_with_a_model_are_refused(kind, reason):
    assert str(no_such_splitter("haystack", kind)) == (
        f"target: haystack has no splitter that cuts as '{kind}' does: {reason}; "
        "export to toml or json"
    )


@pytest.mark.parametrize("target", CODE)
def test_code_of_ones_own_is_refused(target):
    with pytest.raises(InputError) as caught:
        export(Configuration(splitter("textwrap:wrap", unit="characters")), target)
    assert str(caught.value) == (
        f"target: {target} has no splitter that cuts as 'textwrap:wrap' does: it is code of its "
        "own; use it as it is, or export to toml or json"
    )


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (FORMS["tokens"], "counts characters in LangChain's splitters, not tokens; set unit"),
        (FORMS["words, not stripped"], "counts characters in LangChain's splitters, not words"),
        (FORMS["repeats dropped"], "drops no repeated chunks; switch dedupe off"),
        (FORMS["token"], "has no splitter that cuts as 'token' does: its own ends at spaces"),
        (FORMS["words"], "has no splitter that cuts as 'words' does; export to langchain"),
        (FORMS["langchain-markdown"], "has no splitter that cuts as 'langchain-markdown' does"),
    ],
)
def test_what_autorag_means_otherwise_is_refused(form, said):
    with pytest.raises(InputError) as caught:
        export(Configuration(form), "autorag")
    assert str(caught.value).startswith(f"target: autorag {said}")


WRONG = {
    "langchain": ("chunk_size=40,", "chunk_size=39,"),
    "llama-index": ("chunk_overlap=5,", "chunk_overlap=0,"),
    "haystack": ('keep_separator="end"', 'keep_separator="start"'),
    "chonkie": ("strip_whitespace=True", "strip_whitespace=False"),
}


@pytest.mark.parametrize("target", CODE)
def test_a_wrong_export_is_found(target):
    needs(target)
    configuration = Configuration(FORMS["characters"])
    corpus = documents(target)
    right, wrong = WRONG[target]
    code = export(configuration, target)
    assert code.count(right) == 1
    found = verify(
        configuration, target, corpus, CorpusIndex(corpus), text=code.replace(right, wrong)
    )
    assert found
    for mismatch in found[:3]:
        position = corpus.position(mismatch.doc)
        assert position is not None
        expected = cut_as_measured(configuration, corpus)[position]
        wanted = dict(enumerate(expected))
        assert mismatch.expected == wanted.get(mismatch.index)
        assert mismatch.got != mismatch.expected


def test_a_dropped_chunk_is_found_by_document_and_index():
    needs("llama-index")
    configuration = Configuration(splitter("words", 2, 0, unit="words"))
    corpus = Corpus((Document("a", "one"), Document("b", "one two three four five")))
    code = export(configuration, "llama-index").replace("return cut(text)", "return cut(text)[:2]")
    assert verify(configuration, "llama-index", corpus, CorpusIndex(corpus), text=code) == (
        Mismatch("b", 2, "five", None),
    )


@pytest.mark.parametrize("target", ["haystack", "autorag"])
def test_documents_without_a_utf8_form_are_named(target):
    corpus = Corpus((Document("a.txt", "whole"), Document("b.txt", "half \ud83d of it")))
    configuration = Configuration(FORMS["characters"])
    with pytest.raises(InputError) as caught:
        verify(configuration, target, corpus, CorpusIndex(corpus))
    assert str(caught.value) == (
        f"export: {target} cannot hold document 'b.txt', which has half a surrogate pair at "
        "character 5; verify it on other documents"
    )


def other_split(target: str, name: str, body: str, texts: list[str]) -> list[list[str]]:
    """What the export's own objects give, where `split` is another function over them."""
    code = export(Configuration(FORMS[name]), target)
    return run_split(
        f"{code}\n\ndef split(text):\n    {body}\n", texts, encoding="cl100k_base", timeout=120
    )


@pytest.mark.parametrize("name", ["characters", "words"])
def test_the_node_parser_gives_nodes_of_the_same_texts(name):
    needs("llama-index")
    body = (
        "from llama_index.core.schema import Document\n"
        "    return [node.text for node in parser.get_nodes_from_documents([Document(text=text)])]"
    )
    corpus = Corpus((Document("a.md", MARKDOWN),))
    expected = cut_as_measured(Configuration(FORMS[name]), corpus)
    assert other_split("llama-index", name, body, [MARKDOWN]) == expected


@pytest.mark.parametrize(("name", "placed"), [("words", True), ("token", True), ("tokens", False)])
def test_chonkies_chunks_have_true_places_or_none(name, placed):
    needs("chonkie")
    text = TEXTS["prose.txt"]
    body = (
        "return [x for c in chunker.chunk(text) for x in "
        "(c.text, *map(str, (c.start_index, c.end_index, c.token_count)))]"
    )
    [said] = other_split("chonkie", name, body, [text])
    chunks = [said[at : at + 4] for at in range(0, len(said), 4)]
    assert len(chunks) > 5
    for chunk, start, end, tokens in chunks:
        assert text[int(start) : int(end)] == chunk if placed else (start, end) == ("-1", "-1")
        assert 0 < int(tokens) <= FORMS[name].size


def test_haystack_can_write_the_component_into_a_file():
    needs("haystack")
    body = "return [document_splitter.to_dict()['init_parameters']['splitting_function']]"
    assert other_split("haystack", "characters", body, ["x"]) == [["exported.cut"]]


def test_a_prefix_is_left_out_and_said():
    for target in (*CODE, "autorag"):
        configuration = Configuration(FORMS["characters"], EnrichSettings(prefix="headings"))
        assert "# Measured with prefix headings:" in export(configuration, target)
