"""Cases as files: one small JSON object, written whole, every field checked when it is read."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn, cast, get_args

from chunkscope.errors import InputError
from chunkscope.evaluation.case import (
    Case,
    CaseChunk,
    CaseDocument,
    CaseEvidence,
    CasePlace,
    CaseVariant,
    sha256_of,
)
from chunkscope.evaluation.configfile import configuration_from_mapping
from chunkscope.evaluation.fields import Fields, as_fields
from chunkscope.evaluation.results import Verdict
from chunkscope.golden.atomic import replace_file
from chunkscope.text.loading.reading import Newline, Reading

FORMAT = 1
_VERDICTS = get_args(Verdict)
_MAKE = "save one with diagnose --save-cases DIR"


def case_to_json(case: Case) -> dict[str, Any]:
    """The case as its file holds it."""
    return {
        "chunkscope_case": FORMAT,
        "id": case.id,
        "question": case.question,
        "doc": case.doc,
        "type": case.type,
        "answer": case.answer,
        "texts": case.texts,
        "evidence": [
            {"text": item.text, "places": [asdict(place) for place in item.places]}
            for item in case.evidence
        ],
        "a": variant_to_json(case.a),
        "b": None if case.b is None else variant_to_json(case.b),
        "documents": [asdict(document) for document in case.documents],
        "corpus": {"documents": case.corpus_documents, "fingerprint": case.corpus},
        "paths": list(case.paths),
        "golden": case.golden,
        "reading": case.reading.to_mapping(),
        "versions": dict(case.versions),
    }


def variant_to_json(variant: CaseVariant) -> dict[str, Any]:
    """One variant of a case; a percentage of overlap stays one, as a size may be changed."""
    config = variant.configuration.to_mapping()
    config["splitter"]["overlap"] = variant.configuration.splitter.overlap
    return {
        "config": config,
        "verdict": variant.verdict,
        "reason": variant.reason,
        "rank": variant.rank,
        "recall": variant.recall,
        "coverage": variant.coverage,
        "retrieved": [asdict(chunk) for chunk in variant.retrieved],
    }


def write_case(case: Case, path: Path) -> None:
    """Write the case's file, whole or not at all.

    Raises:
        InputError: when it cannot be written; what was there stands.
    """
    text = json.dumps(case_to_json(case), ensure_ascii=True, allow_nan=False, indent=1)
    replace_file(path, f"{text}\n".encode("ascii"))


def read_case(path: Path, *, flags: tuple[str, ...] = ()) -> Case:
    """The case in a file.

    Args:
        path: the file.
        flags: `module:object` kinds given on the command line; a case's own must be among them,
            so that no code runs because of a file alone.

    Raises:
        InputError: when it is no case; it names file and field.
    """
    where = str(path)
    try:
        value = json.loads(path.read_bytes(), parse_constant=_refuse_constant)
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror}); check the path") from None
    except RecursionError:
        raise InputError(f"{where}: not a case: nested too deeply; {_MAKE}") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error}); {_MAKE}") from None
    return case_from_json(value, where, flags=flags)


def case_from_json(value: object, where: str, *, flags: tuple[str, ...] = ()) -> Case:
    """The case in a JSON object.

    Raises:
        InputError: when it is no case; it names `where` and the field.
    """
    fields = as_fields(value, where)
    if "chunkscope_case" not in fields.values:
        raise InputError(f"{where}: not a case: field chunkscope_case is missing; {_MAKE}")
    if fields.whole("chunkscope_case") != FORMAT:
        raise fields.refuse(
            "chunkscope_case", f"another version; this one reads {FORMAT}: save the case anew"
        )
    corpus = fields.inner("corpus")
    texts = fields.truth("texts")
    return Case(
        id=fields.text("id"),
        question=fields.text("question"),
        doc=fields.text("doc"),
        type=fields.optional("type", fields.text),
        answer=fields.optional("answer", lambda key: fields.text(key, blank=True)),
        evidence=fields.objects("evidence", lambda item: _evidence(item, texts)),
        a=_variant(fields.inner("a"), texts, flags),
        b=_variant(fields.inner("b"), texts, flags) if fields.has("b") else None,
        documents=fields.objects("documents", _document),
        corpus=corpus.sha256("fingerprint"),
        corpus_documents=corpus.whole("documents"),
        versions=fields.texts("versions"),
        paths=fields.listed("paths", lambda entry, path: _path(entry, fields, path)),
        golden=fields.optional("golden", fields.text),
        reading=_reading(fields.inner("reading")),
        texts=texts,
    )


def _path(entry: object, fields: Fields, path: str) -> str:
    if not isinstance(entry, str) or not entry or "\0" in entry:
        raise InputError(f"{fields.where}: field {path}: not a name")
    return entry


def _reading(fields: Fields) -> Reading:
    return Reading(
        encoding_of=fields.texts("encoding_of"),
        newline=cast(Newline, fields.one_of("newline", get_args(Newline))),
        html=fields.truth("html"),
        records=fields.listed("records", lambda entry, path: _path(entry, fields, path)),
        record_id=fields.text("record_id"),
        join_hyphens=fields.truth("join_hyphens"),
        drop_running=bool(fields.optional("drop_running", fields.truth)),
    )


def _document(fields: Fields) -> CaseDocument:
    return CaseDocument(fields.text("id"), fields.sha256("sha256"), fields.whole("characters"))


def _evidence(fields: Fields, texts: bool) -> CaseEvidence:
    return CaseEvidence(
        text=fields.text("text") if texts else None,
        places=fields.objects("places", lambda place: _place(place, texts)),
    )


def _place(fields: Fields, texts: bool) -> CasePlace:
    start, end = fields.whole("start"), fields.whole("end")
    if start >= end:
        raise fields.refuse("start", f"{start} is not before end {end}")
    sha256 = fields.sha256("sha256")
    text = fields.text("text", blank=True) if texts else None
    if text is not None and sha256_of(text) != sha256:
        raise fields.refuse("text", "not the text that sha256 was made of; restore the file")
    if text is not None and len(text) != end - start:
        raise fields.refuse("text", f"{len(text)} characters, its range has {end - start}")
    return CasePlace(
        doc=fields.text("doc"),
        start=start,
        end=end,
        tier=fields.text("tier"),
        sha256=sha256,
        text=text,
        before=fields.text("before", blank=True) if texts else None,
        after=fields.text("after", blank=True) if texts else None,
    )


def _variant(fields: Fields, texts: bool, flags: tuple[str, ...]) -> CaseVariant:
    config = fields.inner("config")
    where = f"{fields.where}: field {fields.name('config')}"
    return CaseVariant(
        configuration=configuration_from_mapping(config.values, where, flags=flags),
        verdict=cast(Verdict, fields.one_of("verdict", _VERDICTS)),
        reason=fields.optional("reason", fields.text) if texts else None,
        rank=fields.optional("rank", lambda key: fields.whole(key, 1)),
        recall=fields.optional("recall", lambda key: fields.number(key, 0, 1)),
        coverage=fields.optional("coverage", lambda key: fields.number(key, 0, 1)),
        retrieved=fields.objects("retrieved", lambda chunk: _chunk(chunk, texts)),
    )


def _chunk(fields: Fields, texts: bool) -> CaseChunk:
    start, end = fields.whole("start"), fields.whole("end")
    if start > end:
        raise fields.refuse("start", f"{start} is behind end {end}")
    sha256 = fields.sha256("sha256")
    text = fields.text("text", blank=True) if texts else None
    if text is not None and sha256_of(text) != sha256:
        raise fields.refuse("text", "not the text that sha256 was made of; restore the file")
    return CaseChunk(
        doc=fields.text("doc"),
        start=start,
        end=end,
        score=fields.number("score"),
        sent=fields.truth("sent"),
        sha256=sha256,
        text=text,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
