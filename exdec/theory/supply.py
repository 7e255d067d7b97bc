"""What a firm offers at which price, and what an offer does to the price and to the money.

Two straight facts stand against each other. A good takes certificates, which are worth something
to the firm that holds them: below that worth it should not sell. And the Broker takes more of a
good only at a lower price (R2), so that a firm's own units lower what each of them brings.

A worth may be what the certificates cost on average (`exdec.costs`), or what the Broker pays for
them at the end (R19). The first tells whether a good shows a gain, the second whether to sell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from exdec.items import GOODS, Good, Goods, Materials
from exdec.production import deliver
from exdec.rules import STANDARD, Rules
from exdec.theory.prices import posted_price

Dollars = int | Fraction


class Step(NamedTuple):
    """One unit of a market's supply: the lowest ask that pays, and for whom."""

    price: Dollars
    firm: str


def lowest_asks(
    held: Materials[int], worth: Sequence[Dollars], good: Good, rules: Rules = STANDARD
) -> list[Fraction]:
    """A firm's supply of one good: the lowest price for a first unit, for a second and so on.

    Parameters
    ----------
    held : Materials[int]
        Certificates.
    worth : Materials of dollars
        What one certificate of each grade is worth to the firm.
    good : Good
    rules : Rules
        Whose Production Chart and substitutions hold (R4, R12, R13).

    Returns
    -------
    list of Fraction
        Dollars, one for each unit that can be made, never falling. Where a later unit takes
        cheaper certificates than an earlier one, the two share their cost: nobody can have the
        later one alone.

    Examples
    --------
    Two A take FINE. For a third there is none, so X-FINE at $50 stands in for it.

    >>> held, worth = Materials(X=7, F=2, S=0), Materials(X=50, F=30, S=20)
    >>> [str(ask) for ask in lowest_asks(held, worth, Good.A)]
    ['130', '130', '150']
    """
    levels: list[tuple[Fraction, int]] = []
    before = Fraction(0)
    made = 0
    while (cost := _cost_of(held, worth, good, made + 1, rules)) is not None:
        made += 1
        level, width = cost - before, 1
        before = cost
        while levels and levels[-1][0] > level:
            other, more = levels.pop()
            level = (level * width + other * more) / (width + more)
            width += more
        levels.append((level, width))
    return [level for level, width in levels for _ in range(width)]


def units_at(asks: Iterable[Dollars], price: Dollars) -> int:
    """How many units pay at a price that the firm cannot move.

    Examples
    --------
    >>> units_at([130, 130, 150], 140)
    2
    """
    return sum(ask <= price for ask in asks)


def market_supply(firms: Mapping[str, Sequence[Dollars]]) -> list[Step]:
    """Add firms up sideways: all their units in one row, the lowest ask first.

    Examples
    --------
    >>> [step.price for step in market_supply({"Ann": [130, 150], "Ben": [120, 140]})]
    [120, 130, 140, 150]
    """
    steps = [Step(ask, firm) for firm, asks in firms.items() for ask in asks]
    return sorted(steps, key=lambda step: step.price)


def broker_line(good: Good, last: int, most: int, rules: Rules = STANDARD) -> list[tuple[int, int]]:
    """What the Broker pays for a unit when so many are offered: his demand, from 0 to `most`.

    Examples
    --------
    >>> broker_line(Good.A, 140, 2)
    [(0, 151), (1, 149), (2, 147)]
    """
    return [(units, posted_price(good, last, units, rules)) for units in range(most + 1)]


def revenue(good: Good, last: int, mine: int, others: int = 0, rules: Rules = STANDARD) -> int:
    """What `mine` units bring at the posted price; with no others, what all firms receive.

    Parameters
    ----------
    good : Good
    last : int
        The price before, in dollars a unit.
    mine, others : int
        Units offered.
    rules : Rules

    Examples
    --------
    >>> revenue(Good.A, 140, mine=2, others=4)
    278
    """
    return mine * posted_price(good, last, mine + others, rules)


def marginal_revenue(
    good: Good, last: int, mine: int, others: int = 0, rules: Rules = STANDARD
) -> int:
    """What the last of `mine` units adds to the revenue: its price less what the rest lose.

    Examples
    --------
    The second A brings $139 and takes $2 off the first.

    >>> marginal_revenue(Good.A, 140, mine=2, others=4)
    137
    """
    return revenue(good, last, mine, others, rules) - revenue(good, last, mine - 1, others, rules)


def earnings(
    good: Good,
    last: int,
    mine: int,
    others: int,
    worth: Sequence[Dollars],
    rules: Rules = STANDARD,
) -> Dollars:
    """Revenue less what the certificates in it are worth.

    Parameters
    ----------
    good, last, mine, others, rules
        As in `revenue`.
    worth : sequence of dollars
        What the certificates in a first unit are worth, in a second, …; see `lowest_asks`.

    Examples
    --------
    >>> [earnings(Good.A, 140, mine, others=2 * mine, worth=[120] * 4) for mine in (2, 3, 4)]
    [38, 39, 28]
    """
    return revenue(good, last, mine, others, rules) - sum(worth[:mine])


def best_offer(
    good: Good, last: int, others: int, worth: Sequence[Dollars], rules: Rules = STANDARD
) -> int:
    """How many units earn the most while the others' offers stay; the fewest of several.

    Examples
    --------
    >>> best_offer(Good.A, 140, others=6, worth=[127] * 6)
    3
    """
    offers = range(len(worth) + 1)
    return max(offers, key=lambda mine: (earnings(good, last, mine, others, worth, rules), -mine))


def elasticity(price: int, units: int, rules: Rules = STANDARD) -> Fraction:
    """By how many per cent more the Broker takes when a good's price is one per cent higher.

    It holds at one point of his line and is below 0. Where it is below −1 more units bring more
    money in all; where it is above, less.

    Raises
    ------
    ZeroDivisionError
        Nothing is offered, or the calculator is flat.

    Examples
    --------
    >>> elasticity(price=140, units=5), elasticity(price=16, units=8)
    (Fraction(-14, 1), Fraction(-1, 1))
    """
    return Fraction(price, rules.goods_calculator.per_unit * units)


def arc_elasticity(before: tuple[int, int], after: tuple[int, int]) -> Fraction:
    """Elasticity between two points, each a number of units and a price, by their midpoint.

    Raises
    ------
    ZeroDivisionError
        The price did not change.

    Examples
    --------
    >>> arc_elasticity((5, 141), (7, 137))
    Fraction(-139, 12)
    """
    (units, price), (more, other) = before, after
    return Fraction((more - units) * (price + other), (other - price) * (units + more))


def _cost_of(
    held: Materials[int], worth: Sequence[Dollars], good: Good, units: int, rules: Rules
) -> Fraction | None:
    """What the certificates for so many units are worth; None if they cannot be made."""
    mix = Goods(*(units * (good is one) for one in GOODS))
    delivery = deliver(rules, held, mix)
    if delivery is None:
        return None
    used = zip(delivery.certificates, worth, strict=True)
    return sum((n * Fraction(dollars) for n, dollars in used), Fraction(0))
