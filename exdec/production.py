"""What can be made of which certificates (R4, R12, R13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from exdec.errors import BidError, shown
from exdec.items import GOODS, Goods, Materials, whole
from exdec.model import Delivery
from exdec.rules import STANDARD, Rules, Substitution

NOTHING = Goods(0, 0, 0)


def deliver(rules: Rules, held: Materials[int], goods: Goods[int]) -> Delivery | None:
    """Certificates handed in for `goods` with the fewest substitutions; None if `held` falls short.

    All goods are judged together (R13). A missing STANDARD is replaced by FINE, and whatever FINE
    is then missing by X-FINE; nothing else can help, so this is both the least substitution and
    the only test there is.

    Examples
    --------
    >>> deliver(STANDARD, Materials(X=0, F=2, S=1), Goods(A=0, B=0, C=1))
    Delivery(certificates=Materials(X=0, F=2, S=1), x_for_f=0, f_for_s=1)
    """
    places = _fill(rules, held, goods)
    if places is None:
        return None
    x, f, s, x_for_f, f_for_s = places
    return Delivery(Materials(x, f, s), x_for_f, f_for_s)


def _fill(
    rules: Rules, held: Materials[int], goods: Sequence[int]
) -> tuple[int, int, int, int, int] | None:
    """Fill the places for `goods`: certificates X, F and S, and substitutes X for F and F for S."""
    a, b, c = goods
    (ax, af, as_), (bx, bf, bs), (cx, cf, cs) = rules.production
    need_x = a * ax + b * bx + c * cx
    need_f = a * af + b * bf + c * cf
    need_s = a * as_ + b * bs + c * cs
    held_x, held_f, held_s = held
    f_for_s = x_for_f = 0
    if need_s > held_s:
        f_for_s = need_s - held_s
        if f_for_s > held_f or Substitution.F_FOR_S not in rules.substitutions:
            return None
    if need_f + f_for_s > held_f:
        x_for_f = need_f + f_for_s - held_f
        if Substitution.X_FOR_F not in rules.substitutions:
            return None
    if need_x + x_for_f > held_x:
        return None
    return need_x + x_for_f, need_f + f_for_s - x_for_f, need_s - f_for_s, x_for_f, f_for_s


class Limit(NamedTuple):
    """One straight line that a mix of goods must keep below.

    Goods can be made if their weighted units do not exceed the weighted certificates.
    """

    goods: Goods[int]
    materials: Materials[int]


def limits(rules: Rules) -> tuple[Limit, ...]:
    """What `deliver` asks of a mix, as straight lines: all must hold, and no more is needed.

    Without substitution each grade's places must not exceed its certificates. A substitution lets
    two grades be counted together, and the better of the two still by itself. Both in a row let
    all three be counted together; STANDARD places are then still held to STANDARD and FINE,
    since X-FINE never fills them (R12, R13).

    Examples
    --------
    >>> for limit in limits(STANDARD):
    ...     print(*limit)
    Goods(A=2, B=1, C=0) Materials(X=1, F=0, S=0)
    Goods(A=3, B=2, C=1) Materials(X=1, F=1, S=0)
    Goods(A=0, B=1, C=2) Materials(X=0, F=1, S=1)
    Goods(A=3, B=3, C=3) Materials(X=1, F=1, S=1)
    """
    return _limits(rules.production, rules.substitutions)


@lru_cache(maxsize=256)
def _limits(
    production: Goods[Materials[int]], substitutions: tuple[Substitution, ...]
) -> tuple[Limit, ...]:
    x_for_f = Substitution.X_FOR_F in substitutions
    f_for_s = Substitution.F_FOR_S in substitutions
    lines = [((1, 0, 0), (1, 0, 0))]
    lines.append(((1, 1, 0), (1, 1, 0)) if x_for_f else ((0, 1, 0), (0, 1, 0)))
    if not f_for_s:
        lines.append(((0, 0, 1), (0, 0, 1)))
    elif x_for_f:
        # Places for FINE may all be left to X-FINE, so FINE itself can stand in for STANDARD.
        lines += [((0, 0, 1), (0, 1, 1)), ((1, 1, 1), (1, 1, 1))]
    else:
        lines.append(((0, 1, 1), (0, 1, 1)))

    def places(weights: tuple[int, ...]) -> Goods[int]:
        return Goods(
            *(sum(n * w for n, w in zip(recipe, weights, strict=True)) for recipe in production)
        )

    return tuple(Limit(places(counted), Materials(*held)) for counted, held in lines)


@dataclass(frozen=True, slots=True)
class Makeable:
    """What a stock of certificates can be made into; `makeable` makes one."""

    materials: Materials[int]
    rules: Rules

    @property
    def most(self) -> Goods[int]:
        """The most of each good, if nothing else is made."""
        return Goods(*(self.most_of(good) for good in GOODS))

    def most_of(self, good: str, beside: Goods[int] = NOTHING) -> int:
        """How many units of `good` can be made when `beside` is made too.

        Raises
        ------
        BidError
            There is no such good.
        """
        if good not in Goods._fields:
            raise BidError(f"There is no good {shown(good)}; there are A, B and C.")
        at = Goods._fields.index(good)
        mix = list(beside)
        mix[at] += 1
        while _fill(self.rules, self.materials, mix) is not None:
            mix[at] += 1
        return mix[at] - 1 - beside[at]

    def deliver(self, A: int = 0, B: int = 0, C: int = 0) -> Delivery | None:
        """The certificates that this mix takes, or None if it cannot be made.

        Examples
        --------
        >>> stock = makeable(X=1, F=2, S=3)
        >>> stock.deliver(B=1, C=1)
        Delivery(certificates=Materials(X=1, F=2, S=3), x_for_f=0, f_for_s=0)
        >>> print(stock.deliver(A=1))
        None

        Raises
        ------
        BidError
            Units that are not whole, or below 0.
        """
        mix = Goods(_count("A mix", "A", A), _count("A mix", "B", B), _count("A mix", "C", C))
        return deliver(self.rules, self.materials, mix)

    def can_make(self, A: int = 0, B: int = 0, C: int = 0) -> bool:
        """Whether this mix can be made of the stock."""
        return self.deliver(A, B, C) is not None

    def mixes(self) -> Iterator[Goods[int]]:
        """Every mix that can be made, nothing at all included, in the order of A, B, C."""
        most = self.most
        for a in range(most.A + 1):
            for b in range(most.B + 1):
                if not self.can_make(a, b):
                    break
                for c in range(most.C + 1):
                    if not self.can_make(a, b, c):
                        break
                    yield Goods(a, b, c)


def makeable(
    materials: Materials[int] | None = None,
    *,
    X: int = 0,
    F: int = 0,
    S: int = 0,
    rules: Rules = STANDARD,
) -> Makeable:
    """Look up what a stock of certificates can be made into.

    Parameters
    ----------
    materials : Materials[int], optional
        The stock; or give it as ``X=…, F=…, S=…``.
    rules : Rules
        Whose Production Chart and substitutions hold.

    Raises
    ------
    BidError
        A stock that is not of whole numbers, 0 or more, or that is given twice.

    Examples
    --------
    >>> makeable(X=1, F=2, S=3).most
    Goods(A=0, B=1, C=2)
    """
    if materials is None:
        held = Materials(X, F, S)
    elif X or F or S:
        raise BidError("Give a stock as one value or as X=…, F=…, S=…, not both.")
    elif isinstance(materials, tuple) and len(materials) == 3:
        held = Materials(*materials)
    else:
        raise BidError(f"A stock is Materials(X=…, F=…, S=…), not {shown(materials)}.")
    stock = Materials(*(_count("A stock", grade, n) for grade, n in held._asdict().items()))
    return Makeable(stock, rules)


def _count(what: str, name: str, units: int) -> int:
    """Take whole numbers from 0."""
    try:
        number = whole(units)
    except TypeError:
        number = -1
    if number < 0:
        raise BidError(f"{what} has whole units of {name}, 0 or more, not {shown(units)}.")
    return number
