"""A class as its log tells it: events make the class, and nothing else does.

Only `_apply` changes what is kept, and it reads nothing but the event; so the log alone gives the
class back after a crash. Live tables are made of what is kept, and can be made again at any time.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

from exdec import record
from exdec.classroom.desk import (
    Desk,
    News,
    Place,
    Pupil,
    RefusalError,
    Sealed,
    Settled,
    as_order,
    firm_name,
)
from exdec.classroom.keys import pupil_key, same
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Event, Store, StoreError, damaged
from exdec.errors import shown
from exdec.narrate import counted
from exdec.rules import Rules
from exdec.table import Table

T = TypeVar("T")

NEWS_KEPT = 6
AUDIT_KEPT = 40
RECEIPTS_KEPT = 60
EVERYONE, LOBBY = -1, -2
"""In `Room.changed`: all pages, and those that wait for the game to begin."""

AWAKE = 20.0
"""Seconds that every open step has at least when a class goes on after its server died."""


class Chronicle:
    """What is kept of a class, and what follows from it.

    Time is passed in, in seconds since 1970. What is logged is on the disk only after `commit`;
    the caller tells nobody before that.

    Attributes
    ----------
    settings : ClassSettings
    pupils : dict of int to Pupil
    desks : list of Desk
        The tables; none in the lobby.
    here : dict of int to int
        How many pages each pupil who is here has open; no part of the log.
    changed : set of int
        Tables that have something new to show since the caller last emptied this; `EVERYONE` and
        `LOBBY` are among them.
    """

    def __init__(self, store: Store, now: float) -> None:
        self.store = store
        self.here: dict[int, int] = {}
        self.changed: set[int] = set()
        self._now = now
        self._fold()

    # -- what is kept ----------------------------------------------------------------------------

    def _fold(self) -> None:
        """Make the class from its log."""
        self.settings = ClassSettings()
        self.code = self.secret = self.host_key = ""
        self.pupils: dict[int, Pupil] = {}
        self.desks: list[Desk] = []
        self.joining = True
        self.reveal = False
        self.finished = False
        self.paused_at: float | None = None
        self.seconds = 0
        self.news: list[News] = []
        self.audit: list[dict[str, Any]] = []
        self.receipts: dict[int, dict[str, int]] = {}
        self.version = 0
        self._once: dict[str, int] = {}
        self._tables: dict[int, Table] = {}
        self._pending: list[Event] = []
        self._drafts: dict[str, str] = {}
        self._unseen: set[int] = set()
        """Tables at which something has happened since it was looked which of them go on."""
        self._last = Event(0, 0.0, "", {})
        for event in self.store.events():
            if not hasattr(self, f"_on_{event.kind}"):
                raise StoreError(
                    f"{self.store.path.name} tells of a {shown(event.kind)}, which this exdec does "
                    "not know. It comes from a newer one: update exdec, then open it again."
                )
            try:
                if event.number != self._last.number + 1:
                    raise ValueError
                self._apply(event)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                raise damaged(self.store.path, event.number) from None
        if not self.code:
            raise StoreError(f"There is no class in {self.store.path.name}.")
        for place, draft in self.store.drafts().items():
            # One that belongs nowhere is no loss: it was not handed in.
            with suppress(LookupError, ValueError):
                table, firm = map(int, place.split("/"))
                self.desks[table].places[firm].drafted = draft
        self.changed = {EVERYONE}
        self._drafts = {}

    def log(self, kind: str, **data: Any) -> None:
        """Let something happen."""
        event = Event(self._last.number + 1, self._now, kind, data)
        self._apply(event)
        self._pending.append(event)

    def commit(self) -> None:
        """Put on the disk whatever has happened since the last commit.

        Raises
        ------
        StoreError
            It cannot be written. Then none of it has happened, as in `forget`.
        """
        if not (self._pending or self._drafts):
            return
        try:
            self.store.append(self._pending, self._drafts.items())
        except StoreError:
            self.forget()
            raise
        self._pending = []
        self._drafts = {}

    def forget(self) -> None:
        """Let nothing have happened since the last commit.

        Raises
        ------
        StoreError
            The log cannot be read either. Then the class stays as it is, with all seats and keys,
            and what is not written waits for the next commit.
        """
        kept = dict(vars(self))
        try:
            self._fold()
        except StoreError:
            vars(self).update(kept)
            raise

    @property
    def unwritten(self) -> bool:
        """Whether something has happened that is not on the disk yet."""
        return bool(self._pending)

    @property
    def uncommitted(self) -> bool:
        """Whether there is anything to commit, half-typed bids included."""
        return bool(self._pending or self._drafts)

    def _apply(self, event: Event) -> None:
        self._last = event
        apply: Callable[..., None] = getattr(self, f"_on_{event.kind}")
        apply(**event.data)

    def _touch(self, table: int = EVERYONE) -> None:
        """Note that something about a table has changed, or about the whole class."""
        self.changed.add(table)
        if table == EVERYONE:
            self.version = self._last.number
        else:
            self.desks[table].version = self._last.number
            self._unseen.add(table)

    def _tell(self, what: str, text: str, table: int | None = None, **about: Any) -> None:
        """Tell pupils, of one table or all, and keep it for the instructor."""
        news = News(self._last.number, what, text, about)
        if table is None:
            self.news = [*self.news[1 - NEWS_KEPT :], news]
            self._note(text)
            self._touch()
        else:
            desk = self.desks[table]
            desk.news = [*desk.news[1 - NEWS_KEPT :], news]
            self._note(f"{desk.name}: {text}")
            self._touch(table)

    def _note(self, text: str) -> None:
        """Keep a sentence for the instructor."""
        self.audit = [*self.audit[1 - AUDIT_KEPT :], {"at": self._last.at, "text": text}]

    def _on_class(self, settings: dict[str, Any], code: str, secret: str, host: str) -> None:
        self.settings = ClassSettings.from_json(settings)
        self.code, self.secret, self.host_key = code, secret, host
        self.seconds = self.settings.seconds
        self._note("The class is open.")

    def _on_pupil(self, name: str, group: str = "", roster: bool = False, once: str = "") -> None:
        number = len(self.pupils) + 1
        self.pupils[number] = Pupil(number, name, group, roster, once)
        if once:
            self._once[once] = number
        self.changed.add(LOBBY)

    def _on_start(self, tables: list[dict[str, Any]]) -> None:
        for number, table in enumerate(tables):
            places = [Place(list(place["pupils"]), place["bot"]) for place in table["places"]]
            rules = Rules().vary(**table["rules"])
            self.desks.append(
                Desk(number, table["name"], table["treatment"], rules, table["seed"], places)
            )
            for firm, place in enumerate(places):
                for pupil in place.pupils:
                    self.pupils[pupil].table, self.pupils[pupil].firm = number, firm
            self._touch(number)
        self._note(f"The game begins at {counted(len(tables), 'table')}.")
        self._touch()

    def _on_open(self, table: int, seconds: int) -> None:
        desk = self.desks[table]
        desk.open = True
        # A step that opens while the class is paused counts from the pause.
        start = self._last.at if self.paused_at is None else self.paused_at
        desk.deadline = start + seconds if seconds else None
        self._touch(table)

    def _on_bid(
        self,
        table: int,
        firm: int,
        bids: dict[str, list[int]],
        pupil: int | None = None,
        id: str = "",  # noqa: A002
        turn: list[Any] | None = None,  # noqa: ARG002  (for who reads the log)
    ) -> None:
        desk = self.desks[table]
        desk.sealed[firm] = Sealed(bids, id, self._last.number)
        desk.places[firm].missed = 0
        desk.places[firm].drafted = ""
        self._drafts[f"{table}/{firm}"] = ""
        self._receive(pupil, id)
        self._touch(table)

    def _on_change(
        self,
        table: int,
        firm: int,
        pupil: int | None = None,
        id: str = "",  # noqa: A002
    ) -> None:
        del self.desks[table].sealed[firm]
        self._receive(pupil, id)
        self._touch(table)

    def _receive(self, pupil: int | None, id: str) -> None:  # noqa: A002
        if pupil is not None:
            given = self.receipts.setdefault(pupil, {})
            given[id] = self._last.number
            if len(given) > RECEIPTS_KEPT:
                del given[next(iter(given))]

    def _on_settle(self, table: int, line: str, missed: list[int], why: str = "") -> None:
        desk = self.desks[table]
        if why == Settled.END:
            desk.set_aside()
        else:
            desk.past = []
        desk.lines.append(line)
        desk.by_bots.append(
            tuple(
                firm
                for firm, place in enumerate(desk.places)
                if place.bot is not None and firm not in desk.sealed
            )
        )
        desk.missed.append(tuple(missed))
        desk.sealed = {}
        desk.open = False
        desk.deadline = None
        for firm in missed:
            desk.places[firm].missed += 1
        self._touch(table)
        self._touch_if_over()

    def _on_undo(self, table: int, steps: int, what: str, text: str) -> None:
        desk = self.desks[table]
        desk.set_aside()
        bids, bots = json.loads(desk.lines[-steps])["bids"], desk.by_bots[-steps]
        for firm in (firm for missed in desk.missed[-steps:] for firm in missed):
            desk.places[firm].missed = max(0, desk.places[firm].missed - 1)
        del desk.lines[-steps:], desk.by_bots[-steps:], desk.missed[-steps:]
        desk.ended = None
        desk.sealed = {}
        self._reset(desk)
        self._draft_again(desk, bids, bots)
        self._tell(what, text, table, turn=[desk.turn[0], desk.turn[1].value])

    def _draft_again(
        self, desk: Desk, bids: dict[str, dict[str, list[int]]], bots: tuple[int, ...]
    ) -> None:
        """Lay what people had handed in before them once more, to hand in again or to change."""
        for firm, place in enumerate(desk.places):
            if place.bot is None:
                month, step = desk.turn
                lines = {} if firm in bots else bids.get(firm_name(firm), {})
                text = {item: [str(units), str(price)] for item, (units, price) in lines.items()}
                place.drafted = json.dumps({"turn": [month, step], "text": text})
                self._drafts[f"{desk.number}/{firm}"] = place.drafted

    def _on_redo(self, table: int, text: str) -> None:
        desk = self.desks[table]
        desk.stand_again()
        self._reset(desk)
        self._tell("redone", text, table)
        self._touch_if_over()

    def _on_end(self, table: int, months: int, text: str, settled: bool = False) -> None:
        desk = self.desks[table]
        if not settled:
            desk.set_aside()
        desk.ended = months
        desk.sealed = {}
        self._reset(desk)
        self._tell("ended", text, table, months=months)
        self._touch_if_over()

    def _touch_if_over(self) -> None:
        """Once the last table is done, everyone's standings are final."""
        if self.phase == "over":
            self._touch()

    def _on_unend(self, table: int, text: str) -> None:
        desk = self.desks[table]
        desk.stand_again()
        self._reset(desk)
        self._tell("redone", text, table)

    def _reset(self, desk: Desk) -> None:
        """The game stands elsewhere now: its step is not open yet, and no clock runs."""
        desk.open = False
        desk.deadline = None
        self._tables.pop(desk.number, None)
        self._touch(desk.number)

    def _on_bot(self, table: int, firm: int, bot: str, text: str, name: str) -> None:
        self.desks[table].places[firm].bot = bot
        self._tell("bot", text, table, name=name, bot=bot)

    def _on_back(self, table: int, firm: int, text: str, name: str) -> None:
        place = self.desks[table].places[firm]
        place.bot = None
        place.missed = 0
        self._tell("back", text, table, name=name)

    def _on_sit(self, pupil: int, table: int, firm: int) -> None:
        one = self.pupils[pupil]
        self._stand_up(one)
        one.table, one.firm = table, firm
        self.desks[table].places[firm].pupils.append(pupil)
        self._note(f"{one.name} sits at {self.desks[table].name}.")
        self._touch(table)

    def _stand_up(self, pupil: Pupil) -> None:
        if pupil.table is not None and pupil.firm is not None:
            self.desks[pupil.table].places[pupil.firm].pupils.remove(pupil.number)
            self._touch(pupil.table)
        pupil.table = pupil.firm = None

    def _on_kick(self, pupil: int) -> None:
        one = self.pupils[pupil]
        self._stand_up(one)
        one.out = True
        self._note(f"{one.name} is sent out; the link opens nothing any more.")

    def _on_readmit(self, pupil: int) -> None:
        one = self.pupils[pupil]
        one.out = False
        self._note(f"{one.name} may come in again with the same link.")

    def _on_newlink(self, pupil: int) -> None:
        one = self.pupils[pupil]
        one.generation += 1
        # The phone that joined would be given the new link if it joined once more.
        self._once.pop(one.once, None)
        one.once = ""
        self._note(f"{one.name} has a new link; the old one opens nothing any more.")

    def _on_rename(self, pupil: int, name: str) -> None:
        one = self.pupils[pupil]
        self._note(f"{one.name} is now called {name}.")
        one.name = name
        self._touch(EVERYONE if one.table is None else one.table)

    def _on_pause(self) -> None:
        self.paused_at = self._last.at
        self._tell("paused", "The class is paused; the clocks stand still.")

    def _on_go(self) -> None:
        if self.paused_at is not None:
            self._shift(self._last.at - self.paused_at)
        self.paused_at = None
        self._tell("go", "The class goes on.")

    def _on_resume(self, away: float) -> None:
        self._shift(away)
        for desk in self.desks:
            if desk.deadline is not None:
                desk.deadline = max(desk.deadline, self._last.at + AWAKE)
        self._tell("go", "The class goes on where it was.")

    def _shift(self, seconds: float) -> None:
        for desk in self.desks:
            if desk.deadline is not None:
                desk.deadline += seconds

    def _on_extend(self, table: int, seconds: int) -> None:
        deadline = self.desks[table].deadline
        if deadline is not None:
            self.desks[table].deadline = deadline + seconds
        self._tell("extended", f"{seconds} seconds more.", table, seconds=seconds)

    def _on_seconds(self, seconds: int) -> None:
        self.seconds = seconds
        self._touch()
        if seconds:
            self._note(f"Each step from now on has {seconds} seconds.")
        else:
            self._note("Steps from now on have no deadline.")

    def _on_settings(self, **chosen: Any) -> None:
        self.settings = replace(self.settings, **chosen)
        months, size, level = self.settings.months, self.settings.size, self.settings.level
        self._note(f"{counted(months, 'month')}, {size} places at a table, {level} bots.")
        self._touch()

    def _on_say(self, text: str) -> None:
        self._tell("message", text)

    def _on_joining(self, open: bool) -> None:  # noqa: A002
        self.joining = open
        self._note("Pupils can join." if open else "Nobody else can join.")

    def _on_reveal(self, show: bool) -> None:
        self.reveal = show
        self._note("Everyone sees the standings." if show else "The standings are hidden.")
        self._touch()

    def _on_finish(self) -> None:
        self.finished = True
        self._note("The class is closed.")
        self._touch()

    # -- looking ---------------------------------------------------------------------------------

    @property
    def last_event(self) -> int:
        """The number of the last event."""
        return self._last.number

    @property
    def last_at(self) -> float:
        """When the last event was, in seconds since 1970."""
        return self._last.at

    @property
    def phase(self) -> str:
        """Lobby, running, paused or over."""
        if not self.desks:
            return "lobby"
        if all(desk.over for desk in self.desks):
            return "over"
        return "running" if self.paused_at is None else "paused"

    def table(self, number: int) -> Table:
        """The live table of a desk, with its game."""
        table = self._tables.get(number)
        if table is None:
            desk = self.desks[number]
            rivals = {
                firm_name(firm): place.bot
                for firm, place in enumerate(desk.places)
                if place.bot is not None
            }
            game = record.parse(desk.record(), desk.name).game()
            table = self._tables[number] = Table(game, rivals, desk.seed, practice=True)
            table.lay({firm_name(at): as_order(one.bids) for at, one in desk.sealed.items()})
        return table

    def shuffled(self, what: str, things: Iterable[T]) -> list[T]:
        """Things in an order that tells nothing, and is the same whenever it is asked for."""

        def rank(numbered: tuple[int, T]) -> bytes:
            return hmac.digest(self.secret.encode(), f"{what} {numbered[0]}".encode(), "sha256")

        return [thing for _, thing in sorted(enumerate(things), key=rank)]

    def left(self, number: int, now: float) -> float | None:
        """Seconds until a table's step closes; None if there is no deadline."""
        deadline = self.desks[number].deadline
        if deadline is None:
            return None
        return max(0.0, deadline - (now if self.paused_at is None else self.paused_at))

    def place_names(self, number: int) -> list[str]:
        """What the firms of a table are called: by who sits there, or as bots."""
        places = self.desks[number].places
        names = [_together([self.pupils[one].name for one in place.pupils]) for place in places]
        taken = {name.casefold() for name in names if name}
        for at, name in enumerate(names):
            # Pupils have different names, but one of them may be called "Bot 1", and what is cut
            # short may come out the same.
            if not name or name in names[:at]:
                numbered = (f"{name[:34] or 'Bot'} {n}" for n in count(2 if name else 1))
                names[at] = next(free for free in numbered if free.casefold() not in taken)
                taken.add(names[at].casefold())
        return names

    def is_here(self, place: Place) -> bool:
        """Whether a pupil of this place has the page open."""
        return any(self.here.get(pupil) for pupil in place.pupils)

    def key(self, pupil: Pupil) -> str:
        """The secret part of a pupil's link."""
        return pupil_key(self.secret, pupil.number, pupil.generation)

    def pupil_of(self, key: object) -> Pupil:
        """The pupil whose link this is.

        Raises
        ------
        RefusalError
            Nobody's, or it was revoked.
        """
        if isinstance(key, str) and len(key) < 64 and key.isascii():
            number = key.partition(".")[0]
            one = self.pupils.get(int(number)) if number.isdecimal() else None
            if one is not None and same(key, self.key(one)) and not one.out:
                return one
        raise RefusalError("key", "This link opens no seat. Ask your teacher for a new one.")


def _together(names: list[str]) -> str:
    """One name for the pupils of one place, short enough for a game record."""
    whole = " & ".join(names)
    return whole if len(whole) <= 40 else f"{' & '.join(name[:12] for name in names)}"[:40].strip()
