"""Whether another server may have a class open; two that go on with one get in each other's way."""

from __future__ import annotations

import platform
from contextlib import closing
from pathlib import Path

from exdec.classroom.store import Store, is_open
from exdec.narrate import counted

RECENT = 15.0
"""Seconds; a server that runs a class writes to its file more often than that."""

STOP = "look for a notebook, or a terminal with exdec host, and stop it."


def elsewhere(path: Path, now: float) -> str:
    """Warn of another server that has a class open, or may have.

    One on this machine is known by its locks, which end with it. Those of another machine are not
    seen, nor is a lock on a network drive; there the class's last sign of life counts, unless the
    server has let go of it in order.

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
        if store.summary()["closed"]:
            return ""
        quiet = now - store.last_sign()
        machine = store.last_machine()
        here = machine == platform.node() and not store.on_network
    if is_open(path):
        return f"{path.name} is open in another server: {STOP}"
    if machine == "" or here or not 0 <= quiet < RECENT:
        return ""
    return (
        f"{path.name} was written to {counted(max(round(quiet), 1), 'second')} ago, so another "
        f"server may have it open: {STOP} If there is none, wait {RECENT:.0f} seconds: this is not "
        "said again then."
    )
