"""What is left when a class is over: game records, tables for a spreadsheet, a gradebook.

A folder (or a zip of it) with

- ``records/table-01.jsonl``, …: the games, for `exdec.debrief`, `exdec score` and replays,
- ``tables.csv``, ``standings.csv``, ``bids.csv`` and so on, one for each table of
  `exdec.classroom.codebook`, which says what columns there are: UTF-8 with a byte order mark, one
  row for one thing,
- ``class.xlsx``: the same tables in one workbook,
- ``README.txt``: all of this for people, and the line that shows it in ``debrief.ipynb``.

The class's file stays as it is, and a server may have it open. No link, code or key is exported,
and no bid that is not opened.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import TYPE_CHECKING, Any

from exdec.classroom.codebook import COLUMNS, SHEETS, Row
from exdec.classroom.sheets import Sheets
from exdec.classroom.told import told
from exdec.errors import ExdecError

if TYPE_CHECKING:
    import pandas as pd


class ExportError(ExdecError):
    """What is left of a class cannot be written there."""


def to_debrief(name: str) -> tuple[str, str, str]:
    """Say how an export gets into the debrief: what to do, the line to write, and what if not.

    Parameters
    ----------
    name : str
        The folder's, or the way to it.
    """
    return (
        "For the debrief with your class, open debrief.ipynb (in exdec-kit/notebooks/instructor), "
        "write this in place of the line with class_example, and choose Run ▸ Run All Cells:",
        f"ours = debrief({json.dumps(name, ensure_ascii=False)})",
        "If the folder is not found, put it, unpacked, beside debrief.ipynb.",
    )


def results_of(path: Path, pseudonyms: bool) -> Path:
    """Where a class's results go if nobody says: beside its file, apart from those with names."""
    return path.with_name(f"{path.stem}-results{'-pseudonyms' * pseudonyms}")


def exported(path: Path) -> list[Path]:
    """What lies beside a class's file and tells the same with the pupils' names: its exports."""
    stem = re.escape(path.stem)
    name = re.compile(rf"{stem}(-results(-\d+)?)?(\.zip)?")
    return sorted(one for one in path.parent.iterdir() if name.fullmatch(one.name))


def also_named(files: Sequence[Path]) -> str:
    """Say which files keep the names when a class is deleted, as one more sentence; "" for none.

    Examples
    --------
    >>> also_named([Path("classes/class-results"), Path("classes/class-results-2")])
    ' Names are also in classes/class-results, classes/class-results-2. These are not deleted.'
    """
    if not files:
        return ""
    names = ", ".join(f"{one.absolute().parent.name}/{one.name}" for one in files)
    these = "This is" if len(files) == 1 else "These are"
    return f" Names are also in {names}. {these} not deleted."


def export(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    pseudonyms: bool = False,
    semicolons: bool = False,
) -> Path:
    """Write down everything that is left of a class, all of it or nothing.

    Parameters
    ----------
    path : str or path
        The class's file.
    out : str or path
        A new folder; a name that ends in ``.zip`` makes one file, in which is a folder of the rest
        of that name.
    pseudonyms : bool
        Pupils become "Pupil 1", "Pupil 2", …, in an order that tells nothing.
    semicolons : bool
        CSV files as spreadsheets expect them where numbers have a decimal comma.

    Returns
    -------
    pathlib.Path
        What was made.

    Raises
    ------
    ExportError
        There is something of that name already, or it cannot be written.
    StoreError
        The class cannot be read.
    """
    out = Path(out)
    if not out.name:
        raise ExportError(f"{out} cannot be made. Give the name of a new folder.")
    if out.exists() or out.is_symlink():
        raise ExportError(f"{out} is there already. Choose another name.")
    if not out.parent.is_dir():
        raise ExportError(f"There is no folder {out.parent}. Make it first, or choose another.")
    try:
        # What is made beside it and then renamed is never seen half made.
        with TemporaryDirectory(
            dir=out.parent, prefix=".exdec-", ignore_cleanup_errors=True
        ) as folder:
            made = Path(folder, out.name)
            zipped = out.suffix == ".zip"
            top = out.stem if zipped else out.name
            contents = files(path, top, pseudonyms, semicolons)
            if zipped:
                _write_zip(made, top, contents)
            else:
                _write_folder(made, contents)
            made.rename(out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ExportError(
            f"{out} cannot be written: {reason}. Mend that, then try again."
        ) from None
    return out


def frames(path: str | os.PathLike[str], pseudonyms: bool = False) -> dict[str, pd.DataFrame]:
    """The tables of a class, for a notebook.

    Parameters
    ----------
    path : str or path
        The class's file.
    pseudonyms : bool

    Returns
    -------
    dict of str to pandas.DataFrame
        By their names in `exdec.classroom.codebook.SHEETS`; the columns are described in
        `exdec.classroom.codebook.COLUMNS`, and in the table codebook. Numbers that are not there
        are `pandas.NA`.

    Raises
    ------
    StoreError
        The class cannot be read.
    """
    import pandas as pd

    kinds = {"text": "object", "seconds": "float64", "time": "datetime64[s]"}
    with told(Path(path)) as class_:
        rows = Sheets(class_, pseudonyms).rows()
    return {
        name: pd.DataFrame(
            {
                column: pd.Series(
                    [_cell(row, column) for row in rows[name]],
                    dtype=kinds.get(COLUMNS[column].kind, "Int64"),
                )
                for column in sheet.columns
            }
        )
        for name, sheet in SHEETS.items()
    }


def files(
    path: str | os.PathLike[str], top: str, pseudonyms: bool = False, semicolons: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Every file of an export: its name, with slashes, and what it holds.

    Parameters
    ----------
    path : str or path
        The class's file.
    top : str
        The name of the folder that they will be in.
    pseudonyms, semicolons : bool

    Raises
    ------
    StoreError
        The class cannot be read.
    """
    with told(Path(path)) as class_:
        sheets = Sheets(class_, pseudonyms)
        yield "README.txt", _readme(sheets, top).encode("utf-8-sig")
        for name, text in sheets.records():
            yield f"records/{name}", text.encode()
        rows = sheets.rows()
        for name, own in rows.items():
            yield f"{name}.csv", _csv(SHEETS[name].columns, own, semicolons).encode("utf-8-sig")
        yield "class.xlsx", _workbook(rows, sheets.title, datetime.fromisoformat(sheets.day))


def _write_folder(folder: Path, contents: Iterator[tuple[str, bytes]]) -> None:
    (folder / "records").mkdir(parents=True)
    for name, data in contents:
        (folder / name).write_bytes(data)


def _write_zip(file: Path, top: str, contents: Iterator[tuple[str, bytes]]) -> None:
    with zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED) as packed:
        for name, data in contents:
            packed.writestr(f"{top}/{name}", data)


def _cell(row: Row, column: str) -> Any:
    """A row has no cells for what it knows nothing about."""
    return row.get(column, "" if COLUMNS[column].kind == "text" else None)


# -- CSV -----------------------------------------------------------------------------------------

_UNSEEN = r"\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
"""Signs without a width, which a spreadsheet may drop."""

_FORMULA = re.compile(rf"(?:^|(?<=[;\t\r\n]))(?=[\t\r]|[\s{_UNSEEN}]*[=+\-@\u2212＝＋－＠])")
"""Where a formula would begin; in some countries the same signs in full width begin one too."""


def safe(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula.

    Spreadsheets in many countries split lines at semicolons, so what stands after one counts too.

    Examples
    --------
    >>> safe("=1+1"), safe("Ann;@SUM(A1)"), safe("Ann-Lee")
    ("'=1+1", "Ann;'@SUM(A1)", 'Ann-Lee')
    """
    return _FORMULA.sub("'", text)


def _csv(columns: Sequence[str], rows: Sequence[Row], semicolons: bool) -> str:
    def written(cell: Any) -> Any:
        if isinstance(cell, str):
            return safe(cell)
        return str(cell).replace(".", ",") if semicolons and isinstance(cell, float) else cell

    text = io.StringIO()
    lines = csv.writer(text, delimiter=";" if semicolons else ",", lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([written(_cell(row, column)) for column in columns] for row in rows)
    return text.getvalue()


# -- the workbook --------------------------------------------------------------------------------

FORMATS = {
    "number": "0",
    "dollars": '"$"#,##0;[Red]-"$"#,##0',
    "seconds": "0.0",
    "time": "yyyy-mm-dd hh:mm:ss",
}

WIDEST = 40
"""Of a column, in digits."""


def _workbook(rows: dict[str, list[Row]], title: str, day: datetime) -> bytes:
    import xlsxwriter

    data = io.BytesIO()
    # Cells are written by kind, so no text becomes a formula, a number or a link.
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        book.set_properties({"title": title, "author": "exdec", "created": day})
        head = book.add_format({"bold": True, "bottom": 1})
        formats = {kind: book.add_format({"num_format": form}) for kind, form in FORMATS.items()}
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        for name, own in rows.items():
            # Sentences are read in full; elsewhere rows stay one line high.
            text = wrapped if name == "codebook" else None
            page = book.add_worksheet(name)
            page.freeze_panes(1, 0)
            columns = SHEETS[name].columns
            for at, column in enumerate(columns):
                kind = COLUMNS[column].kind
                cells = [_cell(row, column) for row in own]
                page.write_string(0, at, column, head)
                _write_column(page, at, kind, cells)
                page.set_column(at, at, _width(column, kind, cells), formats.get(kind, text))
            if own:
                page.autofilter(0, 0, len(own), len(columns) - 1)
    return data.getvalue()


def _write_column(page: Any, at: int, kind: str, cells: list[Any]) -> None:
    write = {"text": page.write_string, "time": page.write_datetime}.get(kind, page.write_number)
    for number, cell in enumerate(cells, 1):
        if cell not in ("", None):
            write(number, at, cell)


def _width(column: str, kind: str, cells: list[Any]) -> int:
    longest = 19 if kind == "time" else max((len(str(cell)) for cell in cells), default=0)
    return min(WIDEST, max(len(column) + 3, longest + 2))


# -- the README ----------------------------------------------------------------------------------


def _readme(sheets: Sheets, top: str) -> str:
    way, line, otherwise = to_debrief(top)
    line = f"    {line}"
    paragraphs = [
        f"{sheets.title}, {sheets.day}",
        way,
        line,
        otherwise,
        "This folder holds what is left of a class that played Executive Decision. The tables are "
        "there twice: class.xlsx opens in any spreadsheet program, and the .csv files in anything. "
        "Money is in whole dollars. An empty cell means that there is nothing to say.",
        "records: one game record for each table; exdec score prints one game.",
        "Steps that were taken back and played again stand only as they were played in the end; "
        "clicks has when they were taken back. A bid that is not opened yet is nowhere.",
        f"Times are those of the computer that made these files (UTC{sheets.zone}).",
        "In the .csv files an apostrophe (') stands before a text that a spreadsheet might take "
        "for a formula: one that begins with = + - or @, or has one of these after a semicolon. "
        "class.xlsx needs none, for its texts are marked as texts. To join tables, take class_id, "
        "table and seat rather than names: they are the same in every file here. The records have "
        "class_id and table at their head, and their players in the order of the seats.",
        "With pseudonyms a class has the same class_id as with names, but its tables, seats and "
        "pupils are numbered anew. A record tells at its head, under pseudonyms, what its table "
        "and pupils are called there.",
    ]
    if sheets.pseudonyms:
        paragraphs.append(
            "Names are replaced. Pupils, tables and seats are numbered in an order that has "
            "nothing to do with names or with who came first; the same class always gets the same "
            "numbers. Joining, new names and the teacher's messages are left out of clicks, and "
            "its times are in whole seconds."
        )
    blocks = [one if one == line else fill(one, 78, break_on_hyphens=False) for one in paragraphs]
    for name, sheet in SHEETS.items():
        lines = [fill(f"{name}: each row is {sheet.row}.", 78)]
        wide = max(map(len, sheet.columns)) + 4
        lines += [
            fill(
                COLUMNS[column].meaning,
                78,
                initial_indent=f"  {column}".ljust(wide),
                subsequent_indent=" " * wide,
            )
            for column in sheet.columns
        ]
        blocks.append("\n".join(lines))
    by_values: dict[tuple[str, ...], list[str]] = {}
    for name, about in COLUMNS.items():
        by_values.setdefault(about.values, []).append(name)
    del by_values[()]
    blocks.append("Some columns hold one of a few texts, or nothing:")
    blocks += [
        fill(f"{', '.join(names)}: {'; '.join(values)}.", 78, subsequent_indent="  ")
        for values, names in by_values.items()
    ]
    return "\n\n".join(blocks) + "\n"
