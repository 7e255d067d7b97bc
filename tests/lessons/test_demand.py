import json
import re
import runpy
from dataclasses import replace
from itertools import product

import pytest
from ipywidgets import Output

from exdec import STANDARD, Game, Good, Material, Materials
from exdec.bots import make_bot
from exdec.errors import ExdecError
from exdec.lessons.answers import NotInGameError, demand
from exdec.lessons.build import notebook, read_lesson, run
from exdec.lessons.checking import Outcome, facts_of, judge
from exdec.lessons.desk import Desk
from exdec.lessons.exercises import read_exercises
from exdec.lessons.explore.demand import (
    LEFT_OVER,
    along_or_shift,
    class_at_one_table,
    class_curve,
    class_demand,
    first_second_third,
    worth_by_month,
)
from exdec.lessons.own_game import OwnGame, recorded_game
from exdec.lessons.schedules import (
    ScheduleError,
    parse_schedules,
    read_schedules,
    recorded_class,
    write_schedules,
)
from exdec.notebook.stage import widgets_of
from exdec.play import play
from exdec.record import dumps
from exdec.theory.demand import (
    added_worth,
    crossing,
    demand_prices,
    market_demand,
    quantity_at,
    shifted,
    worth_in_good,
    worth_in_order,
)

LESSON = Desk().sources / "02_demand"

SHEETS = (
    {
        "Ann": {"X": (6, 49), "F": (4, 32), "S": (2, 20)},
        "Ben": {"X": (8, 50), "F": (4, 33)},
        "Cy": {"X": (4, 47), "F": (2, 31), "S": (3, 21)},
    },
    {
        "Ann": {"A": (2, 136), "B": (2, 114)},
        "Ben": {"A": (4, 133)},
        "Cy": {"C": (1, 88)},
    },
    {
        "Ann": {"X": (4, 53), "F": (3, 31), "S": (2, 18)},
        "Ben": {"X": (6, 51), "F": (3, 32)},
        "Cy": {"X": (3, 52), "F": (2, 31), "S": (2, 18)},
    },
    {
        "Ann": {"A": (1, 137), "B": (2, 117)},
        "Ben": {"A": (3, 134)},
        "Cy": {"B": (3, 115)},
    },
    {
        "Ann": {"X": (3, 55), "F": (3, 29), "S": (3, 14)},
        "Ben": {"X": (4, 54), "F": (3, 29), "S": (2, 13)},
        "Cy": {"X": (4, 56), "F": (3, 30), "S": (2, 14)},
    },
    {
        "Ann": {"A": (1, 134), "B": (1, 118), "C": (1, 95)},
        "Ben": {"A": (1, 134), "B": (2, 117)},
        "Cy": {"A": (1, 133), "B": (2, 116)},
    },
)
"""What three firms wrote on their sheets from January to March, order and offer in turn."""

BOTS = {"Ann": "random", "Ben": "cautious", "Cy": "full capacity"}


def three_firms(sheets=SHEETS):
    game = Game(["Ann", "Ben", "Cy"], STANDARD.vary(months=3))
    for at, sheet in enumerate(sheets):
        for player, bids in sheet.items():
            (game.offer if at % 2 else game.order)(player, **bids)
    return game


@pytest.fixture(scope="module")
def workbook():
    return read_exercises(LESSON / "exercises.toml")


@pytest.fixture(scope="module")
def recorded(workbook):
    return recorded_game(workbook, "this is a test")


@pytest.fixture(scope="module")
def cys(recorded):
    """The seat whose order failed."""
    return replace(recorded, player="Cy")


@pytest.fixture(scope="module")
def the_class():
    return market_demand(recorded_class().values())


def test_the_recorded_game_is_what_the_engine_makes_of_the_sheets():
    text = (LESSON / "three_firms.jsonl").read_text("utf-8")
    assert text == dumps(three_firms(), title="Three firms want X-FINE")


def test_answers_that_are_written_down_are_those_of_the_rules(workbook, the_class):
    written = {
        one.id: one.answer.literal for one in workbook.exercises.values() if not one.answer.compute
    }
    for name in ("02-8", "02-11"):
        written.pop(name)
    opening, goods = STANDARD.opening_materials, STANDARD.opening_goods
    amy, bo, cal = list(recorded_class().values())[:3]
    three = market_demand([amy, bo, cal])
    assert written == {
        "02-1": worth_in_good(Good.B, goods.B, opening, Material.X),
        "02-2": worth_in_good(Good.A, goods.A, opening, Material.X),
        "02-6": quantity_at(three, 50),
        "02-7": shifted(three, 10)[::2],
        "02-12": worth_in_order(opening, goods, Material.X, 12, 1)[0],
    }
    assert workbook.exercises["02-7"].base.literal == three[::2]
    assert "Amy: $70, $60, $45. Bo: $65, $65, $50. Cal: $80, $55, $40." in (
        workbook.exercises["02-6"].question
    )
    assert [amy, bo, cal] == [[70, 60, 45], [65, 65, 50], [80, 55, 40]]
    along, shift = (one.answer.literal for one in workbook.predictions["02-b"].quantities)
    assert along == quantity_at(the_class, 60)
    assert shift == quantity_at(shifted(the_class, 10), 50)
    before = quantity_at(the_class, 50)
    assert f"wants {before} units" in workbook.predictions["02-b"].question
    assert f"wants {along} units in place of {before}." in workbook.predictions["02-b"].why
    assert f"at $50 the class wants {shift}, as many as at $40" in workbook.predictions["02-b"].why
    assert shift == quantity_at(the_class, 40)


@pytest.mark.parametrize(
    ("name", "answer", "value"),
    [
        # By hand: A opens at 140, and 6 are offered, so −1. 10 FINE are ordered: still 30.
        ("02-3", "$54.50", (139 - 30) / 2),
        ("02-4", "a", "a"),
        # Ann holds 6 X-FINE, 4 FINE and 2 STANDARD: 3 A and a C, which one X-FINE makes a B.
        ("02-5", "25", (3 * 140 + 115) - (3 * 140 + 90)),
        # The others order 12; 49 = 40 − 10 + 19.
        ("02-9", "7", 19 - 12),
        ("02-10", "16", 65 - 49),
    ],
)
def test_answers_on_the_recorded_game_by_hand(workbook, recorded, name, answer, value):
    exercise = workbook.exercises[name]
    facts = facts_of(exercise, recorded)
    assert facts.value == value
    assert judge(exercise, answer, facts).right


def test_the_text_does_not_tell_what_is_asked_of_who_has_not_played(workbook, recorded):
    numbers = runpy.run_path(str(LESSON / "numbers.py"))
    asked = {
        name: facts_of(workbook.exercises[name], recorded).value
        for name in ("02-5", "02-9", "02-10")
    }
    assert asked["02-5"] != numbers["first"]
    # What the text says of Cy: the others' units, his bid, and what a unit is worth.
    assert asked["02-9"] != numbers["cy_bid"] - numbers["x"] + 10 - numbers["others"]
    assert asked["02-10"] != numbers["worth_b"] - numbers["cy_bid"]


@pytest.mark.parametrize(
    ("name", "answer", "misconception"),
    [
        ("02-1", "25", "profit for worth"),
        ("02-1", "$40", "price for worth"),
        ("02-1", "115", "whole good for one certificate"),
        ("02-1", "85", "STANDARD forgotten"),
        ("02-1", "95", "FINE forgotten"),
        ("02-1", "50", "cost of the others for what is left"),
        ("02-2", "110", "two units for one"),
        ("02-2", "$70", "FINE forgotten"),
        ("02-2", "40", "FINE taken off twice"),
        ("02-3", "109", "two units for one"),
        ("02-3", "55", "old prices"),
        ("02-3", "13", "profit for worth"),
        ("02-3", "69.50", "FINE forgotten"),
        ("02-3", "48", "price for worth"),
        ("02-4", "b", "a rise for a fall"),
        ("02-4", "c", "nothing moved"),
        ("02-4", "d", "price for worth"),
        ("02-5", "205", "total for marginal"),
        ("02-5", 205 / 6, "average for marginal"),
        ("02-5", "48", "price for worth"),
        ("02-5", "65", "nothing on hand"),
        ("02-6", "6", "unit at the margin left out"),
        ("02-6", "3 units", "buyers counted for units"),
        ("02-6", "9", "all units whatever the price"),
        ("02-6", "2", "units below the price counted"),
        ("02-7", [70, 55, 50, 40, 30], "shift in the wrong direction"),
        ("02-7", [90, 65, 60, 50, 40], "only one end moves"),
        ("02-7", [50, 60, 70, 80, 90], "demand that rises"),
        ("02-8", "a, b, c, d", "movement along for a shift"),
        ("02-8", "b", "movement along for a shift"),
        ("02-8", "a, c, e", "quantity for demand"),
        ("02-9", "17", "the others forgotten"),
        ("02-9", "7", "ten forgotten"),
        ("02-9", "4 units", "what was ordered"),
        ("02-9", "14", "what the others ordered"),
        ("02-10", "17", "market price for bid"),
        ("02-10", "1", "bid against the market"),
        ("02-10", "−18", "sign turned"),
        ("02-10", "$47", "bid for gain"),
        ("02-11", "a, b, d", "bids are open"),
        ("02-11", "a, c", "bid for worth"),
        ("02-11", "b, d", "bids are open"),
        ("02-12", "65", "opportunity cost forgotten"),
        ("02-12", "25", "saved certificate forgotten"),
        ("02-12", "90", "a C for the X-FINE"),
        ("02-12", "115", "cost of the others forgotten"),
    ],
)
def test_plausible_wrong_answers_hear_their_own_sentence(
    workbook, cys, name, answer, misconception
):
    exercise = workbook.exercises[name]
    verdict = judge(exercise, answer, facts_of(exercise, cys))
    assert (verdict.outcome, verdict.name) == (Outcome.MISCONCEPTION, misconception)
    says = next(one.says for one in exercise.misconceptions if one.name == misconception)
    assert verdict.says.startswith(says.partition("{")[0])


def test_a_curve_that_moved_too_far_is_not_taken_for_one_that_did_not(workbook, recorded):
    exercise = workbook.exercises["02-7"]
    verdict = judge(exercise, [100, 85, 80, 70, 60], facts_of(exercise, recorded))
    assert verdict.outcome is Outcome.WRONG
    assert "By how much" in verdict.says


# -- answers from a game -------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["Ann", "Ben", "Cy"])
def test_the_largest_own_order_is_the_last_that_replaying_fills(player):
    bid = SHEETS[0][player]["X"][1]
    filled = []
    for units in range(1, 13):
        sheet = {**SHEETS[0], player: {"X": (units, bid)}}
        game = three_firms([sheet])
        line = game.report.firms[game.players.index(player)].lines.X
        filled += [units] if line.filled else []
    largest = demand.largest_own_order(three_firms(), player, month=1)
    assert largest == max(filled, default=0)


def test_who_may_not_order_all_that_the_bid_allows_is_told_of_the_limit(workbook):
    sheet = {"Ann": {"X": (6, 49)}, "Ben": {}, "Cy": {"X": (4, 50)}}
    own = OwnGame(three_firms([sheet, {}]), "Cy", own=True)
    exercise = workbook.exercises["02-9"]
    facts = facts_of(exercise, own)
    assert facts.value == 12  # 50 = 40 − 10 + 20, so 14 beside Ann's 6
    assert "12 units in all" in exercise.question.format(**facts.fields)
    for given in (14, 21):
        assert "the order limit of 12 units" in judge(exercise, given, facts).says
    assert judge(exercise, 20, facts).name == "the others forgotten"


@pytest.mark.parametrize("month", [1, 2, 3])
@pytest.mark.parametrize("player", ["Ann", "Ben", "Cy"])
def test_one_more_is_worth_what_the_certificates_with_it_bring(player, month):
    game = three_firms()
    state = game.steps[2 * month - 1].before
    held = state.firms[game.players.index(player)].materials

    def best(x, f, s):
        """By trying all goods and all substitutes."""
        return max(
            sum(n * price for n, price in zip((a, b, c), state.good_prices, strict=True))
            for a, b, c, u, v in product(range(5), repeat=5)
            if 2 * a + b + u <= x
            and a + b + c - u + v <= f
            and b + 2 * c - v <= s
            and u <= a + b + c
            and v <= b + 2 * c
        )

    expected = best(held.X + 1, held.F, held.S) - best(*held)
    assert demand.next_worth(game, player, month=month) == expected


def test_the_firm_of_the_chart_is_cy_in_january():
    game = three_firms()
    assert game.steps[1].before.firms[2].materials == LEFT_OVER
    assert f"X-FINE posts at ${game.steps[0].report.prices.X}." in repr(first_second_third())


HANDS = {
    "2 FINE, 3 STANDARD": Materials(X=0, F=2, S=3),
    "1 FINE, 1 STANDARD": Materials(X=0, F=1, S=1),
    "4 STANDARD": Materials(X=0, F=0, S=4),
    "3 FINE, 1 STANDARD": Materials(X=0, F=3, S=1),
    "2 X-FINE, 2 STANDARD": Materials(X=2, F=0, S=2),
}
"""What the teacher deals when there are no computers."""


@pytest.mark.parametrize("b_price", [115, 125])
@pytest.mark.parametrize("hand", HANDS)
def test_the_slips_of_a_lesson_on_paper_are_worked_out_right(hand, b_price):
    text = (LESSON / "teacher.md").read_text("utf-8")
    adds = added_worth(HANDS[hand], STANDARD.opening_goods._replace(B=b_price), Material.X, 3)
    slip = ", ".join(str(int(price)) for price in demand_prices(adds))
    row = f"| {hand} | {' | '.join(map(str, adds))} | {slip} |"
    before, after = text.split("B brings \\$10 more: \\$125")
    assert row in (before if b_price == 115 else after)


def test_five_hands_take_the_slips_that_the_teacher_cuts():
    x, f, s = map(sum, zip(*HANDS.values(), strict=True))
    text = (LESSON / "teacher.md").read_text("utf-8")
    assert f"{x} X, {f} F and {s} S for each five pupils" in text


def test_demand_moves_with_the_board():
    game = three_firms()
    assert demand.direction(game, "Cy", good="B", month=1) == "a"
    fixed = STANDARD.vary(goods_calculator={"at_zero": 0, "per_unit": 0})
    still, dear = Game(["You", "Ben"], fixed), Game(["You", "Ben"], fixed)
    still.order("You", F=(12, 45), S=(6, 45))
    still.order("Ben", S=(2, 45))
    still.open_bids()
    assert demand.direction(still, "You", good="B", month=1) == "c"  # FINE +2, STANDARD −2
    dear.order("You", F=(12, 45))
    dear.order("Ben", S=(12, 45))
    dear.open_bids()
    assert demand.direction(dear, "You", good="B", month=1) == "b"


def test_a_game_that_cannot_tell_says_why():
    idle = Game(["You", "Ben"])
    idle.order("You")
    idle.order("Ben", X=(2, 41))
    idle.open_bids()
    with pytest.raises(NotInGameError, match="you held no certificate in January"):
        demand.next_worth(idle, "You", month=1)
    with pytest.raises(NotInGameError, match="you bid for no X-FINE in January"):
        demand.largest_own_order(idle, "You", month=1)
    with pytest.raises(NotInGameError, match="has not come to February's offers"):
        demand.next_worth(idle, "You", month=2)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("player", ["Ann", "Ben", "Cy"])
def test_whatever_was_played_can_be_asked_about(workbook, seed, player):
    bots = {name: make_bot(bot) for name, bot in BOTS.items()}
    own = OwnGame(play(STANDARD.vary(months=3), bots, seed=seed), player, own=True)
    assert worth_by_month(own).sentence
    for exercise in workbook:
        try:
            facts = facts_of(exercise, own)
        except NotInGameError:
            # Who wanted no X-FINE made no bid for it, and who got nothing held nothing.
            assert exercise.id in ("02-5", "02-9", "02-10")
        else:
            assert judge(exercise, facts.value, facts).right


@pytest.mark.slow
def test_every_solution_passes(tmp_path):
    run(notebook(read_lesson(LESSON), solved=True), tmp_path)
    kept = json.loads((tmp_path / "progress.json").read_text("utf-8"))
    right = [
        name for name, one in kept["exercises"].items() if one["attempts"][-1]["verdict"] == "right"
    ]
    assert len(right) == 12
    assert (len(kept["explanations"]), len(kept["predictions"])) == (3, 2)


# -- charts --------------------------------------------------------------------------------------


def test_the_staircase_is_built_of_what_each_unit_adds():
    view = first_second_third()
    drawn = view.steps[-1][1].figure.data[0]
    assert list(view.steps[4][1].figure.data[0].y[::2]) == [115, 25, 25, 90]
    assert "The first X-FINE adds $115." in view.steps[1][0]
    assert "From the second to the fourth they add $140 together, $46.67" in view.steps[5][0]
    assert "At $46 for one the 3 cost $138" in view.steps[5][0]
    assert "At $47 they cost $141" in view.steps[5][0]
    assert list(drawn.y[::2]) == [115, 140 / 3, 140 / 3, 140 / 3]
    assert "you want 1 unit." in view.steps[-1][0]


@pytest.mark.parametrize(
    ("held", "price", "wanted"),
    [((0, 2, 3), 46, 4), ((0, 0, 0), 43, 3), ((0, 0, 4), 48, 2), ((0, 0, 4), 60, 2)],
)
def test_the_staircase_says_how_many_are_wanted_whatever_is_held(held, price, wanted):
    worth = added_worth(Materials(*held), STANDARD.opening_goods, Material.X, 4)
    gains = [sum(worth[:n]) - n * price for n in range(5)]
    assert gains[wanted] == max(gains)
    view = first_second_third(Materials(*held), price)
    assert f"you want {wanted} unit" in view.steps[-1][0]


def test_no_average_is_told_where_each_unit_adds_less():
    assert len(first_second_third(Materials(0, 2, 3), units=3).steps) == 1 + 3 + 1


def test_worth_by_month_draws_worths_beside_the_posted_price(recorded):
    chart = worth_by_month(recorded)
    in_b, posted = chart.figure.data
    prices = [step.report.prices for step in recorded.game.steps]
    boards = [(STANDARD.opening_materials, STANDARD.opening_goods)]
    boards += zip(prices[::2], prices[1::2], strict=True)
    assert list(posted.y) == [materials.X for materials, _ in boards]
    assert list(in_b.y) == [goods.B - m.F - m.S for m, goods in boards]
    assert list(chart.figure.layout.xaxis.ticktext) == ["opening", "January", "February", "March"]
    assert "Worth in a B: $65, $77" in chart.sentence


def test_the_class_curve_stands_where_its_schedules_say():
    picture = class_curve({"Zoe": [70, 40], "Yan": [55]})
    (curve,) = picture.figure.data
    assert list(zip(curve.x, curve.y, strict=True))[1::2] == [(1, 70), (2, 55), (3, 40)]
    assert picture.sentence.startswith("Demand of your class, 2 pupils: ")
    assert "2 at $50" in picture.sentence
    assert "the recorded class, 12 pupils" in class_curve().sentence


@pytest.mark.parametrize("worth", [[0], [999], [0, 999], [1] * 12])
def test_any_class_can_be_drawn(worth):
    picture = class_curve({"Zoe": worth})
    (curve,) = picture.figure.data
    low, high = picture.figure.layout.yaxis.range
    assert all(low <= y <= high for y in curve.y)


def test_the_sliders_show_what_moves_along_and_what_shifts(workbook, the_class):
    view = along_or_shift()
    assert f"wants {quantity_at(the_class, 50)} units" in view.question
    before = curve_of(view, "demand")
    assert "stood" not in view.chart.sentence  # what a slider does is for the learner to find
    view.sliders["price"].value = 60
    assert "The curve stands where it stood." in view.chart.sentence
    assert curve_of(view, "demand") == before
    along, shift = (one.answer.literal for one in workbook.predictions["02-b"].quantities)
    assert f"wants {along} units" in view.chart.sentence
    view.sliders["price"].value = 50
    view.sliders["b_price"].value = 125
    assert curve_of(view, "demand now") == [y + 10 for y in before]
    assert f"wants {shift} units" in view.chart.sentence
    view.sliders["f_price"].value = 40
    assert curve_of(view, "demand") == before  # $10 more from B, and $10 more for FINE
    view.sliders["b_price"].value = 115
    assert curve_of(view, "demand now") == [y - 10 for y in before]
    assert "down and to the left" in view.chart.sentence


def curve_of(view, name):
    return list(next(one.y for one in view.chart.figure.data if one.name == name))


def test_the_class_at_one_table_ends_where_the_lines_cross(the_class):
    view = class_at_one_table()
    units, price = crossing(the_class, Material.X, 40)
    assert quantity_at(the_class, price) == units
    point = view.steps[-1][1].figure.data[-1]
    assert (list(point.x), list(point.y)) == ([units], [price])
    assert price == 40 - 10 + units
    assert f"{units} units are ordered and X-FINE posts at ${price}" in view.steps[-1][0]
    naive = quantity_at(the_class, 40)
    regret = naive - quantity_at(the_class, 30 + naive)
    assert f"{naive} units. So X-FINE posts at ${30 + naive}, and {regret} of" in view.steps[2][0]


# -- a class's schedules -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "name,unit,dollars\nZoe,1,70\nZoe,2,60\nYan,1,55\n",
        "\ufeffname;unit;dollars\r\nZoe;1;70\r\nZoe;2;60\r\nYan;1;55\r\n",
        "Name\tUnit\tDollars\nZoe\t2\t$60\n\nYan\t1\t55.00\nZoe\t1\t70",
        "time,Dollars,NAME,unit\n9:01,70, Zoe ,1\n9:02,55,Yan,1\n9:03,60,Zoe,2\n,,,\n",
    ],
)
def test_a_shared_file_is_read_however_a_spreadsheet_writes_it(text, tmp_path):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode())
    assert read_schedules(path) == {"Zoe": [70, 60], "Yan": [55]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "c.csv has no schedule in it. The first line is name,unit,dollars"),
        ("name,unit,dollars\n", "c.csv has no schedule in it."),
        ("name,unit\nZoe,1\n", "c.csv has no column 'dollars' in its first line."),
        ("Zoe,1,70\n", "c.csv has no column 'name' in its first line."),
        ("name,unit,dollars\nZoe,1,lots\n", "c.csv, line 2: dollars: 'lots' is not a number"),
        ("name,unit,dollars\nZoe,1\n", "c.csv, line 2: dollars: nothing is written."),
        ("name,unit,dollars\nZoe,1,-5\n", "c.csv, line 2: dollars: '-5' is below 0."),
        ("name,unit,dollars\nZoe,1,5.5\n", "c.csv, line 2: dollars: '5.5' is not a whole number"),
        ("name,unit,dollars\nZoe,1,1000\n", "c.csv, line 2: dollars: $1,000 is too large."),
        ("name,unit,dollars\nZoe,first,9\n", "c.csv, line 2: unit: 'first' is not a number"),
        ("name,unit,dollars\nZoe,0,9\n", "c.csv, line 2: unit: '0' is not 1 to 12."),
        ("name,unit,dollars\nZoe,13,9\n", "c.csv, line 2: unit: '13' is not 1 to 12."),
        ("name,unit,dollars\n ,1,9\n", "c.csv, line 2: There is no name."),
        ("name,unit,dollars\nZoe,1,9\nZoe,1,8\n", "c.csv, line 3: Zoe's unit 1 is in line 2"),
        ("name,unit,dollars\nZoe,1,9\nZoe,3,8\n", "c.csv, line 3: Zoe has a unit 3 but no unit 2"),
        (f"name,unit,dollars\n{'Z' * 50},1,9\n", "is too long. Write at most 40 letters."),
    ],
)
def test_a_file_that_will_not_do_is_refused_by_its_line(text, says):
    with pytest.raises(ScheduleError) as refused:
        parse_schedules(text, "c.csv")
    assert says in str(refused.value)


def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path):
    path = tmp_path / "class.csv"
    with pytest.raises(ScheduleError, match="cannot be read: no such file"):
        read_schedules(path)
    path.write_bytes(b"\xff\xfe\x00n")
    with pytest.raises(ScheduleError, match="is no text"):
        read_schedules(path)
    path.write_bytes(b"x" * 1_000_001)
    with pytest.raises(ScheduleError, match="too large"):
        read_schedules(path)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "class.csv"
    schedules = {'Zoe "Z", the first': [70, 0, 60], "Yan; or 2": [55]}
    write_schedules(path, schedules)
    assert read_schedules(path) == schedules
    with pytest.raises(ScheduleError, match="cannot be written"):
        write_schedules(tmp_path / "no folder" / "class.csv", schedules)


# -- the form that goes from pupil to pupil ------------------------------------------------------


@pytest.fixture
def form(tmp_path):
    return class_demand(tmp_path / "class_demand.csv")


def enter(form, name, *dollars):
    form.name.value = name
    for field, value in zip(form.dollars, [*dollars, "", "", "", ""], strict=False):
        field.value = str(value)
    form.press.button.click()
    form.press.echo.value = form.press.ask.value


def sent(form):
    """Everything that the page knows."""
    states = (one.get_state() for one in widgets_of(form.widget) if not isinstance(one, Output))
    return "\n".join(re.sub("IPY_MODEL_[0-9a-f]+", "", repr(state)) for state in states)


def test_pupils_enter_one_after_another_and_earlier_ones_are_hidden(form):
    enter(form, " Zoe ", "$871", 762)
    enter(form, "Yan", 657, 0, 533)
    assert read_schedules(form.path) == {"Zoe": [871, 762], "Yan": [657, 0, 533]}
    assert form.name.value == ""
    assert {field.value for field in form.dollars} == {""}
    for hidden in ("Zoe", "871", "762", "657", "533"):
        assert hidden not in sent(form)
    assert "class_demand.csv: 2 schedules." in form.state.value
    assert "Yan, yours is in: 3 units." in form.message.value


@pytest.mark.parametrize(
    ("name", "dollars", "says"),
    [
        ("", [70], "There is no name."),
        ("Yan", [], "No dollars are written yet."),
        ("Yan", ["", 50], "The first unit is empty, and a later one is not."),
        ("Yan", ["sixty"], "The first unit: 'sixty' is not a number in digits."),
        ("Yan", [70, 1234], "The second unit: $1,234 is too large."),
        ("zoe", [70], "zoe is in already. Is it you? Then take those lines out"),
    ],
)
def test_what_will_not_do_is_refused_and_stays_typed(form, name, dollars, says):
    enter(form, "Zoe", 71)
    enter(form, name, *dollars)
    assert says.replace("'", "&#x27;") in form.message.value
    assert form.name.value == name
    assert [field.value for field in form.dollars[: len(dollars)]] == [str(d) for d in dollars]
    assert read_schedules(form.path) == {"Zoe": [71]}


def test_the_curve_is_drawn_without_names(form):
    enter(form, "Zoe", 71, 62)
    enter(form, "Yan", 57)
    enter(form, "Wim", 64)
    form.draw_button.click()
    assert "Demand of your class, 3 pupils" in form.sentence
    assert "Zoe" not in sent(form)
    (figure,) = form._live.widget.outputs
    assert "Zoe" not in json.dumps(figure)
    assert figure["data"]["text/plain"] == form.sentence
    enter(form, "Xia", 80)
    assert form.sentence == ""  # the next pupil does not see it while writing


def test_where_nobody_is_in_the_recorded_class_stands_in(form):
    form.draw_button.click()
    assert "the recorded class" in form.sentence
    assert not form.path.exists()


def test_whoever_is_alone_sees_their_own_steps_beside_the_recorded_class(form):
    enter(form, "Zoe", 95, 40)
    form.draw_button.click()
    assert form.sentence.endswith("Your own steps stand beside it: $95, $40.")
    picture = class_curve(beside=[95, 40])
    assert [one.name for one in picture.figure.data] == ["demand of the recorded class", "your own"]
    assert picture.figure.layout.yaxis.range[1] > 95
    enter(form, "Yan", 71)
    form.draw_button.click()
    assert "Your own" not in form.sentence  # of two, one could tell the other's


def test_the_form_goes_on_where_it_stopped(form):
    enter(form, "Zoe", 71)
    again = class_demand(form.path)
    assert "1 schedule." in again.state.value
    again.draw()
    assert "the recorded class" in again.sentence


def test_whoever_is_alone_is_told_and_keeps_the_recorded_class(form):
    assert "Alone? Put yours in or leave the fields empty" in form.state.value
    for name in ("Zoe", "Yan"):
        enter(form, name, 71)
        form.draw_button.click()
        assert "the recorded class, 12 pupils" in form.sentence
    enter(form, "Xia", "$ 64")
    assert "Alone?" not in form.state.value
    form.draw_button.click()
    assert "your class, 3 pupils" in form.sentence


def test_what_was_put_in_can_be_taken_out_and_written_anew(form):
    enter(form, "Zoe", 71)
    enter(form, "Yan", 50)
    enter(form, "zoe", 62)
    assert form.out_button.description == "Take Zoe's lines out"
    form.out_button.click()
    assert "Zoe&#x27;s lines are out." in form.message.value
    assert form.name.value == "zoe"
    form.press.button.click()
    form.press.echo.value = form.press.ask.value
    assert read_schedules(form.path) == {"Yan": [50], "zoe": [62]}


def test_the_last_one_in_can_be_taken_out_too(form):
    enter(form, "Zoe", 71)
    form.out_button.click()
    assert form.schedules() == {}
    assert form.out_button not in form._buttons.children


def test_a_schedule_that_rises_is_told_what_becomes_of_it(form):
    enter(form, "Zoe", "$40", 60, 70)
    assert "they are wanted together, at their average" in form.message.value
    enter(form, "Yan", 70, 60, 40)
    assert "together" not in form.message.value


def test_a_shared_file_with_a_mistake_is_told_and_not_written_over(form):
    text = "name,unit,dollars\nZoe,1,lots\n"
    form.path.write_text(text)
    shared = class_demand(form.path)
    assert "class_demand.csv, line 2: dollars:" in shared.message.value
    enter(shared, "Yan", 50)
    shared.draw_button.click()
    assert "line 2" in shared.message.value
    assert form.path.read_text() == text
    with pytest.raises(ExdecError):
        shared.put_in()


def test_enter_goes_from_field_to_field_and_then_puts_it_in(form, monkeypatch):
    focused = []
    monkeypatch.setattr(type(form.name), "focus", lambda field: focused.append(field.description))
    form.name.value, form.dollars[0].value = "Zoe", "70"
    for field in (form.name, *form.dollars):
        field._handle_custom_msg({"event": "submit"}, [])
    assert focused == [field.description for field in form.dollars]
    form.press.echo.value = form.press.ask.value
    assert read_schedules(form.path) == {"Zoe": [70]}
