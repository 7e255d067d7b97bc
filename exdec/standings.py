"""What came out of a tournament: tables, and sentences about them."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib.util import find_spec
from itertools import permutations
from math import isnan, nan, sqrt
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from exdec.errors import ExdecError, TurnError, shown
from exdec.items import GOODS, MATERIALS
from exdec.sums import SHARES, Sums
from exdec.tournament_charts import (
    amount,
    head_to_head_figure,
    percent,
    prices_figure,
    ranking_figure,
    ranking_sentence,
    rows_of,
    versus,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from exdec.tournament import Tournament

SURE = 1.96
"""Standard errors to either side of a mean that make a 95 % interval."""

PERCENTS = (5, 25, 50, 75, 95)


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


@dataclass(frozen=True, repr=False)
class Standings:
    """The tables of a tournament, finished or not; worked out when first asked for.

    **Means and intervals.** For one number of players, a mean m is over all combinations that a
    strategy (or a pair of strategies) played in, each of which counts the same. Its 95 % interval
    is the mean ± 1.96 standard errors. Games of one combination are alike, so the error has two
    parts (two-stage sampling: Cochran, *Sampling Techniques*, chapter 10): chance within
    combinations, and, as far as not every combination was played, what the choice of combinations
    adds. With f the part of all combinations that was played, and in each combination k of the C
    played: n_k games, mean m_k and variance s_k² (0 where nobody draws chance),

        error² = f · Σ (s_k² / n_k) / C² + (1 − f) · Σ (m_k − m)² / (C (C − 1))

    Where nothing is left to chance and every combination was played, the mean is exact: the error
    is 0, and the interval is the mean alone.

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
            means: defaultdict[str, list[Any]] = defaultdict(list)
            cells = self.sums.cells[players]
            for at, combination in self._played_by(players):
                for (number,), weights in _weights(combination, 1):
                    name = self.tournament.names[number]
                    games[name] += int(cells.games[at])
                    means[name].append(cells.profit[at] @ weights / cells.games[at])
            for name in filter(means.__contains__, self.tournament.names):
                path = (sum(means[name]) / len(means[name]) / SHARES).tolist()
                rows += [[players, name, month, games[name], m] for month, m in enumerate(path, 1)]
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
            every price is counted; where nobody draws chance, a game counts for all that it
            stands for.
        """
        import pandas as pd

        rows = []
        for players in self.tournament.players:
            if players in self.sums.prices:
                counted = self.sums.prices[players]
                quantiles = counted.quantiles(PERCENTS)
                games = int(self.sums.cells[players].games.sum())
                for at, item in enumerate((*MATERIALS, *GOODS)):
                    for month in range(quantiles.shape[1]):
                        dollars_ = quantiles[:, month, at].tolist()
                        rows.append([players, item.value, month + 1, games, *dollars_])
        columns = ["players", "item", "month", "games", *(f"p{p}" for p in PERCENTS)]
        return pd.DataFrame(rows, columns=columns)

    def save(self, path: str | Path) -> list[Path]:
        """Write the four tables to files: the ranking under this name, the others beside it.

        The ranking and the head-to-head table begin with a column ``players``, a whole number: 0
        for the games of all numbers of players, or the one whose games alone are meant.

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
            Another ending; no such folder; or Parquet, and pyarrow is not installed.
        """
        import pandas as pd

        path = writable(path)
        parts = {0: self} | {players: self.at(players) for players in self.tournament.players}
        tables = [
            pd.concat({key: part.ranking for key, part in parts.items()}),
            pd.concat({key: part.head_to_head for key, part in parts.items()}),
            self.by_month,
            self.prices,
        ]
        written = []
        for file, table in zip(files(path), tables, strict=True):
            if "players" not in table:
                table = table.reset_index(level=0, names="players")
            if path.suffix == ".csv":
                table.to_csv(file, index=False)
            else:
                table.to_parquet(file, index=False)
            written.append(file)
        return written

    # -- text ------------------------------------------------------------------------------------

    def __str__(self) -> str:
        width = get_terminal_size().columns
        parts = [self._places(), *self._matrices(width)]
        said = [fill(one, width, break_on_hyphens=False) for one in self.sentences]
        notes = [fill(one, width, break_on_hyphens=False) for one in self.notes]
        return "\n\n".join([fill(self.head, width), *parts, "\n".join(notes), *said])

    __repr__ = __str__

    def show(self) -> None:
        """Show the table and the charts of it below the cell of a notebook that runs now."""
        from IPython.display import display

        charts = [ranking_figure(self), head_to_head_figure(self)]
        prices = [prices_figure(self, players) for players in sorted(self.sums.prices)]
        for part in (self, *charts, *prices):
            display(part)  # type: ignore[no-untyped-call]

    def _places(self) -> str:
        from exdec.text import columns

        rows = [["", "strategy", "profit a game", "wins"]]
        for place, row in enumerate(rows_of(self.ranking), start=1):
            name = self._marked(row.strategy)
            rows.append([str(place), name, amount(row), percent(row.wins)])
        return columns(rows, left=[1])

    def _marked(self, name: str) -> str:
        """A strategy's name, marked if it lost moves."""
        lost = {self.tournament.names[number] for number in self.sums.faults}
        return f"{name} (*)" if name in lost else name

    def _repr_html_(self) -> str:
        from exdec.theme import STYLESHEET

        rows = "".join(
            f"<tr><td>{place}<th scope=row class=exdec-item>"
            f"{escape(self._marked(row.strategy))}<td>{amount(row)}"
            f"<td>{percent(row.wins)}"
            for place, row in enumerate(rows_of(self.ranking), start=1)
        )
        said = "".join(f"<p>{escape(one)}</p>" for one in (*self.sentences, " ".join(self.notes)))
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
        said = [self._first()]
        plan = self.tournament
        if not self.complete:
            said.append(
                f"Stopped early: {self.games:,} of {plan.planned:,} games are in this table."
            )
        for number, faults in sorted(self.sums.faults.items()):
            moves = sum(
                int(self.sums.cells[players].games[at]) * combination.count(number)
                for players in plan.players
                for at, combination in self._played_by(players)
            )
            moves *= 2 * plan.rules.months
            said.append(
                f"{self._marked(plan.names[number])} lost {faults.count:,} moves of {moves:,} by "
                f"its own mistakes. For example: {faults.example}"
            )
        return said

    def _first(self) -> str:
        """Who is ahead; of a tournament that was stopped, whether that can be said."""
        plan = self.tournament
        combinations = sum(plan.counts.values())
        missing = combinations - sum(1 for n in plan.players for _ in self._played_by(n))
        if not missing or not self.games:
            return ranking_sentence(self.ranking, self.head_to_head)
        first = next(iter(rows_of(self.ranking)))
        unseen = list(self.ranking.query("games == 0")["strategy"])
        none = f"{_listed(unseen)} {'have' if len(unseen) > 1 else 'has'} none. " if unseen else ""
        return (
            f"There is no winner to name: {missing:,} of {combinations:,} combinations have no "
            f"game yet. {none}So far {first.strategy} has the highest mean profit, "
            f"{amount(first)}, but not everyone has met everyone."
        )

    @property
    def notes(self) -> list[str]:
        """How to read the tables, a sentence for each thing that needs one."""
        plan = self.tournament
        many = len(plan.players) > 1
        over = (
            f", over tables of {_listed([str(n) for n in plan.players])} players alike"
            if many
            else ""
        )
        said = [
            f"Profit is the mean of a game{over}. Wins: how often it made the most at its table; "
            "equal profits share the win. These are two aims: who earns well may still come second."
        ]
        if len(plan.names) > min(plan.players) or many:
            said.append("Wins need not add up to 100 %, for not everyone sits at every table.")
        halves = (self.ranking["profit_high"] - self.ranking["profit"]).tolist()
        if any(half > 0 for half in halves):
            said.append("±: the true mean lies so near, 19 times in 20.")
        if any(row.games and isnan(row.profit_high) for row in rows_of(self.ranking)):
            said.append("± ?: too few games to tell how near the true mean lies.")
        some = [plan.by_chance(one) for n in plan.players for one in plan.combinations(n)]
        asked = plan.games * len(plan.players)
        if not any(some):
            said.append(
                f"Nobody here draws chance, so each seating is one game: {plan.planned:,} games in "
                "all. More would be the same again"
                + (", and there is no ± for luck." if not any(half > 0 for half in halves) else ".")
            )
        elif not all(some):
            said.append(
                f"Where nobody draws chance, each seating is one game and counts for all of its "
                f"kind: {plan.planned:,} games in all."
            )
        elif plan.planned != asked:
            said.append(
                f"{plan.planned:,} games, where {asked:,} were asked for: every seating of every "
                "combination has equally many."
            )
        return said

    def _matrices(self, width: int) -> list[str]:
        """Who makes how much more than whom, a line for each strategy, as wide as the screen."""
        from exdec.text import columns

        names = list(self.ranking["strategy"])
        found = {(row.strategy, row.rival): row for row in rows_of(self.head_to_head)}
        cells = {pair: versus(row) for pair, row in found.items()}
        left = [["", ""], *([str(place), name] for place, name in enumerate(names, start=1))]
        room = width - max(map(len, columns(left, left=[1]).splitlines()))
        each = 2 + max(map(len, [*cells.values(), "13"]))
        across = max(room // each, 1)
        legend = (
            "Head to head: dollars a game that the strategy in the row makes more than that in "
        )
        legend += "the column (by its place), when both play."
        shown_ = set(cells.values())
        legend += " ·: it may be chance." * ("·" in shown_)
        legend += " Blank: they have not met." * ("" in shown_)
        parts = []
        for start in range(0, len(names), across):
            some = names[start : start + across]
            rows = [[*left[0], *(str(start + place) for place in range(1, len(some) + 1))]]
            for name, head in zip(names, left[1:], strict=True):
                rows.append([*head, *(cells.get((name, rival), "") for rival in some)])
            parts.append(columns(rows, left=[1]))
        return [f"{fill(legend, width)}\n{parts[0]}", *parts[1:]]

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
                by_chance = self.tournament.by_chance(combination)
                for entrants, weights in _weights(combination, together):
                    of_squares = int(weights @ squares[at] @ weights) if by_chance else None
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


def estimate(parts: Sequence[tuple[int, int, int | None]], of_all: int, unit: int = 1) -> Estimate:
    """Estimate a mean from the combinations that were played; `Standings` gives the formula.

    Parameters
    ----------
    parts : sequence of (int, int, int or None)
        For each combination: its games, the sum over them, and the sum of the squares; None if
        nothing in its games is left to chance.
    of_all : int
        How many combinations there are, played or not.
    unit : int
        What the sums count in: so many make 1.

    Examples
    --------
    Two combinations of ten, with two games each that end at $1 and $3, and at $5 and $7. Within
    combinations f · Σ s² / n / C² = 0.2 · (2 / 2 + 2 / 2) / 4 = 0.1; between them
    0.8 · 2 · (2² + 2²) / 4 = 3.2.

    >>> found = estimate([(2, 1 + 3, 1 + 9), (2, 5 + 7, 25 + 49)], of_all=10)
    >>> found.mean, round(found.error**2, 9)
    (4.0, 3.3)
    """
    played = len(parts)
    means = [total / n for n, total, _ in parts]
    mean = sum(means) / played
    # Whole numbers up to the division: what is nearly equal is subtracted without loss.
    within = sum(
        (n * squares - total**2) / (n**2 * (n - 1)) if n > 1 else nan
        for n, total, squares in parts
        if squares is not None
    )
    f = played / of_all
    variance = f * within / played**2
    if f < 1:
        apart = sum((one - mean) ** 2 for one in means)
        variance += (1 - f) * (apart / (played - 1) if played > 1 else nan) / played
    return Estimate(sum(n for n, _, _ in parts), mean / unit, sqrt(variance) / unit)


ENDINGS = ("", "-head-to-head", "-by-month", "-prices")
"""What the names of the four files add to the one that is given."""


def files(path: Path) -> list[Path]:
    """The files that `Standings.save` writes.

    Examples
    --------
    >>> [file.name for file in files(Path("mine.csv"))]
    ['mine.csv', 'mine-head-to-head.csv', 'mine-by-month.csv', 'mine-prices.csv']
    """
    return [path.with_stem(path.stem + ending) for ending in ENDINGS]


def writable(path: str | Path) -> Path:
    """Check that tables can be written under this name.

    Raises
    ------
    ExdecError
        The ending is neither ``.csv`` nor ``.parquet``; there is no such folder, or nothing can be
        written there; or Parquet, and pyarrow is not installed.
    """
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise ExdecError(f"Tables are written as .csv or .parquet; {path.name!r} is neither.")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ExdecError(
            "Parquet files need a package that is not installed: pip install 'exdec[parquet]'. "
            "Or give a name that ends in .csv."
        )
    if not path.parent.is_dir():
        raise ExdecError(f"There is no folder {path.parent}. Make it, or choose another.")
    if not os.access(path.parent, os.W_OK):
        raise ExdecError(f"Nothing can be written in {path.parent}. Choose another folder.")
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
