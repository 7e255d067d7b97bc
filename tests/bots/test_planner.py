from exdec import Game
from exdec.bots.planner import Planner


def test_in_the_last_month_it_sells_what_it_can_make():
    game = Game(["Ann", "Ben"], months=1)
    game.order("Ann", X=(4, 60), F=(4, 60), S=(4, 60))
    game.order("Ben")
    offer = Planner().offer(game.observe("Ann"))
    assert sum(units for units, _ in offer.values()) == 4
