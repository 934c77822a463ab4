"""A program on a pseudo-terminal, in a working folder of its own."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from pseudo_terminal import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    """Run `chunkscope` with arguments on a terminal of a size; ended with the test."""
    working = tmp_path / "working"
    working.mkdir()
    with ExitStack() as stack:

        def open_it(*arguments: str, size: tuple[int, int] = (80, 24), **environment: str):
            terminal = Terminal(arguments, size=size, cwd=working, **environment)
            return stack.enter_context(terminal)

        yield open_it
