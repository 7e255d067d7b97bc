"""A class that has played: the records of its tables, read together, and what they add up to.

Everything here is for the time after the game, so every bid lies open.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from exdec.analysis import GoodsSold, Split, goods_sold, split_profit
from exdec.charts import price_lines
from exdec.engine import LONGEST_NAME, UNWRITABLE
from exdec.errors import RecordError
from exdec.game import Game
from exdec.items import GOODS, Good, Item
from exdec.model import Outcome, Report, Result, Step, month_name
from exdec.narrate import items_of
from exdec.record import Record, as_path, failed, read
from exdec.rules import Calculator

MISSED = (Outcome.BELOW_MARKET, Outcome.ABOVE_MARKET, Outcome.PARTLY_FILLED)
VOID = (Outcome.SHORT_OF_CASH, Outcome.CANNOT_DELIVER)


class Pseudonyms(NamedTuple):
    """What an export of the class calls a table and its firms when it replaces names.

    Parameters
    ----------
    table : str
    firms : mapping of player to str
        People's firms; bots keep their names.
    """

    table: str
    firms: Mapping[str, str]


class OpenBid(NamedTuple):
    """One line of an order or an offer, beside the price that posted.

    Parameters
    ----------
    table, player : str
    month : int
        From 1.
    item : Material or Good
    units, price : int
        What was bid: units, and dollars a unit.
    market : int
        The posted price, in dollars a unit.
    filled : int
        Units that changed hands.
    outcome : Outcome
    """

    table: str
    player: str
    month: int
    item: Item
    units: int
    price: int
    market: int
    filled: int
    outcome: Outcome

    @property
    def buying(self) -> bool:
        """Whether it is a bid for materials."""
        return not isinstance(self.item, Good)

    @property
    def gap(self) -> int:
        """Dollars a unit above the market; below it as a minus."""
        return self.price - self.market

    @property
    def beyond(self) -> int:
        """Dollars that it paid above the market, or sold below it: all filled units together."""
        return self.filled * max(self.gap if self.buying else -self.gap, 0)

    @property
    def lost(self) -> int:
        """Units that its price lost: bid too low, or asked too much."""
        return self.units - self.filled if self.outcome in MISSED else 0


@dataclass(frozen=True)
class PlayedTable:
    """One table's game, finished or not.

    Parameters
    ----------
    name : str
    game : Game
    treatment : str
        What was different at this table on purpose; "" if nothing was.
    bots : mapping of player to strategy
        Which firms played by themselves.
    lost : str
        What a torn last line of the record cost, as a sentence.
    bot_steps : mapping of player to int
        Settled steps in which a bot bid for a firm that people have; firms without are not there.
    people_steps : mapping of player to int
        Settled steps in which people bid for a firm that is a bot's at the end, likewise.
    pseudonyms : Pseudonyms, optional
        What stands in place of its names; None if the record does not say.
    """

    name: str
    game: Game
    treatment: str
    bots: Mapping[str, str]
    lost: str
    bot_steps: Mapping[str, int] = field(default_factory=dict)
    people_steps: Mapping[str, int] = field(default_factory=dict)
    pseudonyms: Pseudonyms | None = None

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return self.game.step is Step.OVER

    def is_person(self, player: str) -> bool:
        """Whether people played a firm: it is no bot's, and most of its steps were theirs."""
        return player not in self.bots and not self._half(self.bot_steps.get(player, 0))

    def is_bot(self, player: str) -> bool:
        """Whether a bot played a firm: it is a bot's, and most of its steps were the bot's."""
        return player in self.bots and not self._half(self.people_steps.get(player, 0))

    def _half(self, steps: int) -> bool:
        """Whether so many steps are half of the game or more."""
        return 0 < len(self.game.steps) <= 2 * steps

    def mark(self, player: str) -> str:
        """What tables and charts write behind a firm's name; "" if only people played it."""
        of = f"of {len(self.game.steps)}"
        if player in self.bots:
            steps = self.people_steps.get(player)
            return f", bot; people played {steps} {of}" if steps else ", bot"
        steps = self.bot_steps.get(player)
        return f", bot played {steps} {of}" if steps else ""

    @cached_property
    def bids(self) -> list[OpenBid]:
        """Every line that was bid, the oldest first."""
        return [bid for step in self.game.steps for bid in self._bids_of(step.report)]

    def _bids_of(self, report: Report) -> Iterator[OpenBid]:
        firms: tuple[Result, ...] = report.firms
        for player, firm in zip(report.players, firms, strict=True):
            for item, line, market in zip(items_of(report), firm.lines, report.prices, strict=True):
                if line.units:
                    where = self.name, player, report.month, item
                    yield OpenBid(*where, line.units, line.price, market, line.filled, line.outcome)

    @cached_property
    def splits(self) -> tuple[Split, ...]:
        """What made each firm's profit; see `exdec.analysis.split_profit`.

        While a game goes on, certificates in hand count at the latest posted prices, as in the
        class's standings, so that buying never looks like losing.
        """
        splits = split_profit(self.game)
        if self.over:
            return splits
        state = self.game.state
        return tuple(
            split._replace(
                unsold=split.unsold
                + sum(n * p for n, p in zip(firm.materials, state.material_prices, strict=True))
            )
            for split, firm in zip(splits, state.firms, strict=True)
        )

    @cached_property
    def sold(self) -> dict[str, list[GoodsSold]]:
        """What each firm sold, and what it had cost."""
        return {player: goods_sold(self.game, player) for player in self.game.players}

    @cached_property
    def prices(self) -> dict[Item, list[int]]:
        """Posted prices of each item: Opening, then a month each; dollars a unit."""
        lines = price_lines(self.game.rules, self.game.postings)
        return {item: [point.price for point in line] for item, line in lines.items()}

    @cached_property
    def units(self) -> dict[Item, list[int]]:
        """Units that all firms ordered or offered, a month each."""
        units: dict[Item, list[int]] = {item: [] for item in self.prices}
        for step in self.game.steps:
            for item, n in zip(items_of(step.report), step.report.units, strict=True):
                units[item].append(n)
        return units

    @cached_property
    def margins(self) -> dict[Good, list[int]]:
        """Each good's price less its materials, all at posted prices: Opening, then each month."""
        costs = {good: self._materials_of(good) for good in GOODS}
        return {
            good: [
                price - cost for price, cost in zip(self.prices[good], costs[good], strict=False)
            ]
            for good in GOODS
        }

    def _materials_of(self, good: Good) -> list[int]:
        """What one unit's materials cost at posted prices: Opening, then each month."""
        recipe = self.game.rules.production._asdict()[good.value]._asdict()
        lines = zip(*(self.prices[item] for item in self.prices if item not in GOODS), strict=True)
        return [sum(n * p for n, p in zip(recipe.values(), line, strict=True)) for line in lines]

    def neutral(self, item: Item) -> float | None:
        """Units at which the price of an item stays; None if no number does that."""
        return neutral(self.calculator(item))

    def calculator(self, item: Item) -> Calculator:
        """The row of the Market Calculator that moves an item's price."""
        rules = self.game.rules
        return rules.goods_calculator if isinstance(item, Good) else rules.materials_calculator


def neutral(calculator: Calculator) -> float | None:
    """Units at which a price stays where it is; None if there is no such number.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> neutral(STANDARD.materials_calculator), neutral(STANDARD.goods_calculator)
    (10.0, 5.5)
    """
    if not calculator.per_unit:
        return None
    units = -calculator.at_zero / calculator.per_unit
    return units if units >= 0 else None


class Firm(NamedTuple):
    """One firm of a class.

    Parameters
    ----------
    label : str
        The firm's name, with its table's where there are several tables.
    table : PlayedTable
    player : str
    split : Split
        What made its profit.
    place : int or None
        Among all firms whose games are over, 1 for the most profit; None while a game goes on.
    """

    label: str
    table: PlayedTable
    player: str
    split: Split
    place: int | None

    @property
    def bot(self) -> str | None:
        """The strategy whose firm it is; None for people's."""
        return self.table.bots.get(self.player)

    @property
    def bot_steps(self) -> int:
        """Steps that a bot played for its people."""
        return self.table.bot_steps.get(self.player, 0)

    @property
    def people_steps(self) -> int:
        """Steps that people played before it was a bot's."""
        return self.table.people_steps.get(self.player, 0)

    @property
    def is_person(self) -> bool:
        """Whether people played it; see `PlayedTable.is_person`."""
        return self.table.is_person(self.player)

    @property
    def is_bot(self) -> bool:
        """Whether a bot played it; see `PlayedTable.is_bot`."""
        return self.table.is_bot(self.player)

    @property
    def named(self) -> str:
        """Its label, and what a bot had to do with it."""
        return f"{self.label}{self.table.mark(self.player)}"

    @property
    def profit(self) -> int:
        """Dollars of cash beyond the starting cash, and what certificates are worth so far."""
        return self.split.profit


@dataclass(frozen=True)
class PlayedClass:
    """All tables of a class.

    Parameters
    ----------
    title : str
        What the records call the class; "" if they do not.
    tables : tuple of PlayedTable
        In the order of their names; at least one.
    left_out : tuple of str
        A sentence for each file that could not be used.
    pseudonyms : bool
        Whether people's names are replaced: here, or in the export already.
    folder : str
        The name of the folder that it was read from; "" if it is one record.
    quiet : bool
        Whether files that could not be used are counted only, for they may have people's names.
    """

    title: str
    tables: tuple[PlayedTable, ...]
    left_out: tuple[str, ...]
    pseudonyms: bool
    folder: str = ""
    quiet: bool = False

    @cached_property
    def begun(self) -> PlayedClass:
        """The same without tables that have settled no step: they would only dilute averages."""
        begun = tuple(table for table in self.tables if table.game.steps)
        return self if begun == self.tables else replace(self, tables=begun)

    @cached_property
    def firms(self) -> list[Firm]:
        """Every firm: those with a place first, the most profit first."""
        several = len(self.tables) > 1
        made = [split.profit for table in self.tables if table.over for split in table.splits]
        firms = [
            Firm(
                f"{split.player} ({table.name})" if several else split.player,
                table,
                split.player,
                split,
                1 + sum(other > split.profit for other in made) if table.over else None,
            )
            for table in self.tables
            for split in table.splits
        ]
        return sorted(firms, key=lambda firm: (firm.place is None, -firm.profit))

    @cached_property
    def finished(self) -> list[Firm]:
        """The firms whose games are over."""
        return [firm for firm in self.firms if firm.place is not None]

    @cached_property
    def bids(self) -> list[OpenBid]:
        """Every line that was bid at any table."""
        return [bid for table in self.tables for bid in table.bids]

    @cached_property
    def peoples_bids(self) -> list[OpenBid]:
        """Those of them that people's firms bid; see `PlayedTable.is_person`."""
        return [bid for table in self.tables for bid in table.bids if table.is_person(bid.player)]

    @cached_property
    def sold(self) -> list[GoodsSold]:
        """Everything that was sold at any table."""
        return [sold for table in self.tables for firm in table.sold.values() for sold in firm]

    @cached_property
    def groups(self) -> dict[str, tuple[PlayedTable, ...]]:
        """The tables by treatment; one group called "" if there is nothing to compare."""
        names = sorted({table.treatment for table in self.tables}, key=natural)
        if len(names) == 1:
            return {"": self.tables}
        return {
            name or "no treatment": tuple(t for t in self.tables if t.treatment == name)
            for name in names
        }

    @property
    def months(self) -> int:
        """Months of the longest game."""
        return max(table.game.rules.months for table in self.tables)

    def without_names(self) -> PlayedClass:
        """The same class with the names of people and of tables replaced; bots keep theirs."""
        if self.quiet:
            return self
        n = len(self.left_out)
        files_are = "1 file is" if n == 1 else f"{n} files are"
        said = f"{files_are} left out; without pseudonyms you read which, and why."
        return replace(
            self,
            tables=tuple(_pseudonyms(self.tables)),
            left_out=(said,) * bool(n),
            pseudonyms=True,
            quiet=True,
        )


def averages(lines: Iterable[Sequence[float]]) -> list[float]:
    """Average lines of different lengths, place by place, over those that reach so far.

    Examples
    --------
    >>> averages([[40, 44], [40, 41, 45]])
    [40.0, 42.5, 45.0]
    """
    lines = list(lines)
    longest = max((len(line) for line in lines), default=0)
    columns = [[line[at] for line in lines if at < len(line)] for at in range(longest)]
    return [sum(column) / len(column) for column in columns]


def mean(values: Iterable[float]) -> float:
    """The average; 0 of nothing."""
    values = list(values)
    return sum(values) / len(values) if values else 0


def natural(name: str) -> list[tuple[int, str]]:
    """Sort "Table 2" before "Table 10".

    Examples
    --------
    >>> sorted(["Table 10", "Table 2"], key=natural)
    ['Table 2', 'Table 10']
    """
    return [
        (int(part), "") if part.isascii() and part.isdigit() else (-1, part.casefold())
        for part in re.split(r"([0-9]{1,18})", name)
        if part
    ]


# -- reading -------------------------------------------------------------------------------------


def gather(path: str | os.PathLike[str], *, pseudonyms: bool = False) -> PlayedClass:
    """Read a class: a folder of game records, or one record.

    Parameters
    ----------
    path : str or path
        In a folder, every file that ends in ``.jsonl`` counts; in the folder of an export, those
        in its folder ``records``. The name of an export is enough where it lies further up, or
        in a folder ``classes`` there.
    pseudonyms : bool
        Replace the names of people and of tables by those that `exdec export --pseudonyms` gives
        them; bots keep theirs. Records that no class has left are numbered by table and seat.

    Raises
    ------
    RecordError
        There is no such folder or file, nothing in it can be read, or it holds two classes.
    """
    path = export_named(as_path(path))
    files = _files(path)
    found: list[tuple[Path, Record]] = []
    left_out: list[str] = []
    for file in files:
        try:
            record = read(file)
        except RecordError as error:
            if not path.is_dir():
                raise
            left_out.append(f"{file.name} is left out. {error}")
            continue
        same = next((other for other, one in found if _same(one, record)), None)
        if same:
            left_out.append(f"{file.name} is left out: it is the same game as {same.name}.")
        else:
            found.append((file, record))
    if not found:
        raise RecordError(f"No record in {path} can be read. {' '.join(left_out)}")
    title = _one_class(found)
    tables = sorted(_tables(found), key=lambda table: natural(table.name))
    place = path.resolve()
    folder = "" if place.is_file() else (place.parent if place.name == "records" else place).name
    hidden = _are_replaced(tables)
    if hidden:
        tables = _pseudonyms(tables)
    played = PlayedClass(title, tuple(tables), tuple(left_out), hidden, folder)
    return played.without_names() if pseudonyms else played


def export_named(path: Path) -> Path:
    """Find an export by its name alone, from a notebook of the kit in which the class was kept."""
    here = Path.cwd()
    if path.exists() or len(path.parts) > 1:
        return path
    for folder in (here, *here.parents):
        for place in (folder / "classes" / path, folder / path):
            if (place / "records").is_dir():
                return place
    return path


def _no_record(file: Path) -> str:
    """Which other file of a class was given by mistake, and what to do; "" if it is none."""
    with file.open("rb") as data:
        begins = data.read(16)
    if begins.startswith(b"SQLite format 3"):
        typed = f'"{file}"' if " " in str(file) else file
        return (
            f"{file} is the file of a class itself. Leave it as it is, and export the class: press "
            f"Export everything in the panel, or type exdec export {typed} in a terminal. Then "
            "give the name of the folder that this makes."
        )
    if not begins.startswith(b"PK"):
        return ""
    if file.suffix.lower() == ".xlsx":
        return (
            f"{file} is a workbook, for a spreadsheet. The debrief reads the game records of the "
            "same export: give the folder in which it lies, with its folder records."
        )
    return (
        f"{file} is packed. Unpack it, and give the name of the folder that this makes: "
        f'debrief("{file.stem}").'
    )


def _files(path: Path) -> list[Path]:
    if path.is_file():
        try:
            mistaken = _no_record(path)
        except OSError as error:
            raise failed(path, "cannot be read", error) from None
        if mistaken:
            raise RecordError(mistaken)
        return [path]
    if not path.is_dir():
        raise RecordError(
            f"There is no folder or file {path}. Give the folder that holds the class's records, "
            f"or put that folder, unpacked, into {Path.cwd()}."
        )
    for pattern in ("*.jsonl", "records/*.jsonl"):
        if files := sorted(path.glob(pattern), key=lambda file: natural(file.name)):
            return files
    # Some programs unpack a zip into a folder of its name, in which is the folder of that name.
    below = {file.parent for file in path.glob("*/*.jsonl")}
    below |= {file.parents[1] for file in path.glob("*/records/*.jsonl")}
    if below:
        folders = " or ".join(map(str, sorted(below)[:3]))
        raise RecordError(f"{path} itself holds no game record; there are some in {folders}.")
    raise RecordError(
        f"{path} holds no game record. Records are files whose names end in .jsonl; "
        "export the class again, or choose another folder."
    )


def _same(one: Record, other: Record) -> bool:
    def played(record: Record) -> Any:
        return record.players, record.rules, [step.bids for step in record.steps]

    return bool(one.steps) and played(one) == played(other)


def _one_class(found: Sequence[tuple[Path, Record]]) -> str:
    """The title that all records give their class, refusing two of them."""
    by_title: dict[str, str] = {}
    for file, record in found:
        if title := _word(record.extra.get("class")):
            by_title.setdefault(title, file.name)
    if len(by_title) > 1:
        (first, here), (second, there), *_ = by_title.items()
        raise RecordError(
            f'These are records of different classes: "{first}" ({here}) and "{second}" ({there}). '
            "Put each class into a folder of its own."
        )
    return next(iter(by_title), "")


def _word(value: Any) -> str:
    """A name in a header, whatever was written there."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        return ""
    text = unicodedata.normalize("NFC", " ".join(value.split())[:80])
    return "".join(letter for letter in text if unicodedata.category(letter) not in UNWRITABLE)


def _tables(found: Iterable[tuple[Path, Record]]) -> list[PlayedTable]:
    tables: list[PlayedTable] = []
    taken: set[str] = set()
    for file, record in found:
        extra = record.extra
        name = _word(extra.get("table")) or _word(extra.get("title")) or file.stem
        name = _free(f"Table {name}" if name.isdigit() else name, taken)
        taken.add(name)
        bots = _mapping(extra.get("bots"))
        table = PlayedTable(
            name,
            record.game(),
            _word(extra.get("treatment")),
            {player: _word(bots[player]) or "bot" for player in record.players if player in bots},
            record.lost or "",
            *_steps(record),
        )
        people = _people(record, table.bots)
        table = _renamed(table, people)
        tables.append(replace(table, pseudonyms=_given_pseudonyms(record, people, table.bots)))
    return tables


def _given_pseudonyms(
    record: Record, people: Mapping[str, str], bots: Mapping[str, str]
) -> Pseudonyms | None:
    """What an export would call a table and its firms, if the header says it of all of them.

    Only what is a pseudonym by its form counts, so that no name gets through in its place.
    """
    given = _mapping(record.extra.get("pseudonyms"))
    pupils, places = (_mapping(one) for one in (given.get("pupils"), record.extra.get("places")))
    table = _word(given.get("table"))
    firms: dict[str, str] = {}
    for player, name in people.items():
        if player in bots:
            continue
        own = places.get(player, player)
        names = own if isinstance(own, list) else [own]
        numbers = [_word(pupils.get(one)) if isinstance(one, str) else "" for one in names]
        if not numbers or not all(re.fullmatch(r"Pupil [0-9]{1,9}", one) for one in numbers):
            return None
        # The order of joining would tell who is who.
        said = " & ".join(sorted(numbers, key=natural))
        firms[name] = _free(said, [*firms.values(), *bots], LONGEST_NAME)
    return Pseudonyms(table, firms) if re.fullmatch(r"Table [0-9]{1,9}", table) else None


def _are_replaced(tables: Iterable[PlayedTable]) -> bool:
    """Whether the export was one with pseudonyms: all of its names are their own."""
    given = [table.pseudonyms for table in tables]
    names = [pair for one in given if one for pair in one.firms.items()]
    return None not in given and bool(names) and all(old == new for old, new in names)


def _steps(record: Record) -> tuple[dict[str, int], dict[str, int]]:
    """Steps of bots in people's firms, and of people in bots', whatever the header holds."""
    played = len(record.steps)
    bots, given = (_mapping(record.extra.get(what)) for what in ("bots", "bot_steps"))
    by_bots = {player: min(_count(given.get(player)), played) for player in record.players}
    # An export counts the steps, and then a bot that is not named has played none of them.
    told = record.players if "steps" in record.extra else given
    in_all = min(_count(record.extra.get("steps")) or played, played)
    helped = {player: n for player, n in by_bots.items() if player not in bots and n}
    taken = {
        player: in_all - n
        for player, n in by_bots.items()
        if player in bots and player in told and n < in_all
    }
    return helped, taken


def _mapping(value: Any) -> Mapping[str, Any]:
    """A mapping in a header; an empty one if it is none."""
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    """A number of steps in a header; 0 if it is none."""
    return value if type(value) is int and value > 0 else 0


def _free(name: str, taken: Iterable[str], longest: int | None = None) -> str:
    """The name, or the name with a number if it is taken."""
    taken, number, free = set(taken), 1, name[:longest]
    while free in taken:
        number += 1
        end = f" ({number})"
        free = (name if longest is None else name[: longest - len(end)]) + end
    return free


def _people(record: Record, bots: Mapping[str, str]) -> dict[str, str]:
    """Who sat where, if the header says it: {player: name or names}."""
    places = _mapping(record.extra.get("places"))
    names: dict[str, str] = {}
    for player in record.players:
        given = places.get(player)
        people = [_word(one) for one in (given if isinstance(given, list) else [given])]
        said = " & ".join(filter(None, people))
        wanted = player if player in bots or not said else said
        names[player] = _free(wanted, names.values(), LONGEST_NAME)
    return names


def _renamed(table: PlayedTable, names: Mapping[str, str]) -> PlayedTable:
    """The same game under other names: played again, so that no text keeps the old ones.

    The firms sit in the order of the names that are given.
    """
    if list(names.items()) == [(player, player) for player in table.game.players]:
        return table
    game = Game(list(names.values()), table.game.rules)
    for step in table.game.steps:
        for player, bids in step.bids.items():
            game.hand_in(names[player], bids)
    bots = {names[player]: strategy for player, strategy in table.bots.items()}
    bot_steps = {names[player]: steps for player, steps in table.bot_steps.items()}
    people_steps = {names[player]: steps for player, steps in table.people_steps.items()}
    return replace(table, game=game, bots=bots, bot_steps=bot_steps, people_steps=people_steps)


def _pseudonyms(tables: Sequence[PlayedTable]) -> list[PlayedTable]:
    """Put pseudonyms in place of names: the export's, in their own order, where there are any.

    Other people are numbered by table and seat, so that the same records always give the same
    names, and come after all that have a number.
    """
    known = [(table, table.pseudonyms) for table in tables if table.pseudonyms]
    known.sort(key=lambda one: natural(one[1].table))
    renamed: list[PlayedTable] = []
    for table, given in known:
        names = {**{bot: bot for bot in table.bots}, **given.firms}
        in_order = dict(sorted(names.items(), key=lambda one: natural(one[1])))
        at = _free(given.table, [other.name for other in renamed])
        same = Pseudonyms(given.table, {name: name for name in given.firms.values()})
        renamed.append(replace(_renamed(table, in_order), name=at, pseudonyms=same))
    taken = {
        one for _, given in known for name in given.firms.values() for one in name.split(" & ")
    }
    pupils = (name for number in count(1) if (name := f"Pupil {number}") not in taken)
    places = {table.name for table in renamed}
    free = (name for number in count(1) if (name := f"Table {number}") not in places)
    for table in tables:
        if table.pseudonyms is None:
            names = {}
            for player in table.game.players:
                person = player not in table.bots
                others = [*names.values(), *table.bots]
                names[player] = _free(next(pupils), others) if person else player
            renamed.append(replace(_renamed(table, names), name=next(free)))
    return renamed


# -- words ---------------------------------------------------------------------------------------


def listed(words: Sequence[str]) -> str:
    """Join words as in a sentence.

    Examples
    --------
    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def stands(table: PlayedTable) -> str:
    """How far an unfinished game was played.

    Examples
    --------
    >>> stands(PlayedTable("Table 4", Game(["Ann", "Ben"]), "", {}, ""))
    'nothing is settled yet'
    """
    steps = table.game.steps
    if not steps:
        return "nothing is settled yet"
    last = month_name(steps[-1].report.month)
    half = len(steps) % 2
    return f"it stops after {last}'s {'orders' if half else 'offers'}"
