import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import play_block
from exdec.bots import FullCapacity, Punisher, Restrained
from exdec.observations import Observations

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


def at_war(game, player="Ann"):
    return bool(Punisher().at_war(Observations.of([game.observe(player)]))[0])


@pytest.mark.parametrize("count", range(2, 7))
def test_among_its_like_there_is_never_a_war(count):
    wary, restrained = (
        play_block(STANDARD, [bot] * count, games=1, seed=1) for bot in (Punisher(), Restrained())
    )
    assert (wary.batch.ordered == restrained.batch.ordered).all()
    assert (wary.profit == restrained.profit).all()


def test_the_largest_share_is_forgiven_and_one_unit_more_is_not():
    """In January, 2 of each good are best for all three: two goods for each firm, of three
    certificates each."""
    for units, war in {6: False, 7: True}.items():
        game = Game(NAMES[:3])
        settle(game, {"Ben": {"S": (units, 1)}})
        settle(game)
        assert at_war(game) is war
        assert at_war(game, "Ben") is war, "who began it knows too"


def test_a_war_lasts_three_months_and_then_it_tries_again():
    """Ben runs full in January, then passes: war from February to April."""
    game = Game(NAMES[:3])
    wars = []
    for month in range(1, 7):
        wars.append(at_war(game))
        settle(game, {"Ben": {"S": (12, 1)}} if month == 1 else {})
        assert at_war(game) is wars[-1], "an offer is judged by the months before"
        settle(game)
    assert wars == [False, True, True, True, False, False]


def test_in_a_war_it_does_as_full_capacity_does():
    game = Game(NAMES[:3])
    view = game.observe("Ann")
    assert Punisher().order(view) == Restrained().order(view) != FullCapacity().order(view)
    settle(game, {"Ann": Punisher().order(view), "Ben": {"X": (12, 50)}})
    view = game.observe("Ann")
    assert Punisher().offer(view) == Restrained().offer(view)
    settle(game, {"Ann": Punisher().offer(view)})
    view = game.observe("Ann")
    assert Punisher().order(view) == FullCapacity().order(view) != Restrained().order(view)


def test_two_who_are_at_war_make_peace_together():
    """All it takes is on the table, so nobody takes a war for a new breach."""
    batch = play_block(STANDARD, [Punisher(), Punisher(), FullCapacity()], games=1, seed=1).batch
    taken = batch.ordered.sum(axis=2)[..., 0]
    full = STANDARD.order_limit.three
    assert taken[:, 2].tolist() == [full] * 12
    assert np.array_equal(taken[:8, 0] == full, taken[:8, 1] == full)
    assert (taken[:8, 0] == full).tolist() == [False, True, True, True, False, True, True, True]


@pytest.mark.parametrize("count", range(2, 7))
def test_who_takes_all_earns_less_beside_it_than_beside_a_restrained_firm(count):
    tempted = [
        play_block(STANDARD, [*[bot] * (count - 1), FullCapacity()], games=1, seed=1).profit[-1, 0]
        for bot in (Punisher(), Restrained())
    ]
    assert tempted[0] < tempted[1]
