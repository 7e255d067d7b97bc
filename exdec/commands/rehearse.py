"""``exdec rehearse``: simulated phones play a class."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from exdec.commands.options import whole
from exdec.commands.screen import say

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec rehearse`` and its options."""
    parser = commands.add_parser(
        "rehearse",
        help="let simulated phones play a class, on the evening before it",
        description="Let simulated phones play against this computer, and say whether a class\n"
        "could. They lose their line and come back, load the page again while they type,\n"
        "tap twice; one dawdles, and one goes away. Nothing of it is kept. On another\n"
        "computer, with --url and --code, they try the room's network too, in a class that\n"
        "is open there; it keeps them, so delete it afterwards. The exit status is 0 for a\n"
        "pass and 1 for a fail.",
        epilog="examples:\n"
        "  exdec rehearse\n"
        "  exdec rehearse --players 30 --months 6 --minutes 10\n"
        "  exdec rehearse --url 10.0.0.7:8765/exdec --code K7Q2M4",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--players", type=whole(2, 400), default=60, metavar="N", help="how many phones (60)"
    )
    parser.add_argument(
        "--months", type=whole(1, 12), default=3, metavar="N", help="how many they play (3)"
    )
    parser.add_argument(
        "--minutes", type=whole(1, 60), default=3, metavar="N", help="how long at most (3)"
    )
    parser.add_argument(
        "--url", help="a class that is open already, as its board shows it, instead of its own"
    )
    parser.add_argument("--code", help="the code of that class")
    parser.add_argument(
        "--address", default="0.0.0.0", help="where its own listens (all networks of this machine)"
    )
    parser.add_argument(
        "--port", type=whole(0, 65535), default=8765, metavar="PORT", help="where (8765)"
    )


def run(args: argparse.Namespace) -> None:
    """Rehearse, and print the verdict."""
    from exdec.classroom.rehearse import rehearse

    verdict = rehearse(
        args.players,
        args.months,
        args.minutes,
        url=args.url,
        code=args.code,
        address=args.address,
        port=args.port,
        say=say,
    )
    say(f"\n{verdict}")
    if not verdict.passed:
        sys.exit(1)
