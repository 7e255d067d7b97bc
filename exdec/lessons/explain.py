"""A prompt to explain something in a sentence, and a model answer to compare."""

from __future__ import annotations

import ipywidgets as widgets

from exdec.lessons.desk import Desk
from exdec.lessons.exercises import Explanation, LessonError
from exdec.lessons.views import View, plain, prose_html
from exdec.notebook.clicks import Press, said_html

FEWEST_WORDS = 4
"""A sentence has at least so many."""

KEPT = "Kept. What does the model say that yours does not? You can change yours."


class Explain(View):
    """A field for a sentence; the model answer comes once something is kept.

    Parameters
    ----------
    desk : Desk
    explanation : Explanation

    Attributes
    ----------
    field : widgets.Textarea
    """

    def __init__(self, desk: Desk, explanation: Explanation) -> None:
        super().__init__("explain")
        self._desk = desk
        self.explanation = explanation
        self.question = f"In a sentence {explanation.id}. {plain(explanation.question)}"
        head = widgets.HTML(
            f'<p class="exdec-quiet">In a sentence {explanation.id}</p>'
            f"{prose_html(explanation.question)}",
            _dom_classes=["exdec-question"],
        )
        self.field = widgets.Textarea(
            value=desk.progress.explanation(explanation.id),
            description="Your sentence",
            style={"description_width": "initial"},
            continuous_update=False,
            rows=3,
        )
        self.press = Press("Keep and compare", self._keep, self.complain)
        self.model = widgets.HTML(_dom_classes=["exdec-model"])
        buttons = widgets.Box([self.press.button], _dom_classes=["exdec-buttons"])
        self.put(head, self.field, buttons, self.message, self.model)
        self.refresh()
        desk.listen(self)

    def keep(self, text: str) -> None:
        """Keep what is written, and show the model answer.

        Raises
        ------
        LessonError
            It is no sentence.
        """
        if len(text.split()) < FEWEST_WORDS:
            raise LessonError("Write a whole sentence first, in your own words. Then compare.")
        self._desk.update(lambda progress: progress.explained(self.explanation.id, text.strip()))
        self.message.value = said_html(self._desk.file.notice or KEPT)

    def refresh(self) -> None:
        """Show the progress as it is now."""
        kept = self._desk.progress.explanation(self.explanation.id)
        text = f"**To compare.** {self.explanation.model}"
        self.model.value = prose_html(text) if kept else ""

    def _keep(self) -> None:
        self.keep(self.field.value)
