"""``exdec print``: sheets to play on paper."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from exdec.commands.options import game_options, rules_of, whole

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec print`` and its options."""
    parser = commands.add_parser(
        "print",
        help="make sheets to play on paper",
        description="Make sheets to play on paper: what one table needs, in one HTML file that\n"
        "any browser prints. Print it once for each table.",
        epilog=f"sheets:\n{_sheets()}\n\n"
        "examples:\n"
        "  exdec print\n"
        "  exdec print --players 3 --months 12 --paper letter\n"
        "  exdec print tally slips --players 5 --out ours.html",
    )
    parser.set_defaults(run=run)
    parser.add_argument("sheets", metavar="SHEET", nargs="*", help="what to print (all)")
    parser.add_argument(
        "--players", type=whole(2, 6), default=4, metavar="N", help="how many play, 2 to 6 (4)"
    )
    game_options(parser, months=6)  # as many as a lesson has time for, here as in exdec host
    parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="the paper's size (a4)"
    )
    parser.add_argument(
        "--out", metavar="FILE", default="sheets.html", help="where to write them (sheets.html)"
    )


def run(args: argparse.Namespace) -> None:
    """Write the sheets."""
    from exdec.printing import save

    done = save(args.out, args.sheets, rules_of(args), args.players, args.paper)
    print(
        f"{done.pages} page{'' if done.pages == 1 else 's'} for one table of {args.players} in "
        f"{done.path}. Open it in a browser, and print it in actual size."
    )


def _sheets() -> str:
    """Every kind of sheet with what it is for."""
    from exdec.printing import SHEETS

    return "\n".join(f"  {name:<14}{sheet.about}" for name, sheet in SHEETS.items())
