from exdec import Game
from exdec.bots.contrarian import Contrarian


def test_it_orders_what_the_others_leave_of_ten_units():
    game = Game(["Ann", "Ben", "Cy"])
    game.order("Ben", X=(6, 40))
    game.order("Cy", X=(4, 40), F=(2, 30))
    game.open_bids()
    game.open_bids()
    # The others are first taken for 8 of each grade, and then ordered 10, 2 and 0: 9, 5 and 4 on
    # average. Ten in all leave the prices at 40, 22 and 10.
    assert Contrarian().order(game.observe("Ann")) == {"X": (1, 43), "F": (5, 25), "S": (6, 13)}


def test_it_counts_what_it_holds():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(4, 60), S=(1, 60))
    game.open_bids()
    game.open_bids()
    # Ben: 6 of each and then none, so 3; 7 are left, and Ann holds 4 X-FINE and 1 STANDARD.
    # Prices posted at 34, 20 and 11; 6, 10 and 9 units in all move them by −4, 0 and −1.
    assert Contrarian().order(game.observe("Ann")) == {"X": (3, 33), "F": (7, 23), "S": (6, 13)}


def test_it_offers_the_good_that_others_can_make_least_of():
    game = Game(["Ann", "Ben"])
    game.order("Ann", X=(4, 60), F=(4, 60), S=(4, 60))
    game.order("Ben", X=(9, 60))
    # Ben can make 3 A and nothing else: A is thought to post at 149, B at 126, C at 101, and
    # four B bring 504, two A and two C 500. In equal parts Ben's 9
    # certificates are one of each good, so five B post at 116.
    assert Contrarian().offer(game.observe("Ann")) == {"B": (4, 113)}
