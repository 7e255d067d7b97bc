"""``exdec build-lite``: a site for JupyterLite."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exdec import lab

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec build-lite`` and its options."""
    parser = commands.add_parser(
        "build-lite",
        help="prepare a site that runs the notebooks in a browser, without a server",
        description="Write a folder that JupyterLite makes a site of: Python runs in the reader's\n"
        "own browser, so the site is files alone, which any web server gives out. Prints\n"
        "the command that makes it.",
        epilog="examples:\n  exdec build-lite\n  exdec build-lite --out ours",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--out", default="lite", metavar="FOLDER", help="a new folder to write (lite)"
    )


def run(args: argparse.Namespace) -> None:
    """Write the folder, and print how the site is made of it."""
    from exdec.lite import BUILD, prepare

    wheel = prepare(Path(args.out))
    out = Path(args.out).as_posix()
    print(f"Notebooks, settings and {wheel.name} are in {args.out}. This makes the site of it:\n")
    print(f"  {BUILD.format(folder=out)}\n")
    print("Then try it, at the address that this prints:\n")
    print(f"  python -m http.server --bind 127.0.0.1 --directory {out}/site\n")
    print(f"Readers begin at lab/index.html?path={lab.FIRST}. See docs/lite.md.")
