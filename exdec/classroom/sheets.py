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

`SHEETS` says which columns each has, and `COLUMNS` what they mean; the codebook and the files'
README are made of the same two. Money is in whole dollars.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from exdec import record
from exdec.bots import FILES as STRATEGIES
from exdec.classroom.desk import Desk, Pupil, Settled
from exdec.classroom.told import MISSED, WORDS, Click, How, Seat, Told, Try, Way
from exdec.items import GOODS, MATERIALS, Goods, Materials
from exdec.model import BuyReport, Outcome, Purchase, Report, Result, Step
from exdec.narrate import items_of
from exdec.rules import ByPlayers, RuleField, Rules

T = TypeVar("T")

Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its kind (text, number, dollars, seconds or time), and what its cells mean.

    A text that is one of a few has all of them as its values; a cell may be empty besides.
    """

    kind: str
    meaning: str
    values: tuple[str, ...] = ()


class Sheet(NamedTuple):
    """A table: what one row is, and its columns."""

    row: str
    columns: tuple[str, ...]


YES = ("yes",)
YES_OR_NO = ("yes", "no")


def _of_rule(rule: RuleField) -> Column:
    """The column of a rule: whole numbers and words as they are, and tables as JSON."""
    if isinstance(rule.default, bool):
        return Column("text", rule.help, YES_OR_NO)
    if isinstance(rule.default, ByPlayers):
        return Column("number", f"{rule.help} Here that of a table with so many firms.")
    if isinstance(rule.default, int):
        return Column("number", rule.help)
    if isinstance(rule.default, str):
        return Column("text", rule.help, rule.choices or ())
    return Column("text", f"{rule.help} As JSON.")


RULES = {rule.name: _of_rule(rule) for rule in Rules.fields()}
"""The rules of a table; those that are for each number of players are for its own."""

COLUMNS: dict[str, Column] = {
    "class_id": Column(
        "text",
        "key of the class, in case several are put together; the same with and without pseudonyms",
    ),
    "class": Column("text", "title of the class"),
    "table": Column("text", "table"),
    "treatment": Column("text", "what was different at this table on purpose; empty if nothing"),
    "month": Column("number", "month of the game, from 1"),
    "step": Column(
        "text",
        "buy (orders for materials), sell (offers of goods), or over: the table has no step left",
        tuple(step.value for step in Step),
    ),
    "seat": Column(
        "number", "number of the firm at its table, from 1; with class_id and table a key"
    ),
    "firm": Column("text", "the firm, by the names of who sits there at the end"),
    "pupils": Column("text", "who sat there when the step was settled"),
    "pupils_at_end": Column("text", "who sits there at the end"),
    "bot": Column(
        "text", "the strategy, if a bot bid then; empty if none did", tuple(STRATEGIES)
    ),
    "item": Column(
        "text",
        "X, F, S (X-FINE, FINE, STANDARD) or A, B, C",
        (*(one.value for one in MATERIALS), *(one.value for one in GOODS)),
    ),
    "units": Column("number", "units in the bid"),
    "price": Column("dollars", "dollars a unit in the bid"),
    "market_price": Column("dollars", "the posted price, dollars a unit"),
    "filled": Column("number", "units that changed hands"),
    "amount": Column("dollars", "dollars that changed hands"),
    "outcome": Column(
        "text",
        "why so many were filled",
        tuple(one.value for one in Outcome if one is not Outcome.NO_BID),
    ),
    "all_units": Column("number", "units that all firms of the table bid for"),
    "before": Column("dollars", "posted price before, dollars a unit"),
    "movement": Column("dollars", "what the Market Calculator shows for these units"),
    "bot_buying": Column("text", "the strategy, if a bot ordered the materials", tuple(STRATEGIES)),
    "bot_selling": Column("text", "the strategy, if a bot offered the goods", tuple(STRATEGIES)),
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
    "over": Column("text", "yes if the table's game is over", YES),
    "firms": Column("number", "firms at the table"),
    "people": Column("number", "firms at which pupils sit at the end"),
    "bots": Column("number", "firms at which none sits, so that bots play there"),
    "drawn": Column("text", "whether seats were drawn by lot", YES_OR_NO),
    "months_settled": Column("number", "months of which orders and offers are both settled"),
    "ended_early": Column("text", "whether the teacher ended the game early", YES_OR_NO),
    **RULES,
    "how": Column(
        "text",
        "how the firm's bids came: handed in by people, a pass by people, nothing from people, or "
        "a bot's",
        tuple(How),
    ),
    "by": Column(
        "text",
        "what people handed in with: their own phone, or paper that the teacher keyed in",
        tuple(Way),
    ),
    "opened_at": Column("seconds", "when the step was opened, seconds since the class was opened"),
    "handed_in_at": Column(
        "seconds",
        "when people handed in what counted, seconds since the class was opened; pauses are in "
        "clicks",
    ),
    "settled_at": Column(
        "seconds", "when the step was settled, seconds since the class was opened"
    ),
    "settled_by": Column(
        "text",
        "what settled the step: the last bid that was waited for, the clock, the teacher, or that "
        "a bot got the last place that was waited for",
        tuple(Settled),
    ),
    "steps": Column("number", "steps that are settled"),
    "bot_steps": Column("number", "steps in which a bot bid"),
    "time": Column("time", "date and time on the computer that made these files"),
    "seconds": Column("seconds", "seconds since the class was opened"),
    "what": Column("text", "what happened", (*WORDS.values(), MISSED)),
    "pupil": Column("text", "whose click it was, or whom it was about"),
    "new_bot": Column("text", "the strategy that plays there from then on", tuple(STRATEGIES)),
    "stands": Column(
        "text",
        "whether the step stands at the end as it was played then; empty if there was no step, or "
        "it is open still",
        YES_OR_NO,
    ),
    "detail": Column(
        "text", "more about it; of a settled step what settled it, of a bot why it plays"
    ),
    "name": Column("text", "the pupil"),
    "months_played": Column("number", "months with a bid handed in"),
    "handed_in": Column("number", "steps in which the pupil's place handed in; a pass counts"),
    "missed": Column("number", "steps in which nothing came from the pupil's place"),
    "out": Column("text", "yes if sent out", YES),
    "sheet": Column("text", "the table"),
    "column": Column("text", "a column of it"),
    "kind": Column(
        "text",
        "what its cells are; dollars are whole",
        ("text", "number", "dollars", "seconds", "time"),
    ),
    "meaning": Column("text", "what they mean"),
    "values": Column("text", "every text that can stand there, as JSON; empty if it can be any"),
}
"""Every column of every table; a name means the same in all of them."""

_WHERE = ("class_id", "class", "table", "treatment")

SHEETS: dict[str, Sheet] = {
    "tables": Sheet(
        "a table, with its rules",
        (
            *(*_WHERE, "firms", "people", "bots", "drawn", "months_settled", "ended_early"),
            *("over", *RULES),
        ),
    ),
    "standings": Sheet(
        "a firm, the most profit first",
        (
            *("rank", *_WHERE, "seat", "firm", "pupils_at_end", "rank_at_table", "profit"),
            *("over", "steps", "bot_steps"),
        ),
    ),
    "bids": Sheet(
        "a line of an order or an offer, in steps that stand",
        (
            *(*_WHERE, "month", "step", "seat", "firm", "pupils", "bot", "item", "units", "price"),
            *("market_price", "filled", "amount", "outcome"),
        ),
    ),
    "steps": Sheet(
        "a firm's part in a settled step that stands, also if it bid nothing",
        (
            *(*_WHERE, "month", "step", "seat", "firm", "pupils", "how", "bot", "by"),
            *("opened_at", "handed_in_at", "settled_at", "settled_by"),
        ),
    ),
    "prices": Sheet(
        "an item's posted price in a month",
        (*_WHERE, "month", "step", "item", "all_units", "before", "movement", "market_price"),
    ),
    "firms": Sheet(
        "a firm's month",
        (
            *(*_WHERE, "month", "seat", "firm", "pupils", "bot_buying", "bot_selling"),
            *("bought_X", "bought_F", "bought_S", "paid", "sold_A", "sold_B", "sold_C"),
            *("received", "held_X", "held_F", "held_S", "cash", "broker", "profit"),
        ),
    ),
    "clicks": Sheet(
        "something that happened, the oldest first; steps that were undone are among them",
        (
            *("time", "seconds", "what", *_WHERE, "month", "step", "stands", "seat", "firm"),
            *("pupil", "new_bot", "detail"),
        ),
    ),
    "gradebook": Sheet(
        "a pupil; pupils who share a place both get what it made",
        (
            *("name", *_WHERE, "seat", "firm", "months_played", "handed_in"),
            *("missed", "bot_steps", "profit", "rank_at_table", "rank", "out"),
        ),
    ),
    "codebook": Sheet(
        "a column of one of these tables",
        ("sheet", "column", "kind", "meaning", "values"),
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
    firms : list of int
        Which of the desk's places these are.
    game : Game
    tries : list of Try
        How each step that stands was played.
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
        self.tries = [told.tries[desk.number, line] for line in desk.lines]
        self.seats = [[trying.seats[firm] for firm in firms] for trying in self.tries]

    @property
    def bot_steps(self) -> dict[str, int]:
        """Steps in which a bot bid, for each firm that had one."""
        return {
            name: count
            for at, name in enumerate(self.game.players)
            if (count := sum(seats[at].bot is not None for seats in self.seats))
        }

    def steps(self) -> Iterator[tuple[Report, Try, list[tuple[Row, Seat, Result]]]]:
        """Every settled step: its report and how it was played; firms, who played, what came."""
        firms = [{"seat": at, "firm": name} for at, name in enumerate(self.game.players, 1)]
        for step, trying, seats in zip(self.game.steps, self.tries, self.seats, strict=True):
            results: tuple[Result, ...] = step.report.firms
            yield step.report, trying, list(zip(firms, seats, results, strict=True))


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
        """The rows of every sheet, by its name in `SHEETS`."""
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
            "codebook": list(_codebook()),
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
            "ended_early": _yes_or_no(desk.ended is not None),
            "over": "yes" if desk.over else "",
            **{rule.name: _of(rule.default, rules[rule.name], firms) for rule in Rules.fields()},
        }

    def _steps(self, table: Table) -> Iterator[Row]:
        for report, trying, firms in table.steps():
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
                    "opened_at": self._since(trying.opened),
                    "handed_in_at": self._since(seat.at),
                    "settled_at": self._since(trying.settled),
                    "settled_by": trying.why,
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
                    shared = (*_WHERE, "seat", "firm", "profit", "rank_at_table", "rank")
                    rows[pupil] |= {column: mine[column] for column in shared}
            for report, _, firms in table.steps():
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


def _codebook() -> Iterator[Row]:
    for name, sheet in SHEETS.items():
        for column in sheet.columns:
            about = COLUMNS[column]
            values = json.dumps(about.values, ensure_ascii=False) if about.values else ""
            yield {
                "sheet": name,
                "column": column,
                "kind": about.kind,
                "meaning": about.meaning,
                "values": values,
            }


def _at(desk: Desk) -> Row:
    return {"table": desk.name, "treatment": desk.treatment}


def _yes_or_no(whether: bool | None) -> str:
    return "" if whether is None else YES_OR_NO[not whether]


def _of(default: Any, value: Any, firms: int) -> Any:
    """A rule as a cell of a table with so many firms; see `RULES`."""
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
