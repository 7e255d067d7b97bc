"""How fast a tournament is with one process and with two, and what memory it takes.

uv run python tests/benchmarks/tournament.py
"""

import resource
import statistics
import subprocess
import sys
from time import perf_counter

from exdec.bots import BOTS, make_bot
from exdec.crew import Processes
from exdec.tournament import Tournament

NAMES = [name for name in BOTS if name != "planner"]  # which alone takes longer than all others


def plan(games: int, seed: int = 1) -> Tournament:
    """Four players, twelve months, every strategy but the planner; every game is played."""
    bots = {name: make_bot(name) for name in NAMES}
    return Tournament(bots, (4,), games, seed, drawing=tuple(NAMES))


def efficiency(rounds: int = 3, games: int = 72_000) -> float:
    """How many times as fast two processes are as one, in the middle round; prints each.

    One process is a pool of one, so that both pay for sending work and sums to and fro. Both pools
    have started and warmed up. So many games are eighteen blocks and a third, which two processes
    can share well.
    """
    pools = {workers: Processes(workers) for workers in (1, 2)}
    for pool in pools.values():
        plan(8000, seed=0).run(pool)
    ratios = []
    for seed in range(rounds):
        rates = []
        for workers, pool in pools.items():
            tournament = plan(games, seed)
            start = perf_counter()
            tournament.run(pool, in_flight=2 * workers)
            rates.append(tournament.planned / (perf_counter() - start))
        one, two = rates
        ratios.append(two / one)
        print(f"{one:13,.0f} {two:15,.0f} {two / one:8.2f}", flush=True)
    for pool in pools.values():
        pool.shutdown()
    return statistics.median(ratios)


def peak_memory(games: int) -> float:
    """Megabytes that a process which plays a tournament alone has taken at the most."""
    command = [sys.executable, __file__, "--peak", str(games)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    if "--peak" in sys.argv:
        plan(int(sys.argv[-1])).run(workers=1)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        print(f"{len(NAMES)} strategies, 4 players, 12 months; games a second with")
        print("  one process   two processes    ratio", flush=True)
        print(f"ratio in the middle: {efficiency():.2f}")
        for games in (20_000, 100_000):
            print(f"{peak_memory(games):,.0f} MB at the most for {games:,} games", flush=True)
