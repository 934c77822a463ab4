"""What a colleague is sent: a summary, and a command line that opens the same view."""

import argparse
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from inspector_driver import A, B, Start, list_files, read_text

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.inspect import add_arguments
from chunkscope.evaluation.configfile import read_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.tweaking import doubled
from chunkscope.tui.views.summary import B_FILE

OTHER = replace(
    B,
    splitter=replace(
        B.splitter, separators=("\n\n", "\t", "|", '"', ""), strip=False, overlap="12.5%"
    ),
)


def parsed(text: str) -> argparse.Namespace:
    """The command line of the summary, read as the program reads it."""
    line = next(line for line in text.split("\n") if line.startswith("chunkscope "))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(shlex.split(line)[1:])


@pytest.mark.parametrize(("a", "b"), [(A, OTHER), (OTHER, A), (A, doubled(A))])
async def test_the_command_line_opens_the_same_variants(
    start: Start, a: Configuration, b: Configuration
) -> None:
    async with start(a=a, b=b) as driver:
        await driver.press("y")
        text = read_text("chunkscope-summary.md")
        arguments = parsed(text)
        found, _notes = build_configuration(arguments)
        assert found == a
        if b == doubled(a):
            assert arguments.b is None
            assert list_files() == ["chunkscope-summary.md"]
        else:
            assert list_files() == [B_FILE, "chunkscope-summary.md"]
            assert arguments.b == Path(B_FILE)
            assert read_configuration(arguments.b) == b
            assert f'[splitter]\nkind = "{b.splitter.kind}"' in text
        assert arguments.golden == driver.session.golden_path
        assert arguments.paths == list(driver.session.paths)


async def test_a_folder_that_cannot_be_written_is_said(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    async with start() as driver:
        monkeypatch.chdir(gone)
        gone.rmdir()
        monkeypatch.setattr(Path, "cwd", lambda: gone)
        await driver.press("y")
        assert "copied; not written: " in driver.toasts()[-1]
        assert driver.app.clipboard.startswith("# chunkscope")
