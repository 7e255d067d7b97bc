"""Who sits where: pupils to places, places to tables."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Places: TypeAlias = list[list[T]]
"""One table: the pupils at each place. A place without pupils is a bot's."""


class Rest(StrEnum):
    """What to do when the pupils do not fill the last table."""

    BOTS = "bots"
    SHARE = "share"
    SMALLER = "smaller"


def seat(pupils: Sequence[T], size: int, rest: Rest = Rest.BOTS) -> list[Places[T]]:
    """Seat pupils at tables, in the order given, as evenly as can be.

    Parameters
    ----------
    pupils : sequence
    size : int
        Places at a full table, 2 to 6.
    rest : Rest
        Bots fill what is left over, pupils share places, or some tables are smaller.

    Returns
    -------
    list of list of list
        Tables, their places, the pupils at each. A table has two places at least.

    Examples
    --------
    >>> seat(["Ann", "Ben", "Cy", "Dee", "Eve"], 4)
    [[['Ann'], ['Ben'], ['Cy'], []], [['Dee'], ['Eve'], [], []]]
    >>> seat(["Ann", "Ben", "Cy", "Dee", "Eve"], 4, Rest.SHARE)
    [[['Ann', 'Eve'], ['Ben'], ['Cy'], ['Dee']]]
    >>> seat(["Ann", "Ben", "Cy", "Dee", "Eve"], 4, Rest.SMALLER)
    [[['Ann'], ['Ben'], ['Cy']], [['Dee'], ['Eve']]]
    """
    if not pupils:
        return []
    if rest is Rest.SHARE:
        return _shared(pupils, size)
    many = -(-len(pupils) // size)
    less, more = divmod(len(pupils), many)
    left = list(pupils)
    tables = []
    for table in range(many):
        people = less + (table < more)
        own, left = left[:people], left[people:]
        places = size if rest is Rest.BOTS else max(2, people)
        tables.append([[pupil] for pupil in own] + [[] for _ in range(places - people)])
    return tables


def _shared(pupils: Sequence[T], size: int) -> list[Places[T]]:
    places = max(2, min(size, len(pupils)))
    tables: list[Places[T]] = [
        [[] for _ in range(places)] for _ in range(max(1, len(pupils) // size))
    ]
    # The first places of all tables take a second pupil before the next ones do.
    full = [place for table in tables for place in table]
    again = [table[at] for at in range(places) for table in tables]
    for number, pupil in enumerate(pupils):
        over = number - len(full)
        (full[number] if over < 0 else again[over % len(again)]).append(pupil)
    return tables
