"""What can be made of which certificates (R4, R12, R13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exdec.errors import BidError
from exdec.items import GOODS, Goods, Materials
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
    a, b, c = goods
    in_a, in_b, in_c = rules.production
    need_x = a * in_a.X + b * in_b.X + c * in_c.X
    need_f = a * in_a.F + b * in_b.F + c * in_c.F
    need_s = a * in_a.S + b * in_b.S + c * in_c.S
    f_for_s = max(0, need_s - held.S)
    if f_for_s and Substitution.F_FOR_S not in rules.substitutions:
        return None
    x_for_f = max(0, need_f + f_for_s - held.F)
    if x_for_f and Substitution.X_FOR_F not in rules.substitutions:
        return None
    if f_for_s > held.F or need_x + x_for_f > held.X:
        return None
    certificates = Materials(need_x + x_for_f, need_f + f_for_s - x_for_f, need_s - f_for_s)
    return Delivery(certificates, x_for_f, f_for_s)


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
        """How many units of `good` can be made when `beside` is made too."""
        most = 0
        while self.can_make(
            **beside._replace(**{good: getattr(beside, good) + most + 1})._asdict()
        ):
            most += 1
        return most

    def deliver(self, A: int = 0, B: int = 0, C: int = 0) -> Delivery | None:
        """The certificates that this mix takes, or None if it cannot be made.

        Examples
        --------
        >>> stock = makeable(X=1, F=2, S=3)
        >>> stock.deliver(B=1, C=1)
        Delivery(certificates=Materials(X=1, F=2, S=3), x_for_f=0, f_for_s=0)
        >>> print(stock.deliver(A=1))
        None
        """
        return deliver(self.rules, self.materials, Goods(A, B, C))

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
        A stock that is not whole and positive.

    Examples
    --------
    >>> makeable(X=1, F=2, S=3).most
    Goods(A=0, B=1, C=2)
    """
    held = Materials(X, F, S) if materials is None else Materials(*materials)
    for grade, units in held._asdict().items():
        if isinstance(units, bool) or not isinstance(units, int) or units < 0:
            raise BidError(f"A stock holds whole certificates; {grade} cannot be {units!r}.")
    return Makeable(held, rules)
