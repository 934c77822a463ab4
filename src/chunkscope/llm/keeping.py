"""Which written questions are kept, in the order of their passages, and what they look like.

Each kept question has a key `generated`, by which a review finds it:

    {"model": name as the endpoint gives it, "seed": 0, "scores": {"groundedness": 5,
     "relevance": 4, "quality": 4}, "reason": the grader's words, "passage": [start, end],
     "alternatives": {"asked": 3, "added": 1}, "reviewed": false}

`passage` is what it was written from, `reason` may be missing. An alternative that the model
found, and not just the same words elsewhere, has the key `"generated": true`.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chunkscope.endpoint.cost import Usage
from chunkscope.errors import InputError
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.llm.filtering import Asked, evidence_at, low_score, places_of
from chunkscope.llm.passages import Passage
from chunkscope.llm.plan import Alternatives, Generated, Plan
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

Outcome = Mapping[str, Any]


class Keeper:
    """Decides passage by passage, in their order, so that no race decides what is kept."""

    def __init__(self, corpus: Corpus, plan: Plan, model: str) -> None:
        """Nothing is kept yet."""
        self._corpus = corpus
        self._plan = plan
        self._model = model
        self._next = 0
        self._failed: set[int] = set()
        self._asked = Asked()
        self._reasons: Counter[str] = Counter()
        self._others: Counter[str] = Counter()
        self._models: dict[str, None] = {}
        self.kept: list[Question] = []

    @property
    def enough(self) -> bool:
        """Whether as many are kept as were wanted."""
        return len(self.kept) >= self._plan.count

    def fail(self, number: int) -> None:
        """Pass over a passage that the endpoint failed at."""
        self._failed.add(number)

    def take(self, outcomes: Mapping[int, Outcome], passages: Sequence[Passage]) -> None:
        """Decide on every passage whose turn has come."""
        while not self.enough and self._next < len(passages):
            if self._next in outcomes:
                self._decide(outcomes[self._next])
            elif self._next in self._failed:
                self._reasons["refused by the endpoint"] += 1
            else:
                return
            self._next += 1

    def _decide(self, outcome: Outcome) -> None:
        reason = outcome.get("reason") or low_score(outcome["scores"], self._plan.least)
        if reason is None and self._asked.holds(outcome["question"]):
            reason = "duplicate"
        self._reasons[reason or "kept"] += 1
        if outcome.get("model"):
            self._models[outcome["model"]] = None
        if reason is None:
            self._asked.add(outcome["question"])
            self.kept.append(self._question(outcome))

    def _question(self, outcome: Outcome) -> Question:
        document = self._document(outcome["doc"])
        repeated = [
            evidence_at(Span(*span), document, self._corpus) for span in outcome["evidence"]
        ]
        self._others["repeated"] += sum(len(item.alternatives) for item in repeated)
        others = outcome.get("others", {})
        self._others.update({key: others[key] for key in others if key != "places"})
        places = [(doc, Span(start, end)) for doc, start, end in others.get("places", ())]
        evidence = [self._with_others(item, document.id, places) for item in repeated]
        whole = f"{outcome['question']}\0{outcome['doc']}\0{outcome['evidence']}"
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        generated = {
            "model": outcome.get("model") or self._model,
            "seed": self._plan.seed,
            "scores": outcome["scores"],
            "reason": outcome.get("why"),
            "passage": [outcome["start"], outcome["end"]],
            "alternatives": {"asked": others.get("asked", 0), "added": len(places)},
            "reviewed": False,
        }
        return Question(
            f"gen-{digest[:10]}",
            outcome["question"],
            outcome["doc"],
            tuple(evidence),
            outcome["answer"],
            outcome["type"],
            {"generated": {key: value for key, value in generated.items() if value is not None}},
        )

    def _with_others(
        self, item: Evidence, doc: str, places: Sequence[tuple[str, Span]]
    ) -> Evidence:
        """The evidence with places that the model found; each alone answers the question."""
        known = places_of(item, doc)
        added: list[Evidence] = []
        for other, span in places:
            if any(other == name and span.overlap(place) for name, place in known):
                continue
            text = self._document(other).text[span.start : span.end]
            own = None if other == doc else other
            added.append(Evidence(text, span.start, span.end, own, extra={"generated": True}))
        return replace(item, alternatives=(*item.alternatives, *added))

    def _document(self, document_id: str) -> Document:
        position = self._corpus.position(document_id)
        if position is None:
            raise InputError(f"document {document_id!r} is not in the corpus")
        return self._corpus.documents[position]

    def result(self, usage: Usage, stopped: str, refused: str = "") -> Generated:
        """What came of it so far."""
        counts = {name: self._others[name] for name in Alternatives.__dataclass_fields__}
        return Generated(
            GoldenSet(tuple(self.kept)),
            dict(self._reasons),
            Alternatives(**counts),
            usage,
            stopped,
            tuple(self._models),
            refused,
        )
