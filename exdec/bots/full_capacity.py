"""As much as the rules allow, every month."""

from __future__ import annotations

from dataclasses import dataclass

from exdec.items import GOODS, MATERIALS, Goods, Materials
from exdec.model import Order
from exdec.observe import Observation
from exdec.production import NOTHING, Makeable


@dataclass(frozen=True)
class FullCapacity:
    """Orders all it may, makes all it can, and expects everyone else to do the same.

    If all order the limit in equal parts, materials rise by $2 (a remark in the rulebook's
    strategy tips); this firm bids a dollar more than that. It shows what happens to margins when
    every firm fills its capacity.
    """

    def order(self, view: Observation) -> Order:
        """Order the limit in equal parts, or as many full sets as the cash buys."""
        bids = Materials(*[price + 3 for price in view.material_prices])
        share, rest = divmod(view.order_limit, 3)
        units = [share + (at < rest) for at in range(3)]
        while sum(n * bid for n, bid in zip(units, bids, strict=True)) > view.cash:
            units = [max(0, n - 1) for n in units]
        return {grade: (n, bid) for grade, n, bid in zip(MATERIALS, units, bids, strict=True) if n}

    def offer(self, view: Observation) -> Order:
        """Offer all it can make, in equal parts, just under the prices it expects."""
        made = self._equal_parts(view.makeable)
        # All certificates on the table, turned into equal numbers of the three goods.
        expected = sum(sum(held) for held in view.certificates) // 9
        move = view.rules.goods_calculator.movement(expected, view.rules.past_table)
        asks = Goods(*[max(1, price + move - 1) for price in view.good_prices])
        return {good: (n, ask) for good, n, ask in zip(GOODS, made, asks, strict=True) if n}

    def _equal_parts(self, stock: Makeable) -> Goods[int]:
        """Make one of each good in turn until nothing more can be made."""
        made, more = NOTHING, True
        while more:
            more = False
            for good in GOODS:
                another = made._replace(**{good: getattr(made, good) + 1})
                if stock.can_make(*another):
                    made, more = another, True
        return made
