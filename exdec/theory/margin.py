"""What a good costs, what it leaves, and which goods to make of what is held.

Prices and costs are dollars for one certificate or one good, whole or as a ``Fraction``; per cents
are ``Fraction`` too, so that nothing is rounded before it is shown. A plan takes prices as they
stand: what a firm's own offer does to them is the subject of lesson 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeAlias

from exdec.items import GOODS, MATERIALS, Good, Goods, Material, Materials
from exdec.production import NOTHING, deliver, limits, makeable
from exdec.rules import STANDARD, Rules

Dollars: TypeAlias = int | Fraction

Prices: TypeAlias = Sequence[Dollars]
"""Dollars for one of each grade, or of each good, in the order of the Price Level Board."""

WORTHLESS = Materials(0, 0, 0)


def total(units: Sequence[Dollars], prices: Prices) -> Dollars:
    """So many units of each at its price, in dollars.

    Examples
    --------
    >>> total(Goods(1, 2, 0), Goods(141, 118, 92))
    377
    """
    return sum((n * price for n, price in zip(units, prices, strict=True)), 0)


# -- one good ------------------------------------------------------------------------------------


def average_cost(purchases: Iterable[tuple[int, Dollars]]) -> Fraction:
    """What one certificate costs when some were bought at one price and some at another.

    Parameters
    ----------
    purchases : iterable of (units, price)

    Raises
    ------
    ZeroDivisionError
        Nothing was bought.

    Examples
    --------
    >>> average_cost([(1, 44), (4, 49)])
    Fraction(48, 1)
    """
    bought = list(purchases)
    units = sum(n for n, _ in bought)
    return Fraction(sum((Fraction(n * price) for n, price in bought), Fraction()), units)


def unit_cost(good: Good, prices: Prices, rules: Rules = STANDARD) -> Dollars:
    """What the certificates in one good come to, without substitution (R4).

    Parameters
    ----------
    good : Good
    prices : Materials
        Dollars for one certificate of each grade: what was paid, what is posted, or what the
        Broker would give.
    rules : Rules

    Examples
    --------
    One A takes two X-FINE and one FINE.

    >>> unit_cost(Good.A, Materials(44, 34, 22))
    122
    """
    return total(rules.production[GOODS.index(good)], prices)


def margin_on_sales(price: Dollars, cost: Dollars) -> Fraction:
    """The part of the price that is left over cost, in per cent.

    Examples
    --------
    >>> margin_on_sales(price=125, cost=100), mark_up(price=125, cost=100)
    (Fraction(20, 1), Fraction(25, 1))
    """
    return Fraction(100 * (price - cost)) / price


def mark_up(price: Dollars, cost: Dollars) -> Fraction:
    """What is added to the cost, in per cent of the cost."""
    return Fraction(100 * (price - cost)) / cost


def ask_for_margin(cost: Dollars, per_cent: Dollars) -> Fraction:
    """The ask that leaves a margin on sales of so many per cent.

    Examples
    --------
    >>> ask_for_margin(96, 20)
    Fraction(120, 1)
    """
    return Fraction(cost) / (1 - Fraction(per_cent) / 100)


def break_even_ask(
    good: Good,
    held: Materials[int],
    worth: Prices,
    beside: Goods[int] = NOTHING,
    rules: Rules = STANDARD,
) -> Dollars | None:
    """The ask at which selling one more of a good is as good as keeping its certificates.

    What was paid for them does not matter: that money is gone either way.

    Parameters
    ----------
    good : Good
    held : Materials[int]
    worth : Materials
        What one certificate brings if it is kept: after the last month the Broker's price (R19).
    beside : Goods[int]
        What is made anyway.
    rules : Rules

    Returns
    -------
    int or Fraction, or None
        None if one more cannot be made.

    Examples
    --------
    >>> break_even_ask(Good.A, Materials(2, 1, 0), worth=Materials(45, 33, 21))
    123

    Without FINE, a third X-FINE stands in for it (R12), and it is the dearer one that is given up.

    >>> break_even_ask(Good.A, Materials(3, 0, 0), worth=Materials(45, 33, 21))
    135
    """
    units = list(beside)
    units[GOODS.index(good)] += 1
    more = deliver(rules, held, Goods(*units))
    without = deliver(rules, held, beside)
    if more is None or without is None:
        return None
    given_up = zip(more.certificates, without.certificates, worth, strict=True)
    return sum((n - before) * price for n, before, price in given_up)


# -- which goods to make -------------------------------------------------------------------------


class Plan(NamedTuple):
    """What to make of a stock.

    Parameters
    ----------
    goods : Goods[int]
    revenue : int or Fraction
        What the goods bring.
    left : Materials[int]
        Certificates that are kept.
    value : int or Fraction
        Revenue, and what the certificates that are kept are worth.
    """

    goods: Goods[int]
    revenue: Dollars
    left: Materials[int]
    value: Dollars


def plans(
    held: Materials[int],
    prices: Prices,
    worth: Prices = WORTHLESS,
    rules: Rules = STANDARD,
) -> Iterator[Plan]:
    """Everything that a stock can be made into, and what it comes to.

    Parameters
    ----------
    held : Materials[int]
    prices : Goods
        Dollars for one good, however many are offered.
    worth : Materials
        Dollars for a certificate that is kept; nothing if left out.
    rules : Rules
    """
    for mix in makeable(Materials(*held), rules=rules).mixes():
        delivery = deliver(rules, held, mix)
        assert delivery is not None, "the mix can be made"
        left = Materials(*(n - used for n, used in zip(held, delivery.certificates, strict=True)))
        revenue = total(mix, prices)
        yield Plan(mix, revenue, left, revenue + total(left, worth))


def best_plan(
    held: Materials[int],
    prices: Prices,
    worth: Prices = WORTHLESS,
    rules: Rules = STANDARD,
) -> Plan:
    """The plan of the highest value; of equal ones that which leaves more, then finer, in hand.

    Examples
    --------
    A is dearer than B, and still four B bring most: one A and one C together bring less than two
    B, and take the same certificates.

    >>> best_plan(Materials(4, 4, 4), Goods(143, 122, 97))[:2]
    (Goods(A=0, B=4, C=0), 488)
    """
    return max(plans(held, prices, worth, rules), key=lambda p: (p.value, sum(p.left), p.left))


def value_of_more(
    grade: Material,
    held: Materials[int],
    prices: Prices,
    more: int = 1,
    worth: Prices = WORTHLESS,
    rules: Rules = STANDARD,
) -> Dollars:
    """What some more certificates of a grade add to the value of the best plan.

    It is the most that they are worth to the firm: their shadow price, found by trying.

    Examples
    --------
    The first X-FINE makes an A of a B. The third one completes another good.

    >>> held, prices = Materials(4, 4, 4), Goods(143, 122, 97)
    >>> [value_of_more(Material.X, held, prices, more) for more in (1, 2, 3)]
    [21, 42, 143]
    """
    at = MATERIALS.index(grade)
    units = [n + more * (place == at) for place, n in enumerate(held)]
    with_more = best_plan(Materials(*units), prices, worth, rules)
    return with_more.value - best_plan(held, prices, worth, rules).value


def made_in_order(
    order: Sequence[Good], held: Materials[int], rules: Rules = STANDARD
) -> Goods[int]:
    """Make all one can of the first good, then of the second with what is left, and so on.

    Examples
    --------
    >>> made_in_order([Good.A, Good.B, Good.C], Materials(5, 4, 4))
    Goods(A=2, B=1, C=1)
    """
    stock = makeable(Materials(*held), rules=rules)
    made = NOTHING
    for good in order:
        more = stock.most_of(good, beside=made)
        made = made._replace(**{good.value: made[GOODS.index(good)] + more})
    return made


def divisible_revenue(held: Materials[int], prices: Prices, rules: Rules = STANDARD) -> Fraction:
    """The most that a stock could bring if a third of a good could be made and sold too.

    A small linear programme: revenue is a straight line, and so is each limit of
    `exdec.production.limits`. Its best plan lies at a corner, where three limits meet, so every
    corner is looked at (Dantzig 1963, chapter 3). Here each of three more X-FINE adds the same.

    Examples
    --------
    >>> [str(divisible_revenue(Materials(x, 4, 4), Goods(143, 122, 97))) for x in (4, 5, 6, 7)]
    ['488', '1607/3', '1750/3', '631']
    """
    lines = [
        (limit.goods, sum(n for n, counts in zip(held, limit.materials, strict=True) if counts))
        for limit in limits(rules)
    ]
    lines += [(Goods(-1, 0, 0), 0), (Goods(0, -1, 0), 0), (Goods(0, 0, -1), 0)]
    corners = filter(None, (_meeting(three) for three in combinations(lines, 3)))
    allowed = (
        corner
        for corner in corners
        if all(total(weights, corner) <= most for weights, most in lines)
    )
    return max(Fraction(total(prices, corner)) for corner in allowed)


def _meeting(lines: Sequence[tuple[Goods[int], int]]) -> tuple[Fraction, ...] | None:
    """Where three limits hold exactly (Cramer's rule); None if they meet in no one place."""
    rows, sides = zip(*lines, strict=True)
    whole = _determinant(rows)
    if not whole:
        return None

    def with_side(at: int) -> list[list[int]]:
        return [
            [side if column == at else n for column, n in enumerate(row)]
            for row, side in zip(rows, sides, strict=True)
        ]

    return tuple(Fraction(_determinant(with_side(at)), whole) for at in range(3))


def _determinant(rows: Sequence[Sequence[int]]) -> int:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


# -- a year --------------------------------------------------------------------------------------


def posted_margins(materials: Materials[int], goods: Goods[int], rules: Rules) -> Goods[int]:
    """What one of each good leaves, for who buys and sells at posted prices, in dollars.

    Examples
    --------
    >>> posted_margins(Materials(42, 32, 22), Goods(143, 118, 93), STANDARD)
    Goods(A=27, B=22, C=17)
    """
    costs = (total(recipe, materials) for recipe in rules.production)
    return Goods(*(int(price - cost) for price, cost in zip(goods, costs, strict=True)))


def monthly_squeeze(firms: int, rules: Rules = STANDARD) -> Fraction:
    """By how much every margin moves in a month in which all firms run full, in dollars a good.

    All order their limit in equal parts, and make and sell equal parts of the three goods; each
    good takes three certificates, so each material's movement counts three times.

    Examples
    --------
    Four firms order 9 units each: 12 of each grade, for 4 of each good.

    >>> monthly_squeeze(4)
    Fraction(-3, 1)
    """
    certificates = firms * rules.order_limit.at(firms)
    size = sum(rules.production[0])
    material, good = Fraction(certificates, 3), Fraction(certificates, 3 * size)
    bought, sold = rules.materials_calculator, rules.goods_calculator
    dearer = bought.at_zero + bought.per_unit * material
    return sold.at_zero + sold.per_unit * good - size * dearer
