"""``exdec link``: links and QR codes for Binder, a hub and Colab."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exdec import kit, lab

if TYPE_CHECKING:
    from exdec.commands.options import Commands


def declare(commands: Commands) -> None:
    """Declare ``exdec link`` and its options."""
    parser = commands.add_parser(
        "link",
        help="make links that open a notebook on Binder, a JupyterHub or Colab",
        description="Make the links to a notebook in your own copy of the project on GitHub, for\n"
        "pupils who install nothing: badges for a page, and QR codes. No request leaves\n"
        "this machine, so open each link once before the class does.",
        epilog="examples:\n"
        "  exdec link --repo ann/exdec --notebook 02_demand\n"
        "  exdec link --repo ann/exdec --notebook 02_demand --hub https://hub.example.org\n"
        "  exdec link --repo ann/exdec --notebook 02_demand --svg code.svg",
    )
    parser.set_defaults(run=run)
    parser.add_argument("--repo", required=True, metavar="OWNER/NAME", help="the project on GitHub")
    parser.add_argument(
        "--notebook",
        default=Path(lab.FIRST).stem,
        metavar="NAME",
        help=f"what it opens ({Path(lab.FIRST).stem})",
    )
    parser.add_argument(
        "--branch", default="main", metavar="NAME", help="a branch, tag or commit (main)"
    )
    parser.add_argument(
        "--hub", metavar="ADDRESS", help="a JupyterHub that has nbgitpuller and exdec"
    )
    parser.add_argument(
        "--svg", metavar="FILE", help="save the QR codes as pictures, in new files: FILE-binder, …"
    )


def run(args: argparse.Namespace) -> None:
    """Print the links."""
    from exdec.links import links, notebook_named, save_codes
    from exdec.qr import drawn

    notebook = notebook_named(args.notebook, [Path.cwd() / "notebooks", kit.KIT / "notebooks"])
    found = links(args.repo, notebook, branch=args.branch, hub=args.hub or "")
    for link in found:
        print(f"{link.place}\n{link.note}\n\n  {link.url}\n")
        if sys.stdout.isatty():
            print(drawn(link.url))
        print(f"  {link.markdown}\n\n  {link.html}\n")
    if args.hub is None:
        print("With --hub https://…, there is a link to a JupyterHub as well.")
    if args.svg is not None:
        codes = save_codes(found, Path(args.svg))
        print(f"QR codes: {', '.join(map(str, codes))}")
