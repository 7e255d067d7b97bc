import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import play_block
from exdec.bots import Adaptive, FullCapacity, Restrained
from exdec.observations import Observations

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


def settle(game, bids=None):
    for player in game.players:
        game.hand_in(player, (bids or {}).get(player, {}))


def answer(game, player):
    return Adaptive().answer(Observations.of([game.observe(player)]))[:, 0].tolist()


def test_january_answers_rivals_at_full_capacity():
    """Two others at 8 of each grade and 8/3 of each good leave a month's margins 11 - 16/3 + 6
    dearer, so 0.77 A, 0.71 B and 0.64 C a month are best. In whole goods: B and C for Ann, A and B
    for Ben."""
    game = Game(NAMES[:3])
    assert answer(game, "Ann") == [0, 1, 1]
    assert answer(game, "Ben") == [1, 1, 0]


def test_it_bids_two_dollars_over_the_price_it_expects():
    """Its 1, 2 and 3 units beside 8 of each: $39, $30, $21."""
    view = Game(NAMES[:3]).observe("Ann")
    assert Adaptive().order(view) == {"X": (1, 41), "F": (2, 32), "S": (3, 23)}


def test_expectations_move_half_of_the_way_to_what_was_seen():
    game = Game(NAMES[:3])
    settle(game, {"Ann": {"X": (5, 50)}, "Ben": {"X": (12, 1)}, "Cy": {"F": (4, 1)}})
    settle(game, {"Cy": {"A": (6, 1)}})
    ordered, offered = Adaptive().expected(Observations.of([game.observe("Ann")]))
    assert ordered.T.tolist() == [[10, 6, 4]]
    assert offered.T.ravel() == pytest.approx([13 / 3, 4 / 3, 4 / 3])
    ordered, _ = Adaptive(weight=1).expected(Observations.of([game.observe("Ann")]))
    assert ordered.T.tolist() == [[12, 4, 0]]


def test_its_offer_asks_two_dollars_under_the_price_it_expects():
    """8/3 of each good from others, so 3: a B more posts at 115 + 11 - 8, a C at 90 + 11 - 8."""
    game = Game(NAMES[:3])
    settle(game, {"Ann": {"X": (1, 60), "F": (2, 60), "S": (3, 60)}})
    assert Adaptive().offer(game.observe("Ann")) == {"B": (1, 116), "C": (1, 91)}


def test_it_makes_more_the_less_others_make():
    """The quantities of Cournot's firms are substitutes."""
    made = {
        bot: play_block(STANDARD, [Adaptive(), bot(), bot()], games=1, seed=1).batch.ordered[:8, 0]
        for bot in (FullCapacity, Restrained)
    }
    assert made[Restrained].sum() > 1.2 * made[FullCapacity].sum()


@pytest.mark.parametrize("count", range(2, 7))
def test_among_its_like_it_makes_more_than_a_cartel_and_earns_less(count):
    selfish, restrained = (
        play_block(STANDARD, [bot] * count, games=1, seed=1) for bot in (Adaptive(), Restrained())
    )
    assert selfish.batch.ordered[:6].sum() > restrained.batch.ordered[:6].sum()
    assert 0 < selfish.profit.sum() < 0.75 * restrained.profit.sum()


@pytest.mark.parametrize("count", range(2, 7))
def test_it_gains_by_the_restraint_of_others(count):
    bots = [Adaptive(), *[Restrained()] * (count - 1)]
    profit = play_block(STANDARD, bots, games=1, seed=1).profit[:, 0]
    assert profit[0] > np.mean(profit[1:])
