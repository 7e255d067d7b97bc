"""What strategies do alike, against a plain reading of what each tool says."""

from itertools import product

import numpy as np
import pytest

from exdec import STANDARD
from exdec.batch import Batch
from exdec.bots.tools import in_turn, within_cash
from exdec.items import Goods, Materials
from exdec.production import deliver
from exdec.rules import Substitution

STOCKS = list(product(range(6), range(6), range(6)))


def batch_of(rules, stocks, cash=0):
    batch = Batch(rules, 2, len(stocks))
    batch.certificates[0] = np.array(stocks).T
    batch.cash[0] = cash
    return batch.observe(0, None)


def made_in_turn(rules, stock):
    made, going = [0, 0, 0], True
    while going:
        going = False
        for good in range(3):
            made[good] += 1
            if deliver(rules, Materials(*stock), Goods(*made)) is None:
                made[good] -= 1
            else:
                going = True
    return made


@pytest.mark.parametrize("substitutions", [(), *((one,) for one in Substitution), (*Substitution,)])
@pytest.mark.parametrize("chart", [{}, {"A": {"X": 0, "F": 3}, "C": {"F": 0, "S": 1}}])
def test_goods_are_made_one_by_one_until_nothing_more_can_be_made(chart, substitutions):
    rules = STANDARD.vary(production=chart, substitutions=substitutions)
    view = batch_of(rules, STOCKS)
    before = view.materials.copy()
    assert in_turn(view).T.tolist() == [made_in_turn(rules, stock) for stock in STOCKS]
    assert (view.materials == before).all()


def test_an_order_shrinks_by_one_of_each_until_the_cash_covers_it():
    games = [
        (cash, units) for cash in range(0, 130, 3) for units in product([0, 1, 4, 7], repeat=3)
    ]
    cash, units = (np.array(side).T for side in zip(*games, strict=True))
    prices = np.array([[5], [3], [2]], np.int32)
    expected = []
    for dollars, order in games:
        left = list(order)
        while sum(n * price for n, price in zip(left, (5, 3, 2), strict=True)) > dollars:
            left = [max(0, n - 1) for n in left]
        expected.append(left)
    view = batch_of(STANDARD, [(0, 0, 0)] * len(games), cash)
    assert within_cash(view, units, np.broadcast_to(prices, units.shape)).T.tolist() == expected
