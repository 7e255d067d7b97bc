"""What a class is made of: pupils, places, tables, as the log tells them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from exdec import record
from exdec.errors import ExdecError
from exdec.game import Game
from exdec.model import Order, Step
from exdec.rules import Rules


class RefusalError(ExdecError):
    """Something that a pupil or the instructor asked for cannot be done.

    Parameters
    ----------
    why : str
        A word that the phone has its own sentence for.
    text : str
        The sentence in English.
    """

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


class Settled(StrEnum):
    """What settled a step."""

    LAST_BID = "last bid"
    CLOCK = "clock"
    TEACHER = "teacher"
    END = "teacher, who ended the game"
    NOBODY_LEFT = "nobody waited for"
    """Only bots had still to bid, since a place had gone to one."""


class Taken(StrEnum):
    """Why a bot plays a place from now on."""

    TEACHER = "By the teacher"
    AWAY = "Away"
    EMPTY = "Nobody sits here any more"


class News(NamedTuple):
    """Something that pupils are told.

    Parameters
    ----------
    n : int
        The event's number.
    what : str
        A word for what it is, for which a page has its own sentence in each language.
    text : str
        The sentence in English; of a message, what the instructor wrote.
    about : dict
        What the sentence is about: names and numbers.
    """

    n: int
    what: str
    text: str
    about: dict[str, Any]


@dataclass(slots=True)
class Pupil:
    """A person with a name and a secret link.

    Attributes
    ----------
    table, firm : int or None
        Where the pupil sits; None in the lobby, and for who was sent out.
    out : bool
        Sent out by the instructor; the link opens nothing.
    once : str
        Fingerprint of what the phone sent to join; the same phone asking again is the same pupil.
    """

    number: int
    name: str
    group: str = ""
    roster: bool = False
    once: str = ""
    generation: int = 0
    out: bool = False
    table: int | None = None
    firm: int | None = None


@dataclass(slots=True)
class Place:
    """A firm's place at a table."""

    pupils: list[int] = field(default_factory=list)
    bot: str | None = None
    missed: int = 0
    drafted: str = field(default="", repr=False)
    """A half-typed bid with its turn, as JSON."""


@dataclass(slots=True)
class Sealed:
    """A bid that is handed in and not opened. It never shows itself."""

    bids: dict[str, list[int]] = field(repr=False)
    id: str = field(repr=False)
    receipt: int


class Past(NamedTuple):
    """How a table stood before steps were taken back or the game was ended.

    Parameters
    ----------
    lines, by_bots, missed, ended, sealed
        As in `Desk`.
    absences : tuple of int
        Each place's `missed`.
    """

    lines: list[str]
    by_bots: list[tuple[int, ...]]
    missed: list[tuple[int, ...]]
    ended: int | None
    sealed: dict[int, Sealed]
    absences: tuple[int, ...]


@dataclass(slots=True)
class Desk:
    """One table, as the log tells it: who sits there, and its game as lines of a record."""

    number: int
    name: str
    treatment: str
    rules: Rules
    seed: int
    places: list[Place]
    lines: list[str] = field(default_factory=list, repr=False)
    by_bots: list[tuple[int, ...]] = field(default_factory=list)
    """The firms that bots played, for each settled step."""
    missed: list[tuple[int, ...]] = field(default_factory=list)
    """The firms whose people handed nothing in, for each settled step."""
    past: list[Past] = field(default_factory=list, repr=False)
    """What stands again, the last first, if undoing or ending is taken back."""
    sealed: dict[int, Sealed] = field(default_factory=dict, repr=False)
    open: bool = False
    deadline: float | None = None
    ended: int | None = None
    """The months that are played, if the instructor ended the game early."""
    news: list[News] = field(default_factory=list)
    version: int = 0

    @property
    def months(self) -> int:
        """How many months this table plays."""
        return self.rules.months if self.ended is None else self.ended

    @property
    def over(self) -> bool:
        """Whether the last month is settled."""
        return len(self.lines) >= 2 * self.months

    @property
    def undone(self) -> bool:
        """Whether the last thing that can be taken back is that steps were taken back."""
        return bool(self.past) and self.ended is None

    def set_aside(self) -> None:
        """Keep how the table stands, so that it can stand so again."""
        self.past.append(
            Past(
                list(self.lines),
                list(self.by_bots),
                list(self.missed),
                self.ended,
                self.sealed,
                tuple(place.missed for place in self.places),
            )
        )

    def stand_again(self) -> None:
        """Let stand what was set aside last."""
        past = self.past.pop()
        self.lines, self.by_bots, self.missed = past.lines, past.by_bots, past.missed
        self.ended, self.sealed = past.ended, past.sealed
        for place, missed in zip(self.places, past.absences, strict=True):
            place.missed = missed

    @property
    def people(self) -> list[int]:
        """The firms that people play."""
        return [firm for firm, place in enumerate(self.places) if place.bot is None]

    @property
    def waited_for(self) -> list[int]:
        """Those of them that have not handed in."""
        return [firm for firm in self.people if firm not in self.sealed]

    @property
    def turn(self) -> tuple[int, Step]:
        """The step that is to be handed in; after the end the last month and `Step.OVER`."""
        if self.over:
            return max(1, self.months), Step.OVER
        month, half = divmod(len(self.lines), 2)
        return month + 1, (Step.BUY, Step.SELL)[half]

    def record(self, names: Iterable[str] | None = None, **extra: Any) -> str:
        """The game of this table as a record.

        Parameters
        ----------
        names : iterable of str, optional
            What the firms are called; "Firm 1", "Firm 2", … if left out.
        **extra
            Other keys for the header.
        """
        players = [firm_name(firm) for firm in range(len(self.places))]
        rules = self.rules.vary(months=max(1, self.months))
        plain = record.dumps(Game(players, rules), **extra) + "".join(self.lines)
        if names is None:
            return plain
        called = dict(zip(players, names, strict=True))
        return "".join(_renamed(line, called) for line in plain.splitlines())


def firm_name(firm: int) -> str:
    """What a firm is called inside its game, whoever sits there.

    Examples
    --------
    >>> firm_name(0)
    'Firm 1'
    """
    return f"Firm {firm + 1}"


def as_order(bids: Mapping[str, Sequence[int]]) -> Order:
    """An order as the engine takes it."""
    return {item: (units, price) for item, (units, price) in bids.items()}


def _renamed(line: str, called: Mapping[str, str]) -> str:
    fields = json.loads(line)
    if "players" in fields:
        fields["players"] = [called[player] for player in fields["players"]]
    for holder in (fields, fields.get("check", {})):
        for key in ("bids", "cash", "bots"):
            if key in holder:
                holder[key] = {called[player]: what for player, what in holder[key].items()}
    return json.dumps(fields, ensure_ascii=False) + "\n"
