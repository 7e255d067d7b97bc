"""What lesson 4 asks of a game: costs, margins, what is given up, and the best mix."""

from __future__ import annotations

from fractions import Fraction

from exdec.analysis import GoodsSold, goods_sold, stocks
from exdec.game import Game
from exdec.items import GOODS, MATERIALS, Good, Goods, Material, Materials
from exdec.lessons.answers import NotInGameError, general
from exdec.model import Purchase, month_name
from exdec.production import makeable
from exdec.theory import margin as theory

__all__ = [
    "ask_of_main_good",
    "best_mix",
    "best_revenue",
    "broker_value",
    "cash_in_less_out",
    "cost_of_main_good",
    "cost_share",
    "dearest_first",
    "good_prices",
    "held",
    "last_bid_for_mixed",
    "main_good",
    "margin_of_main_good",
    "margin_on_sales",
    "mark_up",
    "mean_bid_for_mixed",
    "mixed_average",
    "mixed_grade",
    "mixed_posted",
    "one_of_each",
    "own_cost",
    "posted_cost_of_main_good",
    "posted_less_cost",
    "single_good",
    "stock_and_prices",
    "sum_of_unit_margins",
    "total_cost_of_main_good",
    "total_margin",
    "total_margin_of_main_good",
    "units_of_main_good",
]


# -- what one good left --------------------------------------------------------------------------


def main_good(game: Game, player: str, *, month: int) -> str:
    """The good that this firm sold most of in a month; the dearer one of two."""
    return _main(game, player, month).good.label


def units_of_main_good(game: Game, player: str, *, month: int) -> int:
    """How many of that good it sold."""
    return _main(game, player, month).units


def ask_of_main_good(game: Game, player: str, *, month: int) -> Fraction:
    """What one of them brought."""
    sold = _main(game, player, month)
    return Fraction(sold.amount, sold.units)


def cost_of_main_good(game: Game, player: str, *, month: int) -> Fraction:
    """What the certificates in one of them had cost."""
    sold = _main(game, player, month)
    return Fraction(sold.cost, sold.units)


def total_cost_of_main_good(game: Game, player: str, *, month: int) -> int:
    """What the certificates in all of them had cost."""
    return _main(game, player, month).cost


def margin_of_main_good(game: Game, player: str, *, month: int) -> Fraction:
    """What one of them left."""
    sold = _main(game, player, month)
    return Fraction(sold.margin, sold.units)


def total_margin_of_main_good(game: Game, player: str, *, month: int) -> int:
    """What all of them left."""
    return _main(game, player, month).margin


def posted_cost_of_main_good(game: Game, player: str, *, month: int) -> theory.Dollars:
    """What its certificates come to at Market Prices, in place of the firm's own bids."""
    good = _main(game, player, month).good
    return theory.unit_cost(good, _posted(game, month), game.rules)


def posted_less_cost(game: Game, player: str, *, month: int) -> Fraction:
    """Its Market Price less its cost, as if a seller got more than the ask (R10)."""
    sold = _main(game, player, month)
    price = general.posted_price(game, player, item=sold.good, month=month)
    return price - Fraction(sold.cost, sold.units)


# -- all goods of a month ------------------------------------------------------------------------


def total_margin(game: Game, player: str, *, month: int) -> int:
    """What all goods of a month left; a firm that sold none has no margin to speak of."""
    return sum(one.margin for one in _sold(game, player, month))


def sum_of_unit_margins(game: Game, player: str, *, month: int) -> Fraction:
    """One unit's margin of each good, added without counting units."""
    return sum((Fraction(one.margin, one.units) for one in _sold(game, player, month)), Fraction())


def cash_in_less_out(game: Game, player: str, *, month: int) -> int:
    """What came in for goods less what went out for materials, used or not."""
    bought = general.paid(game, player, month=month)
    return general.received(game, player, month=month) - bought


def margin_on_sales(game: Game, player: str, *, month: int) -> Fraction:
    """A month's margin in per cent of what was received."""
    received, cost = _received_and_cost(game, player, month)
    return theory.margin_on_sales(received, cost)


def mark_up(game: Game, player: str, *, month: int) -> Fraction:
    """A month's margin in per cent of what the goods had cost."""
    received, cost = _received_and_cost(game, player, month)
    return theory.mark_up(received, cost)


def cost_share(game: Game, player: str, *, month: int) -> Fraction:
    """What the goods had cost, in per cent of what was received."""
    return 100 - margin_on_sales(game, player, month=month)


# -- a grade bought at two prices ----------------------------------------------------------------


def mixed_grade(game: Game, player: str, *, month: int) -> str:
    """The finest grade of which the firm holds old certificates and bought new ones."""
    return _mixed(game, player, month).label


def mixed_average(game: Game, player: str, *, month: int) -> Fraction:
    """What one certificate of that grade has cost on average."""
    return general.unit_cost(game, player, item=_mixed(game, player, month), month=month)


def last_bid_for_mixed(game: Game, player: str, *, month: int) -> int:
    """What the new ones cost each."""
    return general.bid_price(game, player, item=_mixed(game, player, month), month=month)


def mean_bid_for_mixed(game: Game, player: str, *, month: int) -> Fraction:
    """Halfway between what an old and a new one cost, however many there are of each."""
    grade = _mixed(game, player, month)
    old = general.unit_cost(game, player, item=grade, month=month - 1)
    return (old + general.bid_price(game, player, item=grade, month=month)) / 2


def mixed_posted(game: Game, player: str, *, month: int) -> int:
    """That grade's Market Price."""
    return general.posted_price(game, player, item=_mixed(game, player, month), month=month)


# -- what is given up ----------------------------------------------------------------------------


def broker_value(game: Game, _player: str, *, item: str, month: int) -> theory.Dollars:
    """What the Broker gives for the certificates in one good after a month (R19)."""
    return theory.unit_cost(Good(item), _posted(game, month), game.rules)


def own_cost(game: Game, player: str, *, item: str, month: int) -> theory.Dollars:
    """What the certificates in one good cost this firm on average, as it holds them."""
    recipe = game.rules.production[GOODS.index(Good(item))]
    costs = (
        n * general.unit_cost(game, player, item=grade, month=month)
        for grade, n in zip(MATERIALS, recipe, strict=True)
        if n
    )
    return sum(costs, Fraction())


def one_of_each(game: Game, _player: str, *, item: str, month: int) -> theory.Dollars:
    """One certificate of each grade in a good, however many it takes."""
    recipe = game.rules.production[GOODS.index(Good(item))]
    return theory.total([min(n, 1) for n in recipe], _posted(game, month))


# -- the best mix --------------------------------------------------------------------------------


def stock_and_prices(game: Game, player: str, *, month: int) -> tuple[Materials[int], Goods[int]]:
    """What a firm holds when a month's offers are due, and what goods posted at before."""
    general.paid(game, player, month=month)  # raises if the month is not there
    stock, bought = list(stocks(game, player))[2 * (month - 1)]
    prices = (general.price_before(game, player, item=good, month=month) for good in GOODS)
    return stock.after(bought).units, Goods(*prices)


def held(game: Game, player: str, *, month: int) -> str:
    """The certificates that a firm holds when a month's offers are due, in words."""
    stock, _ = stock_and_prices(game, player, month=month)
    some = zip(MATERIALS, stock, strict=True)
    return ", ".join(f"{n} {grade.label}" for grade, n in some)


def good_prices(game: Game, player: str, *, month: int) -> str:
    """The goods' prices before a month's offers, in words."""
    _, prices = stock_and_prices(game, player, month=month)
    some = zip(GOODS, prices, strict=True)
    return ", ".join(f"{good.label} ${price}" for good, price in some)


def best_revenue(game: Game, player: str, *, month: int) -> theory.Dollars:
    """The most that those certificates bring at those prices."""
    return _best(game, player, month).revenue


def best_mix(game: Game, player: str, *, month: int) -> str:
    """What to make of them for that, in words."""
    return ", ".join(
        f"{n} {good}" for good, n in _best(game, player, month).goods._asdict().items() if n
    )


def dearest_first(game: Game, player: str, *, month: int) -> theory.Dollars:
    """What they bring if all one can is made of the dearest good, then of the next."""
    stock, prices = stock_and_prices(game, player, month=month)
    order = sorted(GOODS, key=lambda good: -prices[GOODS.index(good)])
    made = theory.made_in_order(order, stock, game.rules)
    return theory.total(made, prices)


def single_good(game: Game, player: str, *, month: int) -> theory.Dollars:
    """The most that they bring if only one good is made."""
    stock, prices = stock_and_prices(game, player, month=month)
    most = makeable(stock, rules=game.rules).most
    return max(n * price for n, price in zip(most, prices, strict=True))


# -- from the game -------------------------------------------------------------------------------


def _sold(game: Game, player: str, month: int) -> list[GoodsSold]:
    general.received(game, player, month=month)  # raises if the month is not there
    sold = [one for one in goods_sold(game, player) if one.month == month]
    if not sold:
        raise NotInGameError(f"you sold nothing in {month_name(month)}")
    return sold


def _main(game: Game, player: str, month: int) -> GoodsSold:
    return max(_sold(game, player, month), key=lambda one: (one.units, one.amount))


def _received_and_cost(game: Game, player: str, month: int) -> tuple[int, int]:
    sold = _sold(game, player, month)
    return sum(one.amount for one in sold), sum(one.cost for one in sold)


def _mixed(game: Game, player: str, month: int) -> Material:
    general.paid(game, player, month=month)  # raises if the month is not there
    stock, bought = list(stocks(game, player))[2 * (month - 1)]
    assert isinstance(bought, Purchase)
    for grade, old, line in zip(MATERIALS, stock.units, bought.lines, strict=True):
        if old and line.filled:
            return grade
    raise NotInGameError(f"you bought no grade in {month_name(month)} that you still held some of")


def _posted(game: Game, month: int) -> Materials[int]:
    prices = (general.posted_price(game, "", item=grade, month=month) for grade in MATERIALS)
    return Materials(*prices)


def _best(game: Game, player: str, month: int) -> theory.Plan:
    stock, prices = stock_and_prices(game, player, month=month)
    plan = theory.best_plan(stock, prices, rules=game.rules)
    if not plan.revenue:
        raise NotInGameError(f"you could make nothing of what you held in {month_name(month)}")
    return plan
