"""``exdec lab``: open the notebooks in JupyterLab."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from exdec import lab
from exdec.commands.options import whole
from exdec.own_copy import working_copy

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec lab`` and its options."""
    parser = commands.add_parser(
        "lab",
        help="open the notebooks in JupyterLab",
        usage="exdec lab [--no-browser] [--port PORT] [-- JUPYTER OPTIONS]",
        description="Open JupyterLab at the first notebook, in a copy of your own: the folder\n"
        "exdec-kit, here, has the notebooks, the teacher's guide and plans, and the rules.\n"
        "A newer exdec brings it up to date and leaves what you have changed as it is. No\n"
        "request leaves this machine.",
        epilog="examples:\n"
        "  exdec lab\n"
        "  exdec lab --no-browser --port 9000\n"
        "  exdec lab -- --ServerApp.ip=0.0.0.0     more options, for Jupyter",
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "--no-browser", dest="browser", action="store_false", help="only print the address to open"
    )
    parser.add_argument(
        "--port",
        type=whole(1, 65535),
        metavar="PORT",
        help="where to listen (8888; a free one if it is taken)",
    )


def run(args: argparse.Namespace) -> None:
    """Bring the copy up to date, and open it."""
    folder, done = working_copy(Path.cwd())
    for sentence in done:
        print(sentence)
    first = folder / lab.FIRST
    if args.browser:
        print(f"JupyterLab opens {first}.")
    else:
        print(f"JupyterLab is starting; its address comes in a moment, and opens {first}.")
    print("Leave this window open while you play. Control-C, then y, stops the server.", flush=True)
    lab.serve(folder, browser=args.browser, port=args.port, options=args.jupyter)
