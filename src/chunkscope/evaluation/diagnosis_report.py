"""A diagnosis, and what would mend it, as plain values for JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from chunkscope.evaluation.diagnosis import Diagnosis, QuestionDiagnosis
from chunkscope.evaluation.diagnosis_proofs import MEANINGS, MENDABLE, SIGNATURES
from chunkscope.evaluation.mending import Mend, Mending
from chunkscope.evaluation.places import item_place, with_places
from chunkscope.evaluation.report import place_of, versions
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet
from chunkscope.text.document import Corpus


def diagnosis_to_json(
    diagnosis: Diagnosis, golden: GoldenSet, mending: Mending | None
) -> dict[str, Any]:
    """A diagnosis as `diagnose` writes it.

    Args:
        diagnosis: the diagnosis.
        golden: the golden set it was made with.
        mending: what would mend it; None: it was not looked for.
    """
    evaluation = diagnosis.evaluation
    corpus = evaluation.chunks.corpus
    mends = {} if mending is None else mending.mends
    report: dict[str, Any] = {
        "config": evaluation.configuration.to_mapping(),
        "versions": dict(versions()),
        "corpus": {
            "documents": len(corpus.documents),
            "characters": corpus.characters,
            "tokens": evaluation.corpus_tokens,
            "fingerprint": corpus.fingerprint,
        },
        **corpus.read_as,
        "golden": asdict(evaluation.counts) | {"fingerprint": fingerprint(golden)},
        "signatures": [
            {
                "name": signature,
                "meaning": MEANINGS[signature],
                "chunking_mends": signature in MENDABLE,
                "questions": diagnosis.totals[signature],
            }
            for signature in SIGNATURES
        ],
        "bad": len(diagnosis.questions),
        "mendable": {"questions": diagnosis.mendable, "share": diagnosis.mendable_share},
        "questions": [
            _question(question, mends.get(question.result.located.question.id, ()), corpus)
            for question in diagnosis.questions
        ],
        "mending": None if mending is None else _mending(mending),
        "warnings": list(evaluation.warnings),
    }
    return report


def mend_to_json(mend: Mend) -> dict[str, Any]:
    """One configuration near by, against the one in use."""
    return {
        "config": mend.configuration.to_mapping(),
        "changes": [
            {"section": each.section, "key": each.key, "from": _plain(each.a), "to": _plain(each.b)}
            for each in mend.changes
        ],
        "context_tokens": [mend.context_before, mend.context_after],
        "question_tokens": (
            None if mend.question_before is None else [mend.question_before, mend.question_after]
        ),
        "index_tokens": [mend.index_before, mend.index_after],
        "won": list(mend.won),
        "lost": list(mend.lost),
    }


def _question(question: QuestionDiagnosis, mends: Sequence[Mend], corpus: Corpus) -> dict[str, Any]:
    return {
        "id": question.result.located.question.id,
        "verdict": question.result.verdict,
        "signature": question.signature,
        "chunking_mends": question.mendable,
        "sentence": question.sentence,
        "items": [
            {
                "item": item.item,
                "signature": item.signature,
                "proof": with_places(asdict(item.proof), corpus),
                **_item_place(question, item.item, corpus),
            }
            for item in question.items
        ],
        "mends": [mend_to_json(mend) for mend in mends],
    }


def _item_place(question: QuestionDiagnosis, item: int, corpus: Corpus) -> dict[str, str]:
    """`place` of the evidence, where its document has any."""
    place = item_place(question.result, item, corpus)
    position = None if place is None else corpus.position(place.doc)
    if place is None or position is None:
        return {}
    return place_of(corpus.documents[position], *place.span)


def _mending(mending: Mending) -> dict[str, Any]:
    return {
        "tried": mending.tried,
        "mended": mending.mended,
        "mended_by_chunks": mending.mended_by_chunks,
        "best": [mend_to_json(mend) for mend in mending.best],
        "untried": [
            {"setting": each.setting, "value": each.value, "reason": each.reason}
            for each in mending.untried
        ],
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
