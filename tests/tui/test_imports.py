"""What the first paint needs is imported, and nothing that can wait."""

import subprocess
import sys

WAITING = (
    "chunkscope.tui.screens.ask",
    "chunkscope.tui.screens.export",
    "chunkscope.tui.screens.help",
    "chunkscope.tui.screens.review.screen",
    "chunkscope.tui.widgets.retrieved_panel",
    "chunkscope.tui.widgets.sweep_panel",
    "chunkscope.tui.trials",
    "chunkscope.evaluation.run",
    "chunkscope.evaluation.mending",
    "chunkscope.evaluation.diagnosis",
    "chunkscope.evaluation.health",
    "chunkscope.golden.locating",
    "chunkscope.export.proof",
    "langchain_text_splitters",
    "textual.widgets._text_area",
)


def test_what_can_wait_is_not_imported_with_the_app():
    code = "import sys, chunkscope.tui.app; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "chunkscope.tui.screens.main.screen" in loaded
    assert sorted(loaded.intersection(WAITING)) == []
