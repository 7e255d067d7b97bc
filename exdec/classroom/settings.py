"""What a class is to play: one frozen table that the panel, the command line and the file share."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

from exdec.bots import LEVELS
from exdec.classroom.seating import Rest
from exdec.errors import ExdecError, RulesError, shown
from exdec.rules import PLAYERS, STANDARD, Rules

LONGEST_NAME = 24
"""Two pupils who share a place still have a name that a game record can hold."""

MOST_PUPILS = 1_200
MOST_SECONDS = 3_600


class SettingsError(ExdecError):
    """A class cannot be set up so; the message says what to change."""


class Treatment(NamedTuple):
    """What some of the tables play instead, so that tables can be compared.

    Parameters
    ----------
    name : str
    rules : dict
        Rules to change, as for `Rules.vary`; ``months`` is one of them.
    """

    name: str
    rules: dict[str, Any]


class Entry(NamedTuple):
    """One line of a roster: a pupil, and the group whose table the pupil sits at ("" for any)."""

    name: str
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSettings:
    """What a class plays, and how.

    Parameters
    ----------
    title : str
        What pupils see before they join.
    size : int
        Places at a table, 2 to 6.
    rest : Rest
        What happens if the pupils do not fill the last table.
    months : int
        1 to 12.
    seconds : int
        Time for each step; 0 for no deadline.
    together : bool
        Whether each step begins for all tables at once; else a table goes on when it is ready.
    level : str
        What bots play: "easy", "medium" or "hard".
    rules : dict
        Rules to change from the standard game, as for `Rules.vary`.
    treatments : tuple of Treatment
        Dealt out to the tables in turn.
    roster : tuple of Entry
        Pupils who get a slip with a link of their own.
    absent_after : int
        A bot takes a place whose pupils are away once it has missed so many steps; 0 for never.
    most : int
        Pupils that may join.
    seed : int
        Where the bots' luck comes from.

    Raises
    ------
    SettingsError, RulesError
        A value that makes no sense.

    Examples
    --------
    >>> settings = ClassSettings(title="Year 11", months=3, rules={"partial_buys": True})
    >>> ClassSettings.from_json(settings.to_json()) == settings
    True
    >>> ClassSettings(size=7)
    Traceback (most recent call last):
    ...
    exdec.classroom.settings.SettingsError: size runs from 2 to 6, not 7.
    """

    title: str = "Executive Decision"
    size: int = 4
    rest: Rest = Rest.BOTS
    months: int = 6
    seconds: int = 90
    together: bool = False
    level: str = "medium"
    rules: Mapping[str, Any] = field(default_factory=dict)
    treatments: tuple[Treatment, ...] = ()
    roster: tuple[Entry, ...] = ()
    absent_after: int = 2
    most: int = 400
    seed: int = 1

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "title", clean_name(self.title, 60) or "Executive Decision")
        for name, low, high in (
            ("size", PLAYERS[0], PLAYERS[-1]),
            ("months", 1, 12),
            ("seconds", 0, MOST_SECONDS),
            ("absent_after", 0, 24),
            ("most", 1, MOST_PUPILS),
            ("seed", 0, 10**9),
        ):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise SettingsError(f"{name} runs from {low} to {high}, not {shown(value)}.")
        if 0 < self.seconds < 5:
            raise SettingsError("seconds is 0 for no deadline, or at least 5.")
        if type(self.together) is not bool:
            raise SettingsError(f"together is true or false, not {shown(self.together)}.")
        if self.rest not in list(Rest):
            raise SettingsError(f"rest is one of {', '.join(Rest)}, not {shown(self.rest)}.")
        put(self, "rest", Rest(self.rest))
        if self.level not in LEVELS:
            raise SettingsError(f"level is one of {', '.join(LEVELS)}, not {shown(self.level)}.")
        put(self, "rules", dict(self.rules))
        put(self, "treatments", tuple(map(_treatment, self.treatments)))
        put(self, "roster", _roster(self.roster))
        if len(self.roster) > self.most:
            raise SettingsError(
                f"The roster has {len(self.roster)} names, and {self.most} may join. Raise most."
            )
        for treatment in self.treatments or (None,):
            self.rules_of(treatment)

    def rules_of(self, treatment: Treatment | None) -> Rules:
        """The rules of a table.

        Raises
        ------
        RulesError
            An unknown rule, or a senseless value.
        """
        rules = STANDARD.vary(**{"months": self.months, **self.rules})
        if treatment is None:
            return rules
        try:
            return rules.vary(**treatment.rules)
        except RulesError as error:
            raise RulesError(f"Treatment {treatment.name}: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """These settings as plain data that JSON can hold."""
        plain = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        plain["rest"] = self.rest.value
        plain["rules"] = dict(self.rules)
        plain["treatments"] = [one._asdict() for one in self.treatments]
        plain["roster"] = [one._asdict() for one in self.roster]
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> ClassSettings:
        """Read settings; what is left out keeps its default.

        Raises
        ------
        SettingsError, RulesError
            An unknown name, or a senseless value.
        """
        if not isinstance(plain, Mapping):
            raise SettingsError(f"Settings are names and values, not {shown(plain)}.")
        names = [one.name for one in dataclasses.fields(cls)]
        for name in plain:
            if name not in names:
                near = get_close_matches(str(name), names, n=1)
                hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(names)}."
                raise SettingsError(f"There is no setting {shown(name)}. {hint}")
        try:
            return cls(**plain)
        except (TypeError, AttributeError):
            raise SettingsError("A setting has a value of the wrong kind.") from None


def clean_name(text: object, longest: int = LONGEST_NAME) -> str:
    """A name as it can be shown anywhere: on one line, without signs that hide or turn text.

    Examples
    --------
    >>> clean_name("  Ann " + chr(0x202E) + " Lee ")
    'Ann Lee'
    """
    if not isinstance(text, str):
        return ""
    text = unicodedata.normalize("NFC", text[: 8 * longest])
    text = "".join(
        " " if sign.isspace() else sign
        for sign in text
        if sign.isspace() or unicodedata.category(sign)[0] != "C" or sign == "\u200d"
    )
    return " ".join(text.split())[:longest].strip()


def _treatment(given: Any) -> Treatment:
    if isinstance(given, Treatment):
        return given
    try:
        name, rules = clean_name(given["name"], 40), dict(given["rules"])
    except (TypeError, KeyError, ValueError):
        raise SettingsError("A treatment has a name and rules.") from None
    if not name:
        raise SettingsError("A treatment needs a name.")
    return Treatment(name, rules)


def _roster(given: Sequence[Any]) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    taken: set[str] = set()
    for one in given:
        if isinstance(one, str):
            entry = Entry(one)
        elif isinstance(one, Mapping):
            entry = Entry(one.get("name", ""), one.get("group", ""))
        else:
            entry = Entry(*one)
        name = clean_name(entry.name)
        if name:
            name = free_name(name, taken)
            taken.add(name.casefold())
            entries.append(Entry(name, clean_name(entry.group, 40)))
    return tuple(entries)


def free_name(name: str, taken: set[str]) -> str:
    """A name that nobody has: the same, or with a number after it.

    Parameters
    ----------
    name : str
    taken : set of str
        Names in use, casefolded.

    Examples
    --------
    >>> free_name("Ann", {"ann", "ann 2"})
    'Ann 3'
    """
    free, number = name, 1
    while free.casefold() in taken:
        number += 1
        free = f"{name[: LONGEST_NAME - 1 - len(str(number))]} {number}"
    return free
