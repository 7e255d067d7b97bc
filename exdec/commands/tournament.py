"""``exdec tournament``: strategies meet in every combination."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NoReturn

from exdec.bots import BOTS
from exdec.commands.options import game_options, rules_of, strategies, whole
from exdec.errors import ExdecError, shown
from exdec.own import is_own

if TYPE_CHECKING:
    from tqdm import tqdm

    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec tournament`` and its options."""
    parser = commands.add_parser(
        "tournament",
        help="let strategies meet in every combination, and rank them",
        description="Let strategies play each other in every combination and every seat. Prints\n"
        "each one's mean profit and wins, and who beats whom. The same seed gives the\n"
        "same table. Control-C ends it early, and prints what was finished; a second one\n"
        "drops games that are under way.",
        epilog="examples:\n"
        "  exdec tournament\n"
        "  exdec tournament --bots planner,restrained,punisher --players 3 --games 10000\n"
        "  exdec tournament --bots easy,medium,hard,mine.py:Mine\n"
        "  exdec tournament --players 4 --out standings.csv\n"
        "  exdec tournament --games 1000000 --scheduler tcp://10.0.0.5:8786",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--bots",
        type=_own_or_ours,
        metavar="A,B,…",
        help="the strategies, by name or level, or in a file of yours: mine.py:Mine (all of ours)",
    )
    parser.add_argument(
        "--players",
        type=_numbers(2, 6),
        default=[2, 3, 4],
        metavar="N,N,…",
        help="how many play, 2 to 6, such as 2-4 (2,3,4)",
    )
    parser.add_argument(
        "--games",
        type=whole(1, 1_000_000_000),
        metavar="N",
        help="for each number of players (300; 200 with a strategy of yours)",
    )
    game_options(parser)
    parser.add_argument(
        "--seed",
        type=whole(0, 999_999_999),
        default=1,
        metavar="N",
        help="for the strategies' luck, and which combinations play (1)",
    )
    parser.add_argument(
        "--workers",
        type=whole(1, 999),
        metavar="N",
        help="processes that play (one for each processor)",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster that plays: tcp://host:port"
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="save the tables as .csv or .parquet, in four new files: FILE with the ranking, and "
        "-head-to-head, -by-month, -prices beside it",
    )


def run(args: argparse.Namespace) -> None:
    """Play, and print the tables, of what was played if it is stopped early."""
    with _bar() as bar:
        from exdec.crew import uninterrupted
        from exdec.entrants import entered
        from exdec.standings import files, writable
        from exdec.tournament import StoppedError, Tournament

        if args.out is not None:
            for file in files(writable(args.out)):
                if file.exists():
                    raise ExdecError(f"{file} is there already. Choose another name.")
        entrants = entered(args.bots or list(BOTS))
        games = args.games or (200 if any(map(is_own, args.bots or ())) else 300)
        rules = rules_of(args)
        plan = Tournament(entrants, tuple(args.players), games, args.seed, rules)
        bar.total = plan.planned
        if args.out is not None:
            names = ", ".join(file.name for file in files(Path(args.out)))
            bar.write(f"The tables go into four files: {names}.", file=sys.stderr)

        def came(games: int) -> None:
            bar.set_description_str(refresh=False)
            bar.update(games)

        # Who is impatient gets the table all the same: Control-C after Control-C waits for it.
        with _cluster(args.scheduler, bar) as (executor, in_flight), uninterrupted():
            stopped: BaseException | None = None
            try:
                standings = plan.run(
                    executor, workers=args.workers, in_flight=in_flight, progress=came
                )
            except StoppedError as error:
                stopped, standings = error, error.standings
            bar.close()
            if standings.games:
                print(standings, flush=True)
                if args.out is not None:
                    print(f"\nSaved: {', '.join(map(str, standings.save(args.out)))}")
            elif stopped is None:
                print("Stopped early: no game was finished.", file=sys.stderr)
        if stopped is not None:
            raise stopped
        if not standings.complete:
            raise KeyboardInterrupt


@contextmanager
def _bar() -> Iterator[tqdm[NoReturn]]:
    """A bar for people, who look at a terminal; its clock goes on while no games come in."""
    from tqdm import tqdm

    ended = Event()
    with tqdm(desc="starting", unit=" games", disable=None, leave=False) as bar:

        def tick() -> None:
            while not ended.wait(1):
                bar.refresh()

        clock = Thread(target=tick, daemon=True)
        clock.start()
        try:
            yield bar
        finally:
            ended.set()
            clock.join(1)


@contextmanager
def _cluster(
    address: str | None, bar: tqdm[NoReturn]
) -> Iterator[tuple[Executor | None, int | None]]:
    """Who plays, and how many blocks of games are out at once; None and None for this machine."""
    if address is None:
        yield None, None
        return
    import asyncio

    try:
        import distributed
    except ImportError:
        raise ExdecError(
            "--scheduler needs a package that is not installed: pip install 'exdec[cluster]'"
        ) from None
    bar.set_description_str(f"looking for {address}")
    logging.disable()  # Dask would tell at length what is said here in a line
    try:
        try:
            asyncio.run(_greet(address))
            connect: Any = distributed.Client
            client = connect(address, timeout="10s", set_as_default=False)
        except Exception as error:  # noqa: BLE001  (whatever is there may send anything)
            raise ExdecError(
                f"--scheduler: no scheduler answers at {address} ({type(error).__name__}). Is it "
                "running, and is the address the one that it prints?"
            ) from None
        with client:
            threads = sum(client.nthreads().values())
            bar.set_description_str("starting" if threads else f"no workers yet at {address}")
            yield client.get_executor(), max(64, 2 * threads)
    finally:
        logging.disable(logging.NOTSET)


async def _greet(address: str) -> None:
    """See that Dask answers; a client that meets something else takes long to go away."""
    from distributed import comm

    connect: Any = comm.connect  # type: ignore[attr-defined]
    await (await connect(address, timeout=10)).close()


def _numbers(low: int, high: int) -> Callable[[str], list[int]]:
    """Read numbers and ranges, such as ``2,4-6``, in this range."""
    one = whole(low, high)

    def accept(text: str) -> list[int]:
        found: set[int] = set()
        for part in text.split(","):
            first, dash, last = part.partition("-")
            found |= {*range(one(first), one(last) + 1)} if dash else {one(part)}
        if not found:
            raise argparse.ArgumentTypeError(f"give the lower number first, not {shown(text)}")
        return sorted(found)

    return accept


def _own_or_ours(text: str) -> list[str]:
    """Read strategies by name, by level, or in a file such as ``mine.py:Mine``."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        file, colon, kind = name.partition(":")
        if colon and not is_own(name):
            raise argparse.ArgumentTypeError(
                f"there is no rival called {shown(name)}. Did you mean {file}.py:{kind}?"
            )
    return [name if is_own(name) else strategies(name)[0] for name in names]
