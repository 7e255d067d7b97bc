"""What a material is worth to a firm, and what quantity is wanted at each price.

A firm does not want X-FINE for itself: its demand is derived from the goods that X-FINE becomes
(Marshall, Principles of Economics, book V, chapter 6). So a unit is worth what it adds to the best
that the firm can make, by the Production Chart (R4) and with substitution (R12, R13). Goods are
priced at what is posted; that a larger offer lowers that price (R2) is left to the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product

from exdec.items import GOODS, MATERIALS, Good, Goods, Material, Materials
from exdec.production import makeable
from exdec.rules import STANDARD, Rules
from exdec.theory.prices import posted_price


def worth_in_good(
    good: Good, price: int, others: Materials[int], grade: Material, rules: Rules = STANDARD
) -> Fraction:
    """The most that a unit of a grade can cost before a good made of it loses money.

    It is the good's price less the certificates of the other grades, shared among the units of
    this grade that the good takes.

    Parameters
    ----------
    good : Good
    price : int
        What the good brings, in dollars a unit.
    others : Materials[int]
        What a certificate of each grade costs, in dollars; that of `grade` itself is passed over.
    grade : Material
    rules : Rules

    Raises
    ------
    ValueError
        The good takes none of this grade.

    Examples
    --------
    A B takes one of each, an A two X-FINE and one FINE.

    >>> prices = Materials(X=40, F=30, S=20)
    >>> worth_in_good(Good.B, 115, prices, Material.X)
    Fraction(65, 1)
    >>> worth_in_good(Good.A, 140, prices, Material.X)
    Fraction(55, 1)
    """
    recipe = rules.production[GOODS.index(good)]
    at = MATERIALS.index(grade)
    if not recipe[at]:
        raise ValueError(f"{good} takes no {grade.label}.")
    rest = sum(n * cost for k, (n, cost) in enumerate(zip(recipe, others, strict=True)) if k != at)
    return Fraction(price - rest, recipe[at])


def best_mix(stock: Materials[int], prices: Goods[int], rules: Rules = STANDARD) -> Goods[int]:
    """The goods of most value that a stock can be made into.

    Where several are worth the same, the one that comes first by A, then B, then C.

    Examples
    --------
    >>> best_mix(Materials(X=1, F=2, S=3), Goods(A=140, B=115, C=90))
    Goods(A=0, B=1, C=1)
    """
    return max(makeable(stock, rules=rules).mixes(), key=lambda mix: (_value(mix, prices), *mix))


def most_value(stock: Materials[int], prices: Goods[int], rules: Rules = STANDARD) -> int:
    """The most that the goods of a stock are worth, in dollars.

    Examples
    --------
    >>> most_value(Materials(X=1, F=2, S=3), Goods(A=140, B=115, C=90))
    205
    """
    return _value(best_mix(stock, prices, rules), prices)


def added_worth(
    stock: Materials[int],
    prices: Goods[int],
    grade: Material,
    units: int,
    rules: Rules = STANDARD,
) -> list[int]:
    """What the next, the second next … unit of a grade adds: its marginal revenue product.

    The other certificates stay as they are. Each number supposes that the units before are there
    too. The numbers need not fall: a good takes three certificates, so a unit that completes one
    adds more than a unit that only turns a C into a B.

    Parameters
    ----------
    stock : Materials[int]
        What the firm holds; all of it is paid for.
    prices : Goods[int]
        What each good brings, in dollars a unit.
    grade : Material
    units : int
        How many next units to value.
    rules : Rules

    Returns
    -------
    list of int
        Dollars, one for each unit.

    Examples
    --------
    The first X-FINE completes a B; the second turns a C into a B, the third a B into an A.

    >>> added_worth(Materials(X=0, F=2, S=3), Goods(A=140, B=115, C=90), Material.X, 3)
    [115, 25, 25]
    """
    values = [most_value(_with(stock, grade, more), prices, rules) for more in range(units + 1)]
    return [after - before for before, after in pairwise(values)]


def worth_in_order(
    costs: Materials[int],
    prices: Goods[int],
    grade: Material,
    room: int,
    units: int,
    rules: Rules = STANDARD,
) -> list[int]:
    """What each unit of a grade adds for a firm that holds nothing and buys the rest too.

    Before and after, the firm fills its order in the best way, with no more than `room`
    certificates in all. So a unit is worth what it adds beyond the certificate that it displaces.

    Parameters
    ----------
    costs : Materials[int]
        What a certificate of each grade costs, in dollars; that of `grade` is passed over.
    prices : Goods[int]
        What each good brings, in dollars a unit.
    grade : Material
    room : int
        Units of all grades that the order may have (R7).
    units : int
        How many to value; no more than `room`.
    rules : Rules

    Returns
    -------
    list of int
        Dollars, one for each unit.

    Examples
    --------
    Each of the first six takes the place of a STANDARD; then they only replace FINE.

    >>> january = Materials(X=40, F=30, S=20), Goods(A=140, B=115, C=90)
    >>> worth_in_order(*january, Material.X, room=9, units=9)
    [45, 45, 45, 45, 45, 45, 30, 30, 30]
    """
    at = MATERIALS.index(grade)

    def left(order: Materials[int]) -> int:
        bought = sum(
            n * cost for k, (n, cost) in enumerate(zip(order, costs, strict=True)) if k != at
        )
        return most_value(order, prices, rules) - bought

    best = [0] * (units + 1)
    for held in product(range(room + 1), repeat=3):
        order = Materials(*held)
        if sum(order) <= room and order[at] <= units:
            best[order[at]] = max(best[order[at]], left(order))
    # Nobody has to buy a unit that only takes up room.
    return [after - before for before, after in pairwise(accumulate(best, max))]


def demanded(worth: Sequence[int], price: Fraction | int) -> int:
    """How many units a firm wants if every unit costs the same.

    It buys as many as leave it most; if one more makes no difference, it buys that too.

    Examples
    --------
    >>> demanded([115, 25, 25], 43), demanded([115, 25, 25], 25), demanded([0, 140], 60)
    (1, 3, 2)
    """
    gains = list(accumulate((value - price for value in worth), initial=Fraction(0)))
    return max(range(len(gains)), key=lambda units: (gains[units], units))


def demand_prices(worth: Sequence[int]) -> list[Fraction]:
    """The highest price at which each unit is still wanted, as a firm's demand curve has it.

    Where a later unit is worth more than the one before, they are wanted together or not at all,
    and the average counts: a pair worth $0 and $140 is wanted up to $70 each.

    Returns
    -------
    list of Fraction
        Dollars; none is higher than the one before.

    Examples
    --------
    >>> [int(price) for price in demand_prices([0, 140, 60])]
    [70, 70, 60]
    """
    heaps: list[list[int]] = []
    for value in worth:
        heaps.append([value])
        while len(heaps) > 1 and _mean(heaps[-1]) > _mean(heaps[-2]):
            last = heaps.pop()
            heaps[-1] += last
    return [_mean(heap) for heap in heaps for _ in heap]


def market_demand(schedules: Iterable[Sequence[int]]) -> list[Fraction]:
    """Add firms' demand curves sideways: at each price, the units of all of them.

    Parameters
    ----------
    schedules : iterable of sequences of int
        What a first, second … unit is worth to each firm, in dollars.

    Returns
    -------
    list of Fraction
        The highest price at which the first, second … unit is wanted by anyone, falling.

    Examples
    --------
    >>> [int(price) for price in market_demand([[70, 60, 45], [65, 50]])]
    [70, 65, 60, 50, 45]
    """
    return sorted((price for worth in schedules for price in demand_prices(worth)), reverse=True)


def quantity_at(curve: Sequence[Fraction], price: Fraction | int) -> int:
    """Units that are wanted at a price.

    Examples
    --------
    >>> quantity_at(market_demand([[70, 60, 45], [65, 50]]), 50)
    4
    """
    return sum(1 for one in curve if one >= price)


def shifted(curve: Sequence[Fraction], dollars: int) -> list[Fraction]:
    """The same demand after each unit has become worth so much more, or less.

    Examples
    --------
    >>> [int(price) for price in shifted(market_demand([[70, 60]]), -10)]
    [60, 50]
    """
    return [price + dollars for price in curve]


def total_to_post(grade: Material, last: int, price: int, rules: Rules = STANDARD) -> int | None:
    """The units that all firms together must order for a material to post at a price.

    Returns
    -------
    int or None
        None if no total does it.

    Examples
    --------
    >>> total_to_post(Material.X, 40, 42), total_to_post(Material.X, 40, 29)
    (12, None)
    """
    line = rules.materials_calculator
    for total in range(max(0, price - last - line.at_zero) + 1):
        if posted_price(grade, last, total, rules) == price:
            return total
    return None


def crossing(
    curve: Sequence[Fraction], grade: Material, last: int, rules: Rules = STANDARD
) -> tuple[int, int]:
    """Where demand meets the Broker's line: the units, and the price that they post.

    It is the largest total that everyone who orders still finds worth its price.

    Examples
    --------
    The third unit would post at $33, and is worth $32.

    >>> crossing(market_demand([[70, 60, 32]]), Material.X, 40)
    (2, 32)
    """
    units = max(
        (n for n, worth in enumerate(curve, 1) if worth >= posted_price(grade, last, n, rules)),
        default=0,
    )
    return units, posted_price(grade, last, units, rules)


def _value(mix: Goods[int], prices: Goods[int]) -> int:
    return sum(n * price for n, price in zip(mix, prices, strict=True))


def _with(stock: Materials[int], grade: Material, more: int) -> Materials[int]:
    at = MATERIALS.index(grade)
    return Materials(*(n + more * (k == at) for k, n in enumerate(stock)))


def _mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))
