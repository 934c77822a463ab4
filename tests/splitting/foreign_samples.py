"""Splitters as other people write them."""

from dataclasses import dataclass

from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

lines = RecursiveCharacterTextSplitter(chunk_size=12, chunk_overlap=0, add_start_index=True)
headers = MarkdownHeaderTextSplitter([("#", "h1")])
not_callable = 3


def strings(text):
    return text.split("\n")


def of_size(text, chunk_size, *, overlap=0):
    return [text[at : at + chunk_size] for at in range(0, len(text), chunk_size - overlap)]


def ranges(text):
    yield (5, len(text))
    yield [0, 5]
    yield (3, 3)


def bad_range(text):
    return [(0, 2), (1, len(text) + 1)]


def documents(text):
    return lines.create_documents([text])


def nothing(text):
    return None


def one_string(text):
    return text


def wrong_items(text):
    return ["a", 3.5]


def mixed(text):
    return ["a", (0, 1)]


async def later(text):
    return [text]


def raises(text):
    return [1 / len("")]


def raises_late(text):
    yield text
    raise KeyError("two\nlines")


def leaves(text):
    raise SystemExit(5)


def imports(text):
    import no_such_package

    return no_such_package.split(text)


@dataclass
class Chunk:
    text: str
    start_index: int
    end_index: int


def objects(text):
    return [Chunk("lamp", 6, 10), Chunk("end", 18, 21)]


def wrong_objects(text):
    return [Chunk("lamp", 7, 11), Chunk("end", 1, 4)]


class Chunker:
    def __init__(self, chunk_size=4):
        self.chunk_size = chunk_size

    def chunk(self, text):
        return [text[at : at + self.chunk_size] for at in range(0, len(text), self.chunk_size)]


class NoSplitter:
    pass


class Broken:
    @property
    def split_text(self):
        raise RuntimeError("no method today")


broken = Broken()


def prints(text):
    import logging

    print("splitting")
    logging.getLogger("a splitter").warning("a chunk is long")
    return [text]


class Panic(BaseException):
    pass


def panics(text):
    raise Panic("the compiled part gave up")


def deep(text):
    import json

    return json.loads(text)


def tiles(text):
    return [Chunk("aa", at, at + 2) for at in range(0, len(text), 2)]


def nearly_tiles(text):
    return [Chunk("aa", 0, 2), Chunk("aa", 1, 3)]


def html_headings(text):
    from langchain_text_splitters import HTMLHeaderTextSplitter

    return HTMLHeaderTextSplitter([("h1", "h1")]).split_text(text)
