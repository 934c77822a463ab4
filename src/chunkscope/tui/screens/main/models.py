"""What the models behind retrievers are doing, and whether endpoints may be called."""

from functools import partial

from textual import on

from chunkscope.tui.literal import literal
from chunkscope.tui.modelmessages import ConsentWanted, ModelProgress
from chunkscope.tui.screens.main.placing import PlaceActions
from chunkscope.tui.screens.main.studying import StudyActions


class ModelActions(PlaceActions, StudyActions):
    """How far a model is; and nothing is sent to an endpoint unasked."""

    embedding: ModelProgress | None = None
    """How far the model at work is."""

    @on(ModelProgress)
    def _model_progress(self, event: ModelProgress) -> None:
        event.stop()
        self.embedding = event if event.done < event.total else None
        self.show_covered()

    def covered_text(self) -> str:
        """What a model has embedded, where one is at work."""
        if self.embedding is None:
            return super().covered_text()
        one = self.embedding
        return f"{one.done} of {one.total} embedded · {literal(one.model)}"

    @on(ConsentWanted)
    def _consent_wanted(self, event: ConsentWanted) -> None:
        event.stop()
        from chunkscope.tui.screens.confirm_send import ConfirmSend

        wanted = self.swept

        def answered(agreed: bool | None) -> None:
            if not agreed:
                self.say("nothing was sent: u takes the change back, or choose another retriever")
            elif event.run:
                if event.run == self.sweep_run and self.grid is not None and wanted is not None:
                    self.sweep_running = True
                    work = partial(
                        self.engine.sweep, self.sweep_run, self.grid, wanted[1], agreed=True
                    )
                    self.start(work, "sweep")
            else:
                self.engine.allow(event.endpoints)
                self.request()

        self.app.push_screen(ConfirmSend(event.what), answered)
