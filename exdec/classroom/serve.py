"""``exdec host``: a class without JupyterLab, from a terminal."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path, PurePath
from shlex import quote

from exdec.classroom.elsewhere import elsewhere
from exdec.classroom.listen import EVERYWHERE, PORT, Listener, ListenError, PortError
from exdec.classroom.server import BEAT_EVERY, IDLE, Server
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Address, Store
from exdec.errors import ExdecError
from exdec.qr import NOT_HERE, drawn

GARBAGE = (20_000, 20, 20)
"""When Python looks for cycles. Every bid makes much that is soon gone; at the usual thresholds it
would look through all that a large class keeps again and again."""

LETS_GO = 2 * BEAT_EVERY
"""Seconds that a port is waited for if its server is to let go of the class."""

ONLY_HERE = "This address works on this computer only: phones cannot open it."
PLAIN = "This is plain HTTP in the room's own network: whoever is in that network could read along."
STILL_SET = (
    "Months, places at a table and bots can be set anew on your page until you start; all else is "
    "set by options before: see exdec host --help."
)


def host(
    settings: ClassSettings | None,
    folder: Path,
    *,
    resume: Path | None = None,
    anyway: bool = False,
    address: str | None = None,
    port: int | None = None,
    names: tuple[str, ...] = (),
    say: Callable[[str], None] = print,
) -> None:
    """Open a class, or go on with one, and serve it until it is closed or Control-C is pressed.

    A class in which nothing happens for `IDLE` seconds is put away.

    Parameters
    ----------
    settings : ClassSettings or None
        Of a new class.
    folder : Path
        Where a new class is kept.
    resume : Path, optional
        The file of a class to go on with instead.
    anyway : bool
        Go on with it although another server may have it open.
    address, port, names : optional
        As for `Listener`. A class that goes on is at its former address unless told otherwise.
    say : callable
        Takes what is to be printed.

    Raises
    ------
    ExdecError
        The class cannot be opened, is closed, or may be open elsewhere; or nothing can listen
        there.
    """
    if resume:
        with closing(Store.open(resume)) as store:
            summary = store.summary()
        if summary["closed"]:
            raise ExdecError(
                f"{summary['title']} is closed, so it does not go on. For game records, tables and "
                f"grades: exdec export {typed(resume)}"
            )
        if not anyway and (warning := elsewhere(resume, time.time())):
            raise ExdecError(f"{warning} Or add --anyway, and the other one lets go of it.")
    usual = gc.get_threshold()
    gc.set_threshold(*GARBAGE)
    try:
        asyncio.run(_host(settings, folder, resume, anyway, address, port, names, say))
    finally:
        gc.set_threshold(*usual)


async def _host(
    settings: ClassSettings | None,
    folder: Path,
    resume: Path | None,
    anyway: bool,
    address: str | None,
    port: int | None,
    names: tuple[str, ...],
    say: Callable[[str], None],
) -> None:
    server = Server(resume.parent if resume else folder)
    before = _taken(resume) if resume else Address()
    listener = await _listen(server, before, address, port, names, LETS_GO if anyway else 0.0)
    try:
        room = server.resume(resume.name) if resume else server.open(settings or ClassSettings())
    except BaseException:
        listener.close()
        raise
    lost = server.found_at(listener.kept)
    link = f"{listener.url}#c={room.code}"
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows knows no such handlers; there Control-C ends the loop by itself.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    say(welcome(room.settings.title, link, f"{listener.url}host#k={room.host_key}", room.code))
    say(ONLY_HERE if listener.address in ("127.0.0.1", "localhost") else PLAIN)
    if lost:
        say(f"\n{lost}\n")
    path = room.store.path
    server.again = lambda _: f"Start it again by {again(path)}"
    say(f"Kept in {path}. Control-C stops; to go on then:")
    say(f"  {again(path)}")
    if resume is None:
        say(STILL_SET)
    if room.store.note:
        say(room.store.note)
    try:
        while server.room is not None and not stopped.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), 0.5)
    except asyncio.CancelledError:
        stopped.set()  # Control-C, where it has no handler
    finally:
        server.shut(gone=False)
        await asyncio.sleep(0.3)  # the pages' last message is on its way
        listener.close()
    if path.is_file():
        if room.finished:
            say(closed(room.settings.title, path))
        elif stopped.is_set():
            say(f"\nStopped; nothing is lost. To go on:\n  {again(path)}")
        elif not server.lost:
            say(put_away(room.settings.title, path))


def _taken(path: Path) -> Address:
    """Take a class from whichever server has it, which lets go of it, and say where it was."""
    with closing(Store.open(path)) as store:
        store.take()
        return store.address()


async def _listen(
    server: Server,
    before: Address,
    address: str | None,
    port: int | None,
    names: tuple[str, ...],
    patience: float,
) -> Listener:
    """Listen where phones look for a class, unless told otherwise.

    If its port is taken for longer than `patience`, another one does: people tell the phones.
    """
    where = address or before.bind or EVERYWHERE
    names = names or before.names
    ends = time.monotonic() + patience
    while True:
        try:
            return Listener(server, where, (before.port or PORT) if port is None else port, names)
        except PortError:
            if time.monotonic() < ends:
                await asyncio.sleep(0.2)
            elif port is None and before.url:
                return Listener(server, where, 0, names)
            else:
                raise
        except ListenError as error:
            if not before.bind or address:
                raise
            raise ListenError(
                f"The class was open at {where}. {error} Say where it is to go on: --address."
            ) from None


def again(path: PurePath) -> str:
    """What goes on with a class, typed in a terminal."""
    return f"exdec host --resume {typed(path)}"


def typed(path: PurePath) -> str:
    """A path as this system's terminals take it."""
    # Windows' own takes single quotes for letters, and no path there has a double one in it.
    return f'"{path}"' if sys.platform == "win32" else quote(str(path))


def put_away(title: str, path: PurePath) -> str:
    """What a terminal shows when a class was forgotten, and the server has ended by itself."""
    return (
        f"\n{title} is put away: nothing has happened in it for {IDLE / 3600:.0f} hours. "
        f"Nothing is lost; to go on:\n  {again(path)}"
    )


def closed(title: str, path: PurePath) -> str:
    """What a terminal shows when the class is closed: where it is, and what to do with it."""
    return (
        f"\n{title} is closed. Everything is in {path}. For game records, tables and grades:\n"
        f"  exdec export {typed(path)}\n"
        "The debrief with charts and questions, debrief.ipynb, opens the folder that this makes.\n"
        "Names and results are in that file and that folder until you delete them."
    )


def welcome(title: str, link: str, host_link: str, code: str) -> str:
    """What a terminal shows: the code, a QR code to scan, and the instructor's link."""
    scan = drawn(link)
    if scan == NOT_HERE:
        scan += "The projector, on your page, shows it.\n"
    return (
        f"{title} is open.\n\nPupils scan this, or open {link.partition('#')[0]} and type "
        f"{code}:\n\n{scan}\n"
        f"Your own page, for the projector and the controls (keep this link to yourself):\n"
        f"  {host_link}\n"
    )
