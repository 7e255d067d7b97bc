"""What certificates cost the firm that holds them, and what goods made of them cost.

Each grade is one heap: what is paid goes onto it, and a certificate that is handed in takes the
heap's average off it. So the cost of a good depends on what the firm paid, not on today's prices.
Everything stays in whole dollars: a sum that does not divide is rounded, and the rest stays on the
heap, so that nothing is ever lost between what was paid and what was used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from exdec.items import Goods, Materials
from exdec.model import Purchase, Result
from exdec.production import deliver
from exdec.rules import Rules


class Stock(NamedTuple):
    """A firm's certificates and what they cost it.

    Parameters
    ----------
    units : Materials[int]
        Certificates of each grade.
    cost : Materials[int]
        Whole dollars paid for them.

    Examples
    --------
    >>> stock = Stock(units=Materials(X=4, F=2, S=0), cost=Materials(X=170, F=60, S=0))
    >>> stock.average.X
    Fraction(85, 2)
    """

    units: Materials[int]
    cost: Materials[int]

    @property
    def average(self) -> Materials[Fraction]:
        """Dollars that one certificate of each grade cost; 0 where there is none."""
        return Materials(
            *(Fraction(cost, units or 1) for units, cost in zip(*self, strict=True)),
        )

    def after(self, result: Result) -> Stock:
        """The stock after an order or an offer is settled."""
        if isinstance(result, Purchase):
            bought = zip(*self, result.lines, strict=True)
            heaps = [(units + line.filled, cost + line.amount) for units, cost, line in bought]
        else:
            used = zip(*self, result.delivery.certificates, strict=True)
            heaps = [(units - n, cost - _part(cost, n, units)) for units, cost, n in used]
        units, cost = zip(*heaps, strict=True)
        return Stock(Materials(*units), Materials(*cost))

    def goods_cost(self, rules: Rules, goods: Goods[int]) -> Goods[int] | None:
        """What the certificates for a mix of goods cost; None if it cannot be made.

        Parameters
        ----------
        rules : Rules
            Whose Production Chart and substitutions hold (R4, R12, R13).
        goods : Goods[int]
            Units of each good, made together.

        Returns
        -------
        Goods[int] or None
            Whole dollars for all units of each good. A substitute's cost is shared by every place
            of the grade that it stands in for, whichever good the place belongs to.

        Examples
        --------
        Two A take four X-FINE and two FINE.

        >>> from exdec import STANDARD
        >>> stock = Stock(Materials(X=4, F=4, S=3), Materials(X=170, F=120, S=45))
        >>> stock.goods_cost(STANDARD, Goods(A=2, B=0, C=1))
        Goods(A=230, B=0, C=60)
        """
        delivery = deliver(rules, self.units, goods)
        if delivery is None:
            return None
        x, f, s = self.average
        recipes = list(zip(goods, rules.production, strict=True))
        _, f_places, s_places = (sum(n * recipe[at] for n, recipe in recipes) for at in range(3))
        # What one place of each grade costs, with the substitutes that stand in it.
        f_place = f + (x - f) * Fraction(delivery.x_for_f, f_places or 1)
        s_place = s + (f - s) * Fraction(delivery.f_for_s, s_places or 1)
        worth = [n * (rx * x + rf * f_place + rs * s_place) for n, (rx, rf, rs) in recipes]
        used = zip(self.cost, delivery.certificates, self.units, strict=True)
        return Goods(*_share(sum(_part(cost, n, units) for cost, n, units in used), worth))


EMPTY = Stock(Materials(0, 0, 0), Materials(0, 0, 0))


def stock_of(results: Iterable[Result]) -> Stock:
    """The stock that a firm's orders and offers have left it, from the start of the game.

    Parameters
    ----------
    results : iterable of Purchase or Sale
        Everything that came of one firm's bids, the oldest first; see `Observation.results`.

    Examples
    --------
    >>> from exdec import Game
    >>> game = Game(["Ann", "Ben"])
    >>> game.order("Ann", X=(10, 41), S=(2, 20))
    >>> game.order("Ben")
    >>> stock_of(game.observe("Ann").results)
    Stock(units=Materials(X=10, F=0, S=2), cost=Materials(X=410, F=0, S=40))
    """
    stock = EMPTY
    for result in results:
        stock = stock.after(result)
    return stock


def _part(cost: int, n: int, units: int) -> int:
    """What `n` of `units` cost, in whole dollars; half a dollar is rounded up."""
    return (2 * cost * n + units) // (2 * units) if units else 0


def _share(total: int, worth: Sequence[Fraction]) -> list[int]:
    """Share whole dollars in proportion to `worth`, so that the parts add up to `total`."""
    whole = sum(worth) or Fraction(1)
    edges = [round(total * upto / whole) for upto in accumulate(worth, initial=Fraction(0))]
    return [high - low for low, high in pairwise(edges)]
