"""The strong rival: it knows whom it plays, and plays every way to go on to the end.

Three questions, anew at each move. What can the others be taken to have (`Books`)? Which strategy
does each of them seem to follow (`recognise`)? And which strategy would leave this firm furthest
ahead, if it were followed to the end of the game against those (`Planner`)?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exdec.arrays import Ints
from exdec.batch import Batch, Bought, Heaps, Used
from exdec.bots.adaptive import Adaptive
from exdec.bots.bid_shader import BidShader
from exdec.bots.cautious import Cautious
from exdec.bots.contrarian import Contrarian
from exdec.bots.endgame import EndgameAware
from exdec.bots.full_capacity import FullCapacity
from exdec.bots.margin_seeker import MarginSeeker
from exdec.bots.punisher import Punisher
from exdec.bots.restrained import Restrained
from exdec.bots.speculator import Speculator
from exdec.bots.strategy import Strategy
from exdec.bots.trend_follower import TrendFollower
from exdec.mixed import Mixed
from exdec.model import Step
from exdec.observations import Bids, Observations

KNOWN: tuple[Strategy, ...] = (
    FullCapacity(),
    MarginSeeker(),
    BidShader(),
    Contrarian(),
    Adaptive(),
    Speculator(),
    EndgameAware(),
    Restrained(),
    Punisher(),
    Cautious(),
    TrendFollower(),
)
"""What a rival may be following; a rival of whom nothing is known yet is taken for the first."""

TRIED = 6
"""How many of these, the first ones, are tried for this firm."""

REMEMBERED = 8
"""Steps over which rivals are compared with strategies: the orders and offers of four months."""

CARE = 2
"""Dollars that a bid or ask keeps clear of a price that was foreseen exactly a month ago."""


@dataclass(frozen=True)
class Planner(Strategy):
    """Plays every way to go on to the end of the game, and begins with the best.

    It takes each rival for the strategy that has come nearest to its announced units, lets the
    strategies that it knows play the rest of the game against these, and makes the first move of
    the one that comes out furthest ahead of the rivals' mean. At the next move it looks again. This
    is the rollout algorithm on a rolling horizon (Bertsekas, Tsitsiklis and Wu, 1997).
    """

    def orders(self, view: Observations) -> Bids:
        """Order as the best way to go on begins."""
        return self._begin(view)

    def offers(self, view: Observations) -> Bids:
        """Offer as the best way to go on begins."""
        return self._begin(view)

    def _begin(self, view: Observations) -> Bids:
        books = Books(view)
        rivals, error = recognise(books)
        trials = books.trials(TRIED)
        seats: list[Strategy] = [Mixed(KNOWN, np.tile(row, TRIED)) for row in rivals]
        seats[view.seat] = Mixed(KNOWN, np.repeat(np.arange(TRIED), view.games))
        lucks = [_no_luck] * view.players
        first = trials.play_step(seats, lucks)[view.seat]
        while trials.step is not Step.OVER:
            trials.play_step(seats, lucks)
        profit = trials.profit().reshape(view.players, TRIED, view.games)
        others = (profit.sum(axis=0) - profit[view.seat]) / (view.players - 1)
        best = (profit[view.seat] - others).argmax(axis=0)
        chosen = best * view.games + np.arange(view.games)
        posted = trials.posted_materials if view.step is Step.BUY else trials.posted_goods
        bids_chosen = Bids(first.units[:, chosen], first.prices[:, chosen])
        return _sharpened(view, bids_chosen, posted[view.month - 1][:, chosen], error)


def _sharpened(view: Observations, bids: Bids, foreseen: Ints, error: Ints | None) -> Bids:
    """Bid no more, and ask no less, than the price foreseen and what it was off the last time."""
    if error is None:
        return bids
    if view.step is Step.BUY:
        care = CARE + 2 * view.rules.materials_calculator.per_unit * error
        prices = np.where(
            bids.prices < foreseen, bids.prices, np.minimum(bids.prices, foreseen + care)
        )
    else:
        care = CARE - 2 * view.rules.goods_calculator.per_unit * error
        least = np.maximum(foreseen - care, 1)
        prices = np.where(bids.prices > foreseen, bids.prices, np.maximum(bids.prices, least))
    return Bids(bids.units, prices)


def _no_luck(_rows: int) -> NDArray[np.uint16]:
    raise AssertionError("what is played ahead here takes no chances")


class Books:
    """What every firm can be taken to have had at each step, from what lies open.

    Certificates, units and prices are public. A firm's cash and what its stock cost are not, but
    what it got and handed in can be seen, and is counted at the posted prices. Its own cash and
    cost this firm knows.
    """

    def __init__(self, view: Observations) -> None:
        self.view = view
        rules, players, games, dtype = view.rules, view.players, view.games, view.cash.dtype
        start = rules.starting_cash.at(players)
        self.cash: list[Ints] = [np.full((players, games), start, dtype)]
        self.cost: list[Ints] = [np.zeros((players, 3, games), dtype)]
        self.held: list[Ints] = [np.zeros((players, 3, games), dtype)]
        sizes = np.array([sum(recipe) for recipe in rules.production])[:, None]
        all_paid = np.ones(games, bool)
        heaps = Heaps(games, dtype)
        heaps.units, heaps.cost = self.held[0].copy(), self.cost[0].copy()
        for month in range(len(view.ordered)):
            held = view.held_after_orders[month]
            got = held - self.held[-1]
            paid = got * view.posted_materials[month]
            self._turn(self.cash[-1] - paid.sum(axis=1), held, heaps, Bought(got, paid, all_paid))
            if month < len(view.offered):
                used = held - view.held_after_offers[month]
                offered = view.offered[month]
                needed = np.maximum((offered * sizes).sum(axis=1), 1)
                worth = (offered * view.posted_goods[month]).sum(axis=1)
                received = worth * used.sum(axis=1) // needed
                held = view.held_after_offers[month]
                self._turn(self.cash[-1] + received, held, heaps, Used(used))

    def _turn(self, cash: Ints, held: Ints, heaps: Heaps, result: Bought | Used) -> None:
        heaps.take(result)
        self.cash.append(np.maximum(cash, 0))
        self.held.append(held)
        self.cost.append(heaps.cost.copy())

    def seen_by(self, seats: Sequence[int], step: int) -> Observations:
        """What firms saw before a step that is settled, counted from 0; one after another.

        They change seats with this firm, so that a strategy is asked once for all of them; who
        sits where matters to few.
        """
        view, month, games = self.view, step // 2, self.view.games
        orders, offers = month + step % 2, month
        order = np.tile(np.arange(view.players)[:, None], len(seats))
        order[view.seat], order[seats, np.arange(len(seats))] = seats, view.seat
        who, which = np.repeat(order, games, axis=1), np.tile(np.arange(games), len(seats))

        def exchanged(rows: Ints) -> Ints:
            # (…, players, 3, games) to (…, players, 3, seats x games)
            places = who[:, None], np.arange(3)[:, None], which
            return rows[(..., *places)]

        def again(rows: Ints) -> Ints:
            return np.concatenate([rows] * len(seats), axis=-1)

        opening = [
            np.broadcast_to(np.array(prices)[:, None], (3, games))
            for prices in (view.rules.opening_materials, view.rules.opening_goods)
        ]
        return Observations(
            rules=view.rules,
            players=view.players,
            seat=view.seat,
            month=month + 1,
            step=Step.SELL if step % 2 else Step.BUY,
            material_prices=again(view.posted_materials[orders - 1] if orders else opening[0]),
            good_prices=again(view.posted_goods[offers - 1] if offers else opening[1]),
            certificates=exchanged(self.held[step]),
            cash=np.concatenate([self.cash[step][seat] for seat in seats]),
            ordered=exchanged(view.ordered[:orders]),
            offered=exchanged(view.offered[:offers]),
            held_after_orders=exchanged(view.held_after_orders[:orders]),
            held_after_offers=exchanged(view.held_after_offers[:offers]),
            posted_materials=again(view.posted_materials[:orders]),
            posted_goods=again(view.posted_goods[:offers]),
            heaps=lambda: np.concatenate([self.cost[step][seat] for seat in seats], axis=-1),
            luck=_no_luck,
        )

    def trials(self, copies: int) -> Batch:
        """Every game as it stands, so many times over."""
        view = self.view
        cash, cost = self.cash[-1].copy(), self.cost[-1].copy()
        cash[view.seat], cost[view.seat] = view.cash, view.cost
        return Batch.standing_at(view, cash, cost, copies)


def recognise(books: Books) -> tuple[Ints, Ints | None]:
    """Take each firm for the strategy that has come nearest to its announced units.

    Returns
    -------
    nearest : array, shape (players, games)
        Its number in `KNOWN`.
    error : array, shape (3, games), or None
        Units that these strategies together would have been off a month ago; None in January.
    """
    view = books.view
    others = [seat for seat in range(view.players) if seat != view.seat]
    shape = 3, len(others), view.games
    settled = len(view.ordered) + len(view.offered)
    off = np.zeros((len(KNOWN), len(others), view.games), np.int64)
    misses = np.zeros((len(KNOWN), *shape), np.int64)
    for step in range(max(settled - REMEMBERED, 0), settled):
        announced = (view.offered if step % 2 else view.ordered)[step // 2][others]
        seen = books.seen_by(others, step)
        for number, strategy in enumerate(KNOWN):
            bids = strategy.offers(seen) if step % 2 else strategy.orders(seen)
            missed = bids.units.reshape(shape) - announced.swapaxes(0, 1)
            off[number] += np.abs(missed).sum(axis=0)
            if step == settled - 2:
                misses[number] = missed
    nearest = np.zeros((view.players, view.games), np.intp)
    nearest[others] = off.argmin(axis=0)
    if settled < 2:
        return nearest, None
    missed = np.take_along_axis(misses, nearest[others][None, None], axis=0)[0]
    return nearest, np.abs(missed.sum(axis=1)).astype(view.cash.dtype)
