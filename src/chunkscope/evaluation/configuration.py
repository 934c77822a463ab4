"""A configuration: splitter, enrichment, retriever; frozen, hashable, one canonical form."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that decides the chunks and their ranking (variant A, variant B)."""

    splitter: SplitterSettings = field(default_factory=SplitterSettings)
    enrich: EnrichSettings = field(default_factory=EnrichSettings)
    retriever: RetrieverSettings = field(default_factory=RetrieverSettings)

    def to_mapping(self) -> dict[str, Any]:
        """Sections and settings as in a file, defaults filled, overlap resolved."""
        mapping: dict[str, Any] = asdict(self)
        mapping["splitter"]["overlap"] = self.splitter.overlap_size
        mapping["splitter"]["separators"] = list(self.splitter.separators)
        mapping["retriever"]["k"] = list(self.retriever.k)
        mapping["retriever"]["fuse"] = list(self.retriever.fuse)
        return mapping

    @property
    def label(self) -> str:
        """Kind, size, overlap and unit in a few words, the encoding where it counts."""
        splitter = self.splitter
        unit = f"{splitter.encoding} tokens" if splitter.unit == "tokens" else splitter.unit
        prefix = "" if self.enrich.prefix == "none" else f", {self.enrich.prefix}"
        return f"{splitter.kind} {splitter.size}/{splitter.overlap_size} {unit}{prefix}"

    def label_with(self, settings: Iterable[str]) -> str:
        """The label, with the values of further settings named `section.key`."""
        mapping = self.to_mapping()
        further = []
        for name in settings:
            section, key = name.split(".")
            value = mapping[section][key]
            listed = section == "retriever" and isinstance(value, list)
            shown = ",".join(map(str, value)) if listed else value
            if isinstance(value, bool):
                shown = str(value).lower()
            plain = f"{section if key == 'kind' else key.replace('_', ' ')} {shown}"
            further.append(plain if key != "separators" else f"separators {json.dumps(value)}")
        return ", ".join([self.label, *further])

    @property
    def hash(self) -> str:
        """SHA-256 over the canonical JSON of `to_mapping`, in hex."""
        text = json.dumps(self.to_mapping(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()


_IN_LABEL = frozenset(
    {"splitter.kind", "splitter.size", "splitter.overlap", "splitter.unit", "splitter.encoding",
     "enrich.prefix"}
)  # fmt: skip


def varied_settings(configurations: Sequence[Configuration]) -> tuple[str, ...]:
    """The settings, as `section.key`, that differ between these and that no label tells."""
    mappings = [configuration.to_mapping() for configuration in configurations]
    return tuple(
        f"{section}.{key}"
        for section, settings in (mappings[0] if mappings else {}).items()
        for key in settings
        if f"{section}.{key}" not in _IN_LABEL
        and any(mapping[section][key] != settings[key] for mapping in mappings)
    )
