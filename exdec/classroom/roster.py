"""A list of names, as teachers have it: a column of a spreadsheet, or lines of text."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path

from exdec.classroom.settings import LONGEST_NAME, Entry, SettingsError, clean_name
from exdec.narrate import counted

NAME = ("name", "names", "namen", "nom", "noms", "nombre", "nombres", "naam", "nome", "nomes")
"""Heads of names; beside a column of first names they head last names, and the reverse."""

WHOLE = (
    *("pupil", "pupils", "student", "students", "full name"),
    *("schuler", "schulerin", "schulerinnen", "schulername", "lernende"),
    *("eleve", "eleves", "nom complet", "nom et prenom", "nom prenom", "prenom et nom"),
    *("alumno", "alumna", "alumnoa", "alumnos", "alumnado", "estudiante", "nombre completo"),
    *("apellidos y nombre", "nombre y apellidos"),
    *("leerling", "leerlingen", "volledige naam"),
    *("alunno", "alunna", "alunni", "studente", "nominativo", "nome e cognome", "cognome e nome"),
    *("aluno", "aluna", "alunoa", "alunos", "estudantes", "nome completo"),
)
FIRST = (
    *("first name", "firstname", "first", "given name", "forename"),
    *("vorname", "vornamen", "rufname", "prenom", "prenoms", "nombre de pila"),
    *("voornaam", "voornamen", "roepnaam", "primeiro nome"),
)
LAST = (
    *("last name", "lastname", "last", "surname", "family name"),
    *("nachname", "nachnamen", "familienname", "zuname", "nom de famille"),
    *("apellido", "apellidos", "primer apellido", "achternaam", "familienaam"),
    *("cognome", "cognomi", "apelido", "apelidos", "sobrenome", "ultimo nome"),
)
GROUPS = (
    *("group", "groups", "table", "tables", "team", "class"),
    *("gruppe", "gruppen", "klasse", "kurs", "tisch", "groupe", "classe", "equipe"),
    *("grupo", "mesa", "clase", "curso", "equipo", "groep", "klas", "tafel"),
    *("gruppo", "tavolo", "squadra", "turma", "equipa"),
)

SHOWN = 6
"""Names that are shown of many."""

NO_TEXT = bytes({*range(0x20)} - {*b"\t\n\v\f\r\x1a"})
"""Bytes that no text has."""


def read_roster(path: str | Path) -> tuple[Entry, ...]:
    """Read a roster from a file; see `parse_roster`.

    Raises
    ------
    SettingsError
        The file cannot be read, is no text, or there is no name in it.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingsError(f"The roster {path} cannot be read: {reason}.") from None
    return parse_roster(roster_text(data))


def roster_text(data: bytes) -> str:
    """What is in a roster's file.

    Raises
    ------
    SettingsError
        It is a workbook, or something else that is no text.

    Examples
    --------
    >>> roster_text("Zoë".encode("cp1252")), roster_text("Zoë".encode("utf-16"))
    ('Zoë', 'Zoë')
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")  # a spreadsheet's "Unicode text"
    if data.startswith(b"%PDF") or any(byte in NO_TEXT for byte in data):
        raise SettingsError(
            "This is a workbook, or another file that is no text: save it as CSV, or copy the "
            "column of names."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # what spreadsheets write on Windows


def parse_roster(text: str) -> tuple[Entry, ...]:
    r"""Read names, one a line, or a table with columns for names and perhaps for groups.

    Columns are split at commas, semicolons or tabs. A first line such as ``Name, Group`` or
    ``First name; Last name`` says what they are, in English, German, French, Spanish, Dutch,
    Italian or Portuguese; without one the first column holds names and the second groups. Pupils
    of a group sit at the same tables.

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
    >>> parse_roster("Nachname;Vorname;Klasse\nLee;Ann;10b")
    (Entry(name='Ann Lee', group='10b'),)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    # A line for Excel alone may say what splits the others.
    named = lines and re.fullmatch(r'"?sep=(.)"?', lines[0].strip(" "), re.IGNORECASE)
    if named:
        lines = lines[1:]
    if not lines:
        raise SettingsError("The roster is empty. Write one name a line.")
    splits = named[1] if named else max(",;\t", key=lines[0].count)
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=splits)
    ]
    head = [_plain(cell) for cell in rows[0]]

    def column(names: tuple[str, ...]) -> int | None:
        return next((at for at, cell in enumerate(head) if cell in names), None)

    whole, name, group, given, family = map(column, (WHOLE, NAME, GROUPS, FIRST, LAST))
    titled = any(at is not None for at in (whole, name, given, family))
    if titled:
        rows = rows[1:]
        if given is not None and family is None:
            family = name
        elif family is not None and given is None:
            given = name
        elif whole is None:
            whole = name
    else:
        whole, group = 0, 1

    def cell(row: list[str], at: int | None) -> str:
        return row[at] if at is not None and at < len(row) else ""

    entries = tuple(
        Entry(called, cell(row, group))
        for row in rows
        if (called := cell(row, whole) or f"{cell(row, given)} {cell(row, family)}".strip())
    )
    if not entries:
        raise SettingsError("The roster has a head and no names. Write one name a line below it.")
    return entries


def _plain(head: str) -> str:
    """A column's head, by which it is known: small letters without accents and signs.

    Digits stay, for "Pupil 1" is somebody.

    Examples
    --------
    >>> _plain("Schüler*in"), _plain("Last_name(s)"), _plain(" PRÉNOM: ")
    ('schulerin', 'last name', 'prenom')
    """
    words = re.sub(r"\(.*?\)", "", unicodedata.normalize("NFKD", head.casefold()))
    return " ".join(re.sub("[^a-z0-9 ]", "", re.sub(r"[_\s-]", " ", words)).split())


def understood(given: Sequence[Entry], kept: Sequence[Entry]) -> list[str]:
    r"""Say how the names of a roster were read, and which of them a class changes.

    Parameters
    ----------
    given : sequence of Entry
        As `parse_roster` reads them.
    kept : sequence of Entry
        As the class's settings have them.

    Examples
    --------
    >>> from exdec.classroom.settings import ClassSettings
    >>> given = parse_roster("Ann, red\nBen, blue\nBen, red")
    >>> for sentence in understood(given, ClassSettings(roster=given).roster):
    ...     print(sentence)
    Read as: Ann (red), Ben (blue), Ben 2 (red).
    Somebody else has that name already, so there is a number: Ben 2.
    """
    shown = [f"{one.name} ({one.group})" if one.group else one.name for one in kept]
    said = [f"Read as: {_some(shown)}."]
    cut, numbered = [], []
    whole = (clean_name(one.name, len(one.name)) for one in given if clean_name(one.name))
    for name, one in zip(whole, kept, strict=True):
        if len(name) > LONGEST_NAME:
            cut.append(one.name)
        elif name != one.name:
            numbered.append(one.name)
    if numbered:
        said.append(
            f"Somebody else has that name already, so there is a number: {_some(numbered)}."
        )
    if cut:
        said.append(f"Cut to {counted(LONGEST_NAME, 'letter')}: {_some(cut)}.")
    return said


def _some(names: Sequence[str]) -> str:
    """The first few of them."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
