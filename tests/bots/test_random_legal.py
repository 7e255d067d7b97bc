"""Chance is held to what it should be on average; the seeds are fixed."""

import numpy as np
import pytest

from exdec import STANDARD
from exdec.batch import Batch
from exdec.bots import RandomLegal
from exdec.observations import Bids

GAMES = 40_000


def luck(seed):
    rng = np.random.default_rng(seed)
    return lambda rows: rng.integers(0, 1 << 16, (rows, GAMES), np.uint16)


def first_orders(players=3, seed=1):
    return RandomLegal().orders(Batch(STANDARD, players, GAMES).observe(0, luck(seed)))


def first_offers(stock, seed=1):
    batch = Batch(STANDARD, 2, GAMES)
    ones = np.ones((3, GAMES), np.int32)
    batch.buy([Bids(ones * np.array([stock]).T, ones * 45), Bids(ones * 0, ones)])
    return RandomLegal().offers(batch.observe(0, luck(seed)))


def assert_as_likely(drawn, chances):
    """Pearson's sum of squares, with less than one chance in a million of being so large."""
    expected = GAMES * np.array(list(chances.values()))
    counts = np.array([np.count_nonzero(drawn == value) for value in chances])
    assert counts.sum() == GAMES
    freedom = len(chances) - 1
    squares = ((counts - expected) ** 2 / expected).sum()
    assert squares < freedom + 7 * np.sqrt(2 * freedom) + 14


def equally(values):
    return {value: 1 / len(values) for value in values}


@pytest.mark.parametrize(("players", "most"), [(2, 9), (3, 6), (4, 5), (5, 4), (6, 3)])
def test_the_first_grade_is_any_number_up_to_half_the_limit(players, most):
    assert_as_likely(first_orders(players).units[0], equally(range(most + 1)))


def test_the_third_grade_is_any_number_of_what_is_left_up_to_half():
    """Three may order 12 units and 6 of one grade: after two grades of 0 to 6, 12 - n are left."""
    chances = dict.fromkeys(range(7), 0.0)
    for first in range(7):
        for second in range(7):
            most = min(12 - first - second, 6)
            for units in range(most + 1):
                chances[units] += 1 / 49 / (most + 1)
    assert_as_likely(first_orders().units[2], chances)


@pytest.mark.parametrize(("grade", "last"), [(0, 40), (1, 30), (2, 20)])
def test_bids_lie_from_5_below_to_11_above_the_last_price(grade, last):
    assert_as_likely(first_orders().prices[grade], equally(range(last - 5, last + 12)))


@pytest.mark.parametrize(("good", "last"), [(0, 140), (1, 115), (2, 90)])
def test_asks_lie_from_11_below_to_5_above_the_last_price(good, last):
    assert_as_likely(first_offers((2, 2, 2)).prices[good], equally(range(last - 11, last + 6)))


def test_the_parts_of_the_firm_are_cut_by_chance():
    """With certificates for 6 A, a part p of the firm makes 6 p of them, rounded down. The first
    of two chance cuts lies beyond p with a chance of (1 - p)²."""
    chances = {n: (1 - n / 6) ** 2 - (1 - (n + 1) / 6) ** 2 for n in range(6)}
    assert_as_likely(first_offers((12, 6, 0)).units[0], chances)


def test_the_last_part_of_the_firm_is_as_long_as_the_first():
    """Six FINE and twelve STANDARD make 6 C."""
    chances = {n: (1 - n / 6) ** 2 - (1 - (n + 1) / 6) ** 2 for n in range(6)}
    assert_as_likely(first_offers((0, 6, 12)).units[2], chances)


def test_no_bid_is_below_a_dollar():
    rules = STANDARD.vary(opening_materials=dict.fromkeys("XFS", 1))
    bids = RandomLegal().orders(Batch(rules, 3, GAMES).observe(0, luck(1)))
    assert bids.prices.min() == 1
    assert_as_likely(bids.prices[0], {1: 6 / 17, **dict.fromkeys(range(2, 13), 1 / 17)})


def test_other_bits_make_other_moves():
    assert (first_orders(seed=1).units != first_orders(seed=2).units).any()
