"""What made a firm's profit, and what decided a game.

The accounting has one rule: a certificate costs the average of what the firm paid for its grade
(see `exdec.costs`). A sale brings its price less the cost of the certificates handed in; what is
left at the end brings the Broker's price less its cost. These are all the money there is, so the
parts add up to the profit, to the dollar. A bid that failed moves no money and is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from exdec.costs import EMPTY, Stock, stock_of
from exdec.engine import seat
from exdec.game import Game
from exdec.items import GOODS, Good, Goods
from exdec.model import Result, Sale, Step


class GoodsSold(NamedTuple):
    """One line of an offer that was sold.

    Parameters
    ----------
    month : int
        From 1.
    good : Good
    units, amount, cost : int
        Units sold, dollars received, and dollars that the certificates had cost.
    """

    month: int
    good: Good
    units: int
    amount: int
    cost: int

    @property
    def margin(self) -> int:
        """Dollars received beyond the cost; below 0 if the goods went for less."""
        return self.amount - self.cost


PARTS = {
    "gains": "goods sold above cost",
    "losses": "goods sold below cost",
    "unsold": "certificates left over",
}
"""The parts of a profit, and what a reader calls them."""


class Split(NamedTuple):
    """One firm's profit, in whole dollars, split into parts that add up to it.

    Parameters
    ----------
    player : str
    gains : int
        From goods sold above their cost; 0 or more.
    losses : int
        From goods sold below their cost; 0 or less.
    unsold : int
        What the Broker paid for the last certificates, less their cost. Before the end of the
        game it is what the certificates in hand have cost so far, as a minus.
    """

    player: str
    gains: int
    losses: int
    unsold: int

    @property
    def profit(self) -> int:
        """The sum of the parts: cash less starting cash (R19)."""
        return self.gains + self.losses + self.unsold


def split_profit(game: Game) -> tuple[Split, ...]:
    """Split each firm's profit into its parts.

    Parameters
    ----------
    game : Game
        Finished or not.

    Returns
    -------
    tuple of Split
        One for each player, in the order of the seats; `Split.profit` is `Game.profit`.

    Examples
    --------
    >>> from exdec import STANDARD
    >>> game = Game(["Ann", "Ben"], STANDARD.vary(months=1))
    >>> game.order("Ann", X=(3, 42), F=(1, 30))
    >>> game.order("Ben")
    >>> game.offer("Ann", A=(1, 141))
    >>> game.offer("Ben")

    The A cost 2 × $42 + $30 and brought $141. One X-FINE is left; it cost $42 and brings $33.

    >>> split_profit(game)[0]
    Split(player='Ann', gains=27, losses=0, unsold=-9)
    """
    return tuple(_split(game, player) for player in game.players)


def _split(game: Game, player: str) -> Split:
    margins = [sold.margin for sold in goods_sold(game, player)]
    cost = sum(stock_of(result for _, result in stocks(game, player)).cost)
    over = game.step is Step.OVER
    brought = game.final.liquidation[seat(game.state, player)] if over else 0
    return Split(
        player,
        gains=sum(margin for margin in margins if margin > 0),
        losses=sum(margin for margin in margins if margin < 0),
        unsold=brought - cost,
    )


def goods_sold(game: Game, player: str) -> list[GoodsSold]:
    """Everything that a firm sold, with what it had cost, the oldest first.

    Raises
    ------
    TurnError
        Nobody of that name plays.
    """
    sold = []
    for step, (stock, result) in zip(game.steps, stocks(game, player), strict=True):
        if isinstance(result, Sale):
            costs = stock.goods_cost(game.rules, Goods(*(line.filled for line in result.lines)))
            assert costs is not None, "what was delivered can be made"
            sold += [
                GoodsSold(step.report.month, good, line.filled, line.amount, cost)
                for good, line, cost in zip(GOODS, result.lines, costs, strict=True)
                if line.filled
            ]
    return sold


def stocks(game: Game, player: str) -> Iterator[tuple[Stock, Result]]:
    """What a firm held before each settled step, and what came of the step.

    Raises
    ------
    TurnError
        Nobody of that name plays.
    """
    at = seat(game.state, player)
    stock = EMPTY
    for step in game.steps:
        result = step.report.firms[at]
        yield stock, result
        stock = stock.after(result)
