"""What the instructor can do: one function a control, and one table that every page is made from.

A page shows a control's label, asks its question first if it has one, and offers to take it back
if the answer says how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from exdec.bots import LEVELS
from exdec.classroom.desk import Desk, RefusalError, Settled, Taken, as_order, firm_name
from exdec.classroom.room import Room, expect_person, read_bids, to_you
from exdec.classroom.settings import CHOSEN, LEAST_SECONDS, MOST_SECONDS, clean_name, free_name
from exdec.errors import BidError, shown
from exdec.model import Step, month_name
from exdec.narrate import counted

Done = dict[str, Any]


class Control(NamedTuple):
    """One control.

    Parameters
    ----------
    label : str
    needs : tuple of str
        What it is asked with: "table" (one, or all if it is left out), "place" (table and firm),
        "pupil", "text", "name", "seconds", "bids", "months", "size", "level".
    run : callable
        Takes the room and what it needs; gives ``text`` and perhaps ``back``.
    on : callable
        Whether it can be used now.
    ask : str
        The question before it is done; "" if it destroys nothing.
    also : callable
        What the question adds, as the class stands; "" for nothing.
    """

    label: str
    needs: tuple[str, ...]
    run: Callable[..., Done]
    on: Callable[[Room], bool]
    ask: str
    also: Callable[[Room], str] = lambda _: ""


CONTROLS: dict[str, Control] = {}


def _lobby(room: Room) -> bool:
    return room.phase == "lobby" and not room.finished


def _begun(room: Room) -> bool:
    return room.phase != "lobby" and not room.finished


def _playing(room: Room) -> bool:
    return room.phase in ("running", "paused") and not room.finished


def _running(room: Room) -> bool:
    return room.phase == "running" and not room.finished


def _paused(room: Room) -> bool:
    return room.phase == "paused" and not room.finished


def _settled(room: Room) -> bool:
    return any(desk.lines for desk in room.desks) and not room.finished


def _any(room: Room) -> bool:
    return not room.finished


def control(
    do: str,
    label: str,
    *needs: str,
    on: Callable[[Room], bool],
    ask: str = "",
    also: Callable[[Room], str] = lambda _: "",
) -> Callable[[Callable[..., Done]], Callable[..., Done]]:
    """Enter a function as a control."""

    def enter(run: Callable[..., Done]) -> Callable[..., Done]:
        CONTROLS[do] = Control(label, needs, run, on, ask, also)
        return run

    return enter


# -- the clock -----------------------------------------------------------------------------------


@control("start", "Start the game", on=_lobby)
def _start(room: Room) -> Done:
    if room.desks:
        return {"text": "The game has begun."}
    tables = list(room.seat_all())
    if not tables:
        raise RefusalError("start", "Nobody has joined yet. Wait for one pupil at least.")
    room.log("start", tables=tables)
    for desk in room.desks:
        room.open(desk)
    return {"text": f"The game begins at {counted(len(tables), 'table')}."}


@control("pause", "Pause", on=_running)
def _pause(room: Room) -> Done:
    if room.phase != "running":
        raise RefusalError("pause", "No clock is running.")
    room.log("pause")
    return {"text": "Paused. The clocks stand still.", "back": {"do": "go"}}


@control("go", "Go on", on=_paused)
def _go(room: Room) -> Done:
    if room.paused_at is None:
        raise RefusalError("go", "The class is not paused.")
    room.log("go")
    return {"text": "The class goes on.", "back": {"do": "pause"}}


@control("extend", "More time", "table", "seconds", on=_playing)
def _extend(room: Room, seconds: object = 30, table: object = None) -> Done:
    if type(seconds) is not int or not 1 <= seconds <= MOST_SECONDS:
        raise RefusalError("seconds", f"Give 1 to {MOST_SECONDS} seconds.")
    timed = [desk for desk in room.chosen(table) if desk.open and desk.deadline is not None]
    if not timed:
        raise RefusalError("extend", "No clock is running that could be given more time.")
    for desk in timed:
        room.log("extend", table=desk.number, seconds=seconds)
    return {"text": f"{seconds} seconds more for {_where(room, timed)}."}


@control("seconds", "Seconds for each step", "seconds", on=_any)
def _seconds(room: Room, seconds: object) -> Done:
    least, most = LEAST_SECONDS, MOST_SECONDS
    if type(seconds) is not int or not (seconds == 0 or least <= seconds <= most):
        raise RefusalError("seconds", f"Give {least} to {most} seconds, or 0 for no deadline.")
    before = room.seconds
    room.log("seconds", seconds=seconds)
    then = f"{seconds} seconds" if seconds else "no deadline"
    return {
        "text": f"Each step from the next one on has {then}.",
        "back": {"do": "seconds", "seconds": before},
    }


@control("settings", "Months, places and bots", *CHOSEN, on=_lobby)
def _settings(room: Room, **chosen: object) -> Done:
    if room.phase != "lobby":
        raise RefusalError(
            "settings", "The game has begun. Months, places and bots stay as they are."
        )
    if not chosen or not chosen.keys() <= set(CHOSEN):
        raise RefusalError("settings", "Choose other months, places or bots first.")
    before = {name: getattr(room.settings, name) for name in chosen}
    # What makes no sense is refused before it is written down.
    replace(room.settings, **chosen)  # type: ignore[arg-type]
    room.log("settings", **chosen)
    now = room.settings
    return {
        "text": f"Chosen: {counted(now.months, 'month')}, {now.size} places at a table, "
        f"{now.level} bots.",
        "back": {"do": "settings", **before},
    }


def _apart(room: Room) -> str:
    """Where each table is, if they are at several steps: who closes one has one in mind."""
    opened = [desk for desk in room.desks if desk.open]
    if len({desk.turn for desk in opened}) < 2:
        return ""
    return f" Tables are at several: {'; '.join(map(_progress, opened))}."


@control(
    "close",
    "Close the step now",
    "table",
    on=_running,
    ask="Close the step now? Who has not handed in passes.",
    also=_apart,
)
def _close(room: Room, table: object = None) -> Done:
    if room.paused_at is not None:
        raise RefusalError("close", "The class is paused. Let it go on first.")
    opened = [desk for desk in room.chosen(table) if desk.open]
    if not opened:
        raise RefusalError("close", "No step is open.")
    turns = [(desk, len(desk.lines)) for desk in opened]
    for desk, settled in turns:
        # In a class that goes together, one table's closing may have opened the next step.
        if desk.open and len(desk.lines) == settled:
            room.close(desk, Settled.TEACHER)
    return {"text": f"Closed at {_where(room, opened)}.", "back": _for("reopen", opened)}


@control(
    "reopen",
    "Open the last step again",
    "table",
    on=_settled,
    ask="Open the last step again? What came of it is taken back, and pupils are told.",
)
def _reopen(room: Room, table: object = None) -> Done:
    back = _step_back(room, table, whole_month=False)
    text = f"Open again at {_where(room, back)}. Everyone there hands in anew."
    return {"text": text, "back": _for("redo", back)}


@control(
    "undo",
    "Undo a month",
    "table",
    on=_settled,
    ask="Go back to the beginning of the month? What came of it is taken back; pupils are told.",
)
def _undo(room: Room, table: object = None) -> Done:
    back = _step_back(room, table, whole_month=True)
    return {"text": f"Undone at {_where(room, back)}.", "back": _for("redo", back)}


def _step_back(room: Room, table: object, *, whole_month: bool) -> list[Desk]:
    """Take back the last settled step, or all of its month, and open what is played again."""
    settled = [desk for desk in room.chosen(table) if desk.lines]
    if not settled:
        raise RefusalError("undo", "No step is settled yet.")
    for desk in settled:
        steps = 2 - len(desk.lines) % 2 if whole_month else 1
        month, half = divmod(len(desk.lines) - steps, 2)
        if whole_month:
            what, text = "undone", f"{month_name(month + 1)} is played again."
        else:
            what = "reopened"
            text = f"{_step(month + 1, half)} are open again. Hand in anew, or change your bid."
        room.log("undo", table=desk.number, steps=steps, what=what, text=text)
        room.open(desk)
    return settled


@control(
    "redo", "Take the undoing back", "table", on=lambda room: any(d.undone for d in room.desks)
)
def _redo(room: Room, table: object = None) -> Done:
    undone = [desk for desk in room.chosen(table) if desk.undone]
    if not undone:
        raise RefusalError("redo", "Nothing was undone since the last step was settled.")
    for desk in undone:
        room.log("redo", table=desk.number, text="What was undone stands again.")
        room.open_next(desk)
    return {"text": f"It stands again at {_where(room, undone)}."}


@control(
    "end",
    "End the game early",
    "table",
    on=_playing,
    ask="End the game now? Offers that are open are settled as they are; then the Broker buys what "
    "is left.",
)
def _end(room: Room, table: object = None) -> Done:
    playing = [desk for desk in room.chosen(table) if not desk.over]
    if not playing:
        raise RefusalError("end", "The game is over already.")
    for desk in playing:
        selling = desk.turn[1] is Step.SELL
        if selling:
            room.close(desk, Settled.END)
        months = len(desk.lines) // 2
        text = f"The game ends after {month_name(months)}." if months else "The game is off."
        room.log("end", table=desk.number, months=months, text=text, settled=selling)
    # Tables that go together may have waited for these.
    for desk in playing:
        room.open_next(desk)
    return {"text": f"Ended at {_where(room, playing)}.", "back": _for("unend", playing)}


@control("unend", "Go on after all", "table", on=lambda room: any(_ended(d) for d in room.desks))
def _unend(room: Room, table: object = None) -> Done:
    ended = [desk for desk in room.chosen(table) if _ended(desk)]
    if not ended:
        raise RefusalError("unend", "No game was ended early.")
    for desk in ended:
        room.log("unend", table=desk.number, text="The game goes on.")
    for desk in ended:
        room.open_next(desk)
    return {"text": f"It goes on at {_where(room, ended)}."}


# -- pupils and places ---------------------------------------------------------------------------


@control("bot", "A bot plays", "place", on=_playing)
def _bot(room: Room, table: object, firm: object, level: object = None) -> Done:
    desk, at = room.place(table, firm)
    place = desk.places[at]
    level = room.settings.level if level is None else level
    if not isinstance(level, str) or level not in LEVELS:
        raise RefusalError("level", f"A level is one of {', '.join(LEVELS)}, not {shown(level)}.")
    if place.bot is not None:
        raise RefusalError("bot", f"A bot ({place.bot}) plays there already.")
    name = room.place_names(desk.number)[at]
    room.take(desk.number, at, level, Taken.TEACHER)
    return {
        "text": f"A bot plays for {name}.",
        "back": {"do": "return", "table": desk.number, "firm": at},
    }


@control("bots_absent", "Bots play for all who are away", on=_playing)
def _bots_absent(room: Room) -> Done:
    taken = 0
    for desk in room.desks:
        if not desk.over:
            for firm, place in enumerate(desk.places):
                # Who has handed in on paper is here without a page.
                if place.bot is None and not room.is_here(place) and firm not in desk.sealed:
                    room.take(desk.number, firm, room.settings.level, Taken.AWAY)
                    taken += 1
    if not taken:
        # A bot that fills a table up plays for nobody.
        bots = sum(
            place.bot is not None and bool(place.pupils)
            for desk in room.desks
            for place in desk.places
        )
        already = f" Bots play {counted(bots, 'place')} already." if bots else ""
        raise RefusalError("bot", f"Nobody{' else' if bots else ''} is away.{already}")
    return {"text": f"Bots play for {taken} who {'is' if taken == 1 else 'are'} away."}


@control("return", "Give the seat back", "place", on=_playing)
def _return(room: Room, table: object, firm: object) -> Done:
    desk, at = room.place(table, firm)
    place = desk.places[at]
    if place.bot is None:
        raise RefusalError("bot", "No bot plays there.")
    if not place.pupils:
        raise RefusalError("bot", "Nobody sits there. Reseat a pupil to this place.")
    level = next((one for one in LEVELS if LEVELS[one] == place.bot), room.settings.level)
    room.give_back(desk.number, at)
    return {
        "text": desk.news[-1].text,
        "back": {"do": "bot", "table": desk.number, "firm": at, "level": level},
    }


@control("paper", "Key in a paper tally", "place", "bids", on=_playing)
def _paper(room: Room, table: object, firm: object, bids: object, turn: object = None) -> Done:
    desk, at = room.place(table, firm)
    place = desk.places[at]
    if turn is not None and turn != [desk.turn[0], desk.turn[1].value]:
        raise RefusalError("late", f"{desk.name} has gone on meanwhile. Look which step is open.")
    name = room.place_names(desk.number)[at]
    if place.bot is not None:
        raise RefusalError("bot", f"A bot plays for {name}. Give the seat back first.")
    if not desk.open:
        raise RefusalError("early", "No step is open at this table.")
    if at in desk.sealed:
        raise RefusalError("in", f"{name} has handed in already. Take that back first.")
    # Keying takes time, so the clocks may stand still; but then no step is settled.
    if room.paused_at is not None and room.table(desk.number).waiting == (firm_name(at),):
        raise RefusalError("paused", f"{desk.name} waits only for this. Let the class go on first.")
    try:
        room.hand_in(desk, at, as_order(read_bids(bids)))
    except BidError as error:
        raise RefusalError("rules", to_you(str(error), firm_name(at), name)) from None
    return {
        "text": f"Handed in for {name}.",
        "back": {"do": "take_back", "table": desk.number, "firm": at},
    }


@control("take_back", "Take a hand-in back", "place", on=_running)
def _take_back(room: Room, table: object, firm: object) -> Done:
    desk, at = room.place(table, firm)
    if at not in desk.sealed:
        raise RefusalError("in", "Nothing is sealed there. If the step is settled, open it again.")
    room.table(desk.number).take_back(firm_name(at))
    room.log("change", table=desk.number, firm=at)
    return {"text": f"{room.place_names(desk.number)[at]} can hand in anew."}


@control("add", "Add a pupil", "name", on=_any)
def _add(room: Room, name: object) -> Done:
    pupil = room.add(name)
    return {"text": f"{pupil.name} is in the class.", "pupil": pupil.number}


@control("rename", "Rename", "pupil", "name", on=_any)
def _rename(room: Room, pupil: object, name: object) -> Done:
    one = room.pupil(pupil)
    clean = clean_name(name)
    if not clean:
        raise RefusalError("name", "Write a name.")
    expect_person(clean)
    taken = {other.name.casefold() for other in room.pupils.values() if other is not one}
    free = free_name(clean, taken)
    before = one.name
    room.log("rename", pupil=one.number, name=free)
    return {
        "text": f"{before} is now called {free}.",
        "back": {"do": "rename", "pupil": one.number, "name": before},
    }


@control("reseat", "Move to another place", "pupil", "place", on=_playing)
def _reseat(room: Room, pupil: object, table: object, firm: object) -> Done:
    one = room.pupil(pupil)
    if one.out:
        raise RefusalError("out", f"{one.name} is sent out. Let {one.name} in first.")
    desk, at = room.place(table, firm)
    place = desk.places[at]
    if one.number in place.pupils:
        raise RefusalError("place", f"{one.name} sits there already.")
    if len(place.pupils) >= 3:
        raise RefusalError("place", "Three pupils share that place already.")
    before = (one.table, one.firm)
    room.sit(one, desk.number, at)
    done: Done = {"text": f"{one.name} sits at {desk.name}."}
    if before[0] is not None:
        back = {"do": "reseat", "pupil": one.number, "table": before[0], "firm": before[1]}
        done["back"] = back
    return done


@control(
    "kick",
    "Send out",
    "pupil",
    on=_any,
    ask="Send this pupil out? The link stops working. With the code the pupil can join again, "
    "unless you also press “Nobody else joins”.",
)
def _kick(room: Room, pupil: object) -> Done:
    one = room.pupil(pupil)
    if one.out:
        raise RefusalError("out", f"{one.name} is out already.")
    table, firm = one.table, one.firm
    room.log("kick", pupil=one.number)
    if table is not None and firm is not None:
        room.fill(table, firm)
    back = {"do": "readmit", "pupil": one.number, "table": table, "firm": firm}
    text = f"{one.name} is out."
    if room.joining:
        text += f" To keep {one.name} from joining again by the code, press “Nobody else joins”."
    return {"text": text, "back": back}


@control("readmit", "Let in again", "pupil", on=_any)
def _readmit(room: Room, pupil: object, table: object = None, firm: object = None) -> Done:
    one = room.pupil(pupil)
    if not one.out:
        raise RefusalError("out", f"{one.name} is in the class.")
    if table is not None:
        room.place(table, firm)
    room.log("readmit", pupil=one.number)
    if room.desks:
        if type(table) is int and type(firm) is int:
            room.sit(one, table, firm)
        else:
            room.sit_late(one)
    return {
        "text": f"{one.name} is in again, by the link from before. Load a page anew that is open."
    }


@control(
    "newlink",
    "A new link",
    "pupil",
    on=_any,
    ask="Make a new link for this pupil? The old one stops working on every phone.",
)
def _newlink(room: Room, pupil: object) -> Done:
    one = room.pupil(pupil)
    room.log("newlink", pupil=one.number)
    return {"text": f"{one.name} has a new link.", "key": room.key(one)}


# -- the class -----------------------------------------------------------------------------------


@control("say", "Tell everyone", "text", on=_any)
def _say(room: Room, text: object) -> Done:
    clean = clean_name(text, 280)
    if not clean:
        raise RefusalError("text", "Write what everyone is to read.")
    room.log("say", text=clean)
    return {"text": "Everyone reads it now."}


@control("lock", "Nobody else joins", on=lambda room: room.joining and not room.finished)
def _lock(room: Room) -> Done:
    room.log("joining", open=False)
    return {"text": "Nobody else can join.", "back": {"do": "unlock"}}


@control("unlock", "Let others join", on=lambda room: not (room.joining or room.finished))
def _unlock(room: Room) -> Done:
    room.log("joining", open=True)
    return {"text": "Pupils can join.", "back": {"do": "lock"}}


@control("standings", "Show the standings", "show", on=_begun)
def _standings(room: Room, show: object = True) -> Done:
    if type(show) is not bool:
        raise RefusalError("show", "Show the standings, or do not.")
    room.log("reveal", show=show)
    text = "Everyone sees the standings." if show else "The standings are hidden."
    return {"text": text, "back": {"do": "standings", "show": not show}}


@control(
    "finish",
    "Close the class",
    on=_any,
    ask="Close the class for good? It cannot be opened again. Phones and the board keep what they "
    "show until they load their page again. The file stays, for exports and the debrief.",
)
def _finish(room: Room) -> Done:
    room.log("finish")
    return {"text": f"The class is closed. Its file is {room.store.path.name}."}


def _where(room: Room, desks: list[Desk]) -> str:
    """Name one of several tables, and count more."""
    one = len(desks) == 1 < len(room.desks)
    return desks[0].name if one else counted(len(desks), "table")


def _for(do: str, desks: list[Desk]) -> Done:
    """A way back, at these tables and no others."""
    numbers = [desk.number for desk in desks]
    return {"do": do, "table": numbers[0] if len(numbers) == 1 else numbers}


def _ended(desk: Desk) -> bool:
    return desk.ended is not None


def _progress(desk: Desk) -> str:
    month, step = desk.turn
    where = _step(month, int(step is Step.SELL))
    people = len(desk.people)
    return f"{desk.name} at {where} ({people - len(desk.waited_for)} of {people} in)"


def _step(month: int, half: int) -> str:
    whose = f"{month_name(month)}'s"
    return f"{whose} {('orders', 'offers')[half]}"
