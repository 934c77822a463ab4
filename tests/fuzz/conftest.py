"""How many examples each target gets.

`python -m pytest tests/fuzz` gives each some; `python -m pytest tests/fuzz --fuzz-examples 20000`
(or CHUNKSCOPE_FUZZ_EXAMPLES=20000) many, other ones in every run. With atheris installed,
`python tests/fuzz/run_atheris.py loading -max_total_time=600` lets coverage lead the way.
"""

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fuzz-examples", type=int, metavar="N", help="examples of each target in tests/fuzz"
    )


def pytest_configure(config: pytest.Config) -> None:
    given = config.getoption("--fuzz-examples", default=None)
    if given is not None:
        os.environ["CHUNKSCOPE_FUZZ_EXAMPLES"] = str(given)
