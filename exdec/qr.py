"""QR codes in a terminal."""

from __future__ import annotations

import os
import sys
from io import StringIO

WHITE_ON_BLACK = "\033[97;40m"
"""A full block is white: in a light terminal the code would come out the wrong way round."""

PLAIN = "\033[0m"

NO_COLOURS = "If it does not scan: the code needs light signs on a dark ground.\n"

NOT_HERE = "(This terminal has no signs to draw the QR code with.)\n"


def drawn(link: str, encoding: str | None = None) -> str:
    """Draw a link with the blocks of a terminal.

    Parameters
    ----------
    link : str
        What a phone opens that scans it.
    encoding : str, optional
        The terminal's; that of standard output if left out.

    Returns
    -------
    str
        Lines of blocks, or one sentence if the encoding has no blocks. Standard output gets them
        white on black if it is a terminal, unless ``NO_COLOR`` is set.

    Examples
    --------
    >>> drawn("http://10.0.0.7:8765/exdec/", "utf-8").splitlines()[2][:8]
    '████ ▄▄▄'
    >>> drawn("http://10.0.0.7:8765/exdec/", "cp1252").strip()
    '(This terminal has no signs to draw the QR code with.)'
    """
    import segno

    out = StringIO()
    segno.make(link, micro=False, error="l").terminal(out, compact=True)
    text = out.getvalue()
    try:
        text.encode(encoding or sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return NOT_HERE
    if encoding is not None or not sys.stdout.isatty():
        return text
    # The older console of Windows shows such signs as they are.
    old = sys.platform == "win32" and "WT_SESSION" not in os.environ
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or old:
        return text + NO_COLOURS
    return "".join(f"{WHITE_ON_BLACK}{line}{PLAIN}\n" for line in text.splitlines())
