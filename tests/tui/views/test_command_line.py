import argparse
import shlex
from pathlib import Path

import pytest

from chunkscope.cli.inspect import add_arguments
from chunkscope.cli.sources import reading_of
from chunkscope.evaluation.configuration import Configuration
from chunkscope.text.loading.reading import Reading
from chunkscope.tui.reading import Opening
from chunkscope.tui.session import Session
from chunkscope.tui.views.summary import command_line


@pytest.mark.parametrize(
    "reading",
    [
        Reading(),
        Reading(
            {"a b.txt": "cp1252", "*.csv": "latin-1"}, "lf", True, ("title", "more.note"), "key",
            join_hyphens=True, drop_running=True,
        ),
    ],
)  # fmt: skip
def test_the_command_reads_the_files_in_the_same_way(reading, tmp_path):
    a = Configuration()
    opening = Opening((tmp_path,), encoding_of=reading.encoding_of, reading=reading)
    session = Session(opening.paths, {"A": a, "B": a})
    words = shlex.split(command_line(session, opening, "A"))
    assert words[:2] == ["chunkscope", str(tmp_path)]
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parsed = parser.parse_args(words[1:])
    assert parsed.paths == [Path(tmp_path)]
    assert reading_of(parsed) == reading


def test_passwords_are_never_in_the_command(tmp_path):
    opening = Opening((tmp_path,), reading=Reading(passwords=("lamp oil",)))
    session = Session(opening.paths, {"A": Configuration(), "B": Configuration()})
    assert "lamp" not in command_line(session, opening, "A")
