"""The settings of `semantic` in files, flags and sweeps."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunkscope.cli.main import main
from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import (
    check_configuration,
    configuration_from_mapping,
    read_configuration,
    to_toml,
)
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.sweepplan import plan_sweep
from chunkscope.splitting.settings import SplitterSettings

OWN = "semantic_samples:by_subject"


@pytest.mark.parametrize("amount", ["default", 0.0, 1.5, 95.0])
def test_a_file_carries_them_there_and_back(tmp_path: Path, amount: float | str):
    splitter = SplitterSettings(
        kind="semantic", breakpoint="interquartile", breakpoint_amount=amount, buffer=0
    )
    configuration = Configuration(splitter=splitter)
    path = tmp_path / "c.toml"
    path.write_text(to_toml(configuration))
    assert read_configuration(path) == configuration
    mapping = json.loads(json.dumps(configuration.to_mapping()))
    assert configuration_from_mapping(mapping, "json").hash == configuration.hash


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('breakpoint = "median"', "breakpoint = 'median' is not allowed; give \"percentile\" or"),
        ('breakpoint_amount = "much"', "breakpoint_amount = 'much' is not allowed; give a number"),
        ("breakpoint_amount = -2", "breakpoint_amount = -2 is not allowed"),
        ("breakpoint_amount = inf", "breakpoint_amount = inf is not allowed"),
        ("breakpoint_amount = true", "breakpoint_amount = True is not allowed"),
        ("buffer = -1", "buffer = -1 is not allowed; give a whole number of at least 0"),
        ("embedder = 3", "embedder = 3 is not allowed"),
    ],
)
def test_a_file_is_refused_by_key(tmp_path: Path, line: str, said: str):
    path = tmp_path / "c.toml"
    path.write_text(f"[splitter]\n{line}\n")
    with pytest.raises(InputError) as refused:
        read_configuration(path)
    assert said in str(refused.value)


def test_no_code_runs_because_of_a_file_alone(tmp_path: Path):
    path = tmp_path / "c.toml"
    path.write_text(f'[splitter]\nkind = "semantic"\nembedder = "{OWN}"\n')
    with pytest.raises(InputError, match=f"to allow it give --embedder {OWN} as well"):
        read_configuration(path)
    assert read_configuration(path, flags={OWN}).splitter.embedder == OWN


def test_other_splitters_warn_about_them():
    configuration = Configuration(splitter=SplitterSettings(kind="recursive", buffer=2))
    assert check_configuration(configuration, {"buffer", "embedder"}) == [
        "buffer: not used by splitter 'recursive'",
        "embedder: not used by splitter 'recursive'",
    ]


def test_a_sweep_varies_them():
    base = Configuration(splitter=SplitterSettings(kind="semantic", embedder=OWN))
    plan = plan_sweep(
        base,
        [100],
        [0],
        {"breakpoint": ("percentile", "gradient"), "breakpoint_amount": ("90", "97.5")},
    )
    assert [(row.splitter.breakpoint, row.splitter.breakpoint_amount) for row in plan.rows] == [
        ("percentile", 90.0),
        ("percentile", 97.5),
        ("gradient", 90.0),
        ("gradient", 97.5),
    ]
    own = replace(base, splitter=SplitterSettings(kind=OWN))
    assert [row.splitter.kind for row in plan_sweep(own, [9], [0], {"dedupe": ("true",)}).rows] == [
        OWN
    ]
    named = plan_sweep(replace(base, splitter=SplitterSettings()), [9], [0], {"embedder": (OWN,)})
    assert [row.splitter.embedder for row in named.rows] == [OWN]


def test_the_command_cuts_by_an_embedder_given_as_a_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    document = tmp_path / "a.txt"
    document.write_text("The boat left. The boat is out. Bread is baked.")
    flags = ["--splitter", "semantic", "--embedder", OWN, "--buffer", "0"]
    flags += ["--breakpoint", "standard_deviation", "--breakpoint-amount", "0.5"]
    assert main(["chunks", str(document), *flags, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(chunk["text"], chunk["start"]) for chunk in found] == [
        ("The boat left. The boat is out.", 0),
        ("Bread is baked.", 32),
    ]


def test_the_command_refuses_an_amount_that_is_none(capsys: pytest.CaptureFixture[str]):
    assert main(["chunks", "x", "--splitter", "semantic", "--breakpoint-amount", "-3"]) == 2
    assert "'-3' is not a number from 0 up" in capsys.readouterr().err
