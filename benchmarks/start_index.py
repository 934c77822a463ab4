"""How many of LangChain's own start indices are missing or wrong, on 1 MB.

    python benchmarks/start_index.py [--size 256] [--overlap 25]

LangChain finds a chunk again by searching for its text; here the place comes out of the split.
The chunks are the same, text for text; a start index is wrong when it is not where the chunk was
cut, even if the same text stands there too.
"""

import argparse
import tempfile
from pathlib import Path

from recut import langchain_splitter, megabyte, use_bundled_vocabulary

from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--overlap", type=int, default=25)
    parser.add_argument("--keep", default="end", choices=("end", "start", "none"))
    arguments = parser.parse_args()
    text, source = megabyte()
    settings = SplitterSettings(
        size=arguments.size, overlap=arguments.overlap, keep_separator=arguments.keep
    )
    with tempfile.TemporaryDirectory() as folder:
        use_bundled_vocabulary(Path(folder))
        documents = langchain_splitter(settings, start_index=True).create_documents([text])
    cuts = (
        get_splitter("recursive").prepare(text, settings).cut(settings.size, settings.overlap_size)
    )
    theirs = [document.page_content for document in documents]
    if cuts.texts(text) != theirs:
        raise SystemExit("the chunks differ from LangChain's: nothing to compare")

    missing = elsewhere = 0
    for document, start in zip(documents, cuts.starts.tolist(), strict=True):
        index = document.metadata["start_index"]
        missing += index == -1
        elsewhere += index not in (-1, start)
    slices = sum(
        text[start:end] == chunk
        for start, end, chunk in zip(cuts.starts.tolist(), cuts.ends.tolist(), theirs, strict=True)
    )
    print(f"{len(text):,} characters ({source})")
    print(f"recursive, {arguments.size}/{arguments.overlap} tokens, keep {arguments.keep}")
    print(f"chunks, identical texts              {len(theirs):>7,}")
    print(f"LangChain start_index -1             {missing:>7,}")
    print(f"LangChain start_index wrong          {elsewhere:>7,}")
    print(f"chunkscope range slices to the text  {slices:>7,}")
    print(f"chunkscope altered, marked so        {len(cuts.altered):>7,}")


if __name__ == "__main__":
    main()
