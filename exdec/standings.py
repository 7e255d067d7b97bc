"""What came out of a tournament: tables, and sentences about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib.util import find_spec
from itertools import permutations
from math import nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exdec.errors import ExdecError, TurnError, shown
from exdec.items import GOODS, MATERIALS
from exdec.sums import SHARES, Sums
from exdec.tournament_charts import amount, percent, ranking_sentence, rows_of, versus

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from exdec.tournament import Tournament

SURE = 1.96
"""Standard errors to either side of a mean that make a 95 % interval."""

MARGIN = "±: the mean of all games that there could be lies so near, 19 times in 20."

PERCENTS = (5, 25, 50, 75, 95)

WIDEST = 12
"""Strategies that the head-to-head table has columns for; more do not fit on a screen."""


class Estimate(NamedTuple):
    """A mean over all games of its kind, as far as those that were played tell.

    Parameters
    ----------
    games : int
        Games it comes from.
    mean : float
        NaN if there are none.
    error : float
        Its standard error; NaN where too few games tell nothing about it.
    """

    games: int
    mean: float
    error: float

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - SURE * self.error

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + SURE * self.error


UNKNOWN = Estimate(0, nan, nan)


@dataclass(frozen=True)
class Standings:
    """The tables of a tournament, finished or not; worked out when first asked for.

    **Means and intervals.** For one number of players, a mean is over all games that a strategy
    (or a pair of strategies) played. Its 95 % interval is the mean ± 1.96 standard errors. Games
    of one combination are alike, so the error has two parts (two-stage sampling: Cochran,
    *Sampling Techniques*, chapter 10): chance within combinations, and, as far as not every
    combination was played, what the choice of combinations adds. With f the part of all
    combinations that was played, n games, and in each combination k of the C played: n_k games,
    mean m_k and variance s_k²,

        error² = f · Σ n_k s_k² / n² + (1 − f) · C / (C − 1) · Σ n_k² (m_k − m)² / n²

    Head-to-head is paired: it takes the difference of two profits in the same game, so that what
    hits both alike (a glut, a good year) falls out. Over several numbers of players, each counts
    the same. A strategy in several seats of one game counts with the mean of its seats.

    Parameters
    ----------
    tournament : Tournament
    sums : Sums
        What was played of it.
    """

    tournament: Tournament
    sums: Sums

    # -- tables ----------------------------------------------------------------------------------

    def at(self, players: int) -> Standings:
        """The standings of the games of one number of players alone.

        Raises
        ------
        TurnError
            The tournament has no such games.
        """
        if players not in self.tournament.players:
            there = " or ".join(map(str, self.tournament.players))
            raise TurnError(f"This tournament has games of {there} players, not {shown(players)}.")
        return Standings(replace(self.tournament, players=(players,)), self.sums)

    @property
    def games(self) -> int:
        """How many games are in these tables."""
        return sum(int(self.sums.cells[n].games.sum()) for n in self.tournament.players)

    @property
    def complete(self) -> bool:
        """Whether all games that were planned have been played."""
        return self.games == self.tournament.planned

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """Who does best.

        Returns
        -------
        pandas.DataFrame
            A row for each strategy, the highest mean profit first: ``strategy``, ``games``,
            ``profit`` (mean dollars a game), ``profit_low`` and ``profit_high`` (its 95 %
            interval), ``wins`` (mean share of the win, from 0 to 1: equal profits share it),
            ``wins_low`` and ``wins_high``.
        """
        import pandas as pd

        profits, wins = self._means(1), self._means(1, of_wins=True)
        rows = []
        for number, name in enumerate(self.tournament.names):
            profit, won = profits.get((number,), UNKNOWN), wins.get((number,), UNKNOWN)
            rows.append([name, profit.games, *_interval(profit), *_interval(won)])
        columns = ["strategy", "games", *_named("profit"), *_named("wins")]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.sort_values("profit", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def head_to_head(self) -> pd.DataFrame:
        """Who makes more than whom, in the games that both play.

        Returns
        -------
        pandas.DataFrame
            A row for each ordered pair, in the order of `ranking`: ``strategy``, ``rival``,
            ``games``, ``difference`` (mean dollars that the strategy makes more than the rival in
            the same game), ``difference_low`` and ``difference_high`` (its 95 % interval).
        """
        import pandas as pd

        numbers = {name: number for number, name in enumerate(self.tournament.names)}
        differences = self._means(2)
        rows = []
        for name, rival in permutations(self.ranking["strategy"], 2):
            found = differences.get((numbers[name], numbers[rival]), UNKNOWN)
            rows.append([name, rival, found.games, *_interval(found)])
        columns = ["strategy", "rival", "games", *_named("difference")]
        return pd.DataFrame(rows, columns=columns)

    @property
    def by_month(self) -> pd.DataFrame:
        """How profits grow.

        Returns
        -------
        pandas.DataFrame
            A row for each number of players, strategy and month: ``players``, ``strategy``,
            ``month`` (from 1), ``games``, ``profit`` (mean dollars up to that month's end,
            certificates counted at its posted prices).
        """
        import pandas as pd

        rows = []
        for players in self.tournament.players:
            games: Counter[str] = Counter()
            total: defaultdict[str, Any] = defaultdict(int)
            cells = self.sums.cells[players]
            for at, combination in self._played_by(players):
                for (number,), weights in _weights(combination, 1):
                    name = self.tournament.names[number]
                    games[name] += int(cells.games[at])
                    total[name] = total[name] + cells.profit[at] @ weights
            for name in filter(games.__getitem__, self.tournament.names):
                means = (total[name] / games[name] / SHARES).tolist()
                rows += [[players, name, month, games[name], m] for month, m in enumerate(means, 1)]
        return pd.DataFrame(rows, columns=["players", "strategy", "month", "games", "profit"])

    @property
    def prices(self) -> pd.DataFrame:
        """The prices that this field of strategies makes.

        Returns
        -------
        pandas.DataFrame
            A row for each number of players, item and month: ``players``, ``item`` (X, F, S, A, B,
            C), ``month`` (from 1), ``games``, and ``p5``, ``p25``, ``p50``, ``p75``, ``p95``: the
            lowest whole dollars that 5, 25, … in a hundred posted prices do not exceed. Exact, for
            every price is counted.
        """
        import pandas as pd

        rows = []
        for players in self.tournament.players:
            if players in self.sums.prices:
                counted = self.sums.prices[players]
                quantiles = counted.quantiles(PERCENTS)
                for at, item in enumerate((*MATERIALS, *GOODS)):
                    for month in range(quantiles.shape[1]):
                        games = int(counted.counts[month, at].sum())
                        dollars_ = quantiles[:, month, at].tolist()
                        rows.append([players, item.value, month + 1, games, *dollars_])
        columns = ["players", "item", "month", "games", *(f"p{p}" for p in PERCENTS)]
        return pd.DataFrame(rows, columns=columns)

    def save(self, path: str | Path) -> list[Path]:
        """Write the four tables to files: the ranking under this name, the others beside it.

        The ranking and the head-to-head table begin with a column ``players``: "all", or the
        number of players whose games alone are meant.

        Parameters
        ----------
        path : str or path
            Ends in ``.csv`` or ``.parquet``. Files that are there already are replaced.

        Returns
        -------
        list of Path
            What was written.

        Raises
        ------
        ExdecError
            Another ending; or Parquet, and pyarrow is not installed.
        """
        import pandas as pd

        path = writable(path)
        parts = {"all": self} | {
            str(players): self.at(players) for players in self.tournament.players
        }
        tables = {
            "": pd.concat({key: part.ranking for key, part in parts.items()}),
            "-head-to-head": pd.concat({key: part.head_to_head for key, part in parts.items()}),
            "-by-month": self.by_month,
            "-prices": self.prices,
        }
        written = []
        for ending, table in tables.items():
            if "players" not in table:
                table = table.reset_index(level=0, names="players")
            file = path.with_stem(path.stem + ending)
            if path.suffix == ".csv":
                table.to_csv(file, index=False)
            else:
                table.to_parquet(file, index=False)
            written.append(file)
        return written

    # -- text ------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from exdec.text import columns

        rows = [["", "strategy", "profit a game", "wins"]]
        for place, row in enumerate(rows_of(self.ranking), start=1):
            rows.append([str(place), row.strategy, amount(row), percent(row.wins)])
        table = columns(rows, left=[1]) + f"\n\n{MARGIN}"
        return "\n\n".join([self.head, table, self._matrix(), *self.sentences])

    def _repr_html_(self) -> str:
        from exdec.theme import STYLESHEET

        rows = "".join(
            f"<tr><td>{place}<th scope=row class=exdec-item>{escape(row.strategy)}<td>{amount(row)}"
            f"<td>{percent(row.wins)}"
            for place, row in enumerate(rows_of(self.ranking), start=1)
        )
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return (
            f'<div class="exdec-static mathjax_ignore"><style>{STYLESHEET}</style>'
            f'<div class="exdec exdec-tally"><table><caption>{escape(self.head)}</caption>'
            "<thead><tr><th scope=col>place<th scope=col>strategy<th scope=col>profit a game"
            f"<th scope=col>wins</thead><tbody>{rows}</tbody></table>{said}</div></div>"
        )

    @property
    def head(self) -> str:
        """What was played, in one line."""
        plan = self.tournament
        rules = plan.rules
        months = "1 month" if rules.months == 1 else f"{rules.months} months"
        players = _listed([str(n) for n in plan.players])
        return (
            f"{len(plan.names)} strategies, {self.games:,} games of {players} players, {months}, "
            f"seed {plan.seed}"
        )

    @property
    def sentences(self) -> list[str]:
        """What the tables say: who is ahead, how sure that is, and what went wrong."""
        said = [ranking_sentence(self.ranking, self.head_to_head)]
        if not self.complete:
            said.append(
                f"Stopped early: {self.games:,} of {self.tournament.planned:,} games are in this "
                "table."
            )
        for number, faults in sorted(self.sums.faults.items()):
            moves = "1 move" if faults.count == 1 else f"{faults.count:,} moves"
            said.append(
                f"{self.tournament.names[number]} lost {moves} by its own mistakes. For example: "
                f"{faults.example}"
            )
        return said

    def _matrix(self) -> str:
        """Who makes how much more than whom, a line for each strategy."""
        from exdec.text import columns

        names = list(self.ranking["strategy"])
        across = names[:WIDEST]
        found = {(row.strategy, row.rival): row for row in rows_of(self.head_to_head)}
        rows = [["", "", *map(str, range(1, len(across) + 1))]]
        for place, name in enumerate(names, start=1):
            cells = [versus(found[name, rival]) if name != rival else "" for rival in across]
            rows.append([str(place), name, *cells])
        return (
            "Head to head: dollars a game that the strategy in the row makes more than that in\n"
            "the column (by its place), when both play; · where it may be chance\n"
            + columns(rows, left=[1])
        )

    # -- what the tables are made of -------------------------------------------------------------

    def _played_by(self, players: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The combinations of so many that have games, each with its number."""
        games = self.sums.cells[players].games
        for at, combination in enumerate(self.tournament.combinations(players)):
            if games[at]:
                yield at, combination

    def _means(self, together: int, *, of_wins: bool = False) -> dict[tuple[int, ...], Estimate]:
        """Estimate the profit (or wins) of each entrant; of two together, one less the other."""
        found = defaultdict(list)
        for players in self.tournament.players:
            parts = defaultdict(list)
            cells = self.sums.cells[players]
            sums, squares = (
                (cells.wins, cells.win_squares)
                if of_wins
                else (cells.profit[:, -1], cells.profit_squares)
            )
            for at, combination in self._played_by(players):
                for entrants, weights in _weights(combination, together):
                    of_squares = int(weights @ squares[at] @ weights)
                    parts[entrants].append(
                        (int(cells.games[at]), int(weights @ sums[at]), of_squares)
                    )
            for entrants, some in parts.items():
                of_all = self.tournament.of_all(players, together)
                found[entrants].append(estimate(some, of_all, SHARES ** (1 + of_wins)))
        return {entrants: _average(some) for entrants, some in found.items()}


def _weights(
    combination: tuple[int, ...], together: int
) -> Iterator[tuple[tuple[int, ...], npt.NDArray[np.int64]]]:
    """How much each place counts for each entrant, or for one less another; in `SHARES`."""
    import numpy as np

    each = {
        one: np.array([SHARES // combination.count(one) * (one == place) for place in combination])
        for one in combination
    }
    for entrants in permutations(each, together):
        yield entrants, each[entrants[0]] - sum(each[other] for other in entrants[1:])


def estimate(parts: Sequence[tuple[int, int, int]], of_all: int, unit: int = 1) -> Estimate:
    """Estimate a mean from the combinations that were played; `Standings` gives the formula.

    Parameters
    ----------
    parts : sequence of (int, int, int)
        For each combination: its games, the sum over them, and the sum of the squares.
    of_all : int
        How many combinations there are, played or not.
    unit : int
        What the sums count in: so many make 1.

    Examples
    --------
    Two combinations of ten, with two games each that end at $1 and $3, and at $5 and $7. Within
    combinations f · Σ n s² / n² = 0.2 · (2 · 2 + 2 · 2) / 16 = 0.1; between them
    0.8 · 2 · (2² · 2² + 2² · 2²) / 16 = 3.2.

    >>> found = estimate([(2, 1 + 3, 1 + 9), (2, 5 + 7, 25 + 49)], of_all=10)
    >>> found.mean, round(found.error**2, 9)
    (4.0, 3.3)
    """
    games = sum(n for n, _, _ in parts)
    total = sum(sum_ for _, sum_, _ in parts)
    played = len(parts)
    f = played / of_all
    # Whole numbers up to the division: what is nearly equal is subtracted without loss.
    within = sum((n * squares - sum_**2) / (n - 1) if n > 1 else nan for n, sum_, squares in parts)
    variance = f * within / games**2
    if f < 1:
        apart = sum((sum_ * games - n * total) ** 2 for n, sum_, _ in parts) / games**2
        variance += (1 - f) * (played / (played - 1) * apart if played > 1 else nan) / games**2
    return Estimate(games, total / games / unit, sqrt(variance) / unit)


def writable(path: str | Path) -> Path:
    """Check that a table can be written under this name.

    Raises
    ------
    ExdecError
        The ending is neither ``.csv`` nor ``.parquet``; or Parquet, and pyarrow is not installed.
    """
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise ExdecError(f"Tables are written as .csv or .parquet; {path.name!r} is neither.")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ExdecError(
            "Parquet files need a package that is not installed: pip install 'exdec[parquet]'. "
            "Or give a name that ends in .csv."
        )
    return path


def _average(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates, each of which counts the same."""
    games, means, errors = zip(*estimates, strict=True)
    return Estimate(
        sum(games), sum(means) / len(means), sqrt(sum(e**2 for e in errors)) / len(errors)
    )


def _interval(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.mean, estimate.low, estimate.high


def _named(measure: str) -> tuple[str, str, str]:
    return measure, f"{measure}_low", f"{measure}_high"


def _listed(words: Sequence[str]) -> str:
    """Write "2", "2 and 3" or "2, 3 and 4"."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
