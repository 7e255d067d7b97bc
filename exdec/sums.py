"""What a tournament keeps of its games: exact whole-number sums, and no game.

Sums of whole numbers are the same in whatever order they are added, so a table made of them does
not depend on who played which games and when they came back. They take the same room for a
thousand games as for a billion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from exdec.arrays import Bools, Ints

Key: TypeAlias = tuple[int, tuple[int, ...]]
"""How many play, and which entrants (their numbers, in order; a number may occur twice)."""

Whole: TypeAlias = npt.NDArray[np.object_]
"""Python's own whole numbers, which never overflow."""

PARTS = 3600
"""What a dollar and a win are counted in, so that parts of them are whole: up to six share a win,
and a strategy that sits in up to five seats of a game counts with the mean of its seats."""


@dataclass(frozen=True)
class Cell:
    """The games of one combination of strategies, summed up.

    Parameters
    ----------
    games : int
    total : array, shape (2, strategies)
        Sums of profits, and of shares in wins; in `PARTS` of a dollar and of a win.
    squares : array, shape (2, strategies, strategies)
        Sums of the products of any two of them. The squares of the differences in the same games
        follow from these.
    by_month : array, shape (months, strategies)
        Sums of profits after each month.
    """

    games: int
    total: Whole
    squares: Whole
    by_month: Whole

    @classmethod
    def of(cls, seats: Sequence[int], by_month: Ints, wins: Bools) -> Cell:
        """Sum up finished games.

        Parameters
        ----------
        seats : sequence of int
            Which strategy sat in each seat.
        by_month : array, shape (months, players, games)
            Profit after each month.
        wins : array, shape (players, games)
            Who won; equal profits share the win.
        """
        present = sorted(set(seats))
        weights = np.array(
            [[PARTS // seats.count(one) * (seat == one) for seat in seats] for one in present]
        )
        shares = np.rint(weights @ (wins / wins.sum(axis=0))).astype(np.int64)
        values = np.stack([weights @ by_month[-1].astype(np.int64), shares])
        if int(np.abs(values).max()) ** 2 * wins.shape[1] >= 1 << 63:
            values = values.astype(object)
        return cls(
            games=wins.shape[1],
            total=values.sum(axis=-1).astype(object),
            squares=(values @ values.swapaxes(1, 2)).astype(object),
            by_month=(by_month.sum(axis=-1, dtype=np.int64) @ weights.T).astype(object),
        )

    def __add__(self, other: Cell) -> Cell:
        return Cell(
            self.games + other.games,
            self.total + other.total,
            self.squares + other.squares,
            self.by_month + other.by_month,
        )


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
        The first of these games; it decides which example stands, whoever comes back first.
    example : str
        One of these faults, as a sentence.
    """

    count: int
    where: tuple[Any, ...]
    example: str

    def __add__(self, other: Faults) -> Faults:
        first = min(self, other, key=lambda faults: (faults.where, faults.example))
        return replace(first, count=self.count + other.count)


@dataclass
class Sums:
    """All that is kept of the games played so far."""

    cells: dict[Key, Cell] = field(default_factory=dict)
    prices: dict[int, PriceCounts] = field(default_factory=dict)
    faults: dict[int, Faults] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games these are."""
        return sum(cell.games for cell in self.cells.values())

    def add(self, other: Sums) -> None:
        """Add the sums of other games."""
        parts: tuple[tuple[dict[Any, Any], dict[Any, Any]], ...] = (
            (self.cells, other.cells),
            (self.prices, other.prices),
            (self.faults, other.faults),
        )
        for mine, more in parts:
            for key, value in more.items():
                mine[key] = mine[key] + value if key in mine else value
