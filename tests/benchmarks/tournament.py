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
    """Four players, twelve months, every strategy but the planner."""
    return Tournament({name: make_bot(name) for name in NAMES}, (4,), games, seed)


def games_per_second(rounds: int = 5, games: int = 40_000) -> dict[int, list[float]]:
    """Rates with one process and with two, in turn; processes that have started and warmed up.

    One process is a pool of one, so that both pay for sending work and sums to and fro.
    """
    rates: dict[int, list[float]] = {1: [], 2: []}
    pools = {workers: Processes(workers) for workers in rates}
    for pool in pools.values():
        plan(8000, seed=0).run(pool)
    for seed in range(rounds):
        for workers, pool in sorted(pools.items()):
            tournament = plan(games, seed)
            start = perf_counter()
            tournament.run(pool, in_flight=2 * workers)
            rates[workers].append(tournament.planned / (perf_counter() - start))
    for pool in pools.values():
        pool.shutdown()
    return rates


def peak_memory(games: int) -> float:
    """Megabytes that a process which plays a tournament alone has taken at the most."""
    command = [sys.executable, __file__, "--peak", str(games)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    if "--peak" in sys.argv:
        plan(int(sys.argv[-1])).run(workers=1)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        rates = games_per_second()
        one, two = (statistics.median(rates[workers]) for workers in (1, 2))
        ratios = [b / a for a, b in zip(rates[1], rates[2], strict=True)]
        print(f"{one:,.0f} games a second with one process, {two:,.0f} with two")
        middle = statistics.median(ratios)
        print(f"ratio {middle:.2f} (pairs of rounds: {min(ratios):.2f} to {max(ratios):.2f})")
        for games in (20_000, 200_000):
            print(f"{peak_memory(games):,.0f} MB for {games:,} games")
