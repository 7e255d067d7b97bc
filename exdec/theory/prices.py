"""How a posted price follows from units: the Market Calculator as a straight line.

A material moves by the units ordered less 10 dollars (R1), a good by 11 dollars less 2 for each
unit offered (R2), and no price falls below its floor (R6). All functions take the rules, so that
they hold for a table that was varied too.
"""

from __future__ import annotations

from exdec.items import GOODS, Good, Item, Material
from exdec.rules import STANDARD, Calculator, Rules


def opening_price(item: Item, rules: Rules = STANDARD) -> int:
    """What the Price Level Board shows before January, in dollars a unit.

    Examples
    --------
    >>> opening_price(Material.X), opening_price(Good.C)
    (40, 90)
    """
    if isinstance(item, Good):
        return rules.opening_goods[GOODS.index(item)]
    return rules.opening_materials[tuple(Material).index(item)]


def posted_price(item: Item, last: int, total: int, rules: Rules = STANDARD) -> int:
    """Where a price posts.

    Parameters
    ----------
    item : Material or Good
    last : int
        The price before, in dollars a unit.
    total : int
        Units that all firms together order or offer, also those that fail (R9).
    rules : Rules

    Examples
    --------
    The rulebook's January: 12 units of X-FINE ordered, and 7 units of A offered.

    >>> posted_price(Material.X, 40, 12), posted_price(Good.A, 140, 7)
    (42, 137)
    """
    line, floor = _line(item, rules)
    return max(floor, last + line.movement(total, rules.past_table))


def price_line(item: Item, last: int, rules: Rules = STANDARD) -> list[tuple[int, int]]:
    """Total units and posted price, for every printed column of the Market Calculator.

    Examples
    --------
    >>> price_line(Material.S, 20)[:3], price_line(Good.B, 115)[-1]
    ([(0, 10), (1, 11), (2, 12)], (16, 94))
    """
    line, _ = _line(item, rules)
    return [(total, posted_price(item, last, total, rules)) for total in range(line.last + 1)]


def still_total(item: Item, rules: Rules = STANDARD) -> float:
    """The total, in units, that would leave a price where it is.

    Examples
    --------
    For goods there is none: a price rises at 5 units, and falls at 6.

    >>> still_total(Material.X), still_total(Good.A)
    (10.0, 5.5)
    """
    line, _ = _line(item, rules)
    return -line.at_zero / line.per_unit


def largest_order(
    item: Material, last: int, others: int, bid: int, most: int, rules: Rules = STANDARD
) -> int:
    """The most units that one firm can order before its own order makes its bid fail.

    Parameters
    ----------
    item : Material
    last : int
        The price before, in dollars a unit.
    others : int
        Units of this grade that the other firms order.
    bid : int
        What the firm bids for one unit, in dollars.
    most : int
        Units that it may order at all (R7).
    rules : Rules

    Returns
    -------
    int
        0 if not even one unit would come.

    Examples
    --------
    Others order 9. With 4 units of its own, X-FINE posts at $43, and a bid of $43 still holds.

    >>> largest_order(Material.X, 40, others=9, bid=43, most=12)
    4
    """
    held = (
        units
        for units in range(1, most + 1)
        if posted_price(item, last, others + units, rules) <= bid
    )
    return max(held, default=0)


def sure_bid(item: Material, last: int, units: int, players: int, rules: Rules = STANDARD) -> int:
    """The lowest bid that succeeds whatever the other firms order.

    They may all order as much of this grade as the rules allow (R7).

    Examples
    --------
    Two firms, the last price $30: the rival orders at most 12, and you order 4.

    >>> sure_bid(Material.F, 30, units=4, players=2)
    36
    """
    limit, of_one_grade = rules.order_limit.at(players), rules.grade_limit.at(players)
    each = limit if of_one_grade is None else min(limit, of_one_grade)
    return posted_price(item, last, units + (players - 1) * each, rules)


def _line(item: Item, rules: Rules) -> tuple[Calculator, int]:
    if isinstance(item, Good):
        return rules.goods_calculator, rules.goods_floor
    return rules.materials_calculator, rules.materials_floor
