"""Splitters of chonkie and LlamaIndex, exported as what they are."""

import pytest
from batch import cut_as_measured, cut_by_exports, needs

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.targets import export
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document

TABLE = "| berth | draught |\n|---|---|\n" + "| 1 | 9.5 m |\n| 2 | 11 m |\n" * 6
TEXTS = {
    "cjk.md": "# 港\n田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。\n" * 5,
    "crlf.txt": 'The tug left.\r\n\r\nThe "pilot" stayed\\; it\'s late. Nobody asked.\r\n' * 5,
    "empty.txt": "",
    "markdown.md": f"# Harbour\n\nPilots board at the buoy.\n\n## Limits\n\n{TABLE}\n# End\nLow.\n",
    "special.txt": "The token <|endoftext|> ends it. <|fim_prefix|> does not.\n" * 5,
}
CORPUS = Corpus(tuple(Document(name, text) for name, text in sorted(TEXTS.items())))
CLASSES = {
    "chonkie": ("TokenChunker", "SentenceChunker", "RecursiveChunker", "TableChunker"),
    "llama-index": (
        *("SentenceSplitter", "TokenTextSplitter", "MarkdownNodeParser"),
        "SentenceWindowNodeParser",
    ),
}
UNITS = {"tokens": 24, "characters": 90, "words": 12}


@pytest.mark.parametrize("target", CLASSES)
def test_they_cut_as_measured(target):
    needs(target)
    configurations = [
        Configuration(
            SplitterSettings(
                kind=f"{target}:{name}", size=size, overlap=size // 5, unit=unit, encoding=encoding,
                dedupe=name == "TokenChunker",
            )
        )
        for name in CLASSES[target]
        for unit, size in UNITS.items()
        for encoding in ("cl100k_base", "o200k_base")[: 2 if unit == "tokens" else 1]
    ]  # fmt: skip
    made = cut_by_exports(target, configurations, CORPUS)
    for one, cut in zip(configurations, made, strict=True):
        assert sum(map(len, cut)) > 4, one.splitter
        assert cut == cut_as_measured(one, CORPUS), one.splitter


@pytest.mark.parametrize(("family", "name"), [("chonkie", "chonkie"), ("llama-index", "LlamaInde")])
def test_other_targets_name_the_one_that_has_them(family, name):
    needs(family)
    configuration = Configuration(SplitterSettings(kind=f"{family}:{CLASSES[family][0]}"))
    for target in ("langchain", "haystack", "autorag", *CLASSES):
        if target == family:
            continue
        with pytest.raises(InputError, match=f"of {name}.*, for --to {family}; export to toml"):
            export(configuration, target)
