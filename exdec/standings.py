"""What came out of a tournament: tables, and sentences about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.util import find_spec
from itertools import permutations
from math import nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exdec.errors import ExdecError, TurnError, shown
from exdec.items import GOODS, MATERIALS
from exdec.sums import PARTS, Cell, Sums
from exdec.tournament_charts import amount, percent, ranking_sentence, rows_of, versus

if TYPE_CHECKING:
    import pandas as pd

    from exdec.tournament import Tournament

SURE = 1.96
"""Standard errors to either side of a mean that make a 95 % interval."""

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


@dataclass(frozen=True)
class Standings:
    """The tables of a tournament, finished or not.

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
        return sum(cell.games for cell in self._cells().values())

    @property
    def complete(self) -> bool:
        """Whether all games that were planned have been played."""
        return self.games == self.tournament.planned

    @property
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

        rows = []
        for number, name in enumerate(self.tournament.names):
            profit, wins = (self._mean(measure, number) for measure in (0, 1))
            rows.append([name, profit.games, *_interval(profit), *_interval(wins)])
        columns = ["strategy", "games", *_named("profit"), *_named("wins")]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.sort_values("profit", ascending=False, kind="stable", ignore_index=True)

    @property
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
        rows = []
        for name, rival in permutations(self.ranking["strategy"], 2):
            estimate = self._mean(0, numbers[name], numbers[rival])
            rows.append([name, rival, estimate.games, *_interval(estimate)])
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
            for number, name in enumerate(self.tournament.names):
                found = list(self._with(players, number))
                games = sum(cell.games for _, cell in found)
                for month in range(self.tournament.rules.months if games else 0):
                    total = sum(cell.by_month[month, at[number]] for at, cell in found)
                    rows.append([players, name, month + 1, games, total / games / PARTS])
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
        parts = {"all": self} | {str(players): self.at(players) for players in self._played}
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
        table = columns(rows, left=[1])
        return "\n\n".join([self.head, table, self._matrix(), *self.sentences])

    def _repr_html_(self) -> str:
        from exdec.theme import STYLESHEET

        rows = "".join(
            f"<tr><td>{place}<th scope=row>{escape(row.strategy)}<td>{amount(row)}"
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

    @property
    def _played(self) -> list[int]:
        return sorted({players for players, _ in self._cells()})

    def _cells(self) -> dict[tuple[int, tuple[int, ...]], Cell]:
        return {
            key: cell for key, cell in self.sums.cells.items() if key[0] in self.tournament.players
        }

    def _mean(self, measure: int, entrant: int, rival: int | None = None) -> Estimate:
        """Mean profit (measure 0) or win share (1), or what is made more than a rival."""
        by_players = []
        both = (entrant,) if rival is None else (entrant, rival)
        for players in self.tournament.players:
            parts = []
            for at, cell in self._with(players, *both):
                total, squares = cell.total[measure], cell.squares[measure]
                i = at[entrant]
                if rival is None:
                    parts.append((cell.games, total[i], squares[i, i]))
                else:
                    j = at[rival]
                    of_difference = squares[i, i] - 2 * squares[i, j] + squares[j, j]
                    parts.append((cell.games, total[i] - total[j], of_difference))
            if parts:
                of_all = self.tournament.of_all(players, len(both))
                by_players.append(estimate(parts, of_all))
        return _average(by_players)

    def _with(self, players: int, *entrants: int) -> Iterator[tuple[dict[int, int], Cell]]:
        """Combinations in which all of these play: each entrant's place in the cell, and it."""
        for (n, combination), cell in self.sums.cells.items():
            if n == players and all(entrant in combination for entrant in entrants):
                yield {one: at for at, one in enumerate(sorted(set(combination)))}, cell


def estimate(parts: Sequence[tuple[int, int, int]], of_all: int) -> Estimate:
    """Estimate a mean from the combinations that were played; `Standings` gives the formula.

    Parameters
    ----------
    parts : sequence of (int, int, int)
        For each combination: its games, the sum over them, and the sum of the squares; in `PARTS`.
    of_all : int
        How many combinations there are, played or not.

    Examples
    --------
    Two combinations of ten, with two games each that end at $1 and $3, and at $5 and $7. Within
    combinations f · Σ n s² / n² = 0.2 · (2 · 2 + 2 · 2) / 16 = 0.1; between them
    0.8 · 2 · (2² · 2² + 2² · 2²) / 16 = 3.2.

    >>> games = [(1, 3), (5, 7)]
    >>> parts = [(2, PARTS * sum(g), PARTS**2 * sum(x * x for x in g)) for g in games]
    >>> found = estimate(parts, of_all=10)
    >>> found.mean, round(found.error**2, 9)
    (4.0, 3.3)
    """
    games = sum(n for n, _, _ in parts)
    sum_ = sum(total for _, total, _ in parts)
    played = len(parts)
    f = played / of_all
    # Whole numbers up to the division: what is nearly equal is subtracted without loss.
    within = sum(
        (n * squares - total**2) / (n - 1) if n > 1 else nan for n, total, squares in parts
    )
    variance = f * within / games**2
    if f < 1:
        apart = sum((total * games - n * sum_) ** 2 for n, total, _ in parts) / games**2
        variance += (1 - f) * (played / (played - 1) * apart if played > 1 else nan) / games**2
    return Estimate(games, sum_ / games / PARTS, sqrt(variance) / PARTS)


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
    if not estimates:
        return Estimate(0, nan, nan)
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
