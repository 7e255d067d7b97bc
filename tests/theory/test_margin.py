from fractions import Fraction
from itertools import pairwise, product

import pytest

from exdec import STANDARD, Game, Good, Goods, Material, Materials
from exdec.items import GOODS
from exdec.production import deliver, makeable
from exdec.theory.margin import (
    ask_for_margin,
    average_cost,
    best_plan,
    break_even_ask,
    divisible_revenue,
    made_in_order,
    margin_on_sales,
    mark_up,
    monthly_squeeze,
    plans,
    posted_margins,
    unit_cost,
    value_of_more,
)

PRICES = Goods(143, 122, 97)
PRICE_LISTS = [PRICES, Goods(140, 115, 90), Goods(146, 121, 104), Goods(90, 120, 60)]
STOCKS = [Materials(*units) for units in product((0, 1, 2, 4, 5), repeat=3)]
NO_SUBSTITUTES = STANDARD.vary(substitutions=())


def search(held, prices, worth=(0, 0, 0), rules=STANDARD):
    """The most that a stock comes to, by going through all mixes, makeable or not."""
    best = 0
    for mix in product(range(sum(held) // 3 + 1), repeat=3):
        delivery = deliver(rules, held, Goods(*mix))
        if delivery is not None:
            kept = zip(held, delivery.certificates, worth, strict=True)
            value = sum(n * p for n, p in zip(mix, prices, strict=True))
            best = max(best, value + sum((n - used) * w for n, used, w in kept))
    return best


@pytest.mark.parametrize(("good", "cost"), [(Good.A, 110), (Good.B, 90), (Good.C, 70)])
def test_what_each_good_costs_at_the_opening(good, cost):
    assert unit_cost(good, STANDARD.opening_materials) == cost


def test_an_average_weighs_units_and_not_prices():
    assert average_cost([(1, 44), (4, 49)]) == 48
    assert average_cost([(3, 40), (0, 99)]) == 40


def test_mark_up_and_margin_on_sales_are_parts_of_different_wholes():
    assert (mark_up(125, 100), margin_on_sales(125, 100)) == (25, 20)
    assert (mark_up(80, 100), margin_on_sales(80, 100)) == (-20, -25)
    assert ask_for_margin(96, 20) == 120
    assert margin_on_sales(ask_for_margin(77, 15), 77) == 15


@pytest.mark.parametrize("prices", PRICE_LISTS)
def test_no_other_mix_brings_more(prices):
    for held in STOCKS:
        assert best_plan(held, prices).revenue == search(held, prices)


@pytest.mark.parametrize("worth", [Materials(45, 33, 21), Materials(60, 10, 50)])
def test_certificates_that_are_kept_count(worth):
    for held in STOCKS:
        assert best_plan(held, PRICES, worth).value == search(held, PRICES, worth)


def test_a_stock_whose_certificates_bring_more_than_its_goods_is_kept():
    plan = best_plan(Materials(4, 4, 4), PRICES, worth=Materials(60, 60, 60))
    assert plan == (Goods(0, 0, 0), 0, Materials(4, 4, 4), 720)


def test_without_substitution_less_can_be_made():
    for held in STOCKS:
        found = best_plan(held, PRICES, rules=NO_SUBSTITUTES)
        assert found.revenue == search(held, PRICES, rules=NO_SUBSTITUTES)
        assert found.revenue <= best_plan(held, PRICES).revenue


def test_a_plan_leaves_what_it_does_not_use():
    for plan in plans(Materials(3, 2, 2), PRICES):
        assert sum(plan.left) == 7 - 3 * sum(plan.goods)


def test_two_b_against_one_a_and_one_c():
    # They take the same certificates, so the dearer pair is made, whatever A alone brings.
    assert best_plan(Materials(4, 4, 4), Goods(143, 121, 97)).goods == Goods(0, 4, 0)
    assert best_plan(Materials(4, 4, 4), Goods(143, 119, 97)).goods == Goods(2, 0, 2)


def test_the_dearest_good_first_is_not_always_best():
    made = made_in_order([Good.A, Good.B, Good.C], Materials(5, 4, 4))
    assert made == Goods(2, 1, 1)
    assert best_plan(Materials(5, 4, 4), PRICES)[:2] == (Goods(1, 3, 0), 143 + 3 * 122)


def test_one_more_certificate_by_hand():
    held = Materials(4, 4, 4)
    # 4 B; then 1 A and 3 B; then 2 A and 2 B; then 1 A and 4 B, with an X-FINE for a FINE.
    assert [value_of_more(Material.X, held, PRICES, n) for n in (1, 2, 3)] == [21, 42, 143]
    assert value_of_more(Material.F, held, PRICES) == 0
    assert value_of_more(Material.S, held, PRICES) == 0


@pytest.mark.parametrize("grade", Material)
def test_one_more_certificate_is_what_the_best_plan_gains(grade):
    for held in STOCKS:
        more = held._replace(**{grade.value: held[list(Material).index(grade)] + 1})
        gain = search(more, PRICES) - search(held, PRICES)
        assert value_of_more(grade, held, PRICES) == gain >= 0


def test_break_even_is_what_keeping_would_have_brought():
    worth = Materials(45, 33, 21)
    for held in STOCKS:
        for good in GOODS:
            ask = break_even_ask(good, held, worth)
            if not makeable(held).most_of(good):
                assert ask is None
                continue
            made = [units == good for units in GOODS]
            delivery = deliver(STANDARD, held, Goods(*map(int, made)))
            assert ask == sum(n * w for n, w in zip(delivery.certificates, worth, strict=True))


def test_break_even_beside_other_goods():
    # One B is made anyway; the C then needs an X-FINE in the place of FINE.
    held, worth = Materials(2, 1, 3), Materials(45, 33, 21)
    assert break_even_ask(Good.C, held, worth) == 33 + 2 * 21
    assert break_even_ask(Good.C, held, worth, beside=Goods(0, 1, 0)) == 45 + 2 * 21
    assert break_even_ask(Good.C, held, worth, beside=Goods(0, 3, 0)) is None


@pytest.mark.parametrize("prices", PRICE_LISTS)
def test_divisible_goods_are_whole_goods_of_many_such_stocks(prices):
    # Six such stocks together can be made into whole goods without a rest.
    for held in [Materials(1, 1, 0), Materials(4, 4, 4), Materials(5, 4, 4), Materials(2, 0, 3)]:
        six = best_plan(Materials(*(6 * n for n in held)), prices)
        assert divisible_revenue(held, prices) == Fraction(six.revenue, 6)


def test_three_more_certificates_are_one_more_good_when_goods_can_be_divided():
    revenues = [divisible_revenue(Materials(4 + more, 4, 4), PRICES) for more in range(4)]
    steps = {after - before for before, after in pairwise(revenues)}
    assert steps == {Fraction(143, 3)}


@pytest.mark.parametrize("firms", [2, 3, 4, 6])
def test_full_machines_take_three_dollars_a_month_off_every_margin(firms):
    assert monthly_squeeze(firms) == -3


def test_the_squeeze_is_what_the_engine_posts():
    game = Game(["Ann", "Ben", "Cy", "Dee"], months=3)
    margins = []
    for _ in range(3):
        for player in game.players:
            game.order(player, X=(3, 60), F=(3, 50), S=(3, 40))
        materials = game.state.material_prices
        for player in game.players:
            game.offer(player, A=(1, 100), B=(1, 80), C=(1, 60))
        margins.append(posted_margins(materials, game.state.good_prices, game.rules))
    assert margins == [Goods(27, 22, 17), Goods(24, 19, 14), Goods(21, 16, 11)]
