from fractions import Fraction
from itertools import pairwise, product

import pytest

from exdec import STANDARD, Game, Good, Goods, Materials, makeable
from exdec.costs import Stock
from exdec.theory.supply import (
    arc_elasticity,
    best_offer,
    broker_line,
    earnings,
    elasticity,
    lowest_asks,
    marginal_revenue,
    market_supply,
    revenue,
    units_at,
)

WORTHS = [Materials(40, 30, 20), Materials(20, 50, 35), Materials(33, 33, 1)]
STOCKS = [
    Materials(*held)
    for held in ((7, 2, 0), (2, 6, 3), (9, 0, 0), (4, 4, 4), (0, 5, 1), (1, 1, 0), (6, 1, 9))
]


def best_by_trying(held, worth, good, price):
    """Every number of units that can be made, and the largest of those that earn the most."""
    earned = {}
    for units in range(makeable(held).most_of(good) + 1):
        delivery = makeable(held).deliver(**{good.value: units})
        cost = sum(n * each for n, each in zip(delivery.certificates, worth, strict=True))
        earned[units] = units * price - cost
    return max(units for units, made in earned.items() if made == max(earned.values()))


@pytest.mark.parametrize("good", Good)
@pytest.mark.parametrize("worth", WORTHS)
@pytest.mark.parametrize("held", STOCKS)
def test_supply_is_what_trying_every_offer_finds(held, worth, good):
    asks = lowest_asks(held, worth, good)
    assert len(asks) == makeable(held).most_of(good)
    assert all(low <= high for low, high in pairwise(asks))
    for price in range(200):
        assert units_at(asks, price) == best_by_trying(held, worth, good, price)


def test_supply_agrees_with_the_accounting():
    # 7 X-FINE for $363 and 2 FINE for $56: two A take both FINE, the third takes three X-FINE.
    stock = Stock(Materials(7, 2, 0), Materials(363, 56, 0))
    asks = lowest_asks(stock.units, stock.average, Good.A)
    x = Fraction(363, 7)
    assert asks == [2 * x + 28, 2 * x + 28, 3 * x]
    for units in (1, 2, 3):
        cost = stock.goods_cost(STANDARD, Goods(units, 0, 0)).A
        assert cost == round(sum(asks[:units]))


def test_a_later_unit_that_costs_less_shares_with_the_earlier():
    # X-FINE is cheaper than FINE here: the second A would cost 60, the first costs 90.
    assert lowest_asks(Materials(5, 1, 0), Materials(20, 50, 0), Good.A) == [75, 75]


def test_a_market_adds_sideways():
    firms = {"Ann": [130, 130, 150], "Ben": [120, 120], "Cy": [135]}
    supply = market_supply(firms)
    assert [step.firm for step in supply] == ["Ben", "Ben", "Ann", "Ann", "Cy", "Ann"]
    for price in range(100, 160):
        alone = sum(units_at(asks, price) for asks in firms.values())
        assert units_at([step.price for step in supply], price) == alone


def test_the_engine_pays_the_revenue():
    for mine, others in product(range(1, 5), range(5)):
        game = Game(["Ann", "Ben"], STANDARD.vary(starting_cash=9999))
        game.order("Ann", X=(12, 99), F=(6, 99))
        game.order("Ben", X=(12, 99), F=(6, 99))
        by_hand = 140 + 11 - 2 * (mine + others)
        game.offer("Ann", A=(mine, by_hand))
        game.offer("Ben", A=(others, 1))
        assert by_hand == game.report.prices.A
        assert game.report.firms[0].received == revenue(Good.A, 140, mine, others)


def test_the_broker_line_falls_by_two_dollars_a_unit_to_its_floor():
    assert broker_line(Good.C, 90, 3) == [(0, 101), (1, 99), (2, 97), (3, 95)]
    assert broker_line(Good.C, 3, 8)[-2:] == [(7, 1), (8, 1)]


def test_marginal_revenue_is_the_price_less_what_it_takes_off_the_rest():
    for mine, others in product(range(1, 9), range(9)):
        price = 140 + 11 - 2 * (mine + others)
        assert marginal_revenue(Good.A, 140, mine, others) == price - 2 * (mine - 1)


def test_revenue_is_largest_where_elasticity_passes_minus_one():
    totals = [revenue(Good.C, 21, units) for units in range(17)]
    assert max(totals) == totals[8] == 128
    assert elasticity(16, 8) == -1
    assert elasticity(18, 7) < -1 < elasticity(14, 9)
    assert marginal_revenue(Good.C, 21, 8) > 0 > marginal_revenue(Good.C, 21, 9)


def test_an_arc_is_as_elastic_as_its_middle():
    assert arc_elasticity((4, 143), (8, 135)) == elasticity(139, 6) == Fraction(-139, 12)


def test_the_best_offer_is_what_trying_finds():
    worth = [110, 118, 126, 134, 142]
    for last, others in product((100, 120, 140, 160), range(10)):
        made = [earnings(Good.A, last, mine, others, worth) for mine in range(6)]
        assert best_offer(Good.A, last, others, worth) == made.index(max(made))


def test_a_glut():
    """All offer four, since each gains by it; all would earn more at three."""
    worth = [120] * 4
    together = [earnings(Good.A, 140, mine, 2 * mine, worth) for mine in range(5)]
    assert together == [0, 25, 38, 39, 28]
    for others in range(9):
        assert best_offer(Good.A, 140, others, worth) == 4


def test_nothing_offered_has_no_elasticity():
    with pytest.raises(ZeroDivisionError):
        elasticity(151, 0)
