"""QR codes in a terminal."""

from __future__ import annotations

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
        Lines of blocks, or one sentence if the encoding has no blocks.

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
    return text
