"""Whether another server may have a class open; two that go on with one get in each other's way."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from exdec.classroom.store import Store
from exdec.narrate import counted

RECENT = 15.0
"""Seconds; a server that runs a class writes to its file more often than that."""


def elsewhere(path: Path, now: float) -> str:
    """Warn of another server, if the class has shown signs of life a moment ago.

    Parameters
    ----------
    path : Path
        The class's file.
    now : float
        Seconds since 1970.

    Returns
    -------
    str
        What to do, in sentences; "" if nothing speaks for another server.

    Raises
    ------
    StoreError
        It is no class, or cannot be read.
    """
    with closing(Store.open(path)) as store:
        quiet = now - store.last_sign()
        if store.summary()["closed"] or not 0 <= quiet < RECENT:
            return ""
    return (
        f"{path.name} was written to {counted(max(round(quiet), 1), 'second')} ago, so another "
        "server may have it open: look for a notebook, or a terminal with exdec host, and stop it. "
        f"If there is none, wait {RECENT:.0f} seconds: this is not said again then."
    )
