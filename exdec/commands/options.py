"""Options that more than one command has, and how they are read."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from exdec.bots import BOTS, strategy_named
from exdec.errors import ExdecError, shown
from exdec.rules import STANDARD, VARIATION, Rules

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
    """Where a command is added to the command line."""


def game_options(parser: argparse.ArgumentParser, months: int = 12) -> None:
    """Add the options that `rules_of` reads."""
    parser.add_argument(
        "--months",
        type=whole(1, 12),
        default=months,
        metavar="N",
        help=f"how many, 1 to 12 ({months})",
    )
    parser.add_argument(
        "--variation", action="store_true", help="fill part of a bid that misses the market"
    )


def rules_of(args: argparse.Namespace) -> Rules:
    """Rules as the options have them."""
    return (VARIATION if args.variation else STANDARD).vary(months=args.months)


def lessons_folder(parser: argparse.ArgumentParser) -> None:
    """Add the folder that those who write lessons work in."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default="lessons",
        help="where the lessons are (lessons)",
    )


def whole(low: int, high: int) -> Callable[[str], int]:
    """Read a whole number in this range."""

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


def strategies(text: str) -> list[str]:
    """Read strategies by name or level."""
    try:
        return [strategy_named(name.strip()) for name in text.split(",")]
    except ExdecError as error:
        last = text.split(",")[-1].strip()
        two = [name for name in BOTS if last and name.startswith(f"{last} ")]
        hint = f' Names of two words stand in quotes: --bots "{two[0]},…".' if two else ""
        raise argparse.ArgumentTypeError(f"{error}{hint}") from None
