from fractions import Fraction

import pytest

from exdec import STANDARD, Game, Good
from exdec.analysis import goods_sold
from exdec.lessons.answers import NotInGameError, supply
from exdec.lessons.checking import Outcome, facts_of, judge, solution_of
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import LessonError
from exdec.lessons.explore.supply import (
    all_firms,
    asks_of,
    class_supply,
    months_of_a_glut,
    my_month,
    my_offer,
    offer_sentence,
    one_firm,
    recorded,
)
from exdec.lessons.own_game import OwnGame, recorded_game
from exdec.theory.supply import best_offer, earnings, market_supply, revenue, units_at

BOOK = Desk().workbook("03")
RUSH = recorded()

SCRIPT = [
    {
        "Ann": {"X": (5, 45), "F": (3, 30), "S": (2, 20)},
        "Ben": {"X": (5, 46), "F": (3, 31), "S": (2, 19)},
        "Cy": {"X": (4, 48), "F": (3, 31), "S": (2, 21)},
    },
    {
        "Ann": {"A": (2, 137), "C": (1, 92)},
        "Ben": {"A": (2, 136), "C": (1, 93)},
        "Cy": {"A": (2, 139), "C": (1, 90)},
    },
    {
        "Ann": {"X": (6, 53), "F": (2, 28)},
        "Ben": {"X": (6, 52), "F": (3, 28)},
        "Cy": {"X": (6, 54), "F": (4, 29), "S": (2, 12)},
    },
    {"Ann": {"A": (3, 131)}, "Ben": {"A": (3, 130)}, "Cy": {"A": (3, 132), "C": (1, 100)}},
    {
        "Ann": {"X": (6, 56), "F": (3, 29)},
        "Ben": {"X": (5, 55), "F": (3, 30)},
        "Cy": {"X": (2, 55), "F": (4, 30), "S": (6, 10)},
    },
    {"Ann": {"A": (3, 128)}, "Ben": {"A": (3, 138)}, "Cy": {"C": (3, 105)}},
]
"""How the recorded game was played: in a rush for A, from which Cy turns away in the end."""


def facts(name):
    return facts_of(BOOK.exercises[name], recorded_game(BOOK, "this is a test"))


@pytest.fixture
def played():
    """A game whose best offer is C, with FINE in two places of STANDARD."""
    game = Game(["You", "Ben"], months=3)
    game.order("You", F=(8, 33), S=(2, 15))
    game.order("Ben", X=(10, 45), F=(5, 36), S=(3, 15))
    game.offer("You", C=(2, 88))
    game.offer("Ben", A=(2, 140), C=(1, 85))
    return game


def test_the_recorded_game_is_what_the_engine_makes_of_its_script():
    game = Game(["Ann", "Ben", "Cy"], months=3)
    for step in SCRIPT:
        for player, bids in step.items():
            game.hand_in(player, bids)
    assert game.steps == RUSH.steps


def test_all_sell_more_a_and_all_earn_less():
    for player in RUSH.players:
        first, second, *_ = (sold for sold in goods_sold(RUSH, player) if sold.good is Good.A)
        assert (first.month, second.month) == (1, 2)
        assert second.units > first.units
        assert second.amount > first.amount
        assert second.margin < 0 < first.margin


def test_what_is_written_down_comes_from_the_engine():
    each = {"two": 2, "three": 3, "four": 4}
    for one in BOOK.predictions["03-b"].quantities:
        units = each[one.name]
        assert one.answer.literal == earnings(Good.A, 140, units, 2 * units, [120] * units)
    firms = {player: asks_of(RUSH, player) for player in RUSH.players}
    ann = facts("03-2")
    assert ann.value == units_at(firms["Ann"], 140)
    assert ann.fields["first"] == f"${float(firms['Ann'][0]):.2f}"
    assert ann.fields["third"] == f"${float(firms['Ann'][2]):.2f}"
    assert ann.fields["average"] == f"${float(sum(firms['Ann']) / 3):.2f}"
    every = facts("03-3")
    assert every.value == units_at([step.price for step in market_supply(firms)], 133)
    assert every.fields["ben"] == f"${float(firms['Ben'][0]):.2f}"
    assert every.fields["cy"] == f"${firms['Cy'][0]}"
    assert facts("03-8").value == best_offer(Good.A, 140, 6, [127] * 6)
    alone = [earnings(Good.A, 140, mine, 6, [120] * mine) for mine in (1, 2, 3, 4)]
    assert facts("03-9").value == alone
    totals = [revenue(Good.C, 21, units) for units in range(17)]
    assert facts("03-12").value == totals.index(max(totals))
    # In the choice of 03-11: Ann's January cost, and March's buy-back and price.
    question = BOOK.exercises["03-11"].question
    assert f"${supply.cost(RUSH, 'Ann', month=1)}" in question
    assert f"${supply.cost_at_market(RUSH, 'Ann', month=3, item='A')}" in question
    assert f"${RUSH.steps[5].report.prices.A}" in question


@pytest.mark.parametrize(
    ("name", "wrong"),
    {
        "03-1": {
            75: "one certificate of each grade",
            240: "all units for one",
            139: "price for cost",
            117: "market price for bid",
        },
        "03-2": {3: "average for marginal", 1: "one step for one unit", 0: "nothing pays"},
        "03-3": {
            9: "capacity for supply",
            3: "the cheapest firm alone",
            2: "firms for units",
        },
        "03-4": {"a": "movement for shift", "b": "need for supply", "d": "price for supply"},
        "03-5": {138: "slope of the materials", 139: "price taker", 141: "more offered, dearer"},
        "03-6": {
            139: "price for marginal revenue",
            278: "revenue for marginal revenue",
            129: "everybody's loss for one's own",
        },
        "03-7": {
            2: "slope for elasticity",
            "34.75": "one's own units for all",
            "-11.6": "with its sign",
            "0.086": "upside down",
            "10.62": "midpoint for point",
        },
        "03-8": {6: "revenue for earnings", 5: "price for marginal revenue", 4: "one too far"},
        "03-10": {
            109: "the good's price for the certificates'",
            32: "one certificate of each grade",
            44: "prices of another month",
        },
        "03-11": {"a": "sunk cost", "b": "price for worth", "c": "unsold is lost"},
        "03-12": {5: "price for revenue", 16: "until the price is zero", 9: "one too far"},
    }.items(),
)
def test_plausible_wrong_answers_are_told_by_their_reason(name, wrong):
    exercise, known = BOOK.exercises[name], facts(name)
    for answer, misconception in wrong.items():
        verdict = judge(exercise, answer, known)
        assert (verdict.outcome, verdict.name) == (Outcome.MISCONCEPTION, misconception)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ([25, 38, 39, 28], "all the same"),
        ([137, 270, 399, 524], "revenue for earnings"),
        ((17, 15, 13, 11), "one unit for all"),
    ],
)
def test_wrong_lists_are_told_by_their_reason(given, name):
    assert judge(BOOK.exercises["03-9"], given, facts("03-9")).name == name


def test_one_unit_off_is_wrong_without_a_name():
    for name, near in (("03-1", 118), ("03-5", 136), ("03-6", 135), ("03-7", 13), ("03-10", 37)):
        assert judge(BOOK.exercises[name], near, facts(name)).outcome is Outcome.WRONG


def test_answers_by_hand_in_another_game(played):
    # 13 FINE and 5 STANDARD are ordered: $33 and $15. You bought 8 FINE at 33 and 2 STANDARD at 15.
    assert played.steps[0].report.prices[1:] == (33, 15)
    you = {"game": played, "player": "You", "month": 1}
    assert supply.good(**you) == "C"
    assert supply.certificates(**you) == "1 FINE and 2 STANDARD"
    assert supply.cost(**you) == 33 + 2 * 15
    assert supply.lowest_ask(**you) == 63
    assert supply.one_of_each(**you) == 48
    # 3 C are offered: 90 + 11 − 6 = 95.
    assert supply.posted(**you) == 95
    assert supply.posted(**you, more=1) == 93
    assert supply.marginal(**you) == 2 * 95 - 97
    assert supply.marginal(**you, of="all") == 3 * 95 - 2 * 97
    assert supply.elasticity(**you) == Fraction(95, 6)
    assert supply.elasticity(**you, own=True) == Fraction(95, 4)
    assert supply.inverse_elasticity(**you) == Fraction(6, 95)
    assert supply.midpoint_elasticity(**you) == Fraction(95 + 93, 2 * (3 + 4))
    assert supply.with_and_without_the_last(**you).startswith("2 × $95 = $190, and 1 × $97 = $97.")
    assert supply.cost_at_market(**you, item="A") == 2 * 40 + 33


def test_an_only_unit_takes_nothing_off_others():
    game = Game(["You", "Ben"], months=3)
    game.order("You", X=(2, 50), F=(1, 50))
    game.order("Ben")
    game.offer("You", A=(1, 140))
    game.offer("Ben")
    one = BOOK.exercises["03-6"]
    known = facts_of(one, OwnGame(game, "You", own=True))
    assert known.value == 149
    assert "your only unit" in judge(one, 149, known).says
    assert solution_of(one, known) == (
        "Your only unit brings $149, and without it you have nothing to sell: **$149**."
    )


def test_the_february_of_the_rush_is_taken_apart():
    """At January's costs February's A would still have earned something; they cost more."""
    apart = {}
    for player, offered in zip(RUSH.players, RUSH.steps[3].report.firms, strict=True):
        january, february, *_ = (s for s in goods_sold(RUSH, player) if s.good is Good.A)
        cost = supply.cost(RUSH, player, month=1)
        still = offered.lines.A.amount - offered.lines.A.filled * cost
        apart[player] = (still - january.margin, february.margin - still)
    assert apart == {"Ann": (-1, -59), "Ben": (-5, -22), "Cy": (-9, -30)}


def test_three_three_and_two_bring_all_together_most():
    def together(*offers):
        return sum(earnings(Good.A, 140, n, sum(offers) - n, [120] * n) for n in offers)

    assert (together(3, 3, 2), together(3, 3, 3)) == (120, 117)
    assert max(together(a, b, c) for a in range(5) for b in range(5) for c in range(5)) == 120


def test_the_lowest_ask_is_rounded_up():
    game = Game(["You", "Ben"])
    for order in ({"X": (3, 40), "F": (3, 40), "S": (3, 40)}, {"F": (1, 41)}):
        game.order("You", order)
        game.open_bids()
        game.offer("You", B=(1, 100))
        game.open_bids()
    # Two of each were left for $80, and one FINE came for $41.
    assert supply.cost(game, "You", month=2) == 80 + Fraction(121, 3)
    assert supply.lowest_ask(game, "You", month=2) == 121


def test_who_offered_nothing_is_asked_about_the_recorded_game():
    game = Game(["You", "Ben"], months=3)
    game.open_bids()
    game.open_bids()
    with pytest.raises(NotInGameError, match="you offered nothing in January"):
        supply.good(game, "You", month=1)
    game = Game(["You", "Ben"], months=3)
    game.open_bids()
    game.offer("You", A=(1, 150))
    game.open_bids()
    assert supply.posted(game, "You", month=1) == 149
    with pytest.raises(NotInGameError, match="you could not make one A in January"):
        supply.cost(game, "You", month=1)
    assert "Ann" in my_month(OwnGame(Game(["You", "Ben"]), "You", own=True)).sentence


def test_anns_supply_grows_step_by_step():
    texts = [text for text, _ in one_firm().steps]
    assert "2 X-FINE and 1 FINE" in texts[1]
    assert "$131.71" in texts[1]
    assert "a flat step" in texts[2]
    assert "X-FINE stands in" in texts[3]
    assert "$155.57" in texts[3]
    axes = {(picture.x, picture.y) for _, picture in one_firm().steps}
    assert len(axes) == 1
    # The exercise's own price is read by the learner.
    assert not any("$140" in picture.sentence for _, picture in one_firm().steps)


def test_all_firms_stand_side_by_side():
    view = all_firms()
    assert [text.partition(":")[0] for text, _ in view.steps[:2]] == [
        "Whose A is the cheapest? Ben's",
        "Beside it, not on top of it, comes Ann",
    ]
    text, picture = view.steps[-1]
    assert "4 of the steps" in text
    assert "9 units did: Ben asked $130 for what cost $130.29." in text
    # The sixth, Cy's first, costs $137; six would post at 139 + 11 − 12, and seven below that.
    assert "meet at 6: with 6 offered, A would have posted at $138" in text
    assert "from $150 at 0 units to $130 at 10 units" in picture.sentence


def test_a_class_is_drawn_and_an_empty_one_is_not():
    picture = class_supply({"Ann": [120, 145], "Ben": [118, 118]})
    assert picture.sentence.endswith("Ben 2 at $118, Ann 1 at $120, Ann 1 at $145.")
    with pytest.raises(LessonError, match="Nobody can make any yet"):
        class_supply({"Ann": []})


def test_the_own_month_says_whose_units_they_are(played):
    said = my_month(OwnGame(played, "You", own=True)).sentence
    assert "3 were offered, 2 of them by you" in said
    assert "2 × $95 = $190" in said
    assert "2 of them by Ann" in my_month(recorded_game(BOOK, "this is a test")).sentence


def test_the_sliders_earn_most_at_the_answer():
    view = my_offer()
    earned = {}
    for mine in range(7):
        view.sliders["mine"].value = mine
        earned[mine] = view.chart.sentence
    best = max(earned, key=lambda mine: earnings(Good.A, 140, mine, 6, [127] * mine))
    assert best == facts("03-8").value
    assert "You earn $18 in all" in earned[best]
    assert "earn nothing" in earned[0]
    assert offer_sentence(Good.A, 140, 6, 6, 130, STANDARD).endswith("You lose $18 in all.")


def test_a_glut_stays():
    said = months_of_a_glut().sentence
    for month in ("January: 6 offered, A posts at $139", "March: 6 offered, A posts at $131"):
        assert month in said
