"""Numbers that lesson 3 tells, worked out by the engine."""

from pathlib import Path

from exdec import STANDARD, Game, Good
from exdec.analysis import goods_sold
from exdec.bots import Cautious, FullCapacity
from exdec.lessons.answers import general, supply
from exdec.play import play
from exdec.theory.prices import opening_price, posted_price
from exdec.theory.supply import earnings

rush = Game.load(Path(__file__).parent / "rush.jsonl")
firms = len(rush.players)


def _margins(month, good=Good.A):
    """What each firm earned by one good, in the order of the seats."""
    return [
        sum(s.margin for s in goods_sold(rush, name) if (s.month, s.good) == (month, good))
        for name in rush.players
    ]


def _signed(amount):
    return f"−\\${-amount}" if amount < 0 else f"\\${amount}"


at_zero = STANDARD.goods_calculator.at_zero
slope = -STANDARD.goods_calculator.per_unit
a = opening_price(Good.A)
a_row = a + at_zero

january_each, february_each = (rush.steps[at].report.firms[0].lines.A.units for at in (1, 3))
ann_january, ben_january, cy_january = map(_signed, _margins(1))
ann_february, ben_february, cy_february = map(_signed, _margins(2))
# February's A, had its certificates cost what they did in January.
ann_old_cost, ben_old_cost, cy_old_cost = (
    _signed(line.amount - line.filled * int(supply.cost(rush, name, month=1)))
    for name, line in zip(
        rush.players, (firm.lines.A for firm in rush.steps[3].report.firms), strict=True
    )
)
a_january, a_february, a_march = (rush.steps[at].report.prices.A for at in (1, 3, 5))
sold_february = rush.steps[3].report.units.A
x_march, f_march = rush.steps[4].report.prices.X, rush.steps[4].report.prices.F

ann_revenue_january, ann_revenue_february = (
    rush.steps[at].report.firms[0].lines.A.amount for at in (1, 3)
)

# Ann's first A in January.
ann_x = general.unit_cost(rush, "Ann", item="X", month=1)
ann_f = general.unit_cost(rush, "Ann", item="F", month=1)
ann_cost = supply.cost(rush, "Ann", month=1)

# The row for an example of revenue.
four, five = 4, 5
four_price, five_price = (posted_price(Good.A, a, units) for units in (four, five))
four_money, five_money = four * four_price, five * five_price
fifth_added = five_money - four_money
fifth_lost = four * slope

# March: what the certificates in an A bring.
ann_ask = rush.steps[5].report.firms[0].lines.A.price
ben_units, ben_ask = rush.steps[5].report.firms[1].lines.A[:2]
ben_most = posted_price(Good.A, a_february, ben_units)
without_ben = posted_price(Good.A, a_february, rush.steps[5].report.units.A - ben_units)
back = supply.cost_at_market(rush, "Ann", month=3, item="A")
ann_units = rush.steps[5].report.firms[0].lines.A.units
given_up = (back - ann_ask) * ann_units

# The glut of the prediction.
worth = 120
each = [earnings(Good.A, a, n, (firms - 1) * n, [worth] * n) for n in range(5)]


# Take lesson 3 further: three firms alike, to June.
def _half_year(strategy):
    """What X-FINE posts at in June, what each of three firms alike earns, and what it orders."""
    alike = play(STANDARD.vary(months=6), dict.fromkeys(rush.players, strategy), seed=1)
    units = sum(line.units for line in alike.steps[0].report.firms[0].lines)
    return alike.steps[-2].report.prices.X, alike.profit[rush.players[0]], units


quiet_x, quiet_profit, cautious_units = _half_year(Cautious())
crowded_x, crowded_profit, _ = _half_year(FullCapacity())
