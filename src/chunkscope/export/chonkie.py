"""Python code on chonkie that cuts as the configuration does."""

from dataclasses import replace

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.cutters import (
    COUNT_WORDS,
    SPECIAL_COMMENT,
    VOCABULARY_COMMENT,
    Cutter,
    counts_tokens,
    make_cutter,
    make_windows,
)
from chunkscope.export.literals import literal
from chunkscope.export.module import write_module
from chunkscope.export.refusals import other_encoding
from chunkscope.splitting.packages import own_class
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings, second_stage
from chunkscope.text.vocabularies import VOCABULARIES

_PACKAGE = "chonkie"
_OWN = "chonkie:"

_NATIVE = (
    "chonkie's TokenChunker makes the windows. Its chunk() leaves out a text of white space",
    "alone, which chunk_batch() does not.",
)

_WRAPPED = (
    "chonkie's own chunkers keep white space, merge and overlap in ways of their own; this one",
    "runs the code below and gives the same chunks.",
)

_TOKENS = f'''\
class Tiktoken(Tokenizer):
    """The tokens of {{encoding}}."""

    def __init__(self) -> None:
        super().__init__()
        {VOCABULARY_COMMENT}
        self.encoding = tiktoken.get_encoding({{name}})

    def __repr__(self) -> str:
        return "Tiktoken()"

    def encode(self, text: str) -> list[int]:
        """The tokens of a text."""
        {SPECIAL_COMMENT}
        return self.encoding.encode(text, disallowed_special=())

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens; half a character is U+FFFD."""
        return self.encoding.decode(list(tokens))

    def tokenize(self, text: str) -> list[int]:
        """The tokens of a text."""
        return self.encode(text)


'''

_COUNT_TOKENS = f'''\
encoding = tiktoken.get_encoding({{name}})


def count_tokens(text: str) -> int:
    """Tokens of {{encoding}}."""
    {SPECIAL_COMMENT}
    return len(encoding.encode(text, disallowed_special=()))
'''

_CHUNKER = '''\
class Chunker(BaseChunker):
    """A chunker over `cut`."""

    def chunk(self, text: str) -> list[Chunk]:
        """The chunks of one text."""
        # LangChain does not know where its chunks stand: no place, rather than a wrong one.
        return [
            Chunk(
                text=chunk,
                start_index=-1,
                end_index=-1,
                token_count=self.tokenizer.count_tokens(chunk),
            )
            for chunk in cut(text)
        ]
'''

_WINDOW_CHUNKER = '''\
class Chunker(BaseChunker):
    """A chunker over `windows`."""

    def chunk(self, text: str) -> list[Chunk]:
        """The chunks of one text."""
        return [
            Chunk(
                text=text[start:end],
                start_index=start,
                end_index=end,
                token_count=self.tokenizer.count_tokens(text[start:end]),
            )
            for start, end in windows(text)
        ]
'''


def export(configuration: Configuration, note: str = "") -> str:
    """A module that defines a chunker and `split(text) -> list[str]`.

    `token` and `chonkie:NAME` are chonkie's own, all else a chunker over LangChain's splitters.

    Raises:
        InputError: for a splitter that neither has.
    """
    settings = configuration.splitter
    if settings.kind.startswith(_OWN):
        return write_module(
            configuration,
            note,
            _own_chunker(settings),
            chunks="[chunk.text for chunk in chunker.chunk(text) if chunk.text]",
        )
    cutter = make_cutter(settings, "chonkie")
    if settings.kind == "token":
        return write_module(
            configuration,
            note,
            _token_chunker(settings),
            chunks="[chunk.text for chunk in chunker.chunk_batch([text], 1, False)[0]]",
            remarks=_NATIVE,
        )
    return write_module(
        configuration,
        note,
        _in_chunker(settings, cutter),
        chunks="[chunk.text for chunk in chunker.chunk(text)]",
        remarks=_WRAPPED,
    )


def _own_chunker(settings: SplitterSettings) -> Cutter:
    """The class of chonkie's that a `chonkie:NAME` is, given what it counts in."""
    name = own_class(settings.kind)
    if settings.unit == "tokens":
        made = _token_chunker(settings, name)
    else:
        tokenizer = literal("character" if settings.unit == "characters" else "word")
        made = Cutter(
            definition=f"# Sizes are {settings.unit}.\n" + _made(settings, name, tokenizer),
            call="",
            imports=(f"from chonkie import {name}",),
            packages=(_PACKAGE,),
        )
    return made


def _made(settings: SplitterSettings, name: str, tokenizer: str) -> str:
    given = [tokenizer, f"chunk_size={settings.size}"]
    if "overlap" in get_splitter(settings.kind).uses:
        given.append(f"chunk_overlap={settings.overlap_size}")
    return f"chunker = {name}({', '.join(given)})\n"


def _token_chunker(settings: SplitterSettings, name: str = "TokenChunker") -> Cutter:
    if settings.encoding not in VOCABULARIES:
        raise other_encoding("chonkie", settings.encoding)
    tokens = _TOKENS.format(encoding=settings.encoding, name=literal(settings.encoding))
    return Cutter(
        definition=tokens + _made(settings, name, "Tiktoken()"),
        call="",
        imports=(
            "import tiktoken",
            f"from chonkie import {name}",
            "from chonkie.tokenizer import Tokenizer",
        ),
        standard=("from collections.abc import Sequence",),
        packages=(_PACKAGE, "tiktoken"),
    )


def _in_chunker(settings: SplitterSettings, cutter: Cutter) -> Cutter:
    windows = settings.kind == "words"
    function = make_windows(settings) if windows else cutter.as_function()
    parts = [function.definition]
    imports = [*function.imports, "from chonkie import BaseChunker, Chunk"]
    second = second_stage(settings)
    count = "len"
    if counts_tokens(settings):
        count = "count_tokens"
        if f"def {count}(" not in function.definition:
            name = literal(settings.encoding)
            parts.append(_COUNT_TOKENS.format(encoding=settings.encoding, name=name))
            imports.append("import tiktoken")
    elif "words" in (second.kind, second.unit):
        count = "count_words"
        if f"def {count}(" not in function.definition:
            parts.append(COUNT_WORDS)
    parts += [_WINDOW_CHUNKER if windows else _CHUNKER, f"chunker = Chunker({count})\n"]
    return replace(
        function,
        definition="\n\n".join(parts),
        imports=tuple(imports),
        packages=(_PACKAGE, *function.packages),
    )
