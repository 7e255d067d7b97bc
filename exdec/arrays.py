"""The arithmetic of the rules on arrays: `production` and the Market Calculator for many games.

Games lie on the last axis; before it come grade or good (3). Any axes may stand before these,
such as seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exdec.production import limits
from exdec.rules import Calculator, PastTable, Rules, Substitution

Ints: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[Any]
Bools: TypeAlias = npt.NDArray[np.bool_]


def posted(
    calculator: Calculator, past_table: PastTable, floor: int, before: Ints, units: Ints
) -> Ints:
    """Prices that post when all firms together order or offer `units` (R1, R2, R5, R6)."""
    if past_table is PastTable.CLAMP:
        units = np.minimum(units, calculator.last)
    prices: Ints = before + (units * calculator.per_unit + calculator.at_zero)
    return np.maximum(prices, floor, out=prices)


def weighed(weights: Sequence[int], amounts: Ints) -> Ints:
    """A weighted sum of grades or goods; a weight of 0 costs no time.

    Parameters
    ----------
    weights : three ints
    amounts : array of int, shape (…, 3, games)

    Returns
    -------
    array of int, shape (…, games)
        Not to be written to: it may be a row of `amounts`.
    """
    total: Any = None
    for at, weight in enumerate(weights):
        if weight:
            part = amounts[..., at, :] if weight == 1 else amounts[..., at, :] * weight
            total = part if total is None else total + part
    return np.zeros_like(amounts[..., 0, :]) if total is None else total


def hand_in(rules: Rules, held: Ints, goods: Ints) -> tuple[Ints, Bools]:
    """Certificates handed in for goods with the fewest substitutions; `production.deliver`.

    Parameters
    ----------
    rules : Rules
    held, goods : array of int, shape (…, 3, games)

    Returns
    -------
    certificates : array of int, shape (…, 3, games)
        Nonsense where the goods cannot be made.
    can : array of bool, shape (…, games)
        Whether they can.
    """
    x, f, s = (weighed([recipe[at] for recipe in rules.production], goods) for at in range(3))
    held_x, held_f, held_s = (held[..., at, :] for at in range(3))
    certificates = np.empty(np.broadcast_shapes(held.shape, goods.shape), held.dtype)
    can = np.ones(certificates[..., 0, :].shape, bool)
    if Substitution.F_FOR_S in rules.substitutions:
        f_for_s = np.maximum(s - held_s, 0)
        can &= f_for_s <= held_f
        s = s - f_for_s
        f = f + f_for_s
    else:
        can &= s <= held_s
    if Substitution.X_FOR_F in rules.substitutions:
        x_for_f = np.maximum(f - held_f, 0)
        f = f - x_for_f
        x = x + x_for_f
    else:
        can &= f <= held_f
    can &= x <= held_x
    certificates[..., 0, :], certificates[..., 1, :], certificates[..., 2, :] = x, f, s
    return certificates, can


def most_of(rules: Rules, held: Ints, good: int, beside: Ints | None = None) -> Ints:
    """How many units of a good can be made; `Makeable.most_of`.

    Parameters
    ----------
    rules : Rules
    held : array of int, shape (…, 3, games)
    good : int
        0, 1 or 2 for A, B or C.
    beside : array of int, shape (…, 3, games), optional
        What is made too; it must be makeable.

    Returns
    -------
    array of int, shape (…, games)
    """
    most: Ints | None = None
    for limit in limits(rules):
        per_unit = limit.goods[good]
        if per_unit:
            left = weighed(limit.materials, held)
            if beside is not None:
                left = left - weighed(limit.goods, beside)
            units = left // per_unit if per_unit > 1 else left
            most = units if most is None else np.minimum(most, units)
    assert most is not None, "every good takes a certificate"
    return most


def most_of_each(rules: Rules, held: Ints) -> Ints:
    """How many units of each good can be made if nothing else is; `Makeable.most`.

    Parameters
    ----------
    rules : Rules
    held : array of int, shape (…, 3, games)

    Returns
    -------
    array of int, shape (…, 3, games)
    """
    most = np.empty_like(held)
    # Every good takes at least one certificate.
    most[:] = weighed((1, 1, 1), held)[..., None, :]
    for limit in limits(rules):
        left = weighed(limit.materials, held)
        for good, per_unit in enumerate(limit.goods):
            if per_unit:
                units = left // per_unit if per_unit > 1 else left
                np.minimum(most[..., good, :], units, out=most[..., good, :])
    return most
