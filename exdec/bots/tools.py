"""What several strategies do alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from exdec.arrays import Floats, Ints, weighed
from exdec.engine import MOST_DOLLARS
from exdec.observations import Bids, Observations
from exdec.production import limits
from exdec.rules import Rules


def within_cash(view: Observations, units: Ints, prices: Ints) -> Ints:
    """Take one unit of each grade off, and again, until the cash covers every bid (R11).

    Parameters
    ----------
    view : Observations
    units, prices : array, shape (3, games)

    Returns
    -------
    array, shape (3, games)
    """
    units = np.asarray(units, prices.dtype)

    def less(taken: Ints) -> Ints:
        left: Ints = np.maximum(units - taken, 0)
        return left

    # The fewest to take, bit by bit from the highest: it counts if one less is still too dear.
    fewest = np.zeros(view.games, units.dtype)
    for bit in reversed(range(int(units.max(initial=0)).bit_length())):
        dollars = less(fewest + (1 << bit) - 1) * prices
        fewest += (dollars.sum(axis=0, dtype=prices.dtype) > view.cash) * units.dtype.type(1 << bit)
    return less(fewest)


def only(good: int, units: Ints) -> Ints:
    """Units of one good or grade and none of the others, shape (3, games)."""
    rows = np.zeros((3, *units.shape), units.dtype)
    rows[good] = units
    return rows


def equal_parts(limit: int) -> Ints:
    """Divide a limit among the three grades, the first ones first, shape (3, 1)."""
    return np.array([[(limit + 2 - at) // 3] for at in range(3)])


def in_turn(view: Observations) -> Ints:
    """Make one of A, B and C in turn until nothing more can be made, shape (3, games)."""
    lines = limits(view.rules)
    left = [weighed(line.materials, view.materials) for line in lines]
    made = np.zeros_like(view.materials)
    going = np.ones_like(made)
    # Turn after turn until the first good drops out, then with the others, then with the last.
    for _ in range(3):
        turns = view.materials.sum(axis=0, dtype=made.dtype)
        takes = [weighed(line.goods, going) for line in lines]
        for there, taken in zip(left, takes, strict=True):
            np.minimum(turns, there // np.maximum(taken, 1), out=turns, where=taken > 0)
        made += going * turns
        left = [there - taken * turns for there, taken in zip(left, takes, strict=True)]
        for good in range(3):
            per_unit = [line.goods[good] for line in lines]
            for there, n in zip(left, per_unit, strict=True):
                going[good] &= there >= n
            made[good] += going[good]
            left = [there - n * going[good] for there, n in zip(left, per_unit, strict=True)]
    return made


def best_mix(view: Observations, values: Ints | Floats, held: Ints | None = None) -> Ints:
    """Turn certificates into the most valuable goods.

    Each of the six orders of the goods is tried: all that can be made of the first, then of the
    second, then of the third. A mix between these is now and then worth a little more.

    Parameters
    ----------
    view : Observations
    values : array, shape (3, games)
        Dollars that one unit of each good is worth; what is worth nothing is not made.
    held : array of int, shape (3, games), optional
        Certificates; those of the player if left out.

    Returns
    -------
    array of int, shape (3, games)
    """
    held = view.materials if held is None else held
    lines = limits(view.rules)
    values = values.astype(np.float32)  # twice as fast, and whole dollars stay whole
    worth = values > 0
    best, most = np.zeros_like(held), np.zeros(held.shape[1:], values.dtype)

    def make(good: int, left: Sequence[Ints]) -> tuple[Ints, list[Ints]]:
        """As many of a good as can be made, and what they leave on each line."""
        per_unit = [line.goods[good] for line in lines]
        can = [there // n for there, n in zip(left, per_unit, strict=True) if n]
        units = reduce(np.minimum, can) * worth[good]
        return units, [
            there - units * n if n else there for there, n in zip(left, per_unit, strict=True)
        ]

    start = [weighed(line.materials, held) for line in lines]
    for first in range(3):
        of_first, then = make(first, start)
        for second in range(3):
            if second != first:
                third = 3 - first - second
                of_second, left = make(second, then)
                of_third, _ = make(third, left)
                mix = {first: of_first, second: of_second, third: of_third}
                dollars = sum(units * values[good] for good, units in mix.items())
                better = dollars > most
                for good, units in mix.items():
                    np.copyto(best[good], units, where=better)
                np.maximum(most, dollars, out=most)
    return best


def others_orders(view: Observations) -> Ints:
    """Units that all others are expected to order together, shape (3, games).

    The average of the months so far, and of one before in which all ordered all they might in
    equal parts: expectations as in fictitious play (Brown, 1951).
    """
    units = (view.players - 1) * equal_parts(view.order_limit).astype(view.cash.dtype)
    so_far = view.others_ordered.sum(axis=0, dtype=view.cash.dtype)
    expected: Ints = (so_far + units) // (len(view.ordered) + 1)
    return expected


def others_offers(view: Observations, more: Ints | int = 0) -> Ints:
    """Units of each good that all others are expected to offer together, shape (3, games).

    Half-way between what they offered last month and what all their certificates, which lie face
    up, give in equal numbers of the goods.

    Parameters
    ----------
    view : Observations
    more : array, shape (games,), optional
        Certificates that they are expected to buy first.
    """
    held = view.others_certificates.sum(axis=0, dtype=view.cash.dtype) + more
    equal: Ints = held // sum(map(sum, view.rules.production))
    if len(view.offered):
        equal = (equal + view.others_offered[-1]) // 2
    return np.broadcast_to(equal, view.materials.shape)


def places(rules: Rules, goods: Ints) -> Ints:
    """Certificates that the Production Chart asks for goods, shape (3, games)."""
    return np.stack([weighed(chart, goods) for chart in zip(*rules.production, strict=True)])


def costs(rules: Rules, prices: Ints) -> Ints:
    """What the certificates for one unit of each good cost at such prices, shape (3, games)."""
    return np.stack([weighed(recipe, prices) for recipe in rules.production])


def within_limits(view: Observations, units: Ints) -> Ints:
    """Take an equal part off every grade until the order is allowed (R7), shape (3, games)."""
    allowed = np.maximum(units.sum(axis=0, dtype=units.dtype), view.order_limit)
    kept: Ints = np.minimum(units * view.order_limit // allowed, view.grade_limit)
    return kept


def up_to(view: Observations, wanted: Ints) -> Ints:
    """As many of the wanted goods as can be made, A first, shape (3, games)."""
    made = np.zeros_like(wanted)
    for good in range(3):
        made[good] = np.minimum(wanted[good], view.most_of(good, beside=made))
    return made


def bids_for(view: Observations, units: Ints, others: Ints) -> Bids:
    """Bid $2 over what materials post at if others order so much; as many units as cash buys."""
    prices = bounded(view.materials_at(others + units) + 2)
    return Bids(within_cash(view, units, prices), prices)


def asks_for(view: Observations, units: Ints, others: Ints) -> Bids:
    """Ask $2 under what goods post at if others offer so much."""
    return Bids(units, bounded(view.goods_at(others + units) - 2))


def bounded(prices: Ints) -> Ints:
    """Keep prices within what may be bid (R8), shape (3, games)."""
    return np.clip(prices, 1, MOST_DOLLARS)
