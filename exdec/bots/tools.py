"""What several strategies do alike."""

from __future__ import annotations

import numpy as np

from exdec.arrays import Ints
from exdec.observations import Observations


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
    units = np.array(units)
    while (short := (units * prices).sum(axis=0) > view.cash).any():
        np.maximum(units - short, 0, out=units)
    return units


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
    made = np.zeros_like(view.materials)
    more = np.ones(view.games, bool)
    while more.any():
        more[:] = False
        for good in range(3):
            made[good] += 1
            can = view.can_make(made)
            made[good] -= ~can
            more |= can
    return made
