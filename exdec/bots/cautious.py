"""Little risk, little reward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.bots.strategy import Strategy
from exdec.bots.tools import only, within_cash, within_limits
from exdec.observations import Bids, Observations

B = 1


@dataclass(frozen=True)
class Cautious(Strategy):
    """Runs at about half its capacity, and never sells below what it paid.

    It buys the three grades in equal numbers for good B, which takes one of each, and pays a
    little over the last price to be sure of its few units.
    """

    def orders(self, view: Observations) -> Bids:
        """Top up to half the order limit, if the cash lasts."""
        sets = max(1, view.order_limit // 6)
        units = within_limits(view, np.maximum(sets - view.materials, 0))
        prices = view.material_prices + 2
        return Bids(within_cash(view, units, prices), prices)

    def offers(self, view: Observations) -> Bids:
        """Offer every B it can make, $10 under the last price but never under what it paid."""
        units = only(B, view.most_of(B))
        # What one B cost, rounded up.
        cost = np.ceil(view.cost_of(units) / np.maximum(units[B], 1)).astype(units.dtype)
        asks = np.maximum(np.maximum(view.good_prices - 10, cost), 1)
        return Bids(units, asks)
