"""Chance within the rules."""

from __future__ import annotations

from dataclasses import dataclass

from exdec.items import GOODS, MATERIALS, Good
from exdec.model import Order
from exdec.observe import Observation
from exdec.production import NOTHING

TURNS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True)
class RandomLegal:
    """Bids and asks at random around the last prices: a market without anyone's plan.

    It keeps to the order limits and offers only what it can make, and it may well bid more than
    it has. The idea is the "zero-intelligence" trader of Gode and Sunder (1993).
    """

    def order(self, view: Observation) -> Order:
        """Order up to half the limit of each grade, at $5 below to $11 above the last price."""
        assert view.rng is not None
        draws = view.rng.random(6).tolist()
        left = view.order_limit
        most = min(view.grade_limit, (left + 1) // 2)
        order = {}
        for grade, last, chance, luck in zip(
            MATERIALS, view.material_prices, draws[:3], draws[3:], strict=True
        ):
            units = int(chance * (min(most, left) + 1))
            left -= units
            if units:
                order[grade] = (units, max(1, last - 5 + int(luck * 17)))
        return order

    def offer(self, view: Observation) -> Order:
        """Offer part of what can be made, at $11 below to $5 above the last price."""
        assert view.rng is not None
        first, *draws = view.rng.random(7).tolist()
        stock = view.makeable
        most = sum(view.materials) // min(map(sum, view.rules.production))
        made = NOTHING
        offer: dict[Good, tuple[int, int]] = {}
        # Whichever good comes first takes the certificates, so that is left to chance as well.
        for at in TURNS[int(first * 3)]:
            units = int(draws[at] * (most + 1))
            if units:
                units = min(units, stock.most_of(GOODS[at], made))
            if units:
                made = made._replace(**{GOODS[at]: units})
                offer[GOODS[at]] = (
                    units,
                    max(1, view.good_prices[at] - 11 + int(draws[at + 3] * 17)),
                )
        return offer
