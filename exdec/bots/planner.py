"""The strong rival: play many plans ahead to the end, begin the best one, and plan anew next time.

Three parts: `expect` says what the others will do, `Foresight.play` plays plans ahead against that,
and `Foresight.search` improves a plan one number at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from exdec.arrays import Floats, Ints, hand_in, posted, weighed
from exdec.bots.strategy import Strategy
from exdec.engine import MOST_DOLLARS, MOST_UNITS
from exdec.model import Step
from exdec.observations import Bids, Observations
from exdec.production import limits
from exdec.rules import Rules

GAMES = 64
"""Games that are planned side by side, so that what their trials touch fits in the cache."""

THIRDS = np.array([mix for mix in product(range(4), repeat=3) if sum(mix) == 3], np.float32).T / 3
"""Ways to divide a whole among three grades or three goods, a column each."""

S_ONLY, FSS, XFS, XXF, F_ONLY, X_ONLY = 0, 1, 5, 8, 3, 9

TWEAKS = np.array(
    [change for most in (1, 2) for change in product((-most, 0, most), repeat=3)], np.float32
).T
"""Units of each grade or good that a first move may be off its plan, a column each."""
NO_TWEAK = 13

NO_SQUEEZE = 3

RATE = 0.4
"""How much of a forecast error is learned at once."""

CARE = 1.25
"""Mean forecast errors that a bid or ask keeps clear of the price foreseen."""


class Plan(NamedTuple):
    """What to do until the end of the game, in a few numbers; each is an array, shape (trials,).

    Parameters
    ----------
    mix : column of `THIRDS`
        Of which grades to buy.
    pace : int
        Thirds of the order limit to buy each month.
    wait : int
        Months before the buying begins.
    squeeze : int
        The grade in which what is left of the order limit is ordered at $1: it buys nothing and
        lifts the price of what is held (R9). `NO_SQUEEZE` for none.
    goods : column of `THIRDS`
        Which goods to make.
    hold : int
        Months before the selling begins.
    spread : int
        1 to sell the stock in equal parts until the end, 0 to sell all of it each month.
    tweak : column of `TWEAKS`
        Units that the first move is off the plan.
    """

    mix: Ints
    pace: Ints
    wait: Ints
    squeeze: Ints
    goods: Ints
    hold: Ints
    spread: Ints
    tweak: Ints


@dataclass(frozen=True)
class Planner(Strategy):
    """Plans to the end of the game against what it expects of the others, and replans each move.

    It plays some hundred plans ahead (what to buy and when, which price to drive up, what to make
    and when to sell) and begins the one that leaves it furthest ahead of its rivals. This is model
    predictive control, or planning on a rolling horizon, with rollouts for the model (Bertsekas,
    2005), as a best reply to expectations that adapt.
    """

    def orders(self, view: Observations) -> Bids:
        """Order what the best plan begins with, a little over the prices foreseen."""
        return self._move(view)

    def offers(self, view: Observations) -> Bids:
        """Offer what the best plan begins with, a little under the prices foreseen."""
        return self._move(view)

    def _move(self, view: Observations) -> Bids:
        parts = [slice(at, at + GAMES) for at in range(0, view.games, GAMES)]
        moves = [Foresight(view, part).search() for part in parts]
        return Bids(
            *(
                np.concatenate(rows, axis=1).astype(view.cash.dtype)
                for rows in zip(*moves, strict=True)
            )
        )


def expect(history: Ints, first: Floats, first_error: float) -> tuple[Floats, Floats]:
    """Learn from months past what to expect of the next, and how far off that tends to be.

    Both are averages in which the newest month counts most (adaptive expectations).

    Parameters
    ----------
    history : array, shape (months, 3, games)
        Units that all others announced.
    first : array, shape (3, games)
        What to expect before anything is known.
    first_error : float
        How far off that may be.
    """
    units, error = first, np.full_like(first, first_error)
    for announced in history:
        off = announced - units
        error = error + RATE * (np.abs(off) - error)
        units = units + RATE * off
    return units.astype(np.float32), error.astype(np.float32)


class Foresight:
    """What the planner knows and expects in a few games.

    Parameters
    ----------
    view : Observations
    part : slice
        Which of its games.
    """

    def __init__(self, view: Observations, part: slice) -> None:
        rules, others = view.rules, view.players - 1
        self.rules, self.others = rules, others
        self.order_limit = np.float32(view.order_limit)
        self.grade_limit = np.float32(view.grade_limit)
        self.buying = view.step is Step.BUY
        self.months = rules.months - view.month + 1
        self.cash = view.cash[part].astype(np.float32)
        self.held = view.materials[:, part].astype(np.float32)
        self.material_prices = view.material_prices[:, part].astype(np.float32)
        self.good_prices = view.good_prices[:, part].astype(np.float32)
        full = np.full(self.held.shape, others * view.order_limit / 3)
        spread = others**0.5
        self.orders, order_error = expect(view.others_ordered[..., part], full, 1.5 * spread)
        offers, offer_error = expect(view.others_offered[..., part], full / 3, 0.8 * spread)
        self.bid_over = CARE * abs(rules.materials_calculator.per_unit) * order_error
        self.ask_under = CARE * abs(rules.goods_calculator.per_unit) * offer_error
        # At the end the others sell out.
        stock = view.others_certificates[:, part].astype(np.float32)
        dump = (stock.sum(axis=0) + self.buying * self.orders.sum(axis=0)) / 9
        self.offers = np.repeat(offers[None], self.months, axis=0)
        self.offers[-1] = np.maximum(offers, (offers + dump) / 2)
        used = places(rules, self.offers.sum(axis=0))
        bought = self.orders * (self.months - 1 + self.buying)
        self.left = np.maximum(stock + bought - used, 0)

    def search(self) -> tuple[Floats, Floats]:
        """Find a good plan for each game, and return its first move: units and prices."""
        whole = np.zeros(len(self.cash), int)
        plan = Plan(whole, whole + 3, whole, whole, whole, whole, whole, whole + NO_TWEAK)
        mixes = [S_ONLY, FSS, XFS, XXF, F_ONLY, X_ONLY]
        goods = [0, 3, 5, 9]
        holds = sorted({0, self.months // 2, self.months - 1})
        plan = self.best(
            plan, **grid(mix=mixes, goods=goods, squeeze=range(NO_SQUEEZE + 1), hold=holds)
        )
        for field, values in {
            "mix": range(10),
            "pace": range(4),
            "wait": range(self.months + 1),
            "hold": range(self.months + 1),
            "goods": range(10),
            "spread": range(2),
            "tweak": range(TWEAKS.shape[1]),
        }.items():
            plan = self.best(plan, **{field: np.array(values)})
        return self.play(plan)[1:]

    def best(self, plan: Plan, **options: Ints) -> Plan:
        """Try `plan` with each of the options in turn and keep the best for each game.

        Parameters
        ----------
        plan : Plan, one for each game
        **options : arrays of one length
            Values of the plan's fields that are tried together.
        """
        shape = (len(next(iter(options.values()))), len(self.cash))
        changed = {field: values[:, None] for field, values in options.items()}
        trials = [np.broadcast_to(row, shape) for row in plan._replace(**changed)]
        ahead, *_ = self.play(Plan(*(row.ravel() for row in trials)))
        at = ahead.reshape(shape).argmax(axis=0), np.arange(shape[1])
        return Plan(*(row[at] for row in trials))

    def play(self, plan: Plan) -> tuple[Floats, Floats, Floats]:
        """Play plans ahead to the end.

        Returns
        -------
        ahead : array, shape (trials,)
            Dollars that the planner ends with, less the average of the others.
        units, prices : array, shape (3, trials)
            The first move.
        """
        rules = self.rules
        times = len(plan.mix) // len(self.cash)

        def each(known: Floats) -> Floats:
            return np.tile(known, times)

        cash, held = each(self.cash), each(self.held)
        material_prices, good_prices = each(self.material_prices), each(self.good_prices)
        orders, offers, left = each(self.orders), each(self.offers), each(self.left)
        bid_over, ask_under = each(self.bid_over), each(self.ask_under)

        wanted = THIRDS[:, plan.mix] * (plan.pace * (self.order_limit / np.float32(3)))
        np.minimum(wanted, self.grade_limit, out=wanted)
        goods, tweak = THIRDS[:, plan.goods], TWEAKS[:, plan.tweak]
        squeeze = (plan.squeeze == np.arange(3)[:, None]).astype(np.float32)
        # How many rounds of the goods each of the lines in `limits` lets a certificate make.
        per_round = [(limit.materials, weighed(limit.goods, goods)) for limit in limits(rules)]
        lines = [(weights, 1 / np.maximum(n, np.float32(1e-9))) for weights, n in per_round]
        theirs = np.zeros_like(cash)
        move = None
        for month in range(self.months):
            if self.buying or month:
                units = wanted * (plan.wait <= month)
                if not month:
                    units = np.clip(np.floor(units) + tweak, 0, self.grade_limit)
                    units *= total(units) <= self.order_limit
                prices = materials_at(rules, material_prices, orders + units) + bid_over
                units *= np.minimum(cash / np.maximum(dot(units, prices), np.float32(1e-3)), 1)
                np.floor(units, out=units)
                rest = np.minimum(self.order_limit - total(units), self.grade_limit)
                announced = np.where(units > 0, units, squeeze * rest)
                material_prices = materials_at(rules, material_prices, orders + announced)
                bids = np.ceil(material_prices + bid_over)
                cash = cash - dot(units, bids)
                held = held + units
                theirs -= dot(orders, material_prices)
                if not month:
                    move = announced, np.where(units > 0, bids, 1)
            rounds = np.min([(weighed(w, held) + np.float32(1e-3)) * n for w, n in lines], axis=0)
            rounds *= np.where(plan.spread, np.float32(1 / (self.months - month)), np.float32(1))
            rounds *= plan.hold <= month
            units = np.floor(goods * rounds + np.float32(1e-4))
            if move is None:
                units = np.clip(units + tweak, 0, MOST_UNITS)
                units *= hand_in(rules, held, units)[1]
            good_prices = goods_at(rules, good_prices, offers[month] + units)
            asks = np.maximum(np.floor(good_prices - ask_under), 1)
            cash = cash + dot(units, asks)
            held = held - hand_in(rules, held, units)[0]
            theirs += dot(offers[month], good_prices)
            if move is None:
                move = units, asks
        theirs += dot(left, material_prices)
        assert move is not None
        units, prices = move
        ahead = cash + dot(held, material_prices) - theirs / self.others
        return ahead, units, np.clip(prices, 1, MOST_DOLLARS)


def materials_at(rules: Rules, before: Floats, units: Floats) -> Floats:
    """What materials post at when all firms together order `units`."""
    prices: Floats = posted(
        rules.materials_calculator, rules.past_table, rules.materials_floor, before, units
    )
    return prices


def goods_at(rules: Rules, before: Floats, units: Floats) -> Floats:
    """What goods post at when all firms together offer `units`."""
    prices: Floats = posted(
        rules.goods_calculator, rules.past_table, rules.goods_floor, before, units
    )
    return prices


def grid(**values: Sequence[int]) -> dict[str, Ints]:
    """Every combination of some values."""
    columns = np.meshgrid(*values.values(), indexing="ij")
    return {field: column.ravel() for field, column in zip(values, columns, strict=True)}


def places(rules: Rules, goods: Floats) -> Floats:
    """Certificates that goods take without substitution, shape (3, games)."""
    each = [weighed(grade, goods) for grade in zip(*rules.production, strict=True)]
    return np.stack(each)


def total(units: Floats) -> Floats:
    """Units of all grades or goods together."""
    all_three: Floats = units[0] + units[1] + units[2]
    return all_three


def dot(units: Floats, prices: Floats) -> Floats:
    """Dollars that units come to at such prices."""
    dollars: Floats = units[0] * prices[0]
    dollars += units[1] * prices[1]
    dollars += units[2] * prices[2]
    return dollars
