"""A class read once from its file, for who looks back: who played each step, and who clicked when.

The file stays as it is, byte for byte, and a server may go on writing to it meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from exdec.classroom.chronicle import Chronicle
from exdec.classroom.desk import Desk, Settled, Taken
from exdec.classroom.settings import CHOSEN
from exdec.classroom.store import Event, Store, StoreError

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file that is in use, or whose server died."""


class How(StrEnum):
    """How a firm's bids came in one step."""

    HANDED_IN = "handed in"
    PASSED = "passed"
    MISSED = "missed"
    BOT = "bot"


class Way(StrEnum):
    """What people handed in with."""

    PHONE = "phone"
    PAPER = "paper"


class Seat(NamedTuple):
    """Who played one firm in one step.

    Parameters
    ----------
    pupils : tuple of int
        Who sat there.
    bot : str or None
        The strategy that bid; None if what people handed in counted, or nothing.
    missed : bool
        People sat there, and nothing came.
    passed : bool
        What people handed in has no units.
    at : float or None
        When people handed in what counted, in seconds since 1970.
    way : str
        What they handed in with; "" if they did not.
    """

    pupils: tuple[int, ...]
    bot: str | None
    missed: bool
    passed: bool = False
    at: float | None = None
    way: str = ""

    @property
    def how(self) -> How:
        """How the firm's bids came."""
        if self.bot is not None:
            return How.BOT
        if self.missed:
            return How.MISSED
        return How.PASSED if self.passed else How.HANDED_IN

    @property
    def handed_in(self) -> bool:
        """Whether the pupils of the place handed in themselves; a pass counts."""
        return bool(self.pupils) and self.bot is None and not self.missed


@dataclass(slots=True, eq=False)
class Try:
    """A step of a table that is open for once; it may be taken back, and be opened anew.

    Attributes
    ----------
    opened : float or None
        When, in seconds since 1970.
    handed : dict
        When each firm handed in, and with what.
    settlings : list of Settling
        How it was settled; more than once if an early end was taken back, after which it goes on.
    """

    opened: float | None = None
    handed: dict[int, tuple[float, Way]] = field(default_factory=dict)
    settlings: list[Settling] = field(default_factory=list, repr=False)


@dataclass(slots=True, eq=False)
class Settling:
    """How a step of a table was settled.

    Attributes
    ----------
    trying : Try
    at : float
        When, in seconds since 1970.
    why : str
        What settled it, as in `exdec.classroom.desk.Settled`; "" if an older file does not tell.
    seats : tuple of Seat
        Who played it: a `Seat` for each firm.
    """

    trying: Try
    at: float
    why: str
    seats: tuple[Seat, ...]


class Click(NamedTuple):
    """Something that happened, without what was bid.

    Parameters
    ----------
    at : float
        Seconds since 1970.
    what : str
        In words.
    kind : str
        The event's own name.
    table, firm, pupil : int or None
    month, step : int or None, str
        What the table was at.
    bot, detail : str
    trying : Try or None
        The step that it belongs to, as it was open then.
    settling : Settling or None
        What it tells of a step that was settled.
    """

    at: float
    what: str
    kind: str
    table: int | None = None
    firm: int | None = None
    pupil: int | None = None
    month: int | None = None
    step: str = ""
    bot: str = ""
    detail: str = ""
    trying: Try | None = None
    settling: Settling | None = None


WORDS = {
    "class": "class opened",
    "pupil": "joined",
    "start": "game began",
    "open": "step opened",
    "bid": "handed in",
    "change": "took it back to change it",
    "settle": "step settled",
    "undo": "settled steps taken back",
    "redo": "they stand again",
    "end": "game ended early",
    "unend": "game went on after all",
    "bot": "bot plays",
    "back": "plays instead of the bot",
    "sit": "took the place",
    "kick": "sent out",
    "readmit": "let in again",
    "newlink": "got a new link",
    "rename": "renamed",
    "pause": "paused",
    "go": "went on",
    "resume": "went on after the server had stopped",
    "extend": "more time",
    "seconds": "seconds for each step set",
    "settings": "months, places or bots chosen anew",
    "say": "message to all",
    "joining": "joining",
    "reveal": "standings",
    "finish": "class closed",
}
"""What each event is called."""

MISSED = How.MISSED.value
"""What is said of each firm from which nothing came, though it has no event of its own."""


class Told(Chronicle):
    """A class as its log tells it, with what is forgotten while it is played.

    Attributes
    ----------
    settled : dict
        How the steps of each table that stand were settled: a list of `Settling`.
    clicks : list of Click
        Everything that happened, the oldest first.
    """

    def __init__(self, store: Store) -> None:
        self.settled: dict[int, list[Settling]] = {}
        self.clicks: list[Click] = []
        self._trying: dict[int, Try] = {}
        self._aside: dict[int, list[tuple[list[Settling], Try]]] = {}
        super().__init__(store, 0.0)

    def stands(self, click: Click) -> bool | None:
        """Whether the step stands as it was played then; None if there is none, or it is open."""
        trying, table = click.trying, click.table
        if trying is None or table is None:
            return None
        settlings = trying.settlings if click.settling is None else [click.settling]
        if any(one in self.settled[table] for one in settlings):
            return True
        is_open = trying is self._trying[table] and not self.desks[table].over
        return None if is_open and click.settling is None else False

    def _apply(self, event: Event) -> None:
        data = event.data
        desk = self.desks[data["table"]] if "table" in data else None
        self.clicks.append(self._click(event, desk))
        if desk is not None:
            self._follow(event, desk)
        super()._apply(event)
        if event.kind == "pupil":
            self.clicks[-1] = self.clicks[-1]._replace(pupil=len(self.pupils))
        if event.kind == "start":
            for started in self.desks:
                self.settled[started.number] = []
                self._trying[started.number] = Try()
                self._aside[started.number] = []

    def _follow(self, event: Event, desk: Desk) -> None:
        """Note how the step of a table is played, before the event changes the table.

        What is kept aside, and when, is as in `Desk.set_aside` and `Desk.stand_again`.
        """
        data, table = event.data, desk.number
        settled, trying = self.settled[table], self._trying[table]
        match event.kind:
            case "open" if trying.opened is None:
                trying.opened = event.at
            case "bid":
                way = Way.PAPER if data.get("pupil") is None else Way.PHONE
                trying.handed[data["firm"]] = (event.at, way)
            case "change":
                trying.handed.pop(data["firm"], None)
            case "settle":
                if data.get("why") == Settled.END:
                    self._aside[table].append((list(settled), trying))
                else:
                    self._aside[table] = []
                self._settle(event, desk, trying)
                self._trying[table] = Try()
            case "undo":
                self._aside[table].append((list(settled), trying))
                del settled[-data["steps"] :]
                self._trying[table] = Try()
            case "end" if not data.get("settled"):
                self._aside[table].append((list(settled), trying))
                self._trying[table] = Try()
            case "redo" | "unend":
                self.settled[table], self._trying[table] = self._aside[table].pop()

    def _settle(self, event: Event, desk: Desk, trying: Try) -> None:
        missed = event.data["missed"]
        firms = range(len(desk.places))
        seats = tuple(self._seat(desk, firm, trying, firm in missed) for firm in firms)
        settling = Settling(trying, event.at, event.data.get("why", ""), seats)
        trying.settlings.append(settling)
        self.settled[desk.number].append(settling)
        told = self.clicks[-1] = self.clicks[-1]._replace(settling=settling)
        self.clicks += [told._replace(what=MISSED, kind=MISSED, firm=firm) for firm in missed]

    def _seat(self, desk: Desk, firm: int, trying: Try, missed: bool) -> Seat:
        place, sealed = desk.places[firm], desk.sealed.get(firm)
        pupils = tuple(place.pupils)
        # A bot that takes over finds what is sealed, and leaves it so.
        if sealed is None:
            return Seat(pupils, place.bot, missed)
        passed = not any(units for units, _ in sealed.bids.values())
        return Seat(pupils, None, missed, passed, *trying.handed[firm])

    def _click(self, event: Event, desk: Desk | None) -> Click:
        data = event.data
        month, step = (None, "") if desk is None else (desk.turn[0], desk.turn[1].value)
        trying = None if desk is None else self._trying[desk.number]
        return Click(
            event.at,
            WORDS[event.kind],
            event.kind,
            table=data.get("table"),
            firm=data.get("firm"),
            pupil=data.get("pupil"),
            month=month,
            step=step,
            bot=data.get("bot", ""),
            detail=self._detail(event.kind, data),
            trying=None if desk is not None and desk.over else trying,
        )

    def _detail(self, kind: str, data: dict[str, Any]) -> str:
        """What else there is to say; fields are named one by one, so that no secret gets in."""
        match kind:
            case "pupil" if data.get("roster"):
                return "from the roster"
            case "start":
                lot = ", seats drawn by lot" * self.settings.draw
                return f"tables: {len(data['tables'])}{lot}"
            case "bid" | "change" if data.get("pupil") is None:
                return "by the teacher"
            case "undo":
                return f"steps: {data['steps']}"
            case "end":
                return f"months played: {data['months']}"
            case "rename":
                return f"{self.pupils[data['pupil']].name} → {data['name']}"
            case "settle":
                return str(data.get("why", ""))
            case "bot":
                # The sentence begins with the reason, and goes on with a name.
                why = data["text"].partition(":")[0]
                return why if why in list(Taken) else ""
            case "open" | "extend" | "seconds":
                return f"seconds: {data['seconds']}"
            case "settings":
                return ", ".join(f"{name}: {data[name]}" for name in CHOSEN if name in data)
            case "resume":
                if data["away"] < 0:
                    return "the clock was set back"
                return f"after {data['away']:.0f} seconds"
            case "say":
                return str(data["text"])
            case "joining":
                return "open" if data["open"] else "closed"
            case "reveal":
                return "shown" if data["show"] else "hidden"
        return ""


@contextmanager
def told(path: Path) -> Iterator[Told]:
    """Read the file of a class without changing it.

    Raises
    ------
    StoreError
        There is no such file, it is no class, or it cannot be read.
    """
    if not path.is_file():
        raise StoreError(f"There is no class in {path}.")
    # Opening a file in the usual way may write to it, and closing it does; so a copy is opened.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder, path.name)
        _copy(path, copy)
        store = Store.open(copy)
        try:
            yield Told(store)
        finally:
            store.close()


def _copy(path: Path, copy: Path) -> None:
    """Copy a class as it stands at this moment, whoever else has it open."""
    # SQLite would make files beside one that nobody uses; told that it cannot change, it does not.
    used = any(path.with_name(path.name + end).exists() for end in BESIDE)
    address = f"{path.resolve().as_uri()}?mode=ro{'' if used else '&immutable=1'}"
    try:
        with (
            closing(sqlite3.connect(address, uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as error:
        raise StoreError(f"{path.name} cannot be read: {error}.") from None
