"""Exports whose sizes are tokens of a tokenizer file."""

from pathlib import Path

import pytest
from batch import cut_as_measured, needs

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.export.proof import verify
from chunkscope.export.targets import export
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document

pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")

TEXT = (
    "The tug left [CLS] at dawn. 港口很安静。\r\n\r\nhalf \ud83d a pair <s> it's \U0001f600 late.\n"
)
HELD = TEXT.replace("\ud83d", "x")


@pytest.fixture
def tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file, by its path relative to the working directory."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from tokenizers.trainers import BpeTrainer

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        [HELD] * 3,
        BpeTrainer(
            vocab_size=290, special_tokens=["[CLS]", "<s>"], initial_alphabet=alphabet,
            show_progress=False,
        ),
    )  # fmt: skip
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 0)]
    )
    made.enable_truncation(8)
    made.enable_padding(length=8)
    monkeypatch.chdir(tmp_path)
    Path("models").mkdir()
    made.save("models/my tokenizer.json")
    return "models/my tokenizer.json"


@pytest.mark.parametrize("target", ["langchain", "llama-index", "haystack", "chonkie"])
@pytest.mark.parametrize("kind", ["recursive", "langchain-markdown+code:python"])
def test_the_file_beside_the_code_counts_as_measured(target, kind, tokenizer):
    needs(target)
    text = (HELD if target == "haystack" else TEXT) * 6
    corpus = Corpus((Document("a.md", text),))
    configuration = Configuration(
        SplitterSettings(kind=kind, size=12, overlap=4, encoding=tokenizer)
    )
    assert len(cut_as_measured(configuration, corpus)[0]) > 20
    assert verify(configuration, target, corpus, CorpusIndex(corpus)) == ()
    code = export(configuration, target)
    assert 'Path(__file__).with_name("my tokenizer.json")' in code
    assert "models/" not in code


def test_another_tokenizer_beside_the_code_is_not_taken(tokenizer):
    corpus = Corpus((Document("a.md", TEXT),))
    configuration = Configuration(SplitterSettings(size=12, overlap=4, encoding=tokenizer))
    code = export(configuration, "langchain")
    file = Path(tokenizer)
    file.write_text(file.read_text().replace("[CLS]", "[SEP]"))
    with pytest.raises(InputError, match="is another tokenizer than that of the configuration"):
        verify(configuration, "langchain", corpus, CorpusIndex(corpus), text=code)


@pytest.mark.parametrize("target", ["langchain", "llama-index", "haystack", "chonkie"])
def test_windows_of_its_tokens_are_refused(target, tokenizer):
    configuration = Configuration(
        SplitterSettings(kind="token", size=12, overlap=4, encoding=tokenizer)
    )
    with pytest.raises(InputError) as caught:
        export(configuration, target)
    assert str(caught.value) == (
        f"target: {target} has no splitter that makes windows of the tokens of {tokenizer!r}: its "
        "own are tiktoken's; choose another splitter or encoding, or export to toml or json"
    )
