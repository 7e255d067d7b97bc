import numpy as np
import pytest

from exdec import Game
from exdec.bots import FullCapacity
from exdec.play import play_step

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


@pytest.mark.parametrize(
    ("count", "units"),
    [(2, (6, 6, 6)), (3, (4, 4, 4)), (4, (3, 3, 3)), (5, (3, 2, 2)), (6, (2,) * 3)],
)
def test_it_orders_its_limit_in_equal_parts(count, units):
    view = Game(NAMES[:count]).observe("Ann")
    assert FullCapacity().order(view) == {
        grade: (n, price) for grade, n, price in zip("XFS", units, (43, 33, 23), strict=True)
    }


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_when_all_order_their_limit_prices_rise_by_two(count):
    """Worked example 8: all order the most they may, spread evenly."""
    game = Game(NAMES[:count])
    rngs = dict.fromkeys(NAMES[:count], np.random.default_rng(1))
    play_step(game, {player: FullCapacity() for player in NAMES[:count]}, rngs)
    assert sum(game.report.units) == 36
    assert game.report.movement == (2, 2, 2)
    assert not any(firm.void for firm in game.report.firms)


def test_it_orders_as_many_sets_as_its_cash_buys():
    """A set costs $99."""
    game = Game(NAMES[:2], starting_cash=299)
    assert FullCapacity().order(game.observe("Ann")) == {"X": (3, 43), "F": (3, 33), "S": (3, 23)}


def test_it_makes_all_it_can_in_turn_and_asks_a_dollar_under_what_it_expects():
    """18 certificates on the table make 2 of each good, which move prices by 11 - 4."""
    game = Game(NAMES[:2])
    settle(game, {player: dict.fromkeys("XFS", (3, 49)) for player in NAMES[:2]})
    offer = {"A": (1, 146), "B": (1, 121), "C": (1, 96)}
    assert FullCapacity().offer(game.observe("Ann")) == offer


def test_without_certificates_it_offers_nothing():
    game = Game(NAMES[:2])
    settle(game)
    assert FullCapacity().offer(game.observe("Ann")) == {}
