"""A corpus of berths whose prices are asked for, and configurations with known outcomes.

Easy questions have their evidence whole at 60 characters, hard ones only from 120 on.
"""

import json
import re
from functools import lru_cache
from pathlib import Path

from fake_judge import UNKNOWN

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.llm.judging_results import Variant
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document

COUNT = 40
HARD = 16
_PRICE = r"Berth {} costs(?:(?!\n\n).)*? (\d+) euros a night\."


def sentence(number: int) -> str:
    """The evidence: short where the question is easy, over 60 characters where it is hard."""
    if number >= HARD:
        return f"Berth {number} costs {number + 100} euros a night."
    return (
        f"Berth {number} costs, for boats of every length at the outer quay, {number + 100} euros "
        "a night."
    )


def text_of(count: int = COUNT) -> str:
    """The document: every sentence is a paragraph that no other is merged with at 120."""
    filler = "The harbour is open to sailors all year round, as is the bar, says the captain. Ahoy."
    return "\n\n".join(f"{sentence(number)}\n\n{filler}" for number in range(count))


def corpus_of(count: int = COUNT) -> Corpus:
    return Corpus((Document("berths.md", text_of(count)),))


def golden_of(count: int = COUNT, **changes: object) -> GoldenSet:
    """A question a berth; `changes` are answers by id, such as `q3=None`."""
    questions = []
    for number in range(count):
        answer = changes.get(f"q{number}", f"{number + 100} euros")
        assert answer is None or isinstance(answer, str)
        evidence = (Evidence(sentence(number)),)
        asked = f"What is the price of berth {number}?"
        questions.append(Question(f"q{number}", asked, "berths.md", evidence, answer))
    return GoldenSet(tuple(questions))


def configuration(size: int, k: int = 1, prefix: str = "none") -> Configuration:
    made = Configuration(
        splitter=SplitterSettings(size=size, overlap=0, unit="characters"),
        retriever=RetrieverSettings(k=(k,)),
    )
    return Configuration(made.splitter, type(made.enrich)(prefix=prefix), made.retriever)


def variants_of(golden: GoldenSet, *configurations: Configuration) -> tuple[Variant, ...]:
    corpus = corpus_of(len(golden.questions))
    index, questions = CorpusIndex(corpus), locate(golden, corpus)
    return tuple(
        Variant(letter, one.label, evaluate(index, one, questions))
        for letter, one in zip("ABC", configurations, strict=False)
    )


@lru_cache(maxsize=1)
def two_variants() -> tuple[Variant, ...]:
    """A fails the hard questions, B none."""
    return variants_of(golden_of(), configuration(60), configuration(120))


def price_answer(context: str, question: str) -> str:
    """The price of the berth, where one chunk holds the whole sentence."""
    number = re.search(r"\d+", question)
    assert number is not None
    found = re.search(_PRICE.format(number[0]), context, re.DOTALL)
    return f"{found[1]} euros" if found else UNKNOWN


def write_berths(folder: Path, golden: GoldenSet | None = None) -> None:
    """`docs/berths.md` and `golden.jsonl`."""
    golden = golden or golden_of()
    (folder / "docs").mkdir()
    (folder / "docs" / "berths.md").write_text(text_of(len(golden.questions)))
    lines = [
        {
            "id": one.id, "question": one.question, "doc": one.doc,
            "evidence": [{"text": item.text} for item in one.evidence],
            **({} if one.answer is None else {"answer": one.answer}),
        }
        for one in golden.questions
    ]  # fmt: skip
    (folder / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
