"""Counts in words."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 question`, `2 questions`; `plural` where it is not the noun with an s."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"
