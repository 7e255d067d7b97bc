"""Positions in which the best move is clear by hand, and games against every other strategy."""

import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import play_block
from exdec.bots import BOTS, Planner


def offering(stock, **rules):
    """Ann's view when it is time to offer: she holds this, Ben holds nothing and passes."""
    game = Game(["Ann", "Ben"], **rules)
    game.order("Ann", {grade: (units, 60) for grade, units in stock.items()})
    game.order("Ben")
    return game


def test_at_the_end_it_sells_what_brings_most_at_the_very_price_if_nobody_else_can_offer():
    """Four B at 115 + 11 - 8 = 118 make $472; two A at 147 and two C at 97 make $488; a B, or an A
    and a C, in place of others make less."""
    game = offering({"X": 4, "F": 4, "S": 4}, months=1)
    assert Planner().offer(game.observe("Ann")) == {"A": (2, 147), "C": (2, 97)}


def test_at_the_end_it_leaves_to_the_broker_what_goods_would_waste():
    game = offering({"X": 4, "F": 4, "S": 4}, months=1, opening_goods={"A": 60, "B": 50, "C": 40})
    assert Planner().offer(game.observe("Ann")) == {}


def test_it_holds_its_goods_while_their_price_rises_and_sells_them_before_it_is_too_late():
    """One B brings $124 now, too little for new certificates at 3 times $43; next month, when Ben
    has nothing to offer, it brings $135."""
    still = {"at_zero": 0, "per_unit": 0}
    price = {"X": 43, "F": 43, "S": 43}
    game = offering(
        {"X": 1, "F": 1, "S": 1},
        months=2,
        starting_cash=180,
        opening_materials=price,
        materials_calculator=still,
    )
    assert Planner().offer(game.observe("Ann")) == {}
    game.open_bids()
    game.open_bids()
    assert Planner().offer(game.observe("Ann")) == {"B": (1, 135)}


def test_in_the_last_month_it_drives_up_the_price_of_what_it_cannot_use():
    """Goods bring nothing, so all it holds goes to the Broker; each X ordered, even in vain at $1,
    adds a dollar to every X it holds."""
    worthless = {"A": 1, "B": 1, "C": 1}
    game = offering({"X": 10}, months=2, starting_cash=600, opening_goods=worthless)
    game.open_bids()
    assert Planner().order(game.observe("Ann"))["X"] == (game.rules.grade_limit.two, 1)


@pytest.mark.parametrize("players", range(2, 7))
def test_without_cash_it_bids_for_nothing_that_it_would_have_to_pay(players):
    game = Game(["Ann", "Ben", "Cy", "Di", "Ed", "Flo"][:players], starting_cash=0)
    assert all(price == 1 for _, price in Planner().order(game.observe("Ann")).values())


def test_its_bids_never_cost_more_than_it_has():
    bots = [Planner(), BOTS["full capacity"](), BOTS["random"]()]
    batch = play_block(STANDARD.vary(starting_cash=150), bots, games=20, seed=1).batch
    assert (batch.cash[0] >= 0).all()


# -- against the others --------------------------------------------------------------------------

OTHERS = [name for name in BOTS if name != "planner"]


@pytest.mark.parametrize("name", OTHERS)
def test_it_earns_more_than_copies_of_any_other_strategy(name):
    """In games of 2, 3, 4 and 6 together; seats make no difference but to chance."""
    margins = []
    for players in (2, 3, 4, 6):
        field = [Planner(), *[BOTS[name]() for _ in range(players - 1)]]
        profit = play_block(STANDARD, field, games=1, seed=1).profit[:, 0]
        margins.append(profit[0] - profit[1:].mean())
    assert np.mean(margins) > 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 6])
def test_it_is_ahead_of_its_rivals_in_mixed_fields(players):
    """The 95 % interval of its profit less the others' average, over fields and seats by chance."""
    rng = np.random.default_rng(players)
    margins = []
    for at in range(40):
        field = [BOTS[name]() for name in rng.choice(OTHERS, players)]
        seat = int(rng.integers(players))
        field[seat] = Planner()
        profit = play_block(STANDARD, field, games=1, seed=at).profit[:, 0]
        margins.append(profit[seat] - np.delete(profit, seat).mean())
    assert np.mean(margins) - 1.96 * np.std(margins, ddof=1) / len(margins) ** 0.5 > 0
