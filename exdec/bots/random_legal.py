"""Chance within the rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints
from exdec.bots.strategy import Strategy
from exdec.observations import Bids, Observations

WHOLE = 1 << 14
"""Chance divides a whole into so many parts."""


@dataclass(frozen=True)
class RandomLegal(Strategy):
    """Bids and asks at random around the last prices: a market without anyone's plan.

    It keeps to the order limits and offers only what it can make, and it may well bid more than
    it has. The idea is the "zero-intelligence" trader of Gode and Sunder (1993).
    """

    def orders(self, view: Observations) -> Bids:
        """Order up to half the limit of each grade, at $5 below to $11 above the last price."""
        most = min(view.grade_limit, (view.order_limit + 1) // 2)
        units = view.draw(WHOLE, rows=3)
        left: Ints = np.full_like(units[0], view.order_limit)
        for row in units:
            row *= np.minimum(left, most) + 1
            row //= WHOLE
            left -= row
        return Bids(units, np.maximum(view.material_prices - 5 + view.draw(17, rows=3), 1))

    def offers(self, view: Observations) -> Bids:
        """Offer part of what can be made, at $11 below to $5 above the last price."""
        # Two cuts divide the firm into three parts, and each makes all it can of one good.
        cuts = view.draw(WHOLE, rows=2)
        low, high = np.minimum(*cuts), np.maximum(*cuts)
        units = view.most * np.stack([low, high - low, WHOLE - high]) // WHOLE
        return Bids(units, np.maximum(view.good_prices - 11 + view.draw(17, rows=3), 1))
