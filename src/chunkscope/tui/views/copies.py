"""What can be copied: a chunk, a question; as the text is, without a mark of ours."""

from chunkscope.tui.session import VARIANTS, Session
from chunkscope.tui.views.status import splitter_text


def chunk_copy(session: Session, index: int | None) -> tuple[str, str] | None:
    """What it is, and the text of one chunk of the active variant; None where there is none."""
    document, cuts = session.open_document, session.visible_cuts.get(session.active)
    if document is None or cuts is None or index is None or not 0 <= index < len(cuts):
        return None
    configuration = session.configurations[session.active]
    what = f"chunk {index} of {document.id} in {session.active} ({splitter_text(configuration)})"
    return what, cuts.text(index, document.text)


def question_copy(session: Session) -> tuple[str, str] | None:
    """What it is, and the chosen question with its evidence and verdicts, in Markdown."""
    chosen = session.chosen
    if chosen is None:
        return None
    question = chosen.question
    lines = [f"**{question.question}**", ""]
    if question.type:
        lines += [f"Type: {question.type}", ""]
    for item in chosen.items:
        lines += [f"> {line}" for line in item.evidence.text.split("\n")]
        lines += [f"— {place.doc} {place.span.start}–{place.span.end}" for place in item.places[:1]]
        lines.append("")
    for variant in VARIANTS:
        result = session.result(variant)
        if result is not None:
            rank = f", rank {result.rank}" if result.rank is not None else ""
            label = splitter_text(session.configurations[variant])
            lines.append(f"- {variant} ({label}): {result.verdict}{rank}: {result.reason}")
    return f"question {question.id}", "\n".join(lines) + "\n"
