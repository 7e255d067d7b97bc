"""How fast the engine is, and how light the import.

uv run python tests/benchmarks/engine.py
"""

import statistics
import subprocess
import sys
from time import process_time

from exdec import STANDARD
from exdec.bots import RandomLegal
from exdec.play import play

PLAYERS = ("Ann", "Ben", "Cy", "Dee")
IMPORT = """
import sys
from time import perf_counter
before, start = len(sys.modules), perf_counter()
import exdec
print(perf_counter() - start, len(sys.modules) - before)
"""


def games_per_second(rounds: int = 5, games: int = 200) -> float:
    """Four players, twelve months, the random strategy; the median of some rounds.

    Processor time, so that whatever else the machine does counts little.
    """
    bots = {player: RandomLegal() for player in PLAYERS}
    play(STANDARD, bots, seed=0)
    rates = []
    for at in range(rounds):
        start = process_time()
        for seed in range(at * games, (at + 1) * games):
            play(STANDARD, bots, seed)
        rates.append(games / (process_time() - start))
    return statistics.median(rates)


def import_cost(runs: int = 11) -> tuple[float, int]:
    """Seconds and modules that ``import exdec`` adds to a Python that has just started."""
    command = [sys.executable, "-c", IMPORT]
    said = [
        subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(runs)
    ]
    seconds, modules = zip(*(done.stdout.split() for done in said), strict=True)
    return statistics.median(map(float, seconds)), int(modules[0])


if __name__ == "__main__":
    rate = games_per_second()
    print(f"{rate:,.0f} games a second on one core (four players, twelve months, random)")
    seconds, modules = import_cost()
    print(f"{seconds:.3f} s and {modules} modules for import exdec, on top of Python's start")
