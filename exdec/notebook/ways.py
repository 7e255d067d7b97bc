"""The ways to play, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from exdec.errors import TurnError
from exdec.game import Game
from exdec.notebook.view import TableView
from exdec.rules import STANDARD, Rules
from exdec.table import Table

RIVALS = ("Ben", "Cy", "Dee", "Eve", "Flo")


def solo(
    rivals: Sequence[str] = ("cautious", "full capacity"),
    months: int = 12,
    *,
    seed: int = 1,
    record: str | Path | None = None,
    rules: Rules = STANDARD,
) -> TableView:
    """Play alone against computer rivals.

    Parameters
    ----------
    rivals : sequence of str
        The strategy of each rival, one to five of them; see `exdec.bots.BOTS`.
    months : int
        How long the game is.
    seed : int
        Where the rivals' luck comes from.
    record : path, optional
        Where every step is kept. If the file is there, its game goes on where it stopped.
    rules : Rules

    Returns
    -------
    TableView
        Make it the last line of a cell to see it.

    Raises
    ------
    TurnError
        There is no such rival, too many of them, or the record holds another game.
    RulesError
        The months are out of range.
    RecordError
        The record cannot be read; the message names the line.

    Examples
    --------
    >>> table = solo(["cautious"], months=3)
    >>> table.game
    <Game of You, Ben: January, orders; handed in: nobody; waiting for: You, Ben>
    """
    rules = rules.vary(months=months)
    if not 1 <= len(rivals) <= len(RIVALS):
        raise TurnError(f"You play against 1 to {len(RIVALS)} rivals, not {len(rivals)}.")
    seats = dict(zip(RIVALS, rivals, strict=False))
    players = ["You", *seats]
    path = None if record is None else Path(record)
    if path is not None and path.exists():
        table = Table.resume(path)
        here = (table.game.players, table.game.rules, table.rivals, table.seed)
        if here != (tuple(players), rules, seats, seed):
            raise TurnError(
                f"{path} holds a game with other rivals, months, rules or seed. "
                "Give this one another record, or ask for the same as before."
            )
        return TableView(table, "You")
    table = Table(Game(players, rules), seats, seed)
    if path is None:
        return TableView(table, "You")
    return TableView(table, "You", partial(_begin, path, players, rules, seats, seed))


def _begin(
    path: Path, players: list[str], rules: Rules, rivals: dict[str, str], seed: int
) -> Table:
    path.parent.mkdir(parents=True, exist_ok=True)
    return Table.create(path, players, rules, rivals, seed)
