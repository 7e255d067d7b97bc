import pytest

from exdec import STANDARD, Game
from exdec.bots import Cautious, FullCapacity
from exdec.play import play

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


@pytest.mark.parametrize(("count", "sets"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_it_orders_half_its_limit_in_full_sets_at_2_dollars_over_the_last_prices(count, sets):
    view = Game(NAMES[:count]).observe("Ann")
    assert Cautious().order(view) == {"X": (sets, 42), "F": (sets, 32), "S": (sets, 22)}


def test_it_tops_up_what_it_still_has():
    game = Game(NAMES[:2])
    settle(game, {"Ann": {"X": (1, 50), "S": (5, 50)}})
    settle(game)
    # X posted at 40 - 10 + 1, F at 30 - 10.
    assert Cautious().order(game.observe("Ann")) == {"X": (2, 33), "F": (3, 22)}


def test_it_orders_as_many_sets_as_its_cash_buys():
    game = Game(NAMES[:2], starting_cash=191)
    assert Cautious().order(game.observe("Ann")) == {"X": (1, 42), "F": (1, 32), "S": (1, 22)}


@pytest.mark.parametrize(("paid", "ask"), [(30, 105), (36, 108)])
def test_it_asks_10_under_the_last_price_and_no_less_than_it_paid(paid, ask):
    game = Game(NAMES[:2], opening_materials={"X": 20, "F": 20, "S": 20})
    settle(game, {"Ann": dict.fromkeys("XFS", (2, paid))})
    assert Cautious().offer(game.observe("Ann")) == {"B": (2, ask)}


def test_what_it_paid_is_rounded_up():
    """One B of $43, $43 and (35 + 36) / 2."""
    game = Game(NAMES[:2], opening_materials={"X": 20, "F": 20, "S": 20})
    settle(game, {"Ann": {"X": (1, 43), "F": (1, 43), "S": (1, 35)}})
    settle(game)
    settle(game, {"Ann": {"S": (1, 36)}})
    assert Cautious().offer(game.observe("Ann")) == {"B": (1, 122)}


def test_it_never_sells_below_what_it_paid():
    game = play(STANDARD, {"Ann": Cautious(), "Ben": FullCapacity()}, 1)
    tally = game.tally("Ann")
    paid, certificates = tally["paid"].sum(), tally.loc[tally["paid"] > 0, "filled"].sum()
    sold = tally[tally["item"] == "B"]
    assert sold["filled"].sum() > 10
    assert sold["bid"].min() >= 3 * paid / certificates - 10
    assert game.profit["Ann"] > 0


def test_a_set_that_the_rules_do_not_allow_is_not_ordered():
    assert Cautious().order(Game(NAMES[:2], order_limit=2).observe("Ann")) == {}
    one_of_each = {"X": (1, 42), "F": (1, 32), "S": (1, 22)}
    assert Cautious().order(Game(NAMES[:2], grade_limit=1).observe("Ann")) == one_of_each
