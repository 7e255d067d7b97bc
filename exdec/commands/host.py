"""``exdec host``: a class that plays from its phones."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.bots import LEVELS
from exdec.commands.options import game_options, whole
from exdec.commands.screen import say
from exdec.errors import ExdecError, shown
from exdec.rules import VARIATION

if TYPE_CHECKING:
    from exdec.commands.options import Commands

OF_A_NEW_CLASS = (
    *("title", "players", "rest", "months", "variation", "seconds", "together", "draw", "bots"),
    "roster",
)
"""Options that a class which goes on has no use for."""


def declare(commands: Commands) -> None:
    """Declare ``exdec host`` and its options."""
    parser = commands.add_parser(
        "host",
        help="open a class that pupils play from their phones",
        description="Open a class and serve it to phones in the same network, without JupyterLab.\n"
        "Prints a QR code for the pupils, and a link of your own for the projector and\n"
        "the controls. Everything is kept in one file, from which a class goes on after\n"
        "Control-C, a crash or a power cut. Months, places at a table and bots can be set\n"
        "anew on the controls' page until you start, and the seconds at any time.\n"
        "Tables that play different games, to be compared, are set in a notebook's panel,\n"
        "under An experiment.",
        epilog="examples:\n"
        "  exdec host\n"
        '  exdec host --players 4 --months 6 --seconds 90 --title "Year 11"\n'
        "  exdec host --roster names.csv\n"
        "  exdec host --resume classes/class-2026-11-30-0915.sqlite",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--title", default="Executive Decision", help="what pupils see before they join"
    )
    parser.add_argument(
        "--players", type=whole(2, 6), default=4, metavar="N", help="places at a table (4)"
    )
    parser.add_argument(
        "--rest",
        choices=("bots", "share", "smaller"),
        default="bots",
        help="if pupils do not fill the last table: bots play, pupils share, or tables are smaller",
    )
    game_options(parser, months=6)
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=90,
        metavar="N",
        help="for each step; 0 for no deadline (90)",
    )
    parser.add_argument(
        "--together", action="store_true", help="all tables begin each step at the same time"
    )
    parser.add_argument(
        "--draw",
        action="store_true",
        help="draw seats by lot when the game begins, not in the order of joining",
    )
    parser.add_argument(
        "--bots", choices=tuple(LEVELS), default="medium", help="the bots' level (medium)"
    )
    parser.add_argument(
        "--roster", metavar="FILE", help="a CSV of names: each gets a slip with a link of its own"
    )
    parser.add_argument(
        "--resume", metavar="FILE", help="go on with a class, at the address where it was: its file"
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="go on with it although another server has it open, which lets go of it",
    )
    parser.add_argument(
        "--folder", default="classes", metavar="FOLDER", help="where classes are kept (classes)"
    )
    parser.add_argument("--address", help="where to listen (all networks of this machine)")
    parser.add_argument(
        "--port", type=whole(0, 65535), metavar="PORT", help="where to listen (8765)"
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        type=_host_name,
        metavar="HOST",
        help="a name by which phones reach this machine",
    )
    parser.set_defaults(usual={name: parser.get_default(name) for name in OF_A_NEW_CLASS})


def run(args: argparse.Namespace) -> None:
    """Open the class, or go on with one, and serve it until it is stopped."""
    from exdec.classroom.roster import read_roster, understood
    from exdec.classroom.serve import host
    from exdec.classroom.settings import ClassSettings

    if args.resume is not None:
        _expect_no_settings(args)
    names = read_roster(args.roster) if args.roster else ()
    settings = ClassSettings(
        title=args.title,
        size=args.players,
        rest=args.rest,
        months=args.months,
        seconds=args.seconds,
        together=args.together,
        draw=args.draw,
        level=args.bots,
        rules=VARIATION.changes() if args.variation else {},
        roster=names,
    )
    if names:
        kept = settings.roster
        say(
            f"{args.roster}: {len(kept)} name{'' if len(kept) == 1 else 's'}, from {kept[0].name} "
            f"to {kept[-1].name}. {' '.join(understood(names, kept))}\n"
            "Each has a seat slip to print, on your page under Slips, files and the end.\n"
        )
    host(
        settings,
        Path(args.folder),
        resume=None if args.resume is None else _file(args.resume, args.folder),
        anyway=args.anyway,
        address=args.address,
        port=args.port,
        names=tuple(args.name),
        say=say,
    )


def _host_name(text: str) -> str:
    """Read a name or an address of a machine."""
    if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", text):
        raise argparse.ArgumentTypeError(
            f"give the machine's name alone, such as class.school.example, not {shown(text)}"
        )
    return text


def _seconds(text: str) -> int:
    """Read the seconds of a step."""
    from exdec.classroom.settings import LEAST_SECONDS, MOST_SECONDS

    if text != "0" and not (text.isdecimal() and LEAST_SECONDS <= int(text) <= MOST_SECONDS):
        raise argparse.ArgumentTypeError(
            f"give {LEAST_SECONDS} to {MOST_SECONDS} seconds, or 0 for no deadline, "
            f"not {shown(text)}"
        )
    return int(text)


def _expect_no_settings(args: argparse.Namespace) -> None:
    """Refuse what a class that goes on would not heed."""
    given = [f"--{name}" for name, usual in args.usual.items() if getattr(args, name) != usual]
    if given:
        raise ExdecError(
            f"A class that goes on stays as it was opened. Leave out {', '.join(given)}; your page "
            "can change the seconds, and the months, places and bots until the game begins."
        )


def _changed(path: Path) -> float:
    # Names tell the minute alone; the second class of one has "-2" at its end, which sorts first.
    return path.stat().st_mtime


def _file(name: str, folder: str) -> Path:
    """The class that is meant: a file, or one in the folder."""
    for path in (Path(name), Path(folder, name)):
        if path.is_file():
            return path
    if (
        name
        and Path(name).is_dir()
        and (found := sorted(Path(name).glob("*.sqlite"), key=_changed))
    ):
        raise ExdecError(
            f"--resume: {name} is a folder. Give one of its classes; the newest is {found[-1]}."
        )
    raise ExdecError(
        f"--resume: there is no file {shown(name)}, and none in {folder}. What is in there ends in "
        ".sqlite."
    )
