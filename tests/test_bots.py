import numpy as np
import pytest

from exdec import STANDARD, VARIATION, Game, Step, TurnError
from exdec.bots import BOTS, make_bot
from exdec.play import play, play_step

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]


@pytest.mark.parametrize("count", range(2, 7))
@pytest.mark.parametrize("rules", [STANDARD, VARIATION, STANDARD.vary(undeliverable="refuse")])
@pytest.mark.parametrize("name", BOTS)
def test_every_rival_plays_whole_games_within_the_rules(name, rules, count):
    for seed in range(3):
        game = play(rules, {player: make_bot(name) for player in NAMES[:count]}, seed)
        assert game.step is Step.OVER
        assert len(game.steps) == 24
        assert any(sum(step.report.units) for step in game.steps)


@pytest.mark.parametrize("name", BOTS)
def test_a_rival_with_neither_cash_nor_stock_still_answers(name):
    game = Game(NAMES[:3], STANDARD.vary(starting_cash=0))
    view = game.observe("Ann", np.random.default_rng(1))
    game.order("Ann", make_bot(name).order(view))
    game.open_bids()
    view = game.observe("Ann", np.random.default_rng(1))
    assert make_bot(name).offer(view) == {}


def test_the_same_seed_gives_the_same_game():
    bots = {"Ann": make_bot("random"), "Ben": make_bot("cautious"), "Cy": make_bot("full capacity")}
    assert play(STANDARD, bots, 5).steps == play(STANDARD, bots, 5).steps
    assert play(STANDARD, bots, 5).steps != play(STANDARD, bots, 6).steps


def test_one_seats_luck_does_not_depend_on_anothers_draws():
    lucky = make_bot("random")
    first = play(STANDARD, {"Ann": lucky, "Ben": make_bot("random")}, 5)
    other = play(STANDARD, {"Ann": lucky, "Ben": make_bot("cautious")}, 5)
    assert first.steps[0].bids["Ann"] == other.steps[0].bids["Ann"]


def test_full_capacity_orders_its_limit_and_the_prices_rise_by_two():
    """Worked example 8: all order the most they may, spread evenly."""
    for count, limit in {2: 18, 3: 12, 6: 6}.items():
        game = Game(NAMES[:count])
        rngs = dict.fromkeys(NAMES[:count], np.random.default_rng(1))
        play_step(game, {player: make_bot("full capacity") for player in NAMES[:count]}, rngs)
        assert sum(game.report.units) == count * limit
        assert game.report.movement == (2, 2, 2)


def test_cautious_never_sells_below_what_it_paid():
    game = play(STANDARD, {"Ann": make_bot("cautious"), "Ben": make_bot("full capacity")}, 1)
    tally = game.tally("Ann")
    paid, certificates = tally["paid"].sum(), tally.loc[tally["paid"] > 0, "filled"].sum()
    sold = tally[tally["item"] == "B"]
    assert sold["filled"].sum() > 10
    assert sold["bid"].min() >= 3 * paid / certificates - 10
    assert game.profit["Ann"] > 0


def test_an_unknown_rival_is_named_with_the_nearest_right_name():
    with pytest.raises(TurnError, match=r"no rival called 'cautios'\. Did you mean 'cautious'"):
        make_bot("cautios")
