"""How long a new question takes from Enter to its place and its rank in A and B.

Run: python benchmarks/asking.py [--megabytes 1 10]

The documents are cut and their words known already, as they are a moment after opening; what is
measured is what Ask starts: the evidence looked for in every document, and the question ranked in
both variants. A question is asked in three ways: evidence as it stands, evidence with other white
space and quotes, and evidence that stands nowhere.
"""

import argparse
import random
import time
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.text.document import Corpus, Document
from chunkscope.tui import messages, trials
from chunkscope.tui.tweaking import doubled

_DOCUMENT = 100_000
_VOCABULARY = 20_000
_ROUNDS = 7


def corpus_of(characters: int) -> Corpus:
    """Prose of made-up words, a heavy head and a long tail as in a language."""
    rng = random.Random(7)
    letters = "etaoinshrdlucmfwygpbvk"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 11))) for _ in range(_VOCABULARY)]
    weights = [1 / (rank + 5) for rank in range(_VOCABULARY)]

    def paragraphs() -> Iterator[str]:
        while True:
            drawn = rng.choices(words, weights, k=90)
            yield " ".join(
                f"{word.capitalize()}" if n % 15 == 0 else f"{word}." if n % 15 == 14 else word
                for n, word in enumerate(drawn)
            )

    source = paragraphs()
    documents = []
    left = characters
    while left > 0:
        parts: list[str] = []
        size = 0
        while size < min(_DOCUMENT, left):
            parts.append(next(source))
            size += len(parts[-1]) + 2
        documents.append(Document(f"{len(documents):05}.txt", "\n\n".join(parts)))
        left -= size
    return Corpus(tuple(documents))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, nargs="+", default=[1.0, 10.0])
    arguments = parser.parse_args()
    table = Table(title="milliseconds from Enter to place and ranks in A and B")
    for column in ("corpus", "chunks of A", "as it stands", "typed otherwise", "nowhere"):
        table.add_column(column, justify="right")
    for megabytes in arguments.megabytes:
        corpus = corpus_of(int(megabytes * 1_000_000))
        index = CorpusIndex(corpus)
        a = Configuration()
        configurations = {"A": a, "B": doubled(a)}
        for configuration in configurations.values():
            evaluate(index, configuration, ())
        chunks = index.chunk_set(a.splitter, a.enrich)
        rng = random.Random(11)
        times: dict[str, list[float]] = {"as it stands": [], "typed otherwise": [], "nowhere": []}
        for number in range(_ROUNDS):
            text = rng.choice(corpus.documents).text
            start = rng.randrange(len(text) // 2)
            start = text.index(" ", start) + 1
            end = text.index(" ", start + 200)
            passage = text[start:end]
            question = " ".join(passage.split()[3:12])
            forms = {
                "as it stands": passage,
                "typed otherwise": "\n ".join(passage.upper().split(" ")),
                "nowhere": " ".join(reversed(passage.split())),
            }
            for name, evidence in forms.items():
                asking = trials.Asking(f"{question}?", (evidence,), (), frozenset())
                began = time.perf_counter()
                answer = trials.ask(index, asking, configurations)
                took = (time.perf_counter() - began) * 1000
                assert isinstance(answer, messages.AskAnswered)
                assert answer.located.measured is (name != "nowhere")
                if number:
                    times[name].append(took)
        row = [f"{megabytes:g} MB", f"{len(chunks):,}"]
        for found in times.values():
            found.sort()
            row.append(f"{found[len(found) // 2]:.0f} (to {found[-1]:.0f})")
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
