"""Prices that go on as they went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints
from exdec.bots.strategy import Strategy
from exdec.bots.tools import best_mix, bounded, costs, places, within_cash, within_limits
from exdec.observations import Bids, Observations

SURE = 3
"""Dollars over an expected price that it bids, and under one that it asks."""


@dataclass(frozen=True)
class TrendFollower(Strategy):
    """Expects every price to move next month as it moved in the last.

    It orders for every good that covers its materials at these prices, and looks at no tally.
    Economists call this extrapolative expectations (Metzler, 1941); they make booms longer and
    turns dearer.
    """

    def orders(self, view: Observations) -> Bids:
        """Order all it may for the goods that are expected to pay, in equal parts."""
        prices = bounded(next_materials(view) + SURE)
        pays = next_goods(view) > costs(view.rules, prices)
        parts = places(view.rules, pays.astype(prices.dtype))
        wanted = within_limits(view, parts * view.order_limit)
        return Bids(within_cash(view, np.maximum(wanted - view.materials, 0), prices), prices)

    def offers(self, view: Observations) -> Bids:
        """Offer the goods that the expected prices make most valuable."""
        prices = next_goods(view)
        return Bids(best_mix(view, prices), bounded(prices - SURE))


def next_materials(view: Observations) -> Ints:
    """What materials post at if they move as they did last, shape (3, games)."""
    return _once_more(view.posted_materials, view.rules.opening_materials, view.material_prices)


def next_goods(view: Observations) -> Ints:
    """What goods post at if they move as they did last, shape (3, games)."""
    return _once_more(view.posted_goods, view.rules.opening_goods, view.good_prices)


def _once_more(posted: Ints, opening: tuple[int, int, int], now: Ints) -> Ints:
    if not len(posted):
        return now
    before = posted[-2] if len(posted) > 1 else np.array(opening, now.dtype)[:, None]
    expected: Ints = 2 * now - before
    return expected
