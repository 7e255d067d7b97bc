"""Rivals against each other, from January to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from exdec.bots import BOTS, Bot, make_bot
from exdec.errors import TurnError, shown
from exdec.game import Game
from exdec.guard import Answer, Apart, ask
from exdec.items import GOODS, MATERIALS
from exdec.model import Step
from exdec.observe import Observation
from exdec.own import is_own, load
from exdec.rules import Rules

if TYPE_CHECKING:
    from numpy.random import Generator

    from exdec.bots.strategy import Strategy

Entrant: TypeAlias = str | Bot | type[Bot]
"""A strategy, or its class, or a name of it: as in `exdec.bots.BOTS`, a level, or a class in a file
(``"mine.py:Mine"``)."""


def play(rules: Rules, bots: Mapping[str, Entrant], seed: int) -> Game:
    """Play a whole game between strategies.

    A move that a strategy loses counts as a pass and stands in `Game.faults`; see `exdec.guard`.

    Parameters
    ----------
    rules : Rules
    bots : mapping of player to strategy
        Who plays which strategy (see `Entrant`), in the order of the seats.
    seed : int
        The same seed gives the same game.

    Returns
    -------
    Game
        A finished game.

    Raises
    ------
    TurnError
        Too few or too many players, or someone plays what is no strategy.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> game = play(STANDARD.vary(months=3), {"Ann": "easy", "Ben": "full capacity"}, seed=1)
    >>> game.winners
    ('Ben',)
    """
    return play_many(rules, bots, [seed])[0]


def play_many(rules: Rules, bots: Mapping[str, Entrant], seeds: Iterable[int]) -> list[Game]:
    """Play a game for each seed, all of them side by side.

    The games are those that `play` gives for these seeds one by one. Strategies of this package
    answer for all games at once. Others are asked game by game: one that runs `Apart` is made
    anew for each, any other is one object for all of them and must not remember anything.

    Parameters
    ----------
    rules, bots
        As for `play`.
    seeds : iterable of int

    Returns
    -------
    list of Game
        Finished games, in the order of the seeds.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> games = play_many(STANDARD.vary(months=2), {"Ann": "easy", "Ben": "random"}, range(3))
    >>> [game.step.value for game in games]
    ['over', 'over', 'over']
    """
    import numpy as np

    strategies = _seated(bots)
    # A stream of chance for each seat: what one strategy draws never shifts another's luck.
    streams = [
        dict(zip(bots, np.random.default_rng(seed).spawn(len(bots)), strict=True)) for seed in seeds
    ]
    games = [Game(list(bots), rules) for _ in streams]
    askers = {
        player: [bot.anew() if isinstance(bot, Apart) else bot for _ in games]
        for player, bot in strategies.items()
    }
    for _ in range(2 * rules.months):
        _step(games, askers, streams)
    return games


def _seated(bots: Mapping[str, Entrant]) -> dict[str, Bot]:
    """Make the strategies that are named or given as classes; there must be one in each seat."""
    if not isinstance(bots, Mapping):
        raise TurnError(
            f'{shown(bots)} does not say who plays what. Write {{"Ann": "easy", "Ben": "hard"}}.'
        )
    seated: dict[str, Bot] = {}
    for player, bot in bots.items():
        if isinstance(bot, str):
            bot = load(bot) if is_own(bot) else make_bot(bot)
        # One that lacks either has to pass there, and the game says so.
        if not (hasattr(bot, "order") or hasattr(bot, "offer")):
            raise TurnError(
                f"{player} is to play {shown(bot)}, which is no strategy: it has neither order nor "
                'offer. Name one, such as "easy", or give one of yours.'
            )
        seated[player] = bot() if isinstance(bot, type) else bot
    return seated


def play_step(game: Game, bots: Mapping[str, Bot], rngs: Mapping[str, Generator]) -> None:
    """Let these strategies hand in what the step asks for.

    Everyone looks before anyone hands in, so the last of them cannot see what was opened.
    """
    _step([game], {player: [bot] for player, bot in bots.items()}, [rngs])


def _step(
    games: Sequence[Game],
    bots: Mapping[str, Sequence[Bot]],
    rngs: Sequence[Mapping[str, Generator]],
) -> None:
    """One step of games that stand at the same one; each player has a strategy for each game."""
    answers = {
        player: _answers(
            own, [game.observe(player, rng[player]) for game, rng in zip(games, rngs, strict=True)]
        )
        for player, own in bots.items()
    }
    for at, game in enumerate(games):
        for player in bots:
            game.hand_in(player, answers[player][at].bids)
        game.faults += [fault for own in answers.values() if (fault := own[at].fault)]


def _answers(bots: Sequence[Bot], views: Sequence[Observation]) -> list[Answer]:
    """What one player hands in, in every game."""
    # Only what is tested here goes unguarded; others may build on `Strategy` as well.
    if not views or type(bots[0]) not in BOTS.values():
        return [ask(bot, view) for bot, view in zip(bots, views, strict=True)]
    from exdec.observations import Observations

    strategy, stacked = cast("Strategy", bots[0]), Observations.of(views)
    items: Sequence[str]
    if stacked.step is Step.BUY:
        bids, items = strategy.orders(stacked), MATERIALS
    else:
        bids, items = strategy.offers(stacked), GOODS
    return [Answer(bids.lines(game, items), None) for game in range(len(views))]
