"""A class read once from its file, for who looks back: who played each step, and who clicked when.

The file stays as it is, byte for byte, and a server may go on writing to it meanwhile.
"""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from exdec.classroom.chronicle import Chronicle
from exdec.classroom.desk import Desk
from exdec.classroom.settings import CHOSEN
from exdec.classroom.store import Event, Store, StoreError

T = TypeVar("T")

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file that is in use, or whose server died."""


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
    """

    pupils: tuple[int, ...]
    bot: str | None
    missed: bool

    @property
    def handed_in(self) -> bool:
        """Whether the pupils of the place handed in themselves; a pass counts."""
        return bool(self.pupils) and self.bot is None and not self.missed


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


class Told(Chronicle):
    """A class as its log tells it, with what is forgotten while it is played.

    Attributes
    ----------
    seats : dict
        Who played a step: a `Seat` for each firm, by table and the step's line in the record.
    clicks : list of Click
        Everything that happened, the oldest first.
    """

    def __init__(self, store: Store) -> None:
        self.seats: dict[tuple[int, str], tuple[Seat, ...]] = {}
        self.clicks: list[Click] = []
        super().__init__(store, 0.0)

    def _apply(self, event: Event) -> None:
        data = event.data
        desk = self.desks[data["table"]] if "table" in data else None
        self.clicks.append(self._click(event, desk))
        if event.kind == "settle" and desk is not None:
            self.seats[desk.number, data["line"]] = tuple(
                Seat(
                    tuple(place.pupils),
                    # A bot that takes over finds what is sealed, and leaves it so.
                    None if firm in desk.sealed else place.bot,
                    firm in data["missed"],
                )
                for firm, place in enumerate(desk.places)
            )
            last = self.clicks[-1]
            self.clicks += [
                last._replace(what="missed", kind="missed", firm=firm) for firm in data["missed"]
            ]
        super()._apply(event)
        if event.kind == "pupil":
            self.clicks[-1] = self.clicks[-1]._replace(pupil=len(self.pupils))

    def _click(self, event: Event, desk: Desk | None) -> Click:
        data = event.data
        month, step = (None, "") if desk is None else (desk.turn[0], desk.turn[1].value)
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
        )

    def _detail(self, kind: str, data: dict[str, Any]) -> str:
        """What else there is to say; fields are named one by one, so that no secret gets in."""
        match kind:
            case "pupil" if data.get("roster"):
                return "from the roster"
            case "start":
                return f"tables: {len(data['tables'])}"
            case "bid" | "change" if data.get("pupil") is None:
                return "by the teacher"
            case "undo":
                return f"steps: {data['steps']}"
            case "end":
                return f"months played: {data['months']}"
            case "rename":
                return f"{self.pupils[data['pupil']].name} → {data['name']}"
            case "extend" | "seconds":
                return f"seconds: {data['seconds']}"
            case "settings":
                return ", ".join(f"{name}: {data[name]}" for name in CHOSEN if name in data)
            case "resume":
                return f"after {data['away']:.0f} seconds"
            case "say":
                return str(data["text"])
            case "joining":
                return "open" if data["open"] else "closed"
            case "reveal":
                return "shown" if data["show"] else "hidden"
        return ""

    def shuffled(self, what: str, things: Iterable[T]) -> list[T]:
        """Things in an order that tells nothing, and is the same whenever it is asked for."""

        def rank(numbered: tuple[int, T]) -> bytes:
            return hmac.digest(self.secret.encode(), f"{what} {numbered[0]}".encode(), "sha256")

        return [thing for _, thing in sorted(enumerate(things), key=rank)]


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
