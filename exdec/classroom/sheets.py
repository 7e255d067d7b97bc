"""What is left of a class, as tidy tables: one row for one thing, the same names everywhere.

- ``bids``: a row for each line that was bid, in steps that stand.
- ``prices``: a row for each item and month.
- ``firms``: a row for each firm and month.
- ``standings``: a row for each firm, the most profit first.
- ``clicks``: a row for each thing that happened, those of undone steps too; never what was bid.
- ``gradebook``: a row for each pupil.

`SHEETS` says which columns each has, and `COLUMNS` what they mean; the files' README is made of
the same two. Money is in whole dollars.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from exdec import record
from exdec.classroom.desk import Desk, Pupil
from exdec.classroom.told import Seat, Told
from exdec.items import GOODS, MATERIALS, Goods, Materials
from exdec.model import BuyReport, Purchase, Report, Result, Step
from exdec.narrate import items_of

T = TypeVar("T")

Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its kind (text, number, dollars, seconds or time), and what its cells mean."""

    kind: str
    meaning: str


class Sheet(NamedTuple):
    """A table: what one row is, and its columns."""

    row: str
    columns: tuple[str, ...]


COLUMNS: dict[str, Column] = {
    "class": Column("text", "title of the class"),
    "table": Column("text", "table"),
    "treatment": Column("text", "what was different at this table on purpose; empty if nothing"),
    "month": Column("number", "month of the game, from 1"),
    "step": Column("text", "buy (orders for materials) or sell (offers of goods)"),
    "firm": Column("text", "the firm, by the names of who sits there at the end"),
    "pupils": Column("text", "who sat there then"),
    "bot": Column("text", "the strategy, if a bot bid then; empty if people did"),
    "item": Column("text", "X, F, S (X-FINE, FINE, STANDARD) or A, B, C"),
    "units": Column("number", "units in the bid"),
    "price": Column("dollars", "dollars a unit in the bid"),
    "market_price": Column("dollars", "the posted price, dollars a unit"),
    "filled": Column("number", "units that changed hands"),
    "amount": Column("dollars", "dollars that changed hands"),
    "outcome": Column("text", "why so many were filled"),
    "all_units": Column("number", "units that all firms of the table bid for"),
    "before": Column("dollars", "posted price before, dollars a unit"),
    "movement": Column("dollars", "what the Market Calculator shows for these units"),
    "bot_buying": Column("text", "the strategy, if a bot ordered the materials"),
    "bot_selling": Column("text", "the strategy, if a bot offered the goods"),
    **{f"bought_{grade}": Column("number", f"{grade.label} bought") for grade in MATERIALS},
    "paid": Column("dollars", "paid for materials"),
    **{f"sold_{good}": Column("number", f"{good.label} sold") for good in GOODS},
    "received": Column("dollars", "received for goods"),
    **{
        f"held_{grade}": Column("number", f"{grade.label} certificates at the end of the month")
        for grade in MATERIALS
    },
    "cash": Column("dollars", "cash at the end of the month, before the Broker's last purchase"),
    "broker": Column(
        "dollars", "what the Broker paid for the last certificates, when the game ends"
    ),
    "profit": Column(
        "dollars", "profit so far: cash, and what the Broker paid, less starting cash"
    ),
    "rank": Column("number", "rank in the class, bots counted; equal profits share a rank"),
    "rank_at_table": Column("number", "rank at the table, bots counted"),
    "over": Column("text", "yes if the table's game is over"),
    "steps": Column("number", "steps that are settled"),
    "bot_steps": Column("number", "steps in which a bot bid"),
    "time": Column("time", "date and time on the computer that made these files"),
    "seconds": Column("seconds", "seconds since the class was opened"),
    "what": Column("text", "what happened"),
    "pupil": Column("text", "whose click it was, or whom it was about"),
    "detail": Column("text", "more about it"),
    "name": Column("text", "the pupil"),
    "months_played": Column("number", "months with a bid handed in"),
    "handed_in": Column("number", "steps in which the pupil's place handed in; a pass counts"),
    "missed": Column("number", "steps in which nothing came from the pupil's place"),
    "out": Column("text", "yes if sent out"),
}
"""Every column of every table; a name means the same in all of them."""

_WHERE = ("class", "table", "treatment")

SHEETS: dict[str, Sheet] = {
    "bids": Sheet(
        "a line of an order or an offer, in steps that stand",
        (
            *_WHERE,
            *("month", "step", "firm", "pupils", "bot", "item", "units", "price"),
            *("market_price", "filled", "amount", "outcome"),
        ),
    ),
    "prices": Sheet(
        "an item's posted price in a month",
        (*_WHERE, "month", "step", "item", "all_units", "before", "movement", "market_price"),
    ),
    "firms": Sheet(
        "a firm's month",
        (
            *_WHERE,
            *("month", "firm", "pupils", "bot_buying", "bot_selling"),
            *("bought_X", "bought_F", "bought_S", "paid", "sold_A", "sold_B", "sold_C"),
            *("received", "held_X", "held_F", "held_S", "cash", "broker", "profit"),
        ),
    ),
    "standings": Sheet(
        "a firm, the most profit first",
        (
            *("rank", "class", "table", "treatment", "firm", "pupils", "rank_at_table"),
            *("profit", "over", "steps", "bot_steps"),
        ),
    ),
    "clicks": Sheet(
        "something that happened, the oldest first; steps that were undone are among them",
        (
            *("time", "seconds", "what", "table", "month", "step", "firm", "pupil", "bot"),
            "detail",
        ),
    ),
    "gradebook": Sheet(
        "a pupil; pupils who share a place both get what it made",
        (
            *("name", "class", "table", "treatment", "firm", "months_played", "handed_in"),
            *("missed", "bot_steps", "profit", "rank_at_table", "rank", "out"),
        ),
    ),
}
"""The tables, in the order of the workbook."""

TELLING = ("pupil", "rename", "say")
"""Clicks that would tell who is who: the order of joining, old names, what the teacher wrote."""


class Table:
    """One table of a class, played again under the names that people saw.

    Attributes
    ----------
    desk : Desk
    places : list of Place
        In the order of the game's players.
    game : Game
    seats : list of list of Seat
        Who played each step, in the same order.
    """

    def __init__(self, told: Told, desk: Desk, firms: Sequence[int]) -> None:
        names = told.place_names(desk.number)
        header, *lines = desk.record(names).splitlines(keepends=True)
        fields = json.loads(header) | {"players": [names[firm] for firm in firms]}
        text = "".join((json.dumps(fields), "\n", *lines))
        self.desk = desk
        self.places = [desk.places[firm] for firm in firms]
        _, self.game = record.parse_and_play(text.encode(), desk.name)
        by_step = (told.seats[desk.number, line] for line in desk.lines)
        self.seats = [[seats[firm] for firm in firms] for seats in by_step]

    @property
    def bot_steps(self) -> dict[str, int]:
        """Steps in which a bot bid, for each firm that had one."""
        return {
            name: count
            for at, name in enumerate(self.game.players)
            if (count := sum(seats[at].bot is not None for seats in self.seats))
        }

    def steps(self) -> Iterator[tuple[Report, list[tuple[str, Seat, Result]]]]:
        """Every settled step: its report; each firm's name, who played it, what came of it."""
        for step, seats in zip(self.game.steps, self.seats, strict=True):
            results: tuple[Result, ...] = step.report.firms
            yield step.report, list(zip(self.game.players, seats, results, strict=True))


class Sheets:
    """Everything that is exported of a class.

    Parameters
    ----------
    told : Told
        Its names are changed if there are to be pseudonyms.
    pseudonyms : bool
        Pupils become "Pupil 1", "Pupil 2", …; they, the tables and the seats stand in an order
        that follows from the class's secret, so that neither the alphabet nor the order of joining
        tells who is who.

    Attributes
    ----------
    title, day, zone : str
        The class; when it played, as an ISO date; and this computer's time zone then, as +01:00.
    tables : list of Table
    """

    def __init__(self, told: Told, pseudonyms: bool = False) -> None:
        self.told = told
        self.pseudonyms = pseudonyms
        self.title = told.settings.title
        opened = [click.at for click in told.clicks if click.kind in ("class", "start")]
        self._opened = opened[0]
        self.day = _local(opened[-1]).date().isoformat()
        zone = f"{_local(opened[-1]).astimezone():%z}"
        self.zone = f"{zone[:3]}:{zone[3:]}"
        self._order: dict[int, int] = {}
        if pseudonyms:
            self._hide_names()
        self.tables = list(self._tables())

    def _hide_names(self) -> None:
        for number, pupil in enumerate(self.told.shuffled("pupil", self.told.pupils.values()), 1):
            pupil.name = f"Pupil {number}"
            self._order[pupil.number] = number
        for desk in self.told.desks:
            for place in desk.places:
                place.pupils.sort(key=self._order.__getitem__)

    def _tables(self) -> Iterator[Table]:
        if not self.pseudonyms:
            for desk in self.told.desks:
                yield Table(self.told, desk, range(len(desk.places)))
            return
        for number, desk in enumerate(self.told.shuffled("table", self.told.desks), 1):
            firms = self.told.shuffled(f"firm at {desk.number}", range(len(desk.places)))
            desk.name = f"Table {number}"
            yield Table(self.told, desk, firms)

    def records(self) -> Iterator[tuple[str, str]]:
        """A game record for each table: the file's name, and what it holds."""
        for number, table in enumerate(self.tables, 1):
            by_name = dict(zip(table.game.players, table.places, strict=True))
            people = {name: place.pupils for name, place in by_name.items() if place.pupils}
            extra = {
                **self._where(table),
                "date": self.day,
                "bots": {n: place.bot for n, place in by_name.items() if n not in people},
                "places": {
                    name: [self.told.pupils[pupil].name for pupil in pupils]
                    for name, pupils in people.items()
                },
                "steps": len(table.seats),
            }
            if bot_steps := table.bot_steps:
                extra["bot_steps"] = bot_steps
            yield f"table-{number:02}.jsonl", record.dumps(table.game, **extra)

    def rows(self) -> dict[str, list[Row]]:
        """The rows of every sheet, by its name in `SHEETS`."""
        standings = self._standings()
        return {
            "bids": [row for table in self.tables for row in self._bids(table)],
            "prices": [row for table in self.tables for row in self._prices(table)],
            "firms": [row for table in self.tables for row in self._firms(table)],
            "standings": standings,
            "clicks": list(self._clicks()),
            "gradebook": self._gradebook(standings),
        }

    # -- games -----------------------------------------------------------------------------------

    def _where(self, table: Table) -> Row:
        desk = table.desk
        return {"class": self.title, "table": desk.name, "treatment": desk.treatment}

    def _called(self, pupils: Iterable[int]) -> str:
        """Pupils by name; pseudonyms in their own order, for that of joining tells something."""
        in_order = sorted(pupils, key=lambda pupil: self._order.get(pupil, 0))
        return " & ".join(self.told.pupils[pupil].name for pupil in in_order)

    def _bids(self, table: Table) -> Iterator[Row]:
        for report, firms in table.steps():
            for name, seat, result in firms:
                for item, line, market in zip(
                    items_of(report), result.lines, report.prices, strict=True
                ):
                    if line.units:
                        yield {
                            **self._where(table),
                            "month": report.month,
                            "step": _step(report),
                            "firm": name,
                            "pupils": self._called(seat.pupils),
                            "bot": seat.bot or "",
                            "item": item.value,
                            "units": line.units,
                            "price": line.price,
                            "market_price": market,
                            "filled": line.filled,
                            "amount": line.amount,
                            "outcome": line.outcome.value,
                        }

    def _prices(self, table: Table) -> Iterator[Row]:
        for report, _ in table.steps():
            by_item = (report.units, report.before, report.movement, report.prices)
            for item, units, before, movement, price in zip(
                items_of(report), *by_item, strict=True
            ):
                yield {
                    **self._where(table),
                    "month": report.month,
                    "step": _step(report),
                    "item": item.value,
                    "all_units": units,
                    "before": before,
                    "movement": movement,
                    "market_price": price,
                }

    def _firms(self, table: Table) -> Iterator[Row]:
        game = table.game
        start = game.rules.starting_cash.at(len(game.players))
        by_month: dict[int, list[Row]] = {}
        for report, firms in table.steps():
            rows = by_month.setdefault(
                report.month,
                [{**self._where(table), "month": report.month, "firm": one[0]} for one in firms],
            )
            for row, (_, seat, result) in zip(rows, firms, strict=True):
                if isinstance(result, Purchase):
                    row |= {"bot_buying": seat.bot or "", "paid": result.paid}
                    row |= {f"bought_{i}": line.filled for i, line in _by_item(result.lines)}
                else:
                    row |= {"bot_selling": seat.bot or "", "received": result.received}
                    row |= {f"sold_{i}": line.filled for i, line in _by_item(result.lines)}
                row |= {f"held_{i}": units for i, units in _by_item(result.materials)}
                row |= {"pupils": self._called(seat.pupils), "cash": result.cash}
                row["profit"] = result.cash - start
        if game.step is Step.OVER:
            final = game.final
            for row, broker, profit in zip(
                by_month[game.month], final.liquidation, final.profit, strict=True
            ):
                row |= {"broker": broker, "profit": profit}
        for rows in by_month.values():
            yield from rows

    # -- the class -------------------------------------------------------------------------------

    def _standings(self) -> list[Row]:
        made = [profit for table in self.tables for profit in table.game.profit.values()]
        rows = [
            {
                "rank": _rank(profit, made),
                **self._where(table),
                "firm": name,
                "pupils": self._called(table.places[at].pupils),
                "rank_at_table": _rank(profit, table.game.profit.values()),
                "profit": profit,
                "over": "yes" if table.desk.over else "",
                "steps": len(table.seats),
                "bot_steps": table.bot_steps.get(name, 0),
            }
            for table in self.tables
            for at, (name, profit) in enumerate(table.game.profit.items())
        ]
        return sorted(rows, key=lambda row: row["rank"])

    def _gradebook(self, standings: list[Row]) -> list[Row]:
        by_firm = {(row["table"], row["firm"]): row for row in standings}
        rows = {pupil.number: self._pupil(pupil) for pupil in self.told.pupils.values()}
        months: dict[int, set[tuple[str, int]]] = {pupil: set() for pupil in rows}
        for table in self.tables:
            name = table.desk.name
            for place, firm in zip(table.places, table.game.players, strict=True):
                for pupil in place.pupils:
                    mine = by_firm[name, firm]
                    shared = (*_WHERE, "firm", "profit", "rank_at_table", "rank")
                    rows[pupil] |= {column: mine[column] for column in shared}
            for report, firms in table.steps():
                for _, seat, _ in firms:
                    for pupil in seat.pupils:
                        row = rows[pupil]
                        row["handed_in"] += seat.handed_in
                        row["missed"] += seat.missed
                        row["bot_steps"] += seat.bot is not None
                        if seat.handed_in:
                            months[pupil].add((name, report.month))
        for pupil, row in rows.items():
            row["months_played"] = len(months[pupil])
        if self.pseudonyms:
            return [rows[pupil] for pupil in self._order]
        return sorted(rows.values(), key=lambda row: row["name"].casefold())

    def _pupil(self, pupil: Pupil) -> Row:
        return {
            "name": pupil.name,
            "class": self.title,
            "handed_in": 0,
            "missed": 0,
            "bot_steps": 0,
            "out": "yes" if pupil.out else "",
        }

    def _clicks(self) -> Iterator[Row]:
        order: dict[int | None, int] = {
            table.desk.number: at for at, table in enumerate(self.tables)
        }
        clicks = self.told.clicks
        if self.pseudonyms:
            # The order within a moment is the order of the seats, which is that of joining.
            clicks = [
                click._replace(at=float(int(click.at)))
                for click in clicks
                if click.kind not in TELLING
            ]
            clicks.sort(key=lambda click: (click.at, order.get(click.table, -1)))
        for click in clicks:
            firm = ""
            if click.table is not None and click.firm is not None:
                firm = self._names[click.table][click.firm]
            yield {
                "time": _local(click.at),
                "seconds": round(click.at - self._opened, 0 if self.pseudonyms else 3),
                "what": click.what,
                "table": "" if click.table is None else self.told.desks[click.table].name,
                "month": click.month,
                "step": click.step,
                "firm": firm,
                "pupil": "" if click.pupil is None else self._called([click.pupil]),
                "bot": click.bot,
                "detail": click.detail,
            }

    @cached_property
    def _names(self) -> list[list[str]]:
        return [self.told.place_names(desk.number) for desk in self.told.desks]


def _step(report: Report) -> str:
    return (Step.BUY if isinstance(report, BuyReport) else Step.SELL).value


def _by_item(values: Materials[T] | Goods[T]) -> Iterable[tuple[str, T]]:
    return values._asdict().items()


def _rank(profit: int, made: Iterable[int]) -> int:
    return 1 + sum(other > profit for other in made)


def _local(at: float) -> datetime:
    """A moment as this computer's clock shows it, to the second."""
    return datetime.fromtimestamp(int(at))
