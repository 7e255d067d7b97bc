"""What lesson 2 asks of a game: what X-FINE was worth, what one more would add, and bids beside it.

Month 0 stands for the opening prices, before January.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from exdec.engine import seat
from exdec.game import Game
from exdec.items import GOODS, MATERIALS, Good, Goods, Item, Material, Materials
from exdec.lessons.answers import NotInGameError, general
from exdec.model import month_name
from exdec.narrate import dollars
from exdec.theory.demand import (
    best_mix,
    most_value,
    worth_in_good,
)
from exdec.theory.prices import largest_order

__all__ = [
    "all_units_for_bid",
    "best_goods",
    "bid_above_worth",
    "bid_below_worth",
    "board",
    "direction",
    "gain_at_market",
    "goods_board",
    "held",
    "largest_own_order",
    "missed_by",
    "next_average",
    "next_worth",
    "order_limit",
    "others_ordered",
    "price_less",
    "value_with",
    "worth_in",
]


def price_less(
    game: Game, _player: str, *, good: str, grades: str, month: int, share: int = 1
) -> Fraction:
    """A good's price less one certificate of each of some grades, as the board had them.

    Parameters
    ----------
    game : Game
    good : str
    grades : str
        The grades to take off, such as "XXF": two X-FINE and one FINE.
    month : int
    share : int
        Among how many units of X-FINE the rest is shared.
    """
    materials, goods = _prices(game, month)
    rest = sum(getattr(materials, grade) for grade in grades)
    return Fraction(getattr(goods, good) - rest, share)


def worth_in(game: Game, _player: str, *, good: str, month: int) -> Fraction:
    """What a unit of X-FINE was worth in a good, at the prices of the board."""
    materials, goods = _prices(game, month)
    return worth_in_good(Good(good), getattr(goods, good), materials, Material.X, game.rules)


def board(game: Game, _player: str, *, month: int) -> str:
    """All prices of the board, in words."""
    items: tuple[Item, ...] = (*MATERIALS, *GOODS)
    prices = zip(items, itertools.chain(*_prices(game, month)), strict=True)
    return ", ".join(f"{item.label} {dollars(price)}" for item, price in prices)


def direction(game: Game, player: str, *, good: str, month: int) -> str:
    """Whether X-FINE became worth more (a), less (b) or stayed (c) from the month before."""
    before = worth_in(game, player, good=good, month=month - 1)
    after = worth_in(game, player, good=good, month=month)
    return "a" if after > before else "b" if after < before else "c"


def held(game: Game, player: str, *, month: int) -> str:
    """The certificates before a month's offers, in words."""
    stock = _stock(game, player, month)
    return _and([f"{n or 'no'} {grade.label}" for n, grade in zip(stock, MATERIALS, strict=True)])


def goods_board(game: Game, _player: str, *, month: int) -> str:
    """The goods' prices that the board showed before a month's offers, in words."""
    return _and([f"{good} {dollars(price)}" for good, price in _goods_before(game, month)])


def next_worth(game: Game, player: str, *, month: int) -> int:
    """What one more X-FINE would have added to the goods that the firm could make.

    With the certificates held before the month's offers, and goods at the prices posted before.
    """
    with_it = value_with(game, player, month=month, more=1)
    return with_it - value_with(game, player, month=month, more=0)


def value_with(game: Game, player: str, *, month: int, more: int) -> int:
    """What the best goods were worth, with some X-FINE more than the firm held."""
    stock, prices = _stock_and_prices(game, player, month, more)
    return most_value(stock, prices, game.rules)


def next_average(game: Game, player: str, *, month: int) -> Fraction:
    """The same goods shared among all certificates, one more included: average for marginal."""
    certificates = sum(_stock(game, player, month)) + 1
    return Fraction(value_with(game, player, month=month, more=1), certificates)


def best_goods(game: Game, player: str, *, month: int, more: int) -> str:
    """The best goods in words, with some X-FINE more than the firm held."""
    stock, prices = _stock_and_prices(game, player, month, more)
    mix = best_mix(stock, prices, game.rules)
    return _and([f"{n} {good}" for n, good in zip(mix, GOODS, strict=True) if n]) or "nothing"


def others_ordered(game: Game, player: str, *, month: int) -> int:
    """Units of X-FINE that the other firms ordered."""
    total = general.total_units(game, player, item="X", month=month)
    return total - general.units_bid(game, player, item="X", month=month)


def largest_own_order(game: Game, player: str, *, month: int) -> int:
    """The most X-FINE that the firm could have ordered before its own order beat its own bid."""
    players = len(game.players)
    limit, of_one = game.rules.order_limit.at(players), game.rules.grade_limit.at(players)
    return largest_order(
        Material.X,
        general.price_before(game, player, item="X", month=month),
        others=others_ordered(game, player, month=month),
        bid=general.bid_price(game, player, item="X", month=month),
        most=limit if of_one is None else min(limit, of_one),
        rules=game.rules,
    )


def order_limit(game: Game, _player: str) -> int:
    """Units of all grades that a firm at this table may order in a month (R7)."""
    return game.rules.order_limit.at(len(game.players))


def all_units_for_bid(game: Game, player: str, *, month: int, less: int = 0) -> int:
    """The total at which X-FINE posts at this firm's bid, on the Broker's line."""
    line = game.rules.materials_calculator
    bid = general.bid_price(game, player, item="X", month=month)
    before = general.price_before(game, player, item="X", month=month)
    return (bid - before - line.at_zero) // line.per_unit - less


def bid_below_worth(game: Game, player: str, *, month: int) -> Fraction:
    """How far a bid for X-FINE lay below what it was worth in a B, at the board before it."""
    worth = worth_in(game, player, good="B", month=month - 1)
    return worth - general.bid_price(game, player, item="X", month=month)


def bid_above_worth(game: Game, player: str, *, month: int) -> Fraction:
    """The same with its sign turned."""
    return -bid_below_worth(game, player, month=month)


def gain_at_market(game: Game, player: str, *, month: int) -> Fraction:
    """What X-FINE was worth in a B, less the Market Price and not the firm's own bid."""
    worth = worth_in(game, player, good="B", month=month - 1)
    return worth - general.posted_price(game, player, item="X", month=month)


def missed_by(game: Game, player: str, *, month: int) -> int:
    """The dollars between a bid for X-FINE and what it posted at, the bid above or below."""
    bid = general.bid_price(game, player, item="X", month=month)
    return abs(general.posted_price(game, player, item="X", month=month) - bid)


def _prices(game: Game, month: int) -> tuple[Materials[int], Goods[int]]:
    if not month:
        return game.rules.opening_materials, game.rules.opening_goods
    materials = [general.posted_price(game, "", item=grade, month=month) for grade in MATERIALS]
    goods = [general.posted_price(game, "", item=good, month=month) for good in GOODS]
    return Materials(*materials), Goods(*goods)


def _goods_before(game: Game, month: int) -> list[tuple[Good, int]]:
    return [(good, general.price_before(game, "", item=good, month=month)) for good in GOODS]


def _stock(game: Game, player: str, month: int) -> Materials[int]:
    general.cash_after(game, player, month=month)
    stock = game.steps[2 * month - 1].before.firms[seat(game.state, player)].materials
    if not any(stock):
        raise NotInGameError(f"you held no certificate in {month_name(month)}")
    return stock


def _stock_and_prices(
    game: Game, player: str, month: int, more: int
) -> tuple[Materials[int], Goods[int]]:
    stock = _stock(game, player, month)
    prices = Goods(*(price for _, price in _goods_before(game, month)))
    return stock._replace(X=stock.X + more), prices


def _and(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
