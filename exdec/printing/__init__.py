"""Sheets to play on paper, made from the rules: no number on them is written down twice.

>>> from exdec.printing import pages
>>> [page.title for page in pages(["calculator", "certificates"], players=3)]
['Market Calculator', 'X-FINE certificates', 'FINE certificates', 'STANDARD certificates']
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from exdec.errors import ExdecError, shown
from exdec.printing.firm import certificates, slips, tally
from exdec.printing.page import GENERATOR, PAPERS, Page, document
from exdec.printing.summary import summary
from exdec.printing.wall import board, calculator, production
from exdec.record import as_path, failed, write_new
from exdec.rules import PLAYERS, STANDARD, Rules


class Sheet(NamedTuple):
    """One kind of sheet: what it is for, and what makes its pages."""

    about: str
    pages: Callable[[Rules, int], list[Page]]


SHEETS: dict[str, Sheet] = {
    "rules": Sheet("the rules on one page", summary),
    "tally": Sheet("a Tally sheet for each player", tally),
    "slips": Sheet("order and offer slips, to fold and hand in", slips),
    "board": Sheet("the Price Level Board, for the wall", lambda rules, _players: board(rules)),
    "calculator": Sheet(
        "the Market Calculator, both rows", lambda rules, _players: calculator(rules)
    ),
    "production": Sheet("the Production Chart", lambda rules, _players: production(rules)),
    "certificates": Sheet("certificates of the three grades, to cut out", certificates),
}
"""Every kind of sheet, in the order in which they are printed."""


class Printed(NamedTuple):
    """Where sheets were written, and how many pages they have."""

    path: Path
    pages: int


def pages(names: Iterable[str] = (), rules: Rules = STANDARD, players: int = 4) -> list[Page]:
    """Make the pages that one table needs.

    Parameters
    ----------
    names : iterable of str
        Kinds of sheet, as in `SHEETS`; all of them if there is none, or if ``"all"`` is among
        them.
    rules : Rules
        Whose months, limits and tables are printed.
    players : int
        2 to 6 at the table.

    Raises
    ------
    ExdecError
        There is no such sheet, or so many cannot play.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> len(pages(["tally"], STANDARD.vary(months=6), players=4))
    4
    """
    wanted = [_named(name) for name in names]
    if players not in PLAYERS:
        raise ExdecError(f"2 to 6 can play, not {shown(players)}.")
    kinds = SHEETS if not wanted or "all" in wanted else [n for n in SHEETS if n in wanted]
    return [page for kind in kinds for page in SHEETS[kind].pages(rules, players)]


def _named(name: str) -> str:
    known = [*SHEETS, "all"]
    if name in known:
        return name
    near = get_close_matches(str(name), known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
    raise ExdecError(f"There is no sheet {shown(name)}. {hint}")


def save(
    path: str | os.PathLike[str],
    names: Iterable[str] = (),
    rules: Rules = STANDARD,
    players: int = 4,
    paper: str = "a4",
) -> Printed:
    """Write sheets into one HTML file, in place of earlier sheets.

    Parameters
    ----------
    path : str or path
        The file; any browser opens and prints it, without a network.
    names, rules, players
        As for `pages`.
    paper : str
        "a4" or "letter".

    Raises
    ------
    ExdecError
        As `pages`; or there is no such paper, or the file cannot be written or holds something
        else.
    """
    if paper not in PAPERS:
        raise ExdecError(f"paper is {' or '.join(PAPERS)}, not {shown(paper)}.")
    made = pages(names, rules, players)
    file = as_path(path)
    part = file.with_name(f"{file.name}.part")
    try:
        if file.exists() and GENERATOR not in file.read_text("utf-8", "replace")[:2000]:
            raise ExdecError(f"{file} is there already and holds no sheets. Choose another name.")
        write_new(part, "wb", document(made, paper))
        part.replace(file)
    except OSError as error:
        raise failed(file, "cannot be written", error) from None
    return Printed(file, len(made))
