"""``exdec gradebook``: pupils' progress as a table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.errors import ExdecError

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec gradebook`` and its options."""
    parser = commands.add_parser(
        "gradebook",
        help="turn a folder of pupils' progress files into a table",
        description="Read every progress file in a folder and below it, under any name, and\n"
        "print a table for a spreadsheet: a line for each pupil, what was solved in each\n"
        "lesson, in how many attempts, and the profit in the pupil's own game. Other files\n"
        "are named and left out; hidden ones are passed over.",
        epilog="examples:\n"
        "  exdec gradebook handed_in\n"
        "  exdec gradebook handed_in --out grades.csv",
    )
    parser.set_defaults(run=run)
    parser.add_argument("folder", metavar="FOLDER", help="where the files are")
    parser.add_argument("--out", metavar="FILE", help="write it there, in a new file")


def run(args: argparse.Namespace) -> None:
    """Read the files, and print or write the table."""
    from exdec.lessons.desk import Desk
    from exdec.lessons.gradebook import HANDED_IN, gradebook
    from exdec.narrate import counted

    book = gradebook(Path(args.folder), Desk().workbooks())
    for sentence in book.unread:
        print(f"exdec gradebook: {sentence}", file=sys.stderr)
    if not book.pupils:
        raise ExdecError(f"{args.folder} holds no progress file that can be read. {HANDED_IN}")
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
    print(f"{counted(book.pupils, 'pupil')}, in {args.out}.")
