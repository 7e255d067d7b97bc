from exdec import Game
from exdec.bots.trend_follower import TrendFollower


def february(**rules):
    """Only 12 X-FINE are ordered in January and nothing is offered.

    X-FINE posts at 42, FINE at 20, STANDARD at 10, every good $11 higher. The same movements once
    more give 44, 10 and 0.
    """
    game = Game(["Ann", "Ben"], **rules)
    game.order("Ben", X=(12, 42))
    game.open_bids()
    game.open_bids()
    return game.observe("Ann")


def test_it_bids_for_the_same_movement_once_more():
    assert TrendFollower().order(february()) == {"X": (6, 47), "F": (6, 13), "S": (6, 3)}


def test_it_leaves_out_a_good_that_will_not_cover_its_materials():
    # A at 80 + 11 + 11 = 102 takes 2 × 47 + 13 = 107. One B and one C take 1 X, 2 F and 3 S.
    view = february(opening_goods={"A": 80})
    assert TrendFollower().order(view) == {"X": (3, 47), "F": (6, 13), "S": (9, 3)}


def test_it_asks_for_the_same_movement_once_more():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(2, 60), F=(2, 60), S=(2, 60))
    game.open_bids()
    # A goes to 131 and on to 122, B to 126 and on to 137, C to 101.
    game.offer("Ben", A=(10, 140))
    game.open_bids()
    game.open_bids()
    assert TrendFollower().offer(game.observe("Ann")) == {"B": (2, 134)}
