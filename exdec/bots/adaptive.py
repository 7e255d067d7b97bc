"""Learn what rivals do, and answer it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Floats, Ints
from exdec.bots.rates import best_rates, dealt, prices_before
from exdec.bots.strategy import Strategy
from exdec.bots.tools import asks_for, bids_for, places, up_to, within_limits
from exdec.observations import Bids, Observations


@dataclass(frozen=True)
class Adaptive(Strategy):
    """Learns how much its rivals order and offer, and makes what earns most beside that.

    Each month its expectation moves part of the way to what the rivals did: adaptive expectations
    (Nerlove 1958). Beside that it makes the best answer of Cournot's firm (1838).

    Parameters
    ----------
    weight : float
        How far an expectation moves towards what was seen, from 0 to 1.
    """

    weight: float = 0.5

    def orders(self, view: Observations) -> Bids:
        """Order what its best answer takes and it has not."""
        lacking = np.maximum(places(view.rules, self.answer(view)) - view.materials, 0)
        return bids_for(view, within_limits(view, lacking), _whole(self.expected(view)[0]))

    def offers(self, view: Observations) -> Bids:
        """Offer its best answer, as far as its certificates go."""
        return asks_for(view, up_to(view, self.answer(view)), _whole(self.expected(view)[1]))

    def answer(self, view: Observations) -> Ints:
        """Goods to make this month, shape (3, games)."""
        left = view.rules.months - view.month + 1
        rates = best_rates(view.rules, left, *prices_before(view, view.month), *self.expected(view))
        return dealt(view, np.minimum(rates, view.order_limit))

    def expected(self, view: Observations) -> tuple[Floats, Floats]:
        """What the others will order and offer a month, from the months before this one.

        Before January they are taken to run at full capacity, in equal parts.
        """
        full = (view.players - 1) * view.order_limit / 3
        ordered, offered = np.full((2, *view.materials.shape), full)
        offered = offered * 3 / sum(map(sum, view.rules.production))
        for month in range(view.month - 1):
            ordered += self.weight * (view.others_ordered[month] - ordered)
            offered += self.weight * (view.others_offered[month] - offered)
        return ordered, offered


def _whole(units: Floats) -> Ints:
    return np.rint(units).astype(int)
