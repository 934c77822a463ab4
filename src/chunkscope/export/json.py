"""The sections and settings of a configuration file as one JSON object."""

import json
from collections.abc import Mapping
from typing import Any

from chunkscope import __version__
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration

ABOUT = "chunkscope"
"""Key beside the sections that says where the file comes from; no setting."""


def export(configuration: Configuration, note: str = "") -> str:
    """The configuration as JSON (ASCII), every setting written out, overlap resolved."""
    about = {"version": __version__, "hash": configuration.hash}
    if note:
        about["note"] = note
    whole = {ABOUT: about, **configuration.to_mapping()}
    return json.dumps(whole, indent=2) + "\n"


def sections(text: str) -> Mapping[str, Any]:
    """The sections of an exported file, as `configuration_from_mapping` takes them.

    Raises:
        InputError: when the text is no such file.
    """
    try:
        whole = json.loads(text)
    except ValueError as error:
        raise InputError(f"json export: not JSON ({error}); export it again") from None
    if not isinstance(whole, dict):
        raise InputError("json export: not an object; export it again")
    return {key: value for key, value in whole.items() if key != ABOUT}
