"""Part of a cartel that nobody has signed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Ints
from exdec.bots.rates import best_rates, dealt, prices_before
from exdec.bots.strategy import Strategy
from exdec.bots.tools import (
    asks_for,
    bids_for,
    others_offers,
    others_orders,
    places,
    up_to,
    within_limits,
)
from exdec.observations import Bids, Observations


@dataclass(frozen=True)
class Restrained(Strategy):
    """Makes only its share of what would be best for all firms together.

    Fewer goods keep goods dear and materials cheap, for everyone. This is a cartel's quantity; of
    two firms that each look after themselves, Cournot (1838) shows that they make more.
    """

    def orders(self, view: Observations) -> Bids:
        """Order what its share takes and it has not; the others' order is as last month."""
        lacking = np.maximum(places(view.rules, share(view)) - view.materials, 0)
        others = view.others_ordered[-1] if view.month > 1 else others_orders(view)
        return bids_for(view, within_limits(view, lacking), others)

    def offers(self, view: Observations) -> Bids:
        """Offer its share as far as its certificates go; the others' offer is as last month."""
        others = view.others_offered[-1] if view.month > 1 else others_offers(view)
        return asks_for(view, up_to(view, share(view)), others)


def share(view: Observations) -> Ints:
    """How many goods of this month's total are this firm's, shape (3, games)."""
    return dealt(view, best_for_all(view, view.month) / view.players)


def best_for_all(view: Observations, month: int) -> Ints:
    """Goods that all firms together should make in a month, in whole units, shape (3, games).

    It comes from the prices at the start of that month, which everyone knows.
    """
    rates = best_rates(view.rules, view.rules.months - month + 1, *prices_before(view, month))
    units = np.minimum(rates + 0.5, view.players * view.order_limit).astype(view.cash.dtype)
    return np.broadcast_to(units, view.materials.shape)
