"""A configuration file, as `chunkscope.toml` or `--config` takes it."""

from chunkscope.evaluation.configfile import to_toml
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.header import header


def export(configuration: Configuration, note: str = "") -> str:
    """The configuration as TOML, every setting written out.

    Raises:
        InputError: when a text holds half a surrogate pair, which TOML cannot.
    """
    return "\n".join([*header(configuration, note), "", to_toml(configuration)])
