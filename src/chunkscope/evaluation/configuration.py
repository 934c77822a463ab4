"""A configuration: splitter, enrichment, retriever; frozen, hashable, one canonical form."""

import hashlib
import json
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
        return mapping

    @property
    def label(self) -> str:
        """Kind, size, overlap and unit in a few words, the encoding where it counts."""
        splitter = self.splitter
        unit = f"{splitter.encoding} tokens" if splitter.unit == "tokens" else splitter.unit
        prefix = "" if self.enrich.prefix == "none" else f", {self.enrich.prefix}"
        return f"{splitter.kind} {splitter.size}/{splitter.overlap_size} {unit}{prefix}"

    @property
    def hash(self) -> str:
        """SHA-256 over the canonical JSON of `to_mapping`, in hex."""
        text = json.dumps(self.to_mapping(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()
