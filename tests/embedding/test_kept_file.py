"""What two caches share: a SQLite file that is laid out once, and written whole or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chunkscope.embedding.keptfile import (
    alone,
    connected,
    is_empty,
    lay_out,
    layout_of,
    write_ahead,
)

_LAYOUT = "CREATE TABLE IF NOT EXISTS a (x NOT NULL); CREATE TABLE IF NOT EXISTS b (y);"


def rows(connection: sqlite3.Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT x FROM a ORDER BY x")]


def test_a_new_file_has_no_layout_until_it_is_laid_out(tmp_path: Path) -> None:
    with closing(connected(tmp_path / "f")) as first, closing(connected(tmp_path / "f")) as other:
        assert (layout_of(first), is_empty(first)) == (0, True)
        with alone(first):
            lay_out(first, _LAYOUT, 3)
        assert (layout_of(other), is_empty(other)) == (3, False)
        # Another that came too late lays out the same again.
        with alone(other):
            lay_out(other, _LAYOUT, 3)
        assert rows(first) == []


def test_what_is_written_alone_stays_whole_or_not_at_all(tmp_path: Path) -> None:
    with closing(connected(tmp_path / "f")) as first, closing(connected(tmp_path / "f")) as other:
        with pytest.raises(sqlite3.OperationalError, match="syntax error"), alone(first):
            lay_out(first, _LAYOUT + "CREATE TABEL c (z)", 1)
        assert (layout_of(other), is_empty(other)) == (0, True)
        with alone(first):
            lay_out(first, _LAYOUT, 1)
        with alone(first):
            first.execute("INSERT INTO a VALUES (1)")
            assert rows(other) == []
        assert rows(other) == [1]
        # What fails leaves nobody waiting.
        with pytest.raises(sqlite3.IntegrityError), alone(first):
            first.executemany("INSERT INTO a VALUES (?)", [(2,), (None,)])
        with alone(other):
            other.execute("INSERT INTO a VALUES (3)")
        assert rows(first) == [1, 3]


def test_the_log_is_switched_on_when_nobody_is_at_work(tmp_path: Path) -> None:
    def mode(connection: sqlite3.Connection) -> str:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

    with closing(connected(tmp_path / "f")) as first, closing(connected(tmp_path / "f")) as other:
        with alone(first):
            lay_out(first, _LAYOUT, 1)
            other.execute("PRAGMA busy_timeout = 0")
            write_ahead(other)
            assert mode(other) == "delete"
        write_ahead(other)
        assert mode(other) == "wal"


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"no database at all, " * 100)
    with closing(connected(tmp_path / "f")) as connection:
        with pytest.raises(sqlite3.DatabaseError, match="file is not a database"):
            layout_of(connection)
        with pytest.raises(sqlite3.DatabaseError, match="file is not a database"):
            write_ahead(connection)
