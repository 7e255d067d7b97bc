"""The product mix with the best margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.bots.strategy import Strategy
from exdec.bots.tools import best_mix, bounded, costs, others_offers, others_orders, places
from exdec.observations import Bids, Observations

SURE = 2
"""Dollars over an expected price that it bids, and under one that it asks."""


@dataclass(frozen=True)
class MarginSeeker(Strategy):
    """Makes what it expects to earn most on: a good's price less what its certificates cost.

    It adds one unit after another of the good with the best margin, each at the prices that the
    units before it leave, until a limit, the cash or the margin is used up: the product-mix
    problem of linear programming (Dantzig, 1963), solved at the margin.
    """

    def orders(self, view: Observations) -> Bids:
        """Order what the best goods take beyond the certificates held."""
        others = others_orders(view)
        rivals = others_offers(view, more=others.sum(axis=0, dtype=others.dtype))
        goods = np.zeros_like(view.materials)
        units = np.zeros_like(view.materials)
        prices = view.materials_at(others) + SURE
        more = np.ones(view.games, bool)
        while more.any():
            margins = view.goods_at(rivals + goods + 1) - costs(view.rules, prices)
            best = margins.argmax(axis=0) == np.arange(3)[:, None]
            wanted = np.maximum(places(view.rules, goods + best) - view.materials, 0)
            bids = view.materials_at(others + wanted) + SURE
            more &= margins.max(axis=0) > 0
            more &= wanted.sum(axis=0, dtype=wanted.dtype) <= view.order_limit
            more &= wanted.max(axis=0) <= view.grade_limit
            more &= (wanted * bids).sum(axis=0, dtype=bids.dtype) <= view.cash
            goods += best & more
            np.copyto(units, wanted, where=more)
            np.copyto(prices, bids, where=more)
        return Bids(units, bounded(prices))

    def offers(self, view: Observations) -> Bids:
        """Offer the most valuable goods that can be made, a little under the expected prices."""
        rivals = others_offers(view)
        units = best_mix(view, view.goods_at(rivals + 1))
        return Bids(units, bounded(view.goods_at(rivals + units) - SURE))
