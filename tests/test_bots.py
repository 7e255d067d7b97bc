"""What every strategy must hold, however it plays; what each does is in tests/bots."""

import inspect
import pickle
import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import rules

import exdec.bots
from exdec import STANDARD, VARIATION, Game, Step, TurnError
from exdec.batch import Batch, play_block
from exdec.bots import BOTS, Cautious, RandomLegal, make_bot
from exdec.engine import MOST_DOLLARS, MOST_UNITS
from exdec.items import Materials
from exdec.play import play
from exdec.rules import Undeliverable

NAMES = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]

every_bot = pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "planner")) for one in BOTS]
)
every_number = pytest.mark.parametrize(
    "players", [2, 3, *(pytest.param(players, marks=pytest.mark.slow) for players in (4, 5)), 6]
)


# -- games in which one seat is looked at --------------------------------------------------------


def chance(seed, games, game=slice(None)):
    """Random bits that are the same whenever they are asked for anew; those of one game."""
    rng = np.random.default_rng(seed)
    return lambda rows: rng.integers(0, 1 << 16, (rows, games), np.uint16)[:, game]


def move(bot, view, seed, game=slice(None)):
    """What the strategy does with a view, the same bits given each time."""
    view = replace(view, luck=chance(seed, view.games if game == slice(None) else 4, game))
    return bot.orders(view) if view.step is Step.BUY else bot.offers(view)


def seen(bot, of_rules, players, seat, seed=1, games=4):
    """Every view that a strategy gets in a few games among random rivals, and its move."""
    batch = Batch(of_rules, players, games)
    bots = [bot if at == seat else RandomLegal() for at in range(players)]
    while batch.step is not Step.OVER:
        views = [batch.observe(at, chance(0, games)) for at in range(players)]
        at_step = (seed, batch.month, batch.step is Step.BUY)
        moves = [
            move(one, view, (*at_step, at))
            for at, (one, view) in enumerate(zip(bots, views, strict=True))
        ]
        yield views[seat], moves[seat], (*at_step, seat)
        (batch.buy if batch.step is Step.BUY else batch.sell)(moves)


def arrays(view):
    return [(f.name, v) for f in fields(view) if isinstance(v := getattr(view, f.name), np.ndarray)]


def assert_legal(view, bids):
    units, prices = bids
    assert units.shape == prices.shape == (3, view.games)
    assert units.dtype.kind == prices.dtype.kind == "i"
    assert units.min() >= 0
    assert units.max() <= MOST_UNITS
    assert prices[units > 0].min(initial=1) >= 1
    assert prices[units > 0].max(initial=1) <= MOST_DOLLARS
    if view.step is Step.BUY:
        assert units.sum(axis=0).max() <= view.order_limit
        assert units.max() <= view.grade_limit
    elif view.rules.undeliverable is Undeliverable.REFUSE:
        assert view.can_make(units).all()


def assert_same(bids, others):
    """The same lines; a price without units is no bid."""
    assert (bids.units == others.units).all()
    assert (bids.prices == others.prices)[bids.units > 0].all()


@st.composite
def seats(draw):
    players = draw(st.integers(2, 6))
    return players, draw(st.integers(0, players - 1))


HUGE = STANDARD.vary(
    months=2,
    starting_cash=999_999,
    order_limit=999,
    opening_materials=dict.fromkeys("XFS", 99_999),
    opening_goods=dict.fromkeys("ABC", 99_999),
    materials_calculator={"at_zero": 999, "per_unit": 99, "last": 999},
    goods_calculator={"at_zero": 999, "per_unit": -99, "last": 999},
    production=dict.fromkeys("ABC", Materials(1, 0, 0)),
    undeliverable="refuse",
)
TINY = STANDARD.vary(
    months=1,
    starting_cash=0,
    order_limit=1,
    grade_limit=1,
    materials_floor=0,
    goods_floor=0,
    opening_materials=dict.fromkeys("XFS", 0),
    opening_goods=dict.fromkeys("ABC", 0),
    production=dict.fromkeys("ABC", Materials(9, 9, 9)),
    substitutions=(),
    undeliverable="refuse",
)

CHEAP = STANDARD.vary(
    months=2,
    materials_floor=0,
    goods_floor=0,
    opening_materials=dict.fromkeys("XFS", 0),
    opening_goods=dict.fromkeys("ABC", 0),
    goods_calculator={"at_zero": 0},
)

under_all_rules = given(rules(), seats(), st.integers(0, 2**32))


# -- moves ---------------------------------------------------------------------------------------


@every_bot
@settings(max_examples=30)
@under_all_rules
@example(HUGE, (2, 0), 1)
@example(HUGE, (6, 5), 1)
@example(TINY, (2, 1), 1)
@example(TINY, (6, 0), 1)
@example(CHEAP, (2, 0), 1)
def test_every_move_is_legal_under_all_rules(name, of_rules, seat, seed):
    for view, bids, _ in seen(make_bot(name), of_rules, *seat, seed):
        assert_legal(view, bids)


@every_bot
@settings(max_examples=10)
@under_all_rules
def test_a_game_is_played_the_same_by_itself_and_among_others(name, of_rules, seat, seed):
    bot = make_bot(name)
    for view, bids, bits in seen(bot, of_rules, *seat, seed):
        for game in range(view.games):
            alone = move(bot, one_game(view, game), bits, slice(game, game + 1))
            assert_same(alone, type(bids)(*(rows[:, game : game + 1] for rows in bids)))


def one_game(view, game):
    one = slice(game, game + 1)
    columns = {at: rows[..., one] for at, rows in arrays(view)}
    return replace(view, **columns, heaps=lambda: view.heaps()[..., one])


@every_bot
@settings(max_examples=10)
@under_all_rules
def test_the_size_of_integers_changes_no_move(name, of_rules, seat, seed):
    bot = make_bot(name)
    for view, bids, bits in seen(bot, of_rules, *seat, seed):
        assert view.cash.dtype == np.int32
        larger = {at: rows.astype(np.int64) for at, rows in arrays(view)}
        assert_same(move(bot, replace(view, **larger), bits), bids)


@every_bot
@every_number
def test_a_view_is_left_as_it_is_and_seen_again_gets_the_same_move(name, players):
    bot = make_bot(name)
    for view, bids, bits in seen(bot, STANDARD.vary(months=3), players, seat=1):
        kept = {at: rows.view() for at, rows in arrays(view)}
        for rows in kept.values():
            rows.flags.writeable = False
        assert_same(move(bot, replace(view, **kept), bits), bids)
        assert_same(move(make_bot(name), view, bits), bids)


@every_bot
@every_number
def test_every_rival_plays_whole_games_within_the_rules(name, players):
    bots = [make_bot(name), make_bot(name), *[Cautious()] * 4][:players]
    rules_in_turn = [STANDARD, VARIATION, STANDARD.vary(undeliverable="refuse")]
    game = play(rules_in_turn[players % 3], dict(zip(NAMES, bots, strict=False)), seed=1)
    assert game.step is Step.OVER
    assert len(game.steps) == 24
    assert any(line.units for step in game.steps for line in step.report.firms[0].lines)


@every_bot
def test_a_rival_with_neither_cash_nor_stock_still_answers(name):
    game = Game(NAMES[:3], STANDARD.vary(starting_cash=0))
    view = game.observe("Ann", np.random.default_rng(1))
    game.order("Ann", make_bot(name).order(view))
    game.open_bids()
    view = game.observe("Ann", np.random.default_rng(1))
    assert make_bot(name).offer(view) == {}


@every_bot
def test_a_rival_earns_something_in_an_ordinary_field(name):
    for players in range(2, 7):
        bots = [make_bot(name), Cautious(), *[RandomLegal()] * 4][:players]
        assert play_block(STANDARD, bots, games=4, seed=1).profit[0].mean() > 0


# -- what a move depends on ----------------------------------------------------------------------


@every_bot
def test_what_others_keep_secret_changes_no_move(name):
    """Ben pays $60 or $70 for the same units; Cy's bid of $1 or $30 buys nothing either way."""
    moves, secrets = [], []
    for price, low in [(60, 1), (70, 30)]:
        game = Game(NAMES[:3])
        game.order("Ann", X=(2, 45), F=(2, 45), S=(2, 45))
        game.order("Ben", X=(6, price), S=(2, price))
        game.order("Cy", X=(1, low))
        view = game.observe("Ann", np.random.default_rng(1))
        offer = make_bot(name).offer(view)
        game.offer("Ann", offer)
        game.offer("Ben", {})
        game.offer("Cy", {})
        order = make_bot(name).order(game.observe("Ann", np.random.default_rng(1)))
        moves.append((offer, order))
        secrets.append(game.state.firms[1:])
    assert secrets[0] != secrets[1]
    assert moves[0] == moves[1]


@every_bot
def test_a_game_taken_back_or_read_from_a_record_gets_the_same_moves(name, tmp_path):
    bot = make_bot(name)
    rivals = {"Ann": bot, "Ben": Cautious(), "Cy": RandomLegal()}
    game = play(STANDARD.vary(months=4), rivals, seed=1)

    def asked(game):
        view = game.observe("Ann", np.random.default_rng(1))
        return bot.order(view) if view.step is Step.BUY else bot.offer(view)

    game.undo()
    moves = []
    while game.steps:
        moves.append(asked(game))
        game.save(tmp_path / f"{len(game.steps)}.jsonl")
        game.undo()
    for steps, once in zip(range(len(moves), 0, -1), moves, strict=True):
        assert asked(Game.load(tmp_path / f"{steps}.jsonl")) == once


@every_bot
def test_a_strategy_is_plain_data(name):
    bot = make_bot(name)
    assert bot == make_bot(name)
    assert hash(bot) == hash(make_bot(name))
    assert pickle.loads(pickle.dumps(bot)) == bot
    kind = type(bot).__name__
    assert eval(repr(bot), {kind: getattr(exdec.bots, kind)}) == bot
    with pytest.raises(AttributeError):
        bot.memory = 1


# -- the list ------------------------------------------------------------------------------------


@every_bot
def test_a_strategy_tells_in_a_plain_sentence_what_it_does(name):
    first, _, more = inspect.getdoc(BOTS[name]).partition("\n")
    assert first.endswith(".")
    assert first.count(". ") == 0
    assert first[0].isupper()
    assert not re.search(
        r"(?i)\b(nash|cournot|equilibri\w*|quantil\w*|heurist\w*|horizon|myopic|oligopol\w*|"
        r"argm\w+|arrays?|stochastic|ewma|expectations?|marginal|optim\w*|utility|payoffs?|"
        r"best repl\w+|best response|defect\w*|\d{4})\b",
        first,
    )
    assert re.search(r"\((19|20)\d\d|\d\d\d\d\)|rulebook|textbook|idea", more) or name == "cautious"


def test_every_strategy_has_a_file_and_tests_of_its_own():
    files = [Path(inspect.getfile(kind)) for kind in BOTS.values()]
    assert len(set(files)) == len(BOTS)
    for file in files:
        assert (Path(__file__).parent / "bots" / f"test_{file.name}").is_file(), file.name


# -- chance, and names ---------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_game():
    bots = {"Ann": make_bot("random"), "Ben": make_bot("cautious"), "Cy": make_bot("full capacity")}
    assert play(STANDARD, bots, 5).steps == play(STANDARD, bots, 5).steps
    assert play(STANDARD, bots, 5).steps != play(STANDARD, bots, 6).steps


def test_one_seats_luck_does_not_depend_on_anothers_draws():
    lucky = make_bot("random")
    first = play(STANDARD, {"Ann": lucky, "Ben": make_bot("random")}, 5)
    other = play(STANDARD, {"Ann": lucky, "Ben": make_bot("cautious")}, 5)
    assert first.steps[0].bids["Ann"] == other.steps[0].bids["Ann"]


def test_an_unknown_rival_is_named_with_the_nearest_right_name():
    with pytest.raises(TurnError, match=r"no rival called 'cautios'\. Did you mean 'cautious'"):
        make_bot("cautios")
