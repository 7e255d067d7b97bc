"""Many games at once come out as each would by itself, to the dollar."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, rules

from exdec import STANDARD, VARIATION
from exdec.arrays import hand_in
from exdec.batch import BLOCK, Batch, int_type, play_batch, play_block
from exdec.bots import Cautious, FullCapacity, RandomLegal
from exdec.costs import stock_of
from exdec.engine import MOST_DOLLARS, MOST_UNITS, buy, liquidate, new_game, sell
from exdec.items import GOODS, MATERIALS
from exdec.model import Outcome, Step
from exdec.observations import Bids
from exdec.rules import PastTable, Undeliverable

# -- random games of every kind ------------------------------------------------------------------


def prices_about(rng, market):
    """Mostly near the market, now and then as low or as high as the rules allow."""
    near = market + rng.integers(-12, 13, market.shape)
    far = rng.choice([1, MOST_DOLLARS, 2 * market.max() + 1], market.shape)
    prices = np.where(rng.random(market.shape) < 0.93, near, far)
    return np.clip(prices, 1, MOST_DOLLARS)


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
            costs = np.stack([batch.cost(seat) for seat in range(batch.players)])
            assert batch_holds(batch, costs) == [single.holds() for single in singles]
        if outcomes is not None:
            outcomes.update(line.outcome for r in reports for firm in r.firms for line in firm.lines)
    finals = [liquidate(single.state) for single in singles]
    assert batch.profit().T.tolist() == [list(final.profit) for final in finals]
    return finals


def differ_nowhere(rules, players, seed, games=50):
    rng = np.random.default_rng(seed)
    play_beside(Batch(rules, players, games), rng)


every_game = given(games_of_every_kind(), st.integers(2, 6), st.integers(0, 2**32))


@every_game
@settings(max_examples=100)
def test_5_000_random_games_equal_the_engine(rules, players, seed):
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
