"""``exdec check-lessons``: what is amiss in the lessons' sources."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.commands.options import lessons_folder
from exdec.errors import ExdecError

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec check-lessons`` and its options."""
    parser = commands.add_parser(
        "check-lessons",
        help="look for what is amiss in the lessons' sources",
        description="Hold every lesson against the rules for lessons, and say what is amiss,\n"
        "where, and how to mend it.",
        epilog="example:\n  exdec check-lessons",
    )
    parser.set_defaults(run=run)
    lessons_folder(parser)


def run(args: argparse.Namespace) -> None:
    """Print what is amiss."""
    from exdec.lessons.lint import check_lessons

    found = check_lessons(Path(args.folder))
    for sentence in found:
        print(sentence)
    if found:
        raise ExdecError(f"{len(found)} to mend.")
    print("All is well with the lessons.")
