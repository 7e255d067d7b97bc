"""A summary of what a learner has done: a page to read or print, and lines of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from exdec.lessons.exercises import Workbook
from exdec.lessons.progress import Progress
from exdec.narrate import change

HEAD = ("name", "lesson", "exercises solved", "exercises", "attempts", "own-game profit")


class Row(NamedTuple):
    """One lesson of one learner.

    Parameters
    ----------
    name, lesson : str
        What the learner is called, and number and title of the lesson.
    solved : int
    exercises : int or None
        How many there are; None if the lesson's sources are not here.
    attempts : int
        Different answers that were given to its exercises, up to the first right one of each.
    profit : int or None
        Dollars made in the learner's own game; None if it was not played.
    """

    name: str
    lesson: str
    solved: int
    exercises: int | None
    attempts: int
    profit: int | None


def rows_of(progress: Progress, lessons: Mapping[str, Workbook]) -> list[Row]:
    """Sum up each lesson that something is known of.

    Parameters
    ----------
    progress : Progress
    lessons : mapping of number to Workbook
        As many as are here; of the others only the numbers are told.

    Examples
    --------
    >>> rows_of(Progress().named("Ann").attempted("02-3", "278", "right"), {})
    [Row(name='Ann', lesson='02', solved=1, exercises=None, attempts=1, profit=None)]
    """
    rows = []
    for number in progress.lessons:
        lesson = lessons.get(number)
        tried = [name for name in progress.attempts if name.startswith(f"{number}-")]
        if lesson:
            tried = [name for name in tried if name in lesson.exercises]
        played = progress.games.get(number)
        rows.append(
            Row(
                progress.name,
                f"{number} {lesson.title}" if lesson else number,
                sum(map(progress.solved, tried)),
                len(lesson.exercises) if lesson else None,
                sum(map(progress.tries, tried)),
                played.profit if played else None,
            )
        )
    return rows


def csv_text(rows: Iterable[Row]) -> str:
    """Write rows below a head, as a spreadsheet reads them.

    A text that a spreadsheet would take for a formula begins with an apostrophe.

    Examples
    --------
    >>> print(csv_text([Row("=1+1", "02 Demand", 8, 9, 14, -20)]), end="")
    name,lesson,exercises solved,exercises,attempts,own-game profit
    '=1+1,02 Demand,8,9,14,-20
    """
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(HEAD)
    for row in rows:
        lines.writerow(["" if one is None else safe(one) for one in row])
    return text.getvalue()


def safe(cell: str | int) -> str | int:
    """Put a text on one line, and keep a spreadsheet from taking it for a formula.

    Examples
    --------
    >>> safe("@SUM(A1)"), safe(" =1"), safe("Ann"), safe(-5)
    ("'@SUM(A1)", "'=1", 'Ann', -5)
    """
    if isinstance(cell, int):
        return cell
    text = " ".join(cell.split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "|", "%") else text


STYLE = """
  body { font: 16px/24px system-ui, sans-serif; max-width: 720px; margin: 48px auto;
         padding: 0 16px; color: #212121; background: #fff; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { padding: 4px 8px; text-align: right; border-bottom: 1px solid #767676; }
  th:first-child { text-align: left; }
  h2 { font-size: 16px; margin: 24px 0 0; }
  p { margin: 4px 0; }
"""


def page_html(progress: Progress, lessons: Mapping[str, Workbook]) -> str:
    """A page to read or print: what was solved, and what the learner wrote in full."""
    name = progress.name or "A learner without a name"
    body = []
    for row in rows_of(progress, lessons):
        solved = f"{row.solved} of {row.exercises}" if row.exercises is not None else row.solved
        made = "not played" if row.profit is None else change(row.profit)
        body.append(
            f'<tr><th scope="row">{escape(row.lesson)}</th><td>{solved}</td>'
            f"<td>{row.attempts}</td><td>{made}</td></tr>"
        )
    texts = [
        f"<h2>{escape(prompt.id)} {escape(prompt.question)}</h2><p>{escape(text)}</p>"
        for lesson in lessons.values()
        for prompt in lesson.explanations.values()
        if (text := progress.explanation(prompt.id))
    ]
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(name)}: what I have done</title>\n<style>{STYLE}</style>\n"
        f"<h1>{escape(name)}</h1>\n<p>Executive Decision: lessons, exercises and own games.</p>\n"
        '<table><thead><tr><th scope="col">lesson</th><th scope="col">exercises solved</th>'
        '<th scope="col">attempts</th><th scope="col">profit in the own game</th></tr></thead>\n'
        f"<tbody>{''.join(body)}</tbody></table>\n{''.join(texts)}\n</html>\n"
    )
