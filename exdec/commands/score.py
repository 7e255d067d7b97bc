"""``exdec score``: how a recorded game came out."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from exdec import record
from exdec.score import score

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec score`` and its options."""
    parser = commands.add_parser(
        "score",
        help="print the outcome of a recorded game",
        description="Read a game record and print how the game came out, finished or not.",
        epilog="examples:\n"
        "  exdec score game.jsonl\n"
        "  exdec score game.jsonl --json\n"
        "  cat game.jsonl | exdec score - --json",
    )
    parser.set_defaults(run=run)
    parser.add_argument("file", metavar="FILE", help="a game record, or - for standard input")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")


def run(args: argparse.Namespace) -> None:
    """Read the record, and print its outcome."""
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
