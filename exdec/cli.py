"""The command line ``exdec``: what is typed, read and refused. `exdec.commands` does the rest."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any, NoReturn

from exdec.commands import COMMANDS
from exdec.errors import ExdecError, shown

IN_ASCII = {"−": "-", "±": "+/-", "…": "...", "’": "'", "×": "x", "→": "->"}
"""How our own signs are written on a screen that has no others."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        Words of the command line after ``exdec``; those of this process if left out.

    Returns
    -------
    int
        The exit status: 0, 2 for what is refused (one line on standard error says why), 130 after
        Control-C.
    """
    _write_what_the_screen_can()
    words = list(sys.argv[1:] if argv is None else argv)
    command = "exdec"
    try:
        try:
            args = _read(words)
            command = f"exdec {args.command}"
            args.run(args)
        finally:
            print(end="", flush=True)
    except ExdecError as error:
        return _refuse(command, str(error))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # The reader has gone (`exdec demo | head`) or the disk is full. Python writes out the
        # rest once more when it ends, so let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        return _refuse(command, f"cannot write: {(error.strerror or str(error)).lower()}.")
    return 0


# -- reading the command line --------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in one line, and keeps the lines of its texts."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **more
        )

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        if message[-1] not in ".?":
            message += f". See {self.prog} --help."
        sys.exit(_refuse(self.prog, message))


def _refuse(command: str, message: str) -> int:
    print(f"{command}: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _read(words: list[str]) -> argparse.Namespace:
    parser, commands = _parsers()
    # What follows -- is Jupyter's.
    cut = words.index("--") if "--" in words and words[0] == "lab" else len(words)
    words, jupyter = words[:cut], words[cut + 1 :]
    if not words:
        parser.print_help()
        sys.exit(0)
    if not words[0].startswith("-") and words[0] not in commands:
        near = get_close_matches(words[0], commands, n=1)
        hint = f"Did you mean exdec {near[0]}?" if near else f"There are: {', '.join(commands)}."
        sys.exit(_refuse(parser.prog, f"there is no command {shown(words[0])}. {hint}"))
    command = commands.get(words[0], parser)
    _check_options(command, words)
    args, unread = parser.parse_known_args(words, argparse.Namespace(jupyter=jupyter))
    if unread:
        command.error(f"there is no use for {shown(unread[0])} here")
    return args


def _check_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Refuse an option that does not exist, before argparse misses something else in its place."""
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", parser.format_help()))
    for word in words:
        if word == "--":
            return
        option = word.partition("=")[0]
        if re.match(r"--?[A-Za-z]", option) and option not in known:
            near = get_close_matches(option, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"See {parser.prog} --help."
            sys.exit(_refuse(parser.prog, f"there is no option {shown(option)[1:-1]}. {hint}"))


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = _Parser(
        prog="exdec",
        description="Executive Decision: firms buy materials and sell goods by sealed bids,\n"
        "and their bids make the prices.",
        epilog="examples:\n"
        "  exdec lab                           learn and play in the browser\n"
        "  exdec demo --players 4 --seed 1     see a whole game between computer rivals\n"
        "  exdec score game.jsonl              see how a recorded game came out\n"
        "  exdec tournament                    see which strategies do best\n"
        "  exdec host                          open a class for pupils with phones\n"
        "  exdec print                         make sheets to play on paper\n"
        "  exdec rehearse                      try it with simulated phones first\n\n"
        "Each command has more to say: exdec demo --help",
    )
    parser.add_argument("--version", action="version", version=f"exdec {version('exdec')}")
    adder = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True
    )

    for command in COMMANDS:
        command.declare(adder)
    return parser, dict(adder.choices)


# -- screens -------------------------------------------------------------------------------------


def _write_what_the_screen_can() -> None:
    """Spell out what the terminal's encoding lacks, rather than stop in the middle."""
    codecs.register_error("exdec", _spell_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="exdec")


def _spell_out(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    spelt = "".join(IN_ASCII.get(sign, ascii(sign)[1:-1]) for sign in lacking)
    return spelt, error.end
