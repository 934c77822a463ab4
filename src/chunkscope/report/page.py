"""The whole report: one HTML file that loads nothing and runs nothing but its own script."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from chunkscope.evaluation.compare import CHANGES, Comparison
from chunkscope.evaluation.diagnosis import Diagnosis, QuestionDiagnosis
from chunkscope.evaluation.report import versions
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.secondround import SecondRound
from chunkscope.evaluation.sweepresults import Sweep
from chunkscope.report.markup import element, listing, literal
from chunkscope.report.pairs import pair_table
from chunkscope.report.plot import sweep_plot
from chunkscope.report.questions import differences_section, question_section, question_table
from chunkscope.report.sweeptable import advice_section, sweep_table

_KEY = (
    '<p class="key">In the text: neighbouring chunks are shaded in turn, <span class="begin">7'
    "</span> is where chunk 7 of its document begins, text in two chunks is dotted above. Evidence "
    'is underlined: <mark class="whole">whole in a returned chunk</mark>, <mark class="cut">cut'
    '</mark> with <span class="scissors">✂</span> at the boundary, <mark class="missed">whole in '
    "a chunk that was not returned</mark>.</p>"
)


@dataclass(frozen=True)
class Report:
    """What a report shows.

    Attributes:
        title: its heading, outside text.
        sweep: the table.
        comparison: B against A over the same questions.
        diagnosis: why A's bad questions failed.
        golden: fingerprint of the golden set.
        chosen: ids of the questions shown in the text, in order.
        second: the second round, if there was one.
        notes: warnings to be shown.
    """

    title: str
    sweep: Sweep
    comparison: Comparison
    diagnosis: Diagnosis
    golden: str
    chosen: Sequence[str] = ()
    second: SecondRound | None = None
    notes: Sequence[str] = field(default=())


def report_html(report: Report) -> str:
    """The report as one HTML document."""
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = literal(report.title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">to the report</a>\n'
        f"<header><h1>{title}</h1>{_facts(report)}</header>\n"
        f'<main id="main">\n{_body(report)}\n</main>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _body(report: Report) -> str:
    diagnosed = {
        question.result.located.question.id: question for question in report.diagnosis.questions
    }
    found = report.comparison
    sections = [("Advice", advice_section(report.sweep) + _second(report.second))]
    if report.notes:
        sections.append(("Warnings", listing(report.notes)))
    sections += [
        ("Sweep", _sweep(report.sweep)),
        ("A against B", _variants(found) + differences_section(found)),
        ("Why A fails", _signatures(report.diagnosis)),
        ("Questions", _filters(found, diagnosed) + question_table(found, diagnosed)),
        ("In the text", _KEY + _chosen(report, diagnosed)),
    ]
    return "\n".join(
        f"<section><h2>{heading}</h2>{inside}</section>" for heading, inside in sections
    )


def _sweep(sweep: Sweep) -> str:
    return sweep_plot(sweep) + sweep_table(sweep) + pair_table(sweep)


def _facts(report: Report) -> str:
    run = report.comparison.a
    corpus, counts = run.chunks.corpus, run.counts
    facts = {
        "documents": f"{len(corpus.documents):,}, {corpus.characters:,} characters, "
        f"{run.corpus_tokens:,} tokens",
        **({"files": corpus.read_words} if corpus.read_words else {}),
        "questions": f"{counts.questions:,}: {counts.measured:,} measured, "
        f"{counts.unmeasured:,} unmeasured, {counts.unanswerable:,} unanswerable",
        "corpus": corpus.fingerprint,
        "golden set": report.golden,
        "versions": ", ".join(f"{name} {version}" for name, version in versions().items()),
    }
    inside = "".join(f"<dt>{name}</dt><dd>{literal(value)}</dd>" for name, value in facts.items())
    return f"<dl>{inside}</dl>"


def _second(found: SecondRound | None) -> str:
    return "" if found is None else element("p", literal(f"second round: {found.sentence}"))


def _variants(found: Comparison) -> str:
    return "".join(
        f"<p><strong>{letter}</strong> {literal(_described(run))}</p>"
        for letter, run in (("A", found.a), ("B", found.b))
    )


def _described(run: Evaluation) -> str:
    retriever = run.configuration.retriever
    taken = f"budget {retriever.budget}" if retriever.budget else f"k {retriever.k[0]}"
    return f"{run.configuration.label}, {retriever.kind}, {taken}: {run.statistics.count:,} chunks"


def _signatures(diagnosis: Diagnosis) -> str:
    bad = len(diagnosis.questions)
    if not bad:
        return element("p", "no question of A is bad")
    lines = [f"{name}: {count}" for name, count in diagnosis.totals.items() if count]
    share = diagnosis.mendable_share
    if share is not None:
        lines.append(f"other chunks can mend {diagnosis.mendable} of {bad} ({share:.0%})")
    return listing(lines)


def _filters(found: Comparison, diagnosed: Mapping[str, QuestionDiagnosis]) -> str:
    """The filter bar; hidden until the script can work it."""
    verdicts = ("hit", "partial", "split", "missed", "unmeasured", "unanswerable")
    used = {question.signature for question in diagnosed.values()}
    choices = {
        "change": ("B against A", CHANGES),
        "a": ("A", verdicts),
        "b": ("B", verdicts),
        "signature": ("why A fails", (*sorted(used), "none")),
    }
    fields = []
    for name, (label, options) in choices.items():
        inside = "".join(f"<option>{option}</option>" for option in options)
        fields.append(
            f'<label>{label}<select name="{name}"><option value="">all</option>{inside}</select>'
            "</label>"
        )
    fields.append('<label>words<input name="text" type="search" autocomplete="off"></label>')
    fields.append(f'<output id="shown">{len(found.questions)} questions</output>')
    return f'<form id="filters" hidden aria-label="filter questions">{"".join(fields)}</form>'


def _chosen(report: Report, diagnosed: Mapping[str, QuestionDiagnosis]) -> str:
    by_id = {one.a.located.question.id: one for one in report.comparison.questions}
    parts = [
        question_section(report.comparison, by_id[name], diagnosed.get(name))
        for name in report.chosen
        if name in by_id
    ]
    if not parts:
        return element("p", "no question was chosen", "quiet")
    return f'<div id="chosen">{"".join(parts)}</div>'


@lru_cache(maxsize=4)
def _resource(name: str) -> str:
    return files("chunkscope.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
