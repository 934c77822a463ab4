"""Settings for kinds of text, to start from: prose, Markdown, code, CJK."""

from dataclasses import replace

from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.tweaking import with_setting

PRESETS: tuple[tuple[str, str, str], ...] = (
    ("p", "prose", "Prose: paragraphs, lines, sentences, words."),
    ("m", "markdown", "Markdown: sections by headings, nothing moved."),
    ("c", "code", "Code: the open document as its language has it."),
    ("j", "cjk", "Chinese and Japanese: full stops and commas of theirs, no spaces needed."),
)
"""Letter, name, and a sentence for a person."""

_CJK = ("\n\n", "\n", "。", "！", "？", "；", "，", "、", " ", "")
_LANGUAGES = {
    "py": "python", "pyi": "python", "js": "js", "mjs": "js", "jsx": "js", "ts": "ts", "tsx": "ts",
    "go": "go", "rs": "rust", "java": "java", "kt": "kotlin", "c": "c", "h": "c", "cpp": "cpp",
    "cc": "cpp", "hpp": "cpp", "cs": "csharp", "rb": "ruby", "php": "php", "swift": "swift",
    "scala": "scala", "lua": "lua", "hs": "haskell", "ex": "elixir", "exs": "elixir",
    "sol": "sol", "proto": "proto", "tex": "latex", "html": "html", "htm": "html", "rst": "rst",
    "md": "markdown", "ps1": "powershell", "r": "r", "cob": "cobol",
}  # fmt: skip


def language_of(document_id: str) -> str:
    """The language whose separators fit a file name's ending; Python where none is known."""
    ending = document_id.rsplit(".", 1)[-1].casefold()
    return _LANGUAGES.get(ending, "python")


def with_preset(configuration: Configuration, name: str, document_id: str) -> Configuration:
    """The configuration with a preset's splitter and separators; size and overlap stay."""
    kinds = {"markdown": "markdown", "code": f"code:{language_of(document_id)}"}
    changed = with_setting(configuration, "splitter", "kind", kinds.get(name, "recursive"))
    if name in kinds:
        return changed
    separators = _CJK if name == "cjk" else SplitterSettings().separators
    splitter = replace(changed.splitter, separators=separators, regex=False)
    return replace(changed, splitter=splitter)
