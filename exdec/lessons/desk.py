"""What a notebook works with: the lessons' sources, the learner's progress and the own games."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from exdec.game import Game
from exdec.kit import KIT
from exdec.lessons.answers import NotInGameError
from exdec.lessons.checking import Facts, Verdict, facts_of, judge
from exdec.lessons.exercises import (
    Exercise,
    Explanation,
    LessonError,
    Prediction,
    Workbook,
    read_exercises,
)
from exdec.lessons.own_game import OwnGame, find_own_game, recorded_game
from exdec.lessons.progress import NAME, Progress, ProgressFile
from exdec.model import Step

LESSONS = KIT / "lessons"
FILE = "exercises.toml"

T = TypeVar("T", Exercise, Prediction, Explanation)


class Listener(Protocol):
    """What shows something of the progress."""

    def refresh(self) -> None:
        """Show it as it is now."""


class Checked(NamedTuple):
    """A verdict, and the game that it is about."""

    verdict: Verdict
    facts: Facts


class Desk:
    """One notebook's lessons, progress and games.

    Parameters
    ----------
    here : Path, optional
        The notebook's folder, where progress and games are kept; the working folder if left out.
    sources : Path, optional
        The folder of the lessons' sources; the kit's own if left out.

    Attributes
    ----------
    here, sources : Path
    file : ProgressFile
    players : dict of lesson to player
        Whose seat a learner has in a game that several people played.
    """

    def __init__(self, here: Path | None = None, sources: Path | None = None) -> None:
        self.here = (here or Path()).resolve()
        self.sources = sources or LESSONS
        self.file = ProgressFile(self.here / NAME)
        self.players: dict[str, str] = {}
        self._workbooks: dict[str, Workbook] = {}
        self._listeners: weakref.WeakSet[Listener] = weakref.WeakSet()
        self.file.read()

    # -- sources ---------------------------------------------------------------------------------

    def workbook(self, number: str) -> Workbook:
        """Open a lesson's exercises.

        Raises
        ------
        LessonError
            There is no such lesson, or its file has a mistake.
        """
        if number not in self._workbooks:
            paths = sorted(self.sources.glob(f"{number}_*/{FILE}"))
            if not paths:
                known = ", ".join(self._numbers()) or "none"
                raise LessonError(f"There is no lesson {number!r}. There are: {known}.")
            self._workbooks[number] = read_exercises(paths[0])
        return self._workbooks[number]

    def workbooks(self) -> dict[str, Workbook]:
        """Every lesson that is here, by its number."""
        return {number: self.workbook(number) for number in self._numbers()}

    def _numbers(self) -> list[str]:
        return sorted(path.parent.name[:2] for path in self.sources.glob(f"[0-9][0-9]_*/{FILE}"))

    def exercise(self, name: str) -> Exercise:
        """Find an exercise by its id.

        Raises
        ------
        LessonError
            There is none; the message names those there are.
        """
        return _find(self._of(name).exercises, name, "exercise")

    def prediction(self, name: str) -> Prediction:
        """Find a prediction by its id; see `exercise`."""
        return _find(self._of(name).predictions, name, "prediction")

    def explanation(self, name: str) -> Explanation:
        """Find a prompt by its id; see `exercise`."""
        return _find(self._of(name).explanations, name, "prompt")

    def _of(self, name: str) -> Workbook:
        return self.workbook(str(name).partition("-")[0])

    # -- games -----------------------------------------------------------------------------------

    def game(self, number: str, months: int = 0) -> OwnGame:
        """The learner's own game of a lesson, or the recorded one; see `find_own_game`."""
        return find_own_game(self.workbook(number), self.here, months, self.players.get(number, ""))

    def facts(self, exercise: Exercise) -> Facts:
        """What an exercise asks of the learner's own game, or of the recorded one.

        Raises
        ------
        LessonError
            The recorded game cannot tell either.
        """
        number = exercise.id.partition("-")[0]
        try:
            return facts_of(exercise, self.game(number, exercise.months))
        except NotInGameError as error:
            why = str(error)
        try:
            return facts_of(exercise, recorded_game(self.workbook(number), why))
        except NotInGameError as error:
            raise LessonError(f"{exercise.id}: the recorded game will not do: {error}.") from None

    # -- progress --------------------------------------------------------------------------------

    @property
    def progress(self) -> Progress:
        """What is done so far, as it was read or written last."""
        return self.file.progress

    def update(self, change: Callable[[Progress], Progress]) -> None:
        """Change the progress, write it down, and show it wherever it is shown.

        Raises
        ------
        ProgressError
            `change` refuses; nothing has changed.
        """
        self.file.update(change)
        for listener in list(self._listeners):
            listener.refresh()

    def listen(self, listener: Listener) -> None:
        """Let something be refreshed after every change, as long as it lives."""
        self._listeners.add(listener)

    def check(self, exercise: Exercise, given: object) -> Checked:
        """Judge an answer, and note it if it is an attempt."""
        facts = self.facts(exercise)
        before = self.progress.solved(exercise.id)
        verdict = judge(exercise, given, facts)._replace(before=before)
        if verdict.counts:

            def note(progress: Progress) -> Progress:
                noted = progress.attempted(exercise.id, verdict.answer, verdict.label)
                return _with_game(noted, exercise.id.partition("-")[0], facts.game)

            self.update(note)
        return Checked(verdict, facts)

    def note_games(self) -> None:
        """Write down how far each own game came, so that it moves with the progress."""

        def note(progress: Progress) -> Progress:
            for number in self._numbers():
                progress = _with_game(progress, number, self.game(number, 1))
            return progress

        if note(self.progress) != self.progress:
            self.update(note)


def _with_game(progress: Progress, number: str, game: OwnGame) -> Progress:
    if not game.own:
        return progress
    months = len(game.game.steps) // 2
    return progress.played(number, months, profit_so_far(game.game, game.player))


def profit_so_far(game: Game, player: str) -> int:
    """Profit if the Broker bought all certificates now, at the prices that are posted.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", F=(2, 50))
    >>> _ = game.open_bids()
    >>> game.profit["Ann"], game.observe("Ann").material_prices.F, profit_so_far(game, "Ann")
    (-100, 22, -56)
    """
    profit = game.profit[player]
    if game.step is Step.OVER:
        return profit
    view = game.observe(player)
    held = zip(view.materials, view.material_prices, strict=True)
    return profit + sum(units * price for units, price in held)


def _find(things: Mapping[str, T], name: str, what: str) -> T:
    if name not in things:
        known = ", ".join(things) or "none"
        raise LessonError(f"There is no {what} {name!r}. There are: {known}.")
    return things[name]
