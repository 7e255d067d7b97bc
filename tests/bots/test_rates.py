from itertools import product

import numpy as np
import pytest

from exdec import STANDARD
from exdec.bots.rates import best_rates

MATERIALS = np.array([[40], [30], [20]])
GOODS = np.array([[140], [115], [90]])


def profit(goods, months, others_order, others_offer):
    """What goods, a steady number a month, bring over the months: the rules, month by month."""
    x, f, s = 40.0, 30.0, 20.0
    dollars, prices = 0.0, np.array([140.0, 115.0, 90.0])
    a, b, c = goods
    orders = 2 * a + b, a + b + c, b + 2 * c
    for _ in range(months):
        x, f, s = (
            price - 10 + own + other
            for price, own, other in zip((x, f, s), orders, others_order, strict=True)
        )
        prices = prices + 11 - 2 * (goods + others_offer)
        dollars += goods @ prices - (orders[0] * x + orders[1] * f + orders[2] * s)
    return dollars


@pytest.mark.parametrize("months", [1, 5, 12])
@pytest.mark.parametrize(("order", "offer"), [((0, 0, 0), (0, 0, 0)), ((8, 6, 4), (2, 3, 1))])
def test_no_other_steady_rate_earns_more(months, order, offer):
    rates = best_rates(STANDARD, months, MATERIALS, GOODS, np.array([order]).T, np.array([offer]).T)
    best = rates[:, 0]
    assert best.min() > 0
    most = profit(best, months, order, np.array(offer))
    for step in product((-0.1, 0, 0.1), repeat=3):
        if any(step):
            assert profit(best + step, months, order, np.array(offer)) < most


def test_nothing_is_made_where_margins_are_gone_for_good():
    rates = best_rates(STANDARD, 1, MATERIALS + 60, GOODS)
    assert rates.tolist() == [[0]] * 3


def test_prices_that_do_not_answer_to_quantities_are_no_fault():
    rules = STANDARD.vary(materials_calculator={"per_unit": 0}, goods_calculator={"per_unit": 0})
    assert best_rates(rules, 12, MATERIALS, GOODS).tolist() == [[0]] * 3
