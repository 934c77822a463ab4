from collections.abc import Iterator

import pytest

from chunkscope.text.tokens import write_tiktoken_cache


@pytest.fixture(scope="session", autouse=True)
def offline_tiktoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """tiktoken, as LangChain calls it, finds its vocabulary without a network."""
    folder = tmp_path_factory.mktemp("tiktoken")
    write_tiktoken_cache(folder, "cl100k_base")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        yield
