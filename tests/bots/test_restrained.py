import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import play_block
from exdec.bots import FullCapacity, Restrained
from exdec.bots.restrained import best_for_all, share
from exdec.observations import Observations

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


def shares(game):
    views = [Observations.of([game.observe(player)]) for player in game.players]
    return [tuple(share(view)[:, 0].tolist()) for view in views]


def test_january_is_shared_out_to_the_last_good():
    """With margins of $30, $25 and $20 and all 12 months left, all firms should make 2.10 A,
    2.04 B and 1.97 C a month: 2 of each. Dealt round from Ben on, A A B B C C."""
    game = Game(NAMES[:3])
    assert shares(game) == [(0, 1, 1), (1, 1, 0), (1, 0, 1)]


def test_it_orders_what_its_share_takes():
    """Ann's B and C take 1 X-FINE, 2 FINE and 3 STANDARD. Ben and Cy may order 24 units, 8 of
    each: $39, $30 and $21, and $2 to be sure."""
    view = Game(NAMES[:3]).observe("Ann")
    assert Restrained().order(view) == {"X": (1, 41), "F": (2, 32), "S": (3, 23)}


def test_it_offers_its_share_and_keeps_the_rest():
    """Ann can make 2 B and more, and offers her one B and one C. Nobody else has certificates:
    $115 + 11 - 2 and $90 + 11 - 2, less $2 to be sure."""
    game = Game(NAMES[:3])
    settle(game, {"Ann": {"X": (3, 50), "F": (4, 50), "S": (5, 50)}})
    assert Restrained().offer(game.observe("Ann")) == {"B": (1, 122), "C": (1, 97)}


def test_what_it_has_is_not_ordered_again():
    game = Game(NAMES[:3])
    settle(game, {"Ann": {"X": (2, 60), "F": (2, 60), "S": (2, 60)}})
    settle(game)
    total = share(Observations.of([game.observe("Ann")]))[:, 0]
    takes = np.array([[2, 1, 0], [1, 1, 1], [0, 1, 2]]).T @ total
    units = [Restrained().order(game.observe("Ann")).get(grade, (0, 0))[0] for grade in "XFS"]
    assert units == np.maximum(takes - 2, 0).tolist()


@pytest.mark.parametrize("count", range(2, 7))
def test_shares_make_the_whole_and_differ_by_one_at_most(count):
    game = Game(NAMES[:count])
    first = shares(game)
    view = Observations.of([game.observe("Ann")])
    assert np.sum(first, axis=0).tolist() == best_for_all(view, 1)[:, 0].tolist()
    sizes = [sum(hand) for hand in first]
    assert max(sizes) - min(sizes) <= 1


def test_each_month_another_firm_is_served_first():
    """One A, one B and one C to share among four; prices stay while nobody trades."""
    still = {"at_zero": 0}
    goods = {"A": 240, "B": 215, "C": 190}
    game = Game(
        NAMES[:4],
        STANDARD.vary(materials_calculator=still, goods_calculator=still, opening_goods=goods),
    )
    assert shares(game) == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    settle(game)
    settle(game)
    assert shares(game) == [(0, 0, 1), (0, 0, 0), (1, 0, 0), (0, 1, 0)]


def test_it_makes_more_as_the_end_comes_near():
    """What is sold late spoils few months: if there is only this one, all firms should make 3.42,
    3.00 and 2.58."""
    for months, best in {12: [2, 2, 2], 1: [3, 3, 3]}.items():
        view = Observations.of([Game(NAMES[:3], months=months).observe("Ann")])
        assert best_for_all(view, 1)[:, 0].tolist() == best


@pytest.mark.parametrize("count", range(2, 7))
def test_all_together_earn_far_more_than_at_full_capacity(count):
    restrained, full = (
        play_block(STANDARD, [bot] * count, games=1, seed=1).profit.sum()
        for bot in (Restrained(), FullCapacity())
    )
    assert restrained > 3 * max(full, 1_500)
