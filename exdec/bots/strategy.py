"""What the strategies of this package share: one body each, for one game and for thousands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from exdec.items import GOODS, MATERIALS
from exdec.model import Order
from exdec.observations import Bids, Observations
from exdec.observe import Observation


class Strategy(ABC):
    """A strategy written on arrays; a single game is a batch of one.

    A strategy keeps nothing between moves: all it remembers is in the view, so a game can be
    taken back, resumed, or played a thousand times over.

    Attributes
    ----------
    draws : bool
        Whether it leaves anything to chance (`view.draw`). Games in which nobody does are all the
        same game, so a tournament plays one of them.
    """

    draws: ClassVar[bool] = False

    @abstractmethod
    def orders(self, view: Observations) -> Bids:
        """Bid for materials in every game: units and prices, shape (3, games)."""

    @abstractmethod
    def offers(self, view: Observations) -> Bids:
        """Offer goods in every game: units and prices, shape (3, games)."""

    def order(self, view: Observation) -> Order:
        """Bid for materials in one game: ``{grade: (units, price)}``."""
        return self.orders(Observations.of([view])).lines(0, MATERIALS)

    def offer(self, view: Observation) -> Order:
        """Offer goods in one game: ``{good: (units, price)}``."""
        return self.offers(Observations.of([view])).lines(0, GOODS)
