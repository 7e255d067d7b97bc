"""QR codes in a terminal."""

from __future__ import annotations

import os
import sys
from io import StringIO

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
        Lines of blocks, or one sentence if the encoding has no blocks. A terminal is told to show
        them white on black, for on a light one they would come out the other way round.

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
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ and encoding is None:
        return "".join(f"\x1b[97;40m{line}\x1b[0m\n" for line in text.splitlines())
    return text
