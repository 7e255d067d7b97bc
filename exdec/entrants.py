"""Who enters a tournament: names for them, and what is found out before they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from exdec.bots import BOTS, Bot, make_bot, strategy_named
from exdec.bots.check import misshapen
from exdec.bots.random_legal import RandomLegal
from exdec.bots.strategy import Strategy
from exdec.errors import TurnError, shown
from exdec.guard import Apart, MoveError
from exdec.model import Order, Step
from exdec.observe import Observation
from exdec.own import is_own, load
from exdec.play import Entrant, play
from exdec.rules import Rules


def entered(entrants: Mapping[str, Entrant] | Iterable[Entrant]) -> dict[str, Bot | type[Bot]]:
    """Give each strategy a name of its own, and make those that are only named.

    A strategy of this package has its own name, any other that of its class. Where two classes
    have one name, their files tell them apart, or else a number.

    Parameters
    ----------
    entrants : mapping of name to strategy, or sequence of strategies
        See `exdec.play.Entrant`.

    Raises
    ------
    TurnError
        There is no such strategy, or one is named twice; or a single one is given.

    Examples
    --------
    >>> class Mine:
    ...     def order(self, view):
    ...         return {}
    ...     offer = order
    >>> list(entered([Mine, "easy", Mine()]))
    ['Mine', 'cautious', 'Mine 2']
    """
    if isinstance(entrants, Mapping):
        return {name: _made(one) for name, one in entrants.items()}
    if isinstance(entrants, str) or not isinstance(entrants, Iterable):
        raise TurnError(
            f'{shown(entrants)} is no list of strategies. Write them as one: ["easy", "hard"].'
        )
    some = list(entrants)
    named = [_name(one) for one in some]
    told = Counter(
        one if is_own(one) else name
        for one, name in zip(some, named, strict=True)
        if isinstance(one, str)
    )
    if twice := [name for name, count in told.items() if count > 1]:
        raise TurnError(f"{twice[0]} is named twice. Take one out.")
    files = {name: [o for o, n in zip(some, named, strict=True) if n == name] for name in named}
    found: dict[str, Bot | type[Bot]] = {}
    for one, name in zip(some, named, strict=True):
        same = files[name]
        if len(same) > 1 and all(isinstance(other, str) and is_own(other) for other in same):
            name = f"{name} ({str(one).rpartition(':')[0]})"
        elif name in found:
            name += f" {next(n for n in range(2, len(some) + 2) if f'{name} {n}' not in found)}"
        found[name] = _made(one)
    return found


def _name(one: Entrant) -> str:
    if isinstance(one, str):
        return one.rpartition(":")[2] if is_own(one) else _ours_named(one)
    kind = one if isinstance(one, type) else type(one)
    if isinstance(one, Apart):
        return one.name
    return next((name for name, ours in BOTS.items() if ours is kind), kind.__name__)


def _made(one: Entrant) -> Bot | type[Bot]:
    if isinstance(one, str):
        return load(one) if is_own(one) else make_bot(_ours_named(one))
    if isinstance(one, type) and one in BOTS.values():
        return one()
    return one


def _ours_named(name: str) -> str:
    try:
        return strategy_named(name)
    except TurnError as error:
        raise TurnError(
            f'{error} A class of your own goes in without quotes: run([Mine, "easy"]).'
        ) from None


def is_ours(bot: object) -> bool:
    """Whether a strategy is of this package, so that it is tested and needs no guard."""
    return type(bot) in BOTS.values()


def guarded(name: str, bot: Bot | type[Bot]) -> Bot:
    """A strategy as it plays: one that is not of this package in a process of its own.

    Raises
    ------
    TurnError
        It is no strategy, or cannot be made.
    """
    if isinstance(bot, Strategy) and is_ours(bot):
        return bot
    if isinstance(bot, Apart):
        return bot
    for problem in misshapen(bot):
        raise TurnError(f"{name} cannot play. {problem}")
    return Apart(bot)


def draws(name: str, bot: Bot, rules: Rules, players: Iterable[int]) -> bool:
    """Whether a strategy leaves anything to chance.

    Those of this package say so. Any other plays a game for each number of players twice. It is
    held to draw chance if it uses ``view.rng``, does not do the same both times, or loses a move.

    Raises
    ------
    TurnError
        It cannot be made.
    """
    if isinstance(bot, Strategy) and is_ours(bot):
        return bot.draws
    assert isinstance(bot, Apart)
    try:
        return any(_draws(name, bot, rules, number) for number in players)
    finally:
        bot.close()


def _draws(name: str, bot: Bot, rules: Rules, players: int) -> bool:
    games = []
    for _ in range(2):
        watched = _Watched(bot)
        rivals = {f"rival {number}": RandomLegal() for number in range(1, players)}
        game = play(rules, {name: watched, **rivals}, seed=players)
        for fault in game.faults[:1]:
            if fault.what.startswith(("could not be made", "could not be loaded")):
                raise TurnError(f"{name} {' '.join([f'{fault.deed}.', fault.mend])}".strip())
        if game.faults or watched.drew:
            return True
        games.append(game.steps)
    return games[0] != games[1]


class _Watched:
    """A strategy whose use of chance is looked at; not asked any more once it has lost a move."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.drew = self.lost = False

    def order(self, view: Observation) -> Order:
        return self._ask(view)

    def offer(self, view: Observation) -> Order:
        return self._ask(view)

    def _ask(self, view: Observation) -> Order:
        if self.lost:
            return {}
        assert view.rng is not None
        before = view.rng.bit_generator.state
        try:
            return (self.bot.order if view.step is Step.BUY else self.bot.offer)(view)
        except MoveError:
            self.lost = True
            raise
        finally:
            self.drew |= view.rng.bit_generator.state != before
