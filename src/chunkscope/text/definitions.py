"""What encloses a place in source code: the first lines of its classes and functions.

Python is parsed. Elsewhere, and in Python that does not parse, indentation tells what holds what,
and a line's first words whether it defines something: code that is not indented has no definition
here rather than a wrong one.
"""

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from chunkscope.text.lines import LineIndex

_PYTHON = (".py", ".pyi", ".pyw")
_OTHERS = (
    *(".c", ".cc", ".cpp", ".cs", ".cxx", ".go", ".h", ".hh", ".hpp", ".java", ".js", ".jsx"),
    *(".kt", ".kts", ".lua", ".mjs", ".php", ".ps1", ".rb", ".rs", ".scala", ".sol", ".swift"),
    *(".ts", ".tsx", ".vb"),
)
_TAB = 4

_MODIFIER = (
    "export|default|declare|public|private|protected|internal|static|abstract|final|async|override"
    "|virtual|inline|unsafe|extern|open|sealed|data|partial|readonly|const|local|shared"
    r"|pub(?:\([^()]*\))?"
)
_KEYWORD = (
    "class|interface|enum|struct|trait|impl|module|namespace|object|record|protocol|extension|union"
    "|contract|library|def|fn|func|function|fun|sub|type|constructor|macro_rules!"
)
_DEFINES = re.compile(rf"(?:(?:{_MODIFIER})\s+)*(?:{_KEYWORD})(?![\w.(:=])", re.IGNORECASE)
# A name, its parameters and an opening brace, as methods of C, Java and JavaScript have them.
_CALLABLE = re.compile(
    r"(?!(?:if|else|for|foreach|while|switch|catch|do|return|try|when|with|using|lock|match|unless"
    r"|until|elseif|elif|case|new|throw|await)\b)"
    r"[A-Za-z_~@$][^;={}()]*\([^;{}]*\)?[^;={}()]*\{?$"
)
_ARROW = re.compile(r"(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*=\s*(?:async\s*)?\(.*=>\s*\{?$")


class _Scope(NamedTuple):
    """A stretch that a definition encloses.

    Attributes:
        start: where its line after the first begins.
        end: one past its last character.
        line: the definition's first line, as it stands without white space at its end.
    """

    start: int
    end: int
    line: str


class Definitions:
    """The definitions of one document."""

    def __init__(self, text: str, *, document_id: str) -> None:
        """Find them; the ending of `document_id` says whether the text is code."""
        name = document_id.lower()
        self._scopes: list[_Scope] = []
        if name.endswith(_PYTHON):
            parsed = _parsed(text)
            self._scopes = _indented(text) if parsed is None else parsed
        elif name.endswith(_OTHERS):
            self._scopes = _indented(text)
        self._scopes.sort(key=lambda scope: (scope.start, -scope.end))
        self._starts = [scope.start for scope in self._scopes]
        self._outer = _parents(self._scopes)

    def __len__(self) -> int:
        return len(self._scopes)

    def enclosing(self, offset: int) -> tuple[str, ...]:
        """First lines of the definitions that hold an offset below them, outermost first."""
        number = bisect_right(self._starts, offset) - 1
        lines: list[str] = []
        while number >= 0:
            if offset < self._scopes[number].end:
                lines.append(self._scopes[number].line)
            number = self._outer[number]
        return tuple(reversed(lines))


def _parents(scopes: list[_Scope]) -> list[int]:
    """For each scope the number of the one around it, or -1."""
    outer: list[int] = []
    open_scopes: list[int] = []
    for number, scope in enumerate(scopes):
        while open_scopes and scopes[open_scopes[-1]].end <= scope.start:
            open_scopes.pop()
        outer.append(open_scopes[-1] if open_scopes else -1)
        open_scopes.append(number)
    return outer


def _parsed(text: str) -> list[_Scope] | None:
    """The definitions of Python source; None when it cannot be parsed."""
    # The parser takes form feeds and other line ends apart from the lines counted here.
    source = text.replace("\f", " ").removeprefix("\ufeff")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = LineIndex(text)
    scopes = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if first < last < lines.count:
            begin, end = lines.span(first)
            line = text[begin:end].rstrip().removeprefix("\ufeff")
            scopes.append(_Scope(lines.start(first + 1), lines.span(last).end, line))
    return scopes


def _indented(text: str) -> list[_Scope]:
    """The definitions of code by its indentation."""
    scopes: list[_Scope] = []
    # Indent, first line and where the second begins, of what is open.
    held: list[tuple[int, str, int]] = []
    end = 0
    for start, line, after in _code_lines(text):
        indent = _indent(line)
        while held and held[-1][0] >= indent:
            _, first, below = held.pop()
            if below < end:
                scopes.append(_Scope(below, end, first))
        content = line.strip()
        if _DEFINES.match(content) or _CALLABLE.match(content) or _ARROW.match(content):
            held.append((indent, line.rstrip(), after))
        end = start + len(line)
    for _, first, below in held:
        if below < end:
            scopes.append(_Scope(below, end, first))
    return scopes


def _code_lines(text: str) -> Iterator[tuple[int, str, int]]:
    """Start, text and next line's start of each line that is neither blank nor a comment."""
    lines = LineIndex(text)
    for number in range(lines.count):
        start, end = lines.span(number)
        line = text[start:end]
        # Comments, and a preprocessor's lines, stand at any indent.
        if line.strip() and not line.lstrip().startswith(("#", "//")):
            yield start, line, lines.start(number + 1) if number + 1 < lines.count else len(text)


def _indent(line: str) -> int:
    expanded = line.expandtabs(_TAB)
    indent = len(expanded) - len(expanded.lstrip())
    # A closing brace, and the opening one on a line of its own, belong to what they close or open.
    return indent + 1 if line.strip()[0] in "{})];" else indent
