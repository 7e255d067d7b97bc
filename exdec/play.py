"""Rivals against each other, from January to the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exdec.bots import Bot
from exdec.game import Game
from exdec.model import Step
from exdec.rules import Rules

if TYPE_CHECKING:
    from numpy.random import Generator


def play(rules: Rules, bots: Mapping[str, Bot], seed: int) -> Game:
    """Play a whole game between strategies.

    Parameters
    ----------
    rules : Rules
    bots : mapping of player to Bot
        Who plays which strategy, in the order of the seats.
    seed : int
        The same seed gives the same game.

    Returns
    -------
    Game
        A finished game.

    Raises
    ------
    BidError
        A strategy handed in something that the rules do not allow.
    TurnError
        Too few or too many players.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> from exdec.bots import Cautious, FullCapacity
    >>> game = play(STANDARD.vary(months=3), {"Ann": Cautious(), "Ben": FullCapacity()}, seed=1)
    >>> game.winners
    ('Ben',)
    """
    import numpy as np

    game = Game(list(bots), rules)
    # A stream of chance for each seat: what one strategy draws never shifts another's luck.
    streams = dict(zip(bots, np.random.default_rng(seed).spawn(len(bots)), strict=True))
    while game.step is not Step.OVER:
        play_step(game, bots, streams)
    return game


def play_step(game: Game, bots: Mapping[str, Bot], rngs: Mapping[str, Generator]) -> None:
    """Let these strategies hand in what the step asks for.

    Everyone looks before anyone hands in, so the last of them cannot see what was opened.
    """
    buying = game.step is Step.BUY
    views = {player: game.observe(player, rngs[player]) for player in bots}
    for player, bot in bots.items():
        view = views[player]
        game.hand_in(player, bot.order(view) if buying else bot.offer(view))
