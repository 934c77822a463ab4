"""Actions that edit: undo, variants as wholes, presets, the golden set's lines."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count

from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import Evidence, GoldenSet, LocatedQuestion, Question
from chunkscope.tui.keymap import Key
from chunkscope.tui.literal import flattened
from chunkscope.tui.presets import PRESETS, language_of, with_preset
from chunkscope.tui.screens.main.studying import StudyActions
from chunkscope.tui.session import Moment, Variant
from chunkscope.tui.views.metrics import METRICS

_LEAST_SHOWN = 60


class EditActions(StudyActions):
    """Undo and redo, swap, copy, presets, evidence from the selection, delete."""

    def action_tools(self) -> None:
        """The menu of tools."""
        self.menu("Tools", [key for key in self.options.keys if key.letter])

    def action_presets(self) -> None:
        """The menu of presets."""
        document = self.session.open_document
        language = language_of(document.id if document is not None else "")
        entries = [
            Key(
                f"preset-{name}",
                "",
                f"preset('{name}')",
                name,
                sentence.replace("its language", f"its language, {language},"),
                "Presets",
                letter=letter,
            )
            for letter, name, sentence in PRESETS
        ]
        self.menu(f"Preset for {self.session.active}", entries)

    # --- undo and redo ---------------------------------------------------------------------------

    def action_undo(self) -> None:
        """Take back the last change."""
        steps = self.session.undo, self.session.redo
        self._travel(*steps, "taken back", "there is nothing to take back")

    def action_redo(self) -> None:
        """Do again what was taken back."""
        steps = self.session.redo, self.session.undo
        self._travel(*steps, "done again", "there is nothing to do again")

    def _travel(
        self,
        step: Callable[[], Moment | None],
        back: Callable[[], Moment | None],
        done: str,
        nothing: str,
    ) -> None:
        session = self.session
        left = step()
        if left is None:
            self.say(nothing)
            return
        wanted = session.golden
        if wanted is not left.golden and not self._write(wanted):
            # What is shown is what the file holds; the step can be taken again.
            back()
            self.say(f"not {done}: the golden set could not be written", "warning")
            if self.reloading and wanted is not None:
                # What another wrote takes the place of all earlier lines, here too.
                standing = left.golden.questions if left.golden is not None else ()
                self._keep_aside(tuple(one for one in wanted.questions if one not in standing))
        else:
            self.say(done)
        self.keep_asked()
        self.show_all()
        self.request()

    # --- variants as wholes ----------------------------------------------------------------------

    def action_swap(self) -> None:
        """A is B and B is A."""
        configurations = self.session.configurations
        self._change_both({"A": configurations["B"], "B": configurations["A"]}, "A and B swapped")

    def action_copy_a(self) -> None:
        """B is what A is."""
        a = self.session.configurations["A"]
        self._change_both({"A": a, "B": a}, "B is a copy of A now")

    def _change_both(self, configurations: Mapping[Variant, Configuration], said: str) -> None:
        if self.session.change_both(configurations):
            self.show_all()
            self.request()
        self.say(said)

    def action_pin(self) -> None:
        """Pin the numbers of A as the baseline, or unpin them."""
        session = self.session
        if session.baseline is not None:
            session.pin(None)
            self.say("the baseline is unpinned")
        elif session.numbers is None or session.stale or session.corpus is None:
            self.say("the numbers are still being made", "warning")
            return
        elif not session.numbers.evaluations["A"].measured:
            self.say("a baseline needs measured questions: a asks one", "warning")
            return
        else:
            from chunkscope.tui.baseline import pin

            run, corpus = session.numbers.evaluations["A"], session.corpus
            session.pin(pin(run, corpus.fingerprint, METRICS))
            self.say("pinned: A as it is now is the baseline, P; 0 unpins it")
        self.show_all()
        self.request()

    def action_preset(self, name: str) -> None:
        """Give the active variant a preset."""
        session = self.session
        variant, document = session.active, session.open_document
        doc = document.id if document is not None else ""
        self.change(variant, with_preset(session.configurations[variant], name, doc))
        self.say(f"{variant} is set for {name}: {session.configurations[variant].splitter.kind}")

    def action_mark(self) -> None:
        """Begin a selection at the cursor; the arrows extend it, Escape drops it."""
        self.document_view.begin_selection()
        self.set_focus(self.document_view)
        self.say("the arrows select from here; Escape drops it")

    # --- golden lines ----------------------------------------------------------------------------

    def action_add_evidence(self) -> None:
        """The selection is needed, too."""
        selected = self._selected()
        if selected is not None:
            self._edit(lambda question: replace(question, evidence=(*question.evidence, selected)))

    def action_add_alternative(self) -> None:
        """The selection serves as well as the last evidence."""
        selected = self._selected()
        if selected is None:
            return

        def edited(question: Question) -> Question:
            *before, last = question.evidence or (selected,)
            if last is not selected:
                last = replace(last, alternatives=(*last.alternatives, selected))
            return replace(question, evidence=(*before, last))

        self._edit(edited)

    def _selected(self) -> Evidence | None:
        view, document = self.document_view, self.session.open_document
        view.end_selection()
        span = view.selected_span
        if not span.length or document is None:
            self.say("select the evidence first: drag over it, or t m and arrows", "warning")
            return None
        return Evidence(view.selected_text, span.start, span.end, document.id)

    def take_edited(self, id: str, question: Question) -> bool:
        """The new form of a golden question, in the file where it stands in one."""
        ids = [line.question.id for line in self.session.questions]
        if id not in ids:
            # Another deleted it meanwhile: what was typed is not lost for that.
            self._keep_aside((question,))
            return False
        self.session.question = ids.index(id)
        return self._edit(lambda _question: question)

    def action_delete_question(self) -> None:
        """The chosen question is no golden line any more."""
        self._edit(lambda _question: None)

    def _edit(self, edit: Callable[[Question], Question | None]) -> bool:
        """Change the chosen question, in the file where it stands in one; whether it is changed."""
        session = self.session
        number, chosen, corpus = session.question, session.chosen, session.corpus
        if chosen is None or number is None or corpus is None:
            self.say("choose a question first", "warning")
            return False
        question = edit(chosen.question)
        lines: tuple[LocatedQuestion, ...] = ()
        if question is not None:
            from chunkscope.golden.locating import locate_question

            lines = (locate_question(question, corpus),)
        written = len(session.located)
        golden, located, asked = session.golden, session.located, session.asked
        if number < written and golden is not None:
            located = located[:number] + lines + located[number + 1 :]
            questions = golden.questions
            kept = tuple(line.question for line in lines)
            golden = replace(golden, questions=questions[:number] + kept + questions[number + 1 :])
            if not self._write(golden):
                self._keep_aside(kept)
                return False
        else:
            at = min(number - written, len(asked))
            if at == len(asked) and not lines:
                self.say("this question came with the log or the case: it is no golden line")
                return False
            session.question = written + at
            asked = asked[:at] + lines + asked[at + 1 :]
        session.rewrite(golden, located, asked)
        self.keep_asked()
        text = flattened(chosen.question.question)[:_LEAST_SHOWN]
        self.say(f"{'changed' if lines else 'deleted'}: {text} (u takes it back)")
        self.show_all()
        self.request()
        if session.question is not None:
            self.choose_question(session.question)
        return True

    def _keep_aside(self, questions: tuple[Question, ...]) -> None:
        """What could not be written is an unsaved question of its own, so that nothing is lost."""
        session, corpus = self.session, self.session.corpus
        if not questions or corpus is None:
            return
        from chunkscope.golden.locating import locate_question

        taken = {line.question.id for line in session.questions}
        kept = []
        for question in questions:
            free = (f"{question.id}-{number}" for number in count(2))
            id = next(one for one in free if one not in taken)
            taken.add(id)
            kept.append(locate_question(replace(question, id=id, raw="", line=0), corpus))
        session.rewrite(session.golden, session.located, (*session.asked, *kept))
        self.keep_asked()
        self.say(f"your form is kept as {kept[0].question.id}, not written yet: w writes it")
        self.show_all()
        self.request()

    def _write(self, golden: GoldenSet | None) -> bool:
        """Write the whole set, the previous file kept until the new one is whole."""
        path = self.session.golden_path
        if golden is None or path is None:
            return True
        from chunkscope.golden.atomic import ChangedError
        from chunkscope.golden.writing import write_golden

        try:
            replaced = write_golden(golden, path, known=self.session.golden_digest)
        except ChunkscopeError as error:
            self.say(str(error), "error")
            if isinstance(error, ChangedError):
                self.action_reload()
            return False
        self.session.golden_digest = replaced.after
        self.remember_files()
        return True
