"""Chance within the rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.bots.strategy import Strategy
from exdec.observations import Bids, Observations

FIRM = 1 << 14
"""A whole firm, in the units in which chance divides it."""


@dataclass(frozen=True)
class RandomLegal(Strategy):
    """Bids and asks at random around the last prices: a market without anyone's plan.

    It keeps to the order limits and offers only what it can make, and it may well bid more than
    it has. The idea is the "zero-intelligence" trader of Gode and Sunder (1993).
    """

    def orders(self, view: Observations) -> Bids:
        """Order up to half the limit of each grade, at $5 below to $11 above the last price."""
        left = np.full(view.games, view.order_limit)
        most = min(view.grade_limit, (view.order_limit + 1) // 2)
        units = np.empty(view.materials.shape, view.materials.dtype)
        for grade in range(3):
            units[grade] = view.draw(np.minimum(left, most) + 1)[0]
            left -= units[grade]
        return Bids(units, np.maximum(view.material_prices - 5 + view.draw(17, rows=3), 1))

    def offers(self, view: Observations) -> Bids:
        """Offer part of what can be made, at $11 below to $5 above the last price."""
        # Two cuts divide a firm into three parts, and each makes all it can of one good.
        cuts = view.draw(FIRM, rows=2)
        low, high = np.minimum(*cuts), np.maximum(*cuts)
        units = np.stack([view.most_of(good) for good in range(3)])
        for row, part in zip(units, (low, high - low, FIRM - high), strict=True):
            row[:] = row * part // FIRM
        return Bids(units, np.maximum(view.good_prices - 11 + view.draw(17, rows=3), 1))
