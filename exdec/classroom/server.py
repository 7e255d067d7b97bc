"""One class at work in a server process: its clock, its pages, and what they are sent when.

A request is carried out at once, in memory, and answered once its events are on the disk. Requests
that arrive within a moment of each other share one transaction. Only then is anyone told.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from traceback import format_tb
from typing import Any, Protocol, TypeVar

from exdec.classroom.chronicle import EVERYONE, LOBBY
from exdec.classroom.desk import Pupil, RefusalError
from exdec.classroom.keys import Bucket, fingerprint, new_secret, same
from exdec.classroom.messages import Message, Messages
from exdec.classroom.room import Room
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Address, Store, StoreError
from exdec.errors import ExdecError

T = TypeVar("T")

GATHER = 0.002
"""Seconds that a transaction waits for others to join it."""

TICK = 0.25
"""Seconds between two looks at the clocks."""

HOST_EVERY = 0.5
LOBBY_EVERY = 1.0
BEAT_EVERY = 5.0
ASLEEP = 10.0
"""Seconds between two looks at the clocks after which this machine must have slept."""
BACK = 1.0
"""Seconds by which a clock that is set back is taken for set, and not for corrected as it runs."""

IDLE = 4 * 3600.0
"""Seconds without any event after which a class that was forgotten is put away; it can go on. They
count from when it was opened or resumed, and anew when this machine wakes."""
POLLED = 12.0
"""Seconds for which a page that polls counts as here."""

NOT_IN_ROOM = "No address for phones was open in this room."

log = logging.getLogger("exdec.classroom")


class Page(Protocol):
    """One open page, of a pupil or of the instructor."""

    def push(self) -> None:
        """Send what is new."""

    def end(self, message: Message) -> None:
        """Send a last message, and close."""


class RoomAddress(Protocol):
    """A second address at which the class answers."""

    url: str
    """What phones open."""
    port: int

    def close(self) -> None:
        """Answer there no more."""


class Server:
    """Runs one class at a time.

    Parameters
    ----------
    folder : Path
        Where classes are kept.
    clock : callable, optional
        Seconds since 1970.

    Attributes
    ----------
    secret : str
        Opens every instructor's route, and is the only one that opens a class.
    room : Room or None
        The class that is open.
    join : str or None
        The address at which phones reach the room's own listener, if there is one.
    pages : dict of int to set of Page
        Open pages by pupil.
    listen : callable or None
        Opens an address for phones in the same room, at a port or, for None, at any; None where
        they come another way.
    again : callable
        Says how a class goes on after this server has stopped.
    lost : bool
        Whether another server has gone on with the class that was open here.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.clock = clock
        self.secret = new_secret()
        self.room: Room | None = None
        self.join: str | None = None
        self.pages: dict[int, set[Page]] = {}
        self.hosts: set[Page] = set()
        self.on_event: Callable[[], None] = lambda: None
        self.listen: Callable[[int | None], RoomAddress] | None = None
        self.again: Callable[[Room], str] = lambda _: ""
        self.lost = False
        self._room_address: RoomAddress | None = None
        self._unreached = ""
        self._reached: Address | None = None
        self._messages: Messages | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._trouble = ""
        self._clockwork: asyncio.Task[None] | None = None
        self._limits: dict[int, Bucket] = {}
        self._polled: dict[int, float] = {}
        self._host_due = self._lobby_due = self._beat_due = 0.0
        self._ticked = self._awake = 0.0
        self._host_stale = self._lobby_stale = False

    # -- opening and closing ---------------------------------------------------------------------

    def open(self, settings: ClassSettings) -> Room:
        """Open a new class.

        Raises
        ------
        ExdecError
            One is open already, or its file cannot be written.
        """
        self._expect_none()
        now = self.clock()
        day = datetime.fromtimestamp(now).strftime("%Y-%m-%d-%H%M")
        path, number = self.folder / f"class-{day}.sqlite", 1
        while path.exists():
            number += 1
            path = self.folder / f"class-{day}-{number}.sqlite"
        return self._begin(Room.create(path, settings, now))

    def resume(self, name: str) -> Room:
        """Go on with a class of the folder.

        Raises
        ------
        ExdecError
            One is open already, there is no such file, or it was closed.
        """
        self._expect_none()
        if Path(name).name != name:
            raise StoreError("A class is named by its file, without a folder.")
        room = self._begin(Room.resume(self.folder / name, self.clock()))
        if self.listen is not None:
            self._let_phones_back(room, self.listen)
        return room

    def _let_phones_back(self, room: Room, listen: Callable[[int | None], RoomAddress]) -> None:
        """Open the room's address as it was; while phones have no way in, no clock runs."""
        before = room.store.address()
        # Where it was open to one network, or to this machine only, it is not opened to all.
        if before.url and not before.bind:
            try:
                self._open_address(room, listen(before.port))
            except ExdecError as error:
                self._unreached = f"Phones do not find the class at {before.url} any more. {error}"
        elif room.phase in ("running", "paused"):
            self._unreached = NOT_IN_ROOM
        self._wait_for_phones(room)

    def found_at(self, address: Address) -> str:
        """Take an address for the one at which phones reach the class, as `exdec host` opens it.

        Returns
        -------
        str
            Why phones do not find it there, and what to do; "" if they do. The class is paused
            then.
        """
        room = self._open_room()
        unknown = not room.store.address().url
        self._reach(room, address)
        if unknown and room.phase in ("running", "paused"):
            self._unreached = NOT_IN_ROOM
        self._wait_for_phones(room)
        return self._unreached

    def _wait_for_phones(self, room: Room) -> None:
        """Let no clock run while phones do not find the class."""
        if self._unreached and room.phase == "running":
            room.do("pause", self.clock())
            self._commit()
        if self._unreached and room.phase == "paused":
            self._unreached = (
                f"The class is paused. {self._unreached} Press Go on when the pupils are here "
                "again."
            )

    def classes(self) -> list[Message]:
        """The classes in the folder, the newest first: file, title, and whether it was closed."""
        found = []
        for path in sorted(self.folder.glob("*.sqlite"), reverse=True)[:50]:
            with suppress(ExdecError), closing(Store.open(path)) as store:
                found.append({"file": path.name, **store.summary()})
        return found

    def _expect_none(self) -> None:
        if self.room is not None:
            raise RefusalError("open", f"A class is open: {self.room.settings.title}. Close it.")

    def _begin(self, room: Room) -> Room:
        room.store.take()
        self.room = room
        self._messages = Messages(room)
        self._ticked = self._awake = self.clock()
        self._clockwork = asyncio.get_running_loop().create_task(self._run())
        return room

    def shut(self, *, gone: bool = True) -> None:
        """Close the class for everyone; its file stays.

        Parameters
        ----------
        gone : bool
            Tell the pages that the class is over; else they try to come back.
        """
        room, self.room, self._messages = self.room, None, None
        if room is None:
            return
        pages = [page for own in self.pages.values() for page in own] + list(self.hosts)
        self.pages, self.hosts = {}, set()
        for page in pages:
            page.end({"t": "gone"} if gone else {"t": "later"})
        if self._clockwork is not None:
            self._clockwork.cancel()
        self._fail(StoreError("The class is closed."))
        self._limits, self._polled = {}, {}
        self._unreached = ""
        self._close_address()
        room.store.close()

    # -- doing things ----------------------------------------------------------------------------

    async def act(self, work: Callable[[], T]) -> T:
        """Carry something out; when this returns, it is on the disk.

        Raises
        ------
        ExdecError
            It was refused, or cannot be written. Then nothing has happened.
        """
        room = self.room
        if room is None:
            raise RefusalError("gone", "No class is open.")
        try:
            result = work()
        except ExdecError:
            raise
        except Exception:
            # Whatever it was half-way through, the log knows nothing of it.
            room.forget()
            self._fail(StoreError("Something went wrong here, and nothing was done. Try again."))
            raise
        if room.uncommitted:
            loop = asyncio.get_running_loop()
            if not self._waiting:
                loop.call_later(GATHER, self._commit)
            committed = loop.create_future()
            self._waiting.append(committed)
            await committed
        return result

    def _commit(self) -> None:
        if self.room is None:
            return
        try:
            self.room.commit()
        except StoreError as error:
            log.error("A class cannot be written: %s", error)
            self._trouble, self._host_stale = str(error), True
            self._fail(error)
        else:
            if self._trouble:
                # Pages may have been shown nothing meanwhile.
                self._trouble = ""
                self.room.changed.add(EVERYONE)
            for one in self._answered():
                one.set_result(None)
            self.on_event()
        # Receipts go out first: they are short, and who has none taps again.
        asyncio.get_running_loop().call_soon(self._broadcast)

    def _settle(self) -> None:
        """Put on the disk what has happened, before anyone is shown it."""
        if self.room is not None and self.room.unwritten:
            self._commit()

    def _fail(self, error: StoreError) -> None:
        for one in self._answered():
            one.set_exception(error)

    def _answered(self) -> list[asyncio.Future[None]]:
        """Those who wait for the disk, and wait no longer."""
        waiting, self._waiting = self._waiting, []
        return [one for one in waiting if not one.done()]

    # -- telling ---------------------------------------------------------------------------------

    def _broadcast(self) -> None:
        """Send every page what has changed for it."""
        room = self.room
        if room is None or not room.changed:
            return
        changed, room.changed = room.changed, set()
        self._host_stale = True
        self._lobby_stale |= LOBBY in changed
        if EVERYONE in changed:
            told = list(self.pages)
        else:
            places = [place for table in changed - {LOBBY} for place in room.desks[table].places]
            told = [number for place in places for number in place.pupils]
        for number in told:
            for page in list(self.pages.get(number, ())):
                try:
                    page.push()
                except Exception as error:  # noqa: BLE001  (one table keeps no other in the dark)
                    log.error("A page was not shown what is new: %s", _fault(error))

    def turn_out(self, number: int) -> None:
        """End the pages of a pupil whose link opens nothing any more."""
        for page in list(self.pages.get(number, ())):
            page.end({"t": "no", "why": "key"})
            self.go(number, page)
        if self._polled.pop(number, None) is not None:
            self._gone(number)

    async def _run(self) -> None:
        """Let the clocks run, and tell slowly what need not be told at once."""
        while True:
            await asyncio.sleep(TICK)
            try:
                await self._tick()
            except ExdecError as error:
                log.error("A step could not be closed: %s", error)
                await asyncio.sleep(1)
            except Exception as error:  # noqa: BLE001  (clocks run on)
                log.error("The clock of a class stumbled: %s", _fault(error))
                await asyncio.sleep(1)

    async def _tick(self) -> None:
        room = self.room
        if room is None:
            return
        now = self.clock()
        before, self._ticked = self._ticked, now
        jumped = not -BACK <= now - before <= ASLEEP
        if jumped:
            self._awake = now
            self._host_due = self._lobby_due = self._beat_due = now
            self._polled = dict.fromkeys(self._polled, now)
        if now - max(room.last_at, self._awake) > IDLE:
            self.shut(gone=False)
            return
        if jumped:
            await self.act(lambda: room.wake(before, now))
        while await self.act(lambda: room.tick(self.clock())):
            await asyncio.sleep(0)
        for number in [one for one, at in self._polled.items() if at < now - POLLED]:
            del self._polled[number]
            self._gone(number)
        if now >= self._beat_due:
            self._beat_due = now + BEAT_EVERY
            if room.store.taken_over():
                log.error(
                    "Another server has gone on with %s, so it is closed here.", room.store.path
                )
                self.lost = True
                self.shut(gone=False)
                return
            room.store.beat(now)
        if self._lobby_stale and now >= self._lobby_due:
            self._lobby_stale, self._lobby_due = False, now + LOBBY_EVERY
            for number, pages in list(self.pages.items()):
                if room.pupils[number].table is None:
                    for page in list(pages):
                        page.push()
        if self._host_stale and now >= self._host_due:
            self._host_stale, self._host_due = False, now + HOST_EVERY
            for host in list(self.hosts):
                host.push()

    # -- pages -----------------------------------------------------------------------------------

    def view(self, key: object) -> Message:
        """What the page of the pupil with this key shows.

        Raises
        ------
        RefusalError
            As `pupil_of` does.
        StoreError
            What has happened cannot be written, so nobody is shown it.
        """
        self._settle()
        if self._open_room().unwritten:
            raise StoreError(self._trouble)
        # Only now: what could not be settled may have made other pupils of them.
        pupil = self.pupil_of(key)
        assert self._messages is not None, "a class is open"
        return self._messages.view(pupil, self.clock())

    def state(self, show: int | None) -> Message:
        """What the instructor's page shows."""
        assert self._messages is not None, "a class is open"
        self._settle()
        state = self._messages.host(show, self.clock(), self.join)
        state["note"] = self._trouble or state["note"]
        state["unreached"] = self._unreached
        state["again"] = "" if self.room is None else self.again(self.room)
        if self.listen is not None:
            state["controls"].append(
                {
                    "do": "room",
                    "label": "Open an address for phones in this room"
                    if self._room_address is None
                    else "Close the address for phones in this room",
                    "ask": None,
                    "needs": ["on"],
                    "on": True,
                }
            )
        return state

    def slips(self) -> list[Message]:
        """The pupils' links."""
        assert self._messages is not None, "a class is open"
        return self._messages.slips()

    def come(self, number: int, page: Page) -> None:
        """A pupil has opened a page."""
        self.pages.setdefault(number, set()).add(page)
        self._arrive(number)

    def go(self, number: int, page: Page) -> None:
        """A pupil's page is closed."""
        own = self.pages.get(number, set())
        if page in own:
            own.discard(page)
            if not own:
                del self.pages[number]
            self._gone(number)

    def _arrive(self, number: int) -> None:
        room = self.room
        if room is not None:
            room.here[number] = room.here.get(number, 0) + 1
            if room.here[number] == 1:
                self._presence(room, number)

    def _gone(self, number: int) -> None:
        room = self.room
        if room is not None and room.here.get(number):
            room.here[number] -= 1
            if not room.here[number]:
                del room.here[number]
                self._presence(room, number)

    def _presence(self, room: Room, number: int) -> None:
        table = room.pupils[number].table
        room.changed.add(LOBBY if table is None else table)
        self._broadcast()

    def watch(self, host: Page) -> None:
        """An instructor's page is open, and wants to know of what comes."""
        self.hosts.add(host)

    def unwatch(self, host: Page) -> None:
        """An instructor's page is closed."""
        self.hosts.discard(host)

    # -- what pupils say -------------------------------------------------------------------------

    async def look(self, message: Message, address: str = "") -> Message:
        """Tell about the class to who has its code; nobody takes a seat by looking.

        Parameters
        ----------
        message : dict
        address : str
            As for `Room.check_code`.
        """
        room = self._open_room()
        room.check_code(message.get("code"), self.clock(), address)
        return {
            "t": "class",
            "title": room.settings.title,
            "joining": room.joining and room.phase != "over",
            "started": room.phase != "lobby",
        }

    async def take_in(self, message: Message, address: str = "") -> Message:
        """Let somebody join; `address` is as for `Room.check_code`."""
        room = self._open_room()
        code, name, once = (message.get(key) for key in ("code", "name", "once"))
        pupil = await self.act(lambda: room.join(code, name, once, self.clock(), address))
        return {"t": "joined", "key": room.key(pupil), "name": pupil.name}

    def pupil_of(self, key: object) -> Pupil:
        """The pupil whose link this is, until the class is next written.

        Raises
        ------
        RefusalError
            Nobody's, it was revoked, or the class is closed.
        """
        return self._open_room().pupil_of(key)

    def polled(self, key: object, since: object) -> Message:
        """Answer a page that asks now and then whether there is anything new.

        Raises
        ------
        RefusalError
            As `pupil_of` does.
        """
        number = self.pupil_of(key).number
        if number not in self._polled:
            self._arrive(number)
        self._polled[number] = self.clock()
        view = self.view(key)
        mark = mark_of(view)
        if mark == since:
            return {"t": "same", "left": view["left"], "v": mark}
        return {**view, "v": mark}

    async def hear(self, pupil: Pupil, message: Message) -> Message | None:
        """Carry out what a pupil's page asks for.

        Returns
        -------
        dict or None
            The answer; None if there is none.

        Raises
        ------
        RefusalError
            The page asks too often, or for something that there is not.
        """
        room = self._open_room()
        limit = self._limits.setdefault(pupil.number, Bucket(burst=60, rate=12))
        kind = message.get("t")
        if not limit.take(self.clock()):
            return _refused(message, "busy", "That was very fast. It is tried again.")
        if kind == "draft":
            room.draft(pupil, message.get("turn"), message.get("text"), message.get("by"))
            for page in self.pages.get(pupil.number, set()):
                page.push()
            return None
        turn, id = message.get("turn"), message.get("id")  # noqa: A001
        try:
            if kind == "bid":
                bids = message.get("bids")
                number = await self.act(lambda: room.bid(pupil, id, turn, bids, self.clock()))
                # Not the bids: an id that was used before has its first receipt, for other ones.
                return {"t": "receipt", "id": id, "ok": True, "n": number}
            if kind == "change":
                number = await self.act(lambda: room.change(pupil, id, turn, self.clock()))
                return {"t": "receipt", "id": id, "ok": True, "change": True, "n": number}
            if kind == "back":
                await self.act(lambda: room.come_back(pupil, self.clock()))
                return None
        except RefusalError as error:
            return _refused(message, error.why, str(error))
        except StoreError as error:
            return _refused(message, "disk", str(error))
        raise RefusalError("what", "This page asks for something that there is not. Load it again.")

    def _open_room(self) -> Room:
        if self.room is None:
            raise RefusalError("gone", "No class is open.")
        return self.room

    # -- what the instructor asks for --------------------------------------------------------------

    def is_host(self, key: object) -> bool:
        """Whether a key is the instructor's."""
        if not isinstance(key, str) or len(key) > 100:
            return False
        room = self.room
        return same(key, self.secret) or (room is not None and same(key, room.host_key))

    async def do(self, message: Message) -> Message:
        """Carry out a control.

        Returns
        -------
        dict
            ``ok`` and ``text``, and what the control gave besides.
        """
        args = {key: value for key, value in message.items() if key not in ("t", "id", "do")}
        what = str(message.get("do"))
        room = self.room
        try:
            if room is None:
                raise RefusalError("gone", "No class is open.")
            if what == "delete":
                from exdec.classroom.exports import also_named, exported

                path = room.store.path
                self.shut()
                Store.open(path).delete()
                text = f"{path.name} and all that was in it is gone.{also_named(exported(path))}"
                return {"ok": True, "text": text}
            if what == "room":
                return {"ok": True, **self._let_room_in(room, args.get("on"))}
            done = await self.act(lambda: self._try(room, what, args))
            if what in ("kick", "newlink"):
                self.turn_out(args["pupil"])
            if what == "finish":
                self.shut()
            if what in ("start", "go") and (self.join or not room.store.address().url):
                self._unreached = ""
                if self._reached is not None:
                    room.store.note_address(self._reached)
            # The page sees by it which state is the first that has this in it.
            return {"ok": True, "v": room.last_event, **done}
        except ExdecError as error:
            return {"ok": False, "text": str(error)}

    def _let_room_in(self, room: Room, on: object) -> Message:
        """Open or close the address for phones in the same room."""
        if self.listen is None:
            raise RefusalError("room", "Phones reach this class at its own address.")
        if type(on) is not bool:
            raise RefusalError("on", "Open the address, or close it.")
        self._host_stale = True
        if not on:
            self._close_address()
            room.store.note_address(Address())
            return {"text": "The room's address is closed.", "back": {"do": "room", "on": True}}
        if self._room_address is None:
            try:
                # Where phones look for it, if it was lost.
                address = self.listen(room.store.address().port or None)
            except ExdecError:
                address = self.listen(None)
            self._open_address(room, address)
        text = (
            f"Phones in this room's network reach the class at {self.join} now. "
            "This is plain HTTP: whoever is in that network could read along."
        )
        return {"text": text, "back": {"do": "room", "on": False}}

    def _open_address(self, room: Room, address: RoomAddress) -> None:
        self._room_address = address
        self._reach(room, Address(address.url, address.port))

    def _reach(self, room: Room, address: Address) -> None:
        before = room.store.address().url
        self.join, self._unreached, self._reached = address.url, "", address
        if before not in ("", address.url):
            # Kept only when the class goes on here; until then the former one may be had again.
            # From a notebook, people are found on the page that this button opens.
            button = "" if self.listen is None else "Slips and controls, "
            self._unreached = (
                f"Phones look for the class at {before}, and it is at {address.url} now. Let each "
                f"pupil scan a link of their own: {button}People, Change."
            )
        else:
            room.store.note_address(address)

    def _close_address(self) -> None:
        if self._room_address is not None:
            self._room_address.close()
            self._room_address = self._reached = self.join = None

    def _try(self, room: Room, what: str, args: dict[str, Any]) -> Message:
        if room.uncommitted:
            self._commit()
        try:
            return room.do(what, self.clock(), **args)
        except ExdecError:
            if room.uncommitted:
                room.forget()
            raise


def _fault(error: Exception) -> str:
    """What failed, and where; not its message, for that may tell of a bid."""
    return f"{type(error).__name__}\n{''.join(format_tb(error.__traceback__))}"


def mark_of(view: Message) -> str:
    """What a pupil's view is known by, whatever the clock shows."""
    # Its version is that of its table's events. Who is here, what is half typed and how other
    # tables stand are none of them.
    more = [view[part] for part in ("lobby", "table", "draft", "standings")]
    return f"{view['v']}.{fingerprint(json.dumps(more))[:16]}"


def _refused(message: Message, why: str, text: str) -> Message | None:
    if "id" not in message:
        return None
    return {"t": "receipt", "id": message["id"], "ok": False, "why": why, "text": text}
