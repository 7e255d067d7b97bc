"""``exdec check-lessons``: what is amiss in the lessons' sources."""

from __future__ import annotations

import argparse
from pathlib import Path

from exdec.commands.options import Add
from exdec.errors import ExdecError


def declare(add: Add) -> None:
    """Declare ``exdec check-lessons`` and its options."""
    parser = add(
        "check-lessons",
        run,
        help="look for what is amiss in the lessons' sources",
        description="Hold every lesson against the rules for lessons, and say what is amiss,\n"
        "where, and how to mend it.",
        epilog="example:\n  exdec check-lessons",
    )
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default="lessons",
        help="where the lessons are (lessons)",
    )


def run(args: argparse.Namespace) -> None:
    """Print what is amiss."""
    from exdec.lessons.lint import check_lessons

    found = check_lessons(Path(args.folder))
    for sentence in found:
        print(sentence)
    if found:
        raise ExdecError(f"{len(found)} to mend.")
    print("All is well with the lessons.")
