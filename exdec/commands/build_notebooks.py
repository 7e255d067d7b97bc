"""``exdec build-notebooks``: notebooks from the lessons' sources."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exdec.commands.options import lessons_folder
from exdec.errors import ExdecError

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec build-notebooks`` and its options."""
    parser = commands.add_parser(
        "build-notebooks",
        help="make the lessons' notebooks from their sources",
        description="Make notebooks/NN_topic.ipynb from lessons/NN_topic, run them, and keep what\n"
        "their checked cells print.",
        epilog="examples:\n"
        "  exdec build-notebooks\n"
        "  exdec build-notebooks --check                write nothing; fail if they differ\n"
        "  exdec build-notebooks --solutions solved     with solutions, for the teacher",
    )
    parser.set_defaults(run=run)
    lessons_folder(parser)
    parser.add_argument("--check", action="store_true", help="only compare with what is there")
    parser.add_argument(
        "--solutions",
        metavar="FOLDER",
        type=Path,
        help="write the solved notebooks, into this folder",
    )


def run(args: argparse.Namespace) -> None:
    """Write what differs from its source, or name it."""
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
