"""What a lesson's notebook calls, a line each.

Every call works on the notebook's own folder: progress is in ``progress.json`` there, and the own
game of lesson 2 in ``games/lesson_02.jsonl``.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from exdec.lessons.ask import Ask, check_by_code, hint_by_code, opens
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import LessonError
from exdec.lessons.explain import Explain
from exdec.lessons.missing import explain_missing_names
from exdec.lessons.overview import LessonHead, Overview
from exdec.lessons.own_game import OwnGame
from exdec.lessons.predict import Predict, Reveal
from exdec.lessons.views import Said

_desks: list[Desk] = []
"""The notebook's desk, once something was called."""


def lesson(
    number: str,
    *,
    player: str = "",
    here: str | Path | None = None,
    sources: str | Path | None = None,
) -> LessonHead:
    """Open a lesson: the first call of its notebook.

    Parameters
    ----------
    number : str
        Two digits, such as "02".
    player : str, optional
        Whose seat you have, if several people played the lesson's game.
    here : path, optional
        The notebook's folder.
    sources : path, optional
        Another folder of lessons than the kit's own.

    Returns
    -------
    LessonHead
        Make it the last line of a cell to see how far you are.

    Raises
    ------
    LessonError
        There is no such lesson.
    """
    desk = Desk(None if here is None else Path(here), None if sources is None else Path(sources))
    if _desks and (_desks[0].here, _desks[0].sources) == (desk.here, desk.sources):
        desk = _desks[0]  # so that what is shown already goes on
        desk.file.read()
    workbook = desk.workbook(number)
    desk.players[number] = player
    _desks[:] = [desk]
    explain_missing_names()
    return LessonHead(desk, workbook)


def ask(name: str, *, answer: Any = None) -> Ask:
    """Show an exercise.

    Parameters
    ----------
    name : str
        Its id, such as "02-3".
    answer : object, optional
        An answer to check at once, in a notebook with solutions: a number, a letter, a list.

    Raises
    ------
    LessonError
        There is no such exercise, or the given answer is not right.
    """
    view = Ask(_desk(), _desk().exercise(name))
    if answer is not None:
        verdict = view.check(answer)
        if not verdict.right:
            raise LessonError(f"The answer given to {name} is not right. {verdict.says}")
    return view


def check(name: str, value: Any) -> Said:
    """Check a value that a cell computed.

    Parameters
    ----------
    name : str
        The exercise's id.
    value : object

    Raises
    ------
    LessonError
        There is no such exercise.
    """
    return check_by_code(_desk(), _desk().exercise(name), value)


def hint(name: str, number: int = 1) -> Said:
    """Give the first or the second hint to an exercise.

    Raises
    ------
    LessonError
        There is no such exercise or hint.
    """
    return hint_by_code(_desk(), _desk().exercise(name), number)


def predict(name: str, *, answer: Mapping[str, Any] | None = None) -> Predict:
    """Ask for a prediction, and seal it.

    Parameters
    ----------
    name : str
        Its id, such as "02-a".
    answer : mapping, optional
        Values to seal at once, by the names of the quantities.

    Raises
    ------
    LessonError
        There is no such prediction, or it has no such quantity.
    ProgressError
        It was revealed already, with other values.
    """
    view = Predict(_desk(), _desk().prediction(name))
    if answer is not None:
        view.seal(answer)
    return view


def reveal(name: str, *, anyway: bool = False) -> Reveal:
    """Draw a prediction beside what happened, with the error.

    Parameters
    ----------
    name : str
        The prediction's id, such as "02-a".
    anyway : bool
        Show what happened even if nothing is predicted yet, or the own game has not come so far;
        otherwise it holds back.

    Raises
    ------
    LessonError
        There is no such prediction.
    """
    return Reveal(_desk(), _desk().prediction(name), anyway=anyway)


def answered(*names: str) -> bool:
    """Whether exercises were answered, right or wrong; if not, a sentence says which are missing.

    It keeps back what would give their answers away: ``if answered("02-4"): display(chart)``.

    Parameters
    ----------
    *names : str
        Ids of exercises, such as "02-4".

    Raises
    ------
    LessonError
        There is no such exercise.
    """
    desk = _desk()
    missing = [one for one in names if not opens(desk.progress, desk.exercise(one))]
    if missing:
        from IPython.display import display

        asked = f"{' and '.join(missing)} ask{'s' * (len(missing) == 1)}"
        text = f"This shows what {asked}. Answer first, then run this cell again."
        display(Said(f'<p class="exdec-note">{escape(text)}</p>', text))  # type: ignore[no-untyped-call]
    return not missing


def explain(name: str, *, answer: str = "") -> Explain:
    """Ask to explain something in a sentence.

    Parameters
    ----------
    name : str
        The prompt's id, such as "02-e1".
    answer : str, optional
        A sentence to keep at once.

    Raises
    ------
    LessonError
        There is no such prompt.
    """
    view = Explain(_desk(), _desk().explanation(name))
    if answer:
        view.keep(answer)
    return view


def progress() -> Overview:
    """Show what is done so far, and how to take it along or hand it in."""
    return Overview(_desk())


def own_game(number: str, months: int = 0) -> OwnGame:
    """The learner's own game of a lesson, or the recorded one where nothing was played.

    Parameters
    ----------
    number : str
        The lesson's, such as "02".
    months : int, optional
        Complete months that are needed; the lesson's if left out.

    Returns
    -------
    OwnGame
        With `game` and `player`; printed, it says which game it is.

    Raises
    ------
    LessonError
        There is no such lesson.
    """
    return _desk().game(number, months)


def _desk() -> Desk:
    if not _desks:
        _desks.append(Desk())
    return _desks[0]
