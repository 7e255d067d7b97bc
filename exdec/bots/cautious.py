"""Little risk, little reward."""

from __future__ import annotations

from dataclasses import dataclass

from exdec.items import Materials
from exdec.model import Order
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
        """Offer every B it can make, a little under the last price but never under its cost."""
        units = view.makeable.most.B
        cost = sum(price + 2 for price in view.material_prices)
        return {"B": (units, max(cost, view.good_prices.B - 3))} if units else {}
