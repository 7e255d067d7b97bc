from exdec import Game
from exdec.bots.endgame import EndgameAware
from exdec.bots.margin_seeker import MarginSeeker


def holding(x, f, s, **rules):
    """Ann has bought this many certificates, Ben nothing."""
    game = Game(["Ann", "Ben"], **rules)
    game.order("Ann", X=(x, 60), F=(f, 60), S=(s, 60))
    game.open_bids()
    return game


def test_in_the_last_month_it_makes_only_what_beats_the_buy_back():
    # The Broker pays 34, 24 and 14: for an A's certificates 92, a B's 72, a C's 52. One unit more
    # of A would post at 89, of B at 124, of C at 49. Four B post at 118, and $8 under it is asked.
    game = holding(4, 4, 4, months=1, opening_goods={"A": 80, "C": 40})
    assert EndgameAware().offer(game.observe("Ann")) == {"B": (4, 110)}


def test_in_the_last_month_it_asks_no_less_than_the_buy_back():
    # Four B would post at 72 + 11 − 8 = 75, and their certificates bring 72 each.
    game = holding(4, 4, 4, months=1, opening_goods={"A": 80, "B": 71, "C": 40})
    assert EndgameAware().offer(game.observe("Ann")) == {"B": (4, 72)}


def test_before_the_last_month_it_sells_for_margins():
    game = holding(4, 4, 4, months=2, opening_goods={"A": 80, "C": 40})
    view = game.observe("Ann")
    assert EndgameAware().offer(view) == MarginSeeker().offer(view) != {}


def test_in_the_last_month_it_lifts_the_price_of_what_it_keeps_most_of():
    # Goods are worth less than certificates, so all are kept; two players may order 12 of a grade.
    low = {"A": 5, "B": 5, "C": 5}
    game = holding(2, 5, 2, months=2, opening_goods=low)
    game.open_bids()
    assert EndgameAware().order(game.observe("Ann")) == {"F": (12, 1)}
    game = holding(2, 5, 2, months=3, opening_goods=low)
    game.open_bids()
    assert EndgameAware().order(game.observe("Ann")) == {}


def test_lifting_pays():
    low = {"A": 5, "B": 5, "C": 5}
    profits = []
    for lifts in (True, False):
        game = holding(2, 5, 2, months=2, opening_goods=low)
        game.open_bids()
        if lifts:
            game.order("Ann", EndgameAware().order(game.observe("Ann")))
        game.open_bids()
        game.open_bids()
        profits.append(game.profit["Ann"])
    # Twelve orders on the five FINE; without them FINE falls by $10 (R1) from $25.
    assert profits[0] - profits[1] == 5 * 12
