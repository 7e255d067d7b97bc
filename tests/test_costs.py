from itertools import pairwise

from hypothesis import given
from strategies import whole_game

from exdec import STANDARD, Game
from exdec.costs import EMPTY, Stock, stock_of
from exdec.items import Goods, Materials
from exdec.model import Purchase


def held(units, cost):
    return Stock(Materials(*units), Materials(*cost))


def test_a_heap_keeps_its_average_when_certificates_are_handed_in():
    game = Game(["Ann", "Ben"], STANDARD.vary(months=2))
    game.order("Ann", X=(4, 41), F=(2, 30))
    game.order("Ben")
    game.offer("Ann", A=(1, 140))
    game.offer("Ben")
    game.order("Ann", X=(2, 50))
    game.order("Ben")
    stock = stock_of(game.observe("Ann").results)
    # 164 for 4, less half of it, and 100 for 2 more: 182 for 4. FINE: 60 for 2, less half.
    assert stock == held((4, 1, 0), (182, 30, 0))
    assert [float(cost) for cost in stock.average] == [45.5, 30, 0]


def test_bids_that_failed_cost_nothing():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(4, 20), F=(2, 30))  # 4 X-FINE post at $34: $20 is below it
    game.order("Ben")
    assert stock_of(game.observe("Ann").results) == held((0, 2, 0), (0, 60, 0))


def test_a_good_costs_what_its_places_cost():
    stock = held((5, 5, 5), (200, 150, 100))
    assert stock.goods_cost(STANDARD, Goods(1, 1, 1)) == (2 * 40 + 30, 40 + 30 + 20, 30 + 2 * 20)
    assert stock.goods_cost(STANDARD, Goods(2, 0, 0)) == (220, 0, 0)
    assert stock.goods_cost(STANDARD, Goods(0, 0, 0)) == (0, 0, 0)


def test_a_substitute_is_paid_by_all_places_of_its_grade():
    # C takes 1 FINE + 2 STANDARD; one STANDARD is short, so 2 FINE + 1 STANDARD are used.
    assert held((0, 2, 1), (0, 60, 15)).goods_cost(STANDARD, Goods(0, 0, 1)) == (0, 0, 75)
    # B and C have three STANDARD places, of which FINE fills one: (15 + 15 + 30) / 3 = 20 each.
    stock = held((1, 3, 2), (40, 90, 30))
    assert stock.goods_cost(STANDARD, Goods(0, 1, 1)) == (0, 40 + 30 + 20, 30 + 2 * 20)


def test_what_cannot_be_made_has_no_cost():
    assert held((1, 1, 1), (40, 30, 20)).goods_cost(STANDARD, Goods(1, 0, 0)) is None


def test_the_last_certificates_take_every_dollar_that_is_left():
    stock = held((6, 3, 0), (100, 100, 0))
    one = stock.goods_cost(STANDARD, Goods(1, 0, 0))
    assert sum(one) == 33 + 33  # 33⅓ each: rounded, and the rest stays on the heap
    assert stock.goods_cost(STANDARD, Goods(3, 0, 0)) == (200, 0, 0)


@given(whole_game())
def test_every_dollar_paid_is_in_the_stock_or_in_the_goods_sold(game):
    for seat in range(len(game.start.players)):
        results = [step.report.firms[seat] for step in game.steps]
        stocks = [stock_of(results[:upto]) for upto in range(len(results) + 1)]
        assert stocks[0] == EMPTY
        assert stocks[-1].units == game.end.firms[seat].materials
        for (before, after), result in zip(pairwise(stocks), results, strict=True):
            moved = sum(after.cost) - sum(before.cost)
            if isinstance(result, Purchase):
                assert moved == result.paid
            else:
                sold = Goods(*(line.filled for line in result.lines))
                costs = before.goods_cost(game.start.rules, sold)
                assert moved == -sum(costs)
                assert all(cost >= 0 for cost in costs)
                assert all(cost == 0 for cost, n in zip(costs, sold, strict=True) if not n)
            for units, cost in zip(*after, strict=True):
                assert cost >= 0
                assert units or not cost
