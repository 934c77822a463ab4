"""How far the reading of the documents is, and what cannot be said before all are read."""

UNREAD = "Questions and numbers come when all documents are read."

_BAR = 10


def reading_text(done: int, total: int, *, stopped: bool, ascii_marks: bool) -> str:
    """How many documents are read, and what stops it or goes on with it."""
    if not total:
        return "not read: t l reads the documents" if stopped else "reading documents …"
    filled = _BAR * done // total
    full, empty = "#-" if ascii_marks else "█░"
    bar = full * filled + empty * (_BAR - filled)
    count = f"{done:,} of {total:,} documents"
    if stopped:
        return f"stopped: read {count} {bar} · t l goes on"
    if done == total:
        return f"read {count} {bar}"
    return f"reading {count} {bar} · t l stops"
