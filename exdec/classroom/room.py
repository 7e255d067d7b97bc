"""The class at work: what pupils and the instructor ask for, checked and turned into events."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from inspect import signature
from pathlib import Path
from typing import Any

from exdec.bots import LEVELS, strategy_named
from exdec.classroom.chronicle import Chronicle
from exdec.classroom.desk import (
    Desk,
    Pupil,
    RefusalError,
    Settled,
    Taken,
    as_order,
    firm_name,
)
from exdec.classroom.keys import (
    WRONG_CODES,
    WRONG_CODES_OF_ONE,
    Bucket,
    fingerprint,
    new_code,
    new_secret,
    read_code,
)
from exdec.classroom.seating import Rest, seat
from exdec.classroom.settings import ClassSettings, clean_name, free_name, is_bots
from exdec.classroom.store import Event, Store, StoreError
from exdec.errors import BidError, shown
from exdec.model import Order, Step, month_name, possessive
from exdec.record import step_line

GRACE = 1.0
"""Seconds that a bid may be on its way when the clock has run out."""

LATELY = 60.0
"""Seconds for which the instructor is told of a wrong code."""

ADDRESSES_KEPT = 1_000
"""Phones whose wrong codes are counted at a time; the class's own limit holds for all."""


class Room(Chronicle):
    """A class that is open; `create` and `resume` make one."""

    def __init__(self, store: Store, now: float) -> None:
        super().__init__(store, now)
        self._wrong = Bucket(*WRONG_CODES)
        self._wrong_from: dict[str, Bucket] = {}
        self._wrong_at: deque[float] = deque(maxlen=1_000)

    def __repr__(self) -> str:
        return f"<Room {self.settings.title!r}, {self.phase}, {len(self.pupils)} pupils>"

    @classmethod
    def create(cls, path: Path, settings: ClassSettings, now: float) -> Room:
        """Open a new class.

        Raises
        ------
        StoreError
            The file is there already, or cannot be written.
        """
        store = Store.create(path)
        opened = Event(
            1,
            now,
            "class",
            {
                "settings": settings.to_json(),
                "code": new_code(),
                "secret": new_secret(),
                "host": new_secret(),
            },
        )
        try:
            store.append([opened])
            room = cls(store, now)
            for entry in settings.roster:
                room.log("pupil", name=entry.name, group=entry.group, roster=True)
            room.commit()
        except BaseException:
            with suppress(StoreError):
                store.delete()
            raise
        return room

    @classmethod
    def resume(cls, path: Path, now: float) -> Room:
        """Go on with a class where it was: every place, clock and half-finished month.

        The time for which it was down is given back to the steps that were open.

        Raises
        ------
        StoreError
            There is no such file, it cannot be read, or the class was closed.
        """
        store = Store.open(path)
        try:
            room = cls(store, now)
            if room.finished:
                raise StoreError(
                    f"{path.name} is closed. It can be exported, and opened by the debrief."
                )
            last = max(room._last.at, store.last_beat())
            if room.phase == "running":
                room.log("resume", away=now - last)
                room.commit()
        except BaseException:
            store.close()
            raise
        return room

    @property
    def wrong_codes(self) -> int:
        """How many wrong codes were tried lately."""
        return sum(at > self._now - LATELY for at in self._wrong_at)

    # -- what pupils do --------------------------------------------------------------------------

    def check_code(self, code: object, now: float, address: str = "") -> None:
        """Refuse a wrong code, and all codes for a moment after many wrong ones.

        Parameters
        ----------
        code : str
        now : float
        address : str
            Whose it is; "" where all have one address. What one phone tries keeps only that phone
            out; it takes many to keep out everybody.

        Raises
        ------
        RefusalError
        """
        self._now = now
        limits = [self._wrong]
        if address:
            if len(self._wrong_from) >= ADDRESSES_KEPT and address not in self._wrong_from:
                self._wrong_from.clear()
            limits.append(self._wrong_from.setdefault(address, Bucket(*WRONG_CODES_OF_ONE)))
        if any(limit.left(now) < 1 for limit in limits):
            raise RefusalError("busy", "Too many wrong codes are being tried. Wait a few seconds.")
        if not isinstance(code, str) or len(code) > 40 or read_code(code) != self.code:
            for limit in limits:
                limit.take(now)
            self._wrong_at.append(now)
            raise RefusalError("code", "There is no class with this code. Look at the board again.")

    def join(
        self, code: object, name: object, once: object, now: float, address: str = ""
    ) -> Pupil:
        """Take a new pupil in; the same `once` gets the same pupil again, whatever others try.

        Parameters
        ----------
        code, name, once : str
            What the phone sends; `once` is its own secret.
        now : float
        address : str
            As for `check_code`.

        Raises
        ------
        RefusalError
            A wrong code, a name that is none, or nobody else can join.
        """
        mark = fingerprint(once) if isinstance(once, str) and 16 <= len(once) <= 64 else ""
        known = self._once.get(mark)
        if known is None:
            self.check_code(code, now, address)
        if not mark:
            raise RefusalError("name", "Load the page again, and join from there.")
        if self.finished:
            raise RefusalError("locked", "This class is closed.")
        if known is not None:
            if self.pupils[known].out:
                raise RefusalError("locked", "Ask your teacher to let you in.")
            return self.pupils[known]
        if not self.joining or self.phase == "over":
            raise RefusalError("locked", "Nobody else can join this class just now.")
        if not self.has_room:
            raise RefusalError("full", "Every place is taken. Your teacher can let you in.")
        self._expect_no_slip(name)
        return self.add(name, mark)

    @property
    def has_room(self) -> bool:
        """Whether somebody who has the code alone could take a seat."""
        if len(self.pupils) >= self.settings.most:
            return False
        # Who has a code may not read and write somebody's bids with it, unless pupils share seats.
        shared = self.settings.rest is Rest.SHARE
        return not self.desks or shared or bool(self._bots_places())

    def _expect_no_slip(self, name: object) -> None:
        """Refuse a name of the roster: its seat is there already, and its slip opens it."""
        called = clean_name(name).casefold()
        if any(one.roster and one.name.casefold() == called for one in self.pupils.values()):
            raise RefusalError(
                "slip",
                "This name has a seat already. Open the link on your slip, or ask your teacher. "
                "If somebody else has the same name, add a letter to yours.",
            )

    def add(self, name: object, once: str = "") -> Pupil:
        """Take a pupil into the class, under a name that is free; seated, if the game has begun."""
        clean = clean_name(name)
        if not clean:
            raise RefusalError("name", "Write a name.")
        expect_person(clean)
        free = free_name(clean, {one.name.casefold() for one in self.pupils.values()})
        self.log("pupil", name=free, once=once)
        pupil = self.pupils[len(self.pupils)]
        if self.desks:
            self.sit_late(pupil)
        return pupil

    def sit_late(self, pupil: Pupil) -> None:
        """Give a late joiner a bot's place where fewest people play, or a part of somebody's."""
        shared = [
            (len(place.pupils), desk.number, firm)
            for desk in self.desks
            for firm, place in enumerate(desk.places)
            if not desk.over
        ]
        if not shared:
            return
        _, table, firm = min(self._bots_places() or shared)
        self.sit(pupil, table, firm)

    def _bots_places(self) -> list[tuple[int, int, int]]:
        """Places without pupils: how many people play at the table, the table, the firm."""
        return [
            (sum(bool(one.pupils) for one in desk.places), desk.number, firm)
            for desk in self.desks
            for firm, place in enumerate(desk.places)
            if not desk.over and not place.pupils
        ]

    def sit(self, pupil: Pupil, table: int, firm: int) -> None:
        """Seat a pupil; a bot gives way there, and takes over a place that is left empty."""
        left = (pupil.table, pupil.firm)
        self.log("sit", pupil=pupil.number, table=table, firm=firm)
        if self.desks[table].places[firm].bot is not None:
            self.give_back(table, firm, "now")
        if left[0] is not None and left[1] is not None:
            self.fill(left[0], left[1])

    def fill(self, table: int, firm: int) -> None:
        """Let a bot play a place that its last pupil has left."""
        place = self.desks[table].places[firm]
        if not place.pupils and place.bot is None:
            self.take(table, firm, self.settings.level, Taken.EMPTY)

    def bid(
        self,
        pupil: Pupil,
        id: object,  # noqa: A002
        turn: object,
        bids: object,
        now: float,
    ) -> int:
        """Hand in a pupil's order or offer.

        Parameters
        ----------
        pupil : Pupil
        id : str
            The phone's own name for this hand-in; the same one again does nothing.
        turn : [month, step]
            What it was written for.
        bids : dict
            ``{"X": [2, 40], …}``.
        now : float

        Returns
        -------
        int
            The receipt's number.

        Raises
        ------
        RefusalError
            Late, early, in already, paused, a bot's seat, or against the rules.
        """
        self._now = now
        given = self._receipt(pupil, id)
        if given is not None:
            return given
        desk, firm = self._at_step(pupil, turn)
        if firm in desk.sealed:
            raise RefusalError(
                "in", "A bid for this step is in already. Take it back to change it."
            )
        order = as_order(read_bids(bids))
        try:
            return self.hand_in(desk, firm, order, pupil=pupil.number, id=id)
        except BidError as error:
            raise RefusalError("rules", to_you(str(error), firm_name(firm))) from None

    def hand_in(self, desk: Desk, firm: int, order: Order, **by: Any) -> int:
        """Hand in at a place whose turn it is, and settle the step if it was the last bid.

        Returns
        -------
        int
            The receipt's number.

        Raises
        ------
        BidError
            The rules do not allow it; nothing has changed.
        """
        turn = list(desk.turn)
        report = self.table(desk.number).hand_in(firm_name(firm), order)
        bids = {item: list(line) for item, line in order.items()}
        self.log("bid", table=desk.number, firm=firm, bids=bids, turn=turn, **by)
        number = self._last.number
        if report is not None:
            self._settled(desk, [], Settled.LAST_BID)
            self.go_along()
        return number

    def change(self, pupil: Pupil, id: object, turn: object, now: float) -> int:  # noqa: A002
        """Take back what a pupil has handed in and nobody has opened yet.

        Returns
        -------
        int
            The receipt's number.

        Raises
        ------
        RefusalError
            It is opened already, or there is nothing to take back.
        """
        self._now = now
        given = self._receipt(pupil, id)
        if given is not None:
            return given
        desk, firm = self._at_step(pupil, turn)
        if firm not in desk.sealed:
            raise RefusalError("late", "Nothing of yours is waiting to be opened.")
        self.table(desk.number).take_back(firm_name(firm))
        self.log("change", table=desk.number, firm=firm, pupil=pupil.number, id=id)
        return self._last.number

    def draft(self, pupil: Pupil, turn: object, text: object, by: object = None) -> None:
        """Keep a half-typed bid for the pupil's other phones, and for after a crash.

        Parameters
        ----------
        pupil : Pupil
        turn : [month, step]
        text : dict
            What stands in the fields: ``{"X": ["2", ""], …}``.
        by : str
            The page's own name for itself, so that it knows its own drafts.
        """
        if pupil.table is None or pupil.firm is None or not _is_draft(turn, text, by):
            return
        draft = json.dumps({"turn": turn, "text": text, "by": by})
        if len(draft) <= 600:
            self.desks[pupil.table].places[pupil.firm].drafted = draft
            self._drafts[f"{pupil.table}/{pupil.firm}"] = draft

    def come_back(self, pupil: Pupil, now: float) -> None:
        """Take the seat back from the bot that plays it.

        Raises
        ------
        RefusalError
            No bot plays there.
        """
        self._now = now
        table, firm = self._seated(pupil)
        if self.desks[table].places[firm].bot is None:
            raise RefusalError("bot", "This seat is yours already.")
        self.give_back(table, firm)

    def _receipt(self, pupil: Pupil, id: object) -> int | None:  # noqa: A002
        if not isinstance(id, str) or not 8 <= len(id) <= 64 or not id.isascii():
            raise RefusalError("rules", "A bid comes with an id of 8 to 64 characters.")
        return self.receipts.get(pupil.number, {}).get(id)

    def _seated(self, pupil: Pupil) -> tuple[int, int]:
        if pupil.table is None or pupil.firm is None:
            raise RefusalError("early", "The game has not begun yet.")
        return pupil.table, pupil.firm

    def _at_step(self, pupil: Pupil, turn: object) -> tuple[Desk, int]:
        """Where a pupil sits, if what the pupil sends is for the step that is open there."""
        table, firm = self._seated(pupil)
        desk = self.desks[table]
        self._expect(desk, firm, turn)
        return desk, firm

    def _expect(self, desk: Desk, firm: int, turn: object) -> None:
        """Refuse what does not fit the step that is open."""
        month, step = desk.turn
        if not isinstance(turn, list) or len(turn) != 2 or turn != [month, step.value]:
            raise RefusalError("late", f"That step is settled already. {_now_open(month, step)}")
        if self.finished or desk.over:
            raise RefusalError("late", "The game is over.")
        if self.paused_at is not None:
            raise RefusalError(
                "paused", "The class is paused. What you typed stays; hand it in later."
            )
        if desk.places[firm].bot is not None:
            raise RefusalError("bot", "A bot plays for you. Take your seat back first.")
        if not desk.open:
            raise RefusalError("early", "This step is not open yet.")
        if desk.deadline is not None and self._now > desk.deadline + GRACE:
            raise RefusalError("late", "The time for this step was up.")

    # -- steps -----------------------------------------------------------------------------------

    def _settled(self, desk: Desk, missed: list[int], why: Settled) -> None:
        """Log the step that the live table has just settled, and open what comes next."""
        line = step_line(self.table(desk.number).game.steps[-1])
        self.log("settle", table=desk.number, line=line, missed=missed, why=why)
        if why is Settled.END:
            return
        for firm in missed:
            place = desk.places[firm]
            many = self.settings.absent_after
            if many and place.missed >= many and place.bot is None and not self.is_here(place):
                self.take(desk.number, firm, self.settings.level, Taken.AWAY)
        self.open_next(desk)

    def open_next(self, desk: Desk) -> None:
        """Open the step that a table stands at; together, those of the tables that are last."""
        if not self.settings.together:
            self.open(desk)
            return
        playing = [one for one in self.desks if not one.over]
        last = min((len(one.lines) for one in playing), default=0)
        for one in playing:
            if len(one.lines) == last:
                self.open(one)

    def open(self, desk: Desk) -> None:
        """Open the step that a table stands at."""
        if not (desk.open or desk.over):
            self.log("open", table=desk.number, seconds=self.seconds)

    def go_along(self) -> None:
        """Settle the steps for which nobody is waited.

        A table that bots play alone never runs ahead, for its pupils may come back: it takes a
        step when no table with people is still at it. If there is none with people at all, only
        the clock and the instructor close its steps.
        """
        while self.paused_at is None:
            # Only where something has happened, since a large class has many tables.
            unseen = [self.desks[number] for number in sorted(self._unseen)]
            complete = [desk for desk in unseen if desk.open and not desk.waited_for]
            # Those that wait for others are looked at again.
            self._unseen = {desk.number for desk in complete}
            if not complete:
                return
            people = [desk for desk in self.desks if desk.people]
            last = min((len(desk.lines) for desk in people if not desk.over), default=2 * 12)
            ready = [
                desk for desk in complete if desk.people or (people and len(desk.lines) < last)
            ]
            if not ready:
                return
            for desk in ready:
                self.close(desk, Settled.NOBODY_LEFT)

    def close(self, desk: Desk, why: Settled) -> None:
        """Settle a table's step as it stands, and open the next one unless the game ends here."""
        live = self.table(desk.number)
        missed = desk.waited_for
        live.close()
        self._settled(desk, missed, why)

    def wake(self, since: float, now: float) -> None:
        """Give back the time for which this machine slept, as `resume` does after a crash.

        Where the clock was set back, clocks of steps are set back with it.
        """
        self._now = now
        if self.phase == "running":
            self.log("resume", away=now - since)

    def tick(self, now: float, most: int = 8) -> bool:
        """Close steps whose time is up.

        Parameters
        ----------
        now : float
        most : int
            How many tables at once, so that phones need not wait long meanwhile.

        Returns
        -------
        bool
            Whether there are more.
        """
        self._now = now
        if self.paused_at is not None or self.finished:
            return False
        upto = now - GRACE
        due = [d for d in self.desks if d.open and d.deadline is not None and d.deadline <= upto]
        for desk in due[:most]:
            self.close(desk, Settled.CLOCK)
        if due:
            self.go_along()
        return len(due) > most

    # -- bots ------------------------------------------------------------------------------------

    def take(self, table: int, firm: int, level: str, why: Taken) -> None:
        """Let a bot play a place from now on."""
        bot = strategy_named(level)
        name = self.place_names(table)[firm]
        text = f"{why}: a bot ({bot}) plays for {name}."
        self.log("bot", table=table, firm=firm, bot=bot, text=text, name=name)
        self.table(table).hand_over(firm_name(firm), bot)

    def give_back(self, table: int, firm: int, when: str = "again") -> None:
        """Let the pupils of a place play again."""
        name = self.place_names(table)[firm]
        plays = "plays" if len(self.desks[table].places[firm].pupils) == 1 else "play"
        self.log("back", table=table, firm=firm, text=f"{name} {plays} {when}.", name=name)
        self.table(table).hand_over(firm_name(firm), None)

    # -- what the instructor does ----------------------------------------------------------------

    def do(self, what: str, now: float, /, **args: Any) -> dict[str, Any]:
        """Do what the instructor asks for.

        Parameters
        ----------
        what : str
            One of `exdec.classroom.controls.CONTROLS`.
        now : float
        **args
            As that control needs them.

        Returns
        -------
        dict
            ``text`` says what was done; ``back``, if it is there, is what takes it back.

        Raises
        ------
        ExdecError
            It cannot be done now; nothing has changed.
        """
        from exdec.classroom.controls import CONTROLS

        self._now = now
        control = CONTROLS.get(what)
        if control is None:
            raise RefusalError("what", f"There is no control {shown(what)}.")
        try:
            signature(control.run).bind(self, **args)
        except TypeError as error:
            raise RefusalError("what", f"{what}: {error}.") from None
        if self.finished:
            raise RefusalError("finished", "This class is closed.")
        done = control.run(self, **args)
        self.go_along()
        return done

    def desk(self, number: object) -> Desk:
        """The table of this number, from 0.

        Raises
        ------
        RefusalError
            There is none.
        """
        if type(number) is not int or not 0 <= number < len(self.desks):
            raise RefusalError("table", f"There is no table {shown(number)}.")
        return self.desks[number]

    def chosen(self, table: object) -> list[Desk]:
        """One table, those of a list, or all if `table` is None.

        Raises
        ------
        RefusalError
            There is no such table, or the game has not begun.
        """
        if not self.desks:
            raise RefusalError("early", "The game has not begun yet.")
        if table is None:
            return list(self.desks)
        numbers = table if isinstance(table, list) else [table]
        return list({desk.number: desk for desk in map(self.desk, numbers)}.values())

    def pupil(self, number: object) -> Pupil:
        """The pupil of this number, from 1.

        Raises
        ------
        RefusalError
            There is none.
        """
        if type(number) is not int or number not in self.pupils:
            raise RefusalError("pupil", f"There is no pupil {shown(number)}.")
        return self.pupils[number]

    def place(self, table: object, firm: object) -> tuple[Desk, int]:
        """A place at a table: the table, and the number of its firm.

        Raises
        ------
        RefusalError
            There is none.
        """
        desk = self.desk(table)
        if type(firm) is not int or not 0 <= firm < len(desk.places):
            raise RefusalError("place", f"{desk.name} has {len(desk.places)} places, from 0.")
        return desk, firm

    def seat_all(self) -> Iterator[dict[str, Any]]:
        """The tables for everyone who is in the class: by groups of the roster, then the rest."""
        groups: dict[str, list[int]] = {}
        # Not by the seed: it is the same in most classes, and would always draw the same seats.
        draw = self.settings.draw
        everyone = list(self.pupils.values())
        for one in self.shuffled("seat", everyone) if draw else everyone:
            if not one.out:
                groups.setdefault(one.group, []).append(one.number)
        # Who has no group comes last.
        anyone = groups.pop("", [])
        together = list(groups.values())
        if draw:
            together = self.shuffled("group", together)
        treatments = self.settings.treatments
        number = 0
        for pupils in [*together, anyone]:
            for places in seat(pupils, self.settings.size, self.settings.rest):
                treatment = treatments[number % len(treatments)] if treatments else None
                number += 1
                yield {
                    "name": f"Table {number}",
                    "treatment": "" if treatment is None else treatment.name,
                    "rules": self.settings.rules_of(treatment).changes(),
                    "seed": self.settings.seed + number - 1,
                    "places": [
                        {
                            "pupils": place,
                            "bot": None if place else LEVELS[self.settings.level],
                        }
                        for place in places
                    ],
                }


def read_bids(bids: object) -> dict[str, Sequence[Any]]:
    """Bids as JSON brought them, ready for the engine, which checks the numbers."""
    if isinstance(bids, dict) and len(bids) <= 6:
        lines: dict[str, Sequence[Any]] = {
            item: line for item, line in bids.items() if isinstance(line, list)
        }
        if len(lines) == len(bids) and all(len(line) == 2 for line in lines.values()):
            return lines
    raise RefusalError("rules", "A bid has units and a price for each line.")


def expect_person(name: str) -> None:
    """Refuse a name by which a pupil could pass for a bot.

    Raises
    ------
    RefusalError
    """
    if is_bots(name):
        raise RefusalError("name", "Bots are called so here. Write another name.")


def _is_draft(turn: object, text: object, by: object) -> bool:
    """Whether this is what stands in the fields of a form; other phones will be shown it."""
    return (
        isinstance(turn, list)
        and isinstance(text, dict)
        and all(isinstance(line, list) for line in text.values())
        and all(isinstance(typed, str) for line in text.values() for typed in line)
        and (by is None or isinstance(by, str))
    )


def to_you(text: str, player: str, name: str = "You") -> str:
    """A sentence of the engine's, about the firm as people call it; "You" speaks to the pupil."""
    return text.replace(possessive(player), possessive(name)).replace(player, name)


def _now_open(month: int, step: Step) -> str:
    if step is Step.OVER:
        return "The game is over."
    return f"{month_name(month)}'s {'orders' if step is Step.BUY else 'offers'} are open now."
