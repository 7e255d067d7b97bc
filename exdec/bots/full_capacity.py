"""As much as the rules allow, every month."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.bots.strategy import Strategy
from exdec.bots.tools import equal_parts, in_turn, within_cash
from exdec.observations import Bids, Observations


@dataclass(frozen=True)
class FullCapacity(Strategy):
    """Orders all it may, makes all it can, and expects everyone else to do the same.

    If all order the limit in equal parts, materials rise by $2 (a remark in the rulebook's
    strategy tips); this firm bids a dollar more than that. It shows what happens to margins when
    every firm fills its capacity.
    """

    def orders(self, view: Observations) -> Bids:
        """Order the limit in equal parts, or as many full sets as the cash buys."""
        prices = view.material_prices + 3
        units = np.minimum(equal_parts(view.order_limit), view.grade_limit)
        return Bids(within_cash(view, np.broadcast_to(units, prices.shape), prices), prices)

    def offers(self, view: Observations) -> Bids:
        """Offer all it can make, in equal parts, just under the prices it expects."""
        # All certificates on the table, turned into equal numbers of the three goods.
        expected = view.certificates.sum(axis=(0, 1)) // 9
        return Bids(in_turn(view), np.maximum(view.goods_at(expected) - 1, 1))
