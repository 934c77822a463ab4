"""chunkscope: see where a splitter cuts, and measure what the cuts cost."""

__version__ = "0.1.0"
