"""The ways to play, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exdec.bots import strategy_named
from exdec.errors import TurnError, shown
from exdec.game import Game
from exdec.narrate import counted
from exdec.notebook.again import beside
from exdec.notebook.hot_seat import HotSeat
from exdec.notebook.replay import Replay, named_rivals
from exdec.notebook.stage import Stage
from exdec.notebook.view import TableView
from exdec.notebook.watch import Exhibition
from exdec.record import Record, read
from exdec.rules import PLAYERS, STANDARD, Rules
from exdec.table import Table

RIVALS = ("Ben", "Cy", "Dee", "Eve", "Flo", "Gus")
"""What rivals are called, unless a person is called so."""


def solo(
    rivals: Sequence[str] = ("cautious", "full capacity"),
    months: int = 12,
    *,
    seed: int = 1,
    record: str | Path | None = None,
    rules: Rules = STANDARD,
    large: bool = False,
) -> TableView:
    """Play alone against computer rivals.

    Parameters
    ----------
    rivals : sequence of str, or str
        The strategy of each rival, one to five of them: a name in `exdec.bots.BOTS`, or "easy",
        "medium" or "hard". A single name is one rival.
    months : int
        How long the game is.
    seed : int
        Where the rivals' luck comes from.
    record : path, optional
        Where every step is kept. If the file is there, its game goes on where it stopped; if it is
        not, it is made with the first order.
    rules : Rules
    large : bool
        Larger type, for a projector.

    Returns
    -------
    TableView
        Make it the last line of a cell to see it.

    Raises
    ------
    TurnError
        There is no such rival (the message gives the nearest name), too many of them, or the
        record holds another game.
    RulesError
        The months are out of range.
    RecordError
        The record cannot be read; the message names the line.

    Examples
    --------
    >>> table = solo("easy", months=3)
    >>> table.game
    <Game of You, Ben: January, orders; handed in: nobody; waiting for: You, Ben>
    >>> table.table.rivals
    {'Ben': 'cautious'}
    """
    table = sit_down(["You"], rivals, rules.vary(months=months), seed, record)
    return TableView(table, "You", Stage(large=large))


def hot_seat(
    players: Sequence[str],
    rivals: Sequence[str] = (),
    months: int = 12,
    *,
    seed: int = 1,
    record: str | Path | None = None,
    rules: Rules = STANDARD,
    large: bool = False,
) -> HotSeat:
    """Play on one machine that is passed round, with a curtain between the players.

    The record file, such as one in ``games/``, holds every settled bid and so everyone's cash:
    whoever opens that file sees them.

    Parameters
    ----------
    players : sequence of str
        The names of the people, in the order in which they sit.
    rivals : sequence of str
        The strategies or levels of computer rivals who play too, as in `solo`; 2 to 6 play in all.
    months, seed, record, rules, large
        As in `solo`.

    Returns
    -------
    HotSeat
        Make it the last line of a cell to see it.

    Raises
    ------
    TurnError, RulesError, RecordError
        As `solo`, and for names that will not do.

    Examples
    --------
    >>> hot_seat(["Ann", "Ben", "Cy"], months=3).player
    'Ann'
    """
    if isinstance(players, str):
        raise TurnError(
            f"{shown(players)} is no list of names. Write one, with each name in quotes: "
            'hot_seat(["Ann", "Ben"]).'
        )
    table = sit_down(players, rivals, rules.vary(months=months), seed, record)
    return HotSeat(table, Stage(large=large))


def watch(
    rivals: Sequence[str] = ("cautious", "full capacity", "random"),
    months: int = 12,
    *,
    seed: int = 1,
    record: str | Path | None = None,
    rules: Rules = STANDARD,
    large: bool = False,
) -> Exhibition:
    """Watch computer rivals play by themselves, with every bid open.

    Parameters
    ----------
    rivals : sequence of str
        The strategy or level of each firm, as in `solo`; two to six of them.
    months, seed, record, rules, large
        As in `solo`.

    Returns
    -------
    Exhibition
        Make it the last line of a cell to see it.

    Raises
    ------
    TurnError, RulesError, RecordError
        As `solo`.

    Examples
    --------
    >>> watch(["cautious", "random"]).table.rivals
    {'Ben': 'cautious', 'Cy': 'random'}
    """
    table = sit_down([], rivals, rules.vary(months=months), seed, record)
    return Exhibition(table, Stage(large=large))


def replay(game: str | Path | Record | Game, *, large: bool = False) -> Replay:
    """Look at a recorded game step by step, with every bid open.

    Parameters
    ----------
    game : path, Record or Game
        Finished or not.
    large : bool
        Larger type, for a projector.

    Returns
    -------
    Replay
        Make it the last line of a cell to see it.

    Raises
    ------
    RecordError
        The record cannot be read; the message names the line.

    Examples
    --------
    >>> game = Game(["Ann", "Ben"])
    >>> report = game.open_bids()
    >>> replay(game).at
    0
    """
    stage = Stage(large=large)
    if isinstance(game, Game):
        return Replay(game, stage=stage)
    record = game if isinstance(game, Record) else read(game)
    title = str(record.extra.get("title", ""))
    return Replay(record.game(), named_rivals(record.extra), title, record.lost, stage=stage)


def resume(record: str | Path, *, large: bool = False) -> TableView | HotSeat | Exhibition:
    """Go on with a recorded game in the way it was played.

    One person plays on alone, several pass the machine round, and without people the rivals play
    on by themselves.

    Parameters
    ----------
    record : path
    large : bool
        Larger type, for a projector.

    Returns
    -------
    TableView, HotSeat or Exhibition
        Make it the last line of a cell to see it.

    Raises
    ------
    RecordError
        The record cannot be read; the message names the line.
    """
    table = Table.resume(Path(record))
    stage = Stage(large=large)
    if len(table.people) == 1:
        return TableView(table, table.people[0], stage)
    return HotSeat(table, stage) if table.people else Exhibition(table, stage)


def sit_down(
    people: Sequence[str],
    strategies: Sequence[str],
    rules: Rules,
    seed: int,
    record: str | Path | None,
) -> Table:
    """Begin a game, or go on with it if its record is there.

    Raises
    ------
    TurnError
        Names or strategies that will not do, or the record holds another game.
    RecordError
        The record cannot be read.
    """
    rivals = name_rivals(people, strategies)
    players = [*people, *rivals]
    if record is None:
        return Table(Game(players, rules), rivals, seed)
    path = Path(record)
    if not path.exists():
        return Table.create(path, players, rules, rivals, seed)
    table = Table.resume(path)
    here = (table.game.players, table.game.rules, table.rivals, table.seed)
    if here != (tuple(players), rules, rivals, seed):
        another = beside(path).as_posix()
        raise TurnError(
            f"{path.as_posix()} holds a game of {', '.join(table.game.players)}, with other "
            "players, rivals, months, rules or seed than this one. To go on with it, ask for the "
            "same as before. To play this one in its place, delete that file in the file list, and "
            f'run the cell again. To keep both, write record="{another}" for this one.'
        )
    return table


def name_rivals(people: Sequence[str], strategies: Sequence[str]) -> dict[str, str]:
    """Give each strategy a name that nobody at the table has.

    Parameters
    ----------
    people : sequence of str
    strategies : sequence of str, or str
        Strategies or levels; a single one is one rival.

    Returns
    -------
    dict of player to strategy

    Raises
    ------
    TurnError
        Fewer or more would play than can, two names are alike but for capital letters, or there is
        no such strategy.

    Examples
    --------
    >>> name_rivals(["Ben"], ["easy", "random"])
    {'Cy': 'cautious', 'Dee': 'random'}
    """
    if isinstance(strategies, str):
        strategies = [strategies]
    many = len(people) + len(strategies)
    if many not in PLAYERS:
        in_person = f"{len(people)} {'person' if len(people) == 1 else 'people'}"
        raise TurnError(
            f"{PLAYERS[0]} to {PLAYERS[-1]} can play, not {many}: {in_person} and "
            f"{counted(len(strategies), 'rival')}."
        )
    called: dict[str, str] = {}
    for name in people:
        alike = called.setdefault(name.casefold(), name)
        if alike != name:
            raise TurnError(f"{alike} and {name} sound alike. Give one of them another name.")
    names = (name for name in RIVALS if name.casefold() not in called)
    return dict(zip(names, map(strategy_named, strategies), strict=False))
