"""The command line: ``exdec lab``, ``exdec demo``, ``exdec score``, ``exdec tournament``."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from textwrap import fill
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NoReturn

from exdec import kit, lab, record
from exdec.bots import BOTS, LEVELS, about, make_bot, strategy_named
from exdec.errors import ExdecError, shown
from exdec.own import is_own
from exdec.play import play
from exdec.recorder import Recorder
from exdec.rules import STANDARD, VARIATION
from exdec.score import score

if TYPE_CHECKING:
    from tqdm import tqdm

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")

IN_ASCII = {"−": "-", "±": "+/-", "…": "...", "’": "'", "×": "x", "→": "->"}
"""How our own signs are written on a screen that has no others."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Words of the command line after ``exdec``; those of this process if left out.

    Returns
    -------
    int
        The exit status: 0, 2 for what is refused (one line on standard error says why), 130 after
        Control-C.
    """
    _write_what_the_screen_can()
    words = list(sys.argv[1:] if argv is None else argv)
    command = "exdec"
    try:
        try:
            args = _read(words)
            command = f"exdec {args.command}"
            args.run(args)
        finally:
            print(end="", flush=True)
    except ExdecError as error:
        return _refuse(command, str(error))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # The reader has gone (`exdec demo | head`) or the disk is full. Python writes out the
        # rest once more when it ends, so let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        return _refuse(command, f"cannot write: {(error.strerror or str(error)).lower()}.")
    return 0


# -- the commands --------------------------------------------------------------------------------


def _lab(args: argparse.Namespace) -> None:
    folder, done = kit.working_copy(Path.cwd())
    for sentence in done:
        print(sentence)
    first = folder / lab.FIRST
    if args.browser:
        print(f"JupyterLab opens {first}.")
    else:
        print(f"JupyterLab is starting; its address comes in a moment, and opens {first}.")
    print("Leave this window open while you play. Control-C stops the server.", flush=True)
    lab.serve(folder, browser=args.browser, port=args.port, options=args.jupyter)


def _demo(args: argparse.Namespace) -> None:
    from exdec.text import game_text  # brings pandas, which takes a moment

    players = args.players or max(2, len(args.bots or NAMES[:4]))
    strategies = args.bots or list(dict.fromkeys((*LEVELS.values(), *BOTS)))
    if players > len(NAMES):
        raise ExdecError(f"--bots names {players} rivals, and 2 to 6 can play. Name fewer.")
    if args.bots and len(args.bots) > players:
        raise ExdecError(
            f"--bots names {len(args.bots)} rivals for {players} players. Name fewer, or raise "
            "--players."
        )
    seats = dict(zip(NAMES[:players], islice(cycle(strategies), players), strict=True))
    rules = (VARIATION if args.variation else STANDARD).vary(months=args.months)
    game = play(rules, {player: make_bot(name) for player, name in seats.items()}, args.seed)
    if args.record is not None:
        Recorder.create(args.record, game, bots=seats, seed=args.seed)
    print(game_text(game, seats))
    if args.record is not None:
        print(f"\nRecorded in {args.record}. To read it again: exdec score {args.record}")


def _score(args: argparse.Namespace) -> None:
    if args.file == "-":
        read = record.parse(sys.stdin.buffer.read(), "standard input")
    else:
        read = record.read(args.file)
    if args.json:
        print(json.dumps(score(read), indent=2))
    else:
        from exdec.text import game_text

        print(game_text(read.game()))
    if read.lost:
        print(f"exdec score: {read.lost}", file=sys.stderr)


def _tournament(args: argparse.Namespace) -> None:
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
        rules = (VARIATION if args.variation else STANDARD).vary(months=args.months)
        plan = Tournament(entrants, tuple(args.players), games, args.seed, rules)
        bar.total = plan.planned
        if args.out is not None:
            names = ", ".join(file.name for file in files(Path(args.out)))
            bar.write(f"The tables go into four files: {names}.", file=sys.stderr)

        def came(games: int) -> None:
            bar.set_description_str(refresh=False)
            bar.update(games)

        stopped: BaseException | None = None
        with _cluster(args.scheduler, bar) as (executor, in_flight):
            try:
                standings = plan.run(
                    executor, workers=args.workers, in_flight=in_flight, progress=came
                )
            except StoppedError as error:
                stopped, standings = error, error.standings
    if not standings.complete and stopped is None:
        stopped = KeyboardInterrupt()
    if standings.games:
        with uninterrupted():  # who is impatient gets the table all the same
            print(standings, flush=True)
            if args.out is not None:
                print(f"\nSaved: {', '.join(map(str, standings.save(args.out)))}")
    if stopped is not None:
        raise stopped


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


def _host(args: argparse.Namespace) -> None:
    from exdec.classroom.roster import read_roster, understood
    from exdec.classroom.serve import host
    from exdec.classroom.settings import ClassSettings

    names = read_roster(args.roster) if args.roster else ()
    settings = ClassSettings(
        title=args.title,
        size=args.players,
        rest=args.rest,
        months=args.months,
        seconds=args.seconds,
        together=args.together,
        level=args.bots,
        rules={"partial_buys": True, "partial_sales": True} if args.variation else {},
        roster=names,
    )
    if names:
        kept = settings.roster
        print(
            f"{args.roster}: {len(kept)} name{'' if len(kept) == 1 else 's'}, from {kept[0].name} "
            f"to {kept[-1].name}. {' '.join(understood(names, kept))}\n"
        )
    host(
        settings,
        Path(args.folder),
        resume=args.resume,
        anyway=args.anyway,
        address=args.address,
        port=args.port,
        names=tuple(args.name),
        say=lambda text: print(text, flush=True),
    )


def _print(args: argparse.Namespace) -> None:
    from exdec.printing import save

    rules = (VARIATION if args.variation else STANDARD).vary(months=args.months)
    done = save(args.out, args.sheets, rules, args.players, args.paper)
    print(
        f"{done.pages} page{'' if done.pages == 1 else 's'} for one table of {args.players} in "
        f"{done.path}. Open it in a browser, and print it in actual size."
    )


def _rehearse(args: argparse.Namespace) -> None:
    from exdec.classroom.rehearse import rehearse

    verdict = rehearse(
        args.players,
        args.months,
        args.minutes,
        url=args.url,
        code=args.code,
        address=args.address,
        port=args.port,
        say=lambda text: print(text, flush=True),
    )
    print(f"\n{verdict}")
    if not verdict.passed:
        sys.exit(1)


def _build_notebooks(args: argparse.Namespace) -> None:
    from exdec.lessons.build import build

    folder = Path(args.folder)
    written, differing = build(folder, folder.parent / "notebooks", args.solutions, args.check)
    for path in written:
        print(path)
    if differing:
        raise ExdecError(
            f"{', '.join(path.name for path in differing)}: not as the lesson's source has it. "
            "Run exdec build-notebooks, and commit what it writes."
        )


def _check_lessons(args: argparse.Namespace) -> None:
    from exdec.lessons.lint import check_lessons

    found = check_lessons(Path(args.folder))
    for sentence in found:
        print(sentence)
    if found:
        raise ExdecError(f"{len(found)} to mend.")
    print("All is well with the lessons.")


def _gradebook(args: argparse.Namespace) -> None:
    from exdec.lessons.desk import Desk
    from exdec.lessons.gradebook import gradebook

    book = gradebook(Path(args.folder), Desk().workbooks())
    for sentence in book.unread:
        print(f"exdec gradebook: {sentence}", file=sys.stderr)
    if args.out is None:
        print(book.csv, end="")
        return
    try:
        with Path(args.out).open("x", encoding="utf-8-sig", newline="") as file:
            file.write(book.csv)
    except FileExistsError:
        raise ExdecError(f"{args.out} is there already. Choose another name.") from None
    except OSError as error:
        raise ExdecError(f"{args.out} cannot be written: {error.strerror}.") from None
    print(f"{book.pupils} pupils, in {args.out}.")


def _export(args: argparse.Namespace) -> None:
    from exdec.classroom.exports import export

    file = Path(args.file)
    out = Path(args.out or f"{file.stem}{'-pseudonyms' * args.pseudonyms}")
    if args.zip and out.suffix != ".zip":
        out = out.with_name(f"{out.name}.zip")
    print(f"Everything of the class is in {export(file, out, args.pseudonyms, args.semicolons)}.")


def _link(args: argparse.Namespace) -> None:
    from exdec.links import links, notebook_named, save_codes

    notebook = notebook_named(args.notebook, [Path.cwd() / "notebooks", kit.KIT / "notebooks"])
    found = links(args.repo, notebook, branch=args.branch, hub=args.hub or "")
    for link in found:
        print(f"{link.place}\n{link.note}\n\n  {link.url}\n")
        if sys.stdout.isatty():
            print(link.drawn())
        print(f"  {link.markdown}\n\n  {link.html}\n")
    if args.hub is None:
        print("With --hub https://…, there is a link to a JupyterHub as well.")
    if args.svg is not None:
        codes = save_codes(found, Path(args.svg))
        print(f"QR codes: {', '.join(map(str, codes))}")


def _build_lite(args: argparse.Namespace) -> None:
    from exdec.lite import BUILD, prepare

    wheel = prepare(Path(args.out))
    out = Path(args.out).as_posix()
    print(f"Notebooks, settings and {wheel.name} are in {args.out}. This makes the site of it:\n")
    print(f"  {BUILD.format(folder=out)}\n")
    print("Then try it, at the address that this prints:\n")
    print(f"  python -m http.server --bind 127.0.0.1 --directory {out}/site\n")
    print(f"Readers begin at lab/index.html?path={lab.FIRST}. See docs/lite.md.")


# -- reading the command line --------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        if message[-1] not in ".?":
            message += f". See {self.prog} --help."
        sys.exit(_refuse(self.prog, message))


def _refuse(command: str, message: str) -> int:
    print(f"{command}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _read(words: list[str]) -> argparse.Namespace:
    parser, commands = _parsers()
    # What follows -- is Jupyter's.
    cut = words.index("--") if "--" in words and words[0] == "lab" else len(words)
    words, jupyter = words[:cut], words[cut + 1 :]
    if not words:
        parser.print_help()
        sys.exit(0)
    if not words[0].startswith("-") and words[0] not in commands:
        near = get_close_matches(words[0], commands, n=1)
        hint = f"Did you mean exdec {near[0]}?" if near else f"There are: {', '.join(commands)}."
        sys.exit(_refuse(parser.prog, f"there is no command {shown(words[0])}. {hint}"))
    command = commands.get(words[0], parser)
    _check_options(command, words)
    args, unread = parser.parse_known_args(words, argparse.Namespace(jupyter=jupyter))
    if unread:
        command.error(f"there is no use for {shown(unread[0])} here")
    return args


def _check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Refuse an option that does not exist, before argparse misses something else in its place."""
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", parser.format_help()))
    for word in words:
        if word == "--":
            return
        option = word.partition("=")[0]
        if re.match(r"--?[A-Za-z]", option) and option not in known:
            near = get_close_matches(option, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"See {parser.prog} --help."
            sys.exit(_refuse(parser.prog, f"there is no option {shown(option)[1:-1]}. {hint}"))


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = _Parser(
        prog="exdec",
        description="Executive Decision: firms buy materials and sell goods by sealed bids,\n"
        "and their bids make the prices.",
        epilog="examples:\n"
        "  exdec lab                           learn and play in the browser\n"
        "  exdec demo --players 4 --seed 1     see a whole game between computer rivals\n"
        "  exdec score game.jsonl              see how a recorded game came out\n"
        "  exdec tournament                    see which strategies do best\n"
        "  exdec host                          open a class for pupils with phones\n"
        "  exdec print                         make sheets to play on paper\n"
        "  exdec rehearse                      try it with simulated phones first\n\n"
        "Each command has more to say: exdec demo --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"exdec {version('exdec')}")
    adder = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True
    )

    def add(
        run: Callable[[argparse.Namespace], None],
        *,
        help: str,  # noqa: A002  (argparse's own word)
        description: str,
        epilog: str,
        usage: str | None = None,
    ) -> argparse.ArgumentParser:
        command = adder.add_parser(
            run.__name__.strip("_").replace("_", "-"),
            help=help,
            description=description,
            epilog=epilog,
            usage=usage,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(run=run)
        return command

    lab_parser = add(
        _lab,
        help="open the notebooks in JupyterLab",
        usage="exdec lab [--no-browser] [--port PORT] [-- JUPYTER OPTIONS]",
        description="Open JupyterLab at the first notebook, in a copy of your own: the folder\n"
        "exdec-kit, here, has the notebooks, the teacher's guide and plans, and the rules.\n"
        "A newer exdec brings it up to date and leaves what you have changed as it is. No\n"
        "request leaves this machine.",
        epilog="examples:\n"
        "  exdec lab\n"
        "  exdec lab --no-browser --port 9000\n"
        "  exdec lab -- --ServerApp.ip=0.0.0.0     more options, for Jupyter",
    )
    lab_parser.add_argument(
        "--no-browser", dest="browser", action="store_false", help="only print the address to open"
    )
    lab_parser.add_argument(
        "--port",
        type=_whole(1, 65535),
        metavar="PORT",
        help="where to listen (8888; a free one if it is taken)",
    )

    demo_parser = add(
        _demo,
        help="let computer rivals play a game, and print it",
        description="Let computer rivals play against each other. Prints the Price Level Board,\n"
        "each player's tally and the result. The same seed gives the same game.",
        epilog=f"rivals:\n{_rivals()}\n\n"
        "examples:\n"
        "  exdec demo --players 4 --seed 1 --months 12\n"
        '  exdec demo --bots "easy,full capacity" --variation\n'
        "  exdec demo --months 3 --record game.jsonl",
    )
    demo_parser.add_argument(
        "--players", type=_whole(2, 6), metavar="N", help="how many play, 2 to 6 (4)"
    )
    demo_parser.add_argument(
        "--months", type=_whole(1, 12), default=12, metavar="N", help="how many, 1 to 12 (12)"
    )
    demo_parser.add_argument(
        "--seed",
        type=_whole(0, 999_999_999),
        default=1,
        metavar="N",
        help="for the rivals' luck (1)",
    )
    demo_parser.add_argument(
        "--bots",
        type=_strategies,
        metavar="A,B,…",
        help="the rivals, by name or level, dealt out in turn (easy, medium, hard, then the "
        "others)",
    )
    demo_parser.add_argument(
        "--variation", action="store_true", help="fill part of a bid that misses the market"
    )
    demo_parser.add_argument("--record", metavar="FILE", help="save the game, in a new file")

    score_parser = add(
        _score,
        help="print the outcome of a recorded game",
        description="Read a game record and print how the game came out, finished or not.",
        epilog="examples:\n"
        "  exdec score game.jsonl\n"
        "  exdec score game.jsonl --json\n"
        "  cat game.jsonl | exdec score - --json",
    )
    score_parser.add_argument("file", metavar="FILE", help="a game record, or - for standard input")
    score_parser.add_argument("--json", action="store_true", help="as JSON, for programs")

    tournament_parser = add(
        _tournament,
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
    tournament_parser.add_argument(
        "--bots",
        type=_own_or_ours,
        metavar="A,B,…",
        help="the strategies, by name or level, or in a file of yours: mine.py:Mine (all of ours)",
    )
    tournament_parser.add_argument(
        "--players",
        type=_numbers(2, 6),
        default=[2, 3, 4],
        metavar="N,N,…",
        help="how many play, 2 to 6, such as 2-4 (2,3,4)",
    )
    tournament_parser.add_argument(
        "--games",
        type=_whole(1, 1_000_000_000),
        metavar="N",
        help="for each number of players (300; 200 with a strategy of yours)",
    )
    tournament_parser.add_argument(
        "--months", type=_whole(1, 12), default=12, metavar="N", help="how many, 1 to 12 (12)"
    )
    tournament_parser.add_argument(
        "--variation", action="store_true", help="fill part of a bid that misses the market"
    )
    tournament_parser.add_argument(
        "--seed",
        type=_whole(0, 999_999_999),
        default=1,
        metavar="N",
        help="for the strategies' luck, and which combinations play (1)",
    )
    tournament_parser.add_argument(
        "--workers",
        type=_whole(1, 999),
        metavar="N",
        help="processes that play (one for each processor)",
    )
    tournament_parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster that plays: tcp://host:port"
    )
    tournament_parser.add_argument(
        "--out",
        metavar="FILE",
        help="save the tables as .csv or .parquet, in four new files: FILE with the ranking, and "
        "-head-to-head, -by-month, -prices beside it",
    )
    host_parser = add(
        _host,
        help="open a class that pupils play from their phones",
        description="Open a class and serve it to phones in the same network, without JupyterLab.\n"
        "Prints a QR code for the pupils, and a link of your own for the projector and\n"
        "the controls. Everything is kept in one file, from which a class goes on after\n"
        "Control-C, a crash or a power cut. Months, places at a table and bots are set\n"
        "here, before the class is open; the controls can change the seconds.",
        epilog="examples:\n"
        "  exdec host\n"
        '  exdec host --players 4 --months 6 --seconds 90 --title "Year 11"\n'
        "  exdec host --roster names.csv\n"
        "  exdec host --resume class-2026-11-30-0915.sqlite",
    )
    host_parser.add_argument(
        "--title", default="Executive Decision", help="what pupils see before they join"
    )
    host_parser.add_argument(
        "--players", type=_whole(2, 6), default=4, metavar="N", help="places at a table (4)"
    )
    host_parser.add_argument(
        "--rest",
        choices=("bots", "share", "smaller"),
        default="bots",
        help="if pupils do not fill the last table: bots play, pupils share, or tables are smaller",
    )
    host_parser.add_argument(
        "--months", type=_whole(1, 12), default=6, metavar="N", help="how many, 1 to 12 (6)"
    )
    host_parser.add_argument(
        "--seconds",
        type=_whole(0, 3600),
        default=90,
        metavar="N",
        help="for each step; 0 for no deadline (90)",
    )
    host_parser.add_argument(
        "--together", action="store_true", help="all tables begin each step at the same time"
    )
    host_parser.add_argument(
        "--bots", choices=tuple(LEVELS), default="medium", help="the bots' level (medium)"
    )
    host_parser.add_argument(
        "--variation", action="store_true", help="fill part of a bid that misses the market"
    )
    host_parser.add_argument(
        "--roster", metavar="FILE", help="a CSV of names: each gets a slip with a link of its own"
    )
    host_parser.add_argument("--resume", metavar="FILE", help="go on with a class of the folder")
    host_parser.add_argument(
        "--anyway",
        action="store_true",
        help="go on with it although another server may have it open",
    )
    host_parser.add_argument(
        "--folder", default="classes", metavar="FOLDER", help="where classes are kept (classes)"
    )
    host_parser.add_argument(
        "--address", default="0.0.0.0", help="where to listen (all networks of this machine)"
    )
    host_parser.add_argument(
        "--port", type=_whole(0, 65535), default=8765, metavar="PORT", help="where to listen (8765)"
    )
    host_parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name by which phones reach this machine",
    )

    print_parser = add(
        _print,
        help="make sheets to play on paper",
        description="Make sheets to play on paper: what one table needs, in one HTML file that\n"
        "any browser prints. Print it once for each table.",
        epilog=f"sheets:\n{_sheets()}\n\n"
        "examples:\n"
        "  exdec print\n"
        "  exdec print --players 3 --months 6 --paper letter\n"
        "  exdec print tally slips --players 5 --out ours.html",
    )
    print_parser.add_argument("sheets", metavar="SHEET", nargs="*", help="what to print (all)")
    print_parser.add_argument(
        "--players", type=_whole(2, 6), default=4, metavar="N", help="how many play, 2 to 6 (4)"
    )
    print_parser.add_argument(
        "--months", type=_whole(1, 12), default=12, metavar="N", help="how many, 1 to 12 (12)"
    )
    print_parser.add_argument(
        "--variation", action="store_true", help="fill part of a bid that misses the market"
    )
    print_parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="the paper's size (a4)"
    )
    print_parser.add_argument(
        "--out", metavar="FILE", default="sheets.html", help="where to write them (sheets.html)"
    )

    rehearse_parser = add(
        _rehearse,
        help="let simulated phones play a class, on the evening before it",
        description="Let simulated phones play against this computer, and say whether a class\n"
        "could. They lose their line and come back, load the page again while they type,\n"
        "tap twice; one dawdles, and one goes away. Nothing of it is kept. On another\n"
        "computer, with --url and --code, they try the room's network too. The exit\n"
        "status is 0 for a pass and 1 for a fail.",
        epilog="examples:\n"
        "  exdec rehearse\n"
        "  exdec rehearse --players 30 --months 6 --minutes 10\n"
        "  exdec rehearse --url http://10.0.0.7:8765/exdec/ --code K7Q2M4",
    )
    rehearse_parser.add_argument(
        "--players", type=_whole(2, 400), default=60, metavar="N", help="how many phones (60)"
    )
    rehearse_parser.add_argument(
        "--months", type=_whole(1, 12), default=3, metavar="N", help="how many they play (3)"
    )
    rehearse_parser.add_argument(
        "--minutes", type=_whole(1, 60), default=3, metavar="N", help="how long at most (3)"
    )
    rehearse_parser.add_argument(
        "--url", help="a class that is open already, instead of one of its own"
    )
    rehearse_parser.add_argument("--code", help="the code of that class")
    rehearse_parser.add_argument(
        "--address", default="0.0.0.0", help="where its own listens (all networks of this machine)"
    )
    rehearse_parser.add_argument(
        "--port", type=_whole(0, 65535), default=8765, metavar="PORT", help="where (8765)"
    )

    gradebook_parser = add(
        _gradebook,
        help="turn a folder of pupils' progress files into a table",
        description="Read every progress file in a folder and below it, and print a table for a\n"
        "spreadsheet: a line for each pupil, what was solved in each lesson, in how many\n"
        "attempts, and the profit in the pupil's own game.",
        epilog="examples:\n"
        "  exdec gradebook handed_in\n"
        "  exdec gradebook handed_in --out grades.csv",
    )
    gradebook_parser.add_argument("folder", metavar="FOLDER", help="where the files are")
    gradebook_parser.add_argument("--out", metavar="FILE", help="write it there, in a new file")

    export_parser = add(
        _export,
        help="write down what is left of a live class, as tables and game records",
        description="Read the file of a live class, and make a folder of what is in it: a game\n"
        "record for each table, CSV files, an Excel workbook, and a README that says what\n"
        "each column means. The class may go on meanwhile; its file stays as it is.",
        epilog="examples:\n"
        "  exdec export classes/year-11.sqlite\n"
        "  exdec export classes/year-11.sqlite --out results --pseudonyms\n"
        "  exdec export classes/year-11.sqlite --out results.zip",
    )
    export_parser.add_argument("file", metavar="FILE", help="the class's file")
    export_parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="a new folder, or a new file that ends in .zip (the name of the class's file, and "
        "-pseudonyms if it is)",
    )
    export_parser.add_argument(
        "--pseudonyms", action="store_true", help="write Pupil 1, Pupil 2, … instead of names"
    )
    export_parser.add_argument(
        "--semicolons",
        action="store_true",
        help="separate the CSV files' columns by semicolons and write decimal commas, as "
        "spreadsheets in many countries expect",
    )
    export_parser.add_argument(
        "--zip", action="store_true", help="make one .zip file instead of a folder"
    )

    link_parser = add(
        _link,
        help="make links that open a notebook on Binder, a JupyterHub or Colab",
        description="Make the links to a notebook in your own copy of the project on GitHub, for\n"
        "pupils who install nothing: badges for a page, and QR codes. No request leaves\n"
        "this machine, so open each link once before the class does.",
        epilog="examples:\n"
        "  exdec link --repo ann/exdec --notebook 02_demand\n"
        "  exdec link --repo ann/exdec --notebook 02_demand --hub https://hub.example.org\n"
        "  exdec link --repo ann/exdec --notebook 02_demand --svg code.svg",
    )
    link_parser.add_argument(
        "--repo", required=True, metavar="OWNER/NAME", help="the project on GitHub"
    )
    link_parser.add_argument(
        "--notebook",
        default=Path(lab.FIRST).stem,
        metavar="NAME",
        help=f"what it opens ({Path(lab.FIRST).stem})",
    )
    link_parser.add_argument(
        "--branch", default="main", metavar="NAME", help="a branch, tag or commit (main)"
    )
    link_parser.add_argument(
        "--hub", metavar="ADDRESS", help="a JupyterHub that has nbgitpuller and exdec"
    )
    link_parser.add_argument(
        "--svg", metavar="FILE", help="save the QR codes as pictures, in new files: FILE-binder, …"
    )

    lite_parser = add(
        _build_lite,
        help="prepare a site that runs the notebooks in a browser, without a server",
        description="Write a folder that JupyterLite makes a site of: Python runs in the reader's\n"
        "own browser, so the site is files alone, which any web server gives out. Prints\n"
        "the command that makes it.",
        epilog="examples:\n  exdec build-lite\n  exdec build-lite --out ours",
    )
    lite_parser.add_argument(
        "--out", default="lite", metavar="FOLDER", help="a new folder to write (lite)"
    )

    check_parser = add(
        _check_lessons,
        help="look for what is amiss in the lessons' sources",
        description="Hold every lesson against the rules for lessons, and say what is amiss,\n"
        "where, and how to mend it.",
        epilog="example:\n  exdec check-lessons",
    )
    build_parser = add(
        _build_notebooks,
        help="make the lessons' notebooks from their sources",
        description="Make notebooks/NN_topic.ipynb from lessons/NN_topic, run them, and keep what\n"
        "their checked cells print.",
        epilog="examples:\n"
        "  exdec build-notebooks\n"
        "  exdec build-notebooks --check                write nothing; fail if they differ\n"
        "  exdec build-notebooks --solutions solved     with solutions, for the teacher",
    )
    for parser_ in (check_parser, build_parser):
        parser_.add_argument(
            "folder",
            metavar="FOLDER",
            nargs="?",
            default="lessons",
            help="where the lessons are (lessons)",
        )
    build_parser.add_argument(
        "--check", action="store_true", help="only compare with what is there"
    )
    build_parser.add_argument(
        "--solutions",
        metavar="FOLDER",
        type=Path,
        help="write the solved notebooks, into this folder",
    )
    return parser, dict(adder.choices)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def accept(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(
                f"give a whole number from {low} to {high}, not {shown(text)}"
            )
        return number

    return accept


def _numbers(low: int, high: int) -> Callable[[str], list[int]]:
    one = _whole(low, high)

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
    names = [name.strip() for name in text.split(",")]
    for name in names:
        file, colon, kind = name.partition(":")
        if colon and not is_own(name):
            raise argparse.ArgumentTypeError(
                f"there is no rival called {shown(name)}. Did you mean {file}.py:{kind}?"
            )
    return [name if is_own(name) else _strategies(name)[0] for name in names]


def _strategies(text: str) -> list[str]:
    try:
        return [strategy_named(name.strip()) for name in text.split(",")]
    except ExdecError as error:
        last = text.split(",")[-1].strip()
        two = [name for name in BOTS if last and name.startswith(f"{last} ")]
        hint = f' Names of two words stand in quotes: --bots "{two[0]},…".' if two else ""
        raise argparse.ArgumentTypeError(f"{error}{hint}") from None


def _sheets() -> str:
    """Every kind of sheet with what it is for."""
    from exdec.printing import SHEETS

    return "\n".join(f"  {name:<14}{sheet.about}" for name, sheet in SHEETS.items())


def _rivals() -> str:
    """Every strategy with what it does, and the levels."""
    wide = max(map(len, BOTS)) + 4
    lines = [
        fill(
            about(name),
            width=80,
            initial_indent=f"  {name}".ljust(wide),
            subsequent_indent=" " * wide,
            break_on_hyphens=False,
        )
        for name in BOTS
    ]
    levels = ", ".join(f"{level} is {name}" for level, name in LEVELS.items())
    return "\n".join((*lines, f"  Levels: {levels}."))


# -- screens -------------------------------------------------------------------------------------


def _write_what_the_screen_can() -> None:
    """Spell out what the terminal's encoding lacks, rather than stop in the middle."""
    codecs.register_error("exdec", _spell_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="exdec")


def _spell_out(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    spelt = "".join(IN_ASCII.get(sign, ascii(sign)[1:-1]) for sign in lacking)
    return spelt, error.end
