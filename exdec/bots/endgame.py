"""The last month is not like the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints
from exdec.bots.margin_seeker import MarginSeeker
from exdec.bots.tools import best_mix, bounded, costs, others_offers, others_orders, places
from exdec.observations import Bids, Observations

SURER = 8
"""Dollars under an expected price that it asks in the last month: there is no month to wait for."""


@dataclass(frozen=True)
class EndgameAware(MarginSeeker):
    """Seeks margins; in the last month, weighs goods against certificates sold to the Broker.

    A certificate that the Broker buys back at the last posted price (R19) is worth that price, so
    a good is worth making only for more than its certificates: their opportunity cost (Wieser,
    1914). What it keeps it makes dearer: in the last month every unit ordered, even at a bid
    that must fail, lifts the price at which the Broker buys everything back (R9).
    """

    def orders(self, view: Observations) -> Bids:
        """In the last month, lift the price of what it keeps by what is left of the limit."""
        bids = super().orders(view)
        if view.month < view.rules.months:
            return bids
        made = worth_making(view, view.materials_at(others_orders(view)))
        free = bids.units == 0
        kept = np.maximum(view.materials - places(view.rules, made), 0)
        most = (kept * free).argmax(axis=0) == np.arange(3)[:, None]
        spare = np.minimum(view.order_limit - bids.units.sum(axis=0), view.grade_limit)
        lifting = spare * (most & free & (kept > 0))
        return Bids(bids.units + lifting, np.where(lifting > 0, 1, bids.prices))

    def offers(self, view: Observations) -> Bids:
        """In the last month, make only what sells for more than its certificates."""
        if view.month < view.rules.months:
            return super().offers(view)
        units = worth_making(view, view.material_prices)
        asks = view.goods_at(others_offers(view) + units) - SURER
        return Bids(units, bounded(np.maximum(asks, costs(view.rules, view.material_prices))))


def worth_making(view: Observations, buy_back: Ints) -> Ints:
    """The goods that bring most above what the Broker pays for their certificates."""
    gains = view.goods_at(others_offers(view) + 1) - costs(view.rules, buy_back)
    return best_mix(view, gains)
