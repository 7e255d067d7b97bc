"""What a tournament keeps of its games: exact whole-number sums, and no game.

Sums of whole numbers are the same in whatever order they are added, so a table made of them does
not depend on who played which games and when they came back. They take the same room for a
thousand games as for a billion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from exdec.arrays import Ints

SHARES = 60
"""What a win is counted in, so that a share of it is whole: up to six share one."""


@dataclass(frozen=True)
class Cells:
    """Games of some combinations of strategies, summed up for each of them.

    Parameters
    ----------
    games : array, shape (combinations,)
    profit : array, shape (combinations, months, places)
        Sums of dollars after each month, for each place in the combination (and not each seat).
    profit_squares : array, shape (combinations, places, places)
        Sums of the products of any two final profits, as Python's own whole numbers, which never
        overflow. The squares of differences in the same game follow from these.
    wins, win_squares : array, shape (combinations, places) and (combinations, places, places)
        The same of shares in wins, in sixtieths.
    """

    games: Ints
    profit: Ints
    profit_squares: npt.NDArray[np.object_]
    wins: Ints
    win_squares: Ints

    @classmethod
    def empty(cls, combinations: int, months: int, players: int) -> Cells:
        """No games yet."""
        return cls(
            games=np.zeros(combinations, np.int64),
            profit=np.zeros((combinations, months, players), np.int64),
            profit_squares=np.zeros((combinations, players, players), object),
            wins=np.zeros((combinations, players), np.int64),
            win_squares=np.zeros((combinations, players, players), np.int64),
        )

    @classmethod
    def of(cls, profit: Ints, combinations: int) -> Cells:
        """Sum up games, of which each combination has equally many, one after another.

        Parameters
        ----------
        profit : array, shape (months, places, games)
            Dollars after each month.
        combinations : int
        """
        months, players, games = profit.shape
        profit = profit.astype(np.int64).reshape(months, players, combinations, -1)
        final = profit[-1]
        won = final == final.max(axis=0)
        wins = SHARES // won.sum(axis=0) * won
        if int(np.abs(final).max()) ** 2 * games >= 1 << 63:
            final = final.astype(object)
        return cls(
            games=np.full(combinations, games // combinations),
            profit=profit.sum(axis=-1).transpose(2, 0, 1),
            profit_squares=_products(final).astype(object),
            wins=wins.sum(axis=-1).T,
            win_squares=_products(wins),
        )

    def add(self, first: int, other: Cells) -> None:
        """Add sums for some combinations, from number `first` on."""
        some = slice(first, first + len(other.games))
        for name in self.__dataclass_fields__:
            getattr(self, name)[some] += getattr(other, name)


def _products(values: Any) -> Any:
    """Sums of the products of any two rows: (rows, combinations, games) to one matrix each."""
    by_combination = values.swapaxes(0, 1)
    return by_combination @ by_combination.swapaxes(1, 2)


@dataclass(frozen=True)
class PriceCounts:
    """How often each price was posted: exact histograms, as wide as the prices lie apart.

    Parameters
    ----------
    low : int
        Dollars that the first place of a histogram stands for.
    counts : array, shape (months, 6, dollars)
        Games in which X, F, S, A, B, C posted at `low`, `low` + 1, … in each month.
    """

    low: int
    counts: Ints

    @classmethod
    def of(cls, posted: Ints) -> PriceCounts:
        """Count posted prices, shape (months, 6, games)."""
        low = int(posted.min())
        span = int(posted.max()) - low + 1
        months, items, _ = posted.shape
        rows = np.arange(months * items).reshape(months, items, 1) * span
        counts = np.bincount((rows + posted - low).ravel(), minlength=months * items * span)
        return cls(low, counts.reshape(months, items, span))

    def __add__(self, other: PriceCounts) -> PriceCounts:
        low = min(self.low, other.low)
        high = max(one.low + one.counts.shape[-1] for one in (self, other))
        counts = np.zeros((*self.counts.shape[:2], high - low), np.int64)
        for one in (self, other):
            at = one.low - low
            counts[..., at : at + one.counts.shape[-1]] += one.counts
        return PriceCounts(low, counts)

    def quantiles(self, percents: Sequence[int]) -> Ints:
        """Lowest prices that so many games in a hundred do not exceed, (percents, months, 6)."""
        upto = self.counts.cumsum(axis=-1)
        games = upto[..., -1:]
        return self.low + np.stack([(100 * upto < p * games).sum(axis=-1) for p in percents])


@dataclass(frozen=True)
class Faults:
    """What an entrant's own code did wrong.

    Parameters
    ----------
    count : int
        Moves lost.
    where : tuple of int
        Where the example comes from in the plan: the first stands, whoever comes back first.
    example : str
        One of these faults, as a sentence.
    """

    count: int
    where: tuple[int, ...]
    example: str

    def __add__(self, other: Faults) -> Faults:
        first = min(self, other, key=lambda faults: faults.where)
        return replace(first, count=self.count + other.count)


class Sums:
    """All that is kept of the games played so far.

    Parameters
    ----------
    combinations : mapping of int to int
        How many combinations there are for each number of players.
    months : int

    Attributes
    ----------
    cells : dict of int to Cells
        By the number of players.
    prices : dict of int to PriceCounts
        By the number of players, where there are games.
    faults : dict of int to Faults
        By the number of the entrant.
    """

    def __init__(self, combinations: Mapping[int, int], months: int) -> None:
        self.cells = {
            players: Cells.empty(count, months, players) for players, count in combinations.items()
        }
        self.prices: dict[int, PriceCounts] = {}
        self.faults: dict[int, Faults] = {}

    @property
    def games(self) -> int:
        """How many games these are."""
        return sum(int(cells.games.sum()) for cells in self.cells.values())

    def add(self, part: Part) -> None:
        """Add a block of games."""
        self.cells[part.players].add(part.first, part.cells)
        counted = self.prices.get(part.players)
        self.prices[part.players] = part.prices + counted if counted else part.prices
        for entrant, faults in part.faults.items():
            known = self.faults.get(entrant)
            self.faults[entrant] = faults + known if known else faults


@dataclass(frozen=True)
class Part:
    """A block of games, summed up.

    Parameters
    ----------
    players : int
    first : int
        The number of the first combination of `cells`.
    cells : Cells
    prices : PriceCounts
    faults : dict of int to Faults
    """

    players: int
    first: int
    cells: Cells
    prices: PriceCounts
    faults: dict[int, Faults] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games these are."""
        return int(self.cells.games.sum())
