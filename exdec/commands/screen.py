"""Text for people, as wide as their terminal."""

from __future__ import annotations

import shutil
import sys
from textwrap import fill


def say(text: str) -> None:
    """Print at once; in a terminal, long lines of prose break between words."""
    if sys.stdout.isatty():
        text = wrapped(text, shutil.get_terminal_size().columns)
    print(text, flush=True)


def wrapped(text: str, width: int) -> str:
    r"""Break lines between words. What is set in, to be typed, and what is drawn stay whole.

    Examples
    --------
    >>> print(wrapped("Kept in classes. To go on:\n  exdec host --resume file", 18))
    Kept in classes.
    To go on:
      exdec host --resume file
    """
    return "\n".join(
        fill(line, width, break_long_words=False, break_on_hyphens=False)
        if line[:1].isalnum() or line[:1] == "("
        else line
        for line in text.split("\n")
    )
