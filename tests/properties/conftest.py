from collections.abc import Iterator

import pytest

from chunkscope.text.tokens import write_tiktoken_cache


@pytest.fixture(scope="session", autouse=True)
def vocabulary_without_a_network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """tiktoken, asked by the oracles, reads the bundled vocabularies."""
    folder = tmp_path_factory.mktemp("vocabulary")
    for encoding in ("cl100k_base", "o200k_base"):
        write_tiktoken_cache(folder, encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        yield
