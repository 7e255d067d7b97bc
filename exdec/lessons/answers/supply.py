"""What lesson 3 asks of a game: costs of goods, the Broker's line, and when not to sell.

"Your good" is the one that a firm offered most units of in a month; the first on the board of two.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from exdec.analysis import stocks
from exdec.costs import Stock
from exdec.game import Game
from exdec.items import GOODS, MATERIALS, Good
from exdec.lessons.answers import NotInGameError, general
from exdec.model import month_name
from exdec.narrate import dollars
from exdec.theory.prices import posted_price
from exdec.theory.supply import arc_elasticity, lowest_asks, marginal_revenue, revenue
from exdec.theory.supply import elasticity as point_elasticity

__all__ = [
    "all_units_cost",
    "all_units_revenue",
    "certificates",
    "cost",
    "cost_at_market",
    "elasticity",
    "good",
    "inverse_elasticity",
    "lowest_ask",
    "marginal",
    "midpoint_elasticity",
    "one_of_each",
    "one_of_each_at_market",
    "posted",
    "slope",
    "total",
    "units",
    "why_the_last_added",
    "with_and_without_the_last",
]


def good(game: Game, player: str, *, month: int) -> str:
    """The good that this firm offered most units of."""
    return _good(game, player, month).label


def units(game: Game, player: str, *, month: int) -> int:
    """Units of it that this firm offered."""
    return general.units_bid(game, player, item=_good(game, player, month), month=month)


def certificates(game: Game, player: str, *, month: int) -> str:
    """What one unit of it takes, in words: "2 X-FINE and 1 FINE"."""
    recipe = game.rules.production[GOODS.index(_good(game, player, month))]
    named = zip(recipe, MATERIALS, strict=True)
    *most, last = (f"{n} {grade.label}" for n, grade in named if n)
    return f"{', '.join(most)} and {last}" if most else last


def cost(game: Game, player: str, *, month: int) -> Fraction:
    """What the certificates in a first unit had cost, by the average of each grade."""
    stock, one = _stock(game, player, month), _good(game, player, month)
    asks = lowest_asks(stock.units, stock.average, one, game.rules)
    if not asks:
        raise NotInGameError(f"you could not make one {one.label} in {month_name(month)}")
    return asks[0]


def lowest_ask(game: Game, player: str, *, month: int, up: bool = True) -> int:
    """That cost in whole dollars: rounded up it is the lowest ask that pays."""
    exact = cost(game, player, month=month)
    return ceil(exact) if up else floor(exact)


def all_units_cost(game: Game, player: str, *, month: int) -> Fraction:
    """The cost of as many units as this firm offered."""
    return units(game, player, month=month) * cost(game, player, month=month)


def one_of_each(game: Game, player: str, *, month: int) -> Fraction:
    """One certificate of each grade that the good takes, however many of it are needed."""
    recipe = game.rules.production[GOODS.index(_good(game, player, month))]
    average = _stock(game, player, month).average
    return sum((cost for n, cost in zip(recipe, average, strict=True) if n), Fraction(0))


def cost_at_market(game: Game, player: str, *, month: int, item: str = "") -> int:
    """The recipe of a good, or of this firm's own, at the month's posted prices.

    It is also what the Broker pays for these certificates if the month is the last (R19).
    """
    one = Good(item) if item else _good(game, player, month)
    recipe = game.rules.production[GOODS.index(one)]
    prices = (general.posted_price(game, "", item=grade, month=month) for grade in MATERIALS)
    return sum(n * price for n, price in zip(recipe, prices, strict=True))


def one_of_each_at_market(game: Game, _player: str, *, month: int, item: str) -> int:
    """One certificate of each grade that a good takes, at the month's posted prices."""
    recipe = game.rules.production[GOODS.index(Good(item))]
    grades = (grade for n, grade in zip(recipe, MATERIALS, strict=True) if n)
    return sum(general.posted_price(game, "", item=grade, month=month) for grade in grades)


def slope(game: Game, _player: str) -> int:
    """Dollars that one unit more takes off a good's price."""
    return -game.rules.goods_calculator.per_unit


def total(game: Game, player: str, *, month: int) -> int:
    """Units of this firm's good that all firms offered."""
    return _line(game, player, month)[2]


def posted(game: Game, player: str, *, month: int, more: int = 0, dollars: int = 0) -> int:
    """What this firm's good posted at, or would have.

    Parameters
    ----------
    game : Game
    player : str
    month : int
    more : int, optional
        Units that this firm would have offered beyond its own.
    dollars : int, optional
        What is added in the end.
    """
    one, last, all_units = _line(game, player, month)
    return posted_price(one, last, max(0, all_units + more), game.rules) + dollars


def marginal(game: Game, player: str, *, month: int, of: str = "firm") -> int:
    """What this firm's last unit added to a revenue at the posted price.

    Parameters
    ----------
    game : Game
    player : str
    month : int
    of : str
        Whose revenue: that of the "firm", or of "all" firms.
    """
    one, last, all_units = _line(game, player, month)
    mine = all_units if of == "all" else units(game, player, month=month)
    return marginal_revenue(one, last, mine, all_units - mine, game.rules)


def all_units_revenue(game: Game, player: str, *, month: int) -> int:
    """What this firm's units are worth together at the posted price."""
    one, last, all_units = _line(game, player, month)
    mine = units(game, player, month=month)
    return revenue(one, last, mine, all_units - mine, game.rules)


def why_the_last_added(game: Game, player: str, *, month: int) -> str:
    """Say why this firm's last unit added what it did."""
    price = dollars(posted(game, player, month=month))
    if units(game, player, month=month) == 1:
        return f"It was your only unit, so it brought {price} and took nothing off others of yours."
    less = dollars(slope(game, player))
    return f"Your last unit brought {price}, and took {less} off each of your others."


def with_and_without_the_last(game: Game, player: str, *, month: int) -> str:
    """Tell this firm's revenue with its last unit and without it."""
    mine = units(game, player, month=month)
    one, last, all_units = _line(game, player, month)
    others = all_units - mine
    price = dollars(posted(game, player, month=month))
    if mine == 1:
        return f"Your only unit brings {price}, and without it you have nothing to sell"
    now, before = (dollars(revenue(one, last, n, others, game.rules)) for n in (mine, mine - 1))
    dearer = dollars(posted(game, player, month=month, more=-1))
    return (
        f"{mine} × {price} = {now}, and {mine - 1} × {dearer} = {before}. The difference is the "
        f"price, less {dollars(slope(game, player))} for each of your other units"
    )


def elasticity(
    game: Game, player: str, *, month: int, own: bool = False, sign: int = 1
) -> Fraction:
    """The elasticity of the Broker's demand for this firm's good where it posted.

    Parameters
    ----------
    game : Game
    player : str
    month : int
    own : bool
        Take this firm's units for everybody's.
    sign : int
        1 for its size, −1 for the number below 0 that it is.
    """
    one, last, all_units = _line(game, player, month)
    price = posted_price(one, last, all_units, game.rules)
    counted = units(game, player, month=month) if own else all_units
    return -sign * point_elasticity(price, counted, game.rules)


def inverse_elasticity(game: Game, player: str, *, month: int) -> Fraction:
    """The same upside down: per cent of price for one per cent of units."""
    return 1 / elasticity(game, player, month=month)


def midpoint_elasticity(game: Game, player: str, *, month: int) -> Fraction:
    """The size of the elasticity over the step to one unit more, by its midpoint."""
    one, last, all_units = _line(game, player, month)
    here, there = ((n, posted_price(one, last, n, game.rules)) for n in (all_units, all_units + 1))
    return -arc_elasticity(here, there)


def _good(game: Game, player: str, month: int) -> Good:
    offered = {one: general.units_bid(game, player, item=one, month=month) for one in GOODS}
    most = max(offered, key=lambda one: offered[one])
    if not offered[most]:
        raise NotInGameError(f"you offered nothing in {month_name(month)}")
    return most


def _line(game: Game, player: str, month: int) -> tuple[Good, int, int]:
    """Tell the firm's good, its price before, and the units that all offered."""
    one = _good(game, player, month)
    last = general.price_before(game, player, item=one, month=month)
    return one, last, general.total_units(game, player, item=one, month=month)


def _stock(game: Game, player: str, month: int) -> Stock:
    """What the firm held when it made its offer, with what it had cost."""
    general.received(game, player, month=month)  # raises if the month is not there
    before, _ = list(stocks(game, player))[2 * month - 1]
    return before
