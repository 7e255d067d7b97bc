"""What is left of a class, as tidy tables: one row for one thing, the same names everywhere.

- ``tables``: a row for each table, with its rules.
- ``standings``: a row for each firm, the most profit first.
- ``bids``: a row for each line that was bid, in steps that stand.
- ``steps``: a row for each firm and step that stands: how its bids came, and when.
- ``prices``: a row for each item and month.
- ``firms``: a row for each firm and month.
- ``clicks``: a row for each thing that happened, those of undone steps too; never what was bid.
- ``gradebook``: a row for each pupil.
- ``codebook``: a row for each column of each of them.

What columns each has, and what they mean, is in `exdec.classroom.codebook`.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from exdec import record
from exdec.classroom.codebook import WHERE, YES_OR_NO, Row, codebook
from exdec.classroom.desk import Desk, Pupil, Settled
from exdec.classroom.told import Click, Seat, Settling, Told
from exdec.items import Goods, Materials
from exdec.model import BuyReport, Purchase, Report, Result, Step
from exdec.narrate import items_of
from exdec.rules import ByPlayers, Rules

T = TypeVar("T")

TELLING = ("pupil", "rename", "say")
"""Clicks that would tell who is who: the order of joining, old names, what the teacher wrote."""


class Table:
    """One table of a class, played again under the names that people saw.

    Attributes
    ----------
    desk : Desk
    places : list of Place
        In the order of the game's players.
    firms : list of int
        Which of the desk's places these are.
    game : Game
    settled : list of Settling
        How each step that stands was settled.
    seats : list of list of Seat
        Who played each step, in the order of the game's players.
    """

    def __init__(self, told: Told, desk: Desk, firms: Sequence[int]) -> None:
        names = told.place_names(desk.number)
        header, *lines = desk.record(names).splitlines(keepends=True)
        fields = json.loads(header) | {"players": [names[firm] for firm in firms]}
        text = "".join((json.dumps(fields), "\n", *lines))
        self.desk = desk
        self.firms = list(firms)
        self.places = [desk.places[firm] for firm in firms]
        _, self.game = record.parse_and_play(text.encode(), desk.name)
        self.settled = told.settled[desk.number]
        self.seats = [[settling.seats[firm] for firm in firms] for settling in self.settled]

    @property
    def bot_steps(self) -> dict[str, int]:
        """Steps in which a bot bid, for each firm that had one."""
        return {
            name: count
            for at, name in enumerate(self.game.players)
            if (count := sum(seats[at].bot is not None for seats in self.seats))
        }

    def steps(self) -> Iterator[tuple[Report, Settling, list[tuple[Row, Seat, Result]]]]:
        """Every settled step: its report and how it came; firms, who played, what came of it."""
        firms = [{"seat": at, "firm": name} for at, name in enumerate(self.game.players, 1)]
        for step, settling, seats in zip(self.game.steps, self.settled, self.seats, strict=True):
            results: tuple[Result, ...] = step.report.firms
            yield step.report, settling, list(zip(firms, seats, results, strict=True))


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
    title, class_id, day, zone : str
        The class, and a key that no other has; when it played, as an ISO date; and this computer's
        time zone then, as +01:00.
    tables : list of Table
    """

    def __init__(self, told: Told, pseudonyms: bool = False) -> None:
        self.told = told
        self.pseudonyms = pseudonyms
        self.title = told.settings.title
        opened = [click.at for click in told.clicks if click.kind in ("class", "start")]
        self._opened = opened[0]
        self.day = _local(opened[-1]).date().isoformat()
        # One way: nobody gets the secret, or anything that it opens, from this. The letter keeps a
        # spreadsheet from reading 12e45678 as a number.
        key = hmac.new(self.told.secret.encode(), b"class", "sha256").hexdigest()
        self.class_id = f"c{key[:8]}"
        zone = f"{_local(opened[-1]).astimezone():%z}"
        self.zone = f"{zone[:3]}:{zone[3:]}"
        pupils = told.shuffled("pupil", told.pupils)
        self._pupil_numbers = {pupil: number for number, pupil in enumerate(pupils, 1)}
        self._desks = told.shuffled("table", told.desks)
        self._table_numbers = {desk.number: at for at, desk in enumerate(self._desks, 1)}
        if pseudonyms:
            self._hide_names()
        self.tables = list(self._tables())

    def _pupil_as(self, pupil: int) -> str:
        return f"Pupil {self._pupil_numbers[pupil]}"

    def _table_as(self, desk: Desk) -> str:
        return f"Table {self._table_numbers[desk.number]}"

    def _hide_names(self) -> None:
        for pupil in self.told.pupils.values():
            pupil.name = self._pupil_as(pupil.number)
        for desk in self.told.desks:
            desk.name = self._table_as(desk)
            for place in desk.places:
                place.pupils.sort(key=self._pupil_numbers.__getitem__)

    def _tables(self) -> Iterator[Table]:
        for desk in self._desks if self.pseudonyms else self.told.desks:
            firms: Sequence[int] = range(len(desk.places))
            if self.pseudonyms:
                firms = self.told.shuffled(f"firm at {desk.number}", firms)
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
                "pseudonyms": {
                    "table": self._table_as(table.desk),
                    "pupils": {
                        self.told.pupils[pupil].name: self._pupil_as(pupil)
                        for pupils in people.values()
                        for pupil in pupils
                    },
                },
            }
            if bot_steps := table.bot_steps:
                extra["bot_steps"] = bot_steps
            yield f"table-{number:02}.jsonl", record.dumps(table.game, **extra)

    def rows(self) -> dict[str, list[Row]]:
        """The rows of every sheet, by its name in `exdec.classroom.codebook.SHEETS`."""
        standings = self._standings()
        return {
            "tables": [self._table(table) for table in self.tables],
            "standings": standings,
            "bids": [row for table in self.tables for row in self._bids(table)],
            "steps": [row for table in self.tables for row in self._steps(table)],
            "prices": [row for table in self.tables for row in self._prices(table)],
            "firms": [row for table in self.tables for row in self._firms(table)],
            "clicks": list(self._clicks()),
            "gradebook": self._gradebook(standings),
            "codebook": list(codebook()),
        }

    # -- games -----------------------------------------------------------------------------------

    @property
    def _class(self) -> Row:
        return {"class_id": self.class_id, "class": self.title}

    def _where(self, table: Table) -> Row:
        return self._class | _at(table.desk)

    def _called(self, pupils: Iterable[int]) -> str:
        """Pupils by name; pseudonyms in their own order, for that of joining tells something."""
        if self.pseudonyms:
            pupils = sorted(pupils, key=self._pupil_numbers.__getitem__)
        return " & ".join(self.told.pupils[pupil].name for pupil in pupils)

    def _since(self, at: float | None) -> float | None:
        """Seconds since the class was opened; whole ones beside pseudonyms."""
        if at is None:
            return None
        return (
            float(int(at) - int(self._opened)) if self.pseudonyms else round(at - self._opened, 3)
        )

    def _table(self, table: Table) -> Row:
        desk = table.desk
        firms = len(table.places)
        people = sum(bool(place.pupils) for place in table.places)
        rules = desk.rules.plain()
        return {
            **self._where(table),
            "firms": firms,
            "people": people,
            "bots": firms - people,
            "drawn": _yes_or_no(self.told.settings.draw),
            "months_settled": len(desk.lines) // 2,
            "ended_early": _yes_or_no(desk.months < desk.rules.months),
            "over": "yes" if desk.over else "",
            **{rule.name: _of(rule.default, rules[rule.name], firms) for rule in Rules.fields()},
        }

    def _steps(self, table: Table) -> Iterator[Row]:
        for report, settling, firms in table.steps():
            for firm, seat, _ in firms:
                yield {
                    **self._where(table),
                    **firm,
                    "month": report.month,
                    "step": _step(report),
                    "pupils": self._called(seat.pupils),
                    "how": seat.how.value,
                    "bot": seat.bot or "",
                    "by": seat.way,
                    "opened_at": self._since(settling.trying.opened),
                    "handed_in_at": self._since(seat.at),
                    "settled_at": self._since(settling.at),
                    "settled_by": settling.why,
                }

    def _bids(self, table: Table) -> Iterator[Row]:
        for report, _, firms in table.steps():
            for firm, seat, result in firms:
                for item, line, market in zip(
                    items_of(report), result.lines, report.prices, strict=True
                ):
                    if line.units:
                        yield {
                            **self._where(table),
                            "month": report.month,
                            "step": _step(report),
                            **firm,
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
        for report, _, _ in table.steps():
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
        for report, _, firms in table.steps():
            rows = by_month.setdefault(
                report.month,
                [{**self._where(table), "month": report.month, **one[0]} for one in firms],
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
                "seat": at + 1,
                "firm": name,
                "pupils_at_end": self._called(table.places[at].pupils),
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
                    shared = (*WHERE, "seat", "firm", "profit", "rank_at_table", "rank")
                    rows[pupil] |= {column: mine[column] for column in shared}
            for report, settling, firms in table.steps():
                for _, seat, _ in firms:
                    for pupil in seat.pupils:
                        row = rows[pupil]
                        row["handed_in"] += seat.handed_in
                        # Whom the end of the game overtook has missed nothing.
                        row["missed"] += seat.missed and settling.why != Settled.END
                        row["bot_steps"] += seat.bot is not None
                        if seat.handed_in:
                            months[pupil].add((name, report.month))
        for pupil, row in rows.items():
            row["months_played"] = len(months[pupil])
        if self.pseudonyms:
            return [rows[pupil] for pupil in self._pupil_numbers]
        return sorted(rows.values(), key=lambda row: row["name"].casefold())

    def _pupil(self, pupil: Pupil) -> Row:
        return {
            "name": pupil.name,
            **self._class,
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
            yield {
                "time": _local(click.at),
                "seconds": self._since(click.at),
                "what": click.what,
                **self._class,
                **self._place(click),
                "month": click.month,
                "step": click.step,
                "stands": _yes_or_no(self.told.stands(click)),
                "pupil": "" if click.pupil is None else self._called([click.pupil]),
                "new_bot": click.bot,
                "detail": click.detail,
            }

    def _place(self, click: Click) -> Row:
        """The table and the firm that a click was about, as far as it was about any."""
        if click.table is None:
            return {}
        table = self._by_desk[click.table]
        if click.firm is None:
            return _at(table.desk)
        seat = table.firms.index(click.firm)
        return {**_at(table.desk), "seat": seat + 1, "firm": table.game.players[seat]}

    @cached_property
    def _by_desk(self) -> dict[int, Table]:
        return {table.desk.number: table for table in self.tables}


def _at(desk: Desk) -> Row:
    return {"table": desk.name, "treatment": desk.treatment}


def _yes_or_no(whether: bool | None) -> str:
    return "" if whether is None else YES_OR_NO[not whether]


def _of(default: Any, value: Any, firms: int) -> Any:
    """A rule as a cell of a table with so many firms; see `exdec.classroom.codebook.RULES`."""
    if isinstance(default, bool):
        return _yes_or_no(value)
    if isinstance(default, ByPlayers):
        return value[str(firms)]
    return json.dumps(value) if isinstance(value, dict | list) else value


def _step(report: Report) -> str:
    return (Step.BUY if isinstance(report, BuyReport) else Step.SELL).value


def _by_item(values: Materials[T] | Goods[T]) -> Iterable[tuple[str, T]]:
    return values._asdict().items()


def _rank(profit: int, made: Iterable[int]) -> int:
    return 1 + sum(other > profit for other in made)


def _local(at: float) -> datetime:
    """A moment as this computer's clock shows it, to the second."""
    return datetime.fromtimestamp(int(at))
