"""The learner's own game, or the lesson's recorded one where nothing was played."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from exdec.errors import RecordError
from exdec.game import Game
from exdec.lessons.exercises import LessonError, Workbook
from exdec.model import month_name
from exdec.record import Record, read

GAMES = "games"
"""The folder beside the notebook that holds the learner's games."""

NOT_PLAYED = "you have not played yet"


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game to ask about, and whose it is.

    Parameters
    ----------
    game : Game
    player : str
        Whose seat it is told from.
    own : bool
        The learner played it.
    why_not : str
        Why it is not the learner's own, as in "you have not played yet"; "" if it is.
    begun : bool
        The learner plays one, which has not come far enough.
    """

    game: Game = field(repr=False)
    player: str
    own: bool
    why_not: str = ""
    begun: bool = False

    @property
    def name(self) -> str:
        """What texts call it."""
        return "your game" if self.own else "the recorded game"

    @property
    def where(self) -> str:
        """Whose game it is, as a sentence's beginning.

        Examples
        --------
        >>> OwnGame(Game(["Ann", "Ben"]), "Ann", False, "you have not played yet").where
        'In the recorded game, since you have not played yet'
        """
        return f"In {self.name}" + (f", since {self.why_not}" if self.why_not else "")

    def __str__(self) -> str:
        others = [name for name in self.game.players if name != self.player]
        you = "you" if self.own else f"you as {self.player}"
        *first, last = [you, *others]
        return f"{self.where} ({', '.join(first)} and {last})."


def path_of(here: Path, number: str) -> Path:
    """Where a lesson's game is recorded when it is played.

    Examples
    --------
    >>> path_of(Path("notebooks"), "02").as_posix()
    'notebooks/games/lesson_02.jsonl'
    """
    return here / GAMES / f"lesson_{number}.jsonl"


def find_own_game(lesson: Workbook, here: Path, months: int = 0, player: str = "") -> OwnGame:
    """Read the learner's game if it has come far enough, else the recorded one.

    Parameters
    ----------
    lesson : Workbook
    here : Path
        The notebook's folder.
    months : int, optional
        Complete months that are needed; the lesson's if left out.
    player : str, optional
        Whose seat, in a game that several people played; the first person's if left out.

    Raises
    ------
    LessonError
        The recorded game cannot be read.
    """
    path = path_of(here, lesson.number)
    months = months or lesson.months
    if not path.exists():
        return recorded_game(lesson, NOT_PLAYED)
    try:
        record = read(path)
        game = record.game()
    except RecordError as error:
        return recorded_game(lesson, f"yours cannot be read ({error})")
    if len(game.steps) < 2 * months:
        why = f"yours has not come to the end of {month_name(months)} yet"
        return replace(recorded_game(lesson, why), begun=True)
    if player and player not in game.players:
        return recorded_game(lesson, f"nobody is called {player} in yours")
    return OwnGame(game, player or _first_person(record), own=True)


def recorded_game(lesson: Workbook, why: str) -> OwnGame:
    """The lesson's own game, in place of the learner's.

    Raises
    ------
    LessonError
        It cannot be read.
    """
    try:
        record = read(lesson.recorded)
    except RecordError as error:
        raise LessonError(f"The recorded game of lesson {lesson.number}: {error}") from None
    return OwnGame(record.game(), lesson.player or _first_person(record), False, why)


def _first_person(record: Record) -> str:
    """Who sat there in person, if anybody did."""
    rivals = record.extra.get("bots", {})
    people = [player for player in record.players if player not in rivals]
    return (people or record.players)[0]
