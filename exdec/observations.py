"""What one seat may know in many games at once: `Observation`, with arrays for numbers.

The games lie on the last axis of every array, because NumPy runs fastest along it. Before it come
grade or good (3), and before that the seat. A single game is a batch of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exdec.arrays import Bools, Floats, Ints, hand_in, most_of, most_of_each, posted
from exdec.costs import stock_of
from exdec.model import Order, Step
from exdec.observe import Observation
from exdec.rules import Rules

Luck: TypeAlias = Callable[[int], npt.NDArray[np.uint16]]
"""Chance for one seat: so many rows of 16 random bits for every game, shape (rows, games)."""


class Bids(NamedTuple):
    """One seat's orders or offers, a row for each grade or good.

    Parameters
    ----------
    units : array of int, shape (3, games)
    prices : array of int, shape (3, games)
        Dollars a unit; what stands beside 0 units counts for nothing.
    """

    units: Ints
    prices: Ints

    def lines(self, game: int, items: Sequence[str]) -> Order:
        """One game's bids as `Game.order` and `Game.offer` take them."""
        rows = zip(items, self.units[:, game].tolist(), self.prices[:, game].tolist(), strict=True)
        return {item: (units, price) for item, units, price in rows if units}


@dataclass(frozen=True)
class Observations:
    """What one seat knows in many games when it is time to order or offer.

    All games have the same rules and number of players and stand at the same step. Dollars and
    units are whole.

    Parameters
    ----------
    rules : Rules
    players : int
        How many play.
    seat : int
        Whose view this is, from 0.
    month : int
        From 1.
    step : Step
        What is handed in next.
    material_prices, good_prices : array, shape (3, games)
        The latest posted prices, in dollars a unit.
    certificates : array, shape (players, 3, games)
        What each player holds, face up.
    cash : array, shape (games,)
        What this player has.
    ordered, offered : array, shape (months, players, 3, games)
        Units that each player ordered and offered in the months that are settled.
    posted_materials, posted_goods : array, shape (months, 3, games)
        What was posted in these months.
    heaps : callable
        Works out `cost`.
    luck : callable
        Chance; see `draw`.
    """

    rules: Rules
    players: int
    seat: int
    month: int
    step: Step
    material_prices: Ints
    good_prices: Ints
    certificates: Ints
    cash: Ints
    ordered: Ints
    offered: Ints
    posted_materials: Ints
    posted_goods: Ints
    heaps: Callable[[], Ints] = field(repr=False)
    luck: Luck = field(repr=False)

    @classmethod
    def of(cls, views: Sequence[Observation]) -> Observations:
        """Lay views of one seat in several games side by side; one view makes a batch of one.

        Parameters
        ----------
        views : sequence of Observation
            At least one; of the same rules, seat and step.
        """
        first = views[0]
        bought = [[p for p in view.postings if p.step is Step.BUY] for view in views]
        sold = [[p for p in view.postings if p.step is Step.SELL] for view in views]
        return cls(
            rules=first.rules,
            players=len(first.players),
            seat=first.players.index(first.player),
            month=first.month,
            step=first.step,
            material_prices=_side_by_side([view.material_prices for view in views]),
            good_prices=_side_by_side([view.good_prices for view in views]),
            certificates=_side_by_side([view.certificates for view in views]),
            cash=_side_by_side([view.cash for view in views]),
            ordered=_history(bought, "announced", len(first.players)),
            offered=_history(sold, "announced", len(first.players)),
            posted_materials=_history(bought, "prices"),
            posted_goods=_history(sold, "prices"),
            heaps=lambda: _side_by_side([stock_of(view.results).cost for view in views]),
            luck=_luck_of(views),
        )

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.cash)

    @property
    def order_limit(self) -> int:
        """Units of all grades together that this player may order a month (R7)."""
        return self.rules.order_limit.at(self.players)

    @property
    def grade_limit(self) -> int:
        """Units of one grade that this player may order a month (R7)."""
        of_one_grade = self.rules.grade_limit.at(self.players)
        return self.order_limit if of_one_grade is None else min(of_one_grade, self.order_limit)

    @property
    def materials(self) -> Ints:
        """What this player holds, shape (3, games)."""
        own: Ints = self.certificates[self.seat]
        return own

    @cached_property
    def others_certificates(self) -> Ints:
        """What all others hold together, shape (3, games)."""
        held: Ints = self.certificates.sum(axis=0, dtype=self.cash.dtype)
        return held - self.materials

    @cached_property
    def others_ordered(self) -> Ints:
        """Units that all others ordered together, shape (months, 3, games)."""
        units: Ints = self.ordered.sum(axis=1, dtype=self.cash.dtype)
        return units - self.ordered[:, self.seat]

    @cached_property
    def others_offered(self) -> Ints:
        """Units that all others offered together, shape (months, 3, games)."""
        units: Ints = self.offered.sum(axis=1, dtype=self.cash.dtype)
        return units - self.offered[:, self.seat]

    @cached_property
    def cost(self) -> Ints:
        """Dollars this player paid for the certificates it holds, shape (3, games).

        See `exdec.costs`.
        """
        return self.heaps()

    @cached_property
    def unit_cost(self) -> Floats:
        """Dollars that a certificate of each grade cost on average, shape (3, games); 0 if none."""
        return self.cost / np.maximum(self.materials, 1)

    def materials_at(self, units: npt.ArrayLike) -> Ints:
        """What materials post at if all firms together order `units`, shape (3, games)."""
        rules, before = self.rules, self.material_prices
        units = np.asarray(units, before.dtype)
        return posted(
            rules.materials_calculator, rules.past_table, rules.materials_floor, before, units
        )

    def goods_at(self, units: npt.ArrayLike) -> Ints:
        """What goods post at if all firms together offer `units`, shape (3, games)."""
        rules, before = self.rules, self.good_prices
        units = np.asarray(units, before.dtype)
        return posted(rules.goods_calculator, rules.past_table, rules.goods_floor, before, units)

    @cached_property
    def most(self) -> Ints:
        """How many units of each good this player can make alone, shape (3, games)."""
        return most_of_each(self.rules, self.materials)

    def most_of(self, good: int, beside: Ints | None = None) -> Ints:
        """How many units of a good this player can make, shape (games,).

        Parameters
        ----------
        good : int
            0, 1 or 2 for A, B or C.
        beside : array, shape (3, games), optional
            What is made too; it must be makeable.
        """
        return most_of(self.rules, self.materials, good, beside)

    def can_make(self, goods: Ints) -> Bools:
        """Whether goods, shape (3, games), can be made together of what this player holds."""
        return hand_in(self.rules, self.materials, goods)[1]

    def cost_of(self, goods: Ints) -> Floats:
        """Dollars that the certificates handed in for goods cost this player, shape (games,).

        Parameters
        ----------
        goods : array, shape (3, games)
            What is made; it must be makeable.
        """
        certificates, _ = hand_in(self.rules, self.materials, goods)
        dollars: Floats = (certificates * self.unit_cost).sum(axis=0)
        return dollars

    def draw(self, below: npt.ArrayLike, rows: int = 1) -> Ints:
        """Whole numbers from 0, each as likely as another, shape (rows, games).

        Parameters
        ----------
        below : int or array of int that broadcasts to (rows, games)
            The number above the highest, up to 32,767.
        rows : int
        """
        drawn = self.luck(rows).astype(np.int32)
        drawn *= np.asarray(below, np.int32)
        drawn >>= 16
        return drawn


def _side_by_side(values: Sequence[Any]) -> Ints:
    """Each game's value becomes one place of the last axis."""
    stacked: Ints = np.array(values, np.int64)
    return stacked.transpose(*range(1, stacked.ndim), 0)


def _history(postings: Sequence[Sequence[Any]], name: str, *more: int) -> Ints:
    months = len(postings[0])
    if not months:
        return np.zeros((0, *more, 3, len(postings)), np.int64)
    return _side_by_side([[getattr(p, name) for p in one] for one in postings])


def _luck_of(views: Sequence[Observation]) -> Luck:
    """Every game has its own stream of chance, so that games side by side do not mix."""

    def luck(rows: int) -> npt.NDArray[np.uint16]:
        drawn = np.empty((rows, len(views)), np.uint16)
        for game, view in enumerate(views):
            if view.rng is None:
                raise ValueError("This view brings no chance; give it `rng`.")
            drawn[:, game] = view.rng.integers(0, 1 << 16, rows, dtype=np.uint16)
        return drawn

    return luck
