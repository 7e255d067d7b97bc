from exdec import Game
from exdec.bots.margin_seeker import MarginSeeker


def test_it_orders_for_the_best_good_first_and_counts_what_its_own_units_cost():
    """Six play, so five others are taken to order 10 of each grade."""
    # Materials at 40 + 0, 30 + 0, 20 + 0, and $2 to be sure. The others' 30 certificates make 3 of
    # each good; one A more posts at 140 + 11 − 8 = 143 and costs 2 × 42 + 32 = 116, margin 27.
    # B: 118 − 96 = 22. C: 93 − 76 = 17. So one A: 2 X at 44 and 1 F at 33.
    # The second A would post at 141 and cost 121, margin 20; B now costs 44 + 33 + 22, margin 19.
    # So a second A: 4 X at 46 and 2 F at 34 are $252 of the firm's $300, and 6 units.
    game = Game(["Ann", "Ben", "Cy", "Di", "Ed", "Flo"])
    assert MarginSeeker().order(game.observe("Ann")) == {"X": (4, 46), "F": (2, 34)}


def test_it_orders_nothing_where_no_good_covers_its_materials():
    game = Game(["Ann", "Ben"], opening_goods={"A": 80, "B": 70, "C": 40})
    assert MarginSeeker().order(game.observe("Ann")) == {}


def test_it_turns_its_certificates_into_the_most_valuable_goods():
    # Two A and two C take all 12 certificates; four B would too. Nobody else holds any.
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(4, 60), F=(4, 60), S=(4, 60))
    game.order("Ben")
    # 2 A post at 140 + 11 − 4 = 147, 2 C at 90 + 7 = 97: $2 under them is asked.
    assert MarginSeeker().offer(game.observe("Ann")) == {"A": (2, 145), "C": (2, 95)}
