"""``exdec export``: what is left of a live class."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec export`` and its options."""
    parser = commands.add_parser(
        "export",
        help="write down what is left of a live class, as tables and game records",
        description="Read the file of a live class, and make a folder of what is in it: a game\n"
        "record for each table, CSV files, an Excel workbook, and a README that says what\n"
        "each column means. The class may go on meanwhile; its file stays as it is.",
        epilog="examples:\n"
        "  exdec export classes/year-11.sqlite\n"
        "  exdec export classes/year-11.sqlite --out results --pseudonyms\n"
        "  exdec export classes/year-11.sqlite --out results.zip",
    )
    parser.set_defaults(run=run)
    parser.add_argument("file", metavar="FILE", help="the class's file")
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="a new folder, or a new file that ends in .zip (beside FILE, with its name and "
        "-results, and -pseudonyms if it is)",
    )
    parser.add_argument(
        "--pseudonyms", action="store_true", help="write Pupil 1, Pupil 2, … instead of names"
    )
    parser.add_argument(
        "--semicolons",
        action="store_true",
        help="separate the CSV files' columns by semicolons and write decimal commas, as "
        "spreadsheets in many countries expect",
    )
    parser.add_argument("--zip", action="store_true", help="make one .zip file instead of a folder")


def run(args: argparse.Namespace) -> None:
    """Write the folder or the .zip file."""
    from exdec.classroom.exports import export, results_of, to_debrief

    file = Path(args.file)
    out = Path(args.out) if args.out else results_of(file, args.pseudonyms)
    if args.zip and out.suffix != ".zip":
        out = out.with_name(f"{out.name}.zip")
    made = export(file, out, args.pseudonyms, args.semicolons)
    way, line, otherwise = to_debrief(made.stem if made.suffix == ".zip" else made.name)
    print(f"Everything of the class is in {made}.\n\n{way}\n\n    {line}\n\n{otherwise}")
