"""Rivals that play by themselves: one strategy a file.

A strategy is any object with two methods, ``order(view)`` and ``offer(view)``. Each is given an
`Observation` (what its seat may know, and nothing else) and returns what `Game.order` and
`Game.offer` take, such as ``{"X": (2, 40)}``. Chance comes from ``view.rng``. The strategies here
are written on arrays, for many games at once; see `exdec.bots.strategy`. A first strategy of your
own needs no arrays:

>>> class SetsOfThree:
...     def order(self, view):
...         sets = min(2, view.order_limit // 3)
...         guess = view.materials_at(10)  # prices, if all firms together order 10 of each grade
...         return {"X": (sets, guess.X + 3), "F": (sets, guess.F + 3), "S": (sets, guess.S + 3)}
...
...     def offer(self, view):
...         units = view.makeable.most.B
...         cost = sum(view.unit_cost)  # of one B, which takes one of each grade
...         price = max(view.good_prices.B - 5, round(cost), 1)
...         return {"B": (units, price)}
>>> check_bot(SetsOfThree, limit=10).ok
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from exdec.bots.check import check_bot as check_bot
from exdec.errors import TurnError, shown
from exdec.model import Order
from exdec.observe import Observation

if TYPE_CHECKING:
    from exdec.bots.adaptive import Adaptive as Adaptive
    from exdec.bots.bid_shader import BidShader as BidShader
    from exdec.bots.cautious import Cautious as Cautious
    from exdec.bots.contrarian import Contrarian as Contrarian
    from exdec.bots.endgame import EndgameAware as EndgameAware
    from exdec.bots.full_capacity import FullCapacity as FullCapacity
    from exdec.bots.margin_seeker import MarginSeeker as MarginSeeker
    from exdec.bots.planner import Planner as Planner
    from exdec.bots.punisher import Punisher as Punisher
    from exdec.bots.random_legal import RandomLegal as RandomLegal
    from exdec.bots.restrained import Restrained as Restrained
    from exdec.bots.speculator import Speculator as Speculator
    from exdec.bots.strategy import Strategy as Strategy
    from exdec.bots.trend_follower import TrendFollower as TrendFollower


class Bot(Protocol):
    """What a strategy looks like."""

    def order(self, view: Observation) -> Order:
        """Bid for materials: ``{grade: (units, price)}``."""
        ...

    def offer(self, view: Observation) -> Order:
        """Offer goods: ``{good: (units, price)}``."""
        ...


FILES = {
    "cautious": "cautious.Cautious",
    "full capacity": "full_capacity.FullCapacity",
    "random": "random_legal.RandomLegal",
    "margin seeker": "margin_seeker.MarginSeeker",
    "trend follower": "trend_follower.TrendFollower",
    "contrarian": "contrarian.Contrarian",
    "restrained": "restrained.Restrained",
    "punisher": "punisher.Punisher",
    "speculator": "speculator.Speculator",
    "bid shader": "bid_shader.BidShader",
    "endgame": "endgame.EndgameAware",
    "adaptive": "adaptive.Adaptive",
    "planner": "planner.Planner",
}
"""Each strategy's file and class."""


class _Bots(Mapping[str, "type[Strategy]"]):
    """The classes, imported when one is asked for: people among themselves need no NumPy."""

    def __getitem__(self, name: str) -> type[Strategy]:
        return _kind(FILES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(FILES)

    def __len__(self) -> int:
        return len(FILES)

    # That of a Mapping asks for the class.
    def __contains__(self, name: object) -> bool:
        return name in FILES


@cache
def _kind(where: str) -> type[Strategy]:
    file, _, name = where.partition(".")
    kind: type[Strategy] = getattr(import_module(f"{__name__}.{file}"), name)
    return kind


def __getattr__(name: str) -> type[Strategy]:
    for where in (*FILES.values(), "strategy.Strategy"):
        if where.endswith(f".{name}"):
            return _kind(where)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


BOTS: Mapping[str, type[Strategy]] = _Bots()
"""The strategies by the names under which they are chosen."""

LEVELS = {"easy": "cautious", "medium": "margin seeker", "hard": "planner"}
"""How hard a rival is to beat, and the strategy that is meant by it."""


def strategy_named(name: str) -> str:
    """Find a strategy's own name, by that name or by a level.

    Raises
    ------
    TurnError
        There is no such strategy or level; the message gives the nearest right name.

    Examples
    --------
    >>> strategy_named("easy"), strategy_named("full capacity")
    ('cautious', 'full capacity')
    """
    own = LEVELS.get(name, name) if isinstance(name, str) else ""
    if own not in BOTS:
        names = (*LEVELS, *BOTS)
        near = get_close_matches(str(name).casefold().replace("_", " "), names, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(names)}."
        raise TurnError(f"There is no rival called {shown(name)}. {hint}")
    return own


def about(name: str) -> str:
    """Say in one sentence what a strategy does.

    Parameters
    ----------
    name : str
        A strategy or a level.

    Raises
    ------
    TurnError
        As `strategy_named`.

    Examples
    --------
    >>> about("easy")
    'Runs at about half its capacity, and never sells below what it paid.'
    """
    return (BOTS[strategy_named(name)].__doc__ or "").partition("\n")[0]


def make_bot(name: str) -> Strategy:
    """Make a rival by the name of its strategy, or by a level.

    Raises
    ------
    TurnError
        As `strategy_named`.

    Examples
    --------
    >>> make_bot("cautious")
    Cautious()
    """
    return BOTS[strategy_named(name)]()
