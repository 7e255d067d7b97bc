"""Many games at once come out as each would by itself, to the dollar."""

import re
import tracemalloc
from functools import partial

import nasty
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, rules

from exdec import STANDARD, VARIATION, Game, TurnError
from exdec.arrays import hand_in
from exdec.batch import Batch, int_type, play_batch, play_block
from exdec.bots import Cautious, FullCapacity, RandomLegal
from exdec.costs import stock_of
from exdec.engine import MOST_DOLLARS, MOST_UNITS, buy, liquidate, new_game, sell
from exdec.items import GOODS, MATERIALS
from exdec.model import Outcome, Step
from exdec.observations import Bids, Observations
from exdec.rules import PastTable, Undeliverable

# -- random games of every kind ------------------------------------------------------------------


def prices_about(rng, market):
    """Mostly near the market, now and then as low or as high as the rules allow."""
    near = market + rng.integers(-12, 13, market.shape)
    far = rng.choice([1, MOST_DOLLARS, 2 * market.max() + 1], market.shape)
    prices = np.where(rng.random(market.shape) < 0.93, near, far)
    return np.clip(prices, 1, MOST_DOLLARS).astype(market.dtype)


def some_pass(rng, units):
    """Whole tallies and single lines left empty here and there."""
    games = units.shape[-1]
    return units * (rng.random(games) < 0.9) * (rng.random(units.shape) < 0.9)


def any_order(rng, batch, seat):
    """Up to the limits; often too dear for the cash."""
    limit = batch.rules.order_limit.at(batch.players)
    of_one = batch.rules.grade_limit.at(batch.players) or limit
    units, left = np.zeros((3, batch.games), int), np.full(batch.games, limit)
    for grade in rng.permutation(3):
        most = np.minimum(left, of_one)
        share = rng.choice([0.3, 0.6, 1.0], batch.games)
        units[grade] = rng.integers(0, (most * share).astype(int) + 1)
        left -= units[grade]
    return Bids(some_pass(rng, units), prices_about(rng, batch.material_prices))


def any_offer(rng, batch, seat):
    """What can be made, a little more, or as much as can be written down."""
    held = batch.certificates[seat]
    units = rng.integers(0, held.sum(axis=0) // 3 + 2, held.shape)
    if batch.rules.undeliverable is Undeliverable.PENALTY:
        kind = rng.random(batch.games)
        units = np.where(kind < 0.02, rng.integers(0, MOST_UNITS + 1, units.shape), units)
    else:
        kind = np.ones(batch.games)
    for _ in range(12):  # most offers shrink until they can be made
        too_many = ~hand_in(batch.rules, held, units)[1] & (kind > 0.1)
        units = np.where(too_many, units // 2, units)
    return Bids(some_pass(rng, units), prices_about(rng, batch.good_prices))


def games_of_every_kind():
    """Rules of every kind, mild and extreme."""
    whole = st.integers
    extreme = st.fixed_dictionaries(
        {"materials_floor": whole(0, 5), "goods_floor": whole(0, 5)},
        optional={
            "starting_cash": st.sampled_from([0, 20_000, 999_999]),
            "order_limit": whole(20, 999),
            "opening_materials": st.just(dict.fromkeys("XFS", 99_999)),
            "opening_goods": st.just(dict.fromkeys("ABC", 99_999)),
            "materials_calculator": st.just({"at_zero": -999, "per_unit": 99, "last": 999}),
            "goods_calculator": st.just({"at_zero": 999, "per_unit": -99, "last": 999}),
            "production": st.just({"A": dict.fromkeys("XFS", 9)}),
            "past_table": st.sampled_from(PastTable),
            "undeliverable": st.sampled_from(Undeliverable),
            "partial_buys": st.booleans(),
            "buy_dollars_per_unit_lost": st.sampled_from([1, 999]),
            "partial_sales": st.booleans(),
            "sale_dollars_per_unit_lost": st.sampled_from([1, 999]),
            "months": whole(1, 2),
        },
    )
    return st.one_of(rules(), rules(), rules(), extreme.map(lambda some: STANDARD.vary(**some)))


# -- one game beside the batch -------------------------------------------------------------------


class Beside:
    """One game of the engine, which is given what the batch is given."""

    def __init__(self, batch, game):
        self.game = game
        self.state = new_game(NAMES[: batch.players], batch.rules)
        self.results = [[] for _ in range(batch.players)]

    def settle(self, bids):
        step, items = (buy, MATERIALS) if self.state.step is Step.BUY else (sell, GOODS)
        lines = [bid.lines(self.game, items) for bid in bids]
        self.state, report = step(self.state, dict(zip(self.state.players, lines, strict=True)))
        for own, result in zip(self.results, report.firms, strict=True):
            own.append(result)
        return report

    def holds(self):
        """Prices, and each firm's cash, certificates and what they cost."""
        state = self.state
        costs = [stock_of(results).cost for results in self.results]
        return [
            [*state.material_prices],
            [*state.good_prices],
            [firm.cash for firm in state.firms],
            [[*firm.materials] for firm in state.firms],
            [[*cost] for cost in costs],
        ]


def batch_holds(batch, costs):
    every = [batch.material_prices, batch.good_prices, batch.cash, batch.certificates, costs]
    return [list(one) for one in zip(*(np.moveaxis(a, -1, 0).tolist() for a in every), strict=True)]


def play_beside(batch, rng, outcomes=None):
    """Play a batch to its end, the engine beside it, and compare them after every step."""
    singles = [Beside(batch, game) for game in range(batch.games)]
    while batch.step is not Step.OVER:
        buying = batch.step is Step.BUY
        draw = any_order if buying else any_offer
        bids = [draw(rng, batch, seat) for seat in range(batch.players)]
        (batch.buy if buying else batch.sell)(bids)
        reports = [single.settle(bids) for single in singles]
        # What the certificates cost is worked out late: now and then after several steps.
        if batch.step is Step.OVER or rng.random() < 0.5:
            costs = [batch.cost(seat) for seat in range(batch.players)]
            assert batch_holds(batch, costs) == [single.holds() for single in singles]
        if outcomes is not None:
            firms = [firm for report in reports for firm in report.firms]
            outcomes.update(line.outcome for firm in firms for line in firm.lines)
    finals = [liquidate(single.state) for single in singles]
    assert batch.profit().T.tolist() == [list(final.profit) for final in finals]
    return finals


def differ_nowhere(rules, players, seed, games=50):
    rng = np.random.default_rng(seed)
    play_beside(Batch(rules, players, games), rng)


every_game = given(games_of_every_kind(), st.integers(2, 6), st.integers(0, 2**32))


@every_game
@settings(max_examples=80)
@pytest.mark.slow
def test_4_000_random_games_equal_the_engine(rules, players, seed):
    differ_nowhere(rules, players, seed)


@pytest.mark.slow
@every_game
@settings(max_examples=400)
def test_20_000_random_games_equal_the_engine(rules, players, seed):
    differ_nowhere(rules, players, seed)


@pytest.mark.parametrize("rules", [STANDARD, VARIATION])
def test_random_games_meet_every_outcome(rules):
    seen = set()
    play_beside(Batch(rules, 3, 60), np.random.default_rng(1), seen)
    whole = {Outcome.PARTLY_FILLED} if rules is STANDARD else set()
    assert seen == set(Outcome) - whole


# -- no sum overflows ----------------------------------------------------------------------------


def hoard(cash, months=6, limit=179):
    """Rules by which a firm can spend all its cash on certificates that are worth next to nothing.

    So what the certificates cost, times how many they are, comes as near as can be to the bound
    that `int_type` works out.
    """
    return STANDARD.vary(
        months=months,
        starting_cash=cash,
        order_limit=limit,
        grade_limit=None,
        opening_materials={"X": 0, "F": 0, "S": 0},
        materials_floor=0,
        materials_calculator={"at_zero": 0, "per_unit": 0},
        opening_goods={"A": 1, "B": 1, "C": 1},
        goods_calculator={"at_zero": 0, "per_unit": 0},
        production={"A": {"X": 1, "F": 0, "S": 0}},
    )


DEAREST = 998_685
"""The most cash with which such rules get the smaller integers."""


def play_hoard(cash):
    """Buy the limit of X for all the cash, month by month, and in the last make it all into A."""
    batch = Batch(hoard(cash), 2, 1)
    beside = Beside(batch, 0)
    row = np.array([[1], [0], [0]], batch.cash.dtype)
    nothing = Bids(0 * row, row)
    left, held = cash, 0
    for month in range(1, 7):
        price = left // (179 * (7 - month))
        spent = Bids(179 * row, price * row)
        left, held = left - 179 * price, held + 179
        offered = Bids(held * row, row) if month == 6 else nothing
        for bids in ([spent, nothing], [offered, nothing]):
            (batch.buy if batch.step is Step.BUY else batch.sell)(bids)
            beside.settle(bids)
            costs = [batch.cost(seat) for seat in range(2)]
            assert batch_holds(batch, costs) == [beside.holds()]


def test_the_smaller_integers_hold_the_dearest_hoard_that_gets_them():
    assert int_type(hoard(DEAREST), 2) is np.int32
    assert int_type(hoard(DEAREST + 1), 2) is np.int64
    assert 2 * DEAREST * 6 * 179 > 0.99 * 2**31
    play_hoard(DEAREST)
    play_hoard(999_999)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", [STANDARD, VARIATION])
def test_printed_games_take_the_smaller_integers(rules, players):
    assert int_type(rules, players) is np.int32


@pytest.mark.parametrize(
    "changes",
    [
        {"months": 7},
        {"order_limit": {2: 180}},
        {"opening_goods": {"B": 2}},
        {"goods_calculator": {"at_zero": 1}},
        {"partial_sales": True, "sale_dollars_per_unit_lost": 1},
        {"opening_materials": {"F": 1}},
        {"materials_calculator": {"at_zero": 1}},
        {"materials_calculator": {"per_unit": 1}},
    ],
)
def test_whatever_makes_sums_larger_takes_the_larger_integers(changes):
    rules = hoard(DEAREST)
    assert int_type(rules, 2) is np.int32
    assert int_type(rules.vary(**changes), 2) is np.int64


# -- what a seat sees ----------------------------------------------------------------------------

SEEN = [
    *("rules", "players", "seat", "month", "step", "material_prices", "good_prices"),
    *("certificates", "cash", "cost", "ordered", "offered", "posted_materials", "posted_goods"),
]


@pytest.mark.parametrize("step", Step)
def test_a_seat_sees_what_it_sees_in_single_games(step):
    batch, rng = Batch(VARIATION.vary(months=3), 3, 5), np.random.default_rng(1)
    games = [Game(NAMES[:3], batch.rules) for _ in range(5)]
    while (batch.month, batch.step) != (3, step):
        buying = batch.step is Step.BUY
        bids = [(any_order if buying else any_offer)(rng, batch, seat) for seat in range(3)]
        (batch.buy if buying else batch.sell)(bids)
        for at, game in enumerate(games):
            for name, bid in zip(game.players, bids, strict=True):
                game.hand_in(name, bid.lines(at, MATERIALS if buying else GOODS))
    for seat, name in enumerate(NAMES[:3]):
        side_by_side = Observations.of([game.observe(name) for game in games])
        view = batch.observe(seat, None)
        for field in SEEN:
            assert np.array_equal(getattr(view, field), getattr(side_by_side, field)), field


def test_a_seat_cannot_write_to_what_it_sees():
    batch = Batch(STANDARD, 2, 1)
    view = batch.observe(0, None)
    for field in SEEN[5:]:
        if field != "cost":  # worked out for this seat alone
            assert not getattr(view, field).flags.writeable, field
    view.cost[:] = 9
    assert (batch.cost(0) == 0).all()


# -- playing -------------------------------------------------------------------------------------

BOTS = [RandomLegal(), Cautious(), FullCapacity(), RandomLegal()]
play_small = partial(play_batch, STANDARD.vary(months=3), BOTS, block=8)


def profits(blocks):
    return np.concatenate([played.profit for played in blocks], axis=1).tolist()


def test_the_same_seed_gives_the_same_games_and_another_gives_others():
    assert profits(play_small(20, seed=5)) == profits(play_small(20, seed=5))
    assert profits(play_small(20, seed=5)) != profits(play_small(20, seed=6))


def test_a_longer_run_begins_with_the_blocks_of_a_shorter_one():
    short, long = profits(play_small(16, seed=5)), profits(play_small(40, seed=5))
    assert [row[:16] for row in long] == short


def test_every_block_has_games_of_its_own():
    first, second = (played.profit.tolist() for played in play_small(16, seed=5))
    assert first != second


def test_strategies_may_be_named_or_given_as_classes():
    named = play_batch(STANDARD.vary(months=3), ["random", "easy", FullCapacity, RandomLegal], 9, 5)
    assert profits(named) == profits(play_small(9, seed=5, block=10_000))


@pytest.mark.parametrize(
    ("strategies", "said"),
    [
        (["easy", "hrd"], "There is no rival called 'hrd'. Did you mean 'hard'?"),
        ("easy", "'easy' is no list of strategies. Write one for each seat"),
        (["easy", 3], "3 does not play on arrays. Name a strategy"),
        (["easy", nasty.Good], "Good'> does not play on arrays"),
    ],
)
def test_what_does_not_play_on_arrays_is_refused(strategies, said):
    with pytest.raises(TurnError, match=re.escape(said)):
        next(play_batch(STANDARD, strategies, games=2, seed=1))


def test_games_that_do_not_fill_a_block_are_played_too():
    assert [played.profit.shape for played in play_small(20, seed=5)] == [(4, 8), (4, 8), (4, 4)]
    assert [played.profit.shape for played in play_small(1, seed=5)] == [(4, 1)]
    assert list(play_small(0, seed=5)) == []


def test_a_finished_block_stays_as_it_is_while_others_are_played():
    kept = list(play_small(24, seed=5))
    profit, goods = kept[0].profit.copy(), kept[0].batch.posted_goods.copy()
    assert (profit == next(play_small(24, seed=5)).batch.profit()).all()
    list(play_small(24, seed=6))
    assert (kept[0].batch.profit() == profit).all()
    assert (kept[0].batch.posted_goods == goods).all()


class Listens(RandomLegal):
    """Draws a lot more than it needs."""

    def orders(self, view):
        bids = super().orders(view)
        view.draw(2, rows=7)
        return bids


def test_a_seats_luck_does_not_depend_on_what_others_draw():
    first, second = (
        play_block(STANDARD.vary(months=2), [RandomLegal(), other], 9, seed=3).batch.ordered
        for other in (RandomLegal(), Listens())
    )
    assert (first[0, 0] == second[0, 0]).all()
    assert (first[0, 1] == second[0, 1]).all()
    assert (first[0, 0] != first[0, 1]).any()


def test_profit_by_month_ends_with_the_profit_of_the_game():
    rules = STANDARD.vary(months=4)
    played = play_block(rules, BOTS, 30, seed=2, by_month=True)
    assert played.profit_by_month.shape == (4, 4, 30)
    assert (played.profit_by_month[-1] == played.profit).all()
    shorter = play_block(rules.vary(months=2), BOTS, 30, seed=2)
    assert (played.profit_by_month[1] == shorter.profit).all()
    assert play_block(rules, BOTS, 30, seed=2).profit_by_month is None


def test_equal_profits_share_the_win():
    twice = play_block(STANDARD, [FullCapacity(), FullCapacity()], 2, seed=1)
    assert twice.wins.all()
    uneven = play_block(STANDARD, [FullCapacity(), Cautious()], 2, seed=1)
    assert (uneven.wins == (uneven.profit == uneven.profit.max(axis=0))).all()
    assert (uneven.wins.sum(axis=0) == 1).all()


def test_memory_is_bounded_by_the_block():
    def peak(games):
        tracemalloc.start()
        for played in play_small(games, seed=1):
            played.wins.sum()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(16)
    assert peak(400) < 1.2 * peak(16)
