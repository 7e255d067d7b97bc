"""A list of names, as teachers have it: a column of a spreadsheet, or lines of text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from exdec.classroom.settings import Entry, SettingsError

NAMES = ("name", "names", "pupil", "pupils", "student", "students", "nombre", "alumno")
GROUPS = ("group", "groups", "table", "tables", "team", "grupo", "mesa")
FIRST = ("first name", "firstname", "first", "given name", "forename")
LAST = ("last name", "lastname", "last", "surname", "family name")


def read_roster(path: str | Path) -> tuple[Entry, ...]:
    """Read a roster from a file; see `parse_roster`.

    Raises
    ------
    SettingsError
        The file cannot be read, or there is no name in it.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingsError(f"The roster {path} cannot be read: {reason}.") from None
    return parse_roster(roster_text(data))


def roster_text(data: bytes) -> str:
    """What is in a roster's file.

    Examples
    --------
    >>> roster_text("Zoë".encode("cp1252"))
    'Zoë'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # what spreadsheets write on Windows


def parse_roster(text: str) -> tuple[Entry, ...]:
    r"""Read names, one a line, or a table with columns for names and perhaps for groups.

    Columns are split at commas, semicolons or tabs. A first line such as ``Name, Group`` or
    ``First name; Last name`` says what they are; without one the first column holds names and the
    second groups. Pupils of a group sit at the same tables.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of Entry

    Raises
    ------
    SettingsError
        There is no name in it.

    Examples
    --------
    >>> parse_roster("Ann, red\nBen, blue\nCy")
    (Entry(name='Ann', group='red'), Entry(name='Ben', group='blue'), Entry(name='Cy', group=''))
    >>> parse_roster("Last name;First name\nLee;Ann")
    (Entry(name='Ann Lee', group=''),)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise SettingsError("The roster is empty. Write one name a line.")
    first = lines[0]
    splits = max(",;\t", key=first.count) if any(map(first.count, ",;\t")) else ","
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=splits)
    ]
    head = [cell.casefold() for cell in rows[0]]

    def column(names: tuple[str, ...]) -> int | None:
        return next((at for at, cell in enumerate(head) if cell in names), None)

    name, group, given, family = map(column, (NAMES, GROUPS, FIRST, LAST))
    titled = any(at is not None for at in (name, given, family))
    if titled:
        rows = rows[1:]
    else:
        name, group = 0, 1

    def cell(row: list[str], at: int | None) -> str:
        return row[at] if at is not None and at < len(row) else ""

    entries = tuple(
        Entry(called, cell(row, group))
        for row in rows
        if (called := cell(row, name) or f"{cell(row, given)} {cell(row, family)}".strip())
    )
    if not entries:
        raise SettingsError("The roster has a head and no names. Write one name a line below it.")
    return entries
