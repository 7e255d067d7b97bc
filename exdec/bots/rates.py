"""How much to make a month: a cartel's quantities, and those of Cournot's firms.

What firms buy and sell moves prices for good, so a firm asks for the steady rate, in goods a
month, that earns most over the months left. Making ``q`` goods a month, it has a margin of
``m + t (d - K q)`` in the t-th month from now: today's margin ``m``, what a month without this
firm adds to it ``d``, and what each good made a month takes off it ``K``. The profit of ``T``
months, the sum of ``q`` times these margins, is greatest at ``q = K⁻¹ (2 m / (T + 1) + d) / 2``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from exdec.arrays import Floats, Ints
from exdec.bots.tools import costs
from exdec.observations import Observations
from exdec.rules import Rules

NOTHING = np.zeros((3, 1), np.int64)
"""What others order or offer where all firms are taken together."""


def best_rates(
    rules: Rules,
    months: int,
    material_prices: Ints,
    good_prices: Ints,
    ordered: Ints | Floats = NOTHING,
    offered: Ints | Floats = NOTHING,
) -> Floats:
    """Goods a month that earn most beside what others order and offer.

    With nothing from others it is the quantity that is best for all firms together; otherwise
    the best answer of Cournot's firm (1838, chapter 7).

    Parameters
    ----------
    rules : Rules
    months : int
        Months left, this one included.
    material_prices, good_prices : array, shape (3, games) or (3, 1)
        Prices before this month's movement, in dollars a unit.
    ordered, offered : array, shape (3, games) or (3, 1), optional
        Units that others order and offer a month.

    Returns
    -------
    array of float, shape (3, games)
        Goods a month; 0 where none is worth making.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> materials, goods = np.array([[40], [30], [20]]), np.array([[140], [115], [90]])
    >>> best_rates(STANDARD, 12, materials, goods).round(2).T
    array([[2.1 , 2.04, 1.97]])
    """
    calculator = rules.materials_calculator
    dearer = calculator.at_zero + calculator.per_unit * ordered
    calculator = rules.goods_calculator
    gain = calculator.at_zero + calculator.per_unit * offered - costs(rules, dearer)
    margin = good_prices - costs(rules, material_prices)
    pull = margin * (2 / (months + 1)) + gain
    # Not NumPy's matrix product: it may add in another order for one game than for a thousand.
    rates = [sum(w * p for w, p in zip(row, pull, strict=True)) for row in _half_inverse(rules)]
    best: Floats = np.maximum(np.stack(rates), 0)
    return best


def prices_before(view: Observations, month: int) -> tuple[Ints, Ints]:
    """Prices of materials and of goods at the start of a month, shape (3, games) or (3, 1)."""
    if month > 1:
        return view.posted_materials[month - 2], view.posted_goods[month - 2]
    opening = np.array([view.rules.opening_materials, view.rules.opening_goods])
    return opening[0, :, None], opening[1, :, None]


def dealt(view: Observations, rates: Floats) -> Ints:
    """Whole units for a rate of goods a month, shape (3, games).

    Goods are dealt round the table like cards, all A first, then B and C: with 2 of each to share
    out, each of three firms gets two. What a firm is short of in one good it has in the next, and
    each month another firm is served first, so that rounding favours nobody.
    """
    last = (view.month - view.seat - 1) % view.players
    upto = np.floor(rates.cumsum(axis=0) + (last + 0.5) / view.players)
    return np.diff(upto, axis=0, prepend=0).astype(view.cash.dtype)


@lru_cache(maxsize=64)
def _half_inverse(rules: Rules) -> tuple[tuple[float, ...], ...]:
    """Half the inverse of what each good made a month takes off the three margins."""
    recipes = np.array(rules.production)
    slopes = rules.materials_calculator.per_unit, rules.goods_calculator.per_unit
    taken = slopes[0] * recipes @ recipes.T - slopes[1] * np.eye(3)
    # Where prices do not answer to quantities at all there is no inverse, and nothing is best.
    half = np.linalg.pinv(taken) / 2
    return tuple(tuple(row) for row in half.tolist())
