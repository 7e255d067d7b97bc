from fractions import Fraction
from itertools import product

import pytest

from exdec import STANDARD, Game, Good, Goods, Material, Materials
from exdec.theory.demand import (
    added_worth,
    best_mix,
    crossing,
    demand_prices,
    demanded,
    market_demand,
    most_value,
    quantity_at,
    shifted,
    total_to_post,
    worth_in_good,
    worth_in_order,
)
from exdec.theory.prices import posted_price

OPENING = Goods(A=140, B=115, C=90)
COSTS = Materials(X=40, F=30, S=20)


def can_make(held, goods):
    """Whether certificates cover some goods, by trying every way to substitute (R12)."""
    x, f, s = held
    a, b, c = goods
    return any(
        x >= 2 * a + b + x_for_f
        and f >= a + b + c - x_for_f + f_for_s
        and s >= b + 2 * c - f_for_s
        and x_for_f <= a + b + c
        and f_for_s <= b + 2 * c
        for x_for_f, f_for_s in product(range(x + 1), range(f + 1))
    )


def brute_value(held, prices):
    return max(
        sum(n * price for n, price in zip(goods, prices, strict=True))
        for goods in product(range(4), repeat=3)
        if can_make(held, goods)
    )


def test_a_unit_in_a_good_is_worth_the_good_less_the_other_certificates():
    assert worth_in_good(Good.B, 115, COSTS, Material.X) == 115 - 30 - 20
    assert worth_in_good(Good.A, 140, COSTS, Material.X) == Fraction(140 - 30, 2)
    assert worth_in_good(Good.C, 90, COSTS, Material.S) == Fraction(90 - 30, 2)
    assert worth_in_good(Good.A, 141, COSTS, Material.X) == Fraction(111, 2)


def test_at_what_it_is_worth_a_good_neither_gains_nor_loses():
    cost = int(worth_in_good(Good.B, 115, COSTS, Material.X))
    assert cost + 30 + 20 == 115


def test_a_good_without_the_grade_gives_it_no_worth():
    with pytest.raises(ValueError, match="A takes no STANDARD"):
        worth_in_good(Good.A, 140, COSTS, Material.S)


@pytest.mark.parametrize("prices", [OPENING, Goods(A=143, B=124, C=97), Goods(A=90, B=120, C=60)])
def test_the_best_mix_is_as_good_as_trying_all(prices):
    for held in product(range(4), repeat=3):
        stock = Materials(*held)
        mix = best_mix(stock, prices)
        assert can_make(stock, mix)
        assert most_value(stock, prices) == brute_value(stock, prices)


@pytest.mark.parametrize("grade", list(Material))
def test_what_units_add_is_the_difference_they_make(grade):
    at = "XFS".index(grade)
    for held in product(range(3), repeat=3):
        values = []
        for more in range(4):
            stock = list(held)
            stock[at] += more
            values.append(brute_value(stock, OPENING))
        expected = [values[k + 1] - values[k] for k in range(3)]
        assert added_worth(Materials(*held), OPENING, grade, 3) == expected


def test_substitution_counts_in_what_a_unit_adds():
    held = Materials(X=0, F=0, S=2)
    assert added_worth(held, OPENING, Material.X, 1) == [90]  # a C with X-FINE for FINE
    plain = STANDARD.vary(substitutions=())
    assert added_worth(held, OPENING, Material.X, 1, plain) == [0]


def test_within_an_order_a_unit_is_worth_more_than_the_certificate_it_displaces():
    # C to B and B to A each bring $25 more and save a STANDARD of $20; then only FINE is saved.
    assert worth_in_order(COSTS, OPENING, Material.X, 9, 9) == [45] * 6 + [30] * 3


def test_with_one_good_to_make_the_first_unit_is_worth_what_a_b_leaves_over_a_c():
    left_by_c = 90 - 30 - 2 * 20
    left_by_b = 115 - 30 - 20
    assert worth_in_order(COSTS, OPENING, Material.X, 3, 1) == [left_by_b - left_by_c]


def test_other_grades_have_their_worth_in_an_order_too():
    # Without STANDARD, one C is made of FINE alone, for $90; each STANDARD then saves a FINE.
    dear_x = Materials(X=100, F=30, S=20)
    assert worth_in_order(dear_x, OPENING, Material.S, 3, 2) == [30, 30]


def test_nobody_buys_a_unit_that_only_takes_up_room():
    # X-FINE in place of FINE saves nothing where FINE costs nothing.
    free = Materials(X=40, F=0, S=20)
    assert worth_in_order(free, OPENING, Material.X, 3, 3) == [25, 25, 0]


SCHEDULES = [[115, 25, 25], [0, 140, 60], [25, 25, 90], [70], [], [10, 20, 30, 5], [60, 60, 60]]


@pytest.mark.parametrize("worth", SCHEDULES)
def test_demand_prices_say_how_many_leave_most_at_every_price(worth):
    prices = demand_prices(worth)
    assert prices == sorted(prices, reverse=True)
    assert sum(prices) == sum(worth)
    for price in range(150):
        gains = [sum(worth[:n]) - n * price for n in range(len(worth) + 1)]
        best = max(n for n, gain in enumerate(gains) if gain == max(gains))
        assert demanded(worth, price) == best
        assert quantity_at(prices, price) == best


def test_a_market_wants_at_each_price_what_its_firms_want():
    market = market_demand(SCHEDULES)
    for price in range(150):
        assert quantity_at(market, price) == sum(demanded(worth, price) for worth in SCHEDULES)


def test_a_shift_moves_every_unit_alike():
    market = market_demand([[70, 60], [65]])
    for price in range(40, 90):
        assert quantity_at(shifted(market, 10), price) == quantity_at(market, price - 10)


def test_the_total_for_a_price_posts_that_price():
    for last, price in product((1, 20, 40), (1, 12, 42, 60)):
        total = total_to_post(Material.X, last, price)
        if total is not None:
            assert posted_price(Material.X, last, total) == price
        else:
            assert price < last - 10
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(7, 40))
    game.order("Ben", X=(5, 40))
    assert game.state.material_prices.X == 42
    assert total_to_post(Material.X, 40, 42) == 12


def test_demand_meets_the_brokers_line_where_one_more_would_not_be_worth_its_price():
    curve = market_demand([[70, 60, 45], [65, 50, 34]])
    units, price = crossing(curve, Material.X, 40)
    assert price == 40 - 10 + units
    assert curve[units - 1] >= price
    assert units == len(curve) or curve[units] < price + 1
    assert crossing([], Material.X, 40) == (0, 30)
