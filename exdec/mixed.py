"""Different strategies at the same seat of games that are played side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from exdec.arrays import Ints
from exdec.bots.strategy import Strategy
from exdec.observations import Bids, Observations


@dataclass(frozen=True, eq=False)
class Mixed(Strategy):
    """A seat that other strategies take in other games.

    A strategy takes about as long for one game as for a hundred, so each is asked once for all of
    its games.

    Parameters
    ----------
    strategies : sequence of Strategy
    who : array, shape (games,)
        The number of the strategy that plays each game.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> from exdec.batch import play_block
    >>> from exdec.bots import Cautious, FullCapacity
    >>> bots = [Cautious(), FullCapacity()]
    >>> seats = [Mixed(bots, np.array([0, 1, 0])), Mixed(bots, np.array([1, 0, 1]))]
    >>> played = play_block(STANDARD.vary(months=1), seats, games=3, seed=1)
    >>> played.batch.ordered[0].sum(axis=1).tolist()
    [[9, 18, 9], [18, 9, 18]]
    """

    strategies: Sequence[Strategy]
    who: Ints

    def orders(self, view: Observations) -> Bids:
        """Let each strategy order in its games."""
        return self._together(view, [bot.orders(some) for bot, some in self._views(view)])

    def offers(self, view: Observations) -> Bids:
        """Let each strategy offer in its games."""
        return self._together(view, [bot.offers(some) for bot, some in self._views(view)])

    def _parts(self) -> list[tuple[Strategy, Ints]]:
        numbers = np.unique(self.who).tolist()
        return [(self.strategies[number], np.flatnonzero(self.who == number)) for number in numbers]

    def _views(self, view: Observations) -> list[tuple[Strategy, Observations]]:
        return [(bot, _some(view, games)) for bot, games in self._parts()]

    def _together(self, view: Observations, answers: Sequence[Bids]) -> Bids:
        units, prices = (np.empty((3, view.games), view.cash.dtype) for _ in Bids._fields)
        for (_, games), bids in zip(self._parts(), answers, strict=True):
            units[:, games], prices[:, games] = bids
        return Bids(units, prices)


def _some(view: Observations, games: Ints) -> Observations:
    """The same view of some of the games."""

    def pick(values: Ints) -> Ints:
        return values.take(games, axis=-1)

    return replace(
        view,
        material_prices=pick(view.material_prices),
        good_prices=pick(view.good_prices),
        certificates=pick(view.certificates),
        cash=pick(view.cash),
        ordered=pick(view.ordered),
        offered=pick(view.offered),
        posted_materials=pick(view.posted_materials),
        posted_goods=pick(view.posted_goods),
        heaps=lambda: pick(view.cost),
        luck=lambda rows: view.luck(rows).take(games, axis=-1),
    )
