"""One passage asked about: a question written, located, graded, and found elsewhere too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.settings import key_of
from chunkscope.errors import InputError
from chunkscope.llm.answers import (
    Pair,
    UnusableError,
    read_evidence,
    read_grades,
    read_pair,
)
from chunkscope.llm.elsewhere import Elsewhere
from chunkscope.llm.filtering import (
    evidence_at,
    locate_in,
    low_score,
    places_of,
    speaks_of_passage,
)
from chunkscope.llm.passages import Passage
from chunkscope.llm.plan import Plan
from chunkscope.llm.prompts import Messages
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.text.tokens import TokenCounter

WRITTEN_TOKENS = 800
"""Most tokens of a written question, its answer and evidence."""

GRADED_TOKENS = 150
CHECKED_TOKENS = 300
_LONGEST_NAME = 100

Outcome = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """Most tokens of each kind of answer, and of the messages that ask about another passage."""

    written: int
    graded: int
    checked: int
    checking: int


class Writer:
    """Asks about passages, one at a time in each thread."""

    def __init__(
        self, corpus: Corpus, client: Client, counter: TokenCounter, plan: Plan, limits: Limits
    ) -> None:
        """Nothing is asked yet."""
        self._corpus = corpus
        self._client = client
        self._counter = counter
        self._plan = plan
        self._limits = limits
        self._elsewhere = Elsewhere(corpus)

    def ask(
        self, number: int, passage: Passage, cancel: CancelToken | None
    ) -> tuple[Outcome, EndpointError | None]:
        """What came of a passage, ready to be put on disk; with an error, what it cost so far.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        if cancel is not None:
            cancel.check()
        outcome: Outcome = {
            "passage": number,
            "doc": passage.doc,
            "start": passage.span.start,
            "end": passage.span.end,
            "tokens_in": 0,
            "tokens_out": 0,
            "requests": 0,
        }
        try:
            self._fill(outcome, passage, cancel)
        except UnusableError as reason:
            outcome["reason"] = str(reason)
        except EndpointError as error:
            return outcome, error
        return outcome, None

    def _fill(self, outcome: Outcome, passage: Passage, cancel: CancelToken | None) -> None:
        prompts, seed = self._plan.prompts, self._plan.seed
        text = self._chat(prompts.writing(passage, seed), self._limits.written, outcome, cancel)
        pair = read_pair(text)
        self._refuse_key(pair.question, pair.answer, pair.type)
        document = self._document(passage.doc)
        spans = locate_in(passage, document, pair.evidence)
        if speaks_of_passage(pair.question):
            raise UnusableError("speaks of the passage")
        if spans is None:
            raise UnusableError("evidence not in the passage")
        spans = list(dict.fromkeys(sorted(spans)))
        outcome.update(question=pair.question, answer=pair.answer, type=pair.type)
        outcome["evidence"] = [[span.start, span.end] for span in spans]
        texts = tuple(document.text[span.start : span.end] for span in spans)
        messages = prompts.grading(passage, seed, pair.question, pair.answer, texts)
        grades = read_grades(self._chat(messages, self._limits.graded, outcome, cancel))
        self._refuse_key(grades.reason)
        outcome["scores"] = grades.scores
        if grades.reason:
            outcome["why"] = grades.reason
        if low_score(grades.scores, self._plan.least) is None and self._plan.alternatives:
            outcome["others"] = self._others(pair, document, spans, outcome, cancel)

    def _others(
        self,
        pair: Pair,
        document: Document,
        spans: Sequence[Span],
        outcome: Outcome,
        cancel: CancelToken | None,
    ) -> dict[str, Any]:
        """Counts of what other passages gave, and the places where they answer too."""
        counts = {"asked": 0, "added": 0, "dropped": 0, "unusable": 0}
        taken = [
            place
            for span in spans
            for place in places_of(evidence_at(span, document, self._corpus), document.id)
        ]
        places: list[list[object]] = []
        sought = f"{pair.question}\n{pair.answer}"
        for passage in self._elsewhere.passages(sought, taken, self._plan.alternatives):
            messages = self._plan.prompts.checking(
                passage, self._plan.seed, pair.question, pair.answer
            )
            if self._tokens(messages) > self._limits.checking:
                continue
            counts["asked"] += 1
            try:
                said = read_evidence(self._chat(messages, self._limits.checked, outcome, cancel))
            except UnusableError:
                counts["unusable"] += 1
                continue
            except EndpointError:
                # The pair is good without it; an endpoint that is gone ends the run with the next.
                counts["unusable"] += 1
                break
            if said is None:
                continue
            found = locate_in(passage, self._document(passage.doc), [said])
            if found is None:
                counts["dropped"] += 1
            else:
                counts["added"] += 1
                places.append([passage.doc, found[0].start, found[0].end])
        return {**counts, "places": places}

    def _chat(
        self, messages: Messages, most: int, outcome: Outcome, cancel: CancelToken | None
    ) -> str:
        reply = self._client.chat(messages, max_tokens=most, seed=self._plan.seed, cancel=cancel)
        counted = reply.usage
        if not counted.tokens_in:
            counted = Usage(1, self._tokens(messages), self._counter.count([reply.text])[0])
        outcome["requests"] += 1
        outcome["tokens_in"] += counted.tokens_in
        outcome["tokens_out"] += counted.tokens_out
        if reply.cut:
            raise UnusableError("answer cut off")
        self._refuse_key(reply.text, reply.model)
        outcome.setdefault("model", reply.model[:_LONGEST_NAME])
        return reply.text

    def _refuse_key(self, *texts: str | None) -> None:
        """Whatever an endpoint says goes into files: the key that it was sent must not."""
        key = key_of(self._client.settings)
        if key and any(key in text for text in texts if text):
            raise UnusableError("repeats the key")

    def _tokens(self, messages: Messages) -> int:
        return self._counter.count(["\n".join(message["content"] for message in messages)])[0]

    def _document(self, document_id: str) -> Document:
        position = self._corpus.position(document_id)
        if position is None:
            raise InputError(f"document {document_id!r} is not in the corpus")
        return self._corpus.documents[position]
