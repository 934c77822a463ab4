"""A SQLite file that several threads and processes keep things in; its number says its layout."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

_WAIT_SECONDS = 60.0


def connected(path: Path) -> sqlite3.Connection:
    """A connection that waits for others at work; each statement outside `alone` stands by itself.

    Raises:
        sqlite3.Error: when the file cannot be opened.
    """
    return sqlite3.connect(
        path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )


@contextmanager
def alone(connection: sqlite3.Connection) -> Iterator[None]:
    """Nobody else writes meanwhile; all that is written stays, or after an error none of it.

    Raises:
        sqlite3.Error: when the file cannot be written.
    """
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def layout_of(connection: sqlite3.Connection) -> int:
    """The number of the file's layout; 0: a new file, or another program's.

    Raises:
        sqlite3.Error: when the file is no database, or cannot be read.
    """
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        return int(cursor.fetchone()[0])


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether there is no table in the file.

    Raises:
        sqlite3.Error: when it cannot be read.
    """
    with closing(connection.execute("SELECT count(*) FROM sqlite_master")) as cursor:
        return bool(cursor.fetchone() == (0,))


def lay_out(connection: sqlite3.Connection, statements: str, number: int) -> None:
    """Make the tables, and note the number of their layout; to be called within `alone`.

    Args:
        connection: the file.
        statements: make the tables that are not there yet; a semicolon ends each.
        number: of this layout, from 1.

    Raises:
        sqlite3.Error: when the file cannot be written.
    """
    for statement in statements.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {number:d}")


def write_ahead(connection: sqlite3.Connection) -> None:
    """Let the file have a write-ahead log: several times as fast, and readers need not wait.

    It is not waited for while others are at work: the next one to open the file switches it on.
    """
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
