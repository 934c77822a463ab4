"""Export: target, preview, proof, file."""

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.targets import get_target, target_names
from chunkscope.golden.atomic import replace_file
from chunkscope.tui.literal import literal
from chunkscope.tui.messages import ExportWanted
from chunkscope.tui.session import Variant
from chunkscope.tui.views.status import splitter_text
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.line_list import Cell, Column, LineList
from chunkscope.tui.widgets.one_line import OneLine


class ExportScreen(ModalScreen[None]):
    """The configuration as code or config, proven on the open documents before it is saved."""

    CSS_PATH = "export.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "previous target", id="export.previous"),
        Binding("right,t", "step(1)", "next target", id="export.next"),
        Binding("s", "save", "save", id="export.save"),
        Binding("y", "copy", "copy", id="export.copy"),
        Binding("f", "file", "file name", id="export.file"),
        Binding("escape,q", "close", "close", id="export.close"),
    ]

    def __init__(self, variant: Variant, configuration: Configuration) -> None:
        super().__init__()
        self._variant = variant
        self._configuration = configuration
        self._target = 0
        self._targets = tuple((name, get_target(name).file) for name in target_names())
        self._text = ""
        self._proving = True
        self._replacing: Path | None = None

    def compose(self) -> ComposeResult:
        """Target line, preview, proof, file name, keys."""
        with Vertical(id="export"):
            yield OneLine(id="export-target")
            yield LineList(
                (Column(""),), id="export-preview", heading=False, empty="making the export …"
            )
            yield OneLine(id="export-proof")
            with Horizontal(id="export-file-row"):
                yield Label("File", markup=False)
                yield Field(compact=True, id="export-file")
            yield OneLine(id="export-keys")

    def on_mount(self) -> None:
        """Start with the first target."""
        box = self.query_one("#export")
        box.border_title = f"Export variant {self._variant}"
        self.query_one("#export-keys", OneLine).show(
            [("left right target · s save · f file name · y copy · Escape close", "dim")]
        )
        self.query_one("#export-preview").focus()
        self._want()

    def _want(self) -> None:
        target, file = self._targets[self._target]
        mark = ">" if self.app.has_class("-ascii") else "▸"
        pieces = []
        for number, (name, _file) in enumerate(self._targets):
            shown = number == self._target
            pieces.append((f"{mark if shown else ' '}{name} ", "key" if shown else "dim"))
        title = [(f" {splitter_text(self._configuration)}", "strong")]
        self.query_one("#export-target", OneLine).show(title, pieces)
        self.query_one("#export-file", Input).value = file
        self._text = ""
        self._proving = True
        self._replacing = None
        self.query_one(LineList).show([])
        self.app.screen_stack[-2].post_message(ExportWanted(self._configuration, target))

    def show_export(self, target: str, text: str, proof: str, proven: bool) -> None:
        """The export's text and what its proof found; another target's is too late."""
        if target != self._targets[self._target][0]:
            return
        self._text = text
        self._proving = "…" in proof
        lines = [(Cell(literal(line)),) for line in text.split("\n")] if text else []
        self.query_one(LineList).show(lines, empty=literal(proof))
        role = "good" if proven else ("dim" if self._proving else "bad")
        self.query_one("#export-proof", OneLine).show([(f" {literal(proof)}", role)])

    @property
    def proof(self) -> str:
        """What stands there about the proof."""
        return "".join(self.query_one("#export-proof", OneLine).texts)

    def action_step(self, by: int) -> None:
        """Another target."""
        self._target = (self._target + by) % len(self._targets)
        self._want()

    def action_file(self) -> None:
        """Type another file name."""
        self.query_one("#export-file", Input).focus()

    def action_copy(self) -> None:
        """Copy the text."""
        if self._text:
            self.app.copy_to_clipboard(self._text)
            self.notify("copied", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Write the file, whole or not at all; one that is there only when asked twice."""
        if not self._text or self._proving:
            waiting = "the proof is not done yet" if self._text else "there is nothing to save yet"
            self.notify(waiting, severity="warning", markup=False)
            return
        name = self.query_one("#export-file", Input).value.strip()
        path = Path(name or self._targets[self._target][1]).expanduser()
        if path.exists() and self._replacing != path:
            self._replacing = path
            question = f"{path} is there already: s again replaces it, f gives another name"
            self.notify(literal(question), severity="warning", markup=False)
            self.query_one("#export-preview").focus()
            return
        try:
            replace_file(path, self._text.encode("utf-8", "surrogatepass"))
        except InputError as error:
            self.notify(literal(str(error)), severity="error", markup=False)
            return
        self._replacing = None
        self.notify(literal(f"saved to {path.resolve()}"), markup=False)
        self.query_one("#export-preview").focus()

    def action_close(self) -> None:
        """Leave a field first, then the export."""
        if isinstance(self.focused, Input):
            self.query_one("#export-preview").focus()
        else:
            self.dismiss(None)
