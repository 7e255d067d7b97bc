"""A folder of what pupils handed in, as one table for the teacher."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from exdec.lessons.certificate import Row, rows_of, safe
from exdec.lessons.exercises import LessonError, Workbook
from exdec.lessons.progress import MOST_BYTES, ProgressError, parse

PARTS = ("solved", "attempts", "own-game profit")
"""What the table has for each lesson."""

HANDED_IN = "Pupils hand in the file that Download my progress gives them."


class Gradebook(NamedTuple):
    """A class's progress.

    Parameters
    ----------
    csv : str
        A line for each file, below a head: ``name``, ``file``, ``solved`` and ``exercises`` (of
        all lessons together), then for each lesson ``01 solved``, ``01 attempts`` and
        ``01 own-game profit`` (dollars; empty if it was not played). In the order of names.
    pupils : int
        How many lines there are.
    unread : list of str
        A sentence for each file that is not in it: it could not be read, or is no progress file.
    """

    csv: str
    pupils: int
    unread: list[str]


def gradebook(folder: Path, lessons: Mapping[str, Workbook]) -> Gradebook:
    """Read every progress file in a folder and the folders below it, whatever it is called.

    Parameters
    ----------
    folder : Path
        What is hidden in it (its name begins with a dot) is passed over.
    lessons : mapping of number to Workbook

    Raises
    ------
    LessonError
        There is no such folder, or no file in it.
    """
    if not folder.is_dir():
        raise LessonError(f"{folder} is no folder. Name the one that holds the pupils' files.")
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not paths:
        raise LessonError(f"{folder} holds no file. {HANDED_IN}")
    pupils: list[tuple[str, str, dict[str, Row]]] = []
    unread = []
    for path in paths:
        file = path.relative_to(folder).as_posix()
        try:
            with path.open("rb") as opened:
                # Whatever lies in the folder, no more is read than such a file may have.
                progress = parse(opened.read(MOST_BYTES + 1), file)
        except ProgressError as error:
            unread.append(str(error))
        except OSError as error:
            unread.append(f"{file} cannot be read: {error.strerror}.")
        else:
            by_number = {row.lesson[:2]: row for row in rows_of(progress, lessons)}
            pupils.append((progress.name, file, by_number))
    pupils.sort(key=lambda pupil: (pupil[0].casefold(), pupil[1]))
    numbers = sorted({*lessons, *(number for _, _, rows in pupils for number in rows)})
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    by_lesson = [f"{number} {part}" for number in numbers for part in PARTS]
    lines.writerow(["name", "file", "solved", "exercises", *by_lesson])
    exercises = sum(len(lesson.exercises) for lesson in lessons.values())
    for name, file, rows in pupils:
        solved = sum(row.solved for row in rows.values())
        cells: list[str | int] = [safe(name), safe(file), solved, exercises]
        for number in numbers:
            row = rows.get(number)
            made = "" if row is None or row.profit is None else row.profit
            cells += ["", "", ""] if row is None else [row.solved, row.attempts, made]
        lines.writerow(cells)
    return Gradebook(text.getvalue(), len(pupils), unread)
