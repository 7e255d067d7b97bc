"""How fast many games at once are, beside the plain engine in the same run.

uv run python tests/benchmarks/batch.py
"""

import cProfile
import pstats
import resource
import statistics
import sys
import tracemalloc
from collections import deque
from collections.abc import Callable
from functools import partial
from time import process_time

from exdec import STANDARD, Game, Step
from exdec.batch import BLOCK, play_batch
from exdec.bots import BOTS, RandomLegal, make_bot
from exdec.engine import buy, liquidate, new_game, sell
from exdec.play import play

PLAYERS = ("Ann", "Ben", "Cy", "Dee")
RANDOM = [RandomLegal() for _ in PLAYERS]
MIXED = [make_bot(name) for name in ("cautious", "full capacity", "margin seeker", "random")]


def engine_rates(games: int = 100, rounds: int = 3) -> tuple[float, float]:
    """Games a second of the plain engine: with strategies that answer, and with moves at hand."""
    bots = dict(zip(PLAYERS, RANDOM, strict=True))
    played, replayed = [], []
    for _ in range(rounds):
        finished: list[Game] = []
        every = (play(STANDARD, bots, seed) for seed in range(games))
        played.append(rate(games, partial(finished.extend, every)))
        moves = [[step.bids for step in game.steps] for game in finished]
        replayed.append(rate(games, partial(deque, map(replay, moves), maxlen=0)))
    return statistics.median(played), statistics.median(replayed)


def replay(moves: list) -> None:
    """Settle a game whose moves are known: the engine alone."""
    state = new_game(PLAYERS)
    for bids in moves:
        state, _ = (buy if state.step is Step.BUY else sell)(state, bids)
    liquidate(state)


def batch_rate(bots: list, games: int, rounds: int) -> float:
    """Games a second of the batch; the median of some rounds, moves drawn and winners found."""
    return statistics.median(rate(games, lambda: play_all(bots, games)) for _ in range(rounds))


def play_all(bots: list, games: int) -> None:
    for played in play_batch(STANDARD, bots, games, seed=1):
        played.wins.sum(axis=1)


def rate(games: int, work: Callable[[], object]) -> float:
    """Processor time, so that whatever else the machine does counts little."""
    start = process_time()
    work()
    return games / (process_time() - start)


def peak_megabytes(games: int) -> float:
    """The most memory that Python and NumPy hold at once while they play."""
    tracemalloc.start()
    play_all(RANDOM, games)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def resident() -> float:
    """Megabytes that the process has held at most, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def profile(bots: list, lines: int = 10) -> list[tuple[float, str]]:
    """Share of the time that each function takes itself, the largest first."""
    profiler = cProfile.Profile()
    profiler.runcall(play_all, bots, 8 * BLOCK)
    stats = pstats.Stats(profiler)
    own = {key: figures[2] for key, figures in stats.stats.items()}
    top = sorted(own, key=own.get, reverse=True)[:lines]
    return [(own[key] / stats.total_tt, where(*key)) for key in top]


def where(file: str, _line: int, name: str) -> str:
    return f"{name} ({file.rpartition('exdec/')[2]})" if "exdec/" in file else name


if __name__ == "__main__":
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    play_all(RANDOM, 2 * BLOCK)  # warm up
    answered, alone = engine_rates()
    print("Four players, twelve months, random legal strategies, one core:\n")
    print(f"{'games':>12} {'games a second':>15} {'beside the engine':>18} {'peak memory':>12}")
    print(f"{'engine':>12} {answered:>15,.0f} {1:>17.0f}×")
    print(f"{'moves ready':>12} {alone:>15,.0f} {alone / answered:>17.0f}×")
    for games, rounds in ((1, 21), (100, 21), (10_000, 11), (100_000, 5), (largest, 1)):
        fast = batch_rate(RANDOM, games, rounds)
        memory = peak_megabytes(games)
        print(f"{games:>12,} {fast:>15,.0f} {fast / answered:>17.0f}× {memory:>9.1f} MB")
    print(f"\nThe whole process never took more than {resident():.0f} MB.")
    names = ", ".join(name for bot in MIXED for name, kind in BOTS.items() if type(bot) is kind)
    print(f"10,000 games of {names}: {10_000 / batch_rate(MIXED, 10_000, 11):.2f} s")
    for title, bots in (("random legal strategies", RANDOM), ("these four", MIXED)):
        print(f"\nWhere the time goes with {title}:\n")
        for share, function in profile(bots):
            print(f"{share:>8.0%}  {function}")
