import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import play_block
from exdec.bots import BidShader, FullCapacity
from exdec.bots.bid_shader import best_chance, totals

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


def test_chance_times_gain_decides():
    """A certificate worth $50 at $40, $43 or $48, with chances of 1, 2 and 3 in 4: $2.50, $3.50
    or $1.50 are to be hoped for. Worth $41, only $40 gains; worth $60, it pays to be sure."""
    prices = np.array([40, 43, 48])[:, None, None] + np.zeros((3, 3, 1), int)
    worth = np.array([[50], [41], [60]])
    price, hoped = best_chance(prices, worth - prices)
    assert price.T.tolist() == [[43, 40, 48]]
    assert hoped.T.tolist() == [[3.5, 0.25, 9]]


def test_totals_are_those_seen_and_the_one_expected_before_in_order():
    seen = np.array([[[9], [1], [4]], [[5], [8], [6]]])
    assert totals(np.array([[7], [7], [7]]), seen)[..., 0].T.tolist() == [
        [5, 7, 9],
        [1, 7, 8],
        [4, 6, 7],
    ]


def test_january_bids_what_full_capacity_of_all_would_post():
    """4 + 8 units move each price by 2; a certificate is worth (30 + 25 + 20) / 9 dollars more
    than it costs."""
    view = Game(NAMES[:3]).observe("Ann")
    assert BidShader().order(view) == {"X": (4, 42), "F": (4, 32), "S": (4, 22)}


def test_february_weighs_january_and_what_was_expected():
    """In January the others ordered 24, 0 and 0 units; 16, 4 and 4 are expected now. Beside 4 of
    its own X-FINE posts at 64 or 72, FINE at 14 or 18, STANDARD at 4 or 8. Goods bring $23, $42
    and $61 over their certificates, $14 for each: worth are 68, 34 and 24. A chance of 1 in 3 at
    $4 on X-FINE is better than a loss; on FINE and STANDARD 2 in 3 at $16 is better than 1 in 3 at
    $20."""
    game = Game(NAMES[:3])
    settle(game, {"Ben": {"X": (12, 1)}, "Cy": {"X": (12, 1)}})
    settle(game)
    view = game.observe("Ann")
    assert BidShader().order(view) == {"X": (4, 64), "F": (4, 18), "S": (4, 8)}


def test_its_ask_is_what_goods_are_likely_to_post_at():
    """Nobody else has certificates: one of each posts at $149, $124 and $99."""
    game = Game(NAMES[:2])
    settle(game, {"Ann": dict.fromkeys("XFS", (3, 60))})
    assert BidShader().offer(game.observe("Ann")) == {"A": (1, 149), "B": (1, 124), "C": (1, 99)}


def test_it_orders_nothing_where_certificates_bring_no_more_than_they_cost():
    """Goods bring what their certificates cost today, and 12 units make these $2 dearer."""
    game = Game(NAMES[:2], opening_goods={"A": 110, "B": 90, "C": 70})
    assert BidShader().order(game.observe("Ann")) == {}


def test_it_keeps_certificates_that_are_worth_more_than_the_goods():
    game = Game(NAMES[:2], opening_goods={"A": 60, "B": 50, "C": 40})
    settle(game, {"Ann": dict.fromkeys("XFS", (3, 60))})
    assert BidShader().offer(game.observe("Ann")) == {}


@pytest.mark.parametrize("count", range(2, 7))
def test_it_earns_more_than_full_capacity_beside_it(count):
    bots = [BidShader(), *[FullCapacity()] * (count - 1)]
    profit = play_block(STANDARD, bots, games=1, seed=1).profit[:, 0]
    assert profit[0] > max(profit[1:].max(), 0)
