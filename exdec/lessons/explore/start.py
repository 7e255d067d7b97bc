"""Start here: one January, the same on every computer."""

from __future__ import annotations

from exdec.game import Game
from exdec.rules import STANDARD


def worked_january() -> Game:
    """Ann's, Ben's and Cy's January, to its end.

    Examples
    --------
    >>> worked_january().profit
    {'Ann': 27, 'Ben': 25, 'Cy': 43}
    """
    game = Game(["Ann", "Ben", "Cy"], STANDARD.vary(months=1))
    game.order("Ann", X=(2, 40), F=(4, 35), S=(6, 23))
    game.order("Ben", X=(5, 45), F=(6, 38), S=(1, 20))
    game.order("Cy", X=(4, 42), F=(5, 36))
    game.offer("Ann", C=(3, 90))
    game.offer("Ben", A=(2, 139), B=(1, 115))
    game.offer("Cy", A=(2, 143))
    return game
