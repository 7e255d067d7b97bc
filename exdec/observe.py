"""What one seat may know (R21).

Open to all are posted prices, the units each firm ordered and offered, and the certificates face
up on the table. Secret are bid and ask prices and cash, unless `Rules.reveal` opens them. A view
is built by naming what belongs in it, never by taking things away from something bigger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from exdec.engine import seat
from exdec.items import Goods, Materials
from exdec.model import BuyReport, Line, Report, Result, State, Step
from exdec.production import Makeable
from exdec.rules import Reveal, Rules

if TYPE_CHECKING:
    from numpy.random import Generator


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
    >>> view = Game(["Ann", "Ben", "Cy"]).observe("Ann")
    >>> view.month, view.cash, view.material_prices.X, view.order_limit
    (1, 600, 40, 12)
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
    def makeable(self) -> Makeable:
        """What this player's certificates can be made into."""
        return Makeable(self.materials, self.rules)


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
