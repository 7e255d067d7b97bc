"""A live class for tests: opened in a folder, compared with what its file tells, looked at."""

import dataclasses
import json
import re
from pathlib import Path

from exdec.classroom.chronicle import Chronicle
from exdec.classroom.desk import firm_name
from exdec.classroom.messages import Messages
from exdec.classroom.room import Room
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Store

NOW = 1_000.0

KEPT = [
    *("settings", "code", "secret", "host_key", "joining", "reveal", "finished", "paused_at"),
    *("seconds", "news", "audit", "version", "last_event", "phase"),
]


def opened(folder: Path, *names: str, start: bool = True, **settings) -> Room:
    """A class in which these pupils have joined; begun, unless told otherwise."""
    given = {"title": "Year 11", "seconds": 0, "months": 2, "level": "easy", **settings}
    room = Room.create(folder / "class.sqlite", ClassSettings(**given), NOW)
    for name in names:
        join(room, name)
    if start:
        room.do("start", NOW)
    room.commit()
    return room


def join(room: Room, name: str, now: float = NOW):
    return room.join(room.code, name, f"the phone of somebody {len(room.pupils)}", now)


def bid(room: Room, pupil: int, bids=None, now: float = NOW, name: str = "") -> int:
    """Hand in for a pupil, for the step that is open."""
    one = room.pupils[pupil]
    month, step = room.desks[one.table].turn
    name = name or f"{pupil}, event {room.last_event}"
    return room.bid(one, name, [month, step.value], bids or {}, now)


def again(room: Room) -> Room:
    """The same class, from its file alone."""
    return Room(Store.open(room.store.path), room._now)


def told(room: Chronicle) -> dict:
    """Everything that is kept of a class, as plain data, and what every page shows."""
    messages = Messages(room)
    tables = []
    for desk in room.desks:
        table = room.table(desk.number)
        sealed = {player: one.bids for player, one in table.game._sealed.items()}
        tables.append(
            (table.game.steps, table.game.state, sealed, dict(table.rivals), table.waiting)
        )
        assert set(sealed) == {firm_name(firm) for firm in desk.sealed}
    return {
        **{name: getattr(room, name) for name in KEPT},
        "receipts": {pupil: dict(given) for pupil, given in room.receipts.items()},
        "once": dict(room._once),
        "pupils": {number: dataclasses.asdict(one) for number, one in room.pupils.items()},
        "desks": [dataclasses.asdict(desk) for desk in room.desks],
        "tables": tables,
        "views": wire(views(room)),
        "host": [messages.host(show, room._now) for show in (None, 0)] if room.settings else None,
        "slips": messages.slips(),
    }


def wire(message):
    """A message as it comes out at the other end."""
    return json.loads(json.dumps(message))


def views(room: Chronicle, messages: Messages | None = None) -> dict[int, dict]:
    messages = messages or Messages(room)
    return {
        number: messages.view(one, room._now) for number, one in room.pupils.items() if not one.out
    }


def merged(old: dict, message: dict | None) -> dict:
    """What a phone makes of a message: fields replace, what is settled is appended."""
    if message is None:
        return old
    if message["t"] == "view":
        return message
    new = {**old, **message, "t": "view"}
    for many, one in (("postings", "posting"), ("results", "result")):
        if one in new:
            new[many] = [*old[many], new.pop(one)]
    return new


def numbers(text: str) -> set[int]:
    """Every whole number in a text."""
    return {int(digits) for digits in re.findall(r"\d+", text)}
