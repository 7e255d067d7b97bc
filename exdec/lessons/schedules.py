"""What the pupils of a class would pay for a first, a second, a third … unit, as a CSV file.

The file has a line for each unit, with the columns name, unit and dollars:

.. code-block:: text

    name,unit,dollars
    Amy,1,70
    Amy,2,60
    Bo,1,65

It can come from a spreadsheet that the class shares: semicolons or tabs between the columns, and a
byte order mark, are read too, and other columns are passed over.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from exdec.errors import BidError, ExdecError, shown
from exdec.kit import KIT
from exdec.notebook.typed import read_number

COLUMNS = ("name", "unit", "dollars")
MOST_UNITS = 12
MOST_DOLLARS = 999
LONGEST = 40
"""Characters of a name."""
LARGEST = 1_000_000
"""Bytes; no class writes that much."""

Schedules = dict[str, list[int]]
"""Whole dollars for each unit, by name."""


class ScheduleError(ExdecError):
    """Schedules that cannot be read; the message names the line and how to mend it."""


def read_schedules(path: Path) -> Schedules:
    """Read a class's schedules from a file; see `parse_schedules`.

    Raises
    ------
    ScheduleError
        The file cannot be read, or what it holds is refused.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScheduleError(f"{path} cannot be read: {reason}.") from None
    if len(data) > LARGEST:
        raise ScheduleError(f"{path.name} is too large for the schedules of a class.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScheduleError(f"{path.name} is no text. Save it as CSV in UTF-8.") from None
    return parse_schedules(text, path.name)


def parse_schedules(text: str, name: str = "The file") -> Schedules:
    r"""Read a class's schedules from CSV text.

    Parameters
    ----------
    text : str
    name : str
        What errors call it.

    Returns
    -------
    dict of str to list of int
        Dollars for the first, the second … unit; names in the order in which they first come.

    Raises
    ------
    ScheduleError
        A column is missing, a line cannot be read, or a unit is missing or given twice; the
        message names the line.

    Examples
    --------
    >>> parse_schedules("name,unit,dollars\nAmy,1,70\nBo,1,$65\nAmy,2,60\n")
    {'Amy': [70, 60], 'Bo': [65]}
    >>> parse_schedules("name,unit,dollars\nAmy,2,60\n", "x.csv")
    Traceback (most recent call last):
    ...
    exdec.lessons.schedules.ScheduleError: x.csv, line 2: Amy has a unit 2 but no unit 1. Add it.
    """
    head = next((line for line in text.splitlines() if line.strip()), "")
    between = max(",;\t", key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    at: dict[str, int] = {}
    units: dict[str, dict[int, tuple[int, int]]] = {}
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not at:
                at = _columns(cells, name)
                continue
            where = f"{name}, line {rows.line_num}"
            person, unit, dollars = _line(cells, at, where)
            given = units.setdefault(person, {})
            if unit in given:
                raise ScheduleError(
                    f"{where}: {person}'s unit {unit} is in line {given[unit][1]} already. "
                    "Take one of them out, or give this person another name."
                )
            given[unit] = dollars, rows.line_num
    except csv.Error as error:
        raise ScheduleError(f"{name}, line {rows.line_num}: this is not CSV ({error}).") from None
    if not units:
        raise ScheduleError(f"{name} has no schedule in it. {_form()}")
    for person, given in units.items():
        for unit, (_, line) in given.items():
            if unit > 1 and unit - 1 not in given:
                raise ScheduleError(
                    f"{name}, line {line}: {person} has a unit {unit} but no unit {unit - 1}. "
                    "Add it."
                )
    return {person: [given[unit][0] for unit in sorted(given)] for person, given in units.items()}


def write_schedules(path: Path, schedules: Mapping[str, Sequence[int]]) -> None:
    """Write schedules to a file, in place of what was there.

    Raises
    ------
    ScheduleError
        The file cannot be written; what was there is still there.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for person, worth in schedules.items():
        writer.writerows((person, unit, dollars) for unit, dollars in enumerate(worth, start=1))
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text.getvalue(), "utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScheduleError(f"{path} cannot be written: {reason}.") from None


def recorded_class() -> Schedules:
    """The schedules of lesson 2's recorded class."""
    return read_schedules(KIT / "lessons" / "02_demand" / "class.csv")


def read_name(text: str) -> str:
    """Take a name as it is typed.

    Raises
    ------
    ScheduleError
        There is none, or it is too long.
    """
    name = " ".join(text.split())
    if not name:
        raise ScheduleError("There is no name. Write one, or a number if you like.")
    if len(name) > LONGEST:
        raise ScheduleError(f"{shown(name)} is too long. Write at most {LONGEST} letters.")
    return name


def read_dollars(what: str, text: str) -> int:
    """Take whole dollars as they are typed.

    Raises
    ------
    BidError
        They are no whole number, or more than anyone has.
    """
    dollars = read_number(what, text)
    if dollars > MOST_DOLLARS:
        raise BidError(f"{what}: ${dollars:,} is too large. Write ${MOST_DOLLARS} or less.")
    return dollars


def _columns(cells: Sequence[str], name: str) -> dict[str, int]:
    """Where each column is."""
    heads = [cell.casefold() for cell in cells]
    for column in COLUMNS:
        if column not in heads:
            raise ScheduleError(f"{name} has no column {column!r} in its first line. {_form()}")
    return {column: heads.index(column) for column in COLUMNS}


def _line(cells: Sequence[str], at: Mapping[str, int], where: str) -> tuple[str, int, int]:
    """Name, unit and dollars of one line."""
    name, unit, dollars = (
        cells[at[column]] if at[column] < len(cells) else "" for column in COLUMNS
    )
    try:
        number = read_number("unit", unit)
        if not 1 <= number <= MOST_UNITS:
            raise BidError(
                f"unit: {shown(unit)} is not 1 to {MOST_UNITS}. Count the units of each person "
                "from 1."
            )
        if not dollars:
            raise BidError("dollars: nothing is written. Write 0 for a unit that is not wanted.")
        return read_name(name), number, read_dollars("dollars", dollars)
    except ExdecError as error:
        raise ScheduleError(f"{where}: {error}") from None


def _form() -> str:
    return f"The first line is {','.join(COLUMNS)}; then a line for each unit, such as Amy,1,70."
