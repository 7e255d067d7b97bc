"""Tournaments: every combination of strategies, in every seat, on any executor.

The plan of a tournament is fixed by its entrants, its size and its seed. It falls into blocks of
games, each with a stream of chance of its own, which can be played anywhere and in any order; what
comes back is added up in whole numbers (`exdec.sums`). So the same seed gives the same table.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations_with_replacement, islice
from math import comb
from operator import mul
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from exdec.arrays import Ints
from exdec.batch import play_block
from exdec.bots import Bot, make_bot
from exdec.bots.strategy import Strategy
from exdec.crew import crew, finished, uninterrupted, workers_here
from exdec.errors import TurnError, shown
from exdec.game import Game
from exdec.guard import Apart
from exdec.play import play_many
from exdec.rules import PLAYERS, STANDARD, Rules
from exdec.standings import Standings
from exdec.sums import Cell, Faults, PriceCounts, Sums

BLOCK = 4096
"""Most games in a block; fixed, because other blocks would be other games."""

LEAST = 64
"""A combination plays at least so many games in each of its seatings, or some combinations stay
out: playing a block takes about as long for one game as for so many."""

BLOCK_OWN, LEAST_OWN = 16, 2
"""The same where a strategy is asked game by game."""

OFTEN = 12
"""A strategy is in about so many combinations at the least, if there are so many: what a field of
rivals does to it is the greater part of chance."""

TOGETHER = 8
"""Blocks that are given to a worker at once."""


Piece: TypeAlias = "tuple[Block, ...]"
"""Work for one worker."""


class Block(NamedTuple):
    """Games that are played together: their place in the plan, which is also their seed."""

    players: int
    combination: tuple[int, ...]
    seating: int
    number: int
    games: int

    @property
    def seats(self) -> list[int]:
        """The number of the entrant in each seat."""
        return [self.combination[seat - self.seating] for seat in range(self.players)]


@dataclass(frozen=True)
class Tournament:
    """The plan of a tournament.

    For each number of players, every combination of so many different entrants plays. Where
    entrants are fewer than seats, every combination in which each of them plays at least once. A
    combination has as many seatings as players: seating 0 is in the order of the entrants, and in
    each following one everyone moves up a seat, the last to the first. All seatings of all
    combinations play equally many games, so every strategy of a combination sits in every seat
    equally often.

    If `games` are too few to play 64 games in each seating of all combinations (2 if one of the
    entrants plays game by game), the seed picks combinations at random, each as likely as another:
    as many as get so many games, but enough for every strategy to be in about 12 of them. Games
    are rounded up, so that each seating gets the same number.

    Parameters
    ----------
    entrants : mapping of name to strategy
        A strategy that is not one of this package runs in a process of its own, with a time
        limit for each move; what it does wrong costs it that move, and stands in the table.
    players : sequence of int
        Numbers of players, 2 to 6.
    games : int
        Games for each number of players.
    seed : int
        The same seed gives the same table.
    rules : Rules

    Raises
    ------
    TurnError
        Fewer than two entrants, or a number of players or games that cannot be.
    """

    entrants: Mapping[str, Bot]
    players: tuple[int, ...] = (2, 3, 4)
    games: int = 10_000
    seed: int = 1
    rules: Rules = STANDARD

    def __post_init__(self) -> None:
        entrants = {
            name: bot if isinstance(bot, Strategy | Apart) else Apart(bot)
            for name, bot in self.entrants.items()
        }
        object.__setattr__(self, "entrants", entrants)
        if len(self.entrants) < 2:
            raise TurnError("A tournament takes at least two strategies. Name another.")
        if not self.players:
            raise TurnError("Say how many play, such as players=(2, 3, 4).")
        for players in self.players:
            if players not in PLAYERS:
                raise TurnError(f"2 to 6 can play, not {shown(players)}.")
        if self.games < 1:
            raise TurnError(f"A tournament takes at least one game, not {shown(self.games)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants by number."""
        return tuple(self.entrants)

    def combinations(self, players: int) -> list[tuple[int, ...]]:
        """The combinations that play, as numbers of entrants, in an order drawn by the seed."""
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
        least = LEAST if self.plays_in_batches else LEAST_OWN
        wanted = max(self.games // (players * least), OFTEN * entrants // players)
        some = min(every, wanted)
        drawn = chance.choice(every, some, replace=False)
        return [_combination(int(rank), players) for rank in drawn]

    def of_all(self, players: int, entrants: int) -> int:
        """How many combinations there are in which so many given entrants play together."""
        others = len(self.entrants) - entrants
        if len(self.entrants) < players:
            return len(self.combinations(players))
        return comb(others, players - entrants) if players >= entrants else 0

    @property
    def plays_in_batches(self) -> bool:
        """Whether all entrants are written on arrays."""
        return all(isinstance(bot, Strategy) for bot in self.entrants.values())

    @property
    def planned(self) -> int:
        """How many games there will be."""
        return sum(
            self._games_of_seating(players, found) * players * found
            for players in self.players
            for found in [len(self.combinations(players))]
        )

    def _games_of_seating(self, players: int, found: int) -> int:
        return -(-self.games // (players * found))

    def blocks(self) -> Iterator[Block]:
        """Every block of games, so that a tournament broken off has had some of everything."""
        plans = [(players, self.combinations(players)) for players in self.players]
        size = BLOCK if self.plays_in_batches else BLOCK_OWN
        longest = max(-(-self._games_of_seating(n, len(found)) // size) for n, found in plans)
        most = max(len(found) for _, found in plans)
        for number in range(longest):
            for at in range(most):
                for players, found in plans:
                    left = self._games_of_seating(players, len(found)) - number * size
                    if at < len(found) and left > 0:
                        for seating in range(players):
                            yield Block(players, found[at], seating, number, min(left, size))

    def play(self, blocks: Sequence[Block]) -> Sums:
        """Play some blocks of games, and sum them up."""
        sums = Sums()
        for block in blocks:
            in_batches = all(isinstance(self._bots[number], Strategy) for number in block.seats)
            sums.add(self._in_batch(block) if in_batches else self._game_by_game(block))
        return sums

    @property
    def _bots(self) -> list[Bot]:
        return list(self.entrants.values())

    def _in_batch(self, block: Block) -> Sums:
        bots = cast(list[Strategy], [self._bots[number] for number in block.seats])
        played = play_block(self.rules, bots, block.games, self._seed(block), by_month=True)
        assert played.profit_by_month is not None
        batch = played.batch
        posted = np.concatenate([batch.posted_materials, batch.posted_goods], axis=1)
        return _summed(block, played.profit_by_month, posted)

    def _game_by_game(self, block: Block) -> Sums:
        # A strategy that sits twice plays under two names.
        names = {
            self.names[number] + (f" ({copies + 1})" if copies else ""): number
            for seat, number in enumerate(block.seats)
            for copies in [block.seats[:seat].count(number)]
        }
        bots = {name: self._bots[number] for name, number in names.items()}
        seeds = np.random.SeedSequence(self._seed(block)).generate_state(block.games, np.uint64)
        games = play_many(self.rules, bots, seeds.tolist())
        sums = _summed(
            block,
            np.stack([_profits(game) for game in games], axis=-1),
            np.stack([_posted(game) for game in games], axis=-1),
        )
        for at, game in enumerate(games):
            for fault in game.faults:
                number = names[fault.player]
                sums.add(Sums(faults={number: Faults(1, (*block, at), fault.sentence)}))
        return sums

    def _seed(self, block: Block) -> tuple[int, ...]:
        return (self.seed, block.players, *block.combination, block.seating, block.number)

    def stream(
        self,
        executor: Executor | None = None,
        *,
        workers: int | None = None,
        in_flight: int | None = None,
    ) -> Iterator[Sums]:
        """Play, and yield the sums of some games as soon as they are played.

        Parameters
        ----------
        executor : concurrent.futures.Executor, optional
            Who plays: processes, threads, or a cluster (``dask.distributed.Client.get_executor``).
            It stays open. Without one, processes are started, and ended in the end.
        workers : int, optional
            How many processes are started; one for each processor if left out, and with 1 this
            process plays by itself.
        in_flight : int, optional
            Pieces of work that are out at once: twice the workers, or 64 with an executor given.
        """
        workers = workers or workers_here()
        started: list[Executor] = []
        # Sent once more with every piece of work, but read once by each worker.
        work = partial(_work, pickle.dumps(self))

        def start() -> Executor:
            started.append(crew(workers))
            return started[-1]

        most = in_flight or (2 * workers if executor is None else 64)
        together = TOGETHER if self.plays_in_batches else 1
        blocks = self.blocks()
        pieces: Iterator[Piece] = iter(lambda: tuple(islice(blocks, together)), ())
        try:
            yield from finished(work, pieces, executor or start(), start, most)
        finally:
            for one in started:
                one.shutdown(cancel_futures=True)
            _unpacked.cache_clear()  # ends the processes of strategies that played here


def run(
    entrants: Mapping[str, Bot] | Sequence[str],
    players: Sequence[int] = (2, 3, 4),
    games: int = 10_000,
    seed: int = 1,
    rules: Rules = STANDARD,
    executor: Executor | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Standings:
    """Play a tournament; see `Tournament` for who meets whom.

    Control-C (or the notebook's stop button) ends it early, and what was finished stands.

    Parameters
    ----------
    entrants : sequence of names, or mapping of name to strategy
        Names as in `exdec.bots.BOTS`.
    players : sequence of int
        Numbers of players, 2 to 6.
    games : int
        Games for each number of players.
    seed : int
        The same seed gives the same table, whoever plays the games in whatever order.
    rules : Rules
    executor : concurrent.futures.Executor, optional
        Who plays; see `Tournament.stream`.
    workers : int, optional
        How many processes play; one for each processor if left out. A script that leaves it out
        starts in an ``if __name__ == "__main__":`` block, as for all of Python's processes.
    progress : callable, optional
        Is told how many games have come in, such as the `update` of a tqdm bar.

    Returns
    -------
    Standings

    Raises
    ------
    TurnError
        A strategy, number of players or number of games that there cannot be.

    Examples
    --------
    >>> standings = run(["cautious", "random"], players=[2], games=200, workers=1)
    >>> standings.games, list(standings.ranking.columns[:3])
    (200, ['strategy', 'games', 'profit'])
    """
    if not isinstance(entrants, Mapping):
        entrants = {name: make_bot(name) for name in entrants}
    tournament = Tournament(entrants, tuple(players), games, seed, rules)
    sums = Sums()
    try:
        for part in tournament.stream(executor, workers=workers):
            with uninterrupted():
                sums.add(part)
            if progress is not None:
                progress(part.games)
    except KeyboardInterrupt:
        pass
    return Standings(tournament, sums)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Tournament:
    tournament = pickle.loads(packed)
    assert isinstance(tournament, Tournament)
    return tournament


def _work(packed: bytes, piece: Piece) -> Sums:
    return _unpacked(packed).play(piece)


def _summed(block: Block, by_month: Ints, posted: Ints) -> Sums:
    """Sum up a block: profits (months, players, games), and prices (months, 6, games)."""
    wins = by_month[-1] == by_month[-1].max(axis=0)
    cell = Cell.of(block.seats, by_month, wins)
    return Sums({(block.players, block.combination): cell}, {block.players: PriceCounts.of(posted)})


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
