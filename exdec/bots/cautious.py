"""Little risk, little reward."""

from __future__ import annotations

from dataclasses import dataclass

from exdec.items import Materials
from exdec.model import Order, Purchase
from exdec.observe import Observation


@dataclass(frozen=True)
class Cautious:
    """Runs at about half its capacity, and never sells below what it paid.

    It buys the three grades in equal numbers for good B, which takes one of each, and pays a
    little over the last price to be sure of its few units.
    """

    def order(self, view: Observation) -> Order:
        """Top up to half the order limit, if the cash lasts."""
        sets = max(1, view.order_limit // 6)
        wanted = Materials(*[max(0, sets - held) for held in view.materials])
        bids = Materials(*[price + 2 for price in view.material_prices])
        while sum(units * bid for units, bid in zip(wanted, bids, strict=True)) > view.cash:
            wanted = Materials(*[max(0, units - 1) for units in wanted])
        pairs = zip(Materials._fields, wanted, bids, strict=True)
        return {grade: (units, bid) for grade, units, bid in pairs if units}

    def offer(self, view: Observation) -> Order:
        """Offer every B it can make, $10 under the last price but never under what it paid."""
        units = view.makeable.most.B
        bought = [result for result in view.results if isinstance(result, Purchase)]
        paid = sum(purchase.paid for purchase in bought)
        certificates = sum(line.filled for purchase in bought for line in purchase.lines)
        # A unit takes three certificates; what one cost on average is rounded up.
        cost = -(-3 * paid // certificates) if certificates else 0
        return {"B": (units, max(cost, view.good_prices.B - 10, 1))} if units else {}
