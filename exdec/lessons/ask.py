"""One exercise as a learner sees it: question, field, check, hints, and then the solution."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from exdec.lessons.checking import (
    NOT_JUDGED,
    Facts,
    UnclearError,
    Verdict,
    fill,
    judge,
    solution_of,
)
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import Exercise, Kind, LessonError
from exdec.lessons.fields import Given, field_for
from exdec.lessons.own_game import NOT_PLAYED
from exdec.lessons.progress import RIGHT, Progress
from exdec.lessons.views import (
    Said,
    View,
    plain,
    prose_html,
    solution_html,
    verdict_html,
    verdict_text,
)
from exdec.narrate import counted
from exdec.notebook.clicks import Press, guarded

PLAYED_ON = (
    "You have played on since this was asked, and its answer is another one now. Read it once "
    "more, then check."
)


LATER = "When you have played, run this cell again, and it asks about your own game."


class Ask(View):
    """An exercise with its field.

    Nothing that gives the answer away is in any widget before an attempt: what is right is
    computed when an answer is checked, and the solution is sent after that.

    Parameters
    ----------
    desk : Desk
    exercise : Exercise

    Attributes
    ----------
    given : Given
        What the answer is given with.
    verdict : Verdict or None
        On the answer that was checked last.
    """

    def __init__(self, desk: Desk, exercise: Exercise) -> None:
        super().__init__("ask")
        self._desk = desk
        self.exercise = exercise
        self.verdict: Verdict | None = None
        self._facts = desk.facts(exercise)
        self.question = f"Exercise {exercise.id}. {plain(fill(exercise.question, self._facts))}"
        self.head = widgets.HTML(_dom_classes=["exdec-question"])
        self.hints = widgets.HTML(_dom_classes=["exdec-hints"])
        self.solution = widgets.HTML(_dom_classes=["exdec-solution"])
        self.press = Press("Check", self._check, self.complain)
        self.hint_button = widgets.Button(description="First hint")
        self.hint_button.on_click(guarded(self.hint, self.complain))
        self.given: Given = self._field()
        tried = desk.progress.attempts.get(exercise.id)
        self._fill()
        self.refresh()
        if tried:
            self.given.put(tried[-1].answer)
            self._say_again(tried[-1].verdict)
        desk.listen(self)

    def _say_again(self, label: str) -> None:
        """Say once more what was said to the last answer, unless it would be another thing now."""
        try:
            verdict = judge(self.exercise, self.given.value, self._facts)
        except UnclearError:
            return
        if verdict.label == label:
            before = self._desk.progress.solved(self.exercise.id)
            self.verdict = verdict._replace(before=before)
            self.message.value = verdict_html(
                self.verdict, self._facts, on_the_game=self.exercise.on_the_game, new=False
            )

    def _field(self) -> Given:
        return field_for(self.exercise, self._facts, self.press.click)

    def _fill(self) -> None:
        check = [] if self.exercise.kind is Kind.CODE else [self.press.button]
        buttons = widgets.Box([*check, self.hint_button], _dom_classes=["exdec-buttons"])
        parts = (self.head, self.given.widget, buttons, self.message, self.hints, self.solution)
        self.put(*parts)

    def check(self, given: object) -> Verdict:
        """Judge an answer, note it, and say what it is worth.

        Raises
        ------
        LessonError
            The recorded game will not do.
        """
        if self._played_on():
            raise LessonError(PLAYED_ON)
        self.verdict, facts = self._desk.check(self.exercise, given)
        self.message.value = verdict_html(
            self.verdict,
            facts,
            on_the_game=self.exercise.on_the_game,
            notice=self._desk.file.notice,
        )
        return self.verdict

    def hint(self) -> None:
        """Show one more hint."""
        read = self._desk.progress.hints.get(self.exercise.id, 0)
        self._desk.update(lambda progress: progress.hinted(self.exercise.id, min(read + 1, 2)))

    def refresh(self) -> None:
        """Show the progress as it is now."""
        progress, exercise = self._desk.progress, self.exercise
        tried = progress.tries(exercise.id)
        read = progress.hints.get(exercise.id, 0)
        state = counted(exercise.minutes, "minute")
        if progress.solved(exercise.id):
            state = f"<b>✓ solved</b> in {counted(tried, 'attempt')}"
            if not self._solved_here():
                state += ", for the game as it was then; the answer is another one now"
        elif tried:
            state += f" · {counted(tried, 'attempt')}"
        spare = "optional · " if exercise.optional else ""
        where = ""
        if exercise.on_the_game:
            game = self._facts.game
            says = f"{game.where}."
            if not game.own:
                says += f" You are {game.player} there."
            if game.begun or game.why_not == NOT_PLAYED:
                says += f" {LATER}"
            where = f'<p class="exdec-quiet">{escape(says)}</p>'
        self.head.value = (
            f'<p class="exdec-quiet">Exercise {exercise.id} · {spare}{state}</p>'
            f"{prose_html(fill(exercise.question, self._facts))}{where}"
        )
        self.hints.value = hints_html(exercise, self._facts, read)
        self.hint_button.description = "Second hint" if read else "First hint"
        self.hint_button.disabled = read == len(exercise.hints)
        self.solution.value = ""
        if opens(progress, exercise):
            self.solution.value = solution_html(solution_of(exercise, self._facts))

    def _solved_here(self) -> bool:
        """Whether what was right is right in the game that is there now."""
        if not self.exercise.on_the_game or self.exercise.kind is Kind.CODE:
            return True  # what a cell gave is kept as text, and cannot be judged once more
        tried = self._desk.progress.attempts[self.exercise.id]
        right = [one.answer for one in tried if one.verdict == RIGHT]
        return any(judge(self.exercise, answer, self._facts).right for answer in right)

    def _check(self) -> None:
        try:
            self.check(self.given.value)
        except UnclearError as unclear:
            self.verdict = unclear.verdict
            self.message.value = verdict_html(
                unclear.verdict, self._facts, on_the_game=self.exercise.on_the_game
            )

    def _played_on(self) -> bool:
        """Ask anew if the game that is there now has another answer; else nobody need notice."""
        if not self.exercise.on_the_game:
            return False
        facts = self._desk.facts(self.exercise)
        before, self._facts = self._facts, facts
        if facts.same_as(before):
            return False
        self.given = self._field()
        self._fill()
        self.refresh()
        return True


def opens(progress: Progress, exercise: Exercise) -> bool:
    """Whether the solution may be read: an answer was given that was right, or wrong."""
    tried = progress.attempts.get(exercise.id, ())
    return any(one.verdict not in NOT_JUDGED for one in tried)


def hints_html(exercise: Exercise, facts: Facts, read: int) -> str:
    """The hints that were asked for; the last one is said at once."""
    shown = [
        prose_html(f"**Hint {at}.** {fill(hint, facts)}")
        for at, hint in enumerate(exercise.hints[:read], start=1)
    ]
    if shown:
        shown[-1] = f'<div role="alert">{shown[-1]}</div>'
    return "".join(shown)


def check_by_code(desk: Desk, exercise: Exercise, value: object) -> Said:
    """Judge a value from a cell, and note it.

    Returns
    -------
    Said
        The verdict, and after an attempt the folded solution.
    """
    verdict, facts = desk.check(exercise, value)
    on_the_game = exercise.on_the_game
    html = verdict_html(verdict, facts, on_the_game=on_the_game, notice=desk.file.notice)
    if opens(desk.progress, exercise):
        html += solution_html(solution_of(exercise, facts))
    return Said(html, verdict_text(verdict, facts, on_the_game=on_the_game))


def hint_by_code(desk: Desk, exercise: Exercise, number: int) -> Said:
    """Give a hint; the second one only after the first.

    Raises
    ------
    LessonError
        There is no such hint.
    """
    if number not in (1, 2):
        raise LessonError(f"There are two hints, 1 and 2; there is no hint {number!r}.")
    facts = desk.facts(exercise)
    if number > desk.progress.hints.get(exercise.id, 0) + 1:
        text = f'Read the first hint first: hint("{exercise.id}").'
        return Said(prose_html(text), text)
    desk.update(lambda progress: progress.hinted(exercise.id, number))
    text = f"Hint {number}. {fill(exercise.hints[number - 1], facts)}"
    return Said(f'<div role="alert">{prose_html(text)}</div>', text)
