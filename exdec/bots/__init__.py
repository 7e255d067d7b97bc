"""Rivals that play by themselves: one strategy a file.

A strategy is any object with two methods, ``order(view)`` and ``offer(view)``. Each is given an
`Observation` (what its seat may know, and nothing else) and returns what `Game.order` and
`Game.offer` take, such as ``{"X": (2, 40)}``. Chance comes from ``view.rng``. The strategies here
are written on arrays, for many games at once; see `exdec.bots.strategy`.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Protocol

from exdec.bots.cautious import Cautious
from exdec.bots.full_capacity import FullCapacity
from exdec.bots.random_legal import RandomLegal
from exdec.bots.strategy import Strategy
from exdec.errors import TurnError
from exdec.model import Order
from exdec.observe import Observation


class Bot(Protocol):
    """What a strategy looks like."""

    def order(self, view: Observation) -> Order:
        """Bid for materials: ``{grade: (units, price)}``."""
        ...

    def offer(self, view: Observation) -> Order:
        """Offer goods: ``{good: (units, price)}``."""
        ...


BOTS: dict[str, type[Strategy]] = {
    "cautious": Cautious,
    "full capacity": FullCapacity,
    "random": RandomLegal,
}
"""The strategies by the names under which they are chosen."""


def make_bot(name: str) -> Strategy:
    """Make a rival by the name of its strategy.

    Raises
    ------
    TurnError
        There is no such strategy; the message gives the nearest right name.

    Examples
    --------
    >>> make_bot("cautious")
    Cautious()
    """
    if name not in BOTS:
        near = get_close_matches(str(name), BOTS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(BOTS)}."
        raise TurnError(f"There is no rival called {name!r}. {hint}")
    return BOTS[name]()
