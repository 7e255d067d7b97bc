"""The same rules on arrays: thousands of games in lock step.

A `Batch` is what `engine` is for one game, with an array for every number; it takes bids that are
legal as they stand. `play_batch` lets strategies play as many games as are asked for, a block at a
time, so that memory does not grow with the number of games.

Time goes in nearly equal parts to drawing chance, to what strategies work out from it, and to
settling bids; no single function takes more than an eighth (``tests/benchmarks/batch.py``). A step
works on one seat's (3, games) at a time: these arrays fit the cache where all seats' would not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from exdec.arrays import Bools, Ints, hand_in, posted
from exdec.engine import MOST_DOLLARS, MOST_UNITS
from exdec.errors import TurnError, shown
from exdec.model import Step
from exdec.observations import Bids, Luck, Observations
from exdec.rules import Rules

if TYPE_CHECKING:
    from exdec.bots.strategy import Strategy

BLOCK = 10_000
"""Games that are played side by side: enough that NumPy's work outweighs Python's, and so few that
the arrays of one step stay in the processor's caches."""


class Batch:
    """Many games of the same rules and number of players, all at the same step.

    Parameters
    ----------
    rules : Rules
    players : int
        2 to 6.
    games : int

    Attributes
    ----------
    month : int
        From 1.
    step : Step
    cash : array, shape (players, games)
    certificates : array, shape (players, 3, games)
    ordered, offered : array, shape (months, players, 3, games)
        Units announced; months that are not settled hold nothing of meaning.
    held_after_orders, held_after_offers : array, shape (months, players, 3, games)
        Certificates once these were settled, likewise.
    posted_materials, posted_goods : array, shape (months, 3, games)
        Dollars a unit, likewise.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> batch = Batch(STANDARD.vary(months=1), players=2, games=3)
    >>> ten = np.full((3, 3), 10)
    >>> batch.buy([Bids(ten, ten), Bids(ten * 0, ten)])
    >>> batch.posted_materials[0]
    array([[40, 40, 40],
           [30, 30, 30],
           [20, 20, 20]], dtype=int32)
    """

    def __init__(self, rules: Rules, players: int, games: int) -> None:
        dtype = int_type(rules, players)
        self.rules, self.players, self.games = rules, players, games
        self.month, self.step = 1, Step.BUY
        self.cash: Ints = np.full((players, games), rules.starting_cash.at(players), dtype)
        self.certificates: Ints = np.zeros((players, 3, games), dtype)
        self.ordered: Ints = np.empty((rules.months, players, 3, games), dtype)
        self.offered: Ints = np.empty((rules.months, players, 3, games), dtype)
        self.held_after_orders: Ints = np.empty((rules.months, players, 3, games), dtype)
        self.held_after_offers: Ints = np.empty((rules.months, players, 3, games), dtype)
        # The prices of every month, those before January first.
        self._materials: Ints = np.empty((rules.months + 1, 3, games), dtype)
        self._goods: Ints = np.empty((rules.months + 1, 3, games), dtype)
        self._materials[0] = np.array(rules.opening_materials)[:, None]
        self._goods[0] = np.array(rules.opening_goods)[:, None]
        self.posted_materials, self.posted_goods = self._materials[1:], self._goods[1:]
        face_up = self.certificates, self.held_after_orders, self.held_after_offers
        shown = self.cash, self.ordered, self.offered, *face_up, self._materials, self._goods
        self._shown = [_read_only(array) for array in shown]
        # What came of each seat's bids, as far as it is not on the seat's heaps yet.
        self._results: list[list[Bought | Used]] = [[] for _ in range(players)]
        self._heaps = [Heaps(games, dtype) for _ in range(players)]

    @classmethod
    def standing_at(cls, view: Observations, cash: Ints, cost: Ints, copies: int = 1) -> Batch:
        """Games that stand where a seat sees them stand, to be played on.

        Parameters
        ----------
        view : Observations
        cash : array, shape (players, games)
        cost : array, shape (players, 3, games)
            What every seat has, and what it paid for its certificates; this no seat knows.
        copies : int
            How many times over; the games of a copy lie side by side.
        """
        batch = cls(view.rules, view.players, view.games * copies)
        batch.month, batch.step = view.month, view.step
        for mine, seen in (
            (batch.cash, cash),
            (batch.certificates, view.certificates),
            (batch.ordered, view.ordered),
            (batch.offered, view.offered),
            (batch.held_after_orders, view.held_after_orders),
            (batch.held_after_offers, view.held_after_offers),
            (batch.posted_materials, view.posted_materials),
            (batch.posted_goods, view.posted_goods),
        ):
            mine.reshape(*mine.shape[:-1], copies, view.games)[: len(seen)] = seen[..., None, :]
        for heaps, held, paid in zip(batch._heaps, view.certificates, cost, strict=True):
            heaps.units[:], heaps.cost[:] = np.tile(held, copies), np.tile(paid, copies)
        return batch

    @property
    def material_prices(self) -> Ints:
        """The latest posted prices of materials, shape (3, games)."""
        prices: Ints = self._materials[self._months_ordered]
        return prices

    @property
    def good_prices(self) -> Ints:
        """The latest posted prices of goods, shape (3, games)."""
        prices: Ints = self._goods[self._months_offered]
        return prices

    @property
    def _months_ordered(self) -> int:
        return self.month - (self.step is Step.BUY)

    @property
    def _months_offered(self) -> int:
        return self.month - (self.step is not Step.OVER)

    def cost(self, seat: int) -> Ints:
        """Dollars that a seat paid for the certificates it holds, shape (3, games); `exdec.costs`.

        It is worked out when somebody asks, because most strategies never do.
        """
        heaps, results = self._heaps[seat], self._results[seat]
        for result in results:
            heaps.take(result)
        results.clear()
        return heaps.cost.copy()

    def observe(self, seat: int, luck: Luck) -> Observations:
        """What one seat may know in all games; it stands until a step is settled.

        Its arrays cannot be written to.
        """
        ordered, offered = self._months_ordered, self._months_offered
        cash, all_ordered, all_offered, certificates, *held, materials, goods = self._shown
        return Observations(
            rules=self.rules,
            players=self.players,
            seat=seat,
            month=self.month,
            step=self.step,
            material_prices=materials[ordered],
            good_prices=goods[offered],
            certificates=certificates,
            cash=cash[seat],
            ordered=all_ordered[:ordered],
            offered=all_offered[:offered],
            held_after_orders=held[0][:ordered],
            held_after_offers=held[1][:offered],
            posted_materials=materials[1 : ordered + 1],
            posted_goods=goods[1 : offered + 1],
            heaps=partial(self.cost, seat),
            luck=luck,
        )

    def buy(self, orders: Sequence[Bids]) -> None:
        """Settle all orders for materials: `engine.settle_buy`.

        Parameters
        ----------
        orders : sequence of Bids
            One for each seat, of what `engine.check_order` allows.
        """
        rules, units = self.rules, self._announce(self.ordered, orders)
        now = self.posted_materials[self.month - 1]
        now[:] = posted(
            rules.materials_calculator,
            rules.past_table,
            rules.materials_floor,
            self.material_prices,
            units.sum(axis=0, dtype=units.dtype),
        )
        lost_per = rules.buy_dollars_per_unit_lost if rules.partial_buys else None
        for seat, (ordered, order) in enumerate(zip(units, orders, strict=True)):
            won = _won(ordered, now - order.prices, lost_per)
            amounts = won * order.prices
            due = amounts.sum(axis=0, dtype=amounts.dtype)
            paid = due <= self.cash[seat]
            won *= paid
            self.cash[seat] -= due * paid
            self.certificates[seat] += won
            self._results[seat].append(Bought(won, amounts, paid))
        self.held_after_orders[self.month - 1] = self.certificates
        self.step = Step.SELL

    def sell(self, offers: Sequence[Bids]) -> None:
        """Settle all offers of goods: `engine.settle_sell`.

        Parameters
        ----------
        offers : sequence of Bids
            One for each seat, of what `engine.check_offer` allows.
        """
        rules, units = self.rules, self._announce(self.offered, offers)
        now = self.posted_goods[self.month - 1]
        now[:] = posted(
            rules.goods_calculator,
            rules.past_table,
            rules.goods_floor,
            self.good_prices,
            units.sum(axis=0, dtype=units.dtype),
        )
        lost_per = rules.sale_dollars_per_unit_lost if rules.partial_sales else None
        for seat, (offered, offer) in enumerate(zip(units, offers, strict=True)):
            won = _won(offered, offer.prices - now, lost_per)
            due = (won * offer.prices).sum(axis=0, dtype=won.dtype)
            used, can = hand_in(rules, self.certificates[seat], won)
            used *= can
            self.cash[seat] += due * can
            self.certificates[seat] -= used
            self._results[seat].append(Used(used))
        self.held_after_offers[self.month - 1] = self.certificates
        if self.month < rules.months:
            self.month += 1
            self.step = Step.BUY
        else:
            self.step = Step.OVER

    def play_step(self, strategies: Sequence[Strategy], lucks: Sequence[Luck]) -> list[Bids]:
        """Ask every seat's strategy, settle what they bid, and return it."""
        buying = self.step is Step.BUY
        views = [self.observe(seat, luck) for seat, luck in enumerate(lucks)]
        pairs = zip(strategies, views, strict=True)
        bids = [bot.orders(view) if buying else bot.offers(view) for bot, view in pairs]
        settle = self.buy if buying else self.sell
        settle(bids)
        return bids

    def _announce(self, announced: Ints, bids: Sequence[Bids]) -> Ints:
        """Write down the month's units for all to see, shape (players, 3, games)."""
        units: Ints = announced[self.month - 1]
        for row, bid in zip(units, bids, strict=True):
            row[:] = bid.units
        return units

    def worth(self) -> Ints:
        """Cash, and certificates at the latest posted prices, shape (players, games) (R19)."""
        held = self.certificates * self.material_prices
        dollars: Ints = held.sum(axis=1, dtype=self.cash.dtype)
        return self.cash + dollars

    def profit(self) -> Ints:
        """What each player has made, shape (players, games), as if the game ended here (R19)."""
        return self.worth() - self.rules.starting_cash.at(self.players)


def int_type(rules: Rules, players: int) -> type[np.int32] | type[np.int64]:
    """The smallest integers in which no sum of a `Batch` can overflow, whatever legal bids come.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> int_type(STANDARD, players=4).__name__
    'int32'
    >>> int_type(STANDARD.vary(order_limit=999), players=4).__name__
    'int64'
    """
    limit = rules.order_limit.at(players)
    certificates = limit * rules.months
    # The highest that goods post at is when nobody offers any, materials when all order the limit.
    # Every good takes a certificate, so no more goods than certificates are ever delivered.
    ask = max(rules.opening_goods) + rules.months * max(rules.goods_calculator.at_zero, 0)
    if rules.partial_sales:
        ask = min(ask + rules.sale_dollars_per_unit_lost * MOST_UNITS, MOST_DOLLARS)
    rise = rules.materials_calculator.movement(players * limit)
    price = max(rules.opening_materials) + rules.months * max(rise, 0)
    worth = rules.starting_cash.at(players) + certificates * (ask + price)
    # The largest number is the one that `_part` divides. An order at its dearest, 999 units at
    # $999,999, always fits; dollars for goods that are not delivered may wrap, but come to nothing.
    return np.int32 if (2 * worth + 1) * certificates < 1 << 31 else np.int64


def _read_only(array: Ints) -> Ints:
    view = array.view()
    view.flags.writeable = False
    return view


def _won(units: Ints, missed_by: Ints, lost_per: int | None) -> Ints:
    """Units that the market gives where bids miss it by so many dollars (R10, R16, R17)."""
    if lost_per is None:
        return units * (missed_by <= 0)
    lost = -(-np.maximum(missed_by, 0) // lost_per)
    left: Ints = np.maximum(units - lost, 0)
    return left


class Bought(NamedTuple):
    """What came of one seat's order: units got, dollars due for them, and whether it could pay."""

    units: Ints
    amounts: Ints
    paid: Bools


class Used(NamedTuple):
    """Certificates that one seat handed in."""

    units: Ints


class Heaps:
    """One seat's certificates and what they cost, shape (3, games): `costs.Stock`."""

    def __init__(self, games: int, dtype: npt.DTypeLike) -> None:
        self.units: Ints = np.zeros((3, games), dtype)
        self.cost: Ints = np.zeros((3, games), dtype)

    def take(self, result: Bought | Used) -> None:
        """Put on what was bought, or take off what was handed in."""
        if isinstance(result, Bought):
            self.units += result.units
            self.cost += result.amounts * result.paid
        else:
            self.cost -= _part(self.cost, result.units, self.units)
            self.units -= result.units


def _part(cost: Ints, n: Ints, units: Ints) -> Ints:
    """What `n` of `units` cost, in whole dollars; half a dollar is rounded up."""
    dollars: Ints = (2 * cost * n + units) // np.maximum(2 * units, 1)
    return dollars


@dataclass(frozen=True)
class Played:
    """A block of finished games.

    Parameters
    ----------
    batch : Batch
        The games, at their end; with the prices that were posted, and the units announced.
    profit_by_month : array, shape (months, players, games), or None
        Profit after each month's sales, certificates counted at that month's posted prices; the
        last row is the profit of the game. Only if it was asked for.
    """

    batch: Batch
    profit_by_month: Ints | None = None

    @cached_property
    def profit(self) -> Ints:
        """What each player made, shape (players, games)."""
        return self.batch.profit()

    @property
    def wins(self) -> Bools:
        """Who made the most, shape (players, games); equal profits share the win."""
        best: Bools = self.profit == self.profit.max(axis=0)
        return best


def play_batch(
    rules: Rules,
    strategies: Sequence[str | Strategy | type[Strategy]],
    games: int,
    seed: int,
    *,
    block: int = BLOCK,
    by_month: bool = False,
) -> Iterator[Played]:
    """Let strategies play many games, a block at a time.

    Parameters
    ----------
    rules : Rules
    strategies : sequence of strategies
        One for each seat: a name as in `exdec.bots.BOTS`, a level, or a `Strategy`.
    games : int
    seed : int
        The same seed gives the same games, and more games begin with the same full blocks.
    block : int
        Games side by side. Memory is bounded by it; other games come of another block.
    by_month : bool
        Whether to work out `Played.profit_by_month`.

    Yields
    ------
    Played
        Up to `block` finished games, with arrays of their own.

    Raises
    ------
    TurnError
        There is no such strategy, or one that does not play on arrays.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> blocks = play_batch(STANDARD, ["easy", "random"], games=25_000, seed=1)
    >>> [played.profit.shape for played in blocks]
    [(2, 10000), (2, 10000), (2, 5000)]
    """
    for at in range(0, games, block):
        some = min(block, games - at)
        yield play_block(rules, strategies, some, (seed, at // block), by_month=by_month)


def play_block(
    rules: Rules,
    strategies: Sequence[str | Strategy | type[Strategy]],
    games: int,
    seed: int | Sequence[int],
    *,
    by_month: bool = False,
) -> Played:
    """Let strategies play one block of games from January to the end; see `play_batch`."""
    seated = _seated(strategies)
    batch = Batch(rules, len(seated), games)
    # Each seat has a stream of chance of its own, so that none can tell from its own what others
    # drew, and a seat draws the same whoever sits beside it.
    lucks = [
        _luck(np.random.Generator(np.random.SFC64(stream)), games)
        for stream in np.random.SeedSequence(seed).spawn(len(seated))
    ]
    profits = []
    for _ in range(rules.months):
        batch.play_step(seated, lucks)
        batch.play_step(seated, lucks)
        if by_month:
            profits.append(batch.profit())
    return Played(batch, np.stack(profits) if by_month else None)


def _seated(strategies: Sequence[str | Strategy | type[Strategy]]) -> list[Strategy]:
    """Make the strategies that are named or given as classes; all of them must play on arrays."""
    from exdec.bots import make_bot  # which stands above: strategies play batches themselves

    if isinstance(strategies, str):
        raise TurnError(
            f"{shown(strategies)} is no list of strategies. Write one for each seat: "
            '["easy", "hard"].'
        )
    seated: list[Strategy] = []
    for one in strategies:
        bot = make_bot(one) if isinstance(one, str) else one() if isinstance(one, type) else one
        if not (hasattr(bot, "orders") and hasattr(bot, "offers")):
            raise TurnError(
                f'{shown(one)} does not play on arrays. Name a strategy, such as "easy", or let '
                "exdec.play.play_many play yours."
            )
        seated.append(bot)
    return seated


def _luck(rng: np.random.Generator, games: int) -> Luck:
    """Random bits in bulk: each number of 64 bits serves four games."""

    def luck(rows: int) -> npt.NDArray[np.uint16]:
        words = -(-games // 4)
        drawn = rng.integers(0, 1 << 64, rows * words, dtype=np.uint64).view(np.uint16)
        return drawn.reshape(rows, 4 * words)[:, :games]

    return luck
