"""Tournaments: every combination of strategies, in every seat, on any executor.

The plan of a tournament is fixed by its entrants, its size and its seed. It falls into blocks of
games, each with a stream of chance of its own, which can be played anywhere and in any order; what
comes back is added up in whole numbers (`exdec.sums`). So the same seed gives the same table.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from itertools import combinations_with_replacement, zip_longest
from math import comb
from operator import mul
from threading import Event
from typing import NamedTuple, cast

import numpy as np

from exdec.arrays import Ints
from exdec.batch import play_block
from exdec.bots import Bot
from exdec.bots.strategy import Strategy
from exdec.crew import Here, Processes, crew, finished, say, stoppable, uninterrupted, workers_here
from exdec.entrants import draws, entered, guarded, is_ours
from exdec.errors import ExdecError, TurnError, shown
from exdec.game import Game
from exdec.guard import shorter
from exdec.items import whole
from exdec.mixed import Mixed
from exdec.play import Entrant, play_many
from exdec.rules import PLAYERS, STANDARD, Rules
from exdec.standings import Standings
from exdec.sums import Cells, Faults, Part, PriceCounts, Sums

LARGEST, SMALLEST, OWN = 4096, 128, 32
"""How many games are played together: a quarter of those for a number of players, within these
bounds, so that several workers have something to do; fewer where a strategy is asked game by game.
No machine may change this, because other blocks would be other games."""

MOST = 2000
"""Combinations of so many players, at the most: sums are kept for each of them."""


UNGUARDED = (
    "This process plays alone, because others would run the whole script once more: put what it "
    'does below a line if __name__ == "__main__": to let one play for each processor.'
)


class Block(NamedTuple):
    """Games that are played together: a part of the plan.

    Every combination plays the same number of games in each seating; they stand one after another,
    first by combination, then by seating.

    Parameters
    ----------
    players : int
    first, number : int
        The number of the first combination, and which of its blocks this is. With the players they
        name the block, and are its seed.
    combinations : tuple of combinations
    games : int
        For each seating.
    stands_for : int
        How many games of the plan each is: more than one where nobody draws chance.
    """

    players: int
    first: int
    number: int
    combinations: tuple[tuple[int, ...], ...]
    games: int
    stands_for: int = 1

    @property
    def seats(self) -> Ints:
        """The place in the combination of who sits in each seat, shape (players, games)."""
        seat, seating = np.ogrid[: self.players, : self.players]
        one = np.repeat((seat - seating) % self.players, self.games, axis=1)
        return np.tile(one, len(self.combinations))

    @property
    def entrants(self) -> Ints:
        """The number of the entrant in each seat, shape (players, games)."""
        each = self.players * self.games
        by_place = np.repeat(np.array(self.combinations).T, each, axis=1)
        return np.take_along_axis(by_place, self.seats, axis=0)


@dataclass(frozen=True)
class Tournament:
    """The plan of a tournament.

    For each number of players, every combination of so many different entrants plays. Where
    entrants are fewer than seats, every combination in which each of them plays at least once. A
    combination has as many seatings as players: seating 0 is in the order of the entrants, and in
    each following one everyone moves up a seat, the last to the first. All seatings of all
    combinations play equally many games, so every strategy of a combination sits in every seat
    equally often.

    Where nobody in a combination draws chance, all games of a seating are the same game. One is
    played, and the combination counts as much as any other.

    Games are rounded up, so that each seating gets the same number. Where that cannot be because
    there are more seatings than games, or more than 2,000 combinations, the seed picks some at
    random, each combination as likely as another.

    Parameters
    ----------
    entrants : mapping of name to strategy
        A strategy that is not one of this package runs in a process of its own, with a time
        limit for each move; what it does wrong costs it that move, and stands in the table.
    players : sequence of int
        Numbers of players, 2 to 6; one that is named twice counts once.
    games : int
        Games for each number of players.
    seed : int
        From 0; the same seed gives the same table.
    rules : Rules
    drawing : tuple of str, optional
        Those entrants that draw chance; found out by trying if left out.

    Raises
    ------
    TurnError
        Fewer than two entrants, one that cannot be made, or a number of players or games, a seed
        or rules that cannot be.
    """

    entrants: Mapping[str, Bot | type[Bot]]
    players: Sequence[int] = (2, 3, 4)
    games: int = 300
    seed: int = 1
    rules: Rules = STANDARD
    drawing: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.entrants, Mapping):
            raise TurnError(
                f"{shown(self.entrants)} gives the entrants no names. Write {{name: strategy, …}}, "
                "or let run([…]) name them."
            )
        entrants = {name: guarded(name, bot) for name, bot in self.entrants.items()}
        object.__setattr__(self, "entrants", entrants)
        if len(self.entrants) < 2:
            raise TurnError("A tournament takes at least two strategies. Name another.")
        object.__setattr__(self, "players", _numbers_of_players(self.players))
        object.__setattr__(self, "games", _whole("games", self.games, 1))
        object.__setattr__(self, "seed", _whole("seed", self.seed, 0))
        if not isinstance(self.rules, Rules):
            raise TurnError(
                f"rules={shown(self.rules)} are no rules. Write rules=STANDARD.vary(months=6)."
            )
        if self.drawing is None:
            drawing = [
                name for name, bot in entrants.items() if draws(name, bot, self.rules, self.players)
            ]
            object.__setattr__(self, "drawing", tuple(drawing))

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants by number."""
        return tuple(self.entrants)

    def combinations(self, players: int) -> tuple[tuple[int, ...], ...]:
        """The combinations that play, as numbers of entrants, in an order drawn by the seed.

        Those in which nobody draws chance come first.

        Parameters
        ----------
        players : int
            One of the plan's numbers of players.
        """
        return self._combinations[players]

    def by_chance(self, combination: Iterable[int]) -> bool:
        """Whether anybody in a combination draws chance, so that its games differ."""
        assert self.drawing is not None
        return any(self.names[entrant] in self.drawing for entrant in combination)

    @cached_property
    def _combinations(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        return {
            players: tuple(sorted(self._drawn(players), key=self.by_chance))
            for players in self.players
        }

    def _drawn(self, players: int) -> list[tuple[int, ...]]:
        entrants = len(self.entrants)
        chance = np.random.default_rng((self.seed, players))
        if entrants < players:
            found = [
                some
                for some in combinations_with_replacement(range(entrants), players)
                if len(set(some)) == entrants
            ]
            return [found[at] for at in chance.permutation(len(found))]
        every = comb(entrants, players)
        some = min(every, max(self.games // players, 1), MOST)
        drawn = chance.choice(every, some, replace=False)
        return [_combination(int(rank), players) for rank in drawn]

    def __getstate__(self) -> dict[str, object]:
        # Workers are sent the plan, but play what they are given: they need no combinations.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def of_all(self, players: int, entrants: int) -> int:
        """How many combinations there are in which so many given entrants play together."""
        others = len(self.entrants) - entrants
        if len(self.entrants) < players:
            return len(self.combinations(players))
        return comb(others, players - entrants) if players >= entrants else 0

    @cached_property
    def planned(self) -> int:
        """How many games there will be."""
        return sum(
            players * (sum(map(self.by_chance, found)) * (each - 1) + len(found))
            for players, found in self._combinations.items()
            for each in [self.each(players)]
        )

    def each(self, players: int) -> int:
        """How many games each seating has, where anybody draws chance."""
        return -(-self.games // (players * len(self.combinations(players))))

    @property
    def counts(self) -> dict[int, int]:
        """How many combinations play, for each number of players."""
        return {players: len(found) for players, found in self._combinations.items()}

    def blocks(self) -> Iterator[Block]:
        """Every block of games; a tournament that is broken off has had some of everything."""
        plans = [self._blocks(players) for players in self.players]
        for blocks in zip_longest(*plans):
            yield from (block for block in blocks if block is not None)

    def _blocks(self, players: int) -> Iterator[Block]:
        found = self.combinations(players)
        sure = sum(not self.by_chance(combination) for combination in found)
        each = self.each(players)
        in_batches = all(map(is_ours, self._bots))
        size = min(max(self.games // 4, SMALLEST), LARGEST) if in_batches else OWN
        some = max(size // players, 1)
        for first in range(0, sure, some):
            some_found = found[first : min(first + some, sure)]
            yield Block(players, first, 0, some_found, 1, each)
        games = min(each, some)
        some = max(size // (players * games), 1)
        for number, done in enumerate(range(0, each, games)):
            for first in range(sure, len(found), some):
                some_found = found[first : first + some]
                yield Block(players, first, number, some_found, min(games, each - done))

    @property
    def _bots(self) -> list[Bot]:
        return cast(list[Bot], list(self.entrants.values()))  # classes are wrapped by now

    def play(self, block: Block) -> Part:
        """Play a block of games, and sum them up."""
        entrants = block.entrants
        games = entrants.shape[1]
        seed = (self.seed, block.players, block.first, block.number)
        profit = np.empty((self.rules.months, block.players, games), np.int64)
        prices = np.empty((self.rules.months, 6, games), np.int64)
        faults: dict[int, Faults] = {}
        # Strategies of this package play all their games at once.
        own = [number for number, bot in enumerate(self._bots) if not is_ours(bot)]
        by_game = np.isin(entrants, own).any(axis=0)
        if not by_game.all():
            bots = cast(list[Strategy], self._bots)
            seats = [Mixed(bots, row[~by_game]) for row in entrants]
            played = play_block(self.rules, seats, int((~by_game).sum()), seed, by_month=True)
            batch = played.batch
            assert played.profit_by_month is not None
            profit[..., ~by_game] = played.profit_by_month
            prices[:, :3, ~by_game] = batch.posted_materials
            prices[:, 3:, ~by_game] = batch.posted_goods
        for start in np.flatnonzero(by_game)[:: block.games].tolist():
            seats_ = entrants[:, start].tolist()
            names = _names(self.names, seats_)
            streams = np.random.SeedSequence((*seed, start))
            seeds = streams.generate_state(block.games, np.uint64).tolist()
            own_bots = {name: self._bots[number] for name, number in names.items()}
            for at, game in enumerate(play_many(self.rules, own_bots, seeds), start):
                profit[..., at], prices[..., at] = _profits(game), _posted(game)
                for order, fault in enumerate(game.faults):
                    one = Faults(1, (*seed[1:], at, order), fault.sentence)
                    number = names[fault.player]
                    faults[number] = faults[number] + one if number in faults else one
        by_place = np.empty_like(profit)
        np.put_along_axis(by_place, block.seats[None], profit, axis=1)
        cells = Cells.of(by_place, len(block.combinations))
        return Part(
            block.players, block.first, cells, PriceCounts.of(prices) * block.stands_for, faults
        )

    def stream(
        self,
        executor: Executor | None = None,
        *,
        workers: int | None = None,
        in_flight: int | None = None,
        stop: Event | None = None,
    ) -> Iterator[Part]:
        """Play, and yield the sums of each block as soon as it is played; for `Sums.add`.

        Parameters
        ----------
        executor : concurrent.futures.Executor, optional
            Who plays: processes, threads, or a cluster (``dask.distributed.Client.get_executor``).
            It stays open. Without one, processes are started, and ended in the end.
        workers : int, optional
            How many processes are started; one for each processor if left out, and with 1 this
            process plays by itself.
        in_flight : int, optional
            Blocks that are out at once: twice the workers, or 64 with an executor given.
        stop : threading.Event, optional
            Once it is set, no other block is begun.

        Raises
        ------
        TurnError
            Fewer than one worker, or block in flight.
        ExdecError
            Workers keep dying of the same games, or the executor has ended.
        Exception
            Whatever else the executor or a worker raises, such as OSError for a full disk.
        """
        workers, in_flight = _at_once(workers, in_flight)
        workers = workers or workers_here()
        started: list[Executor] = []
        # Sent once more with every piece of work, but read once by each worker.
        work = partial(_work, pickle.dumps(self))

        def start() -> Executor:
            last = started[-1] if started else None
            if isinstance(last, Processes) and last.unguarded:
                say(UNGUARDED)
                started.append(Here())
            else:
                started.append(crew(workers))
            return started[-1]

        most = in_flight or (2 * workers if executor is None else 64)
        done = False
        try:
            yield from finished(work, self.blocks(), executor or start(), start, most, stop)
            done = True
        finally:
            for one in started:  # all but the last have lost a worker
                one.shutdown(cancel_futures=not done or one is not started[-1])
            _unpacked.cache_clear()  # ends the processes of strategies that played here

    def run(
        self,
        executor: Executor | None = None,
        *,
        workers: int | None = None,
        in_flight: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Standings:
        """Play to the end, or until Control-C; see `run`, and `stream` for the parameters."""
        workers, in_flight = _at_once(workers, in_flight)
        sums = Sums(self.counts, self.rules.months)
        standings = Standings(self, sums)
        try:
            with stoppable() as stop:
                for part in self.stream(executor, workers=workers, in_flight=in_flight, stop=stop):
                    with uninterrupted():
                        sums.add(part)
                    if progress is not None:
                        progress(part.games)
        except KeyboardInterrupt:
            pass
        except Exception as error:
            raise StoppedError(error, standings) from error
        return standings


class StoppedError(ExdecError):
    """A tournament that could not go on.

    Parameters
    ----------
    cause : Exception
        Why it stopped.
    standings : Standings
        The tables of what was finished.
    """

    def __init__(self, cause: Exception, standings: Standings) -> None:
        planned = standings.tournament.planned
        why = str(cause) if isinstance(cause, ExdecError) else f"{type(cause).__name__}: {cause}"
        why = shorter(" ".join(why.split()).rstrip(".: "), 200)
        super().__init__(
            f"Stopped with {planned - standings.games:,} of {planned:,} games missing. {why}."
        )
        self.standings = standings

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the tables, and why there is no more of them."""
        found = [str(self.standings)] if self.standings.games else []
        return [*found, *super()._render_traceback_()]


def run(
    entrants: Mapping[str, Entrant] | Sequence[Entrant],
    players: Sequence[int] = (2, 3, 4),
    games: int = 300,
    seed: int = 1,
    rules: Rules = STANDARD,
    executor: Executor | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Standings:
    """Play a tournament; see `Tournament` for who meets whom.

    Control-C (or the notebook's stop button) ends it early, and what was finished stands: the
    first lets games that are under way finish for some seconds, the second drops them.

    Parameters
    ----------
    entrants : sequence of strategies, or mapping of name to strategy
        Names as in `exdec.bots.BOTS`, your own classes, or objects of them: ``[Mine, "easy"]``.
    players : sequence of int
        Numbers of players, 2 to 6; one that is named twice counts once.
    games : int
        Games for each number of players.
    seed : int
        From 0; the same seed gives the same table, whoever plays the games in whatever order.
    rules : Rules
    executor : concurrent.futures.Executor, optional
        Who plays; see `Tournament.stream`.
    workers : int, optional
        How many processes play; one for each processor if left out. They read the script that
        starts them, so what it does stands below a line ``if __name__ == "__main__":``; without
        it, one process plays alone.
    progress : callable, optional
        Is told how many games have come in, such as the `update` of a tqdm bar.

    Returns
    -------
    Standings

    Raises
    ------
    TurnError
        A strategy, or a number (of players, games or workers, or a seed) that there cannot be.
    StoppedError
        It could not go on; the error's `standings` have what was finished.

    Examples
    --------
    >>> standings = run(["cautious", "random"], players=[2], games=200, workers=1)
    >>> standings.games, list(standings.ranking.columns[:3])
    (200, ['strategy', 'games', 'profit'])
    """
    tournament = Tournament(entered(entrants), players, games, seed, rules)
    return tournament.run(executor, workers=workers, progress=progress)


def _numbers_of_players(given: Sequence[int]) -> tuple[int, ...]:
    try:
        numbers = dict.fromkeys(whole(players) for players in given)
    except TypeError:
        raise TurnError(
            f"players={shown(given)} is no list of whole numbers. Write players=[2], or [2, 3, 4]."
        ) from None
    if not numbers:
        raise TurnError("Say how many play, such as players=[2, 3, 4].")
    for players in numbers:
        if players not in PLAYERS:
            raise TurnError(f"2 to 6 can play, not {shown(players)}.")
    return tuple(numbers)


def _whole(name: str, value: int, least: int) -> int:
    try:
        number = whole(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise TurnError(f"{name} is a whole number from {least} on, not {shown(value)}.")
    return number


def _at_once(workers: int | None, in_flight: int | None) -> tuple[int | None, int | None]:
    return (
        None if workers is None else _whole("workers", workers, 1),
        None if in_flight is None else _whole("in_flight", in_flight, 1),
    )


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Tournament:
    tournament = pickle.loads(packed)
    assert isinstance(tournament, Tournament)
    return tournament


def _work(packed: bytes, block: Block) -> Part:
    return _unpacked(packed).play(block)


def _names(entrants: Sequence[str], seats: Sequence[int]) -> dict[str, int]:
    """A name for each seat, and the number of the entrant there; one that sits twice has two."""
    return {
        entrants[number] + (f" ({copies + 1})" if copies else ""): number
        for seat, number in enumerate(seats)
        for copies in [seats[:seat].count(number)]
    }


def _profits(game: Game) -> Ints:
    """Each player's profit after each month, certificates counted at its posted prices."""
    start = game.rules.starting_cash.at(len(game.players))
    return np.array(
        [
            [
                firm.cash + sum(map(mul, firm.materials, bought.report.prices)) - start
                for firm in sold.report.firms
            ]
            for bought, sold in zip(game.steps[::2], game.steps[1::2], strict=True)
        ],
        np.int64,
    )


def _posted(game: Game) -> Ints:
    """Each month's posted prices, of materials and of goods."""
    return np.array(
        [
            [*bought.report.prices, *sold.report.prices]
            for bought, sold in zip(game.steps[::2], game.steps[1::2], strict=True)
        ],
        np.int64,
    )


def _combination(rank: int, size: int) -> tuple[int, ...]:
    """The combination of so many numbers that has this rank among all of them.

    Examples
    --------
    >>> [_combination(rank, 2) for rank in range(6)]
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    """
    found: list[int] = []
    for place in range(size, 0, -1):
        number = place - 1
        while comb(number + 1, place) <= rank:
            number += 1
        rank -= comb(number, place)
        found.insert(0, number)
    return tuple(found)
