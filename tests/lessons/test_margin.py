import re
from fractions import Fraction
from itertools import pairwise

import pytest

from exdec import STANDARD, Game, Good, Goods, Material, Materials
from exdec.bots import BOTS, make_bot
from exdec.bots.cautious import Cautious
from exdec.bots.full_capacity import FullCapacity
from exdec.lessons.answers import NotInGameError, margin
from exdec.lessons.checking import Outcome, facts_of, judge
from exdec.lessons.desk import Desk
from exdec.lessons.explore.margin import (
    FIRMS,
    HELD,
    PRICES,
    full_and_cautious,
    full_year,
    margin_as_area,
    margins_of_year,
    one_more,
    posted_year,
    profit_of_year,
    three_goods,
    try_mixes,
)
from exdec.lessons.own_game import OwnGame, recorded_game
from exdec.play import play
from exdec.theory.margin import (
    ask_for_margin,
    best_plan,
    break_even_ask,
    unit_cost,
    value_of_more,
)
from exdec.theory.prices import posted_price

BOOK = Desk().workbook("04")
TOLD = recorded_game(BOOK, "this is a test")

SCRIPT = [
    {
        "Ann": {"X": (5, 44), "F": (4, 34), "S": (3, 22)},
        "Ben": {"X": (3, 44), "F": (3, 33), "S": (6, 24)},
        "Cy": {"X": (5, 45), "F": (4, 33), "S": (2, 20)},
    },
    {
        "Ann": {"A": (1, 141), "B": (2, 118)},
        "Ben": {"A": (1, 140), "C": (2, 92)},
        "Cy": {"A": (2, 140)},
    },
    {
        "Ann": {"X": (4, 49), "F": (3, 36), "S": (3, 25)},
        "Ben": {"X": (4, 46), "F": (4, 35), "S": (4, 25)},
        "Cy": {"X": (4, 46), "F": (5, 34), "S": (3, 22)},
    },
    {
        "Ann": {"A": (1, 142), "B": (3, 118)},
        "Ben": {"A": (1, 141), "B": (2, 119), "C": (1, 93)},
        "Cy": {"A": (2, 140), "B": (1, 120), "C": (1, 94)},
    },
]
"""How the recorded game was played: all keep busy, and Ann buys X-FINE at two prices."""


def verdict(name, given):
    exercise = BOOK.exercises[name]
    return judge(exercise, given, facts_of(exercise, TOLD))


def value(name):
    return facts_of(BOOK.exercises[name], TOLD).value


@pytest.fixture
def idle():
    """A game of somebody who bought nothing at all, and sold nothing."""
    game = Game(["You", "Ben"], months=2)
    for _ in range(2):
        game.order("You")
        game.order("Ben", X=(2, 60), F=(1, 60))
        game.offer("You")
        game.offer("Ben", A=(1, 100))
    return OwnGame(game, "You", own=True)


def test_the_recorded_game_is_played_by_this_script():
    game = Game(["Ann", "Ben", "Cy"], months=2)
    for bids in SCRIPT:
        for player, lines in bids.items():
            game.hand_in(player, lines)
    assert game.steps == TOLD.game.steps
    assert game.profit == {"Ann": 93, "Ben": 84, "Cy": 96}


# By hand. January: an A of 2 × 44 + 34 = 122 at 141, two B of 44 + 34 + 22 = 100 at 118.
# February: one X-FINE at 44 is left, and four come at 49.
BY_HAND = {
    "04-1": 100,
    "04-2": (44 + 4 * 49) / 5,
    "04-3": 18,
    "04-4": 19 + 2 * 18,
    "04-5": Fraction(100 * 55, 141 + 2 * 118),
    "04-6": 96 / 0.80,
    "04-7": "b",
    "04-8": 3 * 45,
    "04-9": 2 * 45 + 33,
    "04-10": 143 + 3 * 122,
    "04-11": 143 - 122,
    "04-12": (11 - 2 * 6) - 3 * (12 - 10),
    "04-13": (143 + 97) // 2 + 1,
    "04-14": 4 * 122 + 45,
}


@pytest.mark.parametrize("name", BOOK.exercises)
def test_the_answer_worked_out_by_hand_is_right(name):
    assert verdict(name, BY_HAND[name]).right


@pytest.mark.parametrize(
    ("name", "given", "misconception"),
    [
        ("04-1", 43 + 31 + 21, "market price for bid"),
        ("04-1", 200, "total for one"),
        ("04-1", 118, "price for cost"),
        ("04-2", 49, "last price for average"),
        ("04-2", 46.5, "average of prices, not of units"),
        ("04-2", 45, "market price for cost"),
        ("04-3", 118, "revenue for margin"),
        ("04-3", 22, "market price for ask"),
        ("04-3", 36, "total for one"),
        ("04-4", 377 - 422, "cash for margin"),
        ("04-4", 377, "revenue for margin"),
        ("04-4", 19 + 18, "units not counted"),
        ("04-5", "17.1 %", "mark-up for margin on sales"),
        ("04-5", 85.4, "cost for margin"),
        ("04-5", 14000, ""),
        ("04-6", 96 * 1.2, "mark-up for margin on sales"),
        ("04-6", 96 + 20, "per cent for dollars"),
        ("04-6", 96 * 0.8, "per cent taken off"),
        ("04-7", "a", "sunk cost"),
        ("04-7", "c", "no opportunity cost"),
        ("04-7", "d", "cost for worth"),
        ("04-8", 123, "substitute at the price of what it stands for"),
        ("04-8", 90, "substitute for nothing"),
        ("04-8", 99, "all at the lower price"),
        ("04-9", 2 * 44 + 34, "sunk cost"),
        ("04-9", 2 * 43 + 31, "this month's price"),
        ("04-9", 45 + 33, "one of each"),
        ("04-9", 143, "price for what is given up"),
        ("04-10", 2 * 143 + 122 + 97, "dearest good first"),
        ("04-10", 4 * 122, "one good only"),
        ("04-10", 510, ""),
        ("04-11", 143, "price of a good for a certificate"),
        ("04-11", 47.67, "average for marginal"),
        ("04-11", 509, "total for marginal"),
        ("04-11", 43, "market price for worth"),
        ("04-12", -1, "price alone"),
        ("04-12", -6, "cost alone"),
        ("04-12", -3, "one certificate for three"),
        ("04-12", 5, "price and cost added"),
        ("04-13", 120, "equal for more"),
        ("04-13", 144, "dearer than A"),
        ("04-13", 241, "two for one"),
        ("04-13", 98, "dearer than C"),
        ("04-14", 530, "best mix without what is left"),
        ("04-14", 509, "goods alone"),
        ("04-14", 488, "leftovers forgotten"),
        ("04-14", 526, "dearest good first"),
    ],
)
def test_a_plausible_wrong_answer_meets_its_own_sentence(name, given, misconception):
    told = verdict(name, given)
    assert (told.right, told.name) == (False, misconception)
    assert told.outcome is (Outcome.MISCONCEPTION if misconception else Outcome.WRONG)


def test_dollars_for_per_cent_are_told():
    assert verdict("04-5", 55).outcome is Outcome.OTHER_UNIT
    assert verdict("04-5", "$55").outcome is Outcome.OTHER_UNIT
    assert verdict("04-4", "4 units").outcome is Outcome.OTHER_UNIT


def test_what_texts_say_by_number_comes_from_the_engine():
    assert TOLD.game.steps[1].report.prices == PRICES
    february = Materials(*TOLD.game.steps[2].report.prices)
    assert february == (45, 33, 21)
    assert value("04-6") == ask_for_margin(sum(posted_year(FullCapacity())[0][0]), 20)
    assert margin.own_cost(TOLD.game, "Ann", item="B", month=2) == Fraction("107.75")
    assert unit_cost(Good.B, february) == 99
    assert value("04-8") == break_even_ask(Good.A, Materials(3, 0, 0), february)
    assert value("04-11") == value_of_more(Material.X, HELD, PRICES)
    full = Materials(12, 12, 12)
    assert full == sum_of(STANDARD.production, Goods(3, 6, 3))
    assert sum(full) == FIRMS * STANDARD.order_limit.at(FIRMS)
    assert value("04-12") == (
        posted_price(Good.B, 100, 6) - 100 - 3 * (posted_price(Material.X, 40, full.X) - 40)
    )
    assert value("04-14") == best_plan(Materials(5, 4, 4), PRICES, worth=february).value
    bring = {b: best_plan(HELD, PRICES._replace(B=b)).goods == Goods(0, 4, 0) for b in (119, 121)}
    assert bring == {119: False, 121: True}
    assert value("04-13") == 121


def sum_of(production, goods):
    """The certificates that so many of each good take."""
    return Materials(
        *(sum(n * row[at] for n, row in zip(goods, production, strict=True)) for at in range(3))
    )


def test_caution_and_full_capacity_differ_by_what_certificates_cost():
    full, cautious = (posted_year(strategy) for strategy in (FullCapacity(), Cautious()))
    assert [goods.B for _, goods in full] == [goods.B for _, goods in cautious]
    assert {later[0].X - month[0].X for month, later in pairwise(full)} == {2}
    assert [materials.X for materials, _ in cautious][:3] == [34, 28, 22]
    assert cautious[-1][0] == (1, 1, 1)


def test_the_rivals_often_leave_the_dearest_good_behind_another():
    """A pupil's stock and the rivals' prices: making A first is often not the best mix."""
    rivals = re.search(r"solo\(\[(.*?)\], months=2", (BOOK.folder / "lesson.md").read_text()).group(
        1
    )
    ben, cy = (make_bot(name.strip(' "')) for name in rivals.split(","))
    differ = played = 0
    for name in sorted(BOTS):
        bots = {"You": make_bot(name), "Ben": ben, "Cy": cy}
        game = play(STANDARD.vary(months=2), bots, seed=4)
        try:
            best = margin.best_revenue(game, "You", month=2)
        except NotInGameError:
            continue
        played += 1
        differ += best > margin.dearest_first(game, "You", month=2)
    assert differ >= played / 2


def test_the_year_that_is_predicted_is_played():
    told = {
        one.name: one.answer.literal
        for name in ("04-b", "04-c")
        for one in BOOK.predictions[name].quantities
    }
    year = margins_of_year(FullCapacity())
    assert told == {
        "june": year[5].B,
        "december": year[11].B,
        "full": profit_of_year([FullCapacity()] * FIRMS)[-1],
        "cautious": profit_of_year([Cautious()] * FIRMS)[-1],
    }
    assert year[0].B == 22


def test_who_sold_nothing_is_told_so(idle):
    asks = (margin.main_good, margin.cost_of_main_good, margin.total_margin, margin.mark_up)
    for ask in asks:
        with pytest.raises(NotInGameError, match="you sold nothing in January"):
            ask(idle.game, "You", month=1)
    with pytest.raises(NotInGameError, match="no grade in February"):
        margin.mixed_average(idle.game, "You", month=2)
    with pytest.raises(NotInGameError, match="could make nothing"):
        margin.best_revenue(idle.game, "You", month=2)
    assert margin.broker_value(idle.game, "You", item="A", month=1) == 2 * 32 + 21


def test_who_did_nothing_still_sees_charts(idle):
    assert "Nothing was sold in January" in margin_as_area(idle).sentence
    assert "Nothing: $0 in all" in try_mixes(idle).chart.sentence


def test_a_margin_is_an_area_and_a_loss_is_said():
    assert margin_as_area(TOLD).sentence.endswith("Together: +$55.")
    game = Game(["You", "Ben"], months=1)
    game.order("You", X=(2, 60), F=(1, 60))
    game.order("Ben")
    game.offer("You", A=(1, 100))
    game.offer("Ben")
    picture = margin_as_area(OwnGame(game, "You", own=True))
    assert picture.sentence.startswith("1 A at $100, which cost $180 each: −$80 in all.")
    assert [thing.name for thing in picture.things] == ["cost of A", "A loss"]
    assert max(up for _, up in picture.things[1].corners) == 180


def test_mixes_are_tried_and_what_is_left_is_said():
    trial = try_mixes(TOLD)
    for good, units in {"A": 1, "B": 3}.items():
        trial.sliders[good].value = units
    assert trial.chart.sentence == "1 A, 3 B: $509 in all. Left over: 1 STANDARD."
    trial.sliders["C"].value = 1
    assert "your certificates do not make that" in trial.chart.sentence


def test_a_mix_with_substitutes_says_so():
    game = Game(["You", "Ben"], months=1)
    game.order("You", X=(3, 60))
    game.order("Ben")
    game.offer("You")
    game.offer("Ben")
    trial = try_mixes(OwnGame(game, "You", own=True), month=1)
    trial.sliders["A"].value = 1
    assert trial.chart.sentence.endswith("1 of them stood in for the next grade.")


def test_the_chart_answers_nothing_until_it_is_moved():
    search = one_more()
    assert search.chart.sentence == ("With 4 X-FINE, 4 FINE, 4 STANDARD the best mix is 4 B: $488.")
    search.sliders["held"].value = 7
    assert search.chart.sentence.endswith("the best mix is 1 A, 4 B: $631.")


def test_the_year_is_built_up_to_its_end():
    view = full_year()
    assert "the margin moves by −$3 a month. In September" in view.steps[3][0]
    assert view.steps[-1][1].sentence.endswith("to −$11 in December.")
    assert "C: from +$17 to −$16, below zero from July." in three_goods().sentence
    assert "$1,078" in full_and_cautious().sentence


def test_who_gains_by_filling_up_and_by_holding_back():
    cautious, full = Cautious(), FullCapacity()
    all_full, all_cautious = profit_of_year([full] * 4)[-1], profit_of_year([cautious] * 4)[-1]
    assert profit_of_year([full, *[cautious] * 3])[-1] > all_cautious > all_full
    held_back = profit_of_year([cautious, *[full] * 3])[-1]
    assert (held_back, all_full) == (297, 54)
    assert all_full < held_back < profit_of_year([full, full, full, cautious])[-1] / 3
