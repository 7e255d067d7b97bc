"""The same rules on arrays: thousands of games in lock step.

A `Batch` is what `engine` is for one game, with an array for every number; it takes bids that are
legal as they stand. `play_batch` lets strategies play as many games as are asked for, a block at a
time, so that memory does not grow with the number of games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exdec.arrays import Bools, Ints, hand_in, posted
from exdec.bots.strategy import Strategy
from exdec.model import Step
from exdec.observations import Bids, Luck, Observations
from exdec.rules import Rules

BLOCK = 1024
"""Games that are played side by side: so few that what a step touches fits in the cache."""


class Batch:
    """Many games of the same rules and number of players, all at the same step.

    Parameters
    ----------
    rules : Rules
    players : int
        2 to 6.
    games : int
    dtype : integer type
        What dollars and units are counted in.

    Attributes
    ----------
    month : int
        From 1.
    step : Step
    cash : array, shape (players, games)
    certificates : array, shape (players, 3, games)
    cost : array, shape (players, 3, games)
        Dollars paid for the certificates held; see `exdec.costs`.
    ordered, offered : array, shape (months, players, 3, games)
        Units announced.
    posted_materials, posted_goods : array, shape (months, 3, games)
    """

    def __init__(
        self, rules: Rules, players: int, games: int, dtype: npt.DTypeLike = np.int32
    ) -> None:
        self.rules, self.players, self.games = rules, players, games
        self.month, self.step = 1, Step.BUY
        self.cash = np.full((players, games), rules.starting_cash.at(players), dtype)
        self.certificates = np.zeros((players, 3, games), dtype)
        self.cost = np.zeros((players, 3, games), dtype)
        self.ordered = np.zeros((rules.months, players, 3, games), dtype)
        self.offered = np.zeros((rules.months, players, 3, games), dtype)
        self.posted_materials = np.zeros((rules.months, 3, games), dtype)
        self.posted_goods = np.zeros((rules.months, 3, games), dtype)
        self._opening_materials = np.repeat(np.array(rules.opening_materials, dtype), games)
        self._opening_goods = np.repeat(np.array(rules.opening_goods, dtype), games)

    @property
    def material_prices(self) -> Ints:
        """The latest posted prices of materials, shape (3, games)."""
        settled = self.month - (self.step is Step.BUY)
        opening = self._opening_materials.reshape(3, -1)
        prices: Ints = self.posted_materials[settled - 1] if settled else opening
        return prices

    @property
    def good_prices(self) -> Ints:
        """The latest posted prices of goods, shape (3, games)."""
        settled = self.month - (self.step is not Step.OVER)
        opening = self._opening_goods.reshape(3, -1)
        prices: Ints = self.posted_goods[settled - 1] if settled else opening
        return prices

    def observe(self, seat: int, luck: Luck) -> Observations:
        """What one seat may know in all games."""
        ordered = self.month - (self.step is Step.BUY)
        offered = self.month - (self.step is not Step.OVER)
        return Observations(
            rules=self.rules,
            players=self.players,
            seat=seat,
            month=self.month,
            step=self.step,
            material_prices=self.material_prices,
            good_prices=self.good_prices,
            certificates=self.certificates,
            cash=self.cash[seat],
            cost=self.cost[seat],
            ordered=self.ordered[:ordered],
            offered=self.offered[:offered],
            posted_materials=self.posted_materials[:ordered],
            posted_goods=self.posted_goods[:offered],
            luck=luck,
        )

    def buy(self, orders: Sequence[Bids]) -> None:
        """Settle all orders for materials: `engine.settle_buy`."""
        rules, units, prices = self.rules, self.ordered[self.month - 1], _prices(orders)
        for row, order in zip(units, orders, strict=True):
            row[:] = order.units
        now = self.posted_materials[self.month - 1]
        now[:] = posted(
            rules.materials_calculator,
            rules.past_table,
            rules.materials_floor,
            self.material_prices,
            units.sum(axis=0, dtype=units.dtype),
        )
        lost_per = rules.buy_dollars_per_unit_lost if rules.partial_buys else None
        won = _won(units, now - prices, lost_per)
        amounts = won * prices
        due = amounts.sum(axis=1, dtype=amounts.dtype)
        paid = due <= self.cash
        won *= paid[:, None]
        amounts *= paid[:, None]
        self.cash -= due * paid
        self.certificates += won
        self.cost += amounts
        self.step = Step.SELL

    def sell(self, offers: Sequence[Bids]) -> None:
        """Settle all offers of goods: `engine.settle_sell`."""
        rules, units, prices = self.rules, self.offered[self.month - 1], _prices(offers)
        for row, offer in zip(units, offers, strict=True):
            row[:] = offer.units
        now = self.posted_goods[self.month - 1]
        now[:] = posted(
            rules.goods_calculator,
            rules.past_table,
            rules.goods_floor,
            self.good_prices,
            units.sum(axis=0, dtype=units.dtype),
        )
        lost_per = rules.sale_dollars_per_unit_lost if rules.partial_sales else None
        won = _won(units, prices - now, lost_per)
        due = (won * prices).sum(axis=1, dtype=won.dtype)
        certificates, can = hand_in(rules, self.certificates, won)
        certificates *= can[:, None]
        self.cash += due * can
        self.cost -= _part(self.cost, certificates, self.certificates)
        self.certificates -= certificates
        if self.month < rules.months:
            self.month += 1
            self.step = Step.BUY
        else:
            self.step = Step.OVER

    def worth(self) -> Ints:
        """Cash, and certificates at the latest posted prices, shape (players, games) (R19)."""
        held = self.certificates * self.material_prices
        dollars: Ints = held.sum(axis=1, dtype=self.cash.dtype)
        return self.cash + dollars

    def profit(self) -> Ints:
        """What each player has made, shape (players, games), as if the game ended here (R19)."""
        return self.worth() - self.rules.starting_cash.at(self.players)


def _prices(bids: Sequence[Bids]) -> Ints:
    return np.stack([bid.prices for bid in bids])


def _won(units: Ints, missed_by: Ints, lost_per: int | None) -> Ints:
    """Units that the market gives where bids miss it by so many dollars (R10, R16, R17)."""
    if lost_per is None:
        return units * (missed_by <= 0)
    lost = -(-np.maximum(missed_by, 0) // lost_per)
    left: Ints = np.maximum(units - lost, 0)
    return left


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
        The games, at their end.
    profit_by_month : array, shape (months, players, games)
        Profit after each month's sales, certificates counted at that month's posted prices; the
        last row is the profit of the game.
    """

    batch: Batch
    profit_by_month: Ints

    @property
    def profit(self) -> Ints:
        """What each player made, shape (players, games)."""
        profit: Ints = self.profit_by_month[-1]
        return profit

    @property
    def wins(self) -> Bools:
        """Who made the most, shape (players, games); equal profits share the win."""
        best: Bools = self.profit == self.profit.max(axis=0)
        return best


def play_batch(
    rules: Rules, strategies: Sequence[Strategy], games: int, seed: int, block: int = BLOCK
) -> Iterator[Played]:
    """Let strategies play many games, a block at a time.

    Parameters
    ----------
    rules : Rules
    strategies : sequence of Strategy
        One for each seat.
    games : int
    seed : int
        The same seed gives the same games.
    block : int
        Games side by side.

    Yields
    ------
    Played
        Up to `block` finished games.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> from exdec.bots import Cautious, RandomLegal
    >>> blocks = play_batch(STANDARD, [Cautious(), RandomLegal()], games=2000, seed=1)
    >>> [played.profit.shape for played in blocks]
    [(2, 1024), (2, 976)]
    """
    for at in range(0, games, block):
        yield play_block(rules, strategies, min(block, games - at), (seed, at // block))


def play_block(
    rules: Rules, strategies: Sequence[Strategy], games: int, seed: int | Sequence[int]
) -> Played:
    """Let strategies play one block of games from January to the end."""
    batch = Batch(rules, len(strategies), games)
    lucks = [
        _luck(np.random.Generator(np.random.SFC64(stream)), games)
        for stream in np.random.SeedSequence(seed).spawn(len(strategies))
    ]
    seats = list(enumerate(zip(strategies, lucks, strict=True)))
    by_month = np.empty((rules.months, *batch.cash.shape), batch.cash.dtype)
    for month in range(rules.months):
        batch.buy([bot.orders(batch.observe(seat, luck)) for seat, (bot, luck) in seats])
        batch.sell([bot.offers(batch.observe(seat, luck)) for seat, (bot, luck) in seats])
        by_month[month] = batch.profit()
    return Played(batch, by_month)


def _luck(rng: np.random.Generator, games: int) -> Luck:
    """Random bits in bulk: each number of 64 bits serves four games."""

    def luck(rows: int) -> npt.NDArray[np.uint16]:
        words = -(-games // 4)
        drawn = rng.integers(0, 1 << 64, rows * words, dtype=np.uint64).view(np.uint16)
        return drawn.reshape(rows, 4 * words)[:, :games]

    return luck
