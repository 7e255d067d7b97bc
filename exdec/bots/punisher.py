"""Restraint with a threat behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exdec.arrays import Bools, weighed
from exdec.bots.full_capacity import FullCapacity
from exdec.bots.restrained import Restrained, best_for_all
from exdec.bots.strategy import Strategy
from exdec.observations import Bids, Observations


@dataclass(frozen=True)
class Punisher(Strategy):
    """Holds back while all do; once a firm takes more than its share, runs full for some months.

    The threat of a price war is what can hold a cartel together when nothing is signed: Friedman
    (1971) for a war without end, Green and Porter (1984) for one after which firms try again.
    Units are announced, so all who play like this begin and end the war together.

    Parameters
    ----------
    war : int
        Months at full capacity.
    """

    war: int = 3

    def orders(self, view: Observations) -> Bids:
        """Order as at full capacity while there is war, else as a restrained firm."""
        war = self.at_war(view)
        return _either(war, FullCapacity().orders(view), Restrained().orders(view))

    def offers(self, view: Observations) -> Bids:
        """Offer as at full capacity while there is war, else as a restrained firm."""
        war = self.at_war(view)
        return _either(war, FullCapacity().offers(view), Restrained().offers(view))

    def at_war(self, view: Observations) -> Bools:
        """Whether this month belongs to a price war, shape (games,)."""
        left = np.zeros(view.games, int)
        for month in range(1, view.month):
            left = np.where(left > 0, left - 1, took_more(view, month) * self.war)
        return left > 0


def took_more(view: Observations, month: int) -> Bools:
    """Whether any firm ordered more than the largest share of a month takes, shape (games,)."""
    hand = -(-best_for_all(view, month).sum(axis=0) // view.players)
    takes = max(map(sum, view.rules.production)) * hand
    more: Bools = (weighed((1, 1, 1), view.ordered[month - 1]) > takes).any(axis=0)
    return more


def _either(war: Bools, full: Bids, restrained: Bids) -> Bids:
    return Bids(*(np.where(war, *pair) for pair in zip(full, restrained, strict=True)))
