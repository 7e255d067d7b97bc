from itertools import pairwise

import pytest

from exdec import STANDARD, Game, Good, Material
from exdec.theory.prices import (
    largest_order,
    opening_price,
    posted_price,
    price_line,
    still_total,
    sure_bid,
)


def january(players, orders):
    """X-FINE's posted price and the bids that succeed, when these are handed in."""
    game = Game(list(players), STANDARD.vary(starting_cash=9999))
    for player, bid in orders.items():
        game.order(player, X=bid)
    firms = dict(zip(players, game.report.firms, strict=True))
    return game.report.prices.X, {name: firm.lines.X.filled for name, firm in firms.items()}


@pytest.mark.parametrize(
    ("item", "total", "price"),
    [
        (Material.X, 12, 42),  # the rulebook's January
        (Material.F, 5, 25),
        (Material.S, 0, 10),
        (Material.X, 11, 41),
        (Material.F, 15, 35),
        (Material.S, 7, 17),
        (Good.A, 7, 137),
        (Good.B, 0, 126),
        (Good.C, 5, 91),
        (Good.A, 4, 143),
        (Good.B, 1, 124),
        (Good.C, 6, 89),
    ],
)
def test_prices_of_the_rulebook(item, total, price):
    assert posted_price(item, opening_price(item), total) == price


def test_the_engine_posts_the_same_price():
    for mine in range(13):
        for theirs in range(13):
            posted, _ = january(["Ann", "Ben"], {"Ann": (mine, 60), "Ben": (theirs, 60)})
            assert posted == posted_price(Material.X, 40, mine + theirs)


def test_a_line_has_a_point_for_every_printed_column():
    line = price_line(Material.X, 40)
    assert [total for total, _ in line] == list(range(25))
    assert {high - low for (_, low), (_, high) in pairwise(line)} == {1}
    goods = [price for _, price in price_line(Good.A, 140)]
    assert {high - low for low, high in pairwise(goods)} == {-2}


def test_no_line_goes_below_its_floor():
    assert price_line(Material.S, 3)[0] == (0, 1)
    assert price_line(Good.C, 4)[-1] == (16, 1)


def test_where_a_price_stands_still():
    assert posted_price(Material.F, 30, int(still_total(Material.F))) == 30
    for total in range(17):
        assert posted_price(Good.B, 115, total) != 115
    low, high = (posted_price(Good.B, 115, total) for total in (5, 6))
    assert (low, high) == (116, 114)


@pytest.mark.parametrize(("others", "bid"), [(12, 45), (0, 30), (0, 31), (5, 44), (12, 41)])
def test_the_largest_order_is_the_last_one_that_the_engine_fills(others, bid):
    filled = [
        january(["Ann", "Ben"], {"Ann": (units, bid), "Ben": (others, 99)})[1]["Ann"]
        for units in range(1, 13)
    ]
    assert largest_order(Material.X, 40, others, bid, 12) == max(filled)


def test_a_sure_bid_succeeds_against_all_and_a_dollar_less_does_not():
    for units in (1, 4, 12):
        bid = sure_bid(Material.X, 40, units, players=3)
        for price, got in ((bid, units), (bid - 1, 0)):
            orders = {"Ann": (units, price), "Ben": (12, 99), "Cy": (12, 99)}
            assert january(["Ann", "Ben", "Cy"], orders)[1]["Ann"] == got


def test_rules_that_were_varied_hold_too():
    steep = STANDARD.vary(materials_calculator={"per_unit": 3})
    assert posted_price(Material.X, 40, 12, steep) == 66
    assert still_total(Material.X, steep) == pytest.approx(10 / 3)
