"""``exdec demo``: computer rivals play a game."""

from __future__ import annotations

import argparse
from itertools import cycle, islice
from textwrap import fill
from typing import TYPE_CHECKING

from exdec.bots import BOTS, LEVELS, about, make_bot
from exdec.commands.options import game_options, rules_of, strategies, whole
from exdec.errors import ExdecError
from exdec.play import play
from exdec.recorder import Recorder

if TYPE_CHECKING:
    from exdec.commands.options import Commands

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")


def declare(commands: Commands) -> None:
    """Declare ``exdec demo`` and its options."""
    parser = commands.add_parser(
        "demo",
        help="let computer rivals play a game, and print it",
        description="Let computer rivals play against each other. Prints the Price Level Board,\n"
        "each player's tally and the result. The same seed gives the same game.",
        epilog=f"rivals:\n{_rivals()}\n\n"
        "examples:\n"
        "  exdec demo --players 4 --seed 1 --months 12\n"
        '  exdec demo --bots "easy,full capacity" --variation\n'
        "  exdec demo --months 3 --record game.jsonl",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--players", type=whole(2, 6), metavar="N", help="how many play, 2 to 6 (4)"
    )
    game_options(parser)
    parser.add_argument(
        "--seed",
        type=whole(0, 999_999_999),
        default=1,
        metavar="N",
        help="for the rivals' luck (1)",
    )
    parser.add_argument(
        "--bots",
        type=strategies,
        metavar="A,B,…",
        help="the rivals, by name or level, dealt out in turn (easy, medium, hard, then the "
        "others)",
    )
    parser.add_argument("--record", metavar="FILE", help="save the game, in a new file")


def run(args: argparse.Namespace) -> None:
    """Play the game, and print it."""
    from exdec.text import game_text  # brings pandas, which takes a moment

    players = args.players or max(2, len(args.bots or NAMES[:4]))
    names = args.bots or list(dict.fromkeys((*LEVELS.values(), *BOTS)))
    if players > len(NAMES):
        raise ExdecError(f"--bots names {players} rivals, and 2 to 6 can play. Name fewer.")
    if args.bots and len(args.bots) > players:
        raise ExdecError(
            f"--bots names {len(args.bots)} rivals for {players} players. Name fewer, or raise "
            "--players."
        )
    seats = dict(zip(NAMES[:players], islice(cycle(names), players), strict=True))
    rules = rules_of(args)
    game = play(rules, {player: make_bot(name) for player, name in seats.items()}, args.seed)
    if args.record is not None:
        Recorder.create(args.record, game, bots=seats, seed=args.seed)
    print(game_text(game, seats))
    if args.record is not None:
        print(f"\nRecorded in {args.record}. To read it again: exdec score {args.record}")


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
