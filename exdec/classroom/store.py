"""A class on disk: one SQLite file with an append-only log of everything that happened.

An event is on the disk before anyone is told that it happened. Events that arrive together go in
one transaction, so three hundred phones cost hardly more than one.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from exdec.classroom.keys import new_secret
from exdec.errors import ExdecError

FORMAT = "exdec-class"
VERSION = 1

NETWORK = ("nfs", "cifs", "smb", "9p", "afs", "fuse.sshfs", "lustre", "beegfs", "glusterfs")
"""File systems on which SQLite's write-ahead log is not safe."""


HELP_DAMAGED = "Use a copy of it, if there is one; what was exported before is not touched."


class StoreError(ExdecError):
    """A class's file cannot be read or written; nothing of what was asked for has happened."""


class Event(NamedTuple):
    """Something that happened.

    Parameters
    ----------
    number : int
        From 1, without gaps.
    at : float
        Seconds since 1970.
    kind : str
    data : dict
        Plain data.
    """

    number: int
    at: float
    kind: str
    data: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Event {self.number}, {self.kind}>"  # without data: it may be a sealed bid


class Address(NamedTuple):
    """An address of a class's own, as it is kept so that phones find the class there again.

    Parameters
    ----------
    url : str
        What phones open; "" if they come another way.
    port : int
    bind : str
        Where `exdec host` listened, if it was not in all networks of the machine.
    names : tuple of str
        Names by which phones might ask for the machine.
    """

    url: str = ""
    port: int = 0
    bind: str = ""
    names: tuple[str, ...] = ()


class Store:
    """The file of one class; `create` and `open` make one.

    Attributes
    ----------
    path : pathlib.Path
    on_network : bool
        Whether it lies on a network drive, as far as this system tells.
    note : str
        What is unusual about where it lies, as a sentence; "" if nothing is.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.note = ""
        self.on_network = _on_network(path)
        self._db = connection
        self._mark = ""
        if self.on_network:
            self.note = (
                "This folder is on a network drive, so a slower way of writing is used. "
                "A folder on this machine's own disk is quicker."
            )
            self._db.execute("PRAGMA journal_mode=TRUNCATE")
        else:
            self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")

    def __repr__(self) -> str:
        return f"<Store {self.path.name}>"

    @classmethod
    def create(cls, path: Path) -> Self:
        """Begin a class in a new file that only this user can read.

        Raises
        ------
        StoreError
            The file is there already, or cannot be made.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            if path.exists():
                raise StoreError(f"{path} is there already. Choose another name.") from None
            if error.errno == errno.ENOSPC:
                raise _failed(path, error) from None
            reason = (error.strerror or str(error)).lower()
            raise StoreError(
                f"Nothing can be kept in the folder {path.parent}: {reason}. Choose another folder."
            ) from None
        connection = _connect(path)
        try:
            store = cls(path, connection)
            connection.executescript(
                f"""
                PRAGMA application_id=0x65786465;
                PRAGMA user_version={VERSION};
                CREATE TABLE events (
                    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL,
                    data TEXT NOT NULL);
                CREATE TABLE drafts (place TEXT PRIMARY KEY, draft TEXT NOT NULL);
                CREATE TABLE alive (only INTEGER PRIMARY KEY CHECK (only = 1), at REAL);
                """
            )
        except sqlite3.Error as error:
            connection.close()
            with suppress(OSError):
                path.unlink()
            raise _failed(path, error) from None
        return store

    @classmethod
    def open(cls, path: Path) -> Self:
        """Go on with a class.

        Raises
        ------
        StoreError
            There is no such file, or it is no class.
        """
        if not path.is_file():
            raise StoreError(f"There is no class in {path}.")
        connection = _connect(path)
        try:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise _broken(path)
            (kind,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if kind != 0x65786465:
                raise StoreError(f"{path.name} is not the file of a class.")
            if version != VERSION:
                raise StoreError(
                    f"{path.name} was made by another version of exdec (format {version}, and "
                    f"this one reads {VERSION})."
                )
            return cls(path, connection)
        except StoreError:
            connection.close()
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # What SQLite says of a damaged file may quote it, and be no text.
            connection.close()
            raise _failed(path, error) from None

    # -- the log ---------------------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        """Everything that happened, the oldest first.

        Raises
        ------
        StoreError
            The file is damaged.
        """
        try:
            for number, at, kind, data in self._db.execute(
                "SELECT number, at, kind, data FROM events ORDER BY number"
            ):
                yield Event(number, at, kind, json.loads(data))
        except sqlite3.Error as error:
            raise _failed(self.path, error) from None
        except (ValueError, TypeError):
            raise damaged(self.path, number) from None

    def append(self, events: Iterable[Event], drafts: Iterable[tuple[str, str]] = ()) -> None:
        """Write events, all or none; when this returns, they are on the disk.

        Parameters
        ----------
        events : iterable of Event
        drafts : iterable of (place, draft)
            Half-typed bids, each in place of the one before; an empty draft is forgotten.

        Raises
        ------
        StoreError
            The disk is full, say, or another server has gone on with the same class.
        """
        rows = [
            (number, at, kind, json.dumps(data, separators=(",", ":")))
            for number, at, kind, data in events
        ]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if self.taken_over():
                    raise _gone_on(self.path)
                self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
                self._db.executemany("INSERT OR REPLACE INTO drafts VALUES (?, ?)", drafts)
                self._db.execute("DELETE FROM drafts WHERE draft = ''")
        except sqlite3.IntegrityError:
            raise _gone_on(self.path) from None
        except sqlite3.Error as error:
            raise _failed(self.path, error) from None

    # -- beside the log --------------------------------------------------------------------------

    def drafts(self) -> dict[str, str]:
        """Half-typed bids, by place.

        Raises
        ------
        StoreError
            The file is damaged.
        """
        try:
            return dict(self._db.execute("SELECT place, draft FROM drafts"))
        except sqlite3.Error as error:
            raise _failed(self.path, error) from None

    def beat(self, at: float) -> None:
        """Note that the class was alive at this time; its clocks go on from here after a crash."""
        with suppress(sqlite3.Error):
            self._db.execute("INSERT OR REPLACE INTO alive VALUES (1, ?)", (at,))

    def last_beat(self) -> float:
        """When the class was last alive, in seconds since 1970; 0 if it never was.

        Raises
        ------
        StoreError
            The file is damaged.
        """
        try:
            row = self._db.execute("SELECT at FROM alive").fetchone()
        except sqlite3.Error as error:
            raise _failed(self.path, error) from None
        return float(row[0]) if row else 0.0

    def last_sign(self) -> float:
        """When anything was written last, an event or a beat, in seconds since 1970.

        Raises
        ------
        StoreError
            The file is damaged.
        """
        both = "SELECT at FROM events UNION ALL SELECT at FROM alive"
        try:
            return float(self._db.execute(f"SELECT max(at) FROM ({both})").fetchone()[0] or 0)
        except (sqlite3.Error, ValueError) as error:
            raise _failed(self.path, error) from None

    def note_address(self, address: Address) -> None:
        """Note where phones reach the class, so that it is found there after a crash."""
        self._note("address", address)

    def address(self) -> Address:
        """Where phones reached the class last; without a `url` if they came another way."""
        try:
            url, port, bind, names = self._noted("address")
            return Address(str(url), int(port), str(bind), tuple(map(str, names)))
        except (TypeError, ValueError):
            return Address()

    def take(self) -> None:
        """Note that a server on this machine runs the class from now on, until it lets go."""
        self._mark = f"{new_secret()} {platform.node()}"
        self._note("server", self._mark)

    def taken_over(self) -> bool:
        """Whether another server has taken the class since this one did."""
        return bool(self._mark) and self._noted("server") not in (self._mark, None)

    def last_machine(self) -> str | None:
        """The machine whose server took the class last.

        It is "" if that server has let go of the class, and None if it is not known.
        """
        mark = self._noted("server")
        return mark.partition(" ")[2] if isinstance(mark, str) else None

    def _note(self, name: str, value: object) -> None:
        with suppress(sqlite3.Error):
            self._db.execute("CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT)")
            self._db.execute(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, json.dumps(value))
            )

    def _noted(self, name: str) -> Any:
        """What was noted under a name; None if nothing was."""
        with suppress(sqlite3.Error, TypeError, ValueError):
            find = "SELECT value FROM notes WHERE name = ?"
            return json.loads(self._db.execute(find, (name,)).fetchone()[0])
        return None

    def summary(self) -> dict[str, Any]:
        """What a list of classes shows: title, when it began, pupils, whether it was closed.

        Raises
        ------
        StoreError
            The file is damaged.
        """
        count = "SELECT count(*) FROM events WHERE kind = ?"
        try:
            begun = self._db.execute("SELECT at, data FROM events WHERE kind = 'class'").fetchone()
            pupils, ends = (
                self._db.execute(count, (kind,)).fetchone()[0] for kind in ("pupil", "finish")
            )
        except sqlite3.Error as error:
            raise _failed(self.path, error) from None
        if begun is None:
            raise StoreError(f"There is no class in {self.path.name}.")
        try:
            title = json.loads(begun[1])["settings"]["title"]
        except (ValueError, TypeError, KeyError):
            raise damaged(self.path, 1) from None
        return {"title": title, "at": begun[0], "pupils": pupils, "closed": bool(ends)}

    def close(self) -> None:
        """Let go of the file, and note that no server has the class."""
        if self._mark and not self.taken_over():
            self._note("server", "")
        with suppress(sqlite3.Error):
            self._db.close()

    def delete(self) -> None:
        """Remove the class and everything that SQLite kept beside it.

        Raises
        ------
        StoreError
            A file cannot be removed.
        """
        self.close()
        try:
            for suffix in ("", "-wal", "-shm", "-journal"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise _failed(self.path, error) from None


def _connect(path: Path) -> sqlite3.Connection:
    # The server has one thread for all of it; exports read from another.
    return sqlite3.connect(path, timeout=2, isolation_level=None, check_same_thread=False)


def is_open(path: Path) -> bool:
    """Whether any program has a class's file open.

    SQLite's own locks tell, and they end with a process however it ends. On a network drive, where
    the file is written without a log of its own, they tell only while it is being written.
    """
    with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as db:
        try:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def damaged(path: Path, number: int) -> StoreError:
    """Say that an event is none."""
    return StoreError(
        f"{path.name} is damaged: what it says of event {number} makes no sense. {HELP_DAMAGED}"
    )


def _broken(path: Path) -> StoreError:
    return StoreError(f"{path.name} is damaged. {HELP_DAMAGED}")


def _gone_on(path: Path) -> StoreError:
    return StoreError(
        f"{path.name} is open in another server, which has gone on with it, so nothing is written "
        "here any more. Close this one."
    )


def _failed(path: Path, error: Exception) -> StoreError:
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    if "not a database" in reason:
        return StoreError(f"{path.name} is not the file of a class.")
    if "malformed" in reason:
        return _broken(path)
    if "full" in reason or "no space" in reason:
        return StoreError(
            f"The disk is full, so {path.name} cannot be written. Make room on it; nothing that "
            "was acknowledged is lost."
        )
    if "readonly" in reason or "unable to open" in reason:
        return StoreError(
            f"{path.name} cannot be written: {reason}. Let this user write it and its folder, or "
            "copy it to another folder."
        )
    return StoreError(f"{path.name} cannot be used: {reason}.")


def _on_network(path: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Whether a file lies on a network drive, as far as this system tells."""
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    where = path.resolve()
    best, kind = Path("/"), ""
    for line in lines:
        fields = line.split()
        if len(fields) > 2:
            mount = Path(fields[1].replace("\\040", " "))
            if where.is_relative_to(mount) and len(mount.parts) >= len(best.parts):
                best, kind = mount, fields[2]
    return kind.startswith(NETWORK)
