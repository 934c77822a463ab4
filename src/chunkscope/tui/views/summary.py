"""The Markdown summary of a view, and the command line that opens it again."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import fields

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.reading import Opening
from chunkscope.tui.session import VARIANTS, Session, Variant
from chunkscope.tui.tweaking import differing, doubled
from chunkscope.tui.views.metrics import metric_columns, metric_rows
from chunkscope.tui.views.status import splitter_text
from chunkscope.tui.views.verdicts import difference_text

B_FILE = "chunkscope-b.toml"
"""Where the settings of B stand, for the command line."""

_FLAGS = {
    "kind": {"splitter": "--splitter", "retriever": "--retriever"},
    "strip": {"splitter": "--no-strip"},
}


def summary(session: Session, opening: Opening) -> str:
    """What is on the screen, in Markdown."""
    lines = ["# chunkscope", ""]
    corpus = session.corpus
    if corpus is not None:
        lines.append(
            f"{len(corpus.documents)} documents, {corpus.characters} characters, "
            f"fingerprint `{corpus.fingerprint[:16]}`; {len(session.questions)} questions."
        )
    lines.append("")
    lines += [
        f"- **{variant}**: {splitter_text(session.configurations[variant])}" for variant in VARIANTS
    ]
    names = differing(session.configurations["A"], session.configurations["B"])
    lines += ["", f"A and B differ in: {', '.join(names) or 'nothing'}.", ""]
    rows = metric_rows(session.numbers, session.baseline, wide=True) if not session.stale else []
    if session.baseline is not None:
        lines += [f"P is the baseline: {splitter_text(session.baseline.configuration)}.", ""]
    if rows:
        titles = [column.title for column in metric_columns(session.baseline, wide=True)]
        lines.append(f"| metric | {' | '.join(titles[1:])} |")
        lines.append("|---|" + "--:|" * (len(titles) - 1))
        lines += ["| " + " | ".join(cell.text for cell in row) + " |" for row in rows]
        lines.append("")
    lines += _question(session)
    lines += ["Ranked by " + session.configurations["A"].retriever.kind + ".", ""]
    lines += ["The same view again:", "", "```", command_line(session, opening), "```", ""]
    b = b_file(session)
    if b:
        lines += [f"with B in `{B_FILE}`:", "", "```toml", literal_lines(b), "```", ""]
    return "\n".join(lines)


def b_file(session: Session) -> str:
    """Variant B as a configuration file; empty where it is what B starts as beside this A."""
    from chunkscope.evaluation.configfile import to_toml

    a, b = (session.configurations[variant] for variant in VARIANTS)
    return "" if b == doubled(a) else to_toml(b)


def literal_lines(text: str) -> str:
    """Each line with a mark for whatever a terminal would act on."""
    return "\n".join(literal(line) for line in text.rstrip("\n").split("\n"))


def _question(session: Session) -> list[str]:
    chosen = session.chosen
    if chosen is None:
        return []
    lines = [f"## {flattened(chosen.question.question)}", ""]
    for variant in VARIANTS:
        result = session.result(variant)
        if result is not None:
            rank = f", rank {result.rank}" if result.rank is not None else ""
            lines.append(f"- **{variant}**: {result.verdict}{rank}: {flattened(result.reason)}")
    change, _role = difference_text(session.result("A"), session.result("B"))
    if change:
        lines.append(f"- A → B: {change}")
    lines += [
        f"- evidence: {literal(place.doc)} {place.span.start}–{place.span.end}"
        for item in chosen.items
        for place in item.places
    ]
    return [*lines, ""]


def command_line(session: Session, opening: Opening, variant: Variant = "A") -> str:
    """The command that opens the same documents with these variants, or with one as its A."""
    words: list[str] = ["chunkscope", *(str(path) for path in opening.paths)]
    if session.golden_path is not None:
        words += ["--golden", str(session.golden_path)]
    elif session.asked:
        question = (session.chosen or session.asked[-1]).question
        words += ["-q", question.question]
        for item in question.evidence:
            words += ["--evidence", item.text]
    if opening.log is not None:
        words += ["--log", str(opening.log)]
    words += _reading_flags(opening)
    words += _flags(session.configurations[variant])
    if variant == "A" and b_file(session):
        words += ["--b", B_FILE]
    return literal_shell(words)


def _reading_flags(opening: Opening) -> list[str]:
    """How the files were read; passwords are never named."""
    words: list[str] = []
    for name, encoding in (opening.encoding_of or {}).items():
        words += ["--encoding-of", f"{name}={encoding}"]
    reading = opening.reading
    if reading is None:
        return words
    if reading.newline != "keep":
        words += ["--newline", reading.newline]
    if reading.html:
        words += ["--extract", "html"]
    if reading.records:
        words += ["--records", ",".join(reading.records), "--record-id", reading.record_id]
    words += ["--join-hyphens"] if reading.join_hyphens else []
    words += ["--drop-running"] if reading.drop_running else []
    return words


def literal_shell(words: Sequence[str]) -> str:
    """Words joined for a shell; those with control characters in its `$'…'` form."""
    return " ".join(_shell_word(word) for word in words)


def _shell_word(word: str) -> str:
    if all(character.isprintable() for character in word):
        return shlex.quote(word)
    escaped = word.encode("unicode_escape").decode("ascii").replace("'", "\\'")
    return f"$'{escaped}'"


def _flags(configuration: Configuration) -> list[str]:
    """Flags of the settings that are not the default."""
    plain = Configuration()
    words: list[str] = []
    for section in ("splitter", "enrich", "retriever"):
        ours, default = getattr(configuration, section), getattr(plain, section)
        for field in fields(ours):
            value = getattr(ours, field.name)
            if value == getattr(default, field.name):
                continue
            flag = _FLAGS.get(field.name, {}).get(section, "--" + field.name.replace("_", "-"))
            if isinstance(value, bool):
                words.append(flag)
            elif field.name == "separators":
                words += [flag, separators_flag(value)]
            elif isinstance(value, tuple):
                words += [flag, ",".join(str(part) for part in value)]
            else:
                words += [flag, str(value)]
    return words


def separators_flag(separators: tuple[str, ...]) -> str:
    """The JSON list that `--separators` takes."""
    return json.dumps(list(separators))
