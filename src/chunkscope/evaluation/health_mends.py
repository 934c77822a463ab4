"""Which setting mends what a health check found, given the settings in use."""

from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.registry import splitter_kinds
from chunkscope.splitting.settings import SplitterSettings

_WINDOWS = ("words", "token")


def mend_of(name: str, configuration: Configuration) -> str:
    """The setting that mends a check's finding, in one sentence; empty for an unknown name."""
    splitter = configuration.splitter
    prefix = configuration.enrich.prefix
    sentences = {
        "sentence": _sentence(splitter),
        "word": _word(splitter),
        "grapheme": _word(splitter),
        "code_fence": _by_separator(splitter, "\n```", "a line end and three backticks first"),
        "table_row": _by_separator(splitter, "\n", "line ends before spaces"),
        "list": _by_separator(splitter, "\n\n", "blank lines first"),
        "heading_parted": (
            "keep_separator: start, with headings among the separators"
            if prefix == "headings"
            else "prefix: headings, so that every chunk carries its own"
        ),
        "blank": "strip: on; blank chunks are then dropped",
        "tiny": "size: smaller, so that fewer pieces are left over; or fewer separators",
        "oversize": _oversize(splitter),
        "duplicate": "dedupe: on; a text then stands in the index once",
        "several_sections": _sections(),
        "table_header": "size: as large as the table; or prefix: headings, to say what it is of",
        "pronoun": (
            "overlap: larger, to repeat what the pronoun stands for"
            if prefix == "headings"
            else "overlap: larger, to repeat what the pronoun stands for; or prefix: headings"
        ),
        "uncovered": _uncovered(splitter),
        "idle_overlap": (
            "overlap: 0, for it does nothing there; or finer separators, whose pieces fit into it"
        ),
    }
    return sentences.get(name, "")


def _sentence(splitter: SplitterSettings) -> str:
    if "sentence" in splitter_kinds() and splitter.kind != "sentence":
        return "splitter: sentence, which cuts between sentences alone"
    if splitter.kind in _WINDOWS:
        return "splitter: recursive, with sentence ends among the separators"
    if ". " not in splitter.separators:
        return "separators: sentence ends (. ? ! and a space) before the space"
    if splitter.keep_separator == "start":
        return "keep_separator: end, so that a sentence keeps its full stop"
    return "size: larger, so that fewer paragraphs are cut; overlap repeats what a cut took away"


def _word(splitter: SplitterSettings) -> str:
    if splitter.kind == "token":
        return "splitter: recursive, which cuts at separators before it cuts words"
    if "" in splitter.separators:
        return "separators: without the last, empty one; longer words are then oversize"
    return "separators: white space, so that words stay whole"


def _by_separator(splitter: SplitterSettings, separator: str, said: str) -> str:
    if splitter.kind in _WINDOWS:
        return f"splitter: recursive, with {said} among the separators"
    if separator not in splitter.separators:
        return f"separators: {said}"
    return "size: larger, so that the whole of it fits"


def _oversize(splitter: SplitterSettings) -> str:
    if splitter.kind == "character":
        return "splitter: recursive, which goes on with finer separators"
    if "" not in splitter.separators:
        return "separators: finer ones, at last the empty one, which cuts anywhere"
    return "size: larger, or finer separators"


def _sections() -> str:
    if "markdown" in splitter_kinds():
        return "splitter: markdown, which cuts at headings"
    return "separators: headings first (a line end and #), with keep_separator start"


def _uncovered(splitter: SplitterSettings) -> str:
    if splitter.dedupe:
        return "dedupe: off, if every place of a repeated text must be in the index"
    if splitter.keep_separator == "none":
        return "keep_separator: end, so that separators stay in the text"
    return "overlap, size and separators leave text out: say so to the splitter's authors"
