"""The rules on arrays say what the rules for one game say, for every small case there is."""

from itertools import product

import numpy as np
import pytest

from exdec.arrays import hand_in, most_of, most_of_each, posted, weighed
from exdec.items import GOODS, Goods, Materials
from exdec.production import Makeable, deliver, limits
from exdec.rules import STANDARD, Calculator, PastTable, Substitution

X_FOR_F, F_FOR_S = Substitution
CHARTS = {
    "standard": STANDARD.production,
    "one grade each": Goods(Materials(1, 0, 0), Materials(0, 1, 0), Materials(0, 0, 1)),
    "lopsided": Goods(Materials(0, 3, 0), Materials(2, 0, 2), Materials(0, 0, 1)),
    "all alike": Goods(Materials(1, 1, 1), Materials(1, 1, 1), Materials(1, 1, 1)),
}
RULES = [
    pytest.param(STANDARD.vary(production=chart, substitutions=subs), id=f"{name}, {len(subs)}{at}")
    for name, chart in CHARTS.items()
    for at, subs in enumerate([(), (X_FOR_F,), (F_FOR_S,), (X_FOR_F, F_FOR_S)])
]
STOCKS = [Materials(*stock) for stock in product(range(5), repeat=3)]
MIXES = [Goods(*mix) for mix in product(range(4), repeat=3)]


@pytest.fixture(params=RULES)
def rules(request):
    return request.param


def every_case():
    """Each stock beside each mix, as two arrays with the cases on the last axis."""
    cases = list(product(STOCKS, MIXES))
    held, goods = (np.array(side, np.int32).T for side in zip(*cases, strict=True))
    return cases, held, goods


def test_certificates_handed_in_are_those_of_one_game(rules):
    cases, held, goods = every_case()
    certificates, can = hand_in(rules, held, goods)
    deliveries = [deliver(rules, stock, mix) for stock, mix in cases]
    assert can.tolist() == [delivery is not None for delivery in deliveries]
    handed_in = certificates[:, can].T.tolist()
    assert handed_in == [list(each.certificates) for each in deliveries if each is not None]


def test_a_mix_can_be_made_if_and_only_if_it_keeps_below_every_line(rules):
    cases, held, goods = every_case()
    below = [weighed(line.goods, goods) <= weighed(line.materials, held) for line in limits(rules)]
    can = [deliver(rules, stock, mix) is not None for stock, mix in cases]
    assert np.logical_and.reduce(below).tolist() == can


def test_the_most_of_a_good_beside_others_is_that_of_one_game(rules):
    cases = [
        (stock, mix)
        for stock in STOCKS[::3]
        for mix in MIXES[:: 1 if sum(stock) < 6 else 5]
        if deliver(rules, stock, mix) is not None
    ]
    held, goods = (np.array(side, np.int32).T for side in zip(*cases, strict=True))
    for at, good in enumerate(GOODS):
        beside = [Makeable(stock, rules).most_of(good, mix) for stock, mix in cases]
        assert most_of(rules, held, at, goods).tolist() == beside
    stocks = np.array(STOCKS, np.int32).T
    alone = [most_of(rules, stocks, at).tolist() for at in range(3)]
    assert alone == most_of_each(rules, stocks).tolist()


def test_the_most_of_each_good_is_that_of_one_game(rules):
    held = np.array(STOCKS, np.int32).T
    assert most_of_each(rules, held).T.tolist() == [[*Makeable(s, rules).most] for s in STOCKS]
    seats = most_of_each(rules, np.stack([held, held[::-1]]))
    assert (seats[1] == most_of_each(rules, held[::-1])).all()


def test_seats_may_stand_before_grades(rules):
    _, held, goods = every_case()
    certificates, can = hand_in(rules, np.stack([held, held[:, ::-1]]), np.stack([goods, goods]))
    assert certificates.shape == (2, 3, len(can[0]))
    assert (certificates[0] == hand_in(rules, held, goods)[0]).all()
    assert (can[1] == hand_in(rules, held[:, ::-1], goods)[1]).all()


@pytest.mark.parametrize("past_table", PastTable)
@pytest.mark.parametrize("floor", [0, 1, 30])
@pytest.mark.parametrize("calculator", [Calculator(-10, 1, 24), Calculator(11, -2, 16)])
def test_prices_post_as_the_calculator_says(calculator, floor, past_table):
    before, units = (side.ravel() for side in np.mgrid[floor:60, 0:40])
    expected = [
        max(floor, int(price) + calculator.movement(int(total), past_table))
        for price, total in zip(before, units, strict=True)
    ]
    assert posted(calculator, past_table, floor, before, units).tolist() == expected
