"""What the inspector remembers between two runs: variants, place, panel, theme, by what is open."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import Question
from chunkscope.tui import baseline
from chunkscope.tui.session import VARIANTS, Session

_KEPT = 50
_VERSION = 1


@dataclass(frozen=True)
class Remembered:
    """One set of documents as it was left.

    Attributes:
        a: variant A as a mapping of its sections.
        b: variant B.
        document: id of the open document.
        offset: where the cursor stood in it.
        question: id of the chosen question; empty: none.
        panel: the bottom panel shown.
        shown: the variants drawn.
        theme: the theme's name.
        baseline: the pinned baseline as a mapping, if there is one.
        panel_height: rows of the bottom panel where they were changed, else 0.
        widths: cells of the columns that were changed, by their id.
        asked: questions that are not written yet, a golden line each.
    """

    a: dict[str, Any]
    b: dict[str, Any]
    document: str
    offset: int
    question: str
    panel: str
    shown: str
    theme: str
    baseline: dict[str, Any] | None = None
    panel_height: int = 0
    widths: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def questions(self) -> list[Question]:
        """The questions that were not written; a line of no use is left out."""
        from chunkscope.golden.reading import parse_line

        found = []
        for line in self.asked:
            try:
                found.append(parse_line(str(line)))
            except ChunkscopeError:
                continue
        return found

    def configurations(self) -> tuple[Configuration, Configuration] | None:
        """Both variants, or None where this version cannot read them."""
        from chunkscope.evaluation.configfile import configuration_from_mapping

        try:
            a, b = (configuration_from_mapping(each, "session") for each in (self.a, self.b))
        except ChunkscopeError:
            return None
        return a, b


def leaving(session: Session, theme: str) -> Remembered:
    """What is to be remembered of a session."""
    from chunkscope.golden.writing import format_line

    document, chosen = session.open_document, session.chosen
    a, b = (_as_given(session.configurations[variant]) for variant in VARIANTS)
    return Remembered(
        a=a,
        b=b,
        document=document.id if document is not None else "",
        offset=session.offset,
        question=chosen.question.id if chosen is not None else "",
        panel=session.panel,
        shown=session.shown,
        theme=theme,
        baseline=baseline.to_mapping(session.baseline) if session.baseline is not None else None,
        panel_height=session.panel_height,
        widths=dict(session.widths),
        asked=[format_line(located.question).rstrip("\n") for located in session.asked],
    )


def _as_given(configuration: Configuration) -> dict[str, Any]:
    mapping = configuration.to_mapping()
    # A percentage is kept as one, so that the overlap goes on following the size.
    mapping["splitter"]["overlap"] = configuration.splitter.overlap
    return mapping


def state_file() -> Path:
    """Where sessions are kept."""
    from platformdirs import user_state_path

    return user_state_path("chunkscope") / "sessions.json"


def session_key(paths: Sequence[Path], golden: Path | None) -> str:
    """By what a session is found again: the absolute paths of what is open."""
    return "\n".join(str(path.absolute()) for path in (*paths, *([golden] if golden else [])))


def recall(file: Path, key: str) -> Remembered | None:
    """The session of `key`; None where there is none, or the file is of no use."""
    entry = _read(file).get(key)
    if not isinstance(entry, dict):
        return None
    names = {each.name for each in fields(Remembered)}
    needed = names - {"baseline", "panel_height", "widths", "asked"}
    if not needed <= set(entry) <= names:
        return None
    whole: dict[str, Any] = {
        "offset": int,
        "panel_height": int,
        "asked": list,
        "widths": dict,
        "a": dict,
        "b": dict,
        "baseline": (dict, type(None)),
    }
    if not all(isinstance(value, whole.get(name, str)) for name, value in entry.items()):
        return None
    if not all(isinstance(width, int) for width in entry.get("widths", {}).values()):
        return None
    return Remembered(**entry)


def remember(file: Path, key: str, session: Remembered, own: set[str] | None = None) -> bool:
    """Keep a session as the newest; False where the file cannot be written.

    Args:
        file: where sessions are kept; those that other processes keep there stay.
        key: of `session_key`.
        session: what is to be kept.
        own: golden lines that this process has had among its unsaved questions, added to here;
            another's of the same documents stay beside them. None: all are this process's.
    """

    def change(before: bytes | None) -> bytes:
        sessions = _sessions(before or b"")
        entry = asdict(session)
        known = sessions.pop(key, None)
        if own is not None:
            lines = known.get("asked") if isinstance(known, dict) else None
            others = [line for line in lines if line not in own] if isinstance(lines, list) else []
            entry["asked"] = [*session.asked, *others]
        sessions[key] = entry
        while len(sessions) > _KEPT:
            sessions.pop(next(iter(sessions)))
        return json.dumps({"version": _VERSION, "sessions": sessions}).encode("ascii")

    from chunkscope.golden.atomic import update_file

    if own is not None:
        own.update(session.asked)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        update_file(file, change)
    except (ChunkscopeError, OSError):
        return False
    return True


def _read(file: Path) -> dict[str, Any]:
    try:
        return _sessions(file.read_bytes())
    except OSError:
        return {}


def _sessions(data: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(whole, dict) or whole.get("version") != _VERSION:
        return {}
    sessions = whole.get("sessions")
    return dict(sessions) if isinstance(sessions, dict) else {}
