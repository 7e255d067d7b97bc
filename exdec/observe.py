"""What one seat may know (R21).

Open to all are posted prices, the units each firm ordered and offered, and the certificates face
up on the table. Secret are bid and ask prices and cash, unless `Rules.reveal` opens them. A view
is built by naming what belongs in it, never by taking things away from something bigger.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from exdec.costs import Stock, stock_of
from exdec.engine import seat
from exdec.errors import BidError, shown
from exdec.items import GOODS, MATERIALS, Goods, Materials
from exdec.model import BuyReport, Line, Report, Result, State, Step
from exdec.production import Makeable
from exdec.rules import Reveal, Rules

if TYPE_CHECKING:
    from numpy.random import Generator

Units: TypeAlias = int | Mapping[str, int] | Sequence[int]
"""Units of three grades or goods: one number for each of them, a mapping or three numbers."""


class Posting(NamedTuple):
    """What everyone learns from one settled step; tuples have one value for each player.

    Parameters
    ----------
    month : int
        From 1.
    step : Step
        `Step.BUY` or `Step.SELL`.
    units, before, movement, prices : Materials[int] or Goods[int]
        Units announced by all, price before, movement on the Market Calculator, posted price.
    announced : tuple of Materials[int] or of Goods[int]
        Units that each player ordered or offered.
    certificates : tuple of Materials[int]
        What each player holds afterwards, face up.
    cash : tuple of int, or None
        What each player has afterwards, if the rules reveal it.
    lines : tuple of Materials[Line] or of Goods[Line], or None
        What each player bid and what came of it, if the rules reveal it.
    """

    month: int
    step: Step
    units: Materials[int] | Goods[int]
    before: Materials[int] | Goods[int]
    movement: Materials[int] | Goods[int]
    prices: Materials[int] | Goods[int]
    announced: tuple[Materials[int], ...] | tuple[Goods[int], ...]
    certificates: tuple[Materials[int], ...]
    cash: tuple[int, ...] | None
    lines: tuple[Materials[Line] | Goods[Line], ...] | None


def publish(rules: Rules, report: Report) -> Posting:
    """Say of a settled step what everyone may know."""
    step: Step
    announced: tuple[Materials[int], ...] | tuple[Goods[int], ...]
    firms: tuple[Result, ...] = report.firms
    if isinstance(report, BuyReport):
        step = Step.BUY
        orders = [firm.lines for firm in report.firms]
        announced = tuple([Materials(o.X.units, o.F.units, o.S.units) for o in orders])
    else:
        step = Step.SELL
        offers = [firm.lines for firm in report.firms]
        announced = tuple([Goods(o.A.units, o.B.units, o.C.units) for o in offers])
    return Posting(
        month=report.month,
        step=step,
        units=report.units,
        before=report.before,
        movement=report.movement,
        prices=report.prices,
        announced=announced,
        certificates=tuple([firm.materials for firm in firms]),
        cash=tuple([firm.cash for firm in firms]) if Reveal.CASH in rules.reveal else None,
        lines=tuple([firm.lines for firm in firms]) if Reveal.BIDS in rules.reveal else None,
    )


@dataclass(frozen=True, slots=True)
class Observation:
    """What one player knows when it is time to order or offer.

    Parameters
    ----------
    player : str
        Whose view this is.
    rules : Rules
    players : tuple of str
    month : int
        From 1.
    step : Step
        What is handed in next.
    material_prices, good_prices : Materials[int], Goods[int]
        The latest posted prices, in dollars a unit.
    certificates : tuple of Materials[int]
        What each player holds, face up.
    postings : tuple of Posting
        What was posted so far, the oldest first.
    cash, materials : int, Materials[int]
        What this player has.
    results : tuple of Purchase or Sale
        What came of this player's own orders and offers, the oldest first.
    rng : numpy.random.Generator, optional
        Chance, for strategies that want it; no part of what is known, so not compared.

    Examples
    --------
    >>> from exdec import Game
    >>> game = Game(["Ann", "Ben", "Cy"])
    >>> view = game.observe("Ann")
    >>> view.month, view.cash, view.material_prices.X, view.order_limit
    (1, 600, 40, 12)

    What a strategy asks for, once orders are settled:

    >>> game.order("Ann", X=(2, 42), F=(2, 35), S=(2, 25))
    >>> game.order("Ben", X=(9, 42), F=(3, 36))
    >>> game.order("Cy", F=(6, 36))
    >>> view = game.observe("Ann")
    >>> view.makeable.most
    Goods(A=1, B=2, C=2)
    >>> view.unit_cost
    Materials(X=42.0, F=35.0, S=25.0)
    >>> view.others_ordered[-1]
    Materials(X=9, F=9, S=0)
    """

    player: str
    rules: Rules
    players: tuple[str, ...]
    month: int
    step: Step
    material_prices: Materials[int]
    good_prices: Goods[int]
    certificates: tuple[Materials[int], ...]
    postings: tuple[Posting, ...]
    cash: int
    materials: Materials[int]
    results: tuple[Result, ...]
    rng: Generator | None = field(default=None, compare=False, repr=False)

    @property
    def order_limit(self) -> int:
        """Units of all grades together that this player may order a month (R7)."""
        return self.rules.order_limit.at(len(self.players))

    @property
    def grade_limit(self) -> int:
        """Units of one grade that this player may order a month (R7)."""
        of_one_grade = self.rules.grade_limit.at(len(self.players))
        return self.order_limit if of_one_grade is None else min(of_one_grade, self.order_limit)

    @property
    def others_limit(self) -> int:
        """Units of one grade that all others together may order a month (R7)."""
        return (len(self.players) - 1) * self.grade_limit

    @property
    def makeable(self) -> Makeable:
        """What this player's certificates can be made into."""
        return Makeable(self.materials, self.rules)

    @property
    def stock(self) -> Stock:
        """Certificates this player holds, and what was paid for them."""
        return stock_of(self.results)

    @property
    def unit_cost(self) -> Materials[float]:
        """Dollars that a certificate of each grade cost on average; 0 if there is none."""
        return Materials(*map(float, self.stock.average))

    def cost_of(self, goods: Units) -> int:
        """Whole dollars that the certificates for a mix of goods cost this player.

        Parameters
        ----------
        goods : int, mapping or three int
            Units of each good: ``{"A": 2, "C": 1}``.

        Raises
        ------
        BidError
            The goods cannot be made of what this player holds.

        Examples
        --------
        >>> from exdec import Game
        >>> game = Game(["Ann", "Ben"])
        >>> game.order("Ann", X=(2, 41), F=(2, 31), S=(1, 21))
        >>> game.order("Ben")
        >>> game.observe("Ann").cost_of({"B": 1})
        93
        """
        mix = Goods(*_each(GOODS, goods))
        cost = self.stock.goods_cost(self.rules, mix)
        if cost is None:
            wanted = ", ".join(f"{n} {good}" for good, n in zip(GOODS, mix, strict=True) if n)
            raise BidError(
                f"{wanted} cannot be made of what {self.player} holds, so there is no cost. "
                "See view.makeable for what can."
            )
        return sum(cost)

    def materials_at(self, units: Units) -> Materials[int]:
        """What materials post at if all firms together order `units`, in dollars a unit.

        Parameters
        ----------
        units : int, mapping or three int
            A guess at each grade's total: one number for all grades, ``{"X": 12, "F": 5}`` or
            three numbers. A grade left out counts as 0.

        Raises
        ------
        BidError
            Units that are not whole, below 0, or of no such grade.

        Examples
        --------
        >>> from exdec import Game
        >>> view = Game(["Ann", "Ben"]).observe("Ann")
        >>> view.materials_at({"X": 12, "F": 5})
        Materials(X=42, F=25, S=10)
        >>> view.materials_at(11)
        Materials(X=41, F=31, S=21)
        """
        rules = self.rules
        moves = [
            rules.materials_calculator.movement(n, rules.past_table)
            for n in _each(MATERIALS, units)
        ]
        return Materials(*_moved(self.material_prices, moves, rules.materials_floor))

    def goods_at(self, units: Units) -> Goods[int]:
        """What goods post at if all firms together offer `units`, in dollars a unit.

        See `materials_at`.

        Examples
        --------
        >>> from exdec import Game
        >>> Game(["Ann", "Ben"]).observe("Ann").goods_at({"A": 7, "C": 5})
        Goods(A=137, B=126, C=91)
        """
        rules = self.rules
        moves = [rules.goods_calculator.movement(n, rules.past_table) for n in _each(GOODS, units)]
        return Goods(*_moved(self.good_prices, moves, rules.goods_floor))

    @property
    def others_certificates(self) -> Materials[int]:
        """What all others hold together."""
        mine = self.players.index(self.player)
        held = [one for at, one in enumerate(self.certificates) if at != mine]
        return Materials(*map(sum, zip(*held, strict=True)))

    @property
    def others_ordered(self) -> tuple[Materials[int], ...]:
        """Units that all others ordered together, for each month whose orders are settled.

        The last one is ``others_ordered[-1]``; there is none when January's orders are asked for.
        """
        return tuple([Materials(*units) for units in self._others(Step.BUY)])

    @property
    def others_offered(self) -> tuple[Goods[int], ...]:
        """Units that all others offered together, for each month whose offers are settled.

        The last one is ``others_offered[-1]``; there is none in January.
        """
        return tuple([Goods(*units) for units in self._others(Step.SELL)])

    def _others(self, step: Step) -> Iterable[Iterable[int]]:
        mine = self.players.index(self.player)
        for posting in self.postings:
            if posting.step is step:
                own = posting.announced[mine]
                yield [total - n for total, n in zip(posting.units, own, strict=True)]


def _each(items: Sequence[str], units: Units) -> list[int]:
    """Read units of three grades or goods, in the order of the board."""
    if isinstance(units, Mapping):
        for key in units:
            if key not in items:
                raise BidError(f"There is no {shown(key)} here; there are {', '.join(items)}.")
        three: Sequence[object] = [units.get(item, 0) for item in items]
    elif isinstance(units, Sequence) and not isinstance(units, str):
        three = units
    else:
        three = [units] * 3
    if len(three) != 3:
        raise BidError(f"Give units of {', '.join(items)}: three numbers, not {len(three)}.")
    return [_whole(item, n) for item, n in zip(items, three, strict=True)]


def _whole(item: str, units: object) -> int:
    try:
        number = operator.index(units)  # type: ignore[arg-type]
    except TypeError:
        raise BidError(
            f"Units of {item} are a whole number, not {shown(units)}. round(…) makes it one."
        ) from None
    if number < 0:
        raise BidError(f"Units of {item} run from 0, not {shown(units)}.")
    return number


def _moved(prices: Sequence[int], moves: Sequence[int], floor: int) -> list[int]:
    return [max(floor, price + move) for price, move in zip(prices, moves, strict=True)]


def observe(
    state: State,
    player: str,
    postings: Sequence[Posting] = (),
    results: Sequence[Result] = (),
    rng: Generator | None = None,
) -> Observation:
    """Show a player what that seat may know.

    Parameters
    ----------
    state : State
    player : str
    postings : sequence of Posting
        `publish` of every settled step so far.
    results : sequence of Purchase or Sale
        What came of this player's own orders and offers so far.
    rng : numpy.random.Generator, optional
        Handed on to strategies that want chance.

    Raises
    ------
    TurnError
        Nobody of that name plays.
    """
    firm = state.firms[seat(state, player)]
    return Observation(
        player=player,
        rules=state.rules,
        players=state.players,
        month=state.month,
        step=state.step,
        material_prices=state.material_prices,
        good_prices=state.good_prices,
        certificates=tuple([one.materials for one in state.firms]),
        postings=tuple(postings),
        cash=firm.cash,
        materials=firm.materials,
        results=tuple(results),
        rng=rng,
    )
