"""Pay little more than it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Floats, Ints
from exdec.bots.strategy import Strategy
from exdec.bots.tools import (
    bounded,
    costs,
    equal_parts,
    in_turn,
    others_offers,
    others_orders,
    within_cash,
)
from exdec.observations import Bids, Observations


@dataclass(frozen=True)
class BidShader(Strategy):
    """Bids a little less and asks a little more than is sure to succeed, if that may pay.

    Whoever pays their own bid does best to bid less than a thing is worth to them, by as much as
    they can risk: Vickrey (1961) on sealed bids. The totals that the others announced so far tell
    how likely each price is; of these prices it takes the one with the best chance times gain.
    """

    def orders(self, view: Observations) -> Bids:
        """Order all it may in equal parts, where a certificate is worth more than the bid."""
        rules, units = view.rules, np.minimum(equal_parts(view.order_limit), view.grade_limit)
        likely = view.materials_at(totals(others_orders(view), view.others_ordered) + units)
        # Each certificate brings an equal part of what goods bring beyond today's certificates.
        margins = (view.good_prices - costs(rules, view.material_prices)).sum(axis=0)
        worth = view.material_prices + margins / sum(map(sum, rules.production))
        bids, gain = best_chance(likely, worth - likely)
        return Bids(within_cash(view, units * (gain > 0), bids), bids)

    def offers(self, view: Observations) -> Bids:
        """Offer all it can make, where the ask is more than new certificates cost."""
        units = in_turn(view)
        likely = view.goods_at(totals(others_offers(view), view.others_offered) + units)
        asks, gain = best_chance(likely, likely - costs(view.rules, view.material_prices))
        return Bids(units * (gain > 0), asks)


def totals(first: Ints, seen: Ints) -> Ints:
    """Totals of others that may come, the smallest first, shape (months + 1, 3, games).

    Parameters
    ----------
    first : array, shape (3, games) or (games,)
        What was expected before anything was seen.
    seen : array, shape (months, 3, games)
    """
    return np.sort(np.concatenate([np.broadcast_to(first, (1, *seen.shape[1:])), seen]), axis=0)


def best_chance(prices: Ints, gain: Floats) -> tuple[Ints, Floats]:
    """The prices with the best chance times gain, and that product, shape (3, games).

    Parameters
    ----------
    prices, gain : array, shape (n, 3, games)
        What may be bid, the least sure first, and what each bid gains if the market meets it.
        With n totals known, the next one falls into each of the n + 1 gaps as likely as not.
    """
    chance = np.arange(1, len(prices) + 1) / (len(prices) + 1)
    hoped = gain * chance[:, None, None]
    best = hoped.argmax(axis=0)[None]
    price, most = (np.take_along_axis(rows, best, axis=0)[0] for rows in (prices, hoped))
    return bounded(price), most
