"""What the planner takes its rivals for, what it does about it, and games against all others."""

import numpy as np
import pytest

from exdec import STANDARD, Game
from exdec.batch import Batch, play_block
from exdec.bots import BOTS, Planner
from exdec.bots.planner import CARE, KNOWN, TRIED, Books, recognise
from exdec.mixed import Mixed
from exdec.model import Step
from exdec.observations import Observations
from exdec.play import play_step

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]
OTHERS = [name for name in BOTS if name != "planner"]
DISTINCT = ("margin seeker", "full capacity", "contrarian", "cautious")
"""Strategies whose units tell them from one another; bid shaders order what full firms do."""


def after(steps, *rivals, **rules):
    """What Ann sees when she and these rivals have played so many steps; she is cautious."""
    game = Game(NAMES[: len(rivals) + 1], **rules)
    bots = dict(zip(game.players, [BOTS["cautious"](), *rivals], strict=True))
    rngs = {name: np.random.default_rng(at) for at, name in enumerate(game.players)}
    for _ in range(steps):
        play_step(game, bots, rngs)
    return game, Observations.of([game.observe("Ann")])


@pytest.mark.parametrize("name", DISTINCT)
@pytest.mark.parametrize("steps", [4, 7, 12])
def test_it_recognises_whom_it_plays(name, steps):
    _, view = after(steps, BOTS[name](), BOTS["full capacity"]())
    nearest, error = recognise(Books(view))
    taken_for = [type(KNOWN[number]) for number in nearest[1:, 0]]
    assert taken_for == [BOTS[name], BOTS["full capacity"]]
    assert error is not None
    assert not error.any()


def test_in_january_it_takes_everyone_for_the_first_it_knows():
    _, view = after(0, BOTS["cautious"]())
    nearest, error = recognise(Books(view))
    assert nearest.tolist() == [[0], [0]]
    assert error is None


def test_what_others_have_is_worked_out_from_what_lies_open():
    """Ben bids $45, $36 and $26; the prices post at $31, $21 and $11, and he is taken to have paid
    these: 900 - 1 x 31 - 1 x 21 - 1 x 11. He sells one B for $120, where $124 is posted."""
    game = Game(["Ann", "Ben"])
    game.order("Ann")
    game.order("Ben", X=(1, 45), F=(1, 36), S=(1, 26))
    game.offer("Ann")
    game.offer("Ben", B=(1, 120))
    books = Books(Observations.of([game.observe("Ann")]))
    assert [cash[1, 0] for cash in books.cash] == [900, 837, 961]
    assert [held[1, :, 0].tolist() for held in books.held] == [[0] * 3, [1] * 3, [0] * 3]
    assert [cost[1, :, 0].tolist() for cost in books.cost] == [[0] * 3, [31, 21, 11], [0] * 3]
    before = books.seen_by([1], 1)
    assert (before.month, before.step, before.cash.tolist()) == (1, Step.SELL, [837])
    assert before.materials[:, 0].tolist() == [1, 1, 1]


def test_what_is_played_ahead_is_what_happens_if_rivals_are_known():
    """Rivals who bid what is posted leave nothing to guess."""
    _, view = after(6, BOTS["restrained"](), BOTS["punisher"]())
    books = Books(view)
    trials = books.trials(2)
    assert (trials.games, trials.month, trials.step) == (2, 4, Step.BUY)
    assert trials.material_prices.tolist() == [[row[0]] * 2 for row in view.material_prices]
    assert trials.cash[0].tolist() == [view.cash[0]] * 2
    assert trials.cost(0)[:, 1].tolist() == view.cost[:, 0].tolist()


def test_it_does_what_comes_out_best_of_what_it_tries():
    """In the last month nothing follows, so what each would offer can be worked out at once."""
    game, view = after(23, BOTS["full capacity"](), BOTS["bid shader"]())
    rivals = [BOTS["full capacity"](), BOTS["bid shader"]()]
    ahead = []
    for strategy in KNOWN[:TRIED]:
        offers = [strategy.offers(view)]
        offers += [
            rival.offers(Observations.of([game.observe(name)]))
            for rival, name in zip(rivals, NAMES[1:], strict=False)
        ]
        trial = Batch.standing_at(view, *_truth(game))
        trial.sell(offers)
        profit = trial.profit()[:, 0]
        ahead.append(profit[0] - profit[1:].mean())
    units = KNOWN[int(np.argmax(ahead))].offers(view).units
    assert len({round(one) for one in ahead}) > 1
    assert (Planner().offers(view).units == units).all()


def _truth(game):
    seen = [Observations.of([game.observe(name)]) for name in game.players]
    return np.stack([view.cash for view in seen]), np.stack([view.cost for view in seen])


def test_sure_of_its_rivals_it_bids_little_over_what_will_post():
    game, _ = after(8, BOTS["full capacity"](), BOTS["cautious"]())
    order = Planner().order(game.observe("Ann"))
    assert order
    bots = {"Ben": BOTS["full capacity"](), "Cy": BOTS["cautious"]()}
    game.order("Ann", order)
    for name, bot in bots.items():
        game.order(name, bot.order(game.observe(name)))
    for grade, (_, price) in order.items():
        assert price <= getattr(game.state.material_prices, grade) + CARE
    bought = game.report.firms[0]
    assert not bought.void
    assert [line.filled for line in bought.lines] == [line.units for line in bought.lines]


# -- against the others --------------------------------------------------------------------------


def margins(fields, players):
    """What it earns more than each other strategy, a number for each field, all seats together."""
    names = list(BOTS)
    bots = [BOTS[name]() for name in names]
    numbers = np.array([[names.index(name) for name in field] for field in fields])
    who = np.concatenate([np.roll(numbers, shift, axis=1) for shift in range(players)]).T
    profit = play_block(STANDARD, [Mixed(bots, row) for row in who], who.shape[1], seed=1).profit
    planner = names.index("planner")
    mine = (profit * (who == planner)).sum(axis=0)
    more = {}
    for number, name in enumerate(names):
        theirs = who == number
        if number != planner:
            sums = ((mine - profit) * theirs).sum(axis=0).reshape(players, -1).sum(axis=0)
            count = theirs.sum(axis=0).reshape(players, -1).sum(axis=0)
            more[name] = sums[count > 0] / count[count > 0]
    return more


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_it_earns_more_than_copies_of_any_other_strategy(players):
    fields = [["planner", *[name] * (players - 1)] for name in OTHERS]
    for name, more in margins(fields, players).items():
        assert (more > 0).all(), (name, more)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "fields"), [(3, 100), (4, 100), (6, 100)])
def test_it_beats_every_other_strategy_in_mixed_company(players, fields):
    """The 95 % interval of each margin, over fields drawn at random and all seats."""
    rng = np.random.default_rng(players)
    drawn = [["planner", *rng.choice(OTHERS, players - 1, replace=False)] for _ in range(fields)]
    for name, more in margins(drawn, players).items():
        assert more.mean() > 1.96 * more.std(ddof=1) / len(more) ** 0.5, name
