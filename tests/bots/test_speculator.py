import pytest

from exdec import Game
from exdec.bots.speculator import Speculator


def test_it_stocks_up_on_what_is_under_its_average():
    game = Game(["Ann", "Ben"])
    game.order("Ben", X=(12, 42))
    game.open_bids()
    game.open_bids()
    # Averages 41, 25 and 15. Ben is expected to order 9, 3 and 3, which would post 41, 13 and 3:
    # six of X-FINE, and six more of the others for $12 under the average. 6, 12 and 12 units are
    # cut to 18 in all: 3, 7 and 7. With these the prices are 44, 20 and 10.
    assert Speculator().order(game.observe("Ann")) == {"X": (3, 46), "F": (7, 22), "S": (7, 12)}


@pytest.mark.parametrize(
    ("months", "offer"), [(2, {}), (1, {"A": (2, 129), "C": (2, 79)})], ids=["holds", "last month"]
)
def test_it_holds_until_goods_are_dear_or_the_game_ends(months, offer):
    # Goods fall by $5 though nobody offers any, so all are under their average.
    game = Game(["Ann", "Ben"], months=months, goods_calculator={"at_zero": -5})
    game.order("Ann", X=(4, 60), F=(4, 60), S=(4, 60))
    game.open_bids()
    assert Speculator().offer(game.observe("Ann")) == offer


def test_it_offers_goods_above_their_average():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(4, 60), F=(4, 60), S=(4, 60))
    game.open_bids()
    # Two A post at 140 + 11 − 4 and two C at 90 + 11 − 4.
    assert Speculator().offer(game.observe("Ann")) == {"A": (2, 145), "C": (2, 95)}
