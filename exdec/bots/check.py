"""What is wrong with a strategy, in sentences that its author can use."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from html import escape
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from exdec.errors import ExdecError
from exdec.game import Game
from exdec.guard import Apart, Fault, ask
from exdec.model import Result, Step, month_name, possessive
from exdec.narrate import dollars
from exdec.rules import PLAYERS, STANDARD, VARIATION, Rules

if TYPE_CHECKING:
    from exdec.bots import Bot
    from exdec.observe import Observation

YOU = "You"
RIVALS = ("Ann", "Ben", "Cy", "Di", "Ed")
SEEDS = range(3)
PATIENCE = 3
"""How often a strategy may hang or end its process before the check has seen enough."""


class Situation(NamedTuple):
    """Games in which a strategy is tried."""

    where: str
    rules: Rules
    players: int


USUAL = tuple([Situation(f"with {players} players", STANDARD, players) for players in PLAYERS])
UNUSUAL = (
    Situation("without cash", STANDARD.vary(starting_cash=0, months=3), 3),
    Situation("in a game of one month", STANDARD.vary(months=1), 4),
    Situation("in the variation", VARIATION, 4),
    Situation(
        "where an offer that cannot be made is refused", STANDARD.vary(undeliverable="refuse"), 3
    ),
    Situation(
        "with all prices near $1",
        STANDARD.vary(
            months=3,
            opening_materials=dict.fromkeys("XFS", 1),
            opening_goods=dict.fromkeys("ABC", 1),
        ),
        2,
    ),
)


class Problem(NamedTuple):
    """One kind of thing that a strategy does wrong.

    Parameters
    ----------
    what : str
        A sentence with the first case of it.
    mend : str
        What to do about it; "" if the first sentence says that.
    times : int
        How many moves it cost.
    """

    what: str
    mend: str = ""
    times: int = 1

    def __str__(self) -> str:
        again = f"({self.times} times.)" if self.times > 1 else ""
        return " ".join(part for part in (self.what, again, self.mend) if part)


@dataclass(frozen=True)
class BotReport:
    """What `check_bot` found; print it, or let a notebook show it.

    Parameters
    ----------
    name : str
        The strategy's class.
    problems : tuple of Problem
        What costs it moves.
    notes : tuple of str
        What the rules allow and its author may not have meant.
    fared : tuple of str
        How it came out against whom, in sentences.
    games : int
        How many it played.
    """

    name: str
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    fared: tuple[str, ...] = ()
    games: int = 0

    @property
    def ok(self) -> bool:
        """Whether it lost no move."""
        return not self.problems

    @property
    def _head(self) -> str:
        if self.ok:
            return f"{self.name} is fine: it played {self.games} games and lost no move."
        things = "1 thing" if len(self.problems) == 1 else f"{len(self.problems)} things"
        then = " Each of these moves counts as a pass." if self.games else ""
        return f"{self.name} has {things} to mend.{then}"

    @property
    def _parts(self) -> list[tuple[str, Sequence[object]]]:
        parts = [
            ("", self.problems),
            ("Worth a look", self.notes),
            ("How it fared, on average", self.fared),
        ]
        return [part for part in parts if part[1]]

    def __str__(self) -> str:
        lines = [self._head]
        for title, sentences in self._parts:
            lines += ["", f"{title}:"] if title else []
            lines += [f"- {sentence}" for sentence in sentences]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        parts = "".join(
            (f"<p>{title}:</p>" if title else "")
            + "".join(["<ul>", *(f"<li>{escape(str(one))}</li>" for one in sentences), "</ul>"])
            for title, sentences in self._parts
        )
        return (
            '<div class="exdec mathjax_ignore">'
            f"<p><strong>{escape(self._head)}</strong></p>{parts}</div>"
        )


def check_bot(bot: Bot | type[Bot], limit: float = 1.0) -> BotReport:
    """Try a strategy in many situations, and say in sentences what it does wrong.

    It plays with 2 to 6 players, without cash and stock, in the last month, in the variation, and
    where offers that cannot be made are refused, against strategies of this package. Whatever it
    is or does, the answer is a report; nothing is raised.

    Parameters
    ----------
    bot : class of Bot, or Bot
        Your class, such as ``MyBot``; or an object of it.
    limit : float
        Seconds for one move.

    Returns
    -------
    BotReport
        Its ``ok`` is True if the strategy lost no move.

    Examples
    --------
    >>> class Greedy:
    ...     def order(self, view):
    ...         return {"X": (14, view.material_prices.X + 5)}
    ...     def ofer(self, view):
    ...         return {}
    >>> print(check_bot(Greedy))
    Greedy has 1 thing to mend.
    - It has no method offer(self, view). Rename ofer to offer.
    """
    kind = bot if isinstance(bot, type) else type(bot)
    name = f"This {kind.__name__}" if kind.__module__ == "builtins" else kind.__name__
    try:
        if problems := tuple(_misshapen(bot)):
            return BotReport(name, problems)
        with Apart(bot, limit, PATIENCE) as apart:
            return _try_out(apart)
    except ExdecError as error:
        return BotReport(name, (Problem(str(error)),))
    except Exception as error:  # noqa: BLE001  (even to look at it may raise anything)
        return BotReport(name, (Problem(f"It cannot be looked at: {type(error).__name__}."),))


# -- before it plays -----------------------------------------------------------------------------


def _misshapen(bot: Any) -> Iterator[Problem]:
    """What can be seen without a game."""
    own = [name for name in dir(bot) if not name.startswith("_") and callable(getattr(bot, name))]
    near = {
        name: get_close_matches(name, {*own} - {"order", "offer"}, n=1, cutoff=0.7)
        for name in ("order", "offer")
    }
    if not any(hasattr(bot, name) or near[name] for name in near):
        yield Problem(
            "It is no strategy.",
            "Write a class with two methods, order(self, view) and offer(self, view), and give "
            "the class to check_bot.",
        )
        return
    for name, others in near.items():
        if not hasattr(bot, name):
            mend = f"Rename {others[0]} to {name}." if others else "Write one; return {} passes."
            yield Problem(f"It has no method {name}(self, view).", mend)
        elif not callable(method := getattr(bot, name)):
            yield Problem(f"{name} is no method.", f"Write it as def {name}(self, view).")
        elif inspect.isgeneratorfunction(method) or inspect.iscoroutinefunction(method):
            yield Problem(f"{name} does not return its move.", "Use return, not yield or async.")
        elif not _takes(method, 1 + _unbound(bot, name)):
            yield Problem(
                f"{name} cannot be asked with a view alone.", f"Write it as def {name}(self, view)."
            )
    if isinstance(bot, type) and not inspect.isabstract(bot) and not _takes(bot, 0):
        yield Problem(
            f"{bot.__name__}() cannot be made without arguments.",
            f"Give them defaults in __init__, or check an object: check_bot({bot.__name__}(…)).",
        )


def _unbound(bot: object, name: str) -> bool:
    """Whether a method as it is looked up still wants its self."""
    if not isinstance(bot, type):
        return False
    return not isinstance(inspect.getattr_static(bot, name), staticmethod | classmethod)


def _takes(function: Any, arguments: int) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True  # written in C; a game will show
    try:
        signature.bind(*range(arguments))
    except TypeError:
        return False
    return True


# -- in games ------------------------------------------------------------------------------------


def _try_out(apart: Apart) -> BotReport:
    # These import the package of strategies, and with it this module.
    from exdec.bots import BOTS
    from exdec.play import play_many

    faults: list[tuple[str, Fault]] = []
    usual: list[Game] = []
    count = 0
    fared = []
    for at, (where, rules, players) in enumerate([*USUAL, *UNUSUAL]):
        if apart.given_up:
            break
        # Other rivals and another seat in every situation.
        names = list(islice(cycle(list(BOTS)[:5]), at, at + players - 1))
        rivals = dict(zip(RIVALS, names, strict=False))
        seats = list(rivals)
        seats.insert(at % players, YOU)
        bots = {seat: apart if seat == YOU else BOTS[rivals[seat]]() for seat in seats}
        games = play_many(rules, bots, SEEDS)
        faults += [(where, fault) for game in games for fault in game.faults]
        count += len(games)
        if at < len(USUAL):
            fared.append(_fared(games, rivals))
            usual += games
    problems = _problems(faults)
    notes = (*_twice(apart), *_unlucky(usual))
    if problems:  # what it made while it passed says nothing
        return BotReport(apart.name, problems, notes, games=count)
    return BotReport(apart.name, (), (*notes, *_idle(usual)), tuple(fared), count)


def _problems(faults: Sequence[tuple[str, Fault]]) -> tuple[Problem, ...]:
    """Tell each kind of fault once, by its first case."""

    def kind(fault: Fault) -> object:
        # A class that cannot be made fails at every step for one reason.
        step = None if fault.what.startswith("could not be") else fault.step
        return step, re.sub(r"[\d.,]+", "0", fault.what), fault.place

    faults = [one for one in faults if not one[1].what.startswith("is not asked")]
    times = Counter(kind(fault) for _, fault in faults)
    first = {kind(one[1]): one for one in reversed(faults)}
    return tuple(
        Problem(f"{_when(fault)}, {where}, it {fault.deed}.", fault.mend, count)
        for key, count in times.items()
        for where, fault in [first[key]]
    )


def _when(fault: Fault) -> str:
    kind = "orders" if fault.step is Step.BUY else "offers"
    return f"In {possessive(month_name(fault.month))} {kind}"


def _fared(games: Sequence[Game], names: dict[str, str]) -> str:
    """Say what everyone made on average in games between the same strategies."""
    made = {
        player: round(sum(game.profit[player] for game in games) / len(games))
        for player in games[0].players
    }
    won = sum(YOU in game.winners for game in games)
    others = ", ".join(f"{names[player]} {dollars(made[player])}" for player in names)
    return (
        f"{len(made)} players: it made {dollars(made[YOU])}, {others}. "
        f"It won {won} of {len(games)} games."
    )


def _unlucky(games: Sequence[Game]) -> Iterator[str]:
    """Moves that the rules allow and that come to nothing."""
    bought, sold = _results(games)
    if short := sum(one.void for one in bought):
        yield (
            f"In {_months(short)} its successful bids cost more than its cash, and it bought "
            "nothing. Add up units × price, and stay within view.cash."
        )
    if lacking := sum(one.void for one in sold):
        yield (
            f"In {_months(lacking)} it sold more than it could make, and sold nothing. "
            "Ask view.makeable what can be made together."
        )


def _idle(games: Sequence[Game]) -> Iterator[str]:
    bought, sold = _results(games)
    if not any(line.filled for one in bought for line in one.lines):
        yield "It never bought anything. A bid buys if it is at least the price that posts."
    elif not any(line.filled for one in sold for line in one.lines):
        yield "It never sold anything. An ask sells if it is at most the price that posts."


def _results(games: Sequence[Game]) -> tuple[list[Result], list[Result]]:
    """What came of all orders, and of all offers."""
    seats = [(game, game.players.index(YOU)) for game in games]
    bought: list[Result] = [s.report.firms[seat] for game, seat in seats for s in game.steps[::2]]
    sold: list[Result] = [s.report.firms[seat] for game, seat in seats for s in game.steps[1::2]]
    return bought, sold


def _months(count: int) -> str:
    return "1 month" if count == 1 else f"{count} months"


def _twice(apart: Apart) -> Iterator[str]:
    """Ask the same thing again: what differs then is what does not come from the view."""
    views = _views()
    if any(_differs([apart.anew() for _ in range(5)], view) for view in views):
        yield (
            "Asked the same again in a new game, it does something else. Take chance from "
            "view.rng, such as view.rng.integers(1, 7) for a die, in place of random or "
            "numpy.random, and keep nothing in global variables: then a game can be played again."
        )
    elif any(_differs([apart.anew()] * 3, view) for view in views):
        yield (
            "Asked the same again within a game, it does something else: it remembers its moves "
            "in self. After a move is taken back or a game is resumed, that memory is wrong. "
            "All that happened is in the view: view.postings and view.results."
        )


def _differs(bots: Sequence[Bot], view: Observation) -> bool:
    """Whether strategies that should be alike answer the same view in different ways."""
    import numpy as np

    answers = [ask(bot, replace(view, rng=np.random.default_rng(1))) for bot in bots]
    return not any(one.fault for one in answers) and any(one != answers[0] for one in answers)


def _views() -> list[Observation]:
    """One seat's views of January's orders, and of February's orders and offers."""
    import numpy as np

    from exdec.bots import make_bot
    from exdec.play import play_step

    game = Game([YOU, *RIVALS[:2]], STANDARD)
    bots = {player: make_bot("cautious") for player in game.players}
    rngs = {player: np.random.default_rng(1) for player in game.players}
    views = [game.observe(YOU)]
    for _ in range(3):
        play_step(game, bots, rngs)
        views.append(game.observe(YOU))
    return views
