"""Actions around cases: the chosen question's failure saved as one file."""

from pathlib import Path

from chunkscope.errors import ChunkscopeError
from chunkscope.tui.screens.main.reloading import ReloadActions, stamp

FOLDER = "cases"
"""Where a case is offered to be saved: what `check --cases` runs again."""


class CaseActions(ReloadActions):
    """Saving a case."""

    def action_save_case(self) -> None:
        """Ask for a file, then write the chosen question's case."""
        session = self.session
        chosen = session.chosen
        if chosen is None:
            self.say("choose a question first: x goes to the next miss", "warning")
            return
        if session.result("A") is None or session.stale:
            self.say("the numbers are still coming: save the case when they stand", "warning")
            return
        from chunkscope.evaluation.case import case_file_name
        from chunkscope.tui.screens.case import CaseScreen

        name = str(Path(FOLDER, case_file_name(chosen.question.id)))
        self.app.push_screen(CaseScreen(chosen.question.question, name, self._write_case))

    def _write_case(self, path: Path, texts: bool) -> str:
        """Why it could not be written, or nothing."""
        from chunkscope.evaluation.case import make_case, relative_paths
        from chunkscope.evaluation.casefile import write_case
        from chunkscope.text.loading.reading import Reading
        from chunkscope.tui.views.cases import reopening

        session, opening = self.session, self.opening
        chosen, numbers = session.chosen, session.numbers
        if chosen is None or numbers is None or session.stale:
            return "the numbers have changed meanwhile: save the case when they stand"
        golden = session.golden_path or opening.case_golden
        reading = opening.reading or Reading(encoding_of=dict(opening.encoding_of or {}))
        runs = numbers.evaluations
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            case = make_case(
                chosen.question.id,
                runs["A"],
                runs["B"],
                texts=texts,
                paths=relative_paths(opening.paths, path.parent),
                golden=None if golden is None else relative_paths([golden], path.parent)[0],
                reading=reading,
            )
            write_case(case, path)
        except ChunkscopeError as error:
            return str(error)
        except OSError as error:
            return f"{path.parent}: cannot be made ({error.strerror}); name another folder"
        self._is_no_document(path)
        self.say(f"case saved to {path}; it is opened again by\n{reopening(case, path)}")
        return ""

    def _is_no_document(self, path: Path) -> None:
        """A case beside the documents is not one of them, and its folder has not changed."""
        whole = path.resolve()
        self.opening = self.opening.without(whole)
        for folder in (path.parent, whole.parent, whole.parent.parent):
            if folder in self.stamps:
                self.stamps = {**self.stamps, folder: stamp(folder)}
