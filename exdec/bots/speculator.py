"""Buy cheap, hold, sell dear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints
from exdec.bots.strategy import Strategy
from exdec.bots.tools import (
    best_mix,
    bounded,
    equal_parts,
    others_offers,
    others_orders,
    within_cash,
    within_limits,
)
from exdec.observations import Bids, Observations

SURE = 2
"""Dollars over an expected price that it bids, and under one that it asks."""


@dataclass(frozen=True)
class Speculator(Strategy):
    """Stocks up on grades below their average price, and sells goods above theirs.

    Storage pays where a price lies below what is expected later (Williams and Wright, 1991); this
    firm expects every price to come back to its average. In the last month it sells everything.
    """

    def orders(self, view: Observations) -> Bids:
        """Order a third of the limit of each grade that is not dear, and more where it is cheap."""
        others = others_orders(view)
        expected = view.materials_at(others)
        usual = average(view.posted_materials, view.rules.opening_materials)
        wanted = equal_parts(view.order_limit).astype(usual.dtype) + (usual - expected) // 2
        units = within_limits(view, np.maximum(wanted, 0))
        prices = bounded(view.materials_at(others + units) + SURE)
        return Bids(within_cash(view, units, prices), prices)

    def offers(self, view: Observations) -> Bids:
        """Offer the goods that are dear, and in the last month everything."""
        rivals = others_offers(view)
        prices = view.goods_at(rivals + 1)
        usual = average(view.posted_goods, view.rules.opening_goods)
        sells = (prices >= usual) | (view.month == view.rules.months)
        units = best_mix(view, prices * sells)
        return Bids(units, bounded(view.goods_at(rivals + units) - SURE))


def average(posted: Ints, opening: tuple[int, int, int]) -> Ints:
    """The average of the opening prices and all that were posted, shape (3, games)."""
    start = np.array(opening, posted.dtype)[:, None]
    usual: Ints = (posted.sum(axis=0, dtype=posted.dtype) + start) // (len(posted) + 1)
    return usual
