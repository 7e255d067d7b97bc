"""Away from the crowd."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints, most_of
from exdec.bots.strategy import Strategy
from exdec.bots.tools import (
    best_mix,
    bounded,
    others_offers,
    others_orders,
    within_cash,
    within_limits,
)
from exdec.observations import Bids, Observations

SURE = 3
"""Dollars over an expected price that it bids, and under one that it asks."""


@dataclass(frozen=True)
class Contrarian(Strategy):
    """Buys the grades that others have left, and sells the goods that others can make few of.

    What a crowd neglects is cheap, as De Bondt and Thaler (1985) found of shares: those that had
    done worst did best afterwards.
    """

    def orders(self, view: Observations) -> Bids:
        """Order what others leave of the units at which a price stays, beyond what it holds."""
        row = view.rules.materials_calculator
        steady = -row.at_zero // max(row.per_unit, 1)
        others = others_orders(view)
        units = within_limits(view, np.maximum(steady - others - view.materials, 0))
        prices = bounded(view.materials_at(others + units) + SURE)
        return Bids(within_cash(view, units, prices), prices)

    def offers(self, view: Observations) -> Bids:
        """Offer what will be scarce, a little under the price that is expected for it."""
        scarce = view.goods_at(_most_of_each(view) // 3)
        units = best_mix(view, scarce)
        return Bids(units, bounded(view.goods_at(others_offers(view) + units) - SURE))


def _most_of_each(view: Observations) -> Ints:
    """The most that all others could make of each good, if they made no other."""
    held = view.others_certificates
    return np.stack([most_of(view.rules, held, good) for good in range(3)])
