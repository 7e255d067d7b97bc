"""What a class is to play: one frozen table that the panel, the command line and the file share."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, NamedTuple

from exdec.bots import LEVELS
from exdec.classroom.seating import Rest
from exdec.errors import ExdecError, RulesError, shown
from exdec.rules import PLAYERS, STANDARD, Rules

LONGEST_NAME = 24
"""Two pupils who share a place still have a name that a game record can hold."""

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""

CHOSEN = ("months", "size", "level")
"""Settings that can be chosen anew until the game begins."""

MOST_PUPILS = 1_200
LEAST_SECONDS, MOST_SECONDS = 5, 3_600
"""A step's; 0 is for no deadline."""


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
        Pupils that may join; all of a roster may.
    draw : bool
        Whether seats are drawn by lot when the game begins; else they follow the order of joining,
        or of the roster.
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
    draw: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not isinstance(self.title, str):
            raise SettingsError(f"title is a text, not {shown(self.title)}.")
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
        if 0 < self.seconds < LEAST_SECONDS:
            raise SettingsError(f"seconds is 0 for no deadline, or at least {LEAST_SECONDS}.")
        for name in ("together", "draw"):
            if type(value := getattr(self, name)) is not bool:
                raise SettingsError(f"{name} is true or false, not {shown(value)}.")
        if self.rest not in list(Rest):
            raise SettingsError(f"rest is one of {', '.join(Rest)}, not {shown(self.rest)}.")
        put(self, "rest", Rest(self.rest))
        if not isinstance(self.level, str) or self.level not in LEVELS:
            raise SettingsError(f"level is one of {', '.join(LEVELS)}, not {shown(self.level)}.")
        put(self, "rules", _rules("rules", self.rules))
        if "months" in self.rules:
            raise SettingsError("months is a setting of its own; take it out of rules.")
        put(self, "treatments", tuple(map(_treatment, _list("treatments", self.treatments))))
        names = [treatment.name for treatment in self.treatments]
        if twice := [name for name in names if names.count(name) > 1]:
            raise SettingsError(f"Two treatments are called {twice[0]}. Give each its own name.")
        put(self, "roster", _roster(self.roster))
        if len(self.roster) > MOST_PUPILS:
            raise SettingsError(
                f"The roster has {len(self.roster):,} names, and a class takes {MOST_PUPILS:,} at "
                "the most. Share them out to several classes, each with a server of its own."
            )
        put(self, "most", max(self.most, len(self.roster)))
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
        return cls(**plain)


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
        " " if sign.isspace() or sign in BLANK else sign
        for before, sign in pairwise(" " + text)
        if sign.isspace() or unicodedata.category(sign)[0] != "C" or _joins(before, sign)
    )
    text = " ".join(text.split())[:longest].strip()
    # Accents that stand on nothing are no name.
    return text if any(unicodedata.category(sign)[0] in "LNPS" for sign in text) else ""


def _joins(before: str, sign: str) -> bool:
    """Whether a sign makes one picture of two; elsewhere it would make two names look the same."""
    return sign == "\u200d" and (unicodedata.category(before)[0] == "S" or before == "\ufe0f")


def _list(name: str, given: Any) -> Sequence[Any]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise SettingsError(f"{name} is a list, not {shown(given)}.")
    return given


def _rules(name: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise SettingsError(f"{name} is rules by their names, not {shown(given)}.")
    return dict(given)


def _treatment(given: Any) -> Treatment:
    if isinstance(given, Treatment):
        given = given._asdict()
    if not isinstance(given, Mapping) or set(given) != set(Treatment._fields):
        raise SettingsError(f"treatments have a name and rules each, not {shown(given)}.")
    name = clean_name(given["name"], 40)
    if not name:
        raise SettingsError("Each of the treatments needs a name.")
    return Treatment(name, _rules(f"Treatment {name}: rules", given["rules"]))


def _roster(given: Any) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    taken: set[str] = set()
    for one in _list("roster", given):
        match one:
            case str():
                entry = Entry(one)
            case {"name": str(called), **rest} if rest.keys() <= {"group"}:
                entry = Entry(called, clean_name(rest.get("group"), 40))
            case [str(_)] | [str(_), str(_)]:
                entry = Entry(*one)
            case _:
                raise SettingsError(f"roster has a name and perhaps a group, not {shown(one)}.")
        name = clean_name(entry.name)
        if name:
            name = free_name(name, taken)
            taken.add(name.casefold())
            entries.append(Entry(name, clean_name(entry.group, 40)))
    return tuple(entries)


def is_bots(name: str) -> bool:
    """Whether a name is like those that bots have, so that a pupil could pass for one.

    Examples
    --------
    >>> [is_bots(name) for name in ("Bot 1", "BOT-2", "bot", "Botho", "Bot Lee")]
    [True, True, True, False, False]
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    return re.fullmatch(r"bots?[\W\d_]*", plain) is not None


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
